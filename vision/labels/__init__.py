"""Labels: photos with their truth beside them. Checked, drawn into the photo, and exported for other programs."""
