"""What differs from game to game when a photo is read: planes and answers to a state."""
