"""Saboteur for 3 to 10 players with hidden roles, three rounds, written for clarity only.

Nothing here is meant to be fast. It is a yardstick for a faster engine, written from part B of the
rules page alone; "B5" and the like below are its sections.

Seats 0..n-1 sit clockwise, which is the turn order; "left" of a seat is seat + 1. A cell is (x, y) with the
start card at (0, 0). The goals lie to the east: x grows east and y grows SOUTH, so the goal `left`, seen
from the start, is the northern one at (8, -2); `middle` is at (8, 0), `right` at (8, 2).

Cards       `path 0` .. `path 15` (tile numbers of table A3), `break TOOL`, `repair TOOL`,
            `repair TOOL/TOOL`, `rockfall`, `map`; TOOL is pickaxe, lantern or cart, always in this order
Goal cards  `treasure`, `stone NE`, `stone NW` (with goals="crosses": `treasure` and two `stone`)
Outcomes    one card an event, weighted by the cards left, in this order:
              round 1 only: who starts, `start 0` .. `start n-1`, once each
              the roles `miner` or `saboteur` of seat 0, 1, .. n-1; the card left over is laid aside, no event
              the goal cards at left, middle, right (three events, the last one certain)
              the hands, one card to each of seat 0, 1, .. n-1, then the second card to each, and so on
              in play: the card drawn after each move while the pile lasts
              after a win of the miners: the gold cards on offer, `gold 1`, `gold 2` or `gold 3` each
Moves       `path 7 at 4,-1`, `path 7f at 4,-1` (f: turned by 180 degrees; cards that look the same when
            turned have no f form), `map left|middle|right`, `break SEAT TOOL`, `repair SEAT TOOL` (single
            repair card), `repair SEAT TOOL with TOOL/TOOL` (double repair card), `rockfall at 4,-1`,
            `pass CARD` such as `pass path 7`, `pass repair pickaxe/cart`, `pass map`,
            and for the gold `take 1`, `take 2`, `take 3` (a decision even when only one value is left)

Options, after B9: gold_cards="players" or "miners" (B9.1), goals="curves" or "crosses" (B9.9).

Rulings of this file where the page is silent are marked OPEN.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

N_ROUNDS = 3
START = (0, 0)
GOAL_CELLS = {"left": (8, -2), "middle": (8, 0), "right": (8, 2)}
TOOLS = ["pickaxe", "lantern", "cart"]
GOLD = {1: 16, 2: 8, 3: 4}
SHARES = {1: 4, 2: 3, 3: 3, 4: 2}  # B7: saboteurs in play -> gold for each

# B2: players -> saboteur cards, miner cards, hand size
TABLE = {
    3: (1, 3, 6),
    4: (1, 4, 6),
    5: (2, 4, 6),
    6: (2, 5, 5),
    7: (3, 5, 5),
    8: (3, 6, 4),
    9: (3, 7, 4),
    10: (4, 7, 4),
}

# A3: tile number -> how many, open sides, whether the centre is open
TUNNELS = {
    "0": (4, "NS", True),
    "1": (1, "NS", False),
    "2": (1, "NES", False),
    "3": (1, "NE", False),
    "4": (1, "E", True),
    "5": (4, "ES", True),
    "6": (5, "NSW", True),
    "7": (5, "NE", True),
    "8": (5, "NESW", True),
    "9": (5, "ESW", True),
    "10": (3, "EW", True),
    "11": (1, "ESW", False),
    "12": (1, "N", True),
    "13": (1, "NESW", False),
    "14": (1, "NW", False),
    "15": (1, "EW", False),
}

# OPEN: the page does not say whether y grows north or south.
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
FACING = {"N": "S", "E": "W", "S": "N", "W": "E"}


def turn(sides: str) -> str:
    """Turn open sides by 180 degrees; the answer is in the order N, E, S, W."""
    return "".join(side for side in "NESW" if FACING[side] in sides)


def build_faces() -> dict[str, tuple[str, bool]]:
    """Give open sides and centre of the start card and of every tunnel as it can lie, such as "7f"."""
    faces = {"start": ("NESW", True)}
    for number, (_, sides, is_open) in TUNNELS.items():
        faces[number] = sides, is_open
        if turn(sides) != sides:
            faces[number + "f"] = turn(sides), is_open
    return faces


FACES = build_faces()


def full_deck() -> Counter[str]:
    """Count the 40 tunnels and 27 actions (B1)."""
    cards = Counter({f"path {number}": count for number, (count, _, _) in TUNNELS.items()})
    for tool in TOOLS:
        cards[f"break {tool}"] = 3
        cards[f"repair {tool}"] = 2
    for first, second in combinations(TOOLS, 2):
        cards[f"repair {first}/{second}"] = 1
    cards["rockfall"] = 3
    cards["map"] = 6
    return cards


def goal_cards(goals: str) -> Counter[str]:
    """Count the goal cards (B1); with crosses the two stones are the same (B9.9)."""
    return Counter(["treasure", "stone", "stone"] if goals == "crosses" else ["treasure", "stone NE", "stone NW"])


def beside(cell: tuple[int, int], side: str) -> tuple[int, int]:
    """Give the neighbour cell on this side."""
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]


def exact_payment(stock: Counter[int], amount: int) -> list[int] | None:
    """Find gold cards of exactly this value in a stock, as many large ones as possible; None if there are none."""
    for threes in range(min(stock[3], amount // 3), -1, -1):
        for twos in range(min(stock[2], (amount - 3 * threes) // 2), -1, -1):
            ones = amount - 3 * threes - 2 * twos
            if ones <= stock[1]:
                return [3] * threes + [2] * twos + [1] * ones
    return None


class Saboteur:
    """One game of three rounds, changed in place by `play`."""

    def __init__(self, players: int, *, gold_cards: str = "players", goals: str = "curves"):
        if players not in TABLE or gold_cards not in ("players", "miners") or goals not in ("curves", "crosses"):
            raise ValueError(f"no such game: {players} players, {gold_cards=}, {goals=}")
        self.players, self.gold_cards, self.goal_style = players, gold_cards, goals
        self.seats = list(range(players))
        self.gold_supply = Counter(GOLD)
        self.gold = [Counter() for _ in self.seats]  # cards held, by value
        self.round = 1
        self.ply = 0
        self.round_results: list[str] = []  # "miners" or "saboteurs"
        self.lay_out()
        self.phase = "start"
        self.turn: int | None = None

    def lay_out(self) -> None:
        """Collect all cards but the gold for a new round (B3, B7)."""
        n_saboteurs, n_miners, _ = TABLE[self.players]
        self.role_deck = Counter({"miner": n_miners, "saboteur": n_saboteurs})
        self.roles: list[str] = []
        self.goal_deck = goal_cards(self.goal_style)
        self.goals: dict[str, str] = {}  # place -> goal card
        self.face_up: dict[str, str] = {}  # place -> open sides as it lies; only goals turned face up
        self.seen: list[set[str]] = [set() for _ in self.seats]  # places looked at with a map
        self.pile = full_deck()
        self.hands: list[Counter[str]] = [Counter() for _ in self.seats]
        self.board = {START: "start"}  # the start card and the tunnels, not the goals
        self.broken: list[set[str]] = [set() for _ in self.seats]
        self.discards: Counter[str] = Counter()
        self.offer: Counter[int] = Counter()  # gold cards the miners choose from
        self.phase = "roles"

    def copy(self) -> Saboteur:
        """Give an independent copy."""
        return copy.deepcopy(self)

    # ---- what may happen now

    def to_move(self) -> int | str | None:
        """Name the seat to move, or "chance", or None when the game is over."""
        if self.phase == "over":
            return None
        return self.turn if self.phase in ("move", "take") else "chance"

    def outcomes(self) -> dict[str, int]:
        """List what chance may do now with its weights; nothing unless it is chance's turn."""
        if self.phase == "start":
            return {f"start {seat}": 1 for seat in self.seats}  # B9.11
        if self.phase == "gold":
            return {f"gold {value}": self.gold_supply[value] for value in (1, 2, 3) if self.gold_supply[value]}
        decks = {"roles": self.role_deck, "goals": self.goal_deck, "deal": self.pile, "draw": self.pile}
        deck = decks.get(self.phase, {})
        return {card: deck[card] for card in sorted(deck) if deck[card] > 0}

    def moves(self) -> list[str]:
        """List every legal move once (B4), or every gold card that may be taken (B7), sorted as text."""
        if self.phase == "take":
            return [f"take {value}" for value in (1, 2, 3) if self.offer[value]]
        if self.phase != "move":
            return []
        hand = [card for card in self.hands[self.turn] if self.hands[self.turn][card] > 0]
        moves = [f"pass {card}" for card in hand]
        for card in hand:
            moves += self.moves_with(card)
        assert len(moves) == len(set(moves))
        return sorted(moves)

    def moves_with(self, card: str) -> list[str]:
        """List the ways to play this card, passing aside (B4, B6)."""
        kind, _, what = card.partition(" ")
        if kind == "path":
            return self.placements(what)
        if kind == "break":  # B9.5: never on yourself
            return [f"break {s} {what}" for s in self.seats if s != self.turn and what not in self.broken[s]]
        if kind == "repair":
            tail = f" with {what}" if "/" in what else ""
            mends = [(seat, tool) for seat in self.seats for tool in what.split("/") if tool in self.broken[seat]]
            return [f"repair {seat} {tool}{tail}" for seat, tool in mends]
        if kind == "rockfall":
            return [f"rockfall at {x},{y}" for x, y in self.board if (x, y) != START]
        return [f"map {place}" for place in GOAL_CELLS if place not in self.face_up]  # B9.7

    def placements(self, number: str) -> list[str]:
        """List where a tunnel card may be placed; any broken tool forbids it (B4)."""
        if self.broken[self.turn]:
            return []
        joined = self.joined()
        free = {beside(cell, side) for cell in joined for side in "NESW"} - set(self.board) - set(GOAL_CELLS.values())
        return [
            f"path {name} at {x},{y}"
            for name in (number, number + "f")
            for x, y in free
            if name in FACES and self.fits(name, (x, y), joined)
        ]

    def fits(self, name: str, cell: tuple[int, int], joined: set[tuple[int, int]]) -> bool:
        """Tell whether a tunnel card so turned may be placed on this free cell (B5)."""
        sides, _ = FACES[name]
        is_joined = False
        for side in "NESW":
            neighbour = beside(cell, side)
            face = self.face_at(neighbour)
            if face is None:  # nothing there, or a face-down goal: it need not match
                continue
            there, is_open_centre = face
            if (side in sides) != (FACING[side] in there):
                return False
            if side in sides and neighbour in joined and is_open_centre:
                is_joined = True
        return is_joined

    def face_at(self, cell: tuple[int, int]) -> tuple[str, bool] | None:
        """Give open sides and centre of the face-up card on a cell; None if there is none."""
        if cell in self.board:
            return FACES[self.board[cell]]
        for place, sides in self.face_up.items():
            if GOAL_CELLS[place] == cell:
                return sides, True
        return None

    def joined(self) -> set[tuple[int, int]]:
        """Find the face-up cards that an unbroken path from the start arrives at (B5).

        Dead-end cards are among them, but no path goes on from a blocked centre.
        """
        joined, to_visit = {START}, [START]
        while to_visit:
            cell = to_visit.pop()
            sides, is_open_centre = self.face_at(cell)
            for side in sides if is_open_centre else "":
                neighbour = beside(cell, side)
                face = self.face_at(neighbour)
                if neighbour not in joined and face is not None and FACING[side] in face[0]:
                    joined.add(neighbour)
                    to_visit.append(neighbour)
        return joined

    # ---- what happens

    def play(self, text: str) -> None:
        """Carry out a move, or an outcome when it is chance's turn."""
        if text not in (self.outcomes() if self.to_move() == "chance" else self.moves()):
            raise ValueError(f"not possible in phase {self.phase!r}: {text!r}")
        steps = {
            "start": self.choose_starter,
            "roles": self.deal_role,
            "goals": self.lay_goal,
            "deal": self.deal_card,
            "move": self.make_move,
            "draw": self.draw_card,
            "gold": self.offer_gold,
            "take": self.take_gold,
        }
        steps[self.phase](text)

    def choose_starter(self, text: str) -> None:
        """Settle who starts round 1."""
        self.turn = int(text.split()[1])
        self.phase = "roles"

    def deal_role(self, role: str) -> None:
        """Deal the next seat its role; one card stays in `role_deck`, laid aside (B2)."""
        self.role_deck[role] -= 1
        self.roles.append(role)
        if len(self.roles) == self.players:
            self.phase = "goals"

    def lay_goal(self, card: str) -> None:
        """Lay the next goal face down: left, middle, right (B3)."""
        self.goal_deck[card] -= 1
        self.goals[list(GOAL_CELLS)[len(self.goals)]] = card
        if len(self.goals) == len(GOAL_CELLS):
            self.phase = "deal"

    def deal_card(self, card: str) -> None:
        """Deal one card to the next seat, seat 0 first, round and round (B3)."""
        n_dealt = sum(hand.total() for hand in self.hands)
        self.pile[card] -= 1
        self.hands[n_dealt % self.players][card] += 1
        if n_dealt + 1 == self.players * TABLE[self.players][2]:
            self.phase = "move"

    def draw_card(self, card: str) -> None:
        """Draw at the end of the turn (B4)."""
        self.pile[card] -= 1
        self.hands[self.turn][card] += 1
        self.next_turn()

    def make_move(self, text: str) -> None:
        """Carry out one turn up to the draw (B4, B5, B6)."""
        self.ply += 1
        words = text.split()
        actions = {"path": self.build, "break": self.break_tool, "repair": self.repair_tool, "rockfall": self.cave_in}
        if words[0] == "pass":
            self.discard_from_hand(text.removeprefix("pass "))
        elif words[0] == "map":
            self.discard_from_hand("map")
            self.seen[self.turn].add(words[1])
        else:
            actions[words[0]](words)
        if "treasure" in [self.goals[place] for place in self.face_up]:
            self.miners_win()  # OPEN: at once, nothing is drawn any more
        elif self.pile.total() > 0:
            self.phase = "draw"
        else:
            self.next_turn()

    def discard_from_hand(self, card: str) -> None:
        """Move a card of the seat to move to the discards."""
        self.hands[self.turn][card] -= 1
        self.discards[card] += 1

    def build(self, words: list[str]) -> None:
        """Place a tunnel card, `path 7f at x,y`, and turn the goals it reaches (B5)."""
        self.hands[self.turn]["path " + words[1].removesuffix("f")] -= 1
        cell = tuple(int(number) for number in words[3].split(","))
        self.board[cell] = words[1]
        self.turn_goals(cell)

    def turn_goals(self, placed: tuple[int, int]) -> None:
        """Turn every goal that a path from the start now reaches face up (B5)."""
        while True:
            entries = {place: self.entries(place) for place in GOAL_CELLS if place not in self.face_up}
            reached = [place for place in entries if entries[place]]
            for place in reached:
                # B9.14: a stone turns to the card just placed, failing that to the first side in order.
                facing_placed = [side for side in entries[place] if beside(GOAL_CELLS[place], side) == placed]
                entry = (facing_placed + entries[place])[0]
                self.face_up[place] = self.lie(self.goals[place], entry)
            if not reached:
                return

    def entries(self, place: str) -> list[str]:
        """List the sides of a goal at which a path from the start arrives, in the order N, E, S, W."""
        joined, entries = self.joined(), []
        for side in "NESW":
            neighbour = beside(GOAL_CELLS[place], side)
            if neighbour in joined:
                sides, is_open_centre = self.face_at(neighbour)
                if is_open_centre and FACING[side] in sides:
                    entries.append(side)
        return entries

    def lie(self, card: str, entry: str) -> str:
        """Give the open sides of a goal card turned so that it joins a path at this side (B5, B9.10)."""
        if card == "treasure" or self.goal_style == "crosses":
            return "NESW"
        sides = card.removeprefix("stone ")
        return sides if entry in sides else turn(sides)

    def break_tool(self, words: list[str]) -> None:
        """Put a broken tool in front of a seat, `break SEAT TOOL`; the card lies there (B6)."""
        self.hands[self.turn][f"break {words[2]}"] -= 1
        self.broken[int(words[1])].add(words[2])

    def repair_tool(self, words: list[str]) -> None:
        """Mend a tool, `repair SEAT TOOL` or `repair SEAT TOOL with TOOL/TOOL`; both cards go (B6)."""
        self.discard_from_hand("repair " + (words[4] if "with" in words else words[2]))
        self.broken[int(words[1])].remove(words[2])
        self.discards[f"break {words[2]}"] += 1

    def cave_in(self, words: list[str]) -> None:
        """Remove a tunnel card, `rockfall at x,y`; both cards go (B6)."""
        self.discard_from_hand("rockfall")
        cell = tuple(int(number) for number in words[2].split(","))
        self.discards["path " + self.board.pop(cell).removesuffix("f")] += 1

    def next_turn(self) -> None:
        """Hand over clockwise, past seats with no cards; with no cards left the saboteurs win (B4, B7)."""
        for distance in range(1, self.players + 1):
            seat = (self.turn + distance) % self.players
            if self.hands[seat].total() > 0:
                self.turn = seat
                self.phase = "move"
                return
        self.saboteurs_win()

    # ---- the end of a round

    def miners_win(self) -> None:
        """Settle how many gold cards are drawn and who chooses first (B7, B9.1)."""
        self.round_results.append("miners")
        self.last_seat = self.turn
        n_miners = self.roles.count("miner")
        self.n_offered = min(9, self.players) if self.gold_cards == "players" else n_miners
        if self.roles[self.turn] != "miner":
            self.turn = self.next_miner(self.turn)
        self.phase = "gold"

    def next_miner(self, seat: int) -> int:
        """Find the first miner counter-clockwise from a seat."""
        seat = (seat - 1) % self.players
        while self.roles[seat] != "miner":
            seat = (seat - 1) % self.players
        return seat

    def offer_gold(self, text: str) -> None:
        """Draw one more gold card for the miners to choose from."""
        value = int(text.split()[1])
        self.gold_supply[value] -= 1
        self.offer[value] += 1
        if self.offer.total() == self.n_offered:
            self.phase = "take"

    def take_gold(self, text: str) -> None:
        """Take one gold card and pass the rest to the next miner, until all are gone (B7)."""
        value = int(text.split()[1])
        self.offer[value] -= 1
        self.gold[self.turn][value] += 1
        self.ply += 1
        if self.offer.total() > 0:
            self.turn = self.next_miner(self.turn)
        else:
            self.next_round()

    def saboteurs_win(self) -> None:
        """Pay every saboteur (B7). OPEN: in the order of seats 0, 1, .. n-1."""
        self.round_results.append("saboteurs")
        self.last_seat = self.turn
        n_saboteurs = self.roles.count("saboteur")
        for seat in self.seats:
            if self.roles[seat] == "saboteur":
                self.pay(seat, SHARES[n_saboteurs])
        self.next_round()

    def pay(self, seat: int, amount: int) -> None:
        """Pay a saboteur from the supply, with an exchange if need be, or the nearest lower sum (B9.8)."""
        for total in range(amount, 0, -1):
            for returned in self.returns(seat):
                cards = exact_payment(self.gold_supply, total + sum(returned))
                if cards is not None:
                    self.gold_supply = self.gold_supply - Counter(cards) + Counter(returned)
                    self.gold[seat] = self.gold[seat] - Counter(returned) + Counter(cards)
                    return

    def returns(self, seat: int) -> list[tuple[int, ...]]:
        """List the sets of held gold cards a seat might hand back, the empty set first.

        OPEN: fewest cards first, then the lowest value.
        """
        held = sorted(self.gold[seat].elements())
        sets = {chosen for size in range(len(held) + 1) for chosen in combinations(held, size)}
        return sorted(sets, key=lambda chosen: (len(chosen), sum(chosen), chosen))

    def next_round(self) -> None:
        """Go on with the seat left of the one who played the last card, or end the game (B8).

        OPEN: a card passed face down counts as played here.
        """
        if self.round == N_ROUNDS:
            self.phase = "over"
            return
        self.round += 1
        self.turn = (self.last_seat + 1) % self.players
        self.lay_out()

    # ---- what came of it

    def scores(self) -> list[int]:
        """Give the gold of every seat so far."""
        return [sum(value * count for value, count in gold.items()) for gold in self.gold]

    def ranks(self) -> list[int] | None:
        """Give the place of every seat, 1 for most gold; equal gold shares the better place (B8)."""
        if self.phase != "over":
            return None
        scores = self.scores()
        return [1 + len([other for other in scores if other > score]) for score in scores]

    def result(self) -> dict | None:
        """Give ranks, gold and who won each round once the game is over."""
        if self.phase != "over":
            return None
        return {"ranks": self.ranks(), "scores": self.scores(), "rounds": list(self.round_results)}

    def snapshot(self) -> dict:
        """Give everything there is to know, hidden things included, in plain types without zero counts.

        After round 3 the table stays as it lay when the round ended.
        """
        return {
            "round": self.round,
            "phase": self.phase,
            "to_move": self.to_move(),
            "turn": self.turn,  # who moves, draws or takes; in setup: who will start the round
            "ply": self.ply,  # moves and takes so far, over all rounds
            "board": dict(self.board),  # (x, y) -> "start" or the card as it lies, such as "7f"
            "goals": dict(self.goals),  # place -> goal card
            "face_up": dict(self.face_up),  # place -> open sides as it lies, in the order N, E, S, W
            "known": [sorted(places) for places in self.seen],  # looked at with a map this round
            "roles": list(self.roles),
            "aside": list(self.role_deck.elements()) if len(self.roles) == self.players else [],
            "hands": [dict(+hand) for hand in self.hands],
            "pile": dict(+self.pile),
            "discards": dict(+self.discards),
            "broken": [[tool for tool in TOOLS if tool in tools] for tools in self.broken],
            "offer": dict(+self.offer),
            "gold": [dict(+gold) for gold in self.gold],
            "gold_supply": dict(+self.gold_supply),
            "scores": self.scores(),
            "round_results": list(self.round_results),
            "ranks": self.ranks(),
        }


