"""The report and its document: whatever prompts and captions say, the page stays whole, and the folder is checked."""

import json
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

import core
from core.errors import GenerationError
from core.evaluation.document import FILE, PICTURES, parse, read_evaluation
from core.evaluation.page import page_of, page_style
from core.evaluation.writing import write_evaluation
from core.storage.disk import Disk
from tests.coordinator.web.markup import ParsedPage
from tests.core.evaluation.made_evaluation import CAPTION, HOSTILE, made_evaluation


def test_the_page_is_whole_and_harmless_and_needs_nothing_else() -> None:
    evaluation, pictures = made_evaluation()
    page = page_of(evaluation, pictures, page_style())
    own = {"inline <style>", "0 times <header>", "0 times <footer>"}
    assert set(ParsedPage(page).faults) == own  # all else is as strict as on the website
    assert HOSTILE not in page
    assert CAPTION not in page
    assert "<script" not in page
    assert not set("\u202e\u200b") & set(page)
    assert "\u0301" * 9 not in page
    assert set(re.findall(r'src="([^"]{22})', page)) == {"data:image/webp;base64"}
    assert page.count("<article>") == 3
    assert "http" not in re.sub(r"base64,[^\"]*", "", page).replace("http-equiv", "")


def test_an_evaluation_is_again_what_was_written_and_replaces_an_earlier_one(tmp_path: Path) -> None:
    evaluation, pictures = made_evaluation()
    folder = tmp_path / "made" / "evaluation"
    for page in ("first", None):
        write_evaluation(folder, evaluation, pictures, page)
    assert read_evaluation(folder) == (evaluation, pictures)
    assert sorted(item.name for item in folder.iterdir()) == [FILE, PICTURES]


def test_captions_and_prompts_lose_what_cannot_be_shown_and_are_on_one_line() -> None:
    evaluation, _ = made_evaluation()
    raw = evaluation.model_dump(mode="json")
    raw["results"][0]["near_prompt"][0]["caption"] = "a\nb\u202ec\x1b[2J" + "d" * 280
    caption = parse(json.dumps(raw).encode(), "x.json").results[0].near_prompt[0].caption
    assert caption.startswith("a bc")
    assert "\x1b" not in caption
    assert parse(evaluation.model_dump_json().encode(), "x.json") == evaluation


class DiskThatFills(Disk):
    """Has no space left at the operation of that number."""

    def __init__(self, operation: int) -> None:
        self.left = operation

    def _count(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise OSError(28, "No space left on device")

    def write_bytes(self, path: Path, content: bytes) -> None:
        self._count()
        super().write_bytes(path, content)

    def write_text(self, path: Path, text: str) -> None:
        self._count()
        super().write_text(path, text)

    def rename(self, source: Path, target: Path) -> None:
        self._count()
        super().rename(source, target)


def test_whatever_fails_an_earlier_evaluation_stays_whole(tmp_path: Path) -> None:
    folder, (evaluation, pictures) = tmp_path / "evaluation", made_evaluation()
    write_evaluation(folder, evaluation, pictures, "old")
    newer = evaluation.model_copy(update={"held_out": None})
    for operation in range(1, len(pictures) + 5):
        with pytest.raises(GenerationError, match="No space left"):
            write_evaluation(folder, newer, pictures, "new", DiskThatFills(operation))
        assert read_evaluation(folder) == (evaluation, pictures)
        assert list(tmp_path.iterdir()) == [folder]
    write_evaluation(folder, newer, pictures, "new", DiskThatFills(len(pictures) + 5))
    assert read_evaluation(folder)[0] == newer


def test_what_a_writer_that_was_killed_left_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / ".evaluation.incoming" / PICTURES).mkdir(parents=True)
    write_evaluation(tmp_path / "evaluation", *made_evaluation())
    assert read_evaluation(tmp_path / "evaluation") == made_evaluation()
    assert [item.name for item in tmp_path.iterdir()] == ["evaluation"]


def test_an_installed_program_has_each_file_that_is_no_module() -> None:
    root = Path(core.__file__).parent
    shipped = tomllib.loads((root.parent / "pyproject.toml").read_text())["tool"]["setuptools"][
        "package-data"
    ]
    found = {file.relative_to(root).as_posix() for file in root.rglob("*") if file.is_file()}
    others = {name for name in found if not name.endswith((".py", ".pyc"))}
    assert "evaluation/page.css" in others
    assert {name for name in others if not any(fnmatch(name, one) for one in shipped["core"])} == set()


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(GenerationError, match="no evaluation"):
        write_evaluation(tmp_path, *made_evaluation())
    assert (tmp_path / "mine.txt").read_text() == "mine"


def with_another_picture(folder: Path) -> None:
    next((folder / PICTURES).iterdir()).write_bytes(b"RIFF0000WEBP")


def without_a_picture(folder: Path) -> None:
    next((folder / PICTURES).iterdir()).unlink()


def with_a_path(folder: Path) -> None:
    file = folder / FILE
    evaluation, _ = made_evaluation()
    file.write_text(file.read_text().replace(evaluation.results[0].drawing, "../../../etc/passwd"))


def without_a_result(folder: Path) -> None:
    evaluation, _ = made_evaluation()
    (folder / FILE).write_text(evaluation.model_copy(update={"results": ()}).model_dump_json())


@pytest.mark.parametrize("damage", [with_another_picture, without_a_picture, with_a_path, without_a_result])
def test_a_damaged_evaluation_is_refused(tmp_path: Path, damage: object) -> None:
    folder = tmp_path / "evaluation"
    write_evaluation(folder, *made_evaluation())
    assert callable(damage)
    damage(folder)
    with pytest.raises(GenerationError):
        read_evaluation(folder)


@pytest.mark.parametrize("raw", [b"", b"[]", b"\xff", b"[" * 100_000, b'{"format": "idlebrush evaluation"}'])
def test_what_is_no_evaluation_is_refused_in_words(raw: bytes) -> None:
    with pytest.raises(GenerationError, match="is no evaluation of this version"):
        parse(raw, "x.json")
