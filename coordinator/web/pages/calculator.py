"""The memory calculator: a form that is answered on the server, by the formulas that the client plans with."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from coordinator.web.calculation import Asked, Calculation, calculate, models
from coordinator.web.rendering import render
from core.errors import MemoryPlanError

router = APIRouter(include_in_schema=False)

_SIZES = ("0", "4 GiB", "6 GiB", "8 GiB", "12 GiB", "16 GiB", "24 GiB", "40 GiB", "80 GiB")
"""Of GPU memory, to choose from; others may be written."""


@router.get("/calculator")
def calculator(request: Request, asked: Annotated[Asked, Query()]) -> Response:
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
        "sizes": _SIZES,
    }
    return render(request, "calculator.html", values)