# ---- self-check


def check(game: Saboteur) -> None:
    """Assert what must hold after every event."""
    cards = game.pile + game.discards
    for seat in game.seats:
        cards += game.hands[seat] + Counter(f"break {tool}" for tool in game.broken[seat])
    cards += Counter("path " + name.removesuffix("f") for cell, name in game.board.items() if cell != START)
    assert cards == full_deck()
    assert cards.total() == 67
    assert sum(game.gold, game.offer + game.gold_supply) == Counter(GOLD)
    n_saboteurs, n_miners, hand_size = TABLE[game.players]
    roles = Counter(game.roles) + game.role_deck
    assert roles == Counter({"miner": n_miners, "saboteur": n_saboteurs})
    assert all(hand.total() <= hand_size for hand in game.hands)
    check_board(game)
    if game.phase == "move":
        assert game.roles.count("saboteur") in (n_saboteurs - 1, n_saboteurs)
        assert game.pile.total() == 0 or all(hand.total() == hand_size for hand in game.hands)
        assert game.moves()
        assert "treasure" not in [game.goals[place] for place in game.face_up]
    if game.phase == "over":
        assert len(game.round_results) == N_ROUNDS
        assert min(game.ranks()) == 1


def check_board(game: Saboteur) -> None:
    """Assert that tunnels match, that no path leads to a face-down goal, and the bounds of B9.15."""
    cells = [*game.board, *GOAL_CELLS.values()]
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    assert not set(game.board) & set(GOAL_CELLS.values())
    assert min(xs) >= -21
    assert min(ys) >= -22
    assert max(ys) <= 22
    assert max(xs) - min(xs) < 30
    assert max(ys) - min(ys) < 26
    for cell, name in game.board.items():
        for side in "NESW":
            neighbour = beside(cell, side)
            if neighbour in game.board:  # only goals may mismatch
                assert (side in FACES[name][0]) == (FACING[side] in FACES[game.board[neighbour]][0])
    for place in GOAL_CELLS:
        assert place in game.face_up or not game.entries(place)


