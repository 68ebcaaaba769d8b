"""Limits of containers: both versions of control groups, nested, absent, and damaged."""

from pathlib import Path

import pytest

from client.machine.sensors.ram import control_group_room, free_ram

V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
V2 = ("memory.max", "memory.current", "inactive_file")


def group(folder: Path, names: tuple[str, str, str], limit: str, usage: int, cache: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / names[0]).write_text(f"{limit}\n")
    (folder / names[1]).write_text(f"{usage}\n")
    (folder / "memory.stat").write_text(f"anon 5\n{names[2]} {cache}\n")


def room(root: Path, membership: str) -> int | None:
    own = root / "own"
    own.write_text(membership)
    return control_group_room(own, root)


@pytest.mark.parametrize(
    ("limit", "usage", "cache", "expected"),
    [
        ("1000", 300, 0, 700),
        ("1000", 300, 100, 800),
        ("1000", 1200, 0, 0),
        ("max", 300, 0, None),
        ("nonsense", 300, 0, None),
    ],
)
@pytest.mark.parametrize(
    ("names", "folder", "membership"),
    [
        (V2, "a/b", "0::/a/b\n"),
        (V2, "", "0::/\n"),
        (V1, "memory/a", "5:cpu:/x\n4:cpuset,memory:/a\n0::/\n"),
        (V1, "memory", "4:memory:/out/of/sight\n"),
    ],
)
def test_room_is_what_the_limit_leaves(
    tmp_path: Path,
    names: tuple[str, str, str],
    folder: str,
    membership: str,
    limit: str,
    usage: int,
    cache: int,
    expected: int | None,
) -> None:
    group(tmp_path / folder, names, limit, usage, cache)
    assert room(tmp_path, membership) == expected


def test_the_tightest_of_nested_groups_counts(tmp_path: Path) -> None:
    group(tmp_path / "a" / "b", V2, "900", 100)
    group(tmp_path / "a", V2, "500", 200)
    group(tmp_path, V2, "max", 900)
    assert room(tmp_path, "0::/a/b\n") == 300


def test_a_group_beside_does_not_count(tmp_path: Path) -> None:
    group(tmp_path / "other", V2, "10", 5)
    assert room(tmp_path, "0::/a\n") is None


def test_without_control_groups_there_is_no_limit(tmp_path: Path) -> None:
    assert control_group_room(tmp_path / "missing", tmp_path) is None


def test_something_is_free_here() -> None:
    assert free_ram() > 0
