"""The editors' contents convert to the client's preferences and back, for every preference."""

import pytest

from client.api.choices import PreferenceView, Shape
from client.preferences.preferences import Preferences, describe, with_value
from gui.preferences.editors import best_unit, first_number, read_list, units, write_list, write_number

VIEWS = {view.name: view for view in describe(Preferences())}
NUMBERS = [view for view in VIEWS.values() if view.least is not None]
LISTS = [view for view in VIEWS.values() if view.shape in (Shape.NAMES, Shape.NUMBERS)]


def named(view: PreferenceView) -> str:
    return view.name


def set_to(view: PreferenceView, text: str) -> PreferenceView:
    after = describe(with_value(Preferences(), view.name, text))
    return next(each for each in after if each.name == view.name)


@pytest.mark.parametrize("view", NUMBERS, ids=named)
def test_a_number_is_taken_as_it_was_written(view: PreferenceView) -> None:
    assert view.least is not None
    for number in (view.least, view.most or view.least * 1000, first_number(view)):
        taken = set_to(view, write_number(view, number)).number
        assert taken == pytest.approx(number, abs=0.5 if view.is_whole else 1e-6)


@pytest.mark.parametrize("view", NUMBERS, ids=named)
def test_what_one_begins_with_is_allowed(view: PreferenceView) -> None:
    number = first_number(view)
    assert view.least is not None
    assert view.least <= number <= (view.most or number)


@pytest.mark.parametrize("view", LISTS, ids=named)
@pytest.mark.parametrize("items", [(), ("0",), ("0", "2", "5")])
def test_a_list_is_taken_as_it_was_written(view: PreferenceView, items: tuple[str, ...]) -> None:
    assert read_list(set_to(view, write_list(view, items))) == items


@pytest.mark.parametrize(
    ("shape", "number", "unit"),
    [
        (Shape.SIZE, 20e9, "GB"),
        (Shape.SIZE, 512 * 2**20, "MiB"),
        (Shape.SIZE, 1.5e12, "TB"),
        (Shape.SIZE, 2**30, "GiB"),
        (Shape.SIZE, 300e6, "MB"),
        (Shape.RATE, 1e6, "MB/s"),
        (Shape.RATE, 625_000, "Mbit/s"),
        (Shape.RATE, 16_000, "kB/s"),
    ],
)
def test_a_size_is_shown_in_the_unit_that_takes_the_fewest_digits(
    shape: Shape, number: float, unit: str
) -> None:
    assert best_unit(number, units(shape)).name == unit


def test_what_has_one_unit_leaves_no_choice() -> None:
    assert units(Shape.PERCENT) == ()
