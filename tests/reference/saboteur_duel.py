"""The McGill COMP 424 duel of Saboteur, written for clarity only.

Nothing here is meant to be fast. It is a yardstick for a faster engine, written from part A of the
rules page alone; "A6" and the like below are its sections.

Seats are the player ids of the logs: **1 moves first**, 0 second. A cell is (row, column), row 0 on top.

Cards       Tile:0 .. Tile:15, Map, Bonus, Destroy, Malus
Outcomes    first where the nugget lies: `nugget 12 3`, `nugget 12 5` or `nugget 12 7`, once each;
            then one card name per event, weighted by the cards left in the deck: 14 events of dealing
            (1, 0, 1, 0, ...), then one draw after each move while the deck lasts
Moves       `Tile:7 11 5 1`, `Tile:7_flip 11 5 1` (row, column, player id), `Map 12 3 1`, `Destroy 6 6 0`,
            `Bonus 0 0 1`, `Malus 0 0 1`, `Drop 3 0 1` (hand index first); tiles that look the same when
            turned have no _flip form

The draw comes before the board is checked (A5), so between a move and its draw nothing new is revealed,
and a winner draws a card before the game is over.
"""

from __future__ import annotations

import copy
import random
import sys
from collections import Counter

SIZE = 14  # A9.1: rows and columns 0 to 13
ENTRANCE = (5, 5)
OBJECTIVES = [(12, 3), (12, 5), (12, 7)]
HAND_SIZE = 7
SEATS = (1, 0)  # in turn order

# A3: how many, and the grid with its top line first.
TILES = {
    "0": (4, ".#. .#. .#."),
    "1": (1, ".#. ... .#."),
    "2": (1, ".#. ..# .#."),
    "3": (1, ".#. ..# ..."),
    "4": (1, "... .## ..."),
    "5": (4, "... .## .#."),
    "6": (5, ".#. ##. .#."),
    "7": (5, ".#. .## ..."),
    "8": (5, ".#. ### .#."),
    "9": (5, "... ### .#."),
    "10": (3, "... ### ..."),
    "11": (1, "... #.# .#."),
    "12": (1, ".#. .#. ..."),
    "13": (1, ".#. #.# .#."),
    "14": (1, ".#. #.. ..."),
    "15": (1, "... #.# ..."),
}
CROSS = ".#. ### .#."
ACTIONS = {
    "standard": {"Map": 6, "Bonus": 4, "Destroy": 3, "Malus": 2},  # 55 cards
    "53": {"Map": 4, "Bonus": 4, "Destroy": 3, "Malus": 2},  # programs from before 23 March 2020
}

STEP = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
FACING = {"N": "S", "E": "W", "S": "N", "W": "E"}


def turned(grid: str) -> str:
    """Turn a grid by 180 degrees: read it backwards."""
    return grid[::-1]


def open_sides(grid: str) -> str:
    """Name the sides where a grid has a tunnel, in the order N, E, S, W."""
    top, middle, bottom = grid.split()
    at_side = {"N": top[1], "E": middle[2], "S": bottom[1], "W": middle[0]}
    return "".join(side for side in "NESW" if at_side[side] == "#")


def open_centre(grid: str) -> bool:
    """Tell whether tunnels pass through the middle of a grid."""
    return grid.split()[1][1] == "#"


def build_grids() -> dict[str, str]:
    """Give the grid of every tile as it can lie on the board, under its name in the logs."""
    grids = {"Entrance": CROSS}
    for number, (_, grid) in TILES.items():
        grids[f"Tile:{number}"] = grid
        if turned(grid) != grid:
            grids[f"Tile:{number}_flip"] = turned(grid)
    return grids


GRIDS = build_grids()
SIDES = {grid: open_sides(grid) for grid in GRIDS.values()}  # looked up often, so worked out once


