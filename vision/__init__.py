"""From a photo to a state: locate, rectify, classify, decode; and the studio that renders training photos."""

# The endings of picture files that vision.photo can open.
PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
