"""Draws a day of a large simulated swarm out of its result: ``python -m benchmarks.simulation.picture``.

The upper part has the homes whose owners let them train, those that compute, and those in each epoch. The lower part
has the share of the samples computed in each hour that were lost in it.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from benchmarks.measuring.report import RESULTS
from core.simulation.topology import seconds_of

_PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "simulation.svg"
_WIDTH, _HEIGHT = 900, 560
_LEFT, _RIGHT = 64, 880
_PRESENT, _COMPUTING, _INCLUDED, _LOST = "#9aa0a6", "#1a73e8", "#d9730d", "#b3261e"
_INK, _GRID = "#202124", "#dadce0"
_HOUR = 3600.0
_HOURS_A_LABEL = 3
_LINES = 4
"""Lines of a grid above its base."""


@dataclass(frozen=True)
class PicturePanel:
    """A part of the picture with axes of its own."""

    top: float
    bottom: float
    """Places of its upper and its lower edge in the picture, in units of the drawing."""
    hours: float
    """Hours from its left edge to its right one."""
    most: float
    """Value at its upper edge; that at the lower one is 0."""

    def x(self, seconds: float) -> float:
        """Return the place of a time in ``seconds`` since the beginning."""
        return _LEFT + (_RIGHT - _LEFT) * seconds / (_HOUR * self.hours)

    def y(self, value: float) -> float:
        """Return the place of ``value``; one above the panel is at its edge."""
        return self.bottom - (self.bottom - self.top) * min(value, self.most) / self.most

    def line(self, points: Iterable[tuple[float, float]], colour: str, width: float = 2.0) -> str:
        """Return a line through ``points`` of seconds and values."""
        places = " ".join(f"{self.x(seconds):.1f},{self.y(value):.1f}" for seconds, value in points)
        return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width}"/>'

    def grid(self, label: str, unit: str) -> str:
        """Return its horizontal lines with their values and ``unit``, under a ``label``."""
        drawn = [_text(_LEFT - 48, self.top - 14, label, weight="bold")]
        for number in range(_LINES + 1):
            value = self.most * number / _LINES
            y = self.y(value)
            drawn.append(f'<path d="M{_LEFT} {y:.1f}H{_RIGHT}" stroke="{_GRID}"/>')
            drawn.append(_text(_LEFT - 8, y + 4, f"{value:,.4g}{unit}", anchor="end"))
        return "".join(drawn)

    def clock(self, begins_at: str) -> str:
        """Return the times of day below it; it begins at ``begins_at``."""
        hours = range(0, int(self.hours) + 1, _HOURS_A_LABEL)
        first = seconds_of(begins_at) // 3600
        return "".join(
            _text(self.x(_HOUR * hour), self.bottom + 20, f"{(first + hour) % 24:02d}:00", anchor="middle")
            for hour in hours
        )


def main() -> None:
    """Draw the picture of the result of 1,000 homes, or of another one."""
    parser = argparse.ArgumentParser("python -m benchmarks.simulation.picture", description=__doc__)
    parser.add_argument("--result", type=Path, default=RESULTS / "simulation_large_1000.json")
    parser.add_argument("--out", type=Path, default=_PICTURE)
    given = parser.parse_args()
    given.out.write_text(drawing(json.loads(given.result.read_text())), encoding="utf-8")


def drawing(result: dict[str, Any]) -> str:
    """Return the picture of a ``result`` of `benchmarks.simulation.large` as SVG."""
    row, course = result["results"][0], result["settings"]["course"]
    moments, hours = course["moments"], row["hours"]
    homes = PicturePanel(60, 330, hours, most=_round_up(row["homes"]))
    lost = lost_by_hour(moments)
    losses = PicturePanel(400, 510, hours, most=_round_up(max(0.02, *(share for _, share in lost)), 0.02))
    parts = [
        homes.grid("homes", ""),
        homes.clock(course["begins_at"]),
        homes.line(((time, present) for time, present, *_ in moments), _PRESENT, 3.0),
        homes.line(((moment[0], moment[2]) for moment in moments), _COMPUTING),
        homes.line(((time, members) for time, members, _ in course["epochs"]), _INCLUDED, 1.0),
        _legend([("present", _PRESENT), ("computing", _COMPUTING), ("in each epoch", _INCLUDED)]),
        PicturePanel(400, 510, hours, most=100 * losses.most).grid("samples lost in each hour", " %"),
        *(_bar(losses, hour, share) for hour, share in lost),
        losses.clock(course["begins_at"]),
    ]
    title = f"A simulated swarm of {row['homes']:,} homes over {hours:g} hours"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>' + "\n".join(parts) + "</svg>\n"
    )


def lost_by_hour(moments: Sequence[Sequence[float]]) -> list[tuple[int, float]]:
    """Return for each whole hour of the ``moments`` its number and the share of its samples that was lost.

    ``moments`` are rows of `core.simulation.report.SwarmMoment`. What a round still commits of a trainer that ended
    is no longer lost then; a share is 0 at least.
    """
    whole = {0: (0.0, 0.0)} | {
        round(time / _HOUR): (computed, lost) for time, _, _, computed, lost in moments if time % _HOUR == 0
    }
    return [
        (hour, max(0.0, (lost - before[1]) / max(1.0, computed - before[0])))
        for (hour, before), (_, (computed, lost)) in pairwise(sorted(whole.items()))
    ]


def _round_up(value: float, step: float = 100.0) -> float:
    return step * -(-value // step)


def _bar(panel: PicturePanel, hour: int, share: float) -> str:
    x, y = panel.x(_HOUR * hour), panel.y(share)
    width = panel.x(_HOUR) - panel.x(0.0)
    return (
        f'<rect x="{x + 2:.1f}" y="{y:.1f}" width="{width - 4:.1f}" '
        f'height="{panel.bottom - y:.1f}" fill="{_LOST}"/>'
    )


def _legend(entries: Sequence[tuple[str, str]]) -> str:
    drawn, x = [], _RIGHT - 330.0
    for name, colour in entries:
        drawn.append(f'<path d="M{x:.0f} 41h22" stroke="{colour}" stroke-width="3"/>')
        drawn.append(_text(x + 28, 46, name))
        x += 110
    return "".join(drawn)


def _text(x: float, y: float, text: str, *, anchor: str = "start", weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="sans-serif" font-size="13" fill="{_INK}" '
        f'text-anchor="{anchor}" font-weight="{weight}">{escape(text)}</text>'
    )


if __name__ == "__main__":
    main()
