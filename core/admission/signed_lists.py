"""Lists that a run's gate signs: short enough for a DHT record, and each in place of those with lower serials."""

import json
from collections.abc import Iterable
from typing import Annotated, Any, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from core.admission.access_token import RunDigest, UnixSeconds
from core.errors import AdmissionError
from core.signing import SigningKey, canonical, is_signed

MAX_BYTES = 11_000
"""Largest size of a signed list: it travels as a DHT record, and much larger ones kill the DHT's process."""
SPACE = MAX_BYTES - 600
"""Bytes of a list for its entries; all else of it takes less than the rest."""

ListEntry = TypeVar("ListEntry", str, dict[str, Any])


class GateList(BaseModel):
    """The form of a list's content, to which each kind adds its entries."""

    model_config = ConfigDict(extra="forbid", strict=True)

    run: RunDigest
    """The run's training digest."""
    serial: Annotated[int, Field(ge=0, lt=2**63)]
    """Number of the list; it takes the place of those with lower ones."""
    issued: UnixSeconds
    """Unix time of issue in seconds; rises with the serial."""


Content = TypeVar("Content", bound=GateList)


class _SignedList(BaseModel, Generic[Content]):
    model_config = ConfigDict(extra="forbid", strict=True)

    list: Content
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


def fitting(entries: Iterable[ListEntry], space: int, most: int) -> tuple[list[ListEntry], int]:
    """Return the first ``entries``, ``most`` at most, that fit ``space`` bytes of a list, and the bytes left."""
    kept: list[ListEntry] = []
    for entry in entries:
        size = len(json.dumps(entry, separators=(",", ":"))) + 1  # with the comma after it
        if size > space or len(kept) == most:
            break
        space -= size
        kept.append(entry)
    return kept, space


def sign_list(content: dict[str, Any], form: type[GateList], label: bytes, key: SigningKey) -> bytes:
    """Return a list signed with the gate's ``key``.

    Args:
        content: fields of the list.
        form: form of the kind of list.
        label: bytes that only signatures of this kind of list begin with.
        key: the gate's key.

    Raises:
        ValueError: It is malformed, or longer than ``MAX_BYTES`` when signed.
    """
    checked = form.model_validate(content).model_dump(mode="json")
    signed = canonical({"list": checked, "signature": key.sign(label + canonical(checked))})
    if len(signed) > MAX_BYTES:
        raise ValueError(f"a list of {len(signed)} bytes is too long ({MAX_BYTES} at most)")
    return signed


def read_list(signed: bytes, form: type[Content], label: bytes, *, name: str, gate: str, run: str) -> Content:
    """Return the content of a ``signed`` list that the run's gate has made.

    Args:
        signed: the list as `sign_list` makes it.
        form: form of the kind of list.
        label: bytes that only signatures of this kind of list begin with.
        name: words for the list at the beginning of a sentence.
        gate: public key of the gate in hex.
        run: training digest of the run.

    Raises:
        AdmissionError: The gate did not sign it for the run.
    """
    refusal = AdmissionError(
        f"{name} was not signed by this run's gate.", "It is ignored. The gate's own list stays in effect."
    )
    if len(signed) > MAX_BYTES:
        raise refusal
    try:
        found: _SignedList[Content] = cast(Any, _SignedList)[form].model_validate_json(signed)
    except ValidationError as error:
        raise refusal from error
    content = label + canonical(found.list.model_dump(mode="json"))
    if found.list.run != run or not is_signed(content, found.signature, gate):
        raise refusal
    return found.list
