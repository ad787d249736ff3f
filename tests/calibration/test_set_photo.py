"""Pieces of known colours lie on the printed sheet, under coloured and uneven light; their colours come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.colour_measures import Seen, disc, distance, one_colour, to_lab, to_linear, to_srgb, two_colours
from calibration.profiles import load_profile
from calibration.set_photo import read_set_sheet
from calibration.set_profile import SetColours, dressed
from calibration.set_sheet import AREA_MM, SHEETS, Place
from calibration.sheets import lens_sheet, piece_sheet
from cityscan.cli import main
from engine.errors import Unreadable, UsageError

PER_MM = 5
Colour = tuple[int, int, int]
Paint = Mapping[tuple[str, str], Colour | tuple[Colour, Colour]]

INKS: dict[str, Colour] = {
    "red": (190, 40, 45),
    "blue": (40, 70, 160),
    "green": (215, 175, 30),
    "black": (120, 120, 125),
}
CREAM: Colour = (235, 222, 190)
# A set with yellow crowns and grey moons, pink and clear caps.
ALIEN: Paint = {
    **{("tile", guild): (CREAM, ink) for guild, ink in INKS.items()},
    **{("dome", guild): ((200, 170, 120), ink) for guild, ink in INKS.items()},
    ("tower", "red"): (170, 30, 30),
    ("tower", "blue"): (30, 40, 140),
    ("tower", "green"): (20, 110, 50),
    ("cap", "pink"): (225, 120, 160),
    ("cap", "white"): (228, 228, 228),
}
BLOCKS: Paint = {
    ("piece", "blue"): (40, 60, 150),
    ("piece", "green"): (30, 130, 80),
    ("piece", "red"): (180, 30, 30),
    ("piece", "yellow"): (220, 180, 30),
    ("board", ""): ((200, 200, 196), (120, 120, 118)),
}
SPRAWL: Paint = {
    ("pyramid", "purple"): (90, 40, 130),
    ("pyramid", "black"): (30, 30, 32),
    ("pyramid", "yellow"): (225, 190, 40),
    ("board", ""): ((225, 210, 170), (110, 70, 45)),
}


def lay(page: np.ndarray, place: Place, paint: Any, left: float, top: float) -> None:
    """A piece on its place, a little off the middle; the second colour is printed on it as a bar."""
    first, second = paint if isinstance(paint[0], tuple) else (paint, None)
    middle = (round((left + place.x + 0.6) * PER_MM), round((top + place.y - 0.5) * PER_MM))
    half = round((place.size + 4) / 2 * PER_MM)
    if place.round:
        cv2.circle(page, middle, half, first, -1)
    else:
        cv2.rectangle(page, (middle[0] - half, middle[1] - half), (middle[0] + half, middle[1] + half), first, -1)
    if second is not None:
        thin = half // 4
        cv2.rectangle(page, (middle[0] - half, middle[1] - thin), (middle[0] + half, middle[1] + thin), second, -1)


def under(page: np.ndarray, light: tuple[float, float, float], fall: float) -> np.ndarray:
    """The page under coloured light that gets weaker to the right and to the bottom; paper reflects 0.9."""
    down, across = np.mgrid[0 : page.shape[0], 0 : page.shape[1]] / max(page.shape[:2])
    amount = np.array(light) * (1 - fall * (0.6 * across + 0.4 * down))[..., None]
    return np.asarray(255 * to_srgb(to_linear(page / 255.0) * 0.9 * amount) + 0.5, np.uint8)


@pytest.fixture(scope="module")
def photograph(eye: Any, read_print: Callable[[bytes], Any]) -> Callable[..., np.ndarray]:
    """A photo of a game's sheet with pieces on it."""

    def take(
        game: str,
        pieces: Paint,
        paper: str = "a4",
        light: tuple[float, float, float] = (1.0, 1.0, 1.0),
        fall: float = 0.0,
        **camera: Any,
    ) -> np.ndarray:
        page = read_print(piece_sheet(SHEETS[game], paper)).paint(PER_MM)
        width, height = page.shape[1] / PER_MM, page.shape[0] / PER_MM
        for place in SHEETS[game].places:
            if (place.kind, place.colour) in pieces:
                lay(page, place, pieces[place.kind, place.colour], (width - AREA_MM[0]) / 2, (height - AREA_MM[1]) / 2)
        pose = {"tilt": 8, "towards": 40, "roll": 87, "distance": 270} | camera
        table = (60, 50, 40)
        return eye(**pose).look_at(under(page, light, fall), PER_MM, table)

    return take


