"""Words for whatever goes wrong while pictures are drawn beside training, which goes on."""

import logging

from core.errors import CoreError, GenerationError
from core.micro_steps import is_out_of_memory

_log = logging.getLogger(__name__)


def failure_of(error: Exception) -> CoreError:
    """What to tell of it; what nobody has foreseen is logged with its traceback."""
    if isinstance(error, CoreError):
        return error
    if isinstance(error, OSError):
        why = error.strerror or error
        return GenerationError(f"A file cannot be read or written: {why}.", "Free some space on that disk.")
    if is_out_of_memory(error):
        return GenerationError(
            "There is too little memory to draw pictures while training.",
            "Pause training, and ask again.",
        )
    _log.error("Drawing failed.", exc_info=error)
    return GenerationError(
        f"Drawing failed in a way that was not foreseen ({type(error).__name__}).",
        "Report this as a fault, with the end of the trainer's log.",
    )
