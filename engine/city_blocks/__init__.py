"""City Blocks: its state, rules, scores and moves."""

from engine.city_blocks.game import CityBlocksGame
from engine.city_blocks.play import random_blokus_game
from engine.city_blocks.state import CityBlocks

GAME = CityBlocksGame()

__all__ = ["GAME", "CityBlocks", "CityBlocksGame", "random_blokus_game"]
