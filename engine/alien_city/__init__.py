"""Alien City: two players build a city whose vacant lots are its roads."""

from engine.alien_city.game import AlienCity
from engine.alien_city.state import AlienCityState, Structure, Tile

GAME = AlienCity()

__all__ = ["GAME", "AlienCity", "AlienCityState", "Structure", "Tile"]
