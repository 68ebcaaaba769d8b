"""What a computer may do where no person can be asked: limits from options and variables, and the words for them."""

from collections.abc import Mapping

import pytest

from client.api.errors import PreferenceError
from client.paths import Paths
from client.preferences.preferences import Preferences, RunMode, with_value
from client.unattended.terms import UnattendedTerms, limits_given, unattended_preferences

PATHS = Paths.of_user({"IDLEBRUSH_HOME": "/srv/idlebrush"})


@pytest.mark.parametrize(
    ("options", "environment", "found"),
    [
        ((), {}, {}),
        (("ram-limit=8GiB", "hours = 22:00-07:00"), {}, {"ram_limit": "8GiB", "hours": "22:00-07:00"}),
        ((), {"IDLEBRUSH_PREF_UPLOAD": "2MB/s", "IDLEBRUSH_HOME": "/x"}, {"upload": "2MB/s"}),
        ((), {"IDLEBRUSH_PREF_UPLOAD": ""}, {}),
        (("upload=1MB/s",), {"IDLEBRUSH_PREF_UPLOAD": "2MB/s"}, {"upload": "1MB/s"}),
    ],
    ids=["none", "options", "variables", "an empty variable", "an option wins"],
)
def test_limits_come_from_options_and_variables(
    options: tuple[str, ...], environment: Mapping[str, str], found: Mapping[str, str]
) -> None:
    assert limits_given(options, environment) == found


@pytest.mark.parametrize("option", ["nonsense=1", "upload", "upload= "])
def test_what_is_no_limit_is_refused(option: str) -> None:
    with pytest.raises(PreferenceError):
        limits_given((option,), {})


def test_a_variable_that_names_no_preference_is_refused() -> None:
    """A limit that is misspelt must not be one that does not hold."""
    with pytest.raises(PreferenceError, match="no preference"):
        limits_given((), {"IDLEBRUSH_PREF_RAM": "8GiB"})


@pytest.mark.parametrize(
    ("limits", "mode"),
    [
        ({}, RunMode.ALWAYS),
        ({"ram_limit": "8GiB"}, RunMode.ALWAYS),
        ({"hours": "22:00-07:00"}, RunMode.PREFERENCES),
        ({"other_cpu_load": "30%"}, RunMode.PREFERENCES),
        ({"hours": "22:00-07:00", "run_mode": "never"}, RunMode.NEVER),
    ],
    ids=["none", "one that always holds", "hours", "the load of others", "a mode"],
)
def test_it_trains_always_unless_a_limit_depends_on_conditions(
    limits: Mapping[str, str], mode: RunMode
) -> None:
    assert unattended_preferences(Preferences(), limits).run_mode is mode


def test_by_hours_nobody_is_taken_to_use_the_computer() -> None:
    """A server cannot tell when its keyboard was used, and would never train."""
    found = unattended_preferences(Preferences(), {"hours": "22:00-07:00"})
    assert (found.while_in_use_cpu, found.while_in_use_gpu) == (1.0, 1.0)
    assert found.other_cpu_load is None
    kept = unattended_preferences(Preferences(), {"hours": "22:00-07:00", "other_cpu_load": "30%"})
    assert kept.other_cpu_load == 0.3


@pytest.mark.parametrize(
    ("saved", "given_before", "limits", "mode"),
    [
        ({"hours": "22:00-07:00"}, (), {}, RunMode.PREFERENCES),
        ({"hours": "22:00-07:00"}, (), {"upload": "2MB/s"}, RunMode.PREFERENCES),
        ({"hours": "22:00-07:00"}, ("hours",), {"hours": "always"}, RunMode.ALWAYS),
        ({"hours": "22:00-07:00"}, (), {"run_mode": "always"}, RunMode.ALWAYS),
        ({"hours": "22:00-07:00", "run_mode": "always"}, (), {}, RunMode.PREFERENCES),
        ({"run_mode": "never"}, (), {}, RunMode.NEVER),
        ({"run_mode": "never"}, (), {"hours": "22:00-07:00"}, RunMode.NEVER),
        ({}, ("other_cpu_load",), {}, RunMode.PREFERENCES),
        ({"other_cpu_load": "off", "on_battery": "allow"}, ("other_cpu_load",), {}, RunMode.ALWAYS),
        ({}, ("upload",), {}, RunMode.ALWAYS),
    ],
)
def test_conditions_that_were_set_before_hold_as_well(
    saved: Mapping[str, str], given_before: tuple[str, ...], limits: Mapping[str, str], mode: RunMode
) -> None:
    before = Preferences()
    for name, value in saved.items():
        before = with_value(before, name, value)
    found = unattended_preferences(before, limits, frozenset(given_before))
    assert found.run_mode is mode
    assert unattended_preferences(found, limits, frozenset(given_before) | limits.keys()) == found, (
        "it stays so"
    )


def test_a_second_condition_resets_no_first() -> None:
    first = unattended_preferences(Preferences(), {"other_cpu_load": "30%"})
    second = unattended_preferences(first, {"hours": "22:00-07:00"})
    assert (second.other_cpu_load, second.while_in_use_cpu) == (0.3, 1.0)
    own = with_value(Preferences(), "while-in-use-cpu", "50%")
    assert unattended_preferences(own, {"hours": "22:00-07:00"}).while_in_use_cpu == 0.5


def test_preferences_that_are_not_given_stay() -> None:
    before = with_value(Preferences(), "monthly-quota", "50 GB")
    assert unattended_preferences(before, {"upload": "2MB/s"}).monthly_quota == 50 * 10**9


@pytest.mark.parametrize(
    ("limits", "needs_packages", "words"),
    [
        ({}, False, "always, whether the computer is idle or in use"),
        ({"hours": "mon-fri 22:00-07:00"}, False, "at these hours: mon-fri 22:00-07:00"),
        ({"upload": "2MB/s"}, False, "upload 2 MB/s"),
        ({}, True, "the packages that training needs"),
    ],
)
def test_the_terms_say_when_how_much_and_what(
    limits: Mapping[str, str], needs_packages: bool, words: str
) -> None:
    preferences = unattended_preferences(Preferences(), limits)
    text = " ".join(UnattendedTerms(preferences, PATHS, needs_packages).sentences())
    assert words in text
    for always in ("--unattended you consent", "idlebrush leave", "SIGTERM", "/srv/idlebrush/logs"):
        assert always in text
    assert ("packages" in text) is needs_packages
