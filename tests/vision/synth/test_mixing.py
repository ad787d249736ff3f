"""Mixed sets are new, possible, and made of training looks alone."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.looks import DIGITS, ENVIRONMENTS, ICONS, TABLES
from calibration.profiles import load_profile, profile_names
from vision.synth.layouts import sample_layout
from vision.synth.mixing import looks_of, mixed_profile
from vision.synth.stage import build_stage

GAMES = ("alien-city", "city-blocks", "sprawl")
# Held-out sets among the sources must not matter.
EVERYTHING = [load_profile(name) for name in profile_names()]


@pytest.mark.parametrize("game", GAMES)
def test_no_held_out_look_is_ever_drawn(game: str) -> None:
    held_out = {"icons": ICONS.held_out, "digits": DIGITS.held_out}
    held_out |= {"tables": TABLES.held_out, "environments": ENVIRONMENTS.held_out}
    for seed in range(60):
        looks = looks_of(mixed_profile(np.random.default_rng(seed), game, EVERYTHING))
        for kind, names in held_out.items():
            assert not set(looks[kind]) & set(names)


@pytest.mark.parametrize("game", GAMES)
def test_every_mix_is_another_and_the_same_seed_the_same(game: str) -> None:
    mixes = [mixed_profile(np.random.default_rng(seed), game, EVERYTHING) for seed in range(20)]
    assert len({str(mix) for mix in mixes}) == 20
    assert mixes[3] == mixed_profile(np.random.default_rng(3), game, EVERYTHING)


@pytest.mark.parametrize("game", GAMES)
def test_boards_can_be_laid_with_mixed_sets(game: str) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        profile = mixed_profile(rng, game, EVERYTHING)
        layout = sample_layout(rng, game, profile)
        if layout.state is not None:
            stage = build_stage(layout.state, profile, rng, clutter=False, table=profile.tables[0])
            assert len(stage.parts) > 2


def test_icons_stay_in_their_lots_and_mean_their_guild() -> None:
    for seed in range(60):
        tiles = mixed_profile(np.random.default_rng(seed), "alien-city", EVERYTHING).tiles
        assert tiles is not None
        assert tiles.icon_margin + tiles.icon_size / 2 <= 0.5 + 1e-9
        assert tiles.icons["red"].startswith(("sun-", "bolt-"))
        assert tiles.icons["green"].startswith(("crown-", "star-"))
