"""The folder by which the coordinator's processes hand over what an audit of work needs.

The auditor says that it wants a sample. From then on the publisher, which follows the swarm, keeps the parameters of
the newest heads there, and the bootstrap peer, which reduces, puts a sample of a drawn peer's work beside them. The
auditor computes, and leaves its verdict for the bootstrap peer, which tells the swarm. All files are the
coordinator's own; each is moved to its place whole.
"""

import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shutil import rmtree

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
_WANTED_SECONDS = 3600.0
"""Seconds after which a wish is that of an auditor that is gone: no parameters are written for it."""
_Place = tuple[int, bytes]
Arrays = Mapping[str, NDArray[np.float32]]


class AuditFolder:
    """Files that are handed over for one audit at a time; each method but `clear` belongs to one of the processes."""

    def __init__(self, root: Path) -> None:
        """Use the folder ``root``; nothing is wanted while it does not exist."""
        self._root = root
        self._wanted, self._sample, self._verdict = root / "wanted", root / "sample", root / "verdict"

    # --- the auditor ----------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Begin with an empty folder; OSError if it cannot be made."""
        rmtree(self._root, ignore_errors=True)
        self._root.mkdir(mode=0o700, parents=True)

    def want(self) -> None:
        """Ask for a sample and for the parameters behind it; OSError if the folder cannot be written to."""
        self._wanted.touch()

    def sample(self) -> WorkSample | None:
        """Return the sample that was put here; None if there is none yet, or it cannot be read."""
        try:
            return _read(self._sample)
        except FileNotFoundError:
            return None
        except (OSError, SafetensorError, ValueError, KeyError, MalformedPart) as error:
            _log.warning("A sample of work cannot be read, and is left out: %s", error)
            self._sample.unlink(missing_ok=True)
            return None

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

    def put(self, sample: WorkSample) -> None:
        """Put a ``sample`` here for the auditor; OSError or SafetensorError if the folder cannot be written to."""
        begun = self._root / ".sample"
        arrays = {str(index): np.frombuffer(packed, np.uint8) for index, packed in sample.parts.items()}
        about = {
            "peer": sample.peer.hex(),
            "epoch": str(sample.epoch),
            "head": sample.head.hex(),
            "weight": repr(sample.weight),
            "rows": sample.rows.pack().hex(),
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


def _read(file: Path) -> WorkSample:
    with safe_open(file, "numpy") as opened:
        about = opened.metadata()
        parts = {int(index): opened.get_tensor(index).tobytes() for index in opened.keys()}  # noqa: SIM118
    return WorkSample(
        bytes.fromhex(about["peer"]),
        int(about["epoch"]),
        bytes.fromhex(about["head"]),
        float(about["weight"]),
        RowClaim.unpack(bytes.fromhex(about["rows"])),
        parts,
    )