def full_deck(deck: str) -> Counter[str]:
    """Count the cards of the whole deck (A3): "standard" has 55 cards, "53" has two Maps fewer."""
    cards = Counter({f"Tile:{number}": count for number, (count, _) in TILES.items()})
    cards.update(ACTIONS[deck])
    return cards


def beside(cell: tuple[int, int], side: str) -> tuple[int, int]:
    """Give the neighbour cell on this side, which may be off the board."""
    return cell[0] + STEP[side][0], cell[1] + STEP[side][1]


def on_board(cell: tuple[int, int]) -> bool:
    """Tell whether a cell lies on the 14 x 14 board."""
    return 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE


class SaboteurDuel:
    """One game, changed in place by `play`."""

    def __init__(self, deck: str = "standard"):
        self.deck_name = deck
        self.deck = full_deck(deck)  # cards not drawn yet; their order is not fixed
        self.hands: dict[int, list[str]] = {1: [], 0: []}  # in order, new cards at the end (A9.6)
        self.board = {ENTRANCE: "Entrance"}  # the entrance and the tiles, not the objectives
        self.gone: Counter[str] = Counter()  # played, dropped and destroyed cards
        self.nugget: tuple[int, int] | None = None
        self.revealed: set[tuple[int, int]] = set()  # objectives both players know
        self.seen: dict[int, set[tuple[int, int]]] = {1: set(), 0: set()}  # looked at with a Map
        self.malus = {1: 0, 0: 0}
        self.phase = "nugget"  # then "deal", "move", "draw" in turn, at last "over"
        self.turn = 1  # who moves, or who receives the next card
        self.ply = 0
        self.winner: int | None = None

    def copy(self) -> SaboteurDuel:
        """Give an independent copy."""
        return copy.deepcopy(self)

    # ---- what may happen now

    def to_move(self) -> int | str | None:
        """Name the player id to move, or "chance", or None when the game is over."""
        if self.phase == "over":
            return None
        return self.turn if self.phase == "move" else "chance"

    def outcomes(self) -> dict[str, int]:
        """List what chance may do now with its weights; nothing unless it is chance's turn."""
        if self.phase == "nugget":
            return {f"nugget {row} {column}": 1 for row, column in OBJECTIVES}
        if self.phase in ("deal", "draw"):
            return {card: self.deck[card] for card in sorted(self.deck) if self.deck[card] > 0}
        return {}

    def moves(self) -> list[str]:
        """List every legal move once (A5), sorted as text."""
        if self.phase != "move":
            return []
        moves = set(self.drops())
        for card in set(self.hands[self.turn]):
            moves.update(self.moves_with(card))
        return sorted(moves)

    def drops(self) -> list[str]:
        """List the drops: any hand index, always (A5)."""
        return [f"Drop {index} 0 {self.turn}" for index in range(len(self.hands[self.turn]))]

    def moves_with(self, card: str) -> list[str]:
        """List the ways to play this card, dropping aside (A5)."""
        me = self.turn
        if card == "Bonus":
            return [f"Bonus 0 0 {me}"] if self.malus[me] > 0 else []
        if card == "Malus":
            return [f"Malus 0 0 {me}"]
        if card == "Map":
            return [f"Map {row} {column} {me}" for row, column in OBJECTIVES if (row, column) not in self.revealed]
        if card == "Destroy":
            return [f"Destroy {row} {column} {me}" for row, column in self.board if (row, column) != ENTRANCE]
        return self.placements(card)

    def placements(self, card: str) -> list[str]:
        """List where a tile and its flip may be placed; a Malus blocks this and only this."""
        if self.malus[self.turn] > 0:
            return []
        moves = []
        for row, column in self.free_cells():
            for name in (card, card + "_flip"):
                if name in GRIDS and self.fits(name, (row, column)):
                    moves.append(f"{name} {row} {column} {self.turn}")
        return moves

    def free_cells(self) -> list[tuple[int, int]]:
        """List the empty cells of the board that touch a tile, the entrance or a revealed objective."""
        around = {beside(cell, side) for cell in [*self.board, *self.revealed] for side in "NESW"}
        return sorted(c for c in around if on_board(c) and c not in self.board and c not in OBJECTIVES)

    def fits(self, name: str, cell: tuple[int, int]) -> bool:
        """Tell whether a tile so turned may be placed on this free cell (A6)."""
        is_joined = False
        for side in "NESW":
            neighbour = beside(cell, side)
            if neighbour not in self.board and neighbour not in self.revealed:
                continue  # off the board, empty or an unrevealed objective
            is_open_here = side in SIDES[GRIDS[name]]
            is_open_there = FACING[side] in SIDES[self.grid_at(neighbour)]
            if is_open_here != is_open_there:
                return False
            if is_open_here:
                is_joined = True
        return is_joined

    def grid_at(self, cell: tuple[int, int]) -> str:
        """Give the grid that lies on a cell; objectives are crosses, revealed or not."""
        return CROSS if cell in OBJECTIVES else GRIDS[self.board[cell]]

    def listed_moves(self) -> list[str]:
        """Give the move list of the course's random player, repeats included (A8)."""
        moves = self.drops()
        for card in self.hands[self.turn]:
            for move in self.moves_with(card):
                times = 1
                if card.startswith("Tile:"):
                    _, row, column, _ = move.split()
                    cell = int(row), int(column)
                    around = [beside(cell, side) for side in "NESW"]
                    times = len([c for c in around if c in self.board or c in OBJECTIVES])
                moves.extend([move] * times)
        return sorted(moves)

    # ---- what happens

    def play(self, text: str) -> None:
        """Carry out a move, or an outcome when it is chance's turn."""
        if text not in (self.moves() if self.phase == "move" else self.outcomes()):
            raise ValueError(f"not possible in phase {self.phase!r}: {text!r}")
        if self.phase == "nugget":
            _, row, column = text.split()
            self.nugget = int(row), int(column)
            self.phase = "deal"
        elif self.phase == "deal":
            self.receive(text)
            self.turn = 1 - self.turn
            if len(self.hands[0]) == HAND_SIZE:  # player 0 is dealt the last card
                self.phase = "move"
        elif self.phase == "draw":
            self.receive(text)
            self.finish_turn()
        else:
            self.make_move(text)
            self.ply += 1
            if self.deck.total() > 0:
                self.phase = "draw"
            else:
                self.finish_turn()

    def receive(self, card: str) -> None:
        """Move a card from the deck to the end of the hand of `turn`."""
        self.deck[card] -= 1
        self.hands[self.turn].append(card)

    def make_move(self, text: str) -> None:
        """Carry out the effect of a move (A5)."""
        name, first, second, _ = text.split()
        me, cell = self.turn, (int(first), int(second))
        if name == "Drop":
            self.gone[self.hands[me].pop(int(first))] += 1
            return
        card = name.removesuffix("_flip")
        self.leave_hand(card)
        if card.startswith("Tile:"):
            self.board[cell] = name
            return
        self.gone[card] += 1
        if card == "Bonus":
            self.malus[me] -= 1
        elif card == "Malus":
            self.malus[1 - me] += 1
        elif card == "Map":
            self.seen[me].add(cell)
        elif card == "Destroy":
            self.gone[self.board.pop(cell).removesuffix("_flip")] += 1

    def leave_hand(self, card: str) -> None:
        """Take a card out of the mover's hand: the first equal one (A8)."""
        self.hands[self.turn].remove(card)

    def finish_turn(self) -> None:
        """Check the board and hand over (A7)."""
        self.revealed |= self.reached() & set(OBJECTIVES)
        if self.nugget in self.revealed:
            self.winner = self.turn
            self.phase = "over"
        elif self.deck.total() == 0 and not self.hands[0] and not self.hands[1]:
            self.phase = "over"
        else:
            self.turn = 1 - self.turn
            self.phase = "move"

    def reached(self) -> set[tuple[int, int]]:
        """Find all cells joined to the entrance by tunnels through open centres (A7)."""
        reached, to_visit = {ENTRANCE}, [ENTRANCE]
        while to_visit:
            cell = to_visit.pop()
            for side in SIDES[self.grid_at(cell)]:
                neighbour = beside(cell, side)
                if neighbour in reached or not (neighbour in self.board or neighbour in OBJECTIVES):
                    continue
                grid = self.grid_at(neighbour)
                if FACING[side] in SIDES[grid] and open_centre(grid):
                    reached.add(neighbour)
                    to_visit.append(neighbour)
        return reached

    # ---- what came of it

    def result(self) -> str | None:
        """Give the result as in the logs: "winner 0", "winner 1" or "draw"; None before the end."""
        if self.phase != "over":
            return None
        return "draw" if self.winner is None else f"winner {self.winner}"

    def ranks(self) -> list[int] | None:
        """Give the place of player 0 and of player 1: 1 and 2, or 1 and 1 for a draw."""
        if self.phase != "over":
            return None
        return [1 if self.winner in (None, player) else 2 for player in (0, 1)]

    def snapshot(self) -> dict:
        """Give everything there is to know, hidden things included, in plain types."""
        return {
            "board": dict(self.board),  # (row, column) -> name as in the logs; the entrance is "Entrance"
            "hands": {player: dict(Counter(self.hands[player])) for player in (0, 1)},
            "hand_order": {player: list(self.hands[player]) for player in (0, 1)},
            "deck": {card: count for card, count in self.deck.items() if count > 0},
            "gone": dict(self.gone),
            "goals": {cell: self.nugget and ("nugget" if cell == self.nugget else "plain") for cell in OBJECTIVES},
            "revealed": sorted(self.revealed),
            "known": {player: sorted(self.seen[player]) for player in (0, 1)},  # by Map alone
            "malus": dict(self.malus),
            "phase": self.phase,
            "to_move": self.to_move(),
            "turn": self.turn,  # who moves or receives the next card; the last mover once the game is over
            "ply": self.ply,
            "result": self.result(),
        }


