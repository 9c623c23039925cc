"""Setting up a position: by text in every game, and by clicks where the game has trays."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from meeple.core.chance import Stream
from meeple.core.match import Match
from meeple.core.registry import game_names, load_game
from meeple.core.speech import Icon, Sentence, ordered, plain
from meeple.errors import MeepleError, NotationError
from meeple.web.seats import Refused
from meeple.web.setting_up import SettingUp
from meeple.web.voice import words_html
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


def lit(made: SettingUp) -> list[str]:
    """The places that the picture offers for the chosen piece."""
    return re.findall(r'class="target lit[^"]*" data-t="([^"]+)"', made.board())


def put(made: SettingUp, *clicks: str) -> None:
    """Click pieces to places, each told as `piece place`; the picture must offer every place."""
    for click in clicks:
        made.piece, target = click.split(" ")
        assert target in lit(made), click
        made.click(target)


def refuse(made: SettingUp, *clicks: str, words: str) -> None:
    """The last of these clicks is refused in words, and the picture does not offer it."""
    put(made, *clicks[:-1])
    made.piece, target = clicks[-1].split(" ")
    assert target not in lit(made), clicks[-1]
    with pytest.raises(MeepleError, match=words):
        made.click(target)


def test_azul_is_set_up_tile_by_tile_and_bag_and_lid_follow() -> None:
    made = SettingUp(load_game("azul"))
    made.change(
        "round=1 mover=1 first=1 marker=centre bag=16,16,16,16,16 centre=- F=BBYR,YRKW,BKWW,BYRK,YRKW "
        "| 0 -/-/-/-/- ...../...../...../...../..... 0 | 0 -/-/-/-/- ...../...../...../...../..... 0"
    )
    put(made, "black F1-blue")  # a full display: one is exchanged
    assert made.fault == ""
    assert "F=BYRK," in made.text
    assert "bag=17,16,16,15,16 lid=0,0,0,0,0" in made.text
    put(made, "more round", "blue seat-2-line-2", "blue seat-2-line-2", "yellow line-1")
    assert "has no full line" in made.fault  # and it is drawn all the same
    assert "line 2: 2 of 2 blue" in made.board()
    put(made, *["none F2"] * 4, "none F3-white", "none F3", "none F3", "none F3", "red centre", "red centre")
    assert made.fault == ""
    assert made.text.count("lid=") == 1
    put(
        made,
        "blue seat-2-cell-1-1",
        *["more seat-2-points"] * 3,
        "marker seat-2-floor",
        "red floor",
        "turn seat-2-points",
    )
    assert made.fault == ""
    assert "round=2 mover=2 first=1 marker=2 " in made.text
    assert made.text.endswith(
        "| 0 Y/-/-/-/- ...../...../...../...../..... 1 | 3 -/BB/-/-/- B..../...../...../...../..... 1"
    )
    assert sum(map(int, re.search(r"bag=(\S+)", made.text)[1].split(","))) == 60  # type: ignore[index]
    put(made, "first points", "first seat-1-points", "more bag-blue")
    assert "the bag has 60, not 61" in made.fault
    put(made, "less bag-red")
    assert made.fault == ""
    put(made, "marker centre", "red cell-1-1")
    assert "is printed B, and cannot hold R" in made.fault
    put(made, "blue cell-1-1", "less points")
    assert made.fault == ""


def test_what_is_set_up_on_a_grey_wall_may_be_wrong_for_a_while() -> None:
    made = SettingUp(load_game("azul:wall=grey"))
    put(made, "more round", *["none F1"] * 4, "red cell-1-1", "red line-1")
    assert "pattern line 1 of seat 1 holds R, which its wall row has already" in made.fault
    assert "wall row 1, column 1: red" in made.board()
    put(made, "red line-3", "none line-1")
    assert made.fault == ""
    refuse(made, "more line-1", words="nothing can be put on 'line-1'")


def test_tiles_of_ingenious_come_to_the_board_by_both_their_cells() -> None:
    made = SettingUp(load_game("ingenious"))
    made.change(
        "R....G/......./......../........./........../P.........B/........../........./......../......./Y....O "
        "place 1 turn=0 bonus=0 used=- swaps=0 bag=445454566566656555664 aside=- shown=- "
        "| 0,0,0,0,0,0 RR,PP,RG,RY,BP,YP | 0,0,0,0,0,0 GG,OO,GY,BO,BY,YP"
    )
    put(made, "RO A7")
    assert made.chosen == ("A7",)
    assert 'class="target lit chosen" data-t="A7"' in made.board()
    put(made, "RO A8", "turn seat-2")
    assert made.fault == ""
    assert made.text.startswith("RRO..G/")
    assert " place 2 turn=1 bonus=0 used=R swaps=0 bag=445454565566656555664 " in made.text
    put(made, "GG A10", "GG A9", "more score-1-red", "five score-2-green", "less score-2-green")
    assert "| 1,0,0,0,0,0 RR" in made.text
    assert "| 0,4,0,0,0,0 GG" in made.text
    assert " turn=2 bonus=0 used=- swaps=0 bag=435454565566656555664 " in made.text
    assert made.fault == ""
    for clicks, words in (
        (["RR B6", "RR C8"], "B6 and C8 are not beside each other"),
        (["RR A7"], "a tile lies there already"),
        (["RR B7", "RR A7"], "a tile lies there already"),
        (["none B6"], "no tile lies there"),
        (["none A7", "none B7"], "no tile lies there"),
        (["RR A6"], "a symbol is printed on A6"),
        (["none A8", "none A9"], "all tiles GO are in the bag"),  # halves of two tiles
    ):
        refuse(made, *clicks, words=words)
        assert made.chosen == ()
    put(made, "RR B6", "RR B6")  # the first cell again lets go of it
    assert made.chosen == ()
    put(made, "none A7", "none A8", "none A10", "none A9")
    assert " turn=0 bonus=0 used=- swaps=0 bag=445454566566656555664 " in made.text
    made.piece = "RR"
    made.click("A7")
    made.choose("GG")
    assert made.chosen == ()


def test_a_hand_of_ingenious_is_filled_from_the_bag() -> None:
    made = SettingUp(load_game("ingenious"), SettingUp(load_game("ingenious")).text)
    made.change(re.sub(r"bag=\d+", "bag=445454566566656555664", made.text))
    made.change(re.sub(r"[A-Z,]+ \| (\S+) \S+$", r"RR,PP,RG,RY,BP,YP | \1 GG,OO,GY,BO,BY,YP", made.text))
    assert made.fault == ""
    put(made, "none tile-1-left")
    assert "hands are full" in made.fault
    put(made, "RR hand-1-6", "BB hand-2-1")
    assert made.fault == ""
    assert made.text.endswith("| 0,0,0,0,0,0 RR,PP,RG,RY,BP,YP | 0,0,0,0,0,0 BB,OO,GY,BO,BY,YP")
    assert "bag=454454566566656555664" in made.text
    made.change(made.text.replace("BB,OO,GY,BO,BY,YP", "??????"))
    refuse(made, "RR hand-2-1", words="is hidden")
    refuse(made, "more A7", words="nothing can be put on")


SAGRADA = (
    "done=0 phase=turn turn=0 start=1 order=1221 tools=running,grozing,brush "
    "goals=column-colours,diagonals,row-colours "
    "bag=17.15.17.18.18 pool=R5G1G5G6B6 track=- hand=- used=0 drafted=0 skips=- spent=0.0.0.0.0 "
    "| Y gravitas 5 ........../........../........../.......... - "
    "| R chromatic-splendor 4 ........../........../........../.......... -"
)


def test_sagrada_begins_with_its_windows_and_takes_dice_by_colour_and_value() -> None:
    made = SettingUp(load_game("sagrada"))
    assert " phase=turn " in made.text  # the windows are chosen
    made.change(SAGRADA)
    assert made.fault == ""
    put(made, "P1 a1", "P4 seat-2-e4", "Y3 track", "Y3 track", "R6 pool-5")
    assert made.fault == ""
    assert " bag=16.15.18.16.16 pool=R5G1G5G6R6 track=Y3Y3 " in made.text
    assert "| Y gravitas 5 P1......../" in made.text
    assert made.text.endswith("........P4 -")
    put(made, "B1 b1")  # beside a die of the same value
    assert "cannot have B1 on b1: its neighbours or print forbid it" in made.fault
    assert "b1: blue 1" in made.board()
    put(made, "none b1", "none pool-1", "none track-Y3", "B6 track-Y3", "none track")
    assert made.fault == ""
    assert " pool=G1G5G6R6 track=- " in made.text
    put(made, "B1 pool-5", "turn round-3", "turn turn-2")
    assert " done=2 phase=turn turn=1 " in f" {made.text} "
    put(made, "P6 a2")  # in the second turn seat 2 moves, and its cells have the plain names
    assert made.text.count("P6") == 1
    assert "P6" in made.text.split("|")[2]


def test_cards_windows_and_colours_of_sagrada_change_places() -> None:
    made = SettingUp(load_game("sagrada"), SAGRADA)
    put(made, "brush tool-1", "more tool-2", "deep goal-1", "diagonals goal-3", "start seat-2", "batllo seat-1")
    assert "start=2 order=2112 tools=brush,grozing!,running goals=deep,row-colours,diagonals" in made.text
    put(made, "less tool-2", "less tokens-1", "more tokens-2", "R2 colour-1")
    assert "tools=brush,grozing,running" in made.text
    assert "| R batllo 4 " in made.text
    assert "| Y chromatic-splendor 5 " in made.text  # the colours changed places
    assert made.fault == ""
    for click, words in (("deep tool-1", "another tool"), ("brush goal-1", "an objective"), ("R4 seat-1", "a window")):
        refuse(made, click, words=words)
    for click in ("deep a1", "R4 round-1", "R4 turn-1", "batllo colour-1", "R4 tokens-1"):
        refuse(made, click, words="nothing can be put on")
    with pytest.raises(Refused, match="nothing can be put on 'window-1'"):
        made.click("window-1")
    alone = SettingUp(load_game("sagrada:players=1"))
    first, second = alone.text.split("|")[1].split()[0]
    other = next(colour for colour in "RGBYP" if colour not in first + second)
    put(alone, f"{other}1 colour-1")
    assert alone.text.split("|")[1].split()[0] == second + other
    assert alone.fault == ""


def test_saboteur_is_set_up_with_tunnels_as_they_are_turned() -> None:
    made = SettingUp(load_game("saboteur"))
    made.change(
        "turn 2 round=1 step=0 last=0 roles=mms goals=w,e,t table=- looked=0,0,0 broken=0,0,0 "
        "hands=2,10,rp,rl,rc,map|3,5,6,9,11,bl|0,6,7,8,15,rock passed=-|-|- gone=- won=--- were=0/0/0 took=-/-/- "
        "offer=- paid=-/-/- back=- bared=0,0,0"
    )
    assert made.fault == ""
    put(made, "10 1,0", "7f 2,0", "no-cart seat-1", "turn seat-3", "treasure left", "looked seat-2", "looked left")
    assert made.fault == ""
    assert made.text.startswith("turn 3 ")
    for part in (" table=1,0:10;2,0:7f ", " broken=4,0,0 ", " goals=t,e,w ", " looked=0,1,0 "):
        assert part in made.text
    put(made, "map hand-1", "none hand-2", "bp discard", "none seat-2", "4 seat-2", "saboteur seat-1", "miner seat-3")
    assert " roles=smm " in made.text
    assert " hands=10,rl,rc,map,map|3,4,5,6,9,11|0,6,7,8,15,rock " in made.text
    assert " passed=-|-|bp " in made.text
    put(made, "none seat-1-cart", "none discard", "looked seat-2", "looked left", "none 2,0", "shown middle")
    for part in (" broken=0,0,0 ", " passed=-|-|- ", " looked=0,0,0 ", " table=1,0:10 ", " goals=t,e!,w "):
        assert part in made.text
    for clicks, words in (
        (["map 1,0"], "only tunnels lie on the table"),
        (["map middle"], "takes the treasure, or is turned over"),
        (["looked seat-1", "looked 1,0"], "a look is a seat, then a goal"),
        (["0 1,0", "0 seat-3"], "at most"),
    ):
        refuse(made, *clicks, words=words)
    made.change(re.sub(r"hands=[^|]+", "hands=??????", made.text))
    refuse(made, "0 seat-1", words="are hidden")
    made.change("nonsense")
    with pytest.raises(Refused, match="nothing can be put on 'left'"):
        made.click("left")


@pytest.mark.parametrize(
    "spec", ["azul:wall=grey", "ingenious", "sagrada:players=4", "santorini", "saboteur", "saboteur-duel"]
)
def test_whatever_is_lit_changes_something_and_is_drawn(spec: str) -> None:
    made, rng = SettingUp(load_game(spec)), Stream(7)
    assert lit(made)  # the first piece of the first tray fits somewhere
    pieces, offered = made.pieces, 0
    for _ in range(40):
        made.choose(pieces[rng.below(len(pieces))])
        places = lit(made)
        offered += bool(places)
        if places:
            before = made.text, made.chosen
            made.click(places[rng.below(len(places))])
            assert (made.text, made.chosen) != before
            assert f'data-version="{made.version}"' in made.board()
    assert offered > 20  # what takes away finds nothing at first


@pytest.mark.parametrize("name", DRAWN)
def test_trays_have_words_and_small_pictures(name: str) -> None:
    made = SettingUp(load_game(name))
    assert len(set(made.pieces)) == len(made.pieces)
    for tray in made.trays.values():
        words = {piece: ordered(Sentence(text)) for piece, text in tray.items()}
        assert all(plain(pieces) for pieces in words.values())
        assert len({plain(pieces) for pieces in words.values()}) == len(words)
        for pieces in words.values():
            drawn = words_html(pieces, made.game.definition.picture)
            assert drawn.count("<svg") == sum(isinstance(piece, Icon) for piece in pieces)


def test_what_does_not_fit_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    made = SettingUp(load_game("santorini"))
    with pytest.raises(Refused, match="nothing can be put on 'Z9'"):
        made.click("Z9")
    made.change("nonsense")
    with pytest.raises(Refused, match="in this text"):
        made.click("A1")
    monkeypatch.delattr(load_game("azul").definition.notation, "TRAYS")
    by_text = SettingUp(load_game("azul"))
    assert 'class="target lit"' not in by_text.board()
    with pytest.raises(Refused, match="set up by text"):
        by_text.click("F1-blue")
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
    page.wait_for_selector('.m-stage[data-version="1"]')
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


def test_a_tile_of_two_colours_is_laid_by_clicks_in_a_browser(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/setup/ingenious")
    page.wait_for_selector(".m-board svg.board")
    field = page.get_by_label("The position as text")
    before = field.input_value()
    page.get_by_role("button", name="red and orange").click()
    click_on(page, "A7")
    page.wait_for_selector('.chosen[data-t="A7"]')
    expect(page.locator('.lit[data-t="C8"]')).to_have_count(0)  # only what lies beside it is lit
    click_on(page, "A7")
    expect(page.locator('.lit[data-t="C8"]')).to_have_count(1)
    expect(field).to_have_value(before)
    click_on(page, "A7")
    page.wait_for_selector('.chosen[data-t="A7"]')
    click_on(page, "A8")
    expect(field).to_have_value(re.compile(r"^RRO\.\.G/.* turn=1 "))
    expect(page.get_by_role("alert")).to_be_empty()


def test_trays_are_opened_and_pieces_chosen_by_keys(page: Page, server: Server) -> None:
    page.goto(f"{server.root}/setup/sagrada")
    page.wait_for_selector(".m-board svg.board")
    page.get_by_role("button", name="purple 3").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="purple 3")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Windows").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Windows")).to_be_focused()
    expect(page.locator('.lit[data-t="seat-2"]')).to_have_count(1)
    expect(page.locator('.lit[data-t="a1"]')).to_have_count(0)
    page.get_by_label("What a click puts on the board").click()
    page.get_by_role("option", name="Firelight").click()
    click_on(page, "seat-2")
    expect(page.get_by_label("The position as text")).to_have_value(re.compile(r"firelight \d [./]+ -$"))
    page.get_by_role("button", name="Dice").click()  # where the piece that was chosen before waits
    expect(page.get_by_role("button", name="purple 3")).to_have_attribute("aria-pressed", "true")
