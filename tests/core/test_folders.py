"""Where data and compiled code are kept, on each system."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest
from platformdirs import macos, unix, windows

from meeple.core import cache
from meeple.core.folders import data_folder, user_folder
from meeple.errors import SaveError

SYSTEMS = {"linux": unix.Unix, "macos": macos.MacOS, "windows": windows.Windows}
# What each system calls the user's folders, below the home folder.
DATA = {"linux": ".local/share/meeple", "macos": "Library/Application Support/meeple", "windows": "Local/meeple"}
CACHE = {"linux": ".cache/meeple", "macos": "Library/Caches/meeple", "windows": "Local/meeple/Cache"}
CHOICES = ("MEEPLE_DATA_DIR", "MEEPLE_CACHE_DIR", "XDG_DATA_HOME", "XDG_CACHE_HOME")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new user's home folder."""
    for name in CHOICES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest, home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of the systems in turn, as platformdirs knows it."""
    name: str = request.param
    monkeypatch.setattr(platformdirs, "PlatformDirs", SYSTEMS[name])
    monkeypatch.setattr(windows, "get_win_folder", {"CSIDL_LOCAL_APPDATA": str(home / "Local")}.__getitem__)
    return name


def test_each_system_keeps_data_and_cache_in_its_own_place(system: str, home: Path) -> None:
    assert user_folder("data") == home / DATA[system]
    assert user_folder("cache") == home / CACHE[system]
    assert data_folder("matches") == home / DATA[system] / "matches"
    assert cache.cache_root.__wrapped__() == home / CACHE[system]


def test_a_folder_of_the_users_choice_comes_first_on_every_system(
    system: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".local/share/meeple").mkdir(parents=True)
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "xdg-data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "xdg-cache"))
    assert data_folder("matches") == home / "xdg-data/meeple/matches"
    assert cache.cache_root.__wrapped__() == home / "xdg-cache/meeple"
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(home / "mine"))
    monkeypatch.setenv("MEEPLE_CACHE_DIR", str(home / "compiled"))
    assert data_folder("matches") == home / "mine/matches"
    assert cache.cache_root.__wrapped__() == home / "compiled"


def test_an_empty_choice_is_none(system: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in CHOICES:
        monkeypatch.setenv(name, "")
    assert data_folder("matches") == home / DATA[system] / "matches"
    assert cache.cache_root.__wrapped__() == home / CACHE[system]


def test_data_of_an_older_meeple_is_found(system: str, home: Path) -> None:
    former = home / ".local/share/meeple/matches/old.jsonl"
    former.parent.mkdir(parents=True)
    former.touch()
    assert (data_folder("matches") / "old.jsonl").exists()


def test_the_systems_own_place_comes_before_that_of_an_older_meeple(system: str, home: Path) -> None:
    for place in (DATA[system], ".local/share/meeple"):
        (home / place).mkdir(parents=True, exist_ok=True)
    assert data_folder("matches") == home / DATA[system] / "matches"


def test_a_user_without_a_home_is_told_what_to_set(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(path: str) -> str:
        return path

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os.path, "expanduser", homeless)  # as it is for a number without a name in a container
    with pytest.raises(SaveError, match="no home folder to keep the data in; set HOME, or MEEPLE_DATA_DIR"):
        data_folder("matches")
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(home))
    assert cache.cache_root.__wrapped__().parent == home  # code goes to the spare folder
    monkeypatch.setenv("MEEPLE_DATA_DIR", str(home / "mine"))
    assert data_folder("matches") == home / "mine/matches"


def test_on_this_system_the_choice_is_platformdirs_own(home: Path) -> None:
    assert user_folder("data") == platformdirs.user_data_path("meeple", appauthor=False)
    assert user_folder("cache") == platformdirs.user_cache_path("meeple", appauthor=False)