def colour_error(seen: tuple[float, float, float], painted: Colour) -> float:
    # Against the paper's white, as the sheet measures: print on paper that reflects 0.9.
    return distance(seen, to_srgb(to_linear(np.array(painted) / 255) * 0.9))


def check(found: SetColours, pieces: Paint, most: float) -> None:
    assert set(found.seen) == set(pieces)
    for key, paint in pieces.items():
        first, second = paint if isinstance(paint[0], tuple) else (paint, None)
        seen = found.seen[key]  # type: ignore[index]
        assert colour_error(seen.main, first) < most, key  # type: ignore[arg-type]
        if second is None or not isinstance(second, tuple):
            assert seen.second is None, key
        else:
            assert seen.second is not None, key
            assert colour_error(seen.second, second) < most, key


LIGHTS = [
    # Plain light, warm evening light, a window on one side, and dim light through a green shade.
    ((1.0, 1.0, 1.0), 0.0),
    ((1.0, 0.8, 0.55), 0.1),
    ((0.9, 0.95, 1.0), 0.5),
    ((0.35, 0.4, 0.3), 0.2),
]


@pytest.mark.parametrize(("light", "fall"), LIGHTS)
def test_colours_come_back_in_any_light(
    light: tuple[float, float, float], fall: float, photograph: Callable[..., np.ndarray]
) -> None:
    found = read_set_sheet(photograph("alien-city", ALIEN, light=light, fall=fall))
    assert found.game == "alien-city"
    check(found, ALIEN, most=6)


@pytest.mark.parametrize(("game", "pieces"), [("city-blocks", BLOCKS), ("sprawl", SPRAWL)])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_sheet_on_every_paper(
    game: str, pieces: Paint, paper: str, photograph: Callable[..., np.ndarray]
) -> None:
    found = read_set_sheet(photograph(game, pieces, paper, tilt=15, towards=200, roll=-80))
    assert found.game == game
    check(found, pieces, most=6)


def test_a_hidden_marker_does_no_harm(photograph: Callable[..., np.ndarray]) -> None:
    picture = photograph("sprawl", SPRAWL)
    picture[:300, :300] = 90
    check(read_set_sheet(picture), SPRAWL, most=6)


def bad_photos(photograph: Callable[..., np.ndarray], read_print: Callable[[bytes], Any]) -> dict[str, np.ndarray]:
    good = photograph("sprawl", SPRAWL)
    both = np.concatenate([good, photograph("city-blocks", BLOCKS)], axis=1)
    half = good.copy()
    half[:, :600] = 90
    return {
        "no piece-set sheet was found": np.full((300, 400, 3), 99, np.uint8),
        "no piece-set sheet was found; print": read_print(lens_sheet("a4")).paint(3),  # the other sheet
        "more than one sheet": both,
        "fewer than three": half,
        "the sheet is empty": photograph("sprawl", {}),
        "too bright": photograph("sprawl", SPRAWL, light=(1.6, 1.6, 1.6)),
        "greys cannot be told apart": np.where(good > 60, 200, good),
        "greys cannot be told apart; photograph": np.asarray(160 + good * 0.1, np.uint8),  # in fog
    }


def test_bad_photos_get_a_sentence(photograph: Callable[..., np.ndarray], read_print: Callable[[bytes], Any]) -> None:
    for words, picture in bad_photos(photograph, read_print).items():
        with pytest.raises(Unreadable, match=words) as caught:
            read_set_sheet(picture)
        assert caught.value.message.endswith(".")


# --- colours ---------------------------------------------------------------------------------


def test_lab_is_what_the_textbooks_say() -> None:
    # sRGB white, red and mid grey (values of the CIE formulas for D65).
    assert to_lab(np.array([1.0, 1.0, 1.0])) == pytest.approx([100, 0, 0], abs=0.05)
    assert to_lab(np.array([1.0, 0.0, 0.0])) == pytest.approx([53.2, 80.1, 67.2], abs=0.2)
    assert to_lab(np.array([0.5, 0.5, 0.5])) == pytest.approx([53.4, 0, 0], abs=0.1)


@given(value=st.floats(0, 1))
def test_light_and_srgb_are_inverse(value: float) -> None:
    assert float(to_srgb(to_linear(np.array(value)))) == pytest.approx(value, abs=1e-6)


def patch(share: float, ground: float, ink: float, noise: float = 0.02) -> np.ndarray:
    rng = np.random.default_rng(0)
    values = np.full((40, 40, 3), ground)
    values.reshape(-1, 3)[: round(1600 * share)] = ink
    return np.clip(values + rng.normal(0, noise, values.shape), 0, 1)