def check_page() -> None:
    """Assert the numbers that B1, B2 and B3 state."""
    cards = full_deck()
    kinds = Counter(card.split()[0] + ("/" if "/" in card else "") for card in cards.elements())
    assert kinds == {"path": 40, "break": 9, "repair": 6, "repair/": 3, "rockfall": 3, "map": 6}
    assert sum(GOLD.values()) == 28
    assert sum(value * count for value, count in GOLD.items()) == 44
    assert 1 + 3 + 40 + 27 + 28 + 11 == 110
    assert max(s for s, _, _ in TABLE.values()) + max(m for _, m, _ in TABLE.values()) == 11
    fewer = ["1/4", "1/5", "1/3", "2/7", "3/8", "1/3", "3/10", "4/11"]
    for (players, (n_saboteurs, n_miners, _)), chance in zip(TABLE.items(), fewer, strict=True):
        assert n_saboteurs + n_miners == players + 1
        assert chance_of_fewer(Counter(miner=n_miners, saboteur=n_saboteurs)) == Fraction(chance)
    ends = {way: sum(n for n, sides, c in TUNNELS.values() if c and set(way) <= set(sides)) for way in ("EW", "NS")}
    turns = {"EW": 14, "NS": 14}  # cards that can only turn off that line: 5, 6, 7 and 5, 7, 9
    assert (2 * ends["EW"] + turns["EW"] + 2) // 2 == 21
    assert (2 * ends["NS"] + turns["NS"] + 2) // 2 == 22


