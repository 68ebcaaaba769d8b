"""Reads the lists of runs for front ends, by a process of its own and within the volunteer's limits."""

import secrets

from client.api.messages import Traffic
from client.api.runs import AddRunList, DirectoryRequest, DirectoryView, RemoveRunList
from client.contribution.stats import TrainedRun
from client.directory.tasks import ListsRead, ReadLists
from client.service.context import Context

LISTS = TrainedRun("lists", "lists of runs")
"""Name under which the contribution counts the traffic, which belongs to no run."""
_SECONDS = 300.0
"""Time limit; a list that was begun within the process's own limit may take longer."""


async def read_lists(context: Context, request: DirectoryRequest) -> DirectoryView:
    """Return the lists, and the runs on them, after what the ``request`` adds or removes.

    Raises:
        ClientError: A list cannot be added or removed. One that cannot be read has the error in its view.
    """
    run = context.run
    task = ReadLists(
        folder=context.paths.lists,
        allowed=context.limits.model_copy(update={"download": context.budget_beside_trainer.download}),
        add=request.location if isinstance(request, AddRunList) else "",
        key=request.key if isinstance(request, AddRunList) else "",
        remove=request.location if isinstance(request, RemoveRunList) else "",
        held_gpu=context.held_gpu,
        held_ram=run.ram(context.accounting.memory_held) if run else 0,
    )
    life = secrets.token_hex(8)

    def count(traffic: Traffic) -> None:
        context.accounting.contribution.heard(LISTS, life, traffic, context.now())

    return (await context.tasks.run(task, ListsRead, _SECONDS, passed=count)).directory
