"""The parts of the page "My set": sheets, camera, pieces, learning, networks."""
