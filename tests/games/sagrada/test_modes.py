"""Modes of Sagrada: any subset of cards, fewer of them on the table, and other points."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from meeple import CHANCE, State, load_agent, load_game, play_match
from meeple.errors import ConfigError, NotationError
from meeple.games.sagrada.cards import OBJECTIVES, WINDOWS, word_of
from meeple.games.sagrada.drawing.points import tally

WORDS = [word_of(window.name) for window in WINDOWS]
PAGE = Path(__file__).parents[3] / "docs" / "games" / "sagrada.md"


@pytest.fixture
def example(tmp_path: Path) -> str:
    """The game of the mode file on the page."""
    path = tmp_path / "mode.toml"
    path.write_text(re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)[0])
    return f"sagrada:mode={path}"


def dealt(spec: str, seed: int) -> State:
    state = load_game(spec).new(seed=seed)
    while state.to_move == CHANCE and state.record.phase < 5:
        state = state.after(state.fated_outcome())
    return state


@pytest.mark.parametrize("rules", ["standard", "thesis"])
def test_only_the_named_cards_are_dealt(rules: str) -> None:
    windows = "+".join(WORDS[:8] + WORDS[20:])
    spec = f"sagrada:rules={rules},toolbox=grozing+lens+hammer+remover,objectives=light+deep+shades,windows={windows}"
    tools, goals, offered = set(), set(), set()
    for seed in range(40):
        record = dealt(spec, seed).record
        tools |= {int(tool) for tool in record.tools[:3]}
        goals |= {int(goal) for goal in record.goals}
        offered |= {int(pattern) for pattern in record.offer[:2].flat}
    assert tools == {1, 5, 7, 11}
    assert goals == {4, 6, 7}
    assert offered == {*range(8), *range(20, 24)}


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("goals", [0, 1, 3])
def test_any_number_of_objectives_lies_on_the_table(players: int, goals: int) -> None:
    state = dealt(f"sagrada:players={players},tools=0,goals={goals}", 3)
    assert [int(goal) >= 0 for goal in state.record.goals] == [place < goals for place in range(3)]
    assert not state.record.tools.any()
    assert all(move.startswith("window") for move in state.legal_moves())


def test_points_are_those_of_the_mode() -> None:
    """Each part of the score is its count times the mode's points, at the end of the same match."""
    usual = load_game("sagrada:players=3,goals=3")
    changed = load_game("sagrada:players=3,goals=3,points=light.7+diagonals.0+shades.1+private.2+token.3+empty.4")
    worths = {objective.word: objective.points for objective in OBJECTIVES} | {"light": 7, "diagonals": 0, "shades": 1}
    for seed in range(6):
        state, other = usual.new(seed=seed), changed.new(seed=seed)
        while not state.is_over:
            action = state.fated_outcome() if state.to_move == CHANCE else state.legal_actions()[seed % 2 - 1]
            state, other = state.after(action), other.after(action)
        for seat in range(3):
            before, after = tally(state.record, seat, None), tally(other.record, seat, None)
            for objective in OBJECTIVES:
                if objective.name in before:
                    times = before[objective.name] // objective.points
                    assert after[objective.name] == times * worths[objective.word]
            colour = next(part for part in before if part.endswith("dice"))
            assert after[colour] == 2 * before[colour]
            assert after["tokens"] == 3 * before["tokens"]
            assert after["empty cells"] == 4 * before["empty cells"]
            assert other.score(seat) == sum(after.values())
            assert state.score(seat) == sum(before.values())


def test_an_empty_cell_of_the_solo_game_costs_three_times() -> None:
    state = load_game("sagrada:players=1,goals=0,points=empty.2").new(seed=1)
    assert state.score(0) == -20 * 3 * 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("toolbox=lathekin+lathkin", "'toolbox' knows no 'lathkin'; did you mean 'lathekin'"),
        ("toolbox=lathekin+lens", r"tools=3 cannot be dealt from toolbox=lathekin\+lens: say tools=2"),
        ("objectives=light", "goals=3 cannot be dealt from objectives=light: say goals=1"),
        ("goals=4", "option 'goals' takes usual, 0, 1, 2, 3, not '4'"),
        (f"windows={WORDS[0]}+{WORDS[2]}+{WORDS[3]}", f"names {WORDS[0]}, and on the back of its card is {WORDS[1]}"),
        (f"windows={WORDS[0]}+{WORDS[1]}", "windows names 2, and 2 players are dealt 8"),
        ("windows=via-lax", "'windows' knows no 'via-lax'; did you mean 'via-lux'"),
        ("points=light.99", "from 0 to 20 for light, not '99'"),
        ("points=lights.1", "'points' knows no 'lights'"),
    ],
)
def test_what_cannot_be_dealt_is_refused_by_name(words: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_game(f"sagrada:{words}")


def test_a_position_with_a_card_left_out_is_refused() -> None:
    text = dealt("sagrada:tools=3", 1).text()
    word = text.split("tools=")[1].split(",")[0]
    others = [tool for tool in load_game("sagrada").definition.options[5].values if tool != word]
    with pytest.raises(NotationError, match=f"the tool card '{word}' is not in this game"):
        load_game(f"sagrada:toolbox={'+'.join(others)}").read(text)


@pytest.mark.parametrize("agent", ["strong:iterations=40", "paper-minimax:worlds=2,depth=2", "rules-all", "wary"])
def test_agents_play_by_a_mode(agent: str, example: str) -> None:
    game = load_game(example)
    spec = "greedy:evaluation=wary" if agent == "wary" else agent
    match = play_match(game, [load_agent(spec, game), load_agent("random", game)], seed=4)
    assert match.state.is_over
    assert match.record().game == game.spec


def test_a_mode_file_becomes_options(example: str) -> None:
    game = load_game(example)
    assert game.spec == (
        "sagrada:players=2,tools=2,toolbox=grozing+lens+brush+grinding,objectives=light+medium+deep+shades,"
        "points=shades.8+private.0"
    )
