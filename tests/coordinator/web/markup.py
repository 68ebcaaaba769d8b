"""Reads pages as strictly as a browser does not: what is open is closed, nothing is inline, names are given."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "link", "input", "br", "hr", "img", "source"}
_DRAWN_VOID = {"path", "rect", "circle", "line", "image", "polyline"}


@dataclass
class ParsedPage(HTMLParser):
    """A page's faults, its links, and its text."""

    text: str
    faults: list[str] = field(default_factory=list)
    links: set[str] = field(default_factory=set)
    ids: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self.feed(self.text)
        self.close()
        if self._open:
            self.faults.append(f"never closed: {self._open}")
        if len(set(self.ids)) != len(self.ids):
            self.faults.append("an id is there twice")
        for tag in ("main", "h1", "head", "header", "footer"):
            if self.tags.count(tag) != 1:
                self.faults.append(f"{self.tags.count(tag)} times <{tag}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._look_at(tag, dict(attrs))
        if tag not in _VOID | _DRAWN_VOID:
            self.faults.append(f"<{tag}/> closes itself")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._look_at(tag, dict(attrs))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("script", "style") and data.strip():
            self.faults.append(f"inline <{self._open[-1]}>")
        self.words.append(data)

    def _look_at(self, tag: str, given: dict[str, str | None]) -> None:
        self.tags.append(tag)
        self.faults += [
            f"inline {name} of <{tag}>" for name in given if name == "style" or name.startswith("on")
        ]
        if tag == "img" and "alt" not in given:
            self.faults.append("a picture without alt")
        if tag == "script":
            self.scripts.append(given.get("src") or "")
        if given.get("id"):
            self.ids.append(str(given["id"]))
        for name in ("href", "src", "action"):
            if given.get(name):
                self.links.add(str(given[name]))
