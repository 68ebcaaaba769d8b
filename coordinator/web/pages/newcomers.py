"""Pages for people who consider joining: the first page, how to join, the calculator, and explanations."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from coordinator.contact import join_link
from coordinator.ledger.board import View, leaderboard, totals
from coordinator.ledger.pace import measured_pace
from coordinator.packages import visitor
from coordinator.web.calculation import Calculation, CalculatorForm, calculate, models, needs_of
from coordinator.web.figures import epochs_made, prompts_of, run_facts, run_now, sheets
from coordinator.web.given import GivenContext
from coordinator.web.pages.notebooks import offered
from coordinator.web.rendering import JOIN, render
from coordinator.web.traffic import newcomer_traffic
from core.errors import MemoryPlanError
from core.run.describe import bytes_of_update
from core.run.manifest import RunManifest

router = APIRouter(include_in_schema=False)

_LEADERS = 5
_GPU_SIZES = ("0", "4 GiB", "6 GiB", "8 GiB", "12 GiB", "16 GiB", "24 GiB", "40 GiB", "80 GiB")
"""Sizes of GPU memory to choose from; other sizes may be entered."""


@router.get("/")
def first(request: Request, context: GivenContext) -> Response:
    manifest = context.manifest
    prompts = prompts_of(manifest)
    with context.database.reading() as session:
        newest = sheets(context, session, most=1)
        values = {
            "now": run_now(session),
            "totals": totals(session),
            "leaders": leaderboard(session, context.clock(), View(limit=_LEADERS)).rows,
            "frame": newest[0] if newest else None,
        }
    given = {"prompts": prompts, "run": run_facts(manifest)}
    return render(request, "first.html", {**values, **given})


def variant(scope: Scope) -> Hashable:
    """Return what, beside the address, a page depends on: the visitor's system on the page that offers packages."""
    return visitor.visitor_of(Headers(scope=scope)) if scope["path"] == JOIN.address else None


@router.get(JOIN.address)
def join(request: Request, context: GivenContext) -> Response:
    manifest, packages = context.manifest, context.packages
    seen = visitor.visitor_of(request.headers)
    fitting, others = packages.for_visitor(seen) if packages else ([], [])
    with context.database.reading() as session:
        made, pace = epochs_made(session, manifest), measured_pace(session)
    values = {
        "join_link": join_link(manifest, context.settings),
        "gate": context.settings.gate,
        "needs": needs_of(manifest),
        "traffic": newcomer_traffic(manifest.training, pace, made),
        "description": _described(manifest),
        "least_version": manifest.contact.least_version,
        "packages": packages.listed if packages else None,
        "systems": packages.systems() if packages else {},
        "fitting": fitting,
        "others": others,
        "notebooks": offered(context.manifest.training.writes_texts),
    }
    # A proxy would hold a copy for each spelling of a browser's name, and ask for most of them only once.
    headers = {"Vary": ", ".join(visitor.HEADERS), "Cache-Control": "no-cache"}
    return render(request, "join.html", values, headers=headers)


def _described(manifest: RunManifest) -> list[tuple[str, str]]:
    """Return the facts that the program itself shows before it starts."""
    lines = (line.partition(": ") for line in manifest.describe()[1:])
    return [(name, rest) for name, _, rest in lines if rest]


@router.get("/calculator")
def calculator(request: Request, asked: Annotated[CalculatorForm, Query()]) -> Response:
    answer: Calculation | None = None
    trouble: MemoryPlanError | None = None
    try:
        answer = calculate(asked)
    except MemoryPlanError as error:
        trouble = error
    values = {
        "asked": asked,
        "answer": answer,
        "trouble": trouble,
        "models": [(name, name) for name in models()],
        "sizes": _GPU_SIZES,
    }
    return render(request, "calculator.html", values)


@router.get("/method")
def method(request: Request, context: GivenContext) -> Response:
    training = context.manifest.training
    return render(request, "method.html", {"swarm": training.swarm, "model": training.model})


@router.get("/security")
def security(request: Request, context: GivenContext) -> Response:
    gate = context.settings.gate
    return render(request, "security.html", {"gate": gate, "minutes": -(-gate.token_seconds // 60)})


@router.get("/recipe")
def recipe(request: Request, context: GivenContext) -> Response:
    training = context.manifest.training
    values = {"swarm": training.swarm, "update_bytes": bytes_of_update(training)}
    return render(request, "recipe.html", values)


@router.get("/api")
def api(request: Request) -> Response:
    return render(request, "api.html", {"operations": list(_operations(request.app.openapi()))})


@dataclass(frozen=True)
class Operation:
    """One operation of the API."""

    method: str
    path: str
    about: str
    tag: str


def _operations(description: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            about = operation.get("description") or operation.get("summary", "")
            yield Operation(method.upper(), path, about, (operation.get("tags") or ["other"])[0])
