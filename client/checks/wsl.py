"""Checks whether training can run in WSL2, on Windows: version, virtualisation, WSL, disk and driver."""

from collections.abc import Sequence
from pathlib import Path

from client.doctor import Finding
from client.hosts.wsl.checks import judge
from client.hosts.wsl.facts import FactSources, read_windows_facts


async def look_at_wsl(sources: FactSources, folder: Path) -> Sequence[Finding]:
    """Check what the distribution needs; ``folder`` is where its disk is, or will be."""
    return [each.finding for each in judge(await read_windows_facts(sources, folder))]