# ---- records


def replay(paragraph: str, game_class: type[SaboteurDuel] = SaboteurDuel) -> SaboteurDuel:
    """Play one paragraph of the public logs through and compare the end with its RESULT line."""
    setup, *moves, result = paragraph.strip().split("\n")
    draws, hand1, hand0, objectives = [p.split(",") for p in setup.removeprefix("BoardInit:").split("-")]
    game = game_class("standard" if (draws + hand1 + hand0).count("Map") == 6 else "53")
    row, column = OBJECTIVES[objectives.index("Tile:nugget")]
    game.play(f"nugget {row} {column}")
    for card1, card0 in zip(hand1, hand0, strict=True):
        game.play(card1)
        game.play(card0)
    for move in moves:
        game.play(move)
        if game.phase == "draw":
            game.play(draws.pop(0))
    if result != f"RESULT {game.result()}":
        raise ValueError(f"the record says {result!r}, the game {game.result()!r}")
    return game


# ---- self-check


def check(game: SaboteurDuel) -> None:
    """Assert what must hold after every event."""
    cards = Counter(game.deck) + Counter(game.gone) + Counter(game.hands[0]) + Counter(game.hands[1])
    cards += Counter(name.removesuffix("_flip") for cell, name in game.board.items() if cell != ENTRANCE)
    assert cards == full_deck(game.deck_name)
    assert all(on_board(cell) and cell not in OBJECTIVES for cell in game.board)
    assert all(0 <= game.malus[player] <= 2 and len(game.hands[player]) <= HAND_SIZE for player in (0, 1))
    for cell, name in game.board.items():
        for side in "NESW":  # tiles always match each other; only objectives may mismatch
            neighbour = beside(cell, side)
            if neighbour in game.board:
                is_open_there = FACING[side] in open_sides(game.grid_at(neighbour))
                assert (side in open_sides(GRIDS[name])) == is_open_there
    if game.phase == "move":
        expected = HAND_SIZE if game.deck.total() else 1
        assert len(game.hands[game.turn]) >= expected
        assert game.moves() == sorted(set(game.listed_moves()))
    if game.phase == "over":
        assert game.ply <= full_deck(game.deck_name).total()
        assert (game.nugget in game.revealed) == (game.winner is not None)
        assert game.winner is not None or game.ply == full_deck(game.deck_name).total()


