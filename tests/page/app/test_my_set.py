"""My set: sheets, camera and pieces by clicking, and a sentence for whatever does not fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from calibration.lens import lens_folder
from calibration.profiles import load_profile, user_folder
from calibration.sheets import sheets
from engine.documents import position_from_document
from page import reader
from page.case import Case
from page.inputs import open_input
from page.keeping import saved_game
from page.store import open_store
from page.store_export import label_of
from vision.adapt import training as adapt_training
from vision.adapt.judging import Score
from vision.adapt.photos import LeftOut
from vision.adapt.training import Outcome, Report
from vision.model_files import learnt_sets
from vision.photo import load_photo

SAMPLE = Path(__file__).parents[3] / "sample_photos" / "city-blocks-two-players.jpg"


def opened(part: str) -> AppTest:
    def script() -> None:
        from page.my_set import show_my_set

        show_my_set()

    return AppTest.from_function(script, default_timeout=120).run().button(key=f"set:go:{part}").click().run()


def hand_in(page: AppTest, *photos: bytes) -> AppTest:
    page.file_uploader[0].set_value([(f"{number}.jpg", photo, "image/jpeg") for number, photo in enumerate(photos)])
    return page.run()


def said(page: AppTest) -> str:
    elements: list[Any] = [*page.error, *page.success, *page.info, *page.caption, *page.markdown]
    return "\n".join(str(element.value) for element in elements).replace("\\", "")


def test_the_sheets_are_there_for_both_papers() -> None:
    page = opened("Sheets")
    labels = ["Lens sheet", "Pieces of Alien City", "Pieces of City Blocks", "Pieces of Sprawl"]
    assert [button.label for button in page.get("download_button")] == labels
    page = page.radio(key="set:paper").set_value("letter").run()
    assert not page.exception
    assert {button.key for button in page.get("download_button")} == {f"set:sheet:{name}" for name in sheets("letter")}


# --- the camera ---------------------------------------------------------------------------------
def test_a_lens_is_measured_kept_and_forgotten(lens_photos: list[bytes]) -> None:
    page = hand_in(opened("Camera"), *lens_photos, b"no picture")
    page = page.button(key="set:lens:measure").click().run()
    assert not page.exception
    (error,) = page.error
    assert "5.jpg: this is not a picture" in error.value.replace("\\", "")
    assert "Acme One is measured" in said(page)
    (lens,) = lens_folder().iterdir()
    page = page.button(key=f"set:lens:forget:{lens.name}").click().run()
    assert not list(lens_folder().iterdir())


def test_what_makes_no_lens_gets_a_sentence(lens_photos: list[bytes], photo_bytes: bytes) -> None:
    page = hand_in(opened("Camera"), photo_bytes, lens_photos[0])
    page = page.button(key="set:lens:measure").click().run()
    assert not page.exception
    told = [error.value.replace("\\", "") for error in page.error]
    assert told[0].startswith("0.jpg: the lens sheet was not found")
    assert told[1].startswith("A lens needs at least 4 photos")
    assert not lens_folder().exists()


# --- the pieces ---------------------------------------------------------------------------------
def test_a_set_is_measured_shown_and_deleted(piece_photo: bytes) -> None:
    page = hand_in(opened("Pieces"), piece_photo)
    page = page.text_input(key="set:pieces:name").input("my-set").run()
    page = page.button(key="set:pieces:measure").click().run()
    assert not page.exception
    assert not page.error
    assert '"my-set" is kept' in said(page)
    assert "0.jpg: 4 colours of City Blocks" in said(page)
    blokus = load_profile("my-set").blokus
    assert blokus is not None
    red, green, blue = blokus.piece_colours["yellow"]
    assert red > green > 3 * blue
    page = page.button(key="set:forget:my-set:False").click().run()
    assert (user_folder() / "my-set.toml").is_file(), "it is asked first"
    page = page.button(key="set:forget:my-set:True").click().run()
    assert not (user_folder() / "my-set.toml").exists()
    assert not page.exception


WRONG = [
    # The name that was typed, whether the photo shows a sheet, and what is said.
    ("", True, "Your set needs a name"),
    ("My Set", True, '"My Set" cannot be the name of a set'),
    ("../evil", True, "cannot be the name of a set"),
    ("cream-classic", True, "comes with Cityscan"),
    ("mine", False, "0.jpg: no piece-set sheet was found"),
]


@pytest.mark.parametrize(("name", "sheet", "words"), WRONG)
def test_what_makes_no_set_gets_a_sentence(
    name: str, sheet: bool, words: str, piece_photo: bytes, photo_bytes: bytes
) -> None:
    page = hand_in(opened("Pieces"), piece_photo if sheet else photo_bytes)
    page = page.text_input(key="set:pieces:name").input(name).run()
    page = page.button(key="set:pieces:measure").click().run()
    assert not page.exception
    (error,) = page.error
    assert words in error.value.replace("\\", "")
    assert not user_folder().exists()


def test_a_damaged_own_set_gets_a_sentence_and_can_be_deleted() -> None:
    user_folder().mkdir(parents=True)
    (user_folder() / "odd.toml").write_text("games = 3", encoding="utf-8")
    page = opened("Pieces")
    assert not page.exception
    assert "odd.toml" in page.error[0].value.replace("\\", "")
    page = page.button(key="set:forget:odd:False").click().run().button(key="set:forget:odd:True").click().run()
    assert not page.error


# --- networks -----------------------------------------------------------------------------------
def test_a_damaged_model_is_named_and_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "models" / "mine"
    folder.mkdir(parents=True)
    (folder / "cards.json").write_text('{"alien-city": {"file": "a.npz", "sha256": "00"}}', encoding="utf-8")
    (folder / "a.npz").write_bytes(b"scribble")
    page = opened("Networks")
    assert not page.exception
    assert any("damaged or foreign" in error.value for error in page.error)
    assert "alien-city (own set mine)" in said(page).replace("**", "")


# --- learning -----------------------------------------------------------------------------------
def kept_photo(worked_example: bytes, photo_bytes: bytes, **changes: Any) -> str:
    """A saved game with a photo."""
    case = open_input("final.json", worked_example, "c-1")
    case.photo = load_photo(photo_bytes)
    case.corners = np.array([[60.0, 40.0], [560.0, 45.0], [580.0, 440.0], [50.0, 430.0]])
    for name, value in changes.items():
        setattr(case, name, value)
    return open_store().save(saved_game(case))


@pytest.fixture
def lessons(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Learning that only notes what it was given, and finds that reading got better."""
    given: list[dict[str, Any]] = []

    def learn_set(folder: Path, profile: str, advance: Callable[[], None], **_more: Any) -> Report:
        labels = {path.name: json.loads(path.read_text()) for path in folder.glob("*.json")}
        given.append({"profile": profile, "labels": labels, "photos": sorted(p.name for p in folder.glob("*.jpg"))})
        for _ in range(3 * len(labels)):
            advance()
        worse = profile == "hopeless"
        outcome = Outcome(
            game="alien-city",
            photos=2,
            before=Score(2, 0, 160, 31),
            after=Score(2, 0, 160, 40) if worse else Score(2, 2, 160, 0),
            earlier=None if worse else (Score(1, 0, 80, 7), Score(1, 1, 80, 0)),
            file=None if worse else folder / "x.npz",
            questions={"kind": {}},
            seconds=1.0,
        )
        return Report(profile, (outcome,), (LeftOut(Path("odd.jpg"), "it is too small."),))

    monkeypatch.setattr(adapt_training, "learn_set", learn_set)
    monkeypatch.setattr(reader, "readable_games", lambda: ("alien-city",))
    return given


