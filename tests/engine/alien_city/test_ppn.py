"""Game records in Portable Piecepack Notation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.alien_city import GAME, AlienCityState, Structure
from engine.alien_city.ppn_metadata import parse_metadata
from engine.errors import InvalidState

TILES = "C3^Sa^S5vAa>/M4>S4>M3<A4^/C2vMa>M5>A3v/Can<S2^"
HEAD = "---\nGameType: {Name: Alien City}\n...\n"


def moves_of(record):
    return [(player, [move.text for move in moves]) for player, moves in record.turns]


def test_a_whole_record():
    record = GAME.load_record("""\
---
Event: Tuesday {not a comment here}
GameType:
  Name: Alien City
  Tiles: C3^Sa^S5vAa>/M4>S4>M3<A4^/C2vMa>M5>A3v/Ca<S2^C5vC4^/A5<M2<A2^Snv
White: Ann
...
1. B3x@e6 K1x@e6 {?! a comment
over two lines} 1... R3x@f5
2. S@c7 !? 2... B3x@e5 W1x@f5
""")
    assert moves_of(record) == [
        ("black", ["blue tower on E6", "black claims E6"]),
        ("white", ["red tower on F5"]),
        ("black", ["red dome on C7"]),
        ("white", ["blue tower on E5", "white claims F5"]),
    ]
    assert record.labels == ("1.", "1...", "2.", "2...")
    assert record.final.structures == (
        Structure("E5", "tower", "blue"),
        Structure("F5", "tower", "red", "white"),
        Structure("E6", "tower", "blue", "black"),
        Structure("C7", "dome", "red"),
    )
    assert (record.start.structures, record.final.names) == ((), {"white": "Ann"})


@pytest.mark.parametrize(
    ("at", "colour", "rank", "icon"),
    [
        ("A9", "green", 3, "A10"),  # C3^: rows from the north, icon top left
        ("E9", "red", 5, "F9"),  # S5v: bottom right
        ("G9", "blue", 1, "H10"),  # Aa>: top right
        ("A3", "green", 1, "A3"),  # Ca<: bottom left
        ("G1", "red", 0, "H1"),  # Snv: the null
        ("A7", "black", 4, "B8"),  # M4>
    ],
)
def test_tiles(at, colour, rank, icon):
    text = "C3^Sa^S5vAa>/M4>S4>M3<A4^/C2vMa>M5>A3v/Ca<S2^C5vC4^/A5<M2<A2^Snv"
    tile = GAME.load_record(HEAD.replace("City}", f"City, Tiles: {text}}}")).start.tile_at[at]
    assert (tile.colour, tile.rank, tile.icon) == (colour, rank, icon)


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("1. S@a1 2. S@a3", [None, None]),  # no second player occurs: nobody says who played
        ("S@a1 M@g1 R3x@a3 K1x@a3", [None] * 3),  # without numbers every build begins a turn
        ("setup. S@a1 M@g1", [None] * 2),  # a word is no turn
        ("1. S@a1 1... M@g1", ["black", "white"]),  # 2.2: black begins
        ("1. R3x@a1 W1x@a1 1... M@g1", ["white", "black"]),  # unless the caps say otherwise
        ("1. R3x@a1 1... M@g1 Y1x@a1", [None, "yellow"]),  # the other's caps are unknown
        ("1. R3x@a1 Y1x@a1 1... R3x@g1 L1x@g1", ["yellow", "clear"]),
        ("1. S@a1 1... M@g1 2... M@g3", ["black", "white", "white"]),  # black was skipped
        ("", []),
    ],
)
def test_who_played(text, turns):
    assert [player for player, _ in GAME.load_record(HEAD + text).turns] == turns


def test_players_of_the_other_editions():
    english = HEAD.replace("...", 'Edition: "1.0"\n...')
    assert [p for p, _ in GAME.load_record(english + "1. S@a1 1... S@a3").turns] == [None, None]  # dice decided
    assert [p for p, _ in GAME.load_record(english + "1. R3x@a1 B1x@a1 1... S@a3").turns] == ["blue", "red"]


@pytest.mark.parametrize(
    "head",
    [
        "---\nGameType: Alien City\n...\n",  # a name alone
        "GameType: alien-city\n\n",  # an empty line for the dots
        "\n---\nGameType: {Name: ALIEN  CITY}\n...\n",
        "---\nGameType: Alien City\nEdition: 2.2\n...\n",  # a number in YAML, still an edition
    ],
)
def test_ways_to_begin(head):
    assert GAME.load_record(f"{head}1. S@a1").final == AlienCityState((), (Structure("A1", "dome", "red"),))


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ("△B3@e6", "blue tower on E6"),  # the sign of an icehouse piece
        ("R2x@a10", "red tower on A10"),  # people use medium pyramids as towers
        ("cM@h1", "black dome on H1"),
        ("M^@h1", "black dome on H1"),
        ("C1x@a1", "cyan claims A1"),
        ("I1x@a1", "pink claims A1"),
        ("a1-b2", "A1 moved to B2"),
        ("*a1", "A1 taken away"),
    ],
)
def test_moves(move, text):
    assert moves_of(GAME.load_record(f"{HEAD}1. {move}")) == [(None, [text])]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", ""),  # no game type
        ("---\nGameType: Chess\n...\n", "GameType"),
        ("---\nGameType: {Name: Checkers}\n...\n", "GameType.Name"),
        ("---\nGameType: {Tiles: C3^}\n...\n", "GameType"),
        ("---\n- GameType\n...\n", "line 2"),  # a list
        ("---\nGameType: Alien City\nGameType: Alien City\n...\n", "line 3"),  # twice
        ("---\nGameType: {Name: Alien City\n...\n", "line 2"),  # an open bracket
        ("---\nGameType: &a Alien City\n...\n", "line 2"),  # an anchor
        ("---\nGameType: Alien City\nA: &a [x]\nB: [*a, *a]\n...\n", "line 3"),  # the seed of a bomb
        (f"---\nGameType: Alien City\nA: {'[' * 50}{']' * 50}\n...\n", "line 3"),  # deep
        ("---\nGameType: Alien City\n- - - - - - - - - - - - x\n...\n", "line 3"),
        ("---\nGameType: Alien City\n? [a]\n: b\n...\n", "line 3"),  # a key that is no word
        ("---\nGameType: !!python/object:os.system {}\n...\n", "GameType"),  # tags do nothing
        (f"---\nGameType: Alien City\nA: {'x' * 70_000}\n...\n", "line 2"),
        ("---\nGameType: {Name: Alien City, Tiles: C3^}\n...\n", "GameType.Tiles"),  # one row
        (f"---\nGameType: {{Name: Alien City, Tiles: {TILES}/x}}\n...\n", "GameType.Tiles"),
        ("---\nGameType: Alien City\nEdition: 3\n...\n", "Edition"),
        ("---\nGameType: Alien City\nVariants: [overload]\n...\n", "Variants[0]"),
        ("---\nGameType: Alien City\nExtras: {last_claim: Z1}\n...\n", "Extras.last_claim"),
        (f"{HEAD}1. X3x@e6", "line 4"),  # no such pyramid
        (f"{HEAD}1. S@e6\n2. S@i1", "line 5"),  # beside the board
        (f"{HEAD}1. S@a11", "line 4"),
        (f"{HEAD}1. Y3x@a1", "line 4"),  # there are no yellow towers
        (f"{HEAD}1. K3x@a1", "line 4"),  # nor black ones
        (f"{HEAD}1. B3x@{{a,b}}2", "line 4"),  # brace expansions are not for records
        (f"{HEAD}1. S@a1 {{open", "line 4"),
        (f"{HEAD}1. S@a1\n---\nGameType: Alien City\n...\n", "line 5"),  # two games
        (HEAD + "S@a1 " * 1001, "line 4"),
    ],
)
def test_mistakes_name_their_line_or_field(text, path):
    with pytest.raises(InvalidState) as caught:
        GAME.load_record(text)
    assert caught.value.path == path


def refusal(call, *arguments):
    """The error with which a text is refused, None where it is read; nothing else may happen."""
    try:
        call(*arguments)
    except InvalidState as error:
        return error
    return None


@given(text=st.text(max_size=200))
@settings(max_examples=200)
def test_any_text_is_read_or_refused(text):
    for whole in (text, HEAD + text, f"---\n{text}\n...\n"):
        error = refusal(GAME.load_record, whole)
        assert error is None or error.message.endswith((".", ")"))


@given(text=st.text("[]{}:,-&*!|>'\"?#%@` \nab\\", max_size=60))
@settings(max_examples=300)
def test_any_metadata_is_read_or_refused(text):
    error = refusal(parse_metadata, text, 1)
    assert error is None or error.path.startswith("line ")


@given(data=st.data())
@settings(deadline=None)
def test_round_trip_of_any_position(data, arbitrary):
    state = data.draw(arbitrary.states())
    assert GAME.load_record(GAME.dump_record(state)).final == state


@given(seed=st.integers(0, 10**6), plies=st.integers(0, 38))
@settings(max_examples=40, deadline=None)
def test_a_written_record_of_a_legal_position_replays_legally(seed, plies, arbitrary):
    state = arbitrary.random_position(seed, plies)
    record = GAME.load_record(GAME.dump_record(state))
    assert record.final == state
    assert not GAME.check(record.final, record).violations


def test_the_record_of_the_worked_game(final):
    text = GAME.dump_record(final)
    assert text.startswith('---\nGameType: {"Name": "Alien City", "Tiles": "A?<S?^A?<S?</A?vM?vC?^M?^/')
    assert "W1x@c9" in text
    record = GAME.load_record(text)
    assert GAME.check(record.final, record).witness == tuple(
        move.action["at"] for _, moves in record.turns for move in moves if move.action["kind"] != "claim"
    )
