"""Positions as values: what is refused, what is only illegal, and their JSON form."""

from __future__ import annotations

import dataclasses
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.alien_city import GAME, AlienCityState, Structure, Tile
from engine.documents import position_from_json
from engine.errors import InvalidState, UsageError
from engine.fields import Field
from engine.game import Options

TOWER = {"at": "C9", "kind": "tower", "colour": "red"}
DOME = {"at": "C9", "kind": "dome", "colour": "red"}
TILE = {"at": "A1", "colour": "red", "rank": 2, "icon": "B1"}


def document(**fields):
    return {"game": "alien-city", "structures": [], **fields}


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"structures": {}}, "structures"),  # an object for a list
        ({"structures": [3]}, "structures[0]"),  # a number for an object
        ({"structures": [{"kind": "tower", "colour": "red"}]}, "structures[0]"),  # no lot
        ({"structures": [TOWER | {"at": "I1"}]}, "structures[0].at"),  # east of the board
        ({"structures": [TOWER | {"at": "A11"}]}, "structures[0].at"),  # north of it
        ({"structures": [TOWER | {"at": "A0"}]}, "structures[0].at"),  # south of it
        ({"structures": [TOWER | {"at": "c9"}]}, "structures[0].at"),  # names are in capitals
        ({"structures": [TOWER | {"at": ["C9"]}]}, "structures[0].at"),  # a list for a text
        ({"structures": [TOWER | {"kind": "pyramid"}]}, "structures[0].kind"),
        ({"structures": [TOWER | {"colour": "mauve"}]}, "structures[0].colour"),
        ({"structures": [TOWER | {"colour": "black"}]}, "structures[0].colour"),  # there are no black towers
        ({"structures": [DOME | {"colour": "yellow"}]}, "structures[0].colour"),  # crowns are green here
        ({"structures": [TOWER | {"colour": None}]}, "structures[0].colour"),  # a structure's colour is known
        ({"structures": [TOWER | {"claimed_by": "mauve"}]}, "structures[0].claimed_by"),
        ({"structures": [DOME | {"claimed_by": "white"}]}, "structures[0].claimed_by"),  # a claim on a dome
        ({"structures": [TOWER, DOME]}, "structures[1].at"),  # two structures on a lot
        ({"structures": [TOWER] * 81}, "structures"),  # more than lots
        ({"tiles": [TILE] * 21}, "tiles"),  # 21 tiles
        ({"tiles": [TILE, TILE]}, "tiles[1].at"),  # two tiles in one place
        ({"tiles": [TILE | {"at": "B1"}]}, "tiles[0].at"),  # not a south-west lot
        ({"tiles": [TILE | {"colour": "yellow"}]}, "tiles[0].colour"),
        ({"tiles": [TILE | {"rank": 6}]}, "tiles[0].rank"),
        ({"tiles": [TILE | {"rank": 2.0}]}, "tiles[0].rank"),
        ({"tiles": [TILE | {"rank": True}]}, "tiles[0].rank"),
        ({"tiles": [TILE | {"icon": "C1"}]}, "tiles[0].icon"),  # beside the tile
        ({"edition": "3.0"}, "edition"),
        ({"edition": 2.2}, "edition"),
        ({"variants": ["sprawlgami"]}, "variants[0]"),  # another game's
        ({"extras": {"last_claim": "Z9"}}, "extras.last_claim"),
        ({"extras": {"names": {"mauve": "Ann"}}}, "extras.names.mauve"),
        ({"extras": {"names": {"white": 3}}}, "extras.names.white"),
        ({"extras": []}, "extras"),
    ],
)
def test_what_cannot_lie_on_a_table_is_refused_with_its_path(fields, path):
    with pytest.raises(InvalidState) as caught:
        GAME.load(Field(document(**fields)))
    assert caught.value.path == path
    assert caught.value.message.endswith(".")


def test_structures_are_required():
    with pytest.raises(InvalidState, match="structures"):
        GAME.load(Field({"game": "alien-city"}))


@pytest.mark.parametrize(
    "fields",
    [
        {"tiles": [TILE | {"at": at, "icon": None} for at in ("A1", "C1", "E1", "G1", "A3", "C3")]},  # six red tiles
        {"structures": [TOWER | {"at": f"A{n}"} for n in range(1, 9)]},  # eight red towers
        {"structures": [TOWER | {"at": f"A{n}", "claimed_by": "white"} for n in range(1, 5)]},  # four claims
        {
            "structures": [
                TOWER | {"at": f"A{n}", "claimed_by": cap} for n, cap in enumerate(("red", "pink", "cyan"), 1)
            ]
        },
    ],
)
def test_a_board_that_breaks_rules_is_still_a_board(fields):
    assert GAME.check(GAME.load(Field(document(**fields)))).certainly_illegal


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, AlienCityState()),  # tiles may be absent, the edition is 2.2
        ({"tiles": [{"at": "A1"}]}, AlienCityState((Tile("A1"),))),  # what was not seen may be left out
        ({"tiles": [TILE | {"colour": None, "rank": None, "icon": None}]}, AlienCityState((Tile("A1"),))),  # or null
        ({"structures": [TOWER | {"claimed_by": None}]}, AlienCityState((), (Structure("C9", "tower", "red"),))),
        ({"extras": {"last_claim": None}, "comment": 1}, AlienCityState()),  # fields of others are left aside
    ],
)
def test_absent_fields_have_defaults(fields, state):
    assert GAME.load(Field(document(**fields))) == state


