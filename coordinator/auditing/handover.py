"""The folder by which the coordinator's processes hand over what an audit of work needs.

The auditor says that it wants a sample. From then on the publisher, which follows the swarm, keeps the parameters of
the newest heads there, and the bootstrap peer, which reduces, puts a sample of a drawn peer's work beside them. The
auditor computes, and leaves its verdict for the bootstrap peer, which tells the swarm. Each wish has a number, so
that a sample that comes late is not taken for one of the next wish. All files are the coordinator's own; each is
moved to its place whole.
"""

import logging
import math
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save_file

from core.swarm.auditing.row_spans import RowClaim
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.swarm.wire.encoding import MalformedPart

_log = logging.getLogger(__name__)
HEADS_KEPT = 3
"""Heads whose parameters are kept: that of the work, the one before it, and one that has come since."""
_FOREIGN = "foreign-"
"""Beginning of the names of parts that others than the bootstrap peer reduced."""
_WANTED_SECONDS = 3600.0
"""Seconds after which a wish that was not repeated is that of an auditor that is gone: nothing is written for it."""
_Place = tuple[int, bytes]
Arrays = Mapping[str, NDArray[np.float32]]


class AuditFolder:
    """Files that are handed over for one audit at a time; each method but `clear` belongs to one of the processes."""

    def __init__(self, root: Path) -> None:
        """Use the folder ``root``; nothing is wanted while it does not exist."""
        self._root = root
        self._wanted, self._sample, self._verdict = root / "wanted", root / "sample", root / "verdict"
        self._paid_at = root / "paid-at"

    # --- the auditor ----------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Begin with an empty folder, but for what is owed; OSError if it cannot be made."""
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        for file in self._root.iterdir():
            if file != self._paid_at:
                file.unlink(missing_ok=True)  # others move files here

    @property
    def paid_at(self) -> float:
        """Time in seconds since 1970 at which the audits so far are paid for; 0 if nothing is owed."""
        try:
            found = float(self._paid_at.read_text())
        except (OSError, ValueError):
            return 0.0
        return found if math.isfinite(found) else 0.0

    def owe_until(self, paid_at: float) -> None:
        """Write down that the audits so far are paid for at ``paid_at``, for an auditor that comes after this one.

        OSError if the folder cannot be written to.
        """
        begun = self._root / ".paid-at"
        begun.write_text(repr(paid_at))
        begun.replace(self._paid_at)

    def want(self, most_rows: float = math.inf) -> None:
        """Ask for a sample and for the parameters behind it; OSError if the folder cannot be written to.

        Work of ``most_rows`` and more cannot be audited: less is taken if there is any.
        """
        begun = self._root / ".wanted"
        begun.write_text(f"{secrets.token_hex(8)} {most_rows!r}")
        begun.replace(self._wanted)

    def still_want(self) -> None:
        """Repeat the wish, so that it is not taken for that of an auditor that is gone; OSError as `want`."""
        self._wanted.touch()

    def sample(self) -> WorkSample | None:
        """Return the sample that was put here for the present wish; None if there is none, or it cannot be read."""
        try:
            wish, found = _read(self._sample)
        except FileNotFoundError:
            return None
        except (OSError, SafetensorError, ValueError, KeyError, MalformedPart) as error:
            _log.warning("A sample of work cannot be read, and is left out: %s", error)
        else:
            if wish == self.wish:
                return found
        self._sample.unlink(missing_ok=True)
        return None

    @property
    def newest_head(self) -> _Place | None:
        """Epoch and root of the newest head whose parameters are here; None without any."""
        places = self._places()
        return places[-1] if places else None

    def parameters(self) -> dict[_Place, Arrays]:
        """Return the parameters that are here, by epoch and head; OSError or SafetensorError if one is damaged."""
        return {place: load_file(self._file(place)) for place in self._places()}

    def settle(self, peer: bytes, verdict: WorkVerdict | None) -> None:
        """End the audit of ``peer`` (its id) with a ``verdict``, or with None: nothing is kept and wanted any more.

        OSError if the folder cannot be written to.
        """
        self._wanted.unlink(missing_ok=True)
        self._sample.unlink(missing_ok=True)
        for place in self._places():
            self._file(place).unlink(missing_ok=True)
        if verdict is not None:
            begun = self._root / ".verdict"
            begun.write_text(f"{peer.hex()} {verdict.name}")
            begun.replace(self._verdict)

    # --- the publisher --------------------------------------------------------------------------------------------

    def keep(self, epoch: int, head: bytes, parameters: Arrays) -> None:
        """Keep the ``parameters`` of a head, float32 by name, if a sample is wanted; a full disk costs an audit."""
        if not self._is_wanted:
            return
        file = self._file((epoch, head))
        begun = file.with_name(f".{file.name}")
        try:
            save_file(dict(parameters), begun)
            begun.replace(file)
            for place in self._places()[:-HEADS_KEPT]:
                self._file(place).unlink(missing_ok=True)
        except (OSError, SafetensorError) as error:
            _log.warning("The parameters of epoch %d cannot be kept for an audit of work: %s", epoch, error)
            begun.unlink(missing_ok=True)

    # --- the bootstrap peer ---------------------------------------------------------------------------------------

    def takes_sample_of(self, epoch: int, head: bytes, *, needs_previous: bool) -> bool:
        """Return true if a sample is wanted and not there, and the parameters of its head are.

        Args:
            epoch: Epoch of the work.
            head: Root of the commit at which it began.
            needs_previous: True if some of the work may be of the head before.
        """
        if not self._is_wanted or self._sample.exists():
            return False
        places = self._places()
        has_previous = any(place[0] == epoch - 1 for place in places)
        return (epoch, head) in places and (has_previous or not needs_previous)

    @property
    def wish(self) -> str:
        """Number of the present wish; empty if nothing is wanted."""
        try:
            return self._wanted.read_text()
        except OSError:
            return ""

    @property
    def most_rows(self) -> float:
        """Rows from which on work cannot be audited by who wants a sample; infinite if that is not known."""
        try:
            return float(self.wish.partition(" ")[2])
        except ValueError:
            return math.inf

    def put(self, sample: WorkSample, wish: str) -> None:
        """Put a ``sample`` here that was taken for a ``wish``, by its number.

        OSError or SafetensorError if the folder cannot be written to.
        """
        begun = self._root / ".sample"
        named = {str(index): packed for index, packed in sample.parts.items()}
        named |= {f"{_FOREIGN}{index}": packed for index, packed in sample.foreign.items()}
        arrays = {name: np.frombuffer(packed, np.uint8) for name, packed in named.items()}
        about = {
            "wish": wish,
            "peer": sample.peer.hex(),
            "epoch": str(sample.epoch),
            "head": sample.head.hex(),
            "weight": repr(sample.weight),
            "rows": sample.rows.pack().hex(),
            "contradiction": sample.contradiction,
            "withheld": "yes" if sample.is_withheld else "",
        }
        save_file(arrays, begun, metadata=about)
        begun.replace(self._sample)

    def take_verdict(self) -> tuple[bytes, WorkVerdict] | None:
        """Return the peer (its id) and the verdict of the last audit, once; None if there is nothing new."""
        try:
            peer, name = self._verdict.read_text().split()
            found = bytes.fromhex(peer), WorkVerdict[name]
        except (OSError, ValueError, KeyError):
            return None
        self._verdict.unlink(missing_ok=True)
        return found

    @property
    def _is_wanted(self) -> bool:
        """True if a sample is wanted by an auditor that has not died since."""
        try:
            return time.time() - self._wanted.stat().st_mtime < _WANTED_SECONDS
        except OSError:
            return False

    def _file(self, place: _Place) -> Path:
        epoch, head = place
        return self._root / f"parameters-{epoch:012}-{head.hex()}"

    def _places(self) -> list[_Place]:
        """Return the heads whose parameters are here, the oldest first."""
        found = []
        with suppress(OSError):
            for file in sorted(self._root.iterdir()):
                kind, _, place = file.name.partition("-")
                if kind == "parameters":
                    epoch, head = place.split("-")
                    found.append((int(epoch), bytes.fromhex(head)))
        return found


def _read(file: Path) -> tuple[str, WorkSample]:
    """Return the number of the wish for which a sample was taken, and the sample."""
    with safe_open(file, "numpy") as opened:
        about = opened.metadata()
        arrays = {name: opened.get_tensor(name).tobytes() for name in opened.keys()}  # noqa: SIM118
    return about["wish"], WorkSample(
        bytes.fromhex(about["peer"]),
        int(about["epoch"]),
        bytes.fromhex(about["head"]),
        float(about["weight"]),
        RowClaim.unpack(bytes.fromhex(about["rows"])),
        {int(name): packed for name, packed in arrays.items() if not name.startswith(_FOREIGN)},
        {
            int(name.removeprefix(_FOREIGN)): packed
            for name, packed in arrays.items()
            if name.startswith(_FOREIGN)
        },
        about["contradiction"],
        bool(about["withheld"]),
    )
