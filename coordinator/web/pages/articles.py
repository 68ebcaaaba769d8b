"""The pages that explain: the method, security, the recipe for a run of one's own, the API."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from coordinator.web.figures import run_facts
from coordinator.web.given import Context
from coordinator.web.rendering import render

router = APIRouter(include_in_schema=False)


@router.get("/method")
def method(request: Request, context: Context) -> Response:
    training = context.manifest.training
    return render(request, "method.html", {"swarm": training.swarm, "model": training.model})


@router.get("/security")
def security(request: Request, context: Context) -> Response:
    gate = context.settings.gate
    return render(request, "security.html", {"gate": gate, "minutes": -(-gate.token_seconds // 60)})


@router.get("/recipe")
def recipe(request: Request, context: Context) -> Response:
    return render(request, "recipe.html", {"run": run_facts(context.manifest)})


@router.get("/api")
def api(request: Request) -> Response:
    return render(request, "api.html", {"operations": list(_operations(request.app.openapi()))})


@dataclass(frozen=True)
class Operation:
    """One thing that the API does."""

    method: str
    path: str
    about: str
    tag: str


def _operations(description: dict[str, Any]) -> Iterator[Operation]:
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            about = operation.get("description") or operation.get("summary", "")
            yield Operation(method.upper(), path, about, (operation.get("tags") or ["other"])[0])
