"""Compiled code on disk: whose it must be, and what becomes of damage."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lab import EVALUATE, GENERIC, SEARCH, Lab
from meeple.core.cache import KEPT, KernelCache, claim, read_sealed, write_sealed

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and permissions are those of POSIX")


@pytest.fixture
def _open_umask():  # type: ignore[no-untyped-def]
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def another_user(monkeypatch: pytest.MonkeyPatch) -> None:
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)


def toy(lab: Lab) -> None:
    lab.write("rules.py", EVALUATE.format(value=1))
    lab.write("generic.py", GENERIC)


# --- folders and files


@pytest.mark.usefixtures("_open_umask")
def test_folders_and_files_are_made_for_one_user(tmp_path: Path) -> None:
    assert claim(tmp_path / "new") == ""
    assert mode(tmp_path / "new") == 0o700
    assert write_sealed(tmp_path / "new" / "file", b"body")
    assert mode(tmp_path / "new" / "file") == 0o600
    assert bytes(read_sealed(tmp_path / "new" / "file")) == b"body"


def test_a_folder_of_ours_is_closed_to_others(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    assert "others may write there" in claim(tmp_path, mend=False)
    assert mode(tmp_path) == 0o777
    assert claim(tmp_path) == ""
    assert mode(tmp_path) == 0o755


def test_what_another_user_made_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_sealed(tmp_path / "file", b"body")
    another_user(monkeypatch)
    assert "belongs to user" in claim(tmp_path)
    with pytest.raises(ValueError, match="others could have written"):
        read_sealed(tmp_path / "file")


def test_a_file_that_others_may_write_is_refused(tmp_path: Path) -> None:
    write_sealed(tmp_path / "file", b"body")
    (tmp_path / "file").chmod(0o620)
    with pytest.raises(ValueError, match="others could have written"):
        read_sealed(tmp_path / "file")


def test_any_damaged_byte_and_any_other_name_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_sealed(path, b"0123456789")
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(ValueError, match="is damaged"):
            read_sealed(path)
    for part in (whole[:-1], whole[:10], b""):
        path.write_bytes(part)
        with pytest.raises(ValueError, match="is damaged"):
            read_sealed(path)
    path.write_bytes(whole)
    read_sealed(path)
    path.rename(tmp_path / "other")
    with pytest.raises(ValueError, match="is damaged"):
        read_sealed(tmp_path / "other")


def test_code_for_the_newest_values_is_kept(tmp_path: Path) -> None:
    def function() -> None: ...

    cache = KernelCache(function, tmp_path)
    for values in range(KEPT + 2):
        path = tmp_path / f"name-1.types.{values}.entry"
        assert cache._write(path, (values,))
        os.utime(path, (values, values))
    cache._write(tmp_path / "name-1.other.0.entry", (0,))
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == ["name-1.other.0.entry", *(f"name-1.types.{2 + n}.entry" for n in range(KEPT))]


# --- a process


def test_damaged_code_is_compiled_anew(lab: Lab) -> None:
    toy(lab)
    lab.run(SEARCH)
    for place in (0.2, 0.5, 0.8):
        for path in lab.cached():
            content = bytearray(path.read_bytes())
            for byte in range(5):
                content[int(place * len(content)) + byte] ^= 0x55
            path.write_bytes(content)
        assert lab.run(SEARCH)[0] == "100 2"
    assert lab.run(SEARCH)[0] == "100 0"


def test_an_open_umask_does_not_open_the_cache(lab: Lab) -> None:
    toy(lab)
    script = "import os\nos.umask(0)\n" + SEARCH
    assert lab.run(script)[0] == "100 2"
    assert lab.run(script)[0] == "100 0"
    assert {mode(path) for path in lab.cache.rglob("*") if path.is_dir()} == {0o700}
    for path in lab.cached():
        path.chmod(0o666)
    assert lab.run(script)[0] == "100 2"


def test_a_chosen_folder_that_others_may_write_to_is_refused(lab: Lab) -> None:
    toy(lab)
    lab.cache.mkdir()
    lab.cache.chmod(0o770)
    process = lab.start(SEARCH)
    err = process.communicate()[1]
    assert process.returncode == 1
    assert f"ConfigError: compiled code cannot be kept in MEEPLE_CACHE_DIR '{lab.cache}': others may write there" in err
    assert f"chmod go-w '{lab.cache}'" in err


def test_a_squatted_temporary_folder_is_not_used(lab: Lab) -> None:
    toy(lab)
    temporary, trap = lab.folder / "tmp", lab.folder / "trap"
    temporary.mkdir()
    trap.mkdir()
    (temporary / f"meeple-{os.geteuid()}").symlink_to(trap)
    lab.write("no-folder", "")
    places = {"MEEPLE_CACHE_DIR": "", "XDG_CACHE_HOME": str(lab.folder / "no-folder"), "TMPDIR": str(temporary)}
    out, err = lab.run(SEARCH, **places)
    assert out == "100 2"
    assert "can be used for compiled code, so it is compiled again at every start; set MEEPLE_CACHE_DIR" in err
    assert not list(trap.iterdir())
    assert len(list(temporary.iterdir())) == 1  # the folder of that process is gone
    (temporary / f"meeple-{os.geteuid()}").unlink()
    assert lab.run(SEARCH, **places)[0] == "100 2"
    assert lab.run(SEARCH, **places)[0] == "100 0"
