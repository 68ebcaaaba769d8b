"""The file of a frame keeps what a text run's model wrote, and nothing that is written there harms who reads it."""

import io
import struct
from pathlib import Path

import pytest
import torch
from PIL import Image

from core.families.causal_lm.cards import SIDE, card
from core.generation.frame_texts import MOST_TEXTS, TEXT_LETTERS, texts_in, texts_packet
from core.generation.frames import FrameFolder, repainted, squeezed
from core.generation.records import FRAME_BYTES

TEXTS = ("red <b>&amp;\n", 'a "quoted" \\ text', "数学 مثال 👩‍💻")
PAGE = Image.new("RGB", (64, 64), "white")


def frame(packet: bytes) -> bytes:
    """A frame of a stranger, with any metadata."""
    written = io.BytesIO()
    PAGE.save(written, "WEBP", xmp=packet)
    return written.getvalue()


def test_a_frame_gives_back_its_texts() -> None:
    assert texts_in(squeezed(PAGE, TEXTS), 3) == TEXTS
    assert texts_in(squeezed(PAGE), 3) == ()
    assert texts_in(squeezed(PAGE, TEXTS), 2) == (), "not those of the run's prompts"


def test_hostile_texts_are_cleaned_where_they_are_read() -> None:
    clean = frame(texts_packet(["safe"]))
    assert texts_in(clean, 1) == ("safe",)
    hostile = frame(texts_packet(["safe"]).replace(b"safe", b"s\\u202ea\\u001bfe" + b"w" * 5000))
    (found,) = texts_in(hostile, 1)
    assert found.startswith("sa�fe")
    assert len(found) == TEXT_LETTERS


@pytest.mark.parametrize(
    "packet",
    [
        b"",
        b"\xff\xfe",
        b"<x:xmpmeta>" + b"<a>" * 10_000,
        texts_packet(["x"]).replace(b'["x"]', b"[" * 50_000),
        texts_packet(["x"]).replace(b'["x"]', b"[1]"),
        texts_packet(["x"]).replace(b"x", b"\\ud800"),
        texts_packet(["x"]).replace(b'["x"]', b'{"x": "y"}'),
        texts_packet(["x"]).replace(b'["x"]', b"<!ENTITY a SYSTEM 'file:///etc/passwd'>&a;"),
    ],
    ids=lambda packet: str(packet[:12]),
)
def test_what_are_no_texts_are_none(packet: bytes) -> None:
    assert texts_in(frame(packet) if packet else squeezed(PAGE), 1) == ()


def test_a_file_whose_chunks_lie_has_no_texts() -> None:
    whole = squeezed(PAGE, TEXTS)
    for cut in (
        b"",
        whole[:11],
        whole[:-40],
        whole.replace(b"XMP ", b"JUNK"),
        b"RIFF" + whole[4:8] + b"WEBP",
    ):
        assert texts_in(cut, 3) == ()
    place = whole.index(b"XMP ") + 4
    longer = whole[:place] + struct.pack("<I", 0xFFFFFFFF) + whole[place + 4 :]
    assert texts_in(longer, 3) in ((), TEXTS)


def test_the_longest_texts_of_all_prompts_fit_a_frame_with_their_cards() -> None:
    texts = ["&" * TEXT_LETTERS] * MOST_TEXTS
    assert len(texts_packet(texts)) < FRAME_BYTES // 2
    with pytest.raises(ValueError, match="16 texts"):
        texts_packet([*texts, ""])
    noise = Image.effect_noise((768, 768), 200).convert("RGB")  # too much in any quality: it is made smaller
    made = squeezed(noise, texts)
    assert len(made) <= FRAME_BYTES
    assert texts_in(made, MOST_TEXTS) == tuple(texts)


def test_of_a_strangers_frame_texts_are_kept_only_where_the_run_has_some() -> None:
    stranger = squeezed(PAGE, TEXTS)
    assert texts_in(repainted(stranger, 3), 3) == TEXTS
    assert b"XMP " not in repainted(stranger)
    assert b"XMP " not in repainted(stranger, 2)


def test_a_folder_keeps_the_texts_of_its_frames(tmp_path: Path) -> None:
    cards = torch.stack([card(prompt, text) for prompt, text in zip("abc", TEXTS, strict=True)])
    path = FrameFolder(tmp_path, ("a", "b", "c"), tile=SIDE).save(cards, 4, TEXTS)
    assert texts_in(path.read_bytes(), 3) == TEXTS
