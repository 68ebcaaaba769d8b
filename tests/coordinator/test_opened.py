"""Commands work on the database that is served, or say that they would not."""

from pathlib import Path

import pytest

from coordinator.errors import HomeError
from coordinator.home import Home
from coordinator.opened import mark_of, opened
from tests.coordinator.homes import make_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def test_a_command_without_the_database_s_address_is_refused_where_another_is_served(
    home: Home, tmp_path: Path
) -> None:
    elsewhere = {"DATABASE_URL": f"sqlite:///{tmp_path}/elsewhere.sqlite"}
    with opened(home, elsewhere, to_serve=True):
        pass
    with opened(home, elsewhere) as opened_run:
        assert opened_run.home is home
    with pytest.raises(HomeError, match="another database") as refused, opened(home, {}):
        pass
    assert "DATABASE_URL" in refused.value.remedy
    assert not home.database.exists()
    with opened(home, {}, to_serve=True):
        pass
    with opened(home, {}), pytest.raises(HomeError), opened(home, elsewhere):
        pass


def test_a_home_that_was_never_served_may_be_prepared_and_moved(home: Home, tmp_path: Path) -> None:
    with opened(home, {}):
        pass
    with opened(home, {}, to_serve=True):
        pass
    moved = Home(home.root.rename(tmp_path / "moved"))
    with opened(moved, {}) as opened_run:
        assert opened_run.manifest.contact.title


def test_a_new_password_makes_no_other_database() -> None:
    assert mark_of({"DATABASE_URL": "postgresql://u:old@host/runs"}) == mark_of(
        {"DATABASE_URL": "postgres://u:new@host/runs"}
    )
    assert mark_of({"DATABASE_URL": "postgresql://u:old@host/others"}) != mark_of(
        {"DATABASE_URL": "postgresql://u:old@host/runs"}
    )
