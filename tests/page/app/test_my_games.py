"""My games: what was scored is listed, opened, exported and deleted."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from page.inputs import open_input
from page.keeping import saved_game
from page.store import open_store


def opened() -> AppTest:
    def script() -> None:
        from page.my_games import show_my_games

        show_my_games()

    return AppTest.from_function(script, default_timeout=60).run()


def kept(content: bytes, name: str = "") -> str:
    case = open_input("final.json", content, "c-1")
    if name:
        case.change(case.kind.with_extras(case.state, names={"white": name}))
    return open_store().save(saved_game(case))


def titles(page: AppTest) -> list[str]:
    return [text.value.replace("\\", "").strip("*") for text in page.markdown if text.value.startswith("**")]


def test_nothing_is_there_at_first_and_the_page_says_who_sees_it() -> None:
    page = opened()
    assert "Nothing has been scored yet" in page.info[0].value
    assert "shared by all who use this server" in page.caption[0].value


def test_games_are_listed_and_found(worked_example: bytes) -> None:
    kept(worked_example, "Ann")
    kept(worked_example, "<b>Bob</b>")
    page = opened()
    assert set(titles(page)) == {"Alien City: Ann", "Alien City: <b>Bob</b>"}
    page = page.text_input(key="games:search").input("ann").run()
    assert titles(page) == ["Alien City: Ann"]
    page = page.text_input(key="games:search").input("nobody").run()
    assert page.info[0].value == "No game fits."


def test_deleting_asks_first(worked_example: bytes) -> None:
    number = kept(worked_example)
    page = opened().button(key=f"games:delete:{number}").click().run()
    assert len(open_store().list()) == 1
    page = page.button(key=f"games:sure:{number}").click().run()
    assert open_store().list() == []
    assert not page.exception


def test_a_game_is_exported(worked_example: bytes) -> None:
    kept(worked_example)
    page = opened()
    # The game without a photo can be exported, but teaches nothing.
    assert [button.label for button in page.get("download_button")] == ["Export"]