SPLITS = [
    # Share of ink, ground, ink; the main colour and the second one.
    (0.2, 0.9, 0.2, 0.9, 0.2),
    (0.7, 0.9, 0.2, 0.2, 0.9),  # more ink than ground
    (0.0, 0.9, 0.2, 0.9, None),  # no print
    (0.01, 0.9, 0.2, 0.9, None),  # a speck
    (0.3, 0.6, 0.55, 0.59, None),  # wood grain
]


@pytest.mark.parametrize(("share", "ground", "ink", "main", "second"), SPLITS)
def test_ground_and_print(share: float, ground: float, ink: float, main: float, second: float | None) -> None:
    seen = two_colours(patch(share, ground, ink))
    assert seen.main == pytest.approx((main,) * 3, abs=0.03)
    assert (seen.second is None) == (second is None)
    if second is not None and seen.second is not None:
        assert seen.second == pytest.approx((second,) * 3, abs=0.05)


def test_one_colour_and_discs() -> None:
    picture = np.zeros((40, 40, 3))
    picture[10:30, 10:30] = 1.0
    assert one_colour(picture).main == (0, 0, 0)
    inner = disc(picture)
    assert len(inner) == pytest.approx(np.pi / 4 * 1600, rel=0.02)
    assert inner.mean() > picture.mean()  # the corners are not in it


# --- from colours to a profile ---------------------------------------------------------------


def as_seen(pieces: Paint, game: str) -> SetColours:
    def tone(colour: Any) -> tuple[float, float, float]:
        return colour[0] / 255, colour[1] / 255, colour[2] / 255

    seen = {}
    for key, paint in pieces.items():
        two = isinstance(paint[0], tuple)
        seen[key] = Seen(tone(paint[0]), tone(paint[1])) if two else Seen(tone(paint))
    return SetColours(game, seen)  # type: ignore[arg-type]


def test_a_profile_has_the_measured_colours() -> None:
    result = dressed("mine", [as_seen(ALIEN, "alien-city")], None)
    profile = result.profile
    assert profile.tiles is not None
    assert profile.coins is not None
    assert profile.pyramids is not None
    assert profile.tiles.colours["green"] == pytest.approx((215 / 255, 175 / 255, 30 / 255))
    assert profile.tiles.ground_colour == pytest.approx(tuple(c / 255 for c in CREAM))
    assert not profile.tiles.ground.startswith("inverted")
    assert profile.coins.ground_colour == pytest.approx((200 / 255, 170 / 255, 120 / 255))
    assert set(profile.pyramids.caps) == {"pink", "white"}
    assert set(profile.pyramids.plastic) == {"red", "blue", "green", "pink", "white"}
    assert not profile.pyramids.plastic["white"].translucent
    assert result.notes == ()
    assert profile.games == ("alien-city",)
    assert not profile.held_out


def test_inverted_tiles_are_recognised() -> None:
    swapped = {key: (paint[1], paint[0]) if key[0] == "tile" else paint for key, paint in ALIEN.items()}
    tiles = dressed("mine", [as_seen(swapped, "alien-city")], None).profile.tiles  # type: ignore[arg-type]
    assert tiles is not None
    assert tiles.ground.startswith("inverted")
    assert tiles.ground_colour == pytest.approx(tuple(c / 255 for c in CREAM))
    assert tiles.colours["blue"] == pytest.approx(tuple(c / 255 for c in INKS["blue"]))


def test_black_ranks_on_all_coins_are_not_the_ground() -> None:
    ranks: dict[Any, Any] = {("dome", guild): ((200, 170, 120), (20, 20, 20)) for guild in INKS}
    coins = dressed("mine", [as_seen({**ALIEN, **ranks}, "alien-city")], None).profile.coins
    assert coins is not None
    assert coins.ground_colour == pytest.approx((200 / 255, 170 / 255, 120 / 255))
    assert coins.ground != "inverted"


def test_what_was_not_seen_comes_from_the_nearest_set_and_is_said() -> None:
    base = load_profile("yellow-crowns")
    assert base.tiles is not None
    ground = base.tiles.ground_colour
    seen = {("tile", guild): Seen(ground, colour) for guild, colour in base.tiles.colours.items()}
    result = dressed("mine", [SetColours("alien-city", seen)], None)  # type: ignore[arg-type]
    assert result.profile.tiles == base.tiles
    assert result.profile.coins == base.coins
    (note,) = result.notes
    assert 'taken from "yellow-crowns"' in note
    assert "red dome" in note
    assert "red tile" not in note


