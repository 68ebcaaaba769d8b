"""The form for a prompt, its checked input, and the generation request made from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from client.api.gallery import GenerationRequest
from gui.design.tokens import Space
from gui.errors import GuiError
from gui.widgets.buttons import LinkButton, PrimaryButton
from gui.widgets.fields import DecimalField, NumberField
from gui.widgets.labels import caption
from gui.widgets.layouts import FlowLayout

translate = QCoreApplication.translate
MOST = 1_024
"""Largest number of pictures in one request."""
DRAWN = 16
KEPT = 4
"""Default numbers of pictures to draw and to keep."""
LONGEST_PROMPT = 2_000
SEEDS = 2**31
"""Upper bound of seeds, so that a seed fits into its field."""
_MOST_CODES = 65_536
_HOTTEST = 5.0
_STRICTEST = 20.0
_GUIDANCE_STEP = 0.5


@dataclass(frozen=True)
class PromptInput:
    """The values of the form's fields."""

    prompt: str
    count: int = DRAWN
    best: int = KEPT
    temperature: float | None = None
    """Sampling temperature; None for the run's own value, as for `top_k` and `guidance`."""
    top_k: int | None = None
    guidance: float | None = None
    seed: int | None = None
    """Seed of the pictures; None for a random one."""

    @classmethod
    def again(cls, request: GenerationRequest) -> "PromptInput":
        """Return the form's values for an earlier request."""
        seed = request.seed if request.seed < SEEDS else None
        best = request.count if request.best is None else request.best
        return cls(
            request.prompt, request.count, best, request.temperature, request.top_k, request.guidance, seed
        )


def request_of(values: PromptInput, seed: int) -> GenerationRequest:
    """Return the request for the daemon, with ``seed`` if the form has none. Raise GuiError for an invalid prompt."""
    prompt = " ".join(values.prompt.split())
    if fault := _fault_of(prompt):
        raise GuiError(fault, "")
    try:
        return GenerationRequest(
            prompt=prompt,
            count=values.count,
            best=values.best if values.best < values.count else None,
            temperature=values.temperature,
            top_k=values.top_k,
            guidance=values.guidance,
            seed=seed if values.seed is None else values.seed,
        )
    except ValueError:  # its text quotes the invalid prompt
        raise GuiError(
            translate("Order", "The prompt contains characters that cannot be used."),
            translate("Order", "Describe in plain words what the picture should show."),
        ) from None


def _fault_of(prompt: str) -> str:
    """Return the reason why a prompt is invalid; empty if none is found."""
    if not prompt:
        return translate("Order", "Describe what the pictures should show.")
    if len(prompt) > LONGEST_PROMPT:
        return translate("Order", "The prompt is too long. A few words work best.")
    return ""


