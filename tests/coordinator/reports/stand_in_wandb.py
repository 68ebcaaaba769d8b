"""A stand-in for wandb that keeps what it is given by wandb's rules: a step that is closed takes nothing more."""

from dataclasses import dataclass, field
from typing import Any

from PIL.Image import Image as Picture

KNOWN_SETTINGS = frozenset(
    {
        "console",
        "disable_git",
        "init_timeout",
        "save_code",
        "x_disable_machine_info",
        "x_disable_meta",
        "x_disable_stats",
        "x_save_requirements",
    }
)
"""The settings that wandb 0.31 knows, as far as they are used."""


@dataclass
class StandInRun:
    """A run whose steps only rise."""

    id: str
    name: str
    rows: dict[int, dict[str, Any]] = field(default_factory=dict)
    """What has arrived, by steps."""
    is_open: bool = True
    _step: int = 0
    _row: dict[str, Any] = field(default_factory=dict)

    def log(self, row: dict[str, Any], *, step: int, commit: bool) -> None:
        assert self.is_open
        if step < self._step:
            return
        if step > self._step:
            self._close_step(step)
        self._row |= row
        if commit:
            self._close_step(step + 1)

    def finish(self) -> None:
        if self._row:
            self._close_step(self._step + 1)
        self.is_open = False

    def _close_step(self, following: int) -> None:
        if self._row:
            self.rows[self._step] = self._row
        self._step, self._row = following, {}


@dataclass(frozen=True)
class StandInImage:
    picture: Picture
    caption: str


class StandInWandb:
    """The module."""

    Image = StandInImage

    def __init__(self) -> None:
        self.runs: dict[str, StandInRun] = {}
        self.settings: dict[str, Any] = {}
        self.teardowns = 0

    def Settings(self, **settings: Any) -> dict[str, Any]:  # noqa: N802 - wandb's name
        assert settings.keys() <= KNOWN_SETTINGS, "wandb refuses names that it does not know"
        return settings

    def init(self, *, name: str, settings: dict[str, Any], resume: str, **given: Any) -> StandInRun:
        assert resume == "allow"
        self.settings = settings
        run = self.runs.setdefault(given["id"], StandInRun(given["id"], name))
        run.is_open = True
        return run

    def teardown(self) -> None:
        self.teardowns += 1
