"""What the page says: You and names, events folded, hints that can be followed, names that records keep."""

from __future__ import annotations

import pytest

from conftest import HOARD
from games.sagrada.positions import at
from meeple.core.record import parse_record
from meeple.web.clicks import Offer, offer_of
from meeple.web.logbook import log_panel
from meeple.web.pages.frame import Prefs
from meeple.web.pages.replay import replay_table
from meeple.web.panels import announcement, result_words
from meeple.web.saved import body_of, table_of
from meeple.web.seats import Access, Refused, Seat, told_name
from meeple.web.table import Table
from meeple.web.viewing import Viewing
from web.conftest import new_table


def santorini(*kinds: str) -> Table:
    table = new_table("santorini", *(kinds or ("here", "elsewhere")))
    for move in ("B3,D3", "C2,C4"):
        table.match.play(move)
    table.version += 1
    return table


def seen_from(table: Table, *seats: int) -> Viewing:
    return Viewing(Access(table, frozenset(seats)))


def test_each_viewer_is_you_to_itself_and_a_name_to_the_others() -> None:
    table = santorini()
    assert seen_from(table, 0).voice.all_names == ("You", "Ben")
    assert seen_from(table, 1).voice.all_names == ("Ann", "You")
    assert seen_from(table).voice.all_names == ("Ann", "Ben")
    assert seen_from(table, 0, 1).voice.all_names == ("Ann", "Ben")  # at one screen nobody is
    told = [announcement(table, seen_from(table, *seats).voice) for seats in ((0,), (1,), ())]
    assert told == [
        "Ben places the workers on C4 and C2",
        "You place the workers on C4 and C2",
        "Ben places the workers on C4 and C2",
    ]
    table.resign(1)
    ends = [result_words(table, seen_from(table, *seats).voice) for seats in ((0,), (1,), ())]
    assert ends == ["Ben resigned: You win", "You resigned: Ann wins", "Ben resigned: Ann wins"]


def test_you_is_no_name() -> None:
    assert [told_name(name) for name in ("You", " you ", "  Ada \n L. ", "A" * 99)] == [
        "",
        "",
        "Ada L.",
        "A" * 23 + "…",
    ]
    table = Table(santorini().game, [Seat("here", "You"), Seat("agent", "x", "random")], owner="me")
    assert table.names == ("Guest", "x")
    table.rename(0, "Ada")
    assert table_of(body_of(table)).seats[0].is_named
    assert table.names[0] == "Ada"
    for seat, name in ((1, "Ada"), (0, "you"), (0, "   ")):
        with pytest.raises(Refused):
            table.rename(seat, name)
    assert Prefs(saved={"name": "You", "names": ["Ada", 7, "you"]}).names == ["Ada", ""]
    assert Prefs(saved={"name": 3}).name == ""


def test_an_agent_with_a_long_name_is_told_in_full_once() -> None:
    spec = "mcts:iterations=7,c=0.4,playout=uniform"
    table = Table(santorini().game, [Seat("here", "Ann"), Seat("agent", spec, spec)], owner="me")
    assert table.names[1] == "mcts:iterations=7,c=0.4…"
    viewing = seen_from(table, 0)
    assert spec in viewing.drawing().parts
    table.seats[1] = Seat("agent", "Expert", spec, level="Expert")
    assert viewing.drawing().parts == ""


def test_a_record_keeps_names_and_levels() -> None:
    table = santorini("here", "random")
    table.seats[1] = Seat("agent", "Expert", "mcts:iterations=7,c=0.4,playout=uniform", level="Expert")
    record = parse_record(table.record().text())
    assert (record.names, record.levels) == (["Ann", "Expert"], ["", "Expert"])
    assert replay_table(record, "me").names == ("Ann", "Expert")
    record.names, record.levels = [], []
    assert replay_table(record, "me").names == ("Player 1", "mcts")  # one of an earlier version
    assert '"names"' not in record.text()


def test_what_chance_did_at_once_is_folded() -> None:
    table = new_table("azul", "here", "random")
    log = log_panel(table, seen_from(table, 0).voice, None)
    assert log.count("<details") == 1
    assert log.count("<li") == 21
    assert log.count('class="icon"') == 12 + 20  # the first of them in the line that unfolds
    table.match.play("F2 white 3")
    assert '<b>You</b> take 1 white <svg viewBox="0 0 40 40" class="icon"' in log_panel(
        table, seen_from(table, 0).voice, None
    )


