"""The form by which pictures are asked for: words, how many, and, folded away, how they are drawn."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from gui.design.tokens import Space
from gui.gallery.order import DRAWN, KEPT, LONGEST_PROMPT, MOST, SEEDS, Order
from gui.widgets.buttons import LinkButton, PrimaryButton
from gui.widgets.fields import DecimalField, NumberField
from gui.widgets.flow import FlowLayout
from gui.widgets.labels import caption

_MOST_CODES = 65_536
_HOTTEST = 5.0


class PromptForm(QWidget):
    """Return in the field of words asks as the button does."""

    wanted = Signal(object)
    """The `Order` of the fields."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.prompt = QLineEdit(self)
        self.prompt.setAccessibleName(self.tr("What to draw"))
        self.prompt.setMaxLength(LONGEST_PROMPT)
        self.draw = PrimaryButton(self.tr("Draw"), self, icon="sparkle")
        self.count, self.best = _numbers(1, MOST, DRAWN), _numbers(1, DRAWN, KEPT)
        self.temperature = DecimalField(self)
        self.temperature.setRange(0.0, _HOTTEST)
        self.temperature.setSingleStep(0.05)
        self.temperature.setSpecialValueText(self.tr("usual"))
        self.top_k = _numbers(0, _MOST_CODES, 0)
        self.top_k.setSpecialValueText(self.tr("usual"))
        self.seed = _numbers(-1, SEEDS - 1, -1)
        self.seed.setSpecialValueText(self.tr("a new one"))
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
    def order(self) -> Order:
        """What the fields say."""
        return Order(
            self.prompt.text(),
            self.count.value(),
            self.best.value(),
            self.temperature.value() or None,
            self.top_k.value() or None,
            None if self.seed.value() < 0 else self.seed.value(),
        )

    def set_order(self, order: Order) -> None:
        """Fill the fields, and have the words be ready for a change."""
        self.prompt.setText(order.prompt)
        self.count.setValue(order.count)
        self.best.setValue(order.best)
        self.temperature.setValue(order.temperature or 0.0)
        self.top_k.setValue(order.top_k or 0)
        self.seed.setValue(-1 if order.seed is None else order.seed)
        self.prompt.setFocus(Qt.FocusReason.OtherFocusReason)
        self.prompt.selectAll()

    def set_suggestions(self, prompts: Sequence[str]) -> None:
        """Of the run, which show what its model knows."""
        if prompts:
            #: {prompt} is an example of what the model can draw, in the language of the run.
            text = self.tr("What should it draw? Such as “{prompt}”").format(prompt=prompts[0])
        else:
            text = self.tr("What should it draw?")
        with QSignalBlocker(self.prompt):
            self.prompt.setPlaceholderText(text)

    def _ask(self) -> None:
        if self.draw.isEnabled():
            self.wanted.emit(self.order)

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
        amounts.addWidget(_labelled(self.tr("Best to keep"), self.best))
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
            (self.tr("Temperature"), self.tr("Lower is safer, higher more surprising"), self.temperature),
            (
                self.tr("Likeliest codes"),
                self.tr("Each piece of a picture is chosen from this many of the likeliest codes (top-k)"),
                self.top_k,
            ),
            (self.tr("Seed"), self.tr("The same seed and words give the same pictures"), self.seed),
        )


def _numbers(least: int, most: int, value: int) -> NumberField:
    field = NumberField()
    field.setRange(least, most)
    field.setValue(value)
    return field


def _labelled(name: str, field: QWidget) -> QWidget:
    """The field with its name before it."""
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