def test_without_photos_the_page_says_where_they_come_from(worked_example: bytes) -> None:
    open_store().save(saved_game(open_input("final.json", worked_example, "c-1")))
    page = opened("Learn")
    assert "No saved game has a photo yet" in said(page)
    assert not [button for button in page.button if button.key == "set:learn:go"]


def test_saved_photos_teach_and_the_figures_are_told(
    worked_example: bytes, photo_bytes: bytes, lessons: list[dict[str, Any]]
) -> None:
    mine = [kept_photo(worked_example, photo_bytes), kept_photo(worked_example, photo_bytes, profile="my-set")]
    other = kept_photo(worked_example, photo_bytes, profile="other-set")
    page = opened("Learn")
    page = page.text_input(key="set:learn:name").input("my-set").run()
    ticked = {box.key: box.value for box in page.checkbox}
    assert ticked == {f"set:learn:my-set:{number}": number in mine for number in (*mine, other)}
    page = page.button(key="set:learn:go").click().run()
    assert not page.exception
    (given,) = lessons
    assert given["profile"] == "my-set"
    assert set(given["labels"]) == {f"alien-city-{number}.json" for number in mine}
    assert given["photos"] == sorted(name.replace(".json", ".jpg") for name in given["labels"])
    assert all(len(label["corners"]) == 4 for label in given["labels"].values())
    (table,) = page.table
    assert list(table.value["lots read wrongly"]) == ["31 of 160, then 0"]
    assert list(table.value["boards without a mistake"]) == ["0 of 2, then 2"]
    assert list(table.value["kept"]) == ["yes"]
    assert "what was learnt earlier, on 1 photo: 7 wrong then, 0 now" in said(page)
    assert "odd.jpg was left out: it is too small." in said(page)
    assert page.session_state["own-set"] == "my-set"


