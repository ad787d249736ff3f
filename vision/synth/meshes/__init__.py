"""The meshes of everything that lies on the table, each in its own frame and true to size."""
