"""The processes that the code under test has started; the tests' own PostgreSQL, which a worker may have, is none."""

import os

from core.children import processes
from core.children.processes import Process


def started_processes() -> list[Process]:
    """All below this process but the database's."""
    return [
        process for process in processes.below(os.getpid(), processes.running()) if process.name != "postgres"
    ]
