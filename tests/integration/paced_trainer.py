"""The real trainer, which computes a fifth of the time, since tests that wait for daemons run beside others."""

from collections.abc import Callable
from typing import Any

from client.api.messages import Start
from client.trainer import Commands, main, train_for_real
from core.messages.events import Event, TrainingBudget

SHARE = 0.2


class PacedCommands:
    """A trainer's commands, whose budgets grant at most `SHARE` of the time."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands

    @property
    def budget(self) -> TrainingBudget:
        budget = self._commands.budget
        return budget.model_copy(update={"share": min(budget.share, SHARE)})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._commands, name)


def loop(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    train_for_real(start, report, PacedCommands(commands))  # type: ignore[arg-type]  # it reads no others


if __name__ == "__main__":
    main(loop)
