"""The steps from a photo to a score that can be shared, one module each."""
