"""Setting the table for each game."""