def test_the_light_of_a_photo_does_not_decide_which_set_is_nearest() -> None:
    base = load_profile("blokus-card")
    assert base.blokus is not None
    named = {**base.blokus.piece_colours, "": base.blokus.board_colour}
    dim = {
        ("piece" if name else "board", name): Seen(tuple(to_srgb(to_linear(np.array(c)) * [0.5, 0.4, 0.25]).tolist()))
        for name, c in named.items()
    }
    result = dressed("mine", [SetColours("city-blocks", dim)], None)  # type: ignore[arg-type]
    assert result.profile.blokus is not None
    assert result.profile.blokus.piece_thickness_mm == base.blokus.piece_thickness_mm
    assert result.profile.tables == base.tables


def test_several_games_and_later_photos_make_one_set() -> None:
    first = dressed("mine", [as_seen(ALIEN, "alien-city"), as_seen(BLOCKS, "city-blocks")], None).profile
    assert first.games == ("alien-city", "city-blocks")
    later = dressed("mine", [as_seen(SPRAWL, "sprawl")], first).profile
    assert later.games == ("alien-city", "city-blocks", "sprawl")
    assert later.pyramids is not None
    assert {"pink", "purple", "red"} <= set(later.pyramids.plastic)
    assert set(later.pyramids.caps) == {"pink", "white"}
    assert later.tiles == first.tiles
    assert later.blokus == first.blokus
    assert later.chess[0].dark == pytest.approx((110 / 255, 70 / 255, 45 / 255))


def test_a_chosen_set_is_taken() -> None:
    like = load_profile("blokus-wood")
    blokus = dressed("mine", [as_seen(BLOCKS, "city-blocks")], None, like).profile.blokus
    assert blokus is not None
    assert like.blokus is not None
    assert blokus.piece_material == like.blokus.piece_material
    with pytest.raises(UsageError, match='"blokus-wood" is no set for sprawl'):
        dressed("mine", [as_seen(SPRAWL, "sprawl")], None, like)
    with pytest.raises(UsageError, match="no photo"):
        dressed("mine", [], None)


# --- the command -----------------------------------------------------------------------------


def test_from_the_photo_to_the_profile(
    photograph: Callable[..., np.ndarray], phone: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = phone.save(photograph("city-blocks", BLOCKS), "sheet.jpg")
    assert main(["calibrate", "set", "my-set", str(sheet)]) == 0
    assert "use it with --profile my-set" in capsys.readouterr().out
    blokus = load_profile("my-set").blokus
    assert blokus is not None
    assert colour_error(blokus.piece_colours["yellow"], (220, 180, 30)) < 6
    assert colour_error(blokus.board_colour, (200, 200, 196)) < 6


WRONG = [
    # Name, file and options; what is said and the exit code.
    ("cream-classic", "grey.jpg", (), "comes with Cityscan", 2),
    ("../evil", "grey.jpg", (), "cannot be the name of a set", 2),
    ("mine", "grey.jpg", (), "grey.jpg: no piece-set sheet was found", 3),
    ("mine", "text.jpg", (), "text.jpg: this is not a picture", 3),
    ("mine", "gone.jpg", (), "gone.jpg: there is no such file", 3),
    ("mine", "grey.jpg", ("--like", "nosuch"), 'no profile "nosuch"', 3),
    ("mine", "grey.jpg", ("--corners", "1,1", "2,1", "2,2", "1,2"), "put its state beside the photo, as grey.json", 3),
    ("mine", "broken.jpg", (), "broken.jpg: broken.json: not JSON", 3),
    ("mine", "bare.jpg", (), "bare.json: it does not say where the board is; add --corners", 3),
    ("mine", "odd.jpg", (), "odd.json: game", 3),
]


@pytest.mark.parametrize(("name", "file", "options", "words", "code"), WRONG)
def test_bad_input_gets_a_sentence(
    name: str, file: str, options: tuple[str, ...], words: str, code: int, phone: Any, tmp_path: Path, capsys: Any
) -> None:
    for photo in ("grey", "broken", "bare", "odd"):
        phone.save(np.full((60, 80, 3), 99, np.uint8), f"{photo}.jpg")
    (tmp_path / "text.jpg").write_text("no picture")
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "bare.json").write_text('{"game": "alien-city", "structures": []}')
    (tmp_path / "odd.json").write_text('{"game": "go", "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}')
    assert main(["calibrate", "set", name, str(tmp_path / file), *options]) == code
    assert words in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_corners_go_with_one_photo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "set", "mine", "a.jpg", "b.jpg", "--corners", "1,1", "2,1", "2,2", "1,2"]) == 2
    assert "one PHOTO" in capsys.readouterr().err
