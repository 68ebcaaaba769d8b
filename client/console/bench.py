"""Shows how fast this machine trains beside machines that were measured before."""

from collections.abc import Sequence

from rich.table import Table

from client.console.amounts import in_bytes
from core.machines import MachineSpeed


def comparison(here: MachineSpeed, others: Sequence[MachineSpeed]) -> Table:
    """A column for each machine, this one first; a dash for a model that a machine did not run."""
    machines = [here, *others]
    table = Table(title="Training speed: micro-steps, forward and backward")
    table.add_column("")
    for name in (f"this machine: {here.name}", *(machine.name for machine in others)):
        table.add_column(name, justify="right", ratio=1)
    table.add_row("threads", *(str(machine.threads) for machine in machines))
    table.add_row("matrix products, GFLOP/s", *(f"{machine.gemm_gflops:,.0f}" for machine in machines))
    for model in here.models:
        table.add_row(f"{model}, samples/s", *(_samples(machine, model) for machine in machines))
        table.add_row(f"{model}, tokens/s", *(_tokens(machine, model) for machine in machines))
    table.add_row("RAM", *(in_bytes(machine.ram_bytes) for machine in machines))
    return table


def _samples(machine: MachineSpeed, model: str) -> str:
    speed = machine.models.get(model)
    return f"{speed.samples_per_second:,.2f}" if speed else "–"


def _tokens(machine: MachineSpeed, model: str) -> str:
    speed = machine.models.get(model)
    return f"{speed.tokens_per_second:,.0f}" if speed else "–"
