"""Score a photo, from the first step to the last."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from engine.game import game, game_names
from page.flow import BOARD, CHECK, PHOTO, SCORE, SHARE, Flow
from page.steps.score import note_for_people

Open = Callable[[], AppTest]


def upload(page: AppTest, name: str, content: bytes) -> AppTest:
    page.file_uploader[0].upload(name, content, "application/octet-stream")
    return page.run()


def go(page: AppTest, step: str) -> AppTest:
    return page.button(key=f"score:step:{step}").click().run()


def flow_of(page: AppTest) -> Flow:
    found = page.session_state["flow:score"]
    assert isinstance(found, Flow)
    return found


def texts(page: AppTest) -> str:
    """Everything that the page says, without Markdown's escapes."""
    elements: list[Any] = [*page.markdown, *page.caption, *page.info, *page.warning, *page.error, *page.subheader]
    return "\n".join(str(element.value) for element in elements).replace("\\", "")


def totals(page: AppTest) -> dict[str, int]:
    return {metric.label.replace("\\", ""): int(metric.value) for metric in page.metric}


def test_the_page_opens_at_the_photo_and_offers_every_game(open_page: Open) -> None:
    page = open_page()
    assert not page.exception
    assert flow_of(page).step == PHOTO
    assert {f"score:empty:{name}" for name in game_names()} <= {button.key for button in page.button}
    assert all(page.button(key=f"score:step:{step}").disabled for step in (BOARD, CHECK, SCORE, SHARE))


@pytest.mark.parametrize("name", game_names())
def test_an_empty_board_can_be_walked_from_end_to_end(open_page: Open, name: str) -> None:
    page = open_page().button(key=f"score:empty:{name}").click().run()
    for step in (BOARD, CHECK, SCORE, SHARE):
        page = go(page, step)
        assert not page.exception, step
        assert not page.error, step
        assert flow_of(page).step == step


def test_a_position_is_scored_with_notes_and_other_editions(open_page: Open, worked_example: bytes) -> None:
    page = upload(open_page(), "final.json", worked_example)
    assert flow_of(page).step == CHECK
    page = page.button(key="check:on").click().run()
    assert totals(page) == {"white": 89, "black": 66}
    assert "white wins" in texts(page)
    assert "No photo shows whether the very last action was a claim, which is forbidden; say it above." in texts(page)
    assert "extras." not in texts(page), "that is for those who write state files"
    assert "same result" in texts(page)


def test_names_are_shown_as_typed(open_page: Open, worked_example: bytes) -> None:
    page = go(upload(open_page(), "final.json", worked_example), SCORE)
    name = "<img src=x> **Ann** :red[x]"
    page.text_input(key=f"{flow_of(page).case.number}:name:white").input(name).run()  # type: ignore[union-attr]
    assert totals(page) == {f"{name} (white)": 89, "black": 66}
    assert f"{name} (white) wins" in texts(page)
    # Every character that Markdown or HTML could take for its own is escaped.
    assert r"\<img src=x\> \*\*Ann\*\* \:red\[x\]" in page.metric[0].label


def test_the_answer_to_what_no_photo_shows_moves_the_score(open_page: Open, worked_example: bytes) -> None:
    page = go(upload(open_page(), "final.json", worked_example), SCORE)
    case = flow_of(page).case
    assert case is not None
    question = page.selectbox(key=f"{case.number}:last_claim")
    page = question.select("E3 (green tower, white)").run()
    assert totals(page)["white"] < 89
    assert case.game.dump(case.state)["extras"] == {"last_claim": "E3"}
    page = page.selectbox(key=f"{case.number}:last_claim").select("No, or nobody knows").run()
    assert totals(page) == {"white": 89, "black": 66}


def test_edition_and_variants_are_changed_on_the_board_step(open_page: Open, worked_example: bytes) -> None:
    page = go(upload(open_page(), "final.json", worked_example), BOARD)
    case = flow_of(page).case
    assert case is not None
    page = page.selectbox(key=f"{case.number}:edition").select("1.0").run()
    page = page.multiselect(key=f"{case.number}:variants").select("location-bonus").run()
    assert (case.state.edition, case.state.variants) == ("1.0", ("location-bonus",))
    case.history.step("undo")
    page = page.run()
    assert page.multiselect(key=f"{case.number}:variants").value == [], "the choice follows an undo"


def test_what_if_moves_the_points_and_is_put_back(open_page: Open, worked_example: bytes) -> None:
    page = go(upload(open_page(), "final.json", worked_example), SCORE)
    case = flow_of(page).case
    assert case is not None
    page = page.toggle(key=f"{case.number}:what-if").set_value(True).run()
    assert case.what_if is not None
    case.what_if.add(case.what_if.moments[0].__class__(case.kind.put(case.state, "D4", None)))
    page = page.run()
    assert totals(page)["white"] != 89
    assert page.metric[0].delta
    page = page.button(key="what-if:drop").click().run()
    assert totals(page) == {"white": 89, "black": 66}
    assert case.what_if is None


def test_what_if_can_be_taken_over(open_page: Open, worked_example: bytes) -> None:
    page = go(upload(open_page(), "final.json", worked_example), SCORE)
    case = flow_of(page).case
    assert case is not None
    page = page.toggle(key=f"{case.number}:what-if").set_value(True).run()
    assert case.what_if is not None
    changed = case.kind.put(case.state, "D4", None)
    case.what_if.add(case.what_if.moments[0].__class__(changed))
    page.button(key="what-if:keep").click().run()
    assert case.state == changed
    assert case.history.can_undo


