"""Laying the table: a state, a profile and a die give everything that a camera could see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from calibration.profiles import Profile
from engine.alien_city.state import AlienCityState
from engine.city_blocks.state import CityBlocks
from engine.documents import position_from_document
from engine.errors import UsageError
from engine.sprawl.state import State as SprawlState
from vision.synth.clutter import clutter_parts
from vision.synth.geometry import TOUCH_MM, world_vertices
from vision.synth.stages.alien_city import alien_city_stage
from vision.synth.stages.city_blocks import city_blocks_stage
from vision.synth.stages.common import Stage, table_part
from vision.synth.stages.sprawl import sprawl_stage

__all__ = ["Stage", "build_stage"]


def build_stage(
    state: Mapping[str, Any], profile: Profile, rng: np.random.Generator, *, clutter: bool, table: str
) -> Stage:
    """The board of ``state`` (as in a state file) dressed as the profile's set, on the named table.

    Everything is decided by ``rng``; ``clutter`` puts other things around the board.
    """
    position = position_from_document(dict(state))
    if position.game.name not in profile.games:
        raise UsageError(f'the profile "{profile.name}" has no set for {position.game.title}; choose another profile.')
    stage = _game_stage(position.state, profile, rng)
    return _on_table(stage, position.game.name, profile, rng, clutter=clutter, table=table)


def _game_stage(state: Any, profile: Profile, rng: np.random.Generator) -> Stage:
    if isinstance(state, AlienCityState):
        return alien_city_stage(state, profile, rng)
    if isinstance(state, CityBlocks):
        return city_blocks_stage(state, profile, rng)
    assert isinstance(state, SprawlState)
    return sprawl_stage(state, profile, rng)


def _on_table(
    stage: Stage, game: str, profile: Profile, rng: np.random.Generator, *, clutter: bool, table: str
) -> Stage:
    """The stage with the table under it and, if wanted, things around it."""
    depth = _lowest(stage)
    things = clutter_parts(game, profile, stage.extent, depth, rng) if clutter else ()
    parts = (table_part(table, depth, rng), *stage.parts, *things)
    return Stage(parts, stage.corners, stage.patches, stage.surfaces, stage.extent)


def _lowest(stage: Stage) -> float:
    """The height of the table: just below the board or the tiles."""
    grounds = [part for part in stage.parts if part.name == "board" or part.name.startswith("tile:")]
    return min((float(world_vertices(part.mesh, part.pose)[:, 2].min()) for part in grounds), default=0.0) - TOUCH_MM