def chance_of_fewer(deck: Counter[str]) -> Fraction:
    """Deal roles one by one until one is left; give the chance that it is a saboteur."""
    if deck.total() == 1:
        return Fraction(deck["saboteur"])
    dealt = [(Fraction(deck[role], deck.total()), deck - Counter([role])) for role in deck if deck[role]]
    return sum(weight * chance_of_fewer(rest) for weight, rest in dealt)


def eager_choice(game: Saboteur, moves: list[str], rng: random.Random) -> str:
    """Dig towards a face-down goal where possible, so that goals are reached in self-checks."""

    def distance(move: str) -> int:
        """Count the steps from the cell of a placement to the nearest face-down goal."""
        x, y = (int(number) for number in move.split()[3].split(","))
        goals = [cell for place, cell in GOAL_CELLS.items() if place not in game.face_up]
        return min(abs(x - gx) + abs(y - gy) for gx, gy in goals)

    digs = [m for m in moves if m.startswith("path") and FACES[m.split()[1]][1] and len(FACES[m.split()[1]][0]) > 1]
    if digs and rng.random() < 0.9:
        nearest = min(distance(move) for move in digs)
        return rng.choice([move for move in digs if distance(move) == nearest])
    return rng.choice(moves)


def play_random_game(players: int, seed: int, eager: bool, **options: str) -> tuple[Saboteur, list[int], Counter[str]]:
    """Play one game at random; also give the counts of moves and some things that happened."""
    rng, game, counts, events = random.Random(f"{players} {seed} {eager}"), Saboteur(players, **options), [], Counter()
    while game.to_move() is not None:
        n_face_up = len(game.face_up)
        if game.to_move() == "chance":
            outcomes = game.outcomes()
            game.play(rng.choices(list(outcomes), list(outcomes.values()))[0])
        else:
            moves = game.moves()
            counts.append(len(moves))
            game.play(eager_choice(game, moves, rng) if eager and game.phase == "move" else rng.choice(moves))
        check(game)
        events["stones and treasures turned"] += max(0, len(game.face_up) - n_face_up)
        events["two at once"] += len(game.face_up) - n_face_up == 2
    events.update(game.round_results)
    return game, counts, events


def main() -> None:
    """Check the page's numbers and play 10 random and 5 eager games for each number of players."""
    check_page()
    for eager, n_games in ((False, 10), (True, 5)):
        print("eager play" if eager else "random play")
        for players in TABLE:
            lengths, counts, events, example = [], [], Counter(), None
            for seed in range(n_games):
                options = {"goals": "crosses", "gold_cards": "miners"} if eager and seed == 4 else {}
                game, game_counts, game_events = play_random_game(players, seed, eager, **options)
                lengths.append(game.ply)
                counts += game_counts
                events += game_events
                example = example or game
            print(f"  {players:2} players: plies {min(lengths)} to {max(lengths)},", end=" ")
            print(
                f"moves {min(counts)} to {max(counts)}, mean {sum(counts) / len(counts):.1f}; {dict(events)};", end=" "
            )
            print(f"first game {example.scores()} ranks {example.ranks()}")


if __name__ == "__main__":
    main()
