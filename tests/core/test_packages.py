"""What is missing of a set of packages is found in the installation's metadata, and reported in two sentences."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from core.errors import PackagesError
from core.packages import (
    PackageSet,
    listed,
    missing,
    not_installed,
    remedy_of_coordinator,
    remedy_of_trainer,
    require,
)
from tests.blocked_packages import required

REQUIREMENTS = (
    "pydantic<3,>=2.10",
    'jeepney<1,>=0.9; sys_platform == "linux"',
    'torch<3,>=2.10; extra == "trainer"',
    'numpy<2.4,>=1.26; extra == "trainer"',
    'only-on-linux; sys_platform == "linux" and extra == "trainer"',
    "psycopg[binary]<4,>=3.3; extra == 'coordinator'",
    'ruff; extra == "dev"',
)


@pytest.mark.parametrize(
    ("wanted", "there", "found"),
    [
        (PackageSet.TRAINER, {"torch", "numpy"}, ()),
        (PackageSet.TRAINER, {"torch"}, ("numpy",)),
        (PackageSet.TRAINER, set(), ("numpy", "torch")),
        (PackageSet.COORDINATOR, {"torch", "numpy"}, ("psycopg",)),
        (PackageSet.COORDINATOR, {"psycopg"}, ()),
    ],
)
def test_packages_of_a_set_are_missing_until_they_are_there(
    wanted: PackageSet, there: Iterable[str], found: tuple[str, ...]
) -> None:
    assert missing(wanted, lambda: REQUIREMENTS, lambda name: name in set(there)) == found


def test_without_metadata_nothing_is_known_to_be_missing() -> None:
    assert missing(PackageSet.TRAINER, lambda: (), lambda _: False) == ()


def test_the_sets_are_extras_of_the_project() -> None:
    assert {"torch", "hivemind"} <= required(PackageSet.TRAINER) - required("")
    assert {"fastapi", "sqlalchemy"} <= required(PackageSet.COORDINATOR) - required("")


def test_what_needs_missing_packages_is_refused_with_their_names() -> None:
    with pytest.raises(PackagesError) as refused:
        require(*PackageSet, missing=lambda each: ("a", "b") if each is PackageSet.TRAINER else ("c", "d"))
    assert refused.value.what == "This needs packages that are not installed: a, b, c and 1 more."
    assert "make install" in refused.value.remedy
    require(*PackageSet, missing=lambda _: ())


def test_only_a_clone_is_told_to_run_make(tmp_path: Path) -> None:
    remedies = (remedy_of_trainer, remedy_of_coordinator)
    assert "idlebrush setup" in remedy_of_trainer(tmp_path)
    assert not [remedy for remedy in remedies if "make" in remedy(tmp_path)]
    (tmp_path / "pyproject.toml").touch()
    assert all("make install" in remedy(tmp_path) for remedy in remedies)


def test_few_names_are_all_listed() -> None:
    assert listed(("a",)) == "a"
    assert listed(("a", "b", "c")) == "a, b, c"


def test_an_import_that_failed_names_the_package() -> None:
    with pytest.raises(ModuleNotFoundError) as failed:
        __import__("nothing_of_the_kind.inner")
    assert "the package nothing_of_the_kind, which is not installed" in not_installed(failed.value).what