class PromptForm(QWidget):
    """The form; Return in the prompt field has the same effect as the button."""

    wanted = Signal(object)
    """Emitted with the `PromptInput` of the fields."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.prompt = QLineEdit(self)
        self.prompt.setAccessibleName(self.tr("Prompt"))
        self.prompt.setMaxLength(LONGEST_PROMPT)
        self.draw = PrimaryButton(self.tr("Draw"), self, icon="sparkle")
        self.count, self.best = _numbers(1, MOST, DRAWN), _numbers(1, DRAWN, KEPT)
        self.temperature = DecimalField(self)
        self.temperature.setRange(0.0, _HOTTEST)
        self.temperature.setSingleStep(0.05)
        self.temperature.setSpecialValueText(self.tr("default"))
        self.top_k = _numbers(0, _MOST_CODES, 0)
        self.top_k.setSpecialValueText(self.tr("default"))
        self.guidance = DecimalField(self)
        self.guidance.setRange(-_GUIDANCE_STEP, _STRICTEST)
        self.guidance.setSingleStep(_GUIDANCE_STEP)
        self.guidance.setSpecialValueText(self.tr("default"))
        self.guidance.setValue(-_GUIDANCE_STEP)
        self.seed = _numbers(-1, SEEDS - 1, -1)
        self.seed.setSpecialValueText(self.tr("random"))
        self.more = LinkButton("", self)
        self._advanced = QWidget(self)
        self._lay_out()
        self._fold(is_folded=True)
        self.set_suggestions(())
        self.more.clicked.connect(self._turn)
        self.count.valueChanged.connect(self.best.setMaximum)
        self.prompt.returnPressed.connect(self._ask)
        self.draw.clicked.connect(self._ask)

    @property
    def values(self) -> PromptInput:
        """The values of the fields."""
        return PromptInput(
            self.prompt.text(),
            self.count.value(),
            self.best.value(),
            self.temperature.value() or None,
            self.top_k.value() or None,
            None if self.guidance.value() < 0 else self.guidance.value(),
            None if self.seed.value() < 0 else self.seed.value(),
        )

    def set_values(self, values: PromptInput) -> None:
        """Fill the fields, and select the prompt for editing."""
        self.prompt.setText(values.prompt)
        self.count.setValue(values.count)
        self.best.setValue(values.best)
        self.temperature.setValue(values.temperature or 0.0)
        self.top_k.setValue(values.top_k or 0)
        self.guidance.setValue(-_GUIDANCE_STEP if values.guidance is None else values.guidance)
        self.seed.setValue(-1 if values.seed is None else values.seed)
        self.prompt.setFocus(Qt.FocusReason.OtherFocusReason)
        self.prompt.selectAll()

    def set_suggestions(self, prompts: Sequence[str]) -> None:
        """Show one of the run's prompts as an example of what its model knows."""
        if prompts:
            #: {prompt} is an example of what the model can draw, in the language of the run.
            text = self.tr("What should the model draw? For example, “{prompt}”").format(prompt=prompts[0])
        else:
            text = self.tr("What should the model draw?")
        with QSignalBlocker(self.prompt):
            self.prompt.setPlaceholderText(text)

    def _ask(self) -> None:
        if self.draw.isEnabled():
            self.wanted.emit(self.values)

    def _turn(self) -> None:
        self._fold(is_folded=self._advanced.isVisibleTo(self))

    def _fold(self, *, is_folded: bool) -> None:
        self._advanced.setVisible(not is_folded)
        self.more.setText(self.tr("More options") if is_folded else self.tr("Fewer options"))
        self.more.set_icon("down" if is_folded else "up")

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(Space.S)
        line.addWidget(self.prompt, 1)
        line.addWidget(self.draw)
        amounts = FlowLayout(spacing=Space.L)
        amounts.addWidget(_labelled(self.tr("Pictures to draw"), self.count))
        amounts.addWidget(_labelled(self.tr("Pictures to keep"), self.best))
        amounts.addWidget(self.more)
        advanced = FlowLayout(self._advanced, spacing=Space.L)
        for name, help_, field in self._rare():
            field.setToolTip(help_)
            field.setAccessibleDescription(help_)
            advanced.addWidget(_labelled(name, field))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.M)
        column.addLayout(line)
        column.addLayout(amounts)
        column.addWidget(self._advanced)

    def _rare(self) -> tuple[tuple[str, str, QAbstractSpinBox], ...]:
        return (
            (
                self.tr("Temperature"),
                self.tr("Lower values give more predictable pictures, higher values more varied ones"),
                self.temperature,
            ),
            (
                self.tr("Most likely codes"),
                self.tr("Each part of a picture is sampled from this many of the most likely codes (top-k)"),
                self.top_k,
            ),
            (
                self.tr("Guidance"),
                self.tr("Higher values follow the prompt more strictly and vary less; 1 does not guide"),
                self.guidance,
            ),
            (self.tr("Seed"), self.tr("The same seed and prompt give the same pictures"), self.seed),
        )


def _numbers(least: int, most: int, value: int) -> NumberField:
    field = NumberField()
    field.setRange(least, most)
    field.setValue(value)
    return field


def _labelled(name: str, field: QWidget) -> QWidget:
    """Return a widget that shows a field with its label in front."""
    both = QWidget()
    label = caption(name, both)
    label.setWordWrap(False)
    label.setBuddy(field)
    field.setAccessibleName(name)
    row = QHBoxLayout(both)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(Space.S)
    row.addWidget(label)
    row.addWidget(field)
    return both