@given(data=st.data())
def test_json_round_trip(data, arbitrary):
    state = data.draw(arbitrary.states())
    text = json.dumps(GAME.dump(state))
    assert position_from_json(text).state == state


def test_unclaimed_structures_have_no_claim_field(final):
    for entry in GAME.dump(final)["structures"]:
        assert ("claimed_by" in entry) == (entry["at"] in {"C9", "F9", "E3", "G7", "E5", "H4"})


def test_values_cannot_be_changed(final):
    with pytest.raises(dataclasses.FrozenInstanceError):
        final.structures[0].colour = "red"
    with pytest.raises(dataclasses.FrozenInstanceError):
        final.edition = "fr"
    with pytest.raises(TypeError):
        AlienCityState(names={"white": "Ann"}).names["white"] = "Bob"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Tile("A2"),
        lambda: Tile("A1", "yellow"),
        lambda: Tile("A1", "red", 9),
        lambda: Tile("A1", icon="C1"),
        lambda: Structure("Z1", "dome", "red"),
        lambda: Structure("A1", "tower", "black"),
        lambda: Structure("A1", "dome", "red", "white"),
        lambda: Structure("A1", "tower", "red", "mauve"),
        lambda: AlienCityState((Tile("A1"), Tile("A1"))),
        lambda: AlienCityState((), (Structure("A1", "dome", "red"), Structure("A1", "tower", "red"))),
        lambda: AlienCityState(edition="3"),
        lambda: AlienCityState(variants=("none",)),
        lambda: AlienCityState(last_claim="Z1"),
        lambda: AlienCityState(names={"mauve": "Ann"}),
    ],
)
def test_constructors_validate(wrong):
    with pytest.raises(InvalidState):
        wrong()


@given(data=st.data())
def test_order_does_not_matter_and_states_travel_between_processes(data, arbitrary):
    state = data.draw(arbitrary.states(12))
    mixed = dataclasses.replace(state, tiles=state.tiles[::-1], structures=state.structures[::-1])
    assert mixed == state
    assert hash(mixed) == hash(state)
    assert pickle.loads(pickle.dumps(state)) == state


@given(data=st.data())
def test_half_a_turn_twice_changes_nothing(data, arbitrary):
    state = data.draw(arbitrary.states(12))
    itself, turned = GAME.turns(state)
    assert itself is state
    assert turned.turned() == state


def test_half_a_turn(position):
    turned = position("A1:r H9:RW", {"A1": "R0 B1"}, last_claim="H9").turned()
    assert {structure.at for structure in turned.structures} == {"H10", "A2"}
    assert (turned.tile_at["G9"].icon, turned.tile_at["G9"].colour, turned.last_claim) == ("G10", "red", "A2")


@pytest.mark.parametrize(
    ("state", "players"),
    [
        (AlienCityState(), ("white", "black")),  # nobody has claimed: the edition's pair
        (AlienCityState(edition="1.0"), ("red", "blue")),
        (AlienCityState((), (Structure("A1", "tower", "red", "black"),)), ("white", "black")),  # one of the pair
        (AlienCityState((), (Structure("A1", "tower", "red", "blue"),), "1.0"), ("red", "blue")),
        (AlienCityState((), (Structure("A1", "tower", "red", "pink"),)), ("pink",)),  # the other is unknown
        (AlienCityState(names={"pink": "Ann", "cyan": "Bob"}), ("cyan", "pink")),  # known by their names
    ],
)
def test_players(state, players):
    assert state.players == players


def test_options(final):
    changed = GAME.with_options(final, Options(edition="fr", players=2, variants=("strict-displaced",)))
    assert (changed.edition, changed.variants) == ("fr", ("strict-displaced",))
    assert GAME.with_options(final, Options()) == final
    for wrong in (Options(edition="9"), Options(players=3), Options(variants=("overload",))):
        with pytest.raises(UsageError):
            GAME.with_options(final, wrong)


def test_drawing(final):
    drawing = GAME.drawing(final)
    assert (drawing.row_labels[0], drawing.column_labels[0]) == ("10", "A")
    c9 = drawing.rows[1][2]
    assert (c9.text, c9.colour, c9.ground) == ("R▲W", "red", "red")
    assert [glyph.text for glyph in drawing.rows[-1]][:2] == ["k● ", " * "]
