"""Preferences accept only valid values, and are written as texts that are read back as the same values."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from client.api.choices import PreferenceView, Schedule, Shape
from client.api.errors import PreferenceError
from client.preferences import notation
from client.preferences.preferences import Preferences, RunMode, describe, row_named, with_value

DEFAULTS = Preferences()
names = st.text(string.ascii_letters + string.digits + " ._-äß", min_size=1, max_size=20).filter(
    lambda name: name.strip() == name and name.lower() != "none"
)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("run-mode", "Always", RunMode.ALWAYS),
        ("run_mode", "never", RunMode.NEVER),
        ("hours", "mon-fri 18:00-08:00", Schedule.parse("mon-fri 18-8")),
        ("idle-minutes", "5", 5.0),
        ("idle-minutes", "90s", 1.5),
        ("idle-minutes", "1h", 60.0),
        ("while-in-use-cpu", "pause", None),
        ("while-in-use-cpu", "30%", 0.3),
        ("while-in-use-gpu", "100 %", 1.0),
        ("full-screen-pause", "no", False),
        ("video-pause", "TRUE", True),
        ("on-battery", "allow", "allow"),
        ("minimum-charge", "off", None),
        ("cpu-temperature", "85 °C", 85.0),
        ("cpu-temperature", "85C", 85.0),
        ("gpu-temperature", "72.5", 72.5),
        ("exclusive-applications", "steam, Blender 4 , steam", ("steam", "Blender 4")),
        ("exclusive-applications", "none", ()),
        ("threads", "auto", None),
        ("threads", "4", 4),
        ("gpus", "all", None),
        ("gpus", "none", ()),
        ("gpus", "2, 0,2", (0, 2)),
        ("vram-limit", "8GiB", 8 << 30),
        ("disk-limit", "1.5 TB", 1_500_000_000_000),
        ("monthly-quota", "100 GB", 100_000_000_000),
        ("upload", "2 MB/s", 2_000_000),
        ("upload", "16 Mbit/s", 2_000_000),
        ("upload", "16Mbps", 2_000_000),
        ("download", "512 KiB/s", 512 << 10),
        ("download", "unlimited", None),
        ("leave-in-memory", "0", 0.0),
        ("leave-in-memory", "1h30m", 90.0),
        ("listening-port", "31330", 31_330),
    ],
)
def test_values_are_read_as_people_write_them(name: str, text: str, value: object) -> None:
    changed = with_value(DEFAULTS, name, text)
    assert getattr(changed, name.replace("-", "_")) == value
    assert with_value(DEFAULTS, name, row_named(changed, name).value) == changed


@pytest.mark.parametrize(
    ("name", "text", "remedy"),
    [
        ("run-mode", "sometimes", "It may be always, preferences or never."),
        (
            "hours",
            "mondays",
            'It may be always, or times of the week such as "mon-fri 18:00-08:00, sat-sun" or "22:00-06:00".',
        ),
        (
            "idle-minutes",
            "4h30m",
            "It may be a number of minutes from 0.05 to 240, or a time such as 90s or 1h30m.",
        ),
        ("while-in-use-cpu", "0%", "It may be pause, or a percentage from 1% to 100%."),
        ("full-screen-pause", "perhaps", "It may be on or off."),
        ("cpu-temperature", "300", "It may be off, or a number from 40 to 110 °C."),
        ("threads", "0", "It may be auto, or a number from 1 to 1024."),
        ("gpus", "first", "It may be all, or none, or numbers from 0 separated by commas."),
        ("upload", "2 MB", "It may be unlimited, or bytes or bits per second of at least 16 KB/s, "
         "such as 2 MB/s or 16 Mbit/s."),
        ("vram-limit", "8 GHz", "It may be unlimited, or a size of at least 256 MiB, "
         "such as 500 MB, 8 GiB or 1.5 TB."),
        ("listening-port", "80", "It may be auto, or a number from 1024 to 65535."),
        ("exclusive-applications", "a,,b", "It may be none, or up to 64 names separated by commas."),
        ("exclusive-applications", "bell\a", "It may be none, or up to 64 names separated by commas."),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_says_what_can(name: str, text: str, remedy: str) -> None:
    with pytest.raises(PreferenceError) as caught:
        with_value(DEFAULTS, name, text)
    assert caught.value.what == f"{name} cannot be {text!r}."
    assert caught.value.remedy == remedy


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "-1", "1e400", "٣٤٥٦٧٨", "9" * 5000, "\x00", "%", "/s", "-", ","]
)
def test_no_preference_takes_nonsense(text: str) -> None:
    names = [row.name for row in describe(DEFAULTS) if row.name != "exclusive-applications"]
    assert [name for name in names if not is_refused(name, text)] == []


def is_refused(name: str, text: str) -> bool:
    try:
        with_value(DEFAULTS, name, text)
    except PreferenceError as refused:
        return "cannot be" in refused.what
    return False


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("idle-minute", "idle-minutes"),
        ("Uplaod", "upload"),
        ("run", "run-mode"),
        ("gpu_temp", "gpu-temperature"),
    ],
)
def test_a_name_that_is_nearly_right_gets_a_suggestion(typed: str, meant: str) -> None:
    with pytest.raises(PreferenceError, match=f"Did you mean {meant}\\?"):
        with_value(DEFAULTS, typed, "1")


def test_a_name_like_no_other_gets_the_list() -> None:
    with pytest.raises(PreferenceError) as caught:
        with_value(DEFAULTS, "xyzzy", "1")
    assert caught.value.remedy == "`idlebrush prefs show` lists all of them."


def test_programs_are_held_to_the_same_bounds() -> None:
    assert Preferences(share_of_time=0.5).share_of_time == 0.5
    for wrong in (50, 0, True, "much"):
        with pytest.raises(ValidationError, match="a percentage from 1% to 100%"):
            Preferences.model_validate({"share_of_time": wrong})
    with pytest.raises(ValidationError, match="frozen"):
        DEFAULTS.share_of_time = 0.5


def test_every_preference_explains_itself() -> None:
    for row in describe(DEFAULTS):
        assert row.is_default
        assert row.help.endswith(".")
        assert with_value(DEFAULTS, row.name, row.default) == DEFAULTS, row.name
        assert not row.allowed.endswith("."), row.name


@given(st.integers(1, 1 << 53) | st.integers(0, 60).map(lambda power: 1 << power))
def test_sizes_are_written_exactly(size: int) -> None:
    assert notation.size("1 B").read(notation.write_size(size)) == size


@given(st.integers(1, 1 << 50) | st.integers(0, 15).map(lambda power: 10**power))
def test_rates_are_written_exactly(rate: int) -> None:
    kind = notation.rate(1)
    assert kind.read(kind.write(rate)) == rate


@given(st.floats(0.05, 240))
def test_minutes_are_written_to_the_millisecond(minutes: float) -> None:
    kind = notation.minutes(0, 241)
    assert kind.read(kind.write(minutes)) == pytest.approx(minutes, abs=2e-5)


@given(st.lists(names, max_size=5, unique=True).map(tuple))
def test_names_are_written_as_they_are(listed: tuple[str, ...]) -> None:
    kind = notation.names("none")
    assert kind.read(kind.write(listed)) == listed


@pytest.mark.parametrize(
    ("size", "written"),
    [(8 << 30, "8 GiB"), (100 * 10**9, "100 GB"), (1500 * 10**9, "1500 GB"), (12_345, "12345 B"), (0, "0 B")],
)
def test_sizes_are_written_in_the_unit_they_were_meant_in(size: int, written: str) -> None:
    assert notation.write_size(size) == written


WRITTEN = {
    Shape.PERCENT: "{}%",
    Shape.NUMBER: "{} {unit}",
    Shape.MINUTES: "{} min",
    Shape.SIZE: "{} B",
    Shape.RATE: "{} B/s",
}
"""Formats of the numbers' texts, as `client.api.choices` describes them."""
NUMBERS = [view for view in describe(DEFAULTS) if view.shape in WRITTEN]


