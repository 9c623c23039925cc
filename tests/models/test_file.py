"""Files of models: there and back, refused in words where they do not fit, found by name."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import Run
from meeple.agents.outside import outside_of
from meeple.agents.registry import load_agent
from meeple.arena.provenance import signature_for
from meeple.core.heuristics import find_heuristic
from meeple.core.registry import load_game
from meeple.errors import ConfigError, SaveError
from meeple.models.file import HEADER, load, read, save
from meeple.models.found import find_file, models_of
from meeple.models.model import Model
from models import nets

GAME = load_game("santorini")
CARD = {"method": "by hand", "seed": 7, "licence": "MIT"}


def with_card(model: Model) -> Model:
    return replace(model, header=replace(model.header, card=CARD))


def contents(file: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the arrays of a file."""
    with np.load(file) as kept:
        arrays = {name: kept[name] for name in kept.files}
    return json.loads(arrays.pop(HEADER).tobytes()), arrays


def write(file: Path, header: Any, arrays: dict[str, Any]) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    np.savez(file, **{HEADER: np.frombuffer(text, dtype=np.uint8)}, **arrays)
    return file


@pytest.mark.parametrize("name", nets.EVERY)
def test_a_model_goes_there_and_back(name: str, tmp_path: Path) -> None:
    model = with_card(nets.EVERY[name](GAME))
    back = load(save(model, tmp_path / "model.npz"), GAME)
    assert back.header == model.header
    assert back.header.card == CARD
    assert {key: array.tolist() for key, array in back.arrays.items()} == {
        key: array.tolist() for key, array in model.arrays.items()
    }


def changed(**changes: Any) -> Any:
    return lambda header, arrays: header.update(changes)


def layer(**changes: Any) -> Any:
    return lambda header, arrays: header["layers"][0].update(changes)


def array(name: str, make: Any) -> Any:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        arrays[name] = make(arrays[name])

    return change


