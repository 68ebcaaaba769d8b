"""Executes the notebooks of the repository as Jupyter does, by a kernel of its own and its messages."""

import ast
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

from tests.volunteer import ROOT
from tests.waiting import COSTLY, wait_until

FOLDER = ROOT / "notebooks"
PARAMETERS = "parameters"
SECONDS = 600
"""Time limit of a cell, of which a busy machine takes most."""
GIVE_UP_SECONDS = 30.0
"""Seconds in which a thread has to end whose kernel was killed."""


def read_notebook(name: str) -> Any:
    """Return a notebook of the repository."""
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def cell_named(notebook: Any, name: str) -> Any:
    """Return the cell with that id."""
    return next(cell for cell in notebook.cells if cell.id == name)


def with_values(notebook: Any, values: Mapping[str, object]) -> Any:
    """Return the notebook with another cell after that of its parameters, as papermill adds one."""
    index, cell = next(
        (index, cell)
        for index, cell in enumerate(notebook.cells)
        if PARAMETERS in cell.metadata.get("tags", ())
    )
    names = {
        target.id
        for node in ast.parse(cell.source).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    assert values.keys() <= names, "the notebook has no such parameters"
    lines = "\n".join(f"{name} = {value!r}" for name, value in values.items())
    notebook.cells.insert(index + 1, new_code_cell(lines, id="given"))
    return notebook


@dataclass
class Execution:
    """A notebook that is executed by a thread; its outputs are there as they come."""

    notebook: Any
    environment: Mapping[str, str]
    folder: Path
    """Working folder of the kernel."""
    error: Exception | None = None
    _client: NotebookClient = field(init=False)
    _thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self._client = NotebookClient(
            self.notebook,
            timeout=SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": str(self.folder)}},
        )
        self._thread = threading.Thread(target=self._execute, daemon=True)
        self._thread.start()

    def await_output(self, cell: str, words: str, seconds: float) -> None:
        """Wait until a cell shows these words; fail at once if a cell has failed."""
        wait_until(
            lambda: words in self.outputs(cell) or self.error is not None,
            f"the cell {cell} does not show {words}",
            seconds,
            every=COSTLY,
        )
        assert words in self.outputs(cell), self.error

    def outputs(self, cell: str) -> str:
        """Return all that a cell shows now, as text and as HTML."""
        shown = cell_named(self.notebook, cell).get("outputs", ())
        return "\n".join(
            part
            for output in shown
            for part in (
                output.get("text", ""),
                *map(str, output.get("data", {}).values()),
                *output.get("traceback", ()),
            )
        )

    def end(self, seconds: float = SECONDS) -> None:
        """Wait until all cells were executed, or one has failed."""
        self._thread.join(seconds)
        assert not self._thread.is_alive(), "the notebook goes on"

    def give_up(self) -> None:
        """Kill the kernel, of which no cell may wait any more, and wait a little for the thread."""
        process = getattr(getattr(self._client.km, "provisioner", None), "process", None)
        if process is not None and process.poll() is None:
            process.kill()
        self._thread.join(GIVE_UP_SECONDS)

    def _execute(self) -> None:
        try:
            self._client.execute(env=dict(self.environment))
        except Exception as error:  # noqa: BLE001 - the test looks at it
            self.error = error


@contextmanager
def execution(
    name: str, values: Mapping[str, object], environment: Mapping[str, str], folder: Path
) -> Iterator[Execution]:
    """Execute a notebook of the repository; its kernel has ended afterwards, and is killed at an error."""
    folder.mkdir(parents=True, exist_ok=True)
    executed = Execution(with_values(read_notebook(name), values), environment, folder)
    try:
        yield executed
        executed.end()
    except BaseException:
        executed.give_up()
        raise


def execute(
    name: str, values: Mapping[str, object], environment: Mapping[str, str], folder: Path
) -> Execution:
    """Execute a notebook of the repository to its end; raises what a cell raised."""
    with execution(name, values, environment, folder) as executed:
        pass
    if executed.error is not None:
        raise executed.error
    return executed
