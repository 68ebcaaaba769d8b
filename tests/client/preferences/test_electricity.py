"""Power limits, and prices and carbon intensities by the hours of the week, as people write them."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.api.errors import PreferenceError
from client.preferences.electricity import PowerLimit, WeeklyValue
from client.preferences.preferences import Preferences, row_named, with_value
from tests.client.situations import BERLIN

PRICE = "0.3 EUR; mon-fri 17:00-20:00 0.45; sat-sun 0.25; sat 23:00-01:00 0.2"
MONDAY = datetime(2026, 3, 2, tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("name", "text", "written"),
    [
        ("gpu-power", "200", "200 W"),
        ("gpu-power", "200 w", "200 W"),
        ("gpu-power", "70 %", "70%"),
        ("gpu-power", "12.5%", "12.5%"),
        ("gpu-power", "off", "off"),
        ("electricity-price", "0.30", "0.3"),
        ("electricity-price", "0.30 €/kWh", "0.3 €"),
        ("electricity-price", "30 ct per kWh", "30 ct"),
        ("electricity-price", PRICE, PRICE),
        ("electricity-price", "0,30 EUR; mon-fri 17-20 0,455", "0.3 EUR; mon-fri 17:00-20:00 0.455"),
        ("gpu-power", "12,5%", "12.5%"),
        ("carbon-intensity", "350,5 g/kWh; sun 180,5", "350.5; sun 180.5"),
        ("electricity-price", "0.3 EUR;Mon-Fri 17-20, Sunday 0.45", "0.3 EUR; mon-fri 17:00-20:00, sun 0.45"),
        ("carbon-intensity", "350; 11-15 180", "350; daily 11:00-15:00 180"),
        ("carbon-intensity", "350 g/kWh; sun 200", "350; sun 200"),
        ("highest-price", "0.4", "0.4 per kWh"),
        ("highest-price", "0.4 per kWh", "0.4 per kWh"),
        ("highest-carbon", "300 g/kWh", "300 g/kWh"),
    ],
)
def test_values_are_read_and_written(name: str, text: str, written: str) -> None:
    changed = with_value(Preferences(), name, text)
    assert row_named(changed, name).value == written
    assert with_value(Preferences(), name, written) == changed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gpu-power", "5 W"),
        ("gpu-power", "5%"),
        ("gpu-power", "120%"),
        ("gpu-power", "200 kW"),
        ("electricity-price", "EUR 0.30"),
        ("electricity-price", "0.30; mon-fri"),
        ("electricity-price", "0.30; 0.45"),
        ("electricity-price", "0.30; always 0.45"),
        ("electricity-price", "0.30; mon-fri 17-20 0.45 EUR"),
        ("electricity-price", "0.30 a currency of its own"),
        ("electricity-price", "0.30" + "; sun 0.2" * 33),
        ("electricity-price", "999999"),
        ("electricity-price", "0,30,5 EUR"),
        ("electricity-price", ",30 EUR"),
        ("gpu-power", "1,200 W"),
        ("carbon-intensity", "1,200"),
        ("carbon-intensity", "350 lb"),
        ("carbon-intensity", "350;"),
    ],
)
def test_what_is_no_such_value_is_refused_with_an_example(name: str, text: str) -> None:
    with pytest.raises(PreferenceError) as caught:
        with_value(Preferences(), name, text)
    assert caught.value.remedy.startswith("It may be off, or ")


@pytest.mark.parametrize(
    ("hours", "value"),
    [
        (0, 0.3),
        (16.99, 0.3),
        (17, 0.45),
        (20, 0.3),
        (5 * 24 + 12, 0.25),  # Saturday
        (5 * 24 + 23.5, 0.2),  # the last part that holds counts
        (6 * 24 + 0.5, 0.2),
        (6 * 24 + 1, 0.25),
    ],
)
def test_the_price_is_that_of_the_hour(hours: float, value: float) -> None:
    assert WeeklyValue.parse(PRICE).at(MONDAY + timedelta(hours=hours)) == value


@pytest.mark.parametrize(
    ("text", "hours", "limit", "after"),
    [
        ("0.5; 22:00-06:00 0.2", 12, 0.3, 22),
        ("0.5; 22:00-06:00 0.2; mon 0.6", 12, 0.3, 24),
        (PRICE, 18, 0.3, 20),
        ("0.5; sun 0.6", 12, 0.3, None),
    ],
)
def test_the_next_hour_at_which_it_is_low_enough_is_found(
    text: str, hours: int, limit: float, after: int | None
) -> None:
    found = WeeklyValue.parse(text).next_at_most(MONDAY + timedelta(hours=hours), limit)
    assert found == (None if after is None else MONDAY + timedelta(hours=after))


prices = st.builds(
    WeeklyValue,
    st.integers(0, 99_999).map(lambda cents: cents / 1000),
    st.lists(
        st.tuples(
            st.sampled_from(["mon-fri 17:00-20:00", "sat-sun", "daily 22:00-06:00, wed"]).map(
                lambda text: WeeklyValue.parse(f"0; {text} 0").parts[0][0]
            ),
            st.integers(0, 9_999).map(lambda cents: cents / 100),
        ),
        max_size=5,
    ).map(tuple),
    st.sampled_from(["", "EUR", "€", "kr.", "CHF"]),
)


@given(prices)
def test_what_is_written_is_read_back(price: WeeklyValue) -> None:
    assert WeeklyValue.parse(str(price)) == price


@pytest.mark.parametrize(
    ("limit", "default", "watts"),
    [
        (PowerLimit(watts=200), None, 200),
        (PowerLimit(watts=200), 350.0, 200),
        (PowerLimit(share=0.7), 300.0, 210),
        (PowerLimit(share=0.7), None, None),
    ],
)
def test_a_part_of_the_default_limit_needs_one(
    limit: PowerLimit, default: float | None, watts: float | None
) -> None:
    assert limit.watts_of(default) == watts
