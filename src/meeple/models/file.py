"""Models as files: an .npz with the arrays of a model and its header as JSON. No pickle, and no more than is allowed.

An .npz is a zip of .npy files. Each says in its first bytes how large its array is; that is compared with the bytes
which are there, and with MOST_BYTES, before anything is allocated.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meeple.core.game import Game
from meeple.core.numbers import shortened
from meeple.errors import ConfigError, SaveError
from meeple.models.model import Arrays, Header, Layer, Model, checked

FORMAT = 1
HEADER = "header"  # the name of the array that holds the JSON, as bytes
MOST_BYTES = 64 << 20  # of all arrays, unpacked
MOST_ARRAYS = 64
MOST_HEADER = 1 << 20
KINDS = ("int16", "int64", "float64", "uint8")
TEXTS = {"kind", "game", "features", "view", "activation", "squash", "actions"}


def save(model: Model, file: str | Path) -> Path:
    """Write a model: whole, or not at all.

    Raises:
        SaveError: it cannot be written.
    """
    path = Path(file)
    text = json.dumps({"format": FORMAT, **model.header.as_json()}, ensure_ascii=False)
    arrays = {HEADER: np.frombuffer(text.encode(), dtype=np.uint8), **model.arrays}
    spare = path.with_name(f"{path.name}.part")
    try:
        with spare.open("wb") as out:
            np.savez_compressed(out, **arrays)  # type: ignore[arg-type]
        spare.replace(path)
    except OSError as fault:
        raise SaveError(f"the model cannot be saved as '{shortened(str(file))}': {fault.strerror}") from fault
    return path


def load(file: str | Path, game: Game) -> Model:
    """The model in a file, if it is one for this game.

    Raises:
        ConfigError: it cannot be read, is for another game or version, or its shapes do not fit.
    """
    try:
        return checked(game, read(file))
    except ConfigError as fault:
        raise ConfigError(f"{fault} ('{shortened(str(file))}')") from None


def read(file: str | Path) -> Model:
    """The model in a file, whatever game it is for; only `checked` tells whether it may be used."""
    arrays = _arrays(file)
    header = arrays.pop(HEADER, None)
    if header is None or header.dtype != np.uint8:
        raise ConfigError("it is no model: there is no header in it")
    try:
        found = json.loads(header.tobytes().decode())
    except (ValueError, RecursionError):
        raise ConfigError("it is no model: its header is not JSON") from None
    return Model(_header(found), arrays)


def _arrays(file: str | Path) -> Arrays:
    try:
        with zipfile.ZipFile(file) as packed:
            members = packed.infolist()
            if len(members) > MOST_ARRAYS or sum(member.file_size for member in members) > MOST_BYTES:
                raise ConfigError(f"it is no model: more than {MOST_ARRAYS} arrays or {MOST_BYTES >> 20} MiB")
            return {member.filename.removesuffix(".npy"): _array(packed, member) for member in members}
    except (OSError, ValueError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
        raise ConfigError(f"a model cannot be read: {shortened(reason, 200)}") from None


def _array(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """One array; its size is known to be that of the bytes before it is made."""
    with packed.open(member) as source:
        content = source.read(member.file_size + 1)
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ConfigError(f"an array of a model is of a newer format, {version}")
    shape, is_fortran, kind = np.lib.format.read_array_header_1_0(stream)
    n_bytes = len(content) - stream.tell()
    count = 1
    for length in shape:
        count *= int(length)
    if is_fortran or str(kind) not in KINDS or count < 0 or count * kind.itemsize != n_bytes or len(shape) > 4:
        raise ConfigError(f"'{shortened(member.filename)}' is no array of a model: {shortened(str(shape))} {kind}")
    return np.frombuffer(content, dtype=kind, offset=stream.tell()).reshape(shape)


def _header(found: Any) -> Header:
    """The header of plain data, its types checked."""
    if not isinstance(found, dict) or found.pop("format", None) != FORMAT:
        raise ConfigError(f"it is no model of format {FORMAT}")
    known = {each.name for each in fields(Header)}
    if set(found) - known:
        raise ConfigError(f"its header says '{shortened(min(set(found) - known))}', which no model has")
    layers = found.pop("layers", [])
    if not isinstance(layers, list) or not isinstance(found.get("card", {}), dict):
        raise ConfigError("its header has a list of layers, and a card that is an object")
    for name, value in found.items():
        wanted = str if name in TEXTS else dict if name == "card" else int
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise ConfigError(f"its header has {name}={shortened(repr(value))}, which is no {wanted.__name__}")
    try:
        return Header(**found, layers=tuple(Layer(**layer) for layer in layers))
    except TypeError as fault:
        raise ConfigError(f"its header is incomplete: {shortened(str(fault), 200)}") from None
