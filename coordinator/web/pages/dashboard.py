"""The dashboard: what the swarm does, drawn and in tables, live where the browser runs scripts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from coordinator.ledger.board import totals
from coordinator.ledger.history import NEWEST, EpochPoint, history
from coordinator.web.charts import Scale, curve
from coordinator.web.figures import run_facts, run_now
from coordinator.web.given import Context
from coordinator.web.rendering import render
from coordinator.web.wording import rate, volume, whole
from core.swarm.device_class import DeviceClass

_POINTS = 200


@dataclass(frozen=True)
class _Curve:
    """A chart of the page: drawn here for readers without scripts, and by uPlot for the others."""

    key: str
    title: str
    about: str
    colour: str
    value: Callable[[EpochPoint], float | None]
    scale: Scale


_CURVES = (
    _Curve(
        "loss",
        "Loss",
        "How far off its guesses are; lower is better.",
        "ultramarine",
        lambda epoch: epoch.loss,
        Scale(rate),
    ),
    _Curve(
        "peers",
        "Contributors",
        "Computers that had a part in the epoch.",
        "viridian",
        lambda epoch: epoch.peers,
        Scale(whole, counts=True, from_zero=True),
    ),
    _Curve(
        "rate",
        "Samples a second",
        "Of all together.",
        "vermilion",
        lambda epoch: epoch.samples / epoch.seconds if epoch.seconds > 0 else None,
        Scale(rate, from_zero=True),
    ),
    _Curve(
        "bytes",
        "Traffic of an epoch",
        "What all sent each other.",
        "violet",
        lambda epoch: epoch.traffic,
        Scale(volume, from_zero=True),
    ),
    _Curve(
        "seconds",
        "Seconds an epoch",
        "From one commit to the next.",
        "ochre",
        lambda epoch: epoch.seconds,
        Scale(rate, from_zero=True),
    ),
)

router = APIRouter(include_in_schema=False)
_PIGMENTS = {"ultramarine": "l1", "vermilion": "l2", "viridian": "l3", "ochre": "l4", "violet": "l5"}


@router.get("/dashboard")
def dashboard(request: Request, context: Context) -> Response:
    with context.database.reading() as session:
        epochs = history(session, _POINTS)
        values = {"now": run_now(session), "totals": totals(session)}
    given = {
        "run": run_facts(context.manifest),
        "epochs": epochs[: -NEWEST - 1 : -1],
        "curves": [(one, _drawn(one, epochs)) for one in _CURVES],
        "devices": [device.value for device in DeviceClass],
    }
    return render(request, "dashboard.html", {**values, **given})


def _drawn(one: _Curve, epochs: Sequence[EpochPoint]) -> Markup:
    values = ((float(epoch.epoch), one.value(epoch)) for epoch in epochs)
    points = [(epoch, value) for epoch, value in values if value is not None]
    return curve(points, one.title, _PIGMENTS[one.colour], one.scale, _epoch)


def _epoch(number: float) -> str:
    return f"epoch {whole(number)}"
