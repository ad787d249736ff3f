"""City Blocks on the table: each square of the grid shows what the state says."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.profiles import Profile, load_profile
from engine.city_blocks.state import CityBlocks
from vision.synth.stages.city_blocks import city_blocks_stage
from vision.synth.stages.common import Stage

COLOUR_OF = {"B": "blue", "G": "green", "R": "red", "Y": "yellow", "?": "unknown"}
CENTRE = {(9, 9): "B", (9, 10): "G", (10, 9): "Y", (10, 10): "R"}


def _grid(marks: dict[tuple[int, int], str]) -> tuple[str, ...]:
    return tuple("".join(marks.get((row, column), ".") for column in range(20)) for row in range(20))


# an L in the north-west, a row along the south edge, an odd piece that somebody lost, the four singles
MARKS = {
    **dict.fromkeys([(0, 0), (1, 0), (2, 0), (2, 1)], "B"),
    **dict.fromkeys([(19, column) for column in range(15, 20)], "R"),
    **dict.fromkeys([(5, 5), (5, 6), (6, 5)], "?"),
    **CENTRE,
}


@pytest.fixture(scope="module")
def profile() -> Profile:
    return load_profile("blokus-white")


def _card(profile: Profile) -> Profile:
    assert profile.blokus is not None
    card = replace(profile.blokus, make="printed-card", piece_material="card", piece_thickness_mm=2.0, centre="printed")
    return replace(profile, blokus=card)


def _stage(grid: tuple[str, ...], profile: Profile, seed: int = 0) -> Stage:
    return city_blocks_stage(CityBlocks(grid), profile, np.random.default_rng(seed))


def _covered(stage: Stage, square_mm: float, measure: SimpleNamespace) -> dict[tuple[int, int], str]:
    """(row, column) -> colour of the piece whose lowest faces lie there, from the meshes alone."""
    found: dict[tuple[int, int], str] = {}
    for part in stage.parts:
        if part.name == "board":
            continue
        world = measure.world(part)
        corners = world[part.mesh.faces[(part.mesh.faces >= 0).all(axis=1)]]
        bottoms = corners[np.ptp(corners[:, :, 2], axis=1) < 1e-9]
        bottoms = bottoms[np.isclose(bottoms[:, 0, 2], world[:, 2].min())]
        for middle in bottoms.mean(axis=1):
            column, row = np.floor(middle[:2] / square_mm + 10).astype(int)
            assert (19 - row, column) not in found
            found[19 - row, column] = part.name.split(":")[1]
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", ["ribs", "card"])
def test_every_square_has_its_colour(make: str, seed: int, profile: Profile, measure: SimpleNamespace) -> None:
    dressed = profile if make == "ribs" else _card(profile)
    assert dressed.blokus is not None
    stage = _stage(_grid(MARKS), dressed, seed)
    wanted = {place: COLOUR_OF[mark] for place, mark in MARKS.items()}
    assert _covered(stage, dressed.blokus.square_mm, measure) == wanted


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1 << 30), st.floats(0.05, 1.0))
def test_arbitrary_boards_are_covered_square_by_square(measure: SimpleNamespace, seed: int, density: float) -> None:
    rng = np.random.default_rng(seed)
    marks = {(r, c): str(rng.choice(list("BGRY?"))) for r in range(20) for c in range(20) if rng.uniform() < density}
    stage = _stage(_grid(marks), load_profile("blokus-white"), seed)
    assert _covered(stage, 20.0, measure) == {place: COLOUR_OF[mark] for place, mark in marks.items()}


def test_pieces_are_dressed_in_the_profile_s_colours(profile: Profile) -> None:
    assert profile.blokus is not None
    for part in _stage(_grid(MARKS), profile).parts:
        colour = part.name.split(":")[1] if part.name != "board" else "unknown"
        if colour != "unknown":
            assert part.materials[0].kind == "translucent"
            assert part.materials[0].colour == profile.blokus.piece_colours[colour]  # type: ignore[index]


def test_pieces_stay_inside_their_squares(profile: Profile, measure: SimpleNamespace) -> None:
    """So that no two pieces meet, wherever they rattle to in their seats."""
    full = tuple("BGRY"[row // 2 % 4] * 20 for row in range(20))
    for seed in range(3):
        stage = _stage(full, profile, seed)
        for part in stage.parts[1:]:
            row_of = (10 - measure.world(part)[:, 1] / 20.0) // 2
            assert np.ptp(row_of) == 0
            assert measure.world(part)[:, 2].max() == pytest.approx(4.0)
            # The body begins above the ribs, which are 1.5 mm high.
            assert measure.world(part)[:, 2].min() > 1.5


@pytest.mark.parametrize("make", ["ribs", "card"])
def test_patches_lie_on_top_of_their_squares(make: str, profile: Profile) -> None:
    dressed = profile if make == "ribs" else _card(profile)
    assert dressed.blokus is not None
    stage = _stage(_grid(MARKS), dressed)
    assert len(stage.patches) == 400
    # name, row, column, owner's beginning, height
    rows = [
        ("A1", 0, 0, "piece:blue:", dressed.blokus.piece_thickness_mm),
        ("T20", 19, 19, "piece:red:", dressed.blokus.piece_thickness_mm),
        ("J10", 9, 9, "piece:blue:single", dressed.blokus.piece_thickness_mm if make == "ribs" else 0.0),
        ("T1", 0, 19, "board", 0.0),
        ("F6", 5, 5, "piece:unknown:", 0.0),
    ]
    for name, row, column, owner, height in rows:
        points = stage.patches[f"square:{name}"]
        assert stage.surfaces[f"square:{name}"].startswith(owner)
        assert points.mean(axis=0) == pytest.approx([(column - 9.5) * 20, (9.5 - row) * 20, height])
        assert np.ptp(points[:, 0]) < 20


def test_corners_are_those_of_the_field_not_of_the_border(profile: Profile, measure: SimpleNamespace) -> None:
    stage = _stage(_grid({}), profile)
    assert stage.corners.tolist() == [[-200, 200, 0], [200, 200, 0], [200, -200, 0], [-200, -200, 0]]
    board = measure.world(stage.parts[0])
    assert board[:, 0].max() == pytest.approx(208.0)
    assert stage.extent == pytest.approx((416.0, 416.0))


def test_an_empty_and_a_plain_board(profile: Profile) -> None:
    assert [part.name for part in _stage(_grid({}), profile).parts] == ["board"]
    # A centre of one colour is a plain Blokus board: its squares belong to ordinary pieces.
    plain = _stage(_grid({(9, 9): "B", (9, 10): "B"}), profile)
    assert [part.name for part in plain.parts] == ["board", "piece:blue:0"]


def test_corner_colours_of_the_state_are_those_of_the_board(profile: Profile) -> None:
    assert profile.blokus is not None
    marked = replace(profile, blokus=replace(profile.blokus, corner_marks="square"))
    known = CityBlocks(_grid({}), corner_colours=("green", None, None, "red"))
    pictures = []
    for state in (known, CityBlocks(_grid({}))):
        texture = city_blocks_stage(state, marked, np.random.default_rng(1)).parts[0].materials[0].texture
        assert texture is not None
        pictures.append(texture)
    # First square of the field, north-west: green where the state says so, else the profile's blue.
    side = pictures[0].shape[0]
    spot = slice(round(side * 9 / 416), round(side * 26 / 416))
    inks = [picture[spot, spot, :3].reshape(-1, 3).mean(axis=0) for picture in pictures]
    assert inks[0][1] > inks[0][2]
    assert inks[1][2] > inks[1][1]


def test_a_printed_centre_shows_what_the_state_has_there(profile: Profile) -> None:
    """Also nothing: a board is drawn as the truth has it, whatever its maker printed."""
    card = _card(profile)
    assert card.blokus is not None
    empty, full = _stage(_grid({}), card), _stage(_grid(CENTRE), card)
    assert [part.name for part in empty.parts] == ["board"]
    pictures = [stage.parts[0].materials[0].texture for stage in (empty, full)]
    for picture in pictures:
        assert picture is not None
        middle = picture.shape[0] // 2
        spot = picture[middle - 30 : middle + 30, middle - 30 : middle + 30, :3].astype(float)
        assert np.ptp(np.median(spot.reshape(-1, 3), axis=0)) < 40
    singles = {part.name: part for part in full.parts[1:]}
    assert set(singles) == {f"piece:{colour}:single" for colour in ("blue", "green", "red", "yellow")}
    assert all(part.mesh.vertices[:, 2].max() < 0.2 for part in singles.values())