def test_every_scored_game_is_kept_once(open_page: Open, worked_example: bytes) -> None:
    from page.store import open_store

    page = go(go(upload(open_page(), "final.json", worked_example), SCORE), SHARE)
    (summary,) = open_store().list()
    assert dict(summary.totals) == {"white": 89, "black": 66}
    assert "My games" in texts(page)


NOTES = [
    # note, asked on the page: what is shown
    ("No photo shows it; give it as extras.coup, such as {...}.", True, "No photo shows it; say it above."),
    ('nobody knows: state it with "extras": {"all_passed": true}.', True, "Nobody knows; say it above."),
    ("No photo shows it; give it as extras.coup.", False, "No photo shows it; give it as extras.coup."),
    ("No bonus: the red towers tie; nobody wins.", True, "No bonus: the red towers tie; nobody wins."),
]


@pytest.mark.parametrize(("note", "asked", "shown"), NOTES)
def test_notes_speak_to_people(note: str, asked: bool, shown: str) -> None:
    assert note_for_people(note, asked) == shown


def test_what_changes_after_the_first_score_is_kept_too(open_page: Open, worked_example: bytes) -> None:
    """Nobody has to go on to Share for it: names are typed here, and mistakes are found here."""
    from page.store import open_store

    page = go(upload(open_page(), "final.json", worked_example), SCORE)
    case = flow_of(page).case
    assert case is not None
    page = page.text_input(key=f"{case.number}:name:white").set_value("Ann").run()
    (summary,) = open_store().list()
    assert dict(summary.names) == {"white": "Ann"}
    case.change(case.kind.put(case.state, "D4", None))
    page = go(go(page, CHECK), SCORE)
    (summary,) = open_store().list()
    assert dict(summary.totals) == dict(case.judged(case.state)[1].totals) != {"white": 89, "black": 66}
    assert not case.unsaved


def test_a_game_that_is_only_looked_at_is_not_saved_again(
    open_page: Open, worked_example: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    from page.store import Store

    saves: list[str] = []
    save = Store.save

    def counting(store: Store, saved: Any) -> str:
        saves.append(saved.title)
        return save(store, saved)

    monkeypatch.setattr(Store, "save", counting)
    page = go(upload(open_page(), "final.json", worked_example), SCORE)
    page = go(go(page, CHECK), SCORE)
    go(page, SHARE)
    assert len(saves) == 1


def test_a_photo_without_a_readable_board_leads_to_the_corners(open_page: Open, photo_bytes: bytes) -> None:
    page = upload(open_page(), "table.jpg", photo_bytes)
    assert not page.exception
    assert flow_of(page).step == BOARD
    assert "corners" in texts(page), "a sentence says how to go on"
    page = go(page, CHECK)
    case = flow_of(page).case
    assert case is not None
    assert case.board_picture() is not None


def test_another_game_can_be_chosen_for_the_same_photo(open_page: Open, photo_bytes: bytes) -> None:
    page = upload(open_page(), "table.jpg", photo_bytes)
    first = flow_of(page).case
    assert first is not None
    page = page.selectbox(key=f"{first.number}:game").select("sprawl").run()
    second = flow_of(page).case
    assert second is not None
    assert (second.game_name, second.photo) == ("sprawl", first.photo)
    page = page.selectbox(key=f"{second.number}:columns").select(8).run()
    assert second.kind.size(second.state)[0] == 8


BAD = [
    ("table.jpg", b"this is text", "not a picture"),
    ("table.png", b"", "empty"),
    ("table.jpg", b"\xff\xd8\xff\xe0" + b"\0" * 200, "picture"),
    ("game.json", b"{", ""),
    ("game.json", b'{"game": "chess"}', "must be one of"),
    ("game.json", b"\xff\xfe\0", ""),
    ("game.ppn", b"no record", ""),
    ("game.txt", b"chess\n...", "begins with the game's name"),
    ("game.json", b'{"game": "alien-city", "structures": ' + b"[" * 100_000, ""),
    ("game.json", b" " * 20_000_000, "larger"),
]


@pytest.mark.parametrize(("name", "content", "reason"), BAD)
def test_bad_uploads_get_a_sentence_and_a_way_on(
    open_page: Open, worked_example: bytes, name: str, content: bytes, reason: str
) -> None:
    page = upload(open_page(), name, content)
    assert not page.exception
    (error,) = page.error
    assert reason in error.value.replace("\\", "")
    assert error.value[0].isupper()
    assert flow_of(page).step == PHOTO
    page = upload(page, "final.json", worked_example)
    assert flow_of(page).step == CHECK
    assert not page.error, "what works takes the complaint away"


def test_visitors_do_not_meet(open_page: Open, worked_example: bytes, photo_bytes: bytes) -> None:
    one, other = open_page(), open_page()
    one = upload(one, "final.json", worked_example)
    other = upload(other, "table.jpg", photo_bytes)
    first, second = flow_of(one).case, flow_of(other).case
    assert first is not None
    assert second is not None
    second.change(second.kind.paint(second.state, "A1", "dome:red"))
    assert first.photo is None
    assert not first.history.can_undo
    assert totals(go(one, SCORE)) == {"white": 89, "black": 66}


def test_a_record_brings_its_history(open_page: Open) -> None:
    rules = game("alien-city")
    page = upload(open_page(), "game.ppn", rules.dump_record(rules.empty()).encode())
    assert not page.error
    case = flow_of(page).case
    assert case is not None
    assert case.record is not None


def test_the_shared_position_opens_again(open_page: Open, worked_example: bytes) -> None:
    page = go(go(upload(open_page(), "final.json", worked_example), SCORE), SHARE)
    case = flow_of(page).case
    assert case is not None
    document = json.dumps(case.game.dump(case.state)).encode()
    again = upload(open_page(), "again.json", document)
    assert flow_of(again).case.state == case.state  # type: ignore[union-attr]
