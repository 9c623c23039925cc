"""Setting up a position: by text in every game, and by clicks where the game has trays."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from meeple.core.match import Match
from meeple.core.registry import game_names, load_game
from meeple.errors import NotationError
from meeple.web.seats import Refused
from meeple.web.setting_up import SettingUp
from web.conftest import Server, click_on

DRAWN = [name for name in game_names() if load_game(name).definition.picture is not None]


@pytest.mark.parametrize("name", DRAWN)
def test_every_game_is_set_up_by_text_and_says_what_is_wrong(name: str) -> None:
    made = SettingUp(load_game(name))
    first = made.text
    assert made.fault == ""
    assert "fate=" not in first
    assert f'data-version="{made.version}"' in made.board()
    later = Match(name, seed=3)
    for _ in range(6):
        later.play(int(later.state.legal_actions()[0]))
    made.change(later.state.text(0))
    assert made.fault == ""
    assert made.state.text(0) == later.state.text(0)
    drawn = made.state
    made.change(first[: len(first) // 2])
    assert made.fault
    assert made.state is drawn  # the picture of the last position stays
    made.change(first)
    assert made.fault == ""


def test_pieces_are_put_where_they_are_clicked() -> None:
    made = SettingUp(load_game("santorini"))
    for piece, cells in (("w1", ("B3", "C3")), ("w2", ("A1", "E5")), ("2", ("B4", "B3")), ("4", ("C4",))):
        made.piece = piece
        for cell in cells:
            assert f'data-t="{cell}"' in made.board()
            made.click(cell)
    assert made.text == "0000002400020000000000000/1/mortal:B3,C3/mortal:A1,E5"  # B4, C4 and B3
    assert made.fault == ""
    state = made.game.read(made.text)
    assert sorted(cell for cell in ("B3", "C3") if f"{cell}>" in " ".join(state.legal_moves())) == ["B3", "C3"]
    made.piece = "w1"
    made.click("D5")  # a third worker: the first one goes
    assert ":C3,D5" in made.text
    made.piece = "none"
    made.click("D5")
    assert "is no seat of santorini" in made.fault
    made.piece = "w1"
    made.click("D5")
    assert made.fault == ""


def test_tunnels_and_cards_of_the_duel_come_from_trays() -> None:
    hand = "0,5,6,7,8,9,10"
    text = f"turn 1 board=- nugget=left shown=- looked=-|- malus=0,0 hands={hand}|{hand} drops=-|- gone=- win=-"
    made = SettingUp(load_game("saboteur-duel"), text)
    for piece, target in (("0", "4,5"), ("7f", "3,5"), ("map", "hand-7"), ("2", "discard")):
        made.piece = piece
        assert f'data-t="{target}"' in made.board()
        made.click(target)
        assert made.fault == ""
    assert "board=4,5:0;3,5:7f " in made.text
    assert "hands=0,5,6,7,8,9,map|0,5" in made.text
    assert "drops=2|-" in made.text
    made.piece = "none"
    made.click("4,5")
    assert "board=3,5:7f " in made.text
    made.piece = "map"
    with pytest.raises(Refused, match="nothing can be put on '3,5'"):
        made.click("3,5")
    with pytest.raises(Refused, match="nothing can be put on 'seat-1'"):
        made.click("seat-1")


def test_what_does_not_fit_is_refused_in_words() -> None:
    made = SettingUp(load_game("santorini"))
    with pytest.raises(Refused, match="nothing can be put on 'Z9'"):
        made.click("Z9")
    made.change("nonsense")
    with pytest.raises(Refused, match="in this text"):
        made.click("A1")
    with pytest.raises(Refused, match="set up by text"):
        SettingUp(load_game("azul")).click("F1-blue")
    made.change("5" * 30_000)
    assert len(made.text) == 20_000
    assert len(made.fault) < 700


def test_a_link_opens_the_position_it_was_made_of() -> None:
    made = SettingUp(load_game("santorini:supply=finite"), "0000001000000000000000000/1/mortal:B3,C3/mortal:A1,E1")
    assert made.fault == ""
    assert made.link("setup").startswith("/setup/santorini?spec=santorini%3Asupply%3Dfinite&start=0000001")
    assert made.link("analyse").startswith("/analyse?spec=")
    with pytest.raises(NotationError):
        made.game.read("00")


def test_a_position_is_set_up_and_played_from_in_a_browser(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/setup/santorini")
    page.wait_for_selector(".m-board svg.board")
    field = page.get_by_label("The position as text")
    field.fill("0000001000000000000000000/1/mortal:B3,C3/mortal:A1,E1")
    expect(page.get_by_role("alert")).to_be_empty()
    page.get_by_role("button", name="level 2").click()
    click_on(page, "B4")
    expect(field).to_have_value(re.compile("^0000002"))
    field.fill("0000002000000000000000000/1/mortal:B3,B3/mortal:A1,E1")
    expect(page.get_by_role("alert")).to_contain_text("both workers on one cell")
    expect(page.get_by_role("button", name="Play from here")).to_be_disabled()
    field.fill("0000002000000000000000000/1/mortal:B3,D3/mortal:A1,E1")
    expect(page.get_by_role("alert")).to_be_empty()
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_url(re.compile("/new/santorini"))
    expect(page.get_by_text("It starts from the position of the link.")).to_be_visible()
    assert json.dumps(page.url).count("start=0000002") == 1
