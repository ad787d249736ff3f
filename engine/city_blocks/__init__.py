"""City Blocks: its state, rules, scores and moves."""

from engine.city_blocks.play import random_blokus_game
from engine.city_blocks.state import CityBlocks

__all__ = ["CityBlocks", "random_blokus_game"]
