"""Writes an evaluation as one HTML page with its pictures inside: it needs no other file and no network.

Prompts and captions are strangers' words, so all of them are escaped; the page has no script.
"""

import base64
from collections.abc import Mapping
from html import escape
from pathlib import Path

from core.evaluation.document import Evaluation, NearPicture, PromptResult
from core.evaluation.sorting import ResultKind
from core.evaluation.wording import (
    HEADINGS,
    MEANINGS,
    accuracy,
    data_words,
    limits,
    marks,
    model_words,
    near_words,
)

_STYLE = Path(__file__).with_name("page.css")


def page_style() -> str:
    """Return the style sheet of a report; OSError if the program's own file is missing."""
    return _STYLE.read_text(encoding="utf-8")


def page_of(evaluation: Evaluation, pictures: Mapping[str, bytes], style: str) -> str:
    """Return the page of an evaluation.

    Args:
        evaluation: What was found.
        pictures: Contents of its pictures, by name.
        style: Style sheet.
    """
    title = f"Evaluation of {escape(evaluation.model.title or evaluation.model.run)}"
    sections = "".join(_section(evaluation, kind, pictures) for kind in ResultKind)
    counts = "".join(
        f'<li class="{kind}"><b>{len(evaluation.of_kind(kind))}</b> {escape(HEADINGS[kind].lower())}</li>'
        for kind in ResultKind
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p class="lead">{escape(model_words(evaluation))}</p>
<ul class="counts">{counts}</ul>
<p>{escape(data_words(evaluation))}</p>
{sections}
{_method(evaluation)}
</main>
</body>
</html>
"""


def _section(evaluation: Evaluation, kind: ResultKind, pictures: Mapping[str, bytes]) -> str:
    results = evaluation.of_kind(kind)
    shown = "".join(_result(result, evaluation, pictures) for result in results)
    return (
        f'<section aria-labelledby="{kind}"><h2 id="{kind}" class="{kind}">{escape(HEADINGS[kind])}</h2>'
        f"<p>{escape(MEANINGS[kind])}</p>{shown or '<p class=small>None of the prompts.</p>'}</section>"
    )


def _result(result: PromptResult, evaluation: Evaluation, pictures: Mapping[str, bytes]) -> str:
    said = "".join(f"<li>{escape(mark)}</li>" for mark in marks(result, evaluation))
    drawing = _picture(result.drawing, f"Drawing of: {result.prompt}", pictures)
    near = _near("Training pictures nearest to the prompt", result.near_prompt, pictures)
    alike = _near("Training pictures nearest to the drawing", result.near_drawing, pictures)
    return (
        f'<article><div class="drawn"><figure>{drawing}<figcaption>{escape(result.prompt)}</figcaption></figure>'
        f'<ul class="marks">{said}</ul></div><div class="near">{near}{alike}</div></article>'
    )


def _near(heading: str, near: tuple[NearPicture, ...], pictures: Mapping[str, bytes]) -> str:
    shown = "".join(
        f"<figure>{_picture(one.file, one.caption, pictures)}"
        f"<figcaption>{escape(one.caption)}<span>{escape(near_words(one))}</span></figcaption></figure>"
        for one in near
    )
    return f'<div><h3>{escape(heading)}</h3><div class="row">{shown}</div></div>'


def _picture(name: str, words: str, pictures: Mapping[str, bytes]) -> str:
    content = base64.b64encode(pictures[name]).decode()
    return f'<img alt="{escape(words)}" src="data:image/webp;base64,{content}">'


def _method(evaluation: Evaluation) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in (*accuracy(evaluation), *limits(evaluation)))
    return f'<section aria-labelledby="how"><h2 id="how">How far to believe it</h2><ul>{lines}</ul></section>'
