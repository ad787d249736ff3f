"""The rules engine: positions in, broken rules, scores and moves out. Knows nothing of pictures."""
