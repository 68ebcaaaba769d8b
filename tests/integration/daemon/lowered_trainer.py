"""The real trainer, lowered after its first samples, since loading at the lowest priority may take minutes."""

from collections.abc import Callable
from typing import Any

from client.api.messages import Start
from client.trainer import Commands, main, train_for_real
from core.children import priority
from core.messages.events import Event, Progress


def lowered_settings(**beside: Any) -> dict[str, Any]:
    """Return the settings of `tests.integration.loopback_daemon` that select these trainers."""
    return {"trainer": __name__, **beside}


def loop(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    is_lowered = False

    def lower_then_report(event: Event) -> None:
        nonlocal is_lowered
        if isinstance(event, Progress) and event.samples and not is_lowered:
            priority.lower()
            is_lowered = True  # once: a test may give it its priority back
        report(event)

    train_for_real(start, lower_then_report, commands)


if __name__ == "__main__":
    main(loop)
