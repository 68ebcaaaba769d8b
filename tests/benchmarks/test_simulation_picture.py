"""The picture of a simulated day shows what its result has."""

from xml.etree import ElementTree

import pytest

from benchmarks.simulation.picture import PicturePanel, drawing, lost_by_hour

MOMENTS = [
    [1800, 90, 80, 500, 0],
    [3600, 100, 95, 1000, 20],
    [7200, 50, 40, 3000, 20],
    [10800, 50, 45, 4000, 10],
]
RESULT = {
    "results": [{"homes": 100, "hours": 3.0}],
    "settings": {
        "course": {"begins_at": "18:00", "moments": MOMENTS, "epochs": [[300, 40, 900], [600, 80, 900]]}
    },
}


def test_the_share_lost_is_that_of_each_hour() -> None:
    assert lost_by_hour(MOMENTS) == [(0, pytest.approx(0.02)), (1, 0.0), (2, 0.0)]


def test_a_panel_has_its_edges_at_nothing_and_at_the_most() -> None:
    panel = PicturePanel(10.0, 110.0, hours=2.0, most=50.0)
    assert [panel.y(value) for value in (0.0, 25.0, 50.0, 99.0)] == [110.0, 60.0, 10.0, 10.0]
    assert panel.x(3600.0) == (panel.x(0.0) + panel.x(7200.0)) / 2


def test_the_picture_has_a_line_for_each_number_of_homes_and_a_bar_for_each_hour() -> None:
    root = ElementTree.fromstring(drawing(RESULT))
    names = [element.tag.rsplit("}", 1)[-1] for element in root.iter()]
    assert names.count("polyline") == 3
    assert names.count("rect") == 1 + 3
    texts = [element.text for element in root.iter() if element.text]
    assert "A simulated swarm of 100 homes over 3 hours" in texts
    assert {"18:00", "21:00", "present", "computing", "in each epoch"} <= set(texts)
