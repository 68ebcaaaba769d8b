"""How this computer would train a run, in sentences that nobody needs to be an expert for."""

from PySide6.QtCore import QCoreApplication

from client.api.prospect import PlanView
from gui.wording import amounts

translate = QCoreApplication.translate


def plan_sentence(plan: PlanView) -> str:
    """What it trains on, and what that takes; or that it does not fit."""
    if not plan.fits:
        return translate("Plan", "This run needs more memory than this computer can give.")
    if plan.device:
        #: {gpu_memory} and {memory} are such as "5.2 GB".
        text = translate(
            "Plan", "Trains on {device} with {gpu_memory} of its memory and {memory} of main memory."
        )
        return text.format(
            device=plan.device,
            gpu_memory=amounts.data_size(plan.gpu_bytes),
            memory=amounts.data_size(plan.ram_bytes),
        )
    text = translate("Plan", "Trains on the processor with {memory} of memory.")
    return text.format(memory=amounts.data_size(plan.ram_bytes))


def technique_names(plan: PlanView) -> tuple[str, ...]:
    """What saves memory; those that are not known here as they are called."""
    return tuple(technique_name(code) for code in plan.techniques)


def technique_name(code: str) -> str:
    return _names().get(code, code)


def _names() -> dict[str, str]:
    return {
        "bfloat16": translate("Plan", "16-bit numbers (bfloat16)"),
        "float16": translate("Plan", "16-bit numbers (float16)"),
        "checkpoint": translate("Plan", "computing intermediate results again instead of keeping them"),
        "reverse": translate("Plan", "rebuilding intermediate results backwards instead of keeping them"),
        "loss_chunk": translate("Plan", "computing the loss in parts"),
        "eight_bit_optimizer": translate("Plan", "an 8-bit optimizer"),
        "optimizer_on_cpu": translate("Plan", "the optimizer in main memory"),
    }