def written(view: PreferenceView, number: float) -> str:
    return WRITTEN[view.shape].format(f"{number:.6f}".rstrip("0").rstrip("."), unit=view.unit).strip()


@pytest.mark.parametrize("view", NUMBERS, ids=lambda view: view.name)
@settings(max_examples=30)
@given(data=st.data())
def test_every_number_within_the_bounds_is_accepted_as_it_is_shown(
    view: PreferenceView, data: st.DataObject
) -> None:
    assert view.least is not None
    assert view.most is not None
    within = (
        st.integers(int(view.least), int(view.most)) if view.is_whole else st.floats(view.least, view.most)
    )
    number = data.draw(within | st.sampled_from((view.least, view.most)))
    changed = with_value(DEFAULTS, view.name, written(view, number))
    assert row_named(changed, view.name).number == pytest.approx(number, abs=1e-6)


@pytest.mark.parametrize("view", NUMBERS, ids=lambda view: view.name)
def test_no_number_beyond_the_bounds_is_accepted(view: PreferenceView) -> None:
    assert view.least is not None
    assert view.most is not None
    step, leap = (1, 1024) if view.is_whole else (0.001, 0.001)  # the largest sizes lie apart as floats
    for beyond in (view.least - step, view.most + leap):
        with pytest.raises(PreferenceError, match="cannot be"):
            with_value(DEFAULTS, view.name, written(view, beyond))