def play_random_game(
    seed: int, with_repeats: bool, deck: str = "standard"
) -> tuple[SaboteurDuel, list[int], list[int]]:
    """Play one game at random; also give the counts of listed and of different moves each turn."""
    rng, game, listed_counts, counts = random.Random(seed), SaboteurDuel(deck), [], []
    while game.to_move() is not None:
        check(game)
        if game.to_move() == "chance":
            outcomes = game.outcomes()
            game.play(rng.choices(list(outcomes), list(outcomes.values()))[0])
        else:
            listed, moves = game.listed_moves(), game.moves()
            listed_counts.append(len(listed))
            counts.append(len(moves))
            game.play(rng.choice(listed if with_repeats else moves))
    check(game)
    return game, listed_counts, counts


def check_page() -> None:
    """Assert the numbers and flips that A2, A3 and A4 state."""
    flips = {
        "2": (".#. #.. .#.", "NSW"),
        "3": ("... #.. .#.", "SW"),
        "4": ("... ##. ...", "W"),
        "5": (".#. ##. ...", "NW"),
        "6": (".#. .## .#.", "NES"),
        "7": ("... ##. .#.", "SW"),
        "9": (".#. ### ...", "NEW"),
        "11": (".#. #.# ...", "NEW"),
        "12": ("... .#. .#.", "S"),
        "14": ("... ..# .#.", "ES"),
    }
    for number, (_, grid) in TILES.items():
        if number in flips:
            flipped = GRIDS[f"Tile:{number}_flip"]
            assert (flipped, set(open_sides(flipped))) == (flips[number][0], set(flips[number][1]))
        else:
            assert turned(grid) == grid
    assert sum(count for count, _ in TILES.values()) == 40
    through = [n for n, (_, grid) in TILES.items() if open_centre(grid) and len(open_sides(grid)) > 1]
    assert through == ["0", "5", "6", "7", "8", "9", "10"]
    assert sum(TILES[n][0] for n in through) == 31
    assert full_deck("standard").total() == 55
    assert full_deck("53").total() == 53
    game = SaboteurDuel()
    game.play("nugget 12 5")
    while game.phase == "deal":
        game.play(next(iter(game.outcomes())))
    assert game.deck.total() == 41
    assert game.to_move() == 1


def main() -> None:
    """Check the page's numbers, play 200 random games, and replay the logs named on the command line."""
    check_page()
    for with_repeats in (True, False):
        results, lengths, listed_counts, counts = Counter(), [], [], []
        for seed in range(100):
            game, listed, different = play_random_game(seed, with_repeats)
            results[game.result()] += 1
            lengths.append(game.ply)
            listed_counts += listed
            counts += different
        print(f"{'listed' if with_repeats else 'repeat-free'} random play, 100 games: {dict(results)}")
        print(f"  plies {min(lengths)} to {max(lengths)}, mean {sum(lengths) / len(lengths):.2f}")
        print(f"  listed moves {sum(listed_counts) / len(listed_counts):.1f} a turn, most {max(listed_counts)};")
        print(f"  different moves {sum(counts) / len(counts):.1f}, from {min(counts)} to {max(counts)}")
    for path in sys.argv[1:]:
        with open(path) as file:
            games = [replay(paragraph) for paragraph in file.read().strip().split("\n\n")]
        print(f"{path}: {len(games)} games replayed, {dict(Counter(game.result() for game in games))}")
        print(f"  decks {dict(Counter(game.deck_name for game in games))}, {sum(g.ply for g in games)} plies")


if __name__ == "__main__":
    main()
