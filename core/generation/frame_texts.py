"""Texts in the file of a frame: what the model of a text run wrote, beside the cards that show it; without torch.

The file is WebP, and the texts are its XMP metadata. So they travel, are announced by digest, limited in size and
taken down with the frame. Of a stranger's file, nothing but what these functions return is ever used.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, unescape

from pydantic import TypeAdapter, ValidationError

from core.excerpt import passage

if TYPE_CHECKING:
    from core.run.manifest import RunManifest

MOST_TEXTS = 16
"""Texts of a frame, at most."""
TEXT_LETTERS = 600
"""Characters of a text, at most: `MOST_TEXTS` of them fit a line of a channel, even if escaped, and half a frame."""
_HEAD, _END = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    '<rdf:Description rdf:about="" xmlns:frame="urn:idlebrush:frame"><frame:texts>',
    "</frame:texts></rdf:Description></rdf:RDF></x:xmpmeta>",
)
_PACKET = re.compile(f"{re.escape(_HEAD)}([^<>]*){re.escape(_END)}")
_TEXTS = TypeAdapter(tuple[str, ...])


def texts_in_frames(manifest: "RunManifest") -> int:
    """Return the number of texts in each frame of the run of ``manifest``; 0 if frames are pictures alone."""
    return len(manifest.contact.sample_prompts[:MOST_TEXTS]) if manifest.training.writes_texts else 0


def texts_packet(texts: Sequence[str]) -> bytes:
    """Return ``texts`` as the XMP metadata of a frame; nothing if there are none.

    Of each text, `passage` keeps `TEXT_LETTERS` characters, so that the packet has less than 50 kB.

    Raises:
        ValueError: There are more than `MOST_TEXTS`.
    """
    if len(texts) > MOST_TEXTS:
        raise ValueError(f"a frame has {MOST_TEXTS} texts at most")
    if not texts:
        return b""
    kept = tuple(passage(text, TEXT_LETTERS) for text in texts)
    return f"{_HEAD}{escape(_TEXTS.dump_json(kept).decode())}{_END}".encode()


def texts_in(frame: bytes, number: int) -> tuple[str, ...]:
    """Return the texts in the file of a frame, as `passage` gives them; none if it has not as many.

    Args:
        frame: The WebP file.
        number: Number of the texts: that of the run's prompts.
    """
    packet = next((content for name, content in _chunks(frame) if name == b"XMP "), b"")
    try:
        found = _PACKET.fullmatch(packet.decode())
        texts = _TEXTS.validate_json(unescape(found[1])) if found else ()
    except (UnicodeDecodeError, ValidationError):
        return ()
    if len(texts) != number or number > MOST_TEXTS:
        return ()
    return tuple(passage(text, TEXT_LETTERS) for text in texts)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the names and contents of a WebP file's chunks, as far as they are whole."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return
    place = 12
    while place + 8 <= len(data):
        size = int.from_bytes(data[place + 4 : place + 8], "little")
        yield data[place : place + 4], data[place + 8 : place + 8 + size]
        place += 8 + size + size % 2
