"""Alien City on the table: every fact of the state is there, in its place, and touches nothing else."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.profiles import Profile, load_profile
from engine.documents import position_from_document
from vision.synth.scene import Part
from vision.synth.stages.alien_city import alien_city_stage, filled_tiles
from vision.synth.stages.common import Stage

LOTS = [f"{column}{row}" for row in range(1, 11) for column in "ABCDEFGH"]
TILES = [f"{column}{row}" for row in range(1, 11, 2) for column in "ACEG"]
RANKED = [(colour, rank) for rank in range(5) for colour in ("red", "blue", "green", "black")]


def _tile(at: str, colour: str, rank: int, icon: int) -> dict[str, Any]:
    right, up = icon % 2, icon // 2
    return {"at": at, "colour": colour, "rank": rank, "icon": f"{chr(ord(at[0]) + right)}{int(at[1:]) + up}"}


def _document(structures: list[dict[str, Any]]) -> dict[str, Any]:
    tiles = [_tile(at, *RANKED[i], (3 * i + 1) % 4) for i, at in enumerate(TILES)]
    return {"game": "alien-city", "edition": "1.0", "tiles": tiles, "structures": structures}


BUSY = _document(
    [
        {"at": "A1", "kind": "tower", "colour": "red", "claimed_by": "white"},
        {"at": "B1", "kind": "tower", "colour": "blue"},
        {"at": "A2", "kind": "tower", "colour": "green", "claimed_by": "black"},
        {"at": "B2", "kind": "dome", "colour": "black"},
        {"at": "E5", "kind": "dome", "colour": "red"},
        {"at": "H10", "kind": "tower", "colour": "green"},
        {"at": "D10", "kind": "dome", "colour": "blue"},
        {"at": "C7", "kind": "dome", "colour": "green"},
    ]
)


@pytest.fixture(scope="module")
def profile() -> Profile:
    return load_profile("cream-classic")


def _stage(document: dict[str, Any], profile: Profile, seed: int = 0) -> Stage:
    return alien_city_stage(position_from_document(document).state, profile, np.random.default_rng(seed))


def _lot_middle(lot: str) -> np.ndarray:
    """Where a lot would be on a board without gaps or faults."""
    return np.array([(ord(lot[0]) - ord("A") - 3.5) * 25.4, (int(lot[1:]) - 5.5) * 25.4])


def _named(stage: Stage) -> dict[str, Part]:
    return {part.name: part for part in stage.parts}


@pytest.mark.parametrize("seed", range(4))
def test_every_structure_stands_in_its_lot(seed: int, profile: Profile) -> None:
    assert profile.pyramids is not None
    stage = _stage(BUSY, profile, seed)
    parts = _named(stage)
    assert {name for name in parts if name.startswith("structure:")} == {
        f"structure:{s['at']}" for s in BUSY["structures"]
    }
    assert {name for name in parts if name.startswith("cap:")} == {"cap:A1", "cap:A2"}
    for structure in BUSY["structures"]:
        part = parts[f"structure:{structure['at']}"]
        assert np.linalg.norm(part.pose[:2, 3] - _lot_middle(structure["at"])) < 9.0
        if structure["kind"] == "tower":
            assert part.materials[0].colour == profile.pyramids.plastic[structure["colour"]].colour
            assert np.ptp(part.mesh.vertices[:, 0]) == pytest.approx(25.4, abs=0.01)
        else:
            assert np.ptp(part.mesh.vertices[:, 0]) == pytest.approx(19.0, abs=0.01)


def test_coins_show_their_suit(profile: Profile) -> None:
    assert profile.tiles is not None
    parts = _named(_stage(BUSY, profile))
    inks = {colour: np.array(ink) * 255 for colour, ink in profile.tiles.colours.items()}
    for structure in BUSY["structures"]:
        if structure["kind"] == "dome":
            picture = parts[f"structure:{structure['at']}"].materials[0].texture
            assert picture is not None
            near = {
                colour: int((np.abs(picture[..., :3].astype(float) - ink).sum(axis=2) < 70).sum())
                for colour, ink in inks.items()
            }
            assert max(near, key=lambda colour: near[colour]) == structure["colour"]


@pytest.mark.parametrize("seed", range(4))
def test_caps_are_nested_on_their_towers(seed: int, profile: Profile, measure: SimpleNamespace) -> None:
    parts = _named(_stage(BUSY, profile, seed))
    for lot, colour in (("A1", "white"), ("A2", "black")):
        cap, tower = parts[f"cap:{lot}"], parts[f"structure:{lot}"]
        assert profile.pyramids is not None
        assert cap.materials[0].colour == profile.pyramids.plastic[colour].colour
        assert np.allclose(cap.pose[:2, 3], tower.pose[:2, 3])
        assert 27.0 < cap.pose[2, 3] - tower.pose[2, 3] < 32.0
        assert measure.world(cap)[:, 2].max() > measure.world(tower)[:, 2].max() + 5


@pytest.mark.parametrize("icon", range(4))
def test_the_icon_is_printed_on_its_lot(icon: int, profile: Profile) -> None:
    """Looked up in the texture through the mesh, for a tile with its icon in each of the four lots."""
    document = _document([])
    document["tiles"] = [_tile("C5", "red", 0, icon)]
    part = _named(_stage(document, profile))["tile:C5"]
    assert part.mesh.uv is not None
    assert part.mesh.material is not None
    assert profile.tiles is not None
    picture = part.materials[0].texture
    assert picture is not None
    corners = part.mesh.faces[0:][part.mesh.material == 0]
    own = part.mesh.vertices[corners[:, :3]].reshape(-1, 3)
    uv = part.mesh.uv[part.mesh.material == 0][:, :3].reshape(-1, 2)
    world = own @ part.pose[:3, :3].T + part.pose[:3, 3]
    to_uv = np.linalg.lstsq(np.c_[world[:, :2], np.ones(len(world))], uv, rcond=None)[0]
    ink = np.array(profile.tiles.colours["red"]) * 255
    shares = []
    for number in range(4):
        lot = f"{'CD'[number % 2]}{5 + number // 2}"
        x, y = np.meshgrid(*[np.linspace(-11, 11, 40)] * 2)
        places = _lot_middle(lot) + np.stack([x.ravel(), y.ravel()], axis=1)
        u, v = (np.c_[places, np.ones(len(places))] @ to_uv).T
        rows = np.clip((1 - v) * picture.shape[0], 0, picture.shape[0] - 1).astype(int)
        columns = np.clip(u * picture.shape[1], 0, picture.shape[1] - 1).astype(int)
        shares.append(float((np.abs(picture[rows, columns, :3] - ink).sum(axis=1) < 90).mean()))
    assert int(np.argmax(shares)) == icon
    assert shares[icon] > 0.08
    assert sorted(shares)[2] < 0.02


@pytest.mark.parametrize("seed", range(3))
def test_patches_lie_on_their_tiles(seed: int, profile: Profile, measure: SimpleNamespace) -> None:
    stage = _stage(BUSY, profile, seed)
    parts = _named(stage)
    assert {name for name in stage.patches if name.startswith("icon:")} == {f"icon:{at}" for at in TILES}
    assert {name for name in stage.patches if name.startswith("lot:")} == {f"lot:{lot}" for lot in LOTS}
    icons = {tile["at"]: tile["icon"] for tile in BUSY["tiles"]}
    for name, points in stage.patches.items():
        kind, _, at = name.partition(":")
        assert 25 <= len(points) <= 49
        assert np.allclose(points[:, 2], 0.0)
        tile = measure.world(parts[stage.surfaces[name]])
        assert (points[:, :2] > tile[:, :2].min(axis=0)).all()
        assert (points[:, :2] < tile[:, :2].max(axis=0)).all()
        wanted = {"icon": _lot_middle(icons.get(at, "A1")), "lot": _lot_middle(at)}.get(kind, _lot_middle(at) + 12.7)
        assert np.linalg.norm(points[:, :2].mean(axis=0) - wanted) < 9.0, name


@pytest.mark.parametrize("seed", range(4))
def test_corners_are_the_outer_corners_of_the_tiles(seed: int, profile: Profile, measure: SimpleNamespace) -> None:
    stage = _stage(BUSY, profile, seed)
    parts = _named(stage)
    signs = [(-1, 1), (1, 1), (1, -1), (-1, -1)]
    for corner, tile, (x, y) in zip(stage.corners, ("A9", "G9", "G1", "A1"), signs, strict=True):
        outermost = measure.world(parts[f"tile:{tile}"])
        nearest = outermost[np.argmax(outermost[:, :2] @ (x, y))]
        # Careless laying moves a single tile by a millimetre or so from the lattice.
        assert np.linalg.norm(corner[:2] - nearest[:2]) < 2.5
        assert corner[2] == 0
    width = stage.corners[1, 0] - stage.corners[0, 0]
    assert 4 * 50.8 - 0.5 < width < 4 * 50.8 + 5


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from([0.1, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0]))
def test_no_two_structures_and_no_two_tiles_share_a_place(
    measure: SimpleNamespace, seed: int, density: float, towers: float
) -> None:
    rng = np.random.default_rng(seed)
    structures: list[dict[str, Any]] = []
    for lot in LOTS:
        if rng.uniform() < density:
            tower = rng.uniform() < towers
            structures.append({"at": lot, "kind": "tower" if tower else "dome", "colour": "red"})
    profile = load_profile("cream-classic")
    assert profile.coins is not None
    profile = replace(profile, coins=replace(profile.coins, diameter_mm=float(rng.choice([19.0, 24.0]))))
    stage = _stage(_document(structures), profile, seed)
    stood = [part for part in stage.parts if part.name.startswith("structure:")]
    middles = np.array([part.pose[:2, 3] for part in stood]).reshape(-1, 2)
    wanted = np.array([_lot_middle(part.name[10:]) for part in stood]).reshape(-1, 2)
    assert (np.abs(middles - wanted) < 12.0).all()
    assert measure.worst_overlap(stood) < 0.3
    assert measure.worst_overlap([part for part in stage.parts if part.name.startswith("tile:")]) < 0.3


def test_unknown_tiles_are_filled_from_what_the_box_still_holds() -> None:
    tiles = filled_tiles((), np.random.default_rng(1))
    assert [tile.at for tile in tiles] == sorted(TILES, key=lambda at: (int(at[1:]), at[0]))
    colours = [tile.colour for tile in tiles]
    assert {colour: colours.count(colour) for colour in colours} == {"red": 5, "blue": 5, "green": 5, "black": 5}
    assert len({(tile.colour, tile.rank) for tile in tiles}) == 20


def test_known_tiles_stay_as_they_are() -> None:
    document = _document([])
    document["tiles"] = [{"at": "C3", "colour": None, "rank": 4, "icon": None}, *document["tiles"][6:9]]
    known = position_from_document(document).state.tiles
    filled = {tile.at: tile for tile in filled_tiles(known, np.random.default_rng(2))}
    for tile in known:
        for field in ("colour", "rank", "icon"):
            if getattr(tile, field) is not None:
                assert getattr(filled[tile.at], field) == getattr(tile, field)
    assert filled["C3"].colour is not None
    assert filled["C3"].icon in ("C3", "D3", "C4", "D4")


def test_medium_towers_and_other_caps(profile: Profile) -> None:
    assert profile.pyramids is not None
    medium = replace(profile, pyramids=replace(profile.pyramids, tower_size="medium"))
    document = _document([{"at": "D4", "kind": "tower", "colour": "blue", "claimed_by": "purple"}])
    parts = _named(_stage(document, medium))
    assert np.ptp(parts["structure:D4"].mesh.vertices[:, 0]) == pytest.approx(19.8, abs=0.01)
    # The set has no purple plastic: somebody brought their own.
    red, green, blue = parts["cap:D4"].materials[0].colour
    assert blue > red > green
