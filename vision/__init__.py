"""From a photo to a state: locate, rectify, classify, decode; and the studio that renders training photos."""