def test_moves_are_written_in_notation_for_who_wants_that() -> None:
    viewing = seen_from(santorini(), 0)
    viewing.is_notation = True
    assert announcement(viewing.table, viewing.voice) == "Ben: C4,C2"
    assert "<b>Ben</b>: C4,C2" in log_panel(viewing.table, viewing.voice, None)
    viewing.advise(viewing.state.read_move("B3>B4^A4"))
    assert viewing.note == "Hint: B3>B4^A4"
    chosen = Prefs(saved={"moves": "notation", "auto_continue": False})
    assert (chosen.choice("moves"), chosen.choice("auto_continue")) == ("notation", False)
    assert (Prefs().choice("moves"), Prefs().choice("auto_continue")) == ("words", True)


def test_a_hint_shows_its_way_and_stays_while_it_is_followed() -> None:
    viewing = seen_from(santorini(), 0)
    viewing.catch_up()
    action = viewing.state.read_move("B3>B4^C5")
    viewing.advise(action)
    assert viewing.note == "Hint: move from B3 to B4 and build level 1 on C5"
    assert "[&quot;B3&quot;, &quot;B4&quot;, &quot;C5&quot;]" in viewing.stage()
    assert viewing.click("B3") is None
    assert viewing.hint == ("B3", "B4", "C5")
    assert 'data-followed="1"' in viewing.stage()
    assert viewing.click("C5") == action  # the last place of the way stands for all of it
    viewing.advise(action)
    viewing.click("D3")
    assert (viewing.hint, viewing.note) == ((), "")
    with pytest.raises(Refused, match="not on offer"):
        viewing.click("E1")


def test_a_half_made_move_is_drawn_as_it_will_be() -> None:
    viewing = seen_from(santorini(), 0)
    viewing.click("B3")
    viewing.click("B4")
    assert "B4: level 0, worker of You" in viewing.stage()
    assert "B3: level 0, worker" not in viewing.stage()


def test_another_piece_is_chosen_instead() -> None:
    viewing = seen_from(santorini(), 0)
    for target in ("B3", "B4", "D3"):
        viewing.click(target)
    assert viewing.chosen == ("D3",)
    viewing.click("E3")
    assert "data-switches" in viewing.stage()
    assert offer_of(viewing.state).switches(viewing.chosen) == {"B3", "C3"}


def test_the_only_way_to_go_on_is_taken_unless_it_is_not_wanted() -> None:
    offer = Offer({("a", "b", "c"): 1, ("a", "b", "d"): 2, ("x", "y", "z"): 3, ("p", "q"): 4, ("p", "r"): 4})
    assert offer.followed(("a",)) == ("a", "b")
    assert offer.action(offer.followed(("x",))) == 3
    assert offer.action(offer.followed(("p",))) == 4  # two ways to click one move
    # Worker A1 is walled in but for A2.
    table = new_table("santorini", "here", "here")
    board = "0000000000000000400004000/1/mortal:A1,E5/mortal:C5,D5"
    state = table.game.read(board)
    viewing = seen_from(Table(table.game, table.seats, owner="me", start=board), 0)
    path = offer_of(state).followed(("A1",))
    assert path == ("A1", "A2")
    viewing.continues = False
    viewing.click("A1")
    assert viewing.chosen == ("A1",)
    viewing.continues = True
    viewing.click("A1")
    viewing.click("A1")
    assert viewing.chosen == path


def test_who_does_not_see_a_discard_is_told_of_it_in_words() -> None:
    table = new_table(HOARD, "here", "elsewhere")
    table.play(0, 2)
    assert announcement(table, seen_from(table, 1).voice) == "Ann drops a card face down"


@pytest.mark.parametrize("tool", ["grozing", "lens", "lathekin"])
def test_a_hint_of_any_tool_can_be_drawn_before_its_first_click(tool: str) -> None:
    # The buttons that turn a die are drawn for a die that is chosen: till then the way is shown without them.
    start = at(mine="a1 G1,b1 B4", pool="R4G2", track="P6B1", tools=f"{tool},hammer,brush")
    table = Table(start.game, [Seat("here", name) for name in ("Ann", "Ben")], owner="me", start=start.text())
    viewing = seen_from(table, 0)
    viewing.catch_up()
    viewing.continues = False
    action = _first_of(viewing, tool)
    viewing.advise(action)
    assert 'data-hint="[&quot;tool-1&quot;' in viewing.stage()
    for target in viewing.hint:
        assert viewing.stage().count(f'data-t="{target}"') == 1
        if viewing.click(target) == action:
            return
    raise AssertionError("the way of the hint makes no move")


def _first_of(viewing: Viewing, tool: str) -> int:
    """The first move on offer that uses the tool."""
    return next(
        int(action) for action in viewing.state.legal_actions() if viewing.state.move_text(int(action)).startswith(tool)
    )
