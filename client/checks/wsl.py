"""Checks whether training can run in WSL2, on Windows: version, virtualisation, WSL, disk and driver."""

from collections.abc import Sequence
from pathlib import Path

from client.doctor import CheckVerdict, Finding
from client.hosts.wsl.checks import judge
from client.hosts.wsl.facts import FactSources, read_windows_facts
from client.hosts.wsl.stages import WslAction
from core.packages import remedy_of_trainer


async def look_at_wsl(sources: FactSources, folder: Path) -> Sequence[Finding]:
    """Check what the distribution needs, and whether it is there; ``folder`` is where its disk is, or will be."""
    facts = await read_windows_facts(sources, folder)
    is_there = sources.command.distribution in facts.wsl.distributions
    # A disk that the distribution has filled as it had to is no problem.
    found = [each.finding for each in judge(facts) if not (is_there and each.action is WslAction.FREE_DISK)]
    return [*found, _distribution(is_there)]


def _distribution(is_there: bool) -> Finding:
    if is_there:
        return Finding(
            "Linux for training", CheckVerdict.OK, "Idlebrush's distribution is imported into WSL."
        )
    return Finding(
        "Linux for training",
        CheckVerdict.PROBLEM,
        "Idlebrush's distribution, in which training runs, is not imported into WSL.",
        remedy_of_trainer(),
    )
