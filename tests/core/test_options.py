"""Options by words, by subsets and by amounts, and the mode files that hold them."""

from __future__ import annotations

from pathlib import Path

import pytest

from meeple.core.match import Match
from meeple.core.modes import read_mode
from meeple.core.options import Amounts, Option, Subset
from meeple.core.registry import load_game, load_recorded
from meeple.errors import ConfigError

DECK = Subset("deck", ("ace", "king", "queen"), "cards to deal from")
POINTS = Amounts("points", ("ace", "king"), "points a card", usual=(11, 4))


def test_a_word_means_its_place() -> None:
    option = Option("rules", ("standard", "thesis"), "")
    assert (option.default, option.settled("thesis"), option.codes("thesis")) == ("standard", "thesis", (1,))
    with pytest.raises(ConfigError, match="option 'rules' takes standard, thesis, not 'house'"):
        option.settled("house")


@pytest.mark.parametrize(
    ("written", "settled", "bits"),
    [
        ("all", "all", 0b111),
        ("queen+ace", "ace+queen", 0b101),
        ("king", "king", 0b010),
        ("king+queen+ace", "all", 0b111),
        ("none", "none", 0),
    ],
)
def test_a_subset_has_one_spelling_and_its_bits(written: str, settled: str, bits: int) -> None:
    assert DECK.settled(written) == settled
    assert DECK.codes(settled) == (bits,)


@pytest.mark.parametrize(
    ("written", "settled", "numbers"),
    [
        ("usual", "usual", (11, 4)),
        ("king.0", "king.0", (11, 0)),
        ("king.3+ace.1", "ace.1+king.3", (1, 3)),
        ("ace.11", "usual", (11, 4)),
    ],
)
def test_amounts_have_one_spelling_and_their_numbers(written: str, settled: str, numbers: tuple[int, ...]) -> None:
    assert POINTS.settled(written) == settled
    assert POINTS.codes(settled) == numbers


@pytest.mark.parametrize(
    ("option", "word", "message"),
    [
        (DECK, "kin", "option 'deck' knows no 'kin'; did you mean 'king'"),
        (DECK, "king+king", "option 'deck' names 'king' twice"),
        (DECK, "", "option 'deck' knows no ''"),
        (POINTS, "queen.2", "option 'points' knows no 'queen'"),
        (POINTS, "ace", "option 'points' takes a whole number from 0 to 20 for ace, not ''"),
        (POINTS, "ace.21", "from 0 to 20 for ace, not '21'"),
        (POINTS, "ace.-1", "from 0 to 20 for ace, not '-1'"),
        (POINTS, "ace.1+ace.2", "option 'points' names 'ace' twice"),
    ],
)
def test_what_means_nothing_is_refused_by_name(option: Option, word: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        option.settled(word)


def test_a_mode_file_holds_options(tmp_path: Path) -> None:
    toml, json = tmp_path / "mode.toml", tmp_path / "mode.json"
    toml.write_text('players = 3\nfaults = false\ndeck = ["ace", "king"]\nnothing = []\n[points]\nace = 3\n')
    json.write_text('{"players": 3, "faults": false, "deck": ["ace", "king"], "nothing": [], "points": {"ace": 3}}')
    expected = {"players": "3", "faults": "no", "deck": "ace+king", "nothing": "none", "points": "ace.3"}
    assert read_mode(toml) == read_mode(json) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players = ", "is no TOML"),
        ("deck = [1, 2]", "'deck' is neither a word, a number, a list of words nor a table of whole numbers"),
        ("[points]\nace = 1.5", "'points' is neither"),
        ("tiles = 3", "santorini has no option 'tiles'"),
        ("players = 3\nsupply = 'none'", "option 'supply' takes unlimited, finite, not 'none'"),
    ],
)
def test_a_bad_mode_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mode.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_game(f"santorini:mode={path}")


def test_a_mode_goes_into_the_spec_and_the_record(tmp_path: Path) -> None:
    path = tmp_path / "mode.toml"
    path.write_text("supply = 'finite'")
    game = load_game(f"santorini:mode={path}")
    assert game.spec == "santorini:supply=finite"
    path.unlink()
    assert Match.from_record(Match(game).record(), trust=True).game.spec == game.spec


def test_a_mode_and_a_spec_that_disagree_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mode.toml"
    path.write_text("supply = 'finite'")
    with pytest.raises(ConfigError, match=r"says supply=finite and the game's name says supply=unlimited"):
        load_game(f"santorini:supply=unlimited,mode={path}")


def test_a_record_never_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mode.toml"
    path.write_text("supply = 'finite'")
    with pytest.raises(ConfigError, match="never a file of them"):
        load_recorded(f"santorini:mode={path}", "")


def test_a_missing_mode_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"mode\.toml' cannot be read"):
        load_game(f"santorini:mode={tmp_path / 'mode.toml'}")
