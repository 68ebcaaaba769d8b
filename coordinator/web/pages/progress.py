"""Pages about the progress of the run: the dashboard, and the checkpoints."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from markupsafe import Markup
from sqlalchemy import select
from starlette.responses import Response

from coordinator.database.tables import Checkpoint
from coordinator.ledger.board import totals
from coordinator.ledger.history import NEWEST, HistoryPoint, history
from coordinator.web.charts import Scale, curve
from coordinator.web.figures import run_facts, run_now
from coordinator.web.given import GivenContext
from coordinator.web.rendering import render
from coordinator.web.wording import rate, volume, whole
from core.messages.reach import Reach
from core.messages.waiting import SwarmWait
from core.swarm.wire.device_class import DeviceClass

router = APIRouter(include_in_schema=False)

_POINTS = 200
_MOST_CHECKPOINTS = 50


@dataclass(frozen=True)
class _HistoryChart:
    """A chart of the page: drawn here for readers without scripts, and by uPlot for the others."""

    key: str
    title: str
    about: str
    colour: str
    value: Callable[[HistoryPoint], float | None]
    scale: Scale


_CURVES = (
    _HistoryChart(
        "loss",
        "Loss",
        "Error of the model’s predictions; lower is better.",
        "ultramarine",
        lambda epoch: epoch.loss,
        Scale(rate),
    ),
    _HistoryChart(
        "peers",
        "Contributors",
        "Computers that had a part in the epoch.",
        "viridian",
        lambda epoch: epoch.peers,
        Scale(whole, counts=True, from_zero=True),
    ),
    _HistoryChart(
        "rate",
        "Samples a second",
        "All computers together.",
        "vermilion",
        lambda epoch: epoch.samples / epoch.seconds if epoch.seconds > 0 else None,
        Scale(rate, from_zero=True),
    ),
    _HistoryChart(
        "bytes",
        "Traffic of an epoch",
        "Data that computers sent each other.",
        "violet",
        lambda epoch: epoch.traffic,
        Scale(volume, from_zero=True),
    ),
    _HistoryChart(
        "seconds",
        "Seconds an epoch",
        "From one commit to the next.",
        "ochre",
        lambda epoch: epoch.seconds,
        Scale(rate, from_zero=True),
    ),
)

_PIGMENTS = {"ultramarine": "l1", "vermilion": "l2", "viridian": "l3", "ochre": "l4", "violet": "l5"}


@router.get("/dashboard")
def dashboard(request: Request, context: GivenContext) -> Response:
    with context.database.reading() as session:
        epochs = history(session, _POINTS)
        values = {"now": run_now(session), "totals": totals(session)}
    given = {
        "run": run_facts(context.manifest),
        "news": context.manifest.contact.news,
        "epochs": epochs[: -NEWEST - 1 : -1],
        "curves": [(one, _drawn(one, epochs)) for one in _CURVES],
        "devices": [device.value for device in DeviceClass],
        "ways": [reach.value for reach in Reach],
        "waits": [wait.value for wait in SwarmWait],
    }
    return render(request, "dashboard.html", {**values, **given})


def _drawn(one: _HistoryChart, epochs: Sequence[HistoryPoint]) -> Markup:
    values = ((float(epoch.epoch), one.value(epoch)) for epoch in epochs)
    points = [(epoch, value) for epoch, value in values if value is not None]
    return curve(points, one.title, _PIGMENTS[one.colour], one.scale, _epoch)


def _epoch(number: float) -> str:
    return f"epoch {whole(number)}"


@router.get("/checkpoints")
def checkpoints(request: Request, context: GivenContext) -> Response:
    newest = select(Checkpoint).where((Checkpoint.standing == "kept") | Checkpoint.published.is_not(None))
    with context.database.reading() as session:
        rows = session.scalars(newest.order_by(Checkpoint.id.desc()).limit(_MOST_CHECKPOINTS)).all()
    values = {"checkpoints": rows, "repository": context.settings.checkpoints.publish_to}
    return render(request, "checkpoints.html", {**values, "every": context.settings.checkpoints.every})