@pytest.mark.usefixtures("lessons")
def test_what_is_not_better_is_not_kept_and_said_so(worked_example: bytes, photo_bytes: bytes) -> None:
    kept_photo(worked_example, photo_bytes)
    page = opened("Learn").text_input(key="set:learn:name").input("hopeless").run()
    page = page.button(key="set:learn:go").click().run()
    assert not page.exception
    assert "nothing is changed. Reading did not get better" in said(page)
    assert "own-set" not in page.session_state


def test_the_real_reader_learns_from_a_photo_that_was_saved_in_the_page() -> None:
    if "city-blocks" not in reader.readable_games():
        pytest.skip("the networks that read photos are not installed; train them (docs/training.md).")
    case = open_input(SAMPLE.name, SAMPLE.read_bytes(), "c-1")
    truth = position_from_document(json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8")))
    assert case.reading is not None
    case.change(min(truth.game.turns(truth.state), key=lambda turned: differences(case, turned)))
    number = open_store().save(saved_game(case))
    page = opened("Learn").text_input(key="set:learn:name").input("mine").run(timeout=300)
    page = page.button(key="set:learn:go").click().run(timeout=300)
    assert not page.exception
    assert not page.error
    (row,) = page.table[0].value.to_dict("records")
    print(row)
    assert row["photos"] == "1"
    # Kept or not: the table, the list of networks and what photos are read with agree.
    kept = row["kept"] == "yes"
    assert learnt_sets() == (["mine"] if kept else [])
    assert ("own-set" in page.session_state) == kept
    again = open_store().load(number)
    assert label_of(again)["corners"]


def differences(case: Case, state: Any) -> int:
    """Where a position differs from what was read: the truth may lie the other way round."""
    return sum(case.kind.value(case.state, place) != case.kind.value(state, place) for place in case.kind.places(state))


NOT_LEARNT = [
    # The name that was typed, and what is said.
    ("", "needs a name"),
    ("../x", "cannot be the name"),
    ("mine", "no networks are installed"),
]


@pytest.mark.parametrize(("name", "words"), NOT_LEARNT)
def test_what_cannot_be_learnt_gets_a_sentence(
    name: str, words: str, worked_example: bytes, photo_bytes: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "readable_games", tuple)
    kept_photo(worked_example, photo_bytes)
    page = opened("Learn").text_input(key="set:learn:name").input(name).run()
    page = page.button(key="set:learn:go").click().run()
    assert not page.exception
    (error,) = page.error
    assert words in error.value.replace("\\", "")


def test_a_saved_game_can_take_the_place_of_a_sheet(worked_example: bytes, photo_bytes: bytes) -> None:
    number = kept_photo(worked_example, photo_bytes)
    page = opened("Pieces").multiselect(key="set:pieces:games").select(number).run()
    page = page.text_input(key="set:pieces:name").input("from-a-game").run()
    page = page.button(key="set:pieces:measure").click().run()
    assert not page.exception
    # Noise has no colours to speak of; whatever comes of it is a profile or a sentence.
    assert page.error or load_profile("from-a-game").games == ("alien-city",)