@pytest.mark.parametrize(
    ("name", "shape", "number", "words"),
    [
        ("run-mode", Shape.CHOICE, None, ("always", "preferences", "never")),
        ("hours", Shape.HOURS, None, ("always",)),
        ("idle-minutes", Shape.MINUTES, 3.0, ()),
        ("while-in-use-cpu", Shape.PERCENT, None, ("pause",)),
        ("full-screen-pause", Shape.SWITCH, None, ("on", "off")),
        ("minimum-charge", Shape.PERCENT, 40.0, ("off",)),
        ("cpu-temperature", Shape.NUMBER, 90.0, ("off",)),
        ("exclusive-applications", Shape.NAMES, None, ("none",)),
        ("threads", Shape.NUMBER, None, ("auto",)),
        ("gpus", Shape.NUMBERS, None, ("all", "none")),
        ("disk-free", Shape.SIZE, 2e9, ()),
        ("upload", Shape.RATE, None, ("unlimited",)),
    ],
)
def test_what_a_preference_may_be_is_reported_in_words_that_it_takes(
    name: str, shape: Shape, number: float | None, words: tuple[str, ...]
) -> None:
    view = row_named(DEFAULTS, name)
    assert (view.shape, view.number) == (shape, number)
    found = view.choices or tuple(filter(None, (view.otherwise, view.empty)))
    if shape is not Shape.SWITCH:
        assert found == words
    for word in words:
        assert row_named(with_value(DEFAULTS, name, word), name).value == word


@pytest.mark.parametrize("name", [view.name for view in describe(DEFAULTS)])
def test_what_is_shown_may_be_sent_back(name: str) -> None:
    view = row_named(DEFAULTS, name)
    for value in (view.value, view.default, view.otherwise, view.empty, *view.choices):
        if value:
            changed = with_value(DEFAULTS, name, value)
            assert with_value(changed, name, row_named(changed, name).value) == changed


def test_the_simple_view_has_what_most_volunteers_need() -> None:
    """A preference that is added is in the full view alone, unless it is marked."""
    assert [row.name for row in describe(Preferences()) if row.is_simple] == [
        "run-mode", "hours", "idle-minutes", "while-in-use-cpu", "while-in-use-gpu", "on-battery",
        "share-of-time", "ram-limit", "vram-limit", "monthly-quota", "start-at-login", "updates",
    ]  # fmt: skip
