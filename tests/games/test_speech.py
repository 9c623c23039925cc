"""Moves in words: in whole matches no two moves of an offer sound alike, and some are told word for word."""

from __future__ import annotations

import pytest

from conftest import HOARD, TICTACTOE
from meeple.core.chance import rng_for
from meeple.core.contract import HIDDEN
from meeple.core.match import Match
from meeple.core.speech import Hearer, Icon, Named, Sentence, conjugated, ordered, plain, told, who, whose

VARIANTS = (
    "santorini", "azul:players=3", "azul:wall=grey", "ingenious", "saboteur:players=5", "saboteur-duel", "sagrada",
    "sagrada:players=1", HOARD, TICTACTOE,
)  # fmt: skip
NAMES = ("Ada", "Ben", "Cy", "Dee", "Eve")
ADA = Hearer(NAMES, you=0)


@pytest.mark.parametrize("spec", VARIANTS)
def test_no_two_moves_of_an_offer_sound_alike_in_a_whole_match(spec: str) -> None:
    match, rng = Match(spec, seed=3), rng_for("speech", seed=3)
    draw = getattr(match.game.definition.picture, "icon", None)
    keys: set[str] = set()
    while not match.is_over:
        offer = match.state.offer()
        pieces = [ordered(match.state.spoken(code), ADA) for code in offer]
        assert len({plain(each).casefold() for each in pieces}) == len(offer)
        keys |= {piece.key for each in pieces for piece in each if isinstance(piece, Icon)}
        match.play(rng.choice(offer))
    for step in match.steps:
        words = plain(told(step.before.spoken(step.code), ADA))
        assert words
        assert not set(words) & set("*[]@"), words
    assert all(draw(key).startswith("<svg") for key in keys)


def _offered(spec: str, seed: int, *moves: str) -> Match:
    match = Match(spec, seed=seed)
    for move in moves:
        match.play(move)
    return match


WORD_FOR_WORD = (
    ("santorini", 1, ("B3,D3", "C2,C4"), "B3>B4^A5", "move from B3 to B4 and build level 1 on A5"),
    ("azul", 1, (), "F2 white 3", "take 1 white from display 2 and lay it on line 3"),
    ("azul", 1, ("F2 white 3",), "centre blue floor",
     "take 1 blue from the centre with the first-player marker and drop it to the floor"),
    ("ingenious", 1, (), "GB I1 J1", "lay green on I1 and blue on J1"),
    ("saboteur:players=5", 1, (), "path 7 at 0,1", "lay the curve from right to top, below the start"),
    ("saboteur-duel", 1, (), "path 2f at 5,6",
     "lay the blocked fork closed on the right, turned, right of the entrance"),
)  # fmt: skip


@pytest.mark.parametrize(("spec", "seed", "before", "move", "words"), WORD_FOR_WORD)
def test_moves_are_told_word_for_word(spec: str, seed: int, before: tuple[str, ...], move: str, words: str) -> None:
    state = _offered(spec, seed, *before).state
    assert plain(ordered(state.spoken(state.read_move(move)))) == words


def test_sagradas_dice_tools_and_windows_have_names() -> None:
    match = Match("sagrada:players=1", seed=2)
    said = [plain(told(step.before.spoken(step.code), ADA)) for step in match.steps]
    assert "the Lens Cutter" in said
    assert "Deep Shades: 2 for pairs of 5 and 6" in said
    assert [step.before.heading() for step in match.steps][:2] == ["Tools on the table"] * 2
    match.play("window aurorae-magnificus")
    state = match.state
    assert plain(ordered(state.spoken(state.read_move("place Y5 c4")))) == "place the yellow 5 on c4"
    assert plain(ordered(state.spoken(state.read_move("running pay R5")))) == (
        "pay for the Running Pliers with the red 5"
    )


def test_who_does_not_see_a_discard_hears_that_there_was_one() -> None:
    match = Match("saboteur:players=3", seed=1)
    action = next(a for a in match.state.legal_actions() if match.state.move_text(int(a)).startswith("pass"))
    other = (match.to_move + 1) % 3
    assert match.state.seen(int(action), other) == HIDDEN
    told_to_other = plain(told(match.state.unseen(), Hearer(NAMES, you=other)))
    assert told_to_other == f"{NAMES[match.to_move]} discards a card face down"
    assert plain(told(match.state.unseen(), Hearer(NAMES, you=match.to_move))) == "You discard a card face down"


def test_a_sentence_follows_who_hears_it() -> None:
    mends = Sentence(f"*mend* {whose(1)} cart", 0)
    assert plain(ordered(mends, Hearer(NAMES))) == "mend Ben's cart"
    assert plain(told(mends, ADA)) == "You mend Ben's cart"
    assert plain(told(mends, Hearer(NAMES, you=1))) == "Ada mends your cart"
    assert plain(told(mends)) == "Seat 1 mends Seat 2's cart"
    own = Sentence(f"*mend* {whose(0)} cart", 0)
    assert plain(ordered(own, Hearer(NAMES))) == "mend your own cart"
    assert plain(told(own, Hearer(NAMES, you=2))) == "Ada mends their own cart"
    assert plain(told(own, ADA)) == "You mend your own cart"
    assert plain(told(Sentence("*be* a miner", 0), ADA)) == "You are a miner"
    assert plain(told(Sentence("*be* a miner", 0), Hearer(NAMES))) == "Ada is a miner"
    assert plain(told(Sentence(f"*stop* {who(1)}", 0), Hearer(NAMES, you=1))) == "Ada stops you"
    assert plain(told(Sentence("a die [die-R4], red"), ADA)) == "a die, red"
    assert told(mends, ADA)[0] == Named(0, "You")


def test_verbs_follow_their_subject() -> None:
    thirds = {"lay": "lays", "pass": "passes", "carry": "carries", "reach": "reaches", "have": "has", "go": "goes"}
    assert {verb: conjugated(verb, 2) for verb in thirds} == thirds
    assert [conjugated("be", form) for form in range(3)] == ["be", "are", "is"]