WRONG = {
    "another game": (changed(game="azul"), "is for azul, not for santorini"),
    "other features": (changed(features="cell"), "features 'cell', which santorini has not; did you mean 'cells'"),
    "an old version": (changed(features_version=0), "version 0 of the features 'cells'"),
    "another size": (changed(size=807), r"\(807\), and these are version 1 \(1,241\): train it again"),
    "a newer format": (changed(format=2), "no model of format 1"),
    "an unknown word": (changed(dropout=0.5), "says 'dropout', which no model has"),
    "a text for a number": (changed(hidden="16"), "hidden='16', which is no int"),
    "a truth for a number": (changed(outputs=True), "outputs=True, which is no int"),
    "a card that is none": (changed(card=[]), "a card that is an object"),
    "layers that are none": (changed(layers={}), "a list of layers"),
    "a layer too many words": (layer(stride=2), "header is incomplete"),
    "a negative layer": (layer(n_in=-16), "impossible sizes"),
    "a huge layer": (layer(n_out=10**9), "impossible sizes"),
    "a wide shift": (layer(shift=60), "impossible sizes"),
    "a convolution over cells": (layer(kind="conv", size=3), "over planes alone"),
    "no such layer": (layer(kind="recurrent"), "dense or a convolution, not 'recurrent'"),
    "too many outputs": (changed(outputs=3), "3 outputs"),
    "no layers": (changed(layers=[]), "0 layers"),
    "another activation": (changed(activation="gelu"), "activation of squared, clipped, relu"),
    "another view": (changed(view="all"), "not of 'all'"),
    "another squash": (changed(squash="sigmoid"), "not in 'sigmoid'"),
    "another kind": (changed(kind="forest"), "not 'forest'"),
    "a row shift of its own": (changed(row_shift=3), "shifted by 3"),
    "narrow rows": (array("rows", lambda a: a[:, :8].copy()), "array 'rows' of .* where 1241 x 20 int16"),
    "rows of floats": (array("rows", lambda a: a.astype(float)), "array 'rows' of .* float64"),
    "rows that overflow": (array("rows", lambda a: np.full_like(a, 20_000)), "more than 16 bits hold"),
    "an output that overflows": (array("weights0", lambda a: np.full_like(a, 32_767)), "more than 32 bits hold"),
    "a bias that overflows": (array("biases0", lambda a: np.full_like(a, 2**62)), "too large to be added up"),
    "bytes for weights": (array("rows", lambda a: a.astype(np.float32)), "is no array of a model"),
    "an array too many": (lambda header, arrays: arrays.update(more=np.zeros(3)), "'more' that nothing reads"),
    "an array too few": (lambda header, arrays: arrays.pop("row_bias"), "lacks the array 'row_bias'"),
    "a policy without features": (changed(actions="steps", actions_version=1), "policy over version 1 of 'steps'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_file_that_does_not_fit_is_refused_in_words(case: str, tmp_path: Path) -> None:
    change, said = WRONG[case]
    header, arrays = contents(save(nets.one_hidden(GAME, width=20), tmp_path / "right.npz"))
    change(header, arrays)
    file = write(tmp_path / "wrong.npz", header, arrays)
    with pytest.raises(ConfigError, match=said) as caught:
        find_heuristic(GAME, "EVALUATIONS", f"model@{file}")
    assert "wrong.npz" in str(caught.value)
    assert len(str(caught.value)) < 600


def npy(kind: str, shape: tuple[int, ...], content: bytes) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": np.dtype(kind).str, "fortran_order": False, "shape": shape})
    return out.getvalue() + content


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "cannot be read"),
        (b"PK\x03\x04 nothing more", "cannot be read"),
        ({"header.npy": b"{}"}, "cannot be read"),
        ({"rows.npy": npy("int16", (10**12, 10**6), b"")}, "is no array of a model"),  # would be 2 EB
        ({"rows.npy": npy("int16", (-1,), b"ab")}, "is no array of a model"),
        ({"header.npy": npy("object", (1,), b"cos\nsystem\n")}, "is no array of a model"),
        ({"header.npy": npy("uint8", (9,), b"not json!")}, "header is not JSON"),
        ({"header.npy": npy("uint8", (2,), b"[]")}, "no model of format 1"),
        ({"header.npy": npy("int64", (1,), b"\0" * 8)}, "no header"),
        ({"rows.npy": npy("int16", (1,), b"ab")}, "no header"),
        ({f"{number}.npy": npy("int16", (1,), b"ab") for number in range(65)}, "more than 64 arrays"),
        ({"rows.npy": b"\0" * (65 << 20)}, "or 64 MiB"),  # a kilobyte as it lies there
    ],
)
def test_what_is_no_model_is_refused_before_anything_is_allocated(
    content: bytes | dict[str, bytes], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "strange.npz"
    if isinstance(content, bytes):
        file.write_bytes(content)
    else:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, part in content.items():
                packed.writestr(name, part)
    with pytest.raises(ConfigError, match=said):
        load(file, GAME)


def test_a_model_of_two_seats_is_not_asked_about_more() -> None:
    azul = load_game("azul:players=3")
    from meeple.models.model import checked

    model = nets.one_hidden(GAME)
    with pytest.raises(ConfigError, match="is for santorini, not for azul"):
        checked(azul, model)


def test_models_have_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meeple: Run) -> None:
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(tmp_path / "data"))
    folder = tmp_path / "data" / "models" / "santorini"
    folder.mkdir(parents=True)
    save(with_card(nets.one_hidden(GAME)), folder / "mine.npz")
    (folder / "broken.npz").write_bytes(b"")
    assert {each.name for each in models_of(GAME.definition) if not each.is_shipped} == {"mine", "broken"}
    assert find_file(GAME.definition, "mine") == folder / "mine.npz"
    agent = load_agent("alphabeta:depth=2,evaluation=model@mine", GAME)
    assert agent.spec == "alphabeta:depth=2,evaluation=model@mine"
    with pytest.raises(ConfigError, match=r"no model 'mime'; did you mean 'mine'"):
        load_agent("alphabeta:evaluation=model@mime", GAME)
    with pytest.raises(ConfigError, match="needs a model"):
        load_agent("greedy:evaluation=model", GAME)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_agent("mcts:evaluation=model@./none.npz,cutoff=4", GAME)
    # The command lists it with what it reads, a broken one too, and shows its card.
    listed = meeple("models", "santorini").stdout
    assert "cells 1241 > 16 squared > 1 ratio" in listed
    assert "cannot be read" in listed
    assert "report-planes" in listed
    shown = meeple("models", "show", "santorini/mine").stdout
    assert "by hand" in shown
    assert "MIT" in shown
    assert json.loads(meeple("models", "show", str(folder / "mine.npz"), "--json").stdout)["card"] == CARD
    assert meeple("models", "show").returncode == 2
    assert "cannot be read" in meeple("models", "show", str(folder / "broken.npz")).stderr
    # A store knows a model by its content.
    before = signature_for(GAME, ["alphabeta:evaluation=model@mine"])
    save(nets.one_hidden(GAME, width=8), folder / "mine.npz")
    assert signature_for(GAME, ["alphabeta:evaluation=model@mine"]) != before


def test_a_file_is_named_from_outside_and_a_name_is_not() -> None:
    assert [each.kind for each in outside_of("alphabeta:evaluation=model@./mine.npz", GAME)] == ["file"]
    assert [each.kind for each in outside_of("alphabeta:evaluation=model@../mine", GAME)] == ["file"]
    assert outside_of("alphabeta:evaluation=model@mine", GAME) == []
    assert [each.kind for each in outside_of("alphabeta:evaluation=climb@mine", GAME)] == ["file"]


def test_a_file_is_read_again_where_it_has_changed(tmp_path: Path) -> None:
    file = save(nets.one_hidden(GAME, width=64), tmp_path / "wide.npz")
    first = find_heuristic(GAME, "EVALUATIONS", f"model@{file}")
    assert find_heuristic(GAME, "EVALUATIONS", f"model@{file}") is first
    save(nets.one_hidden(GAME, width=63), file)
    assert find_heuristic(GAME, "EVALUATIONS", f"model@{file}").given()[0].rows.shape[1] == 63


def test_what_cannot_be_saved_is_told(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="cannot be saved"):
        save(nets.weighed(GAME), tmp_path / "no" / "such" / "folder.npz")
    file = save(nets.weighed(GAME), tmp_path / "kept.npz")
    assert read(file).header.kind == "linear"
    assert [each.name for each in tmp_path.iterdir()] == ["kept.npz"]
