"""Sprawl: towers, branches and spores on a board of squares; the smallest stash wins."""

from engine.sprawl.game import Sprawl

GAME = Sprawl()
