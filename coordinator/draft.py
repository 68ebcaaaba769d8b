"""Reads the description of a new run: a manifest, or a draft of one, which names files by path alone."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.errors import ManifestError
from core.run.aggregation import Aggregation
from core.run.contact import Contact
from core.run.describe import bytes_of_round
from core.run.manifest import RunManifest
from core.run.manifest_text import MAX_MANIFEST_BYTES, expand_preset
from core.run.rules import MOST_GROUPS, TrainingRules
from core.run.training.families import kind_of, rules_class, training_rules
from core.run.validation import in_words
from core.storage.files import FileRef, read_bounded, resolve_file

_RANKING_FILE = ("contact", "ranking", "weights")
"""Field of the contact part that names a file."""
_DENSE: dict[str, Any] = {"drift_encoding": "blockwise4", "mean_encoding": "blockwise4"}
_SPARSE_FORM = {"kept": 512, "bits": 2}
_SPARSE: dict[str, Any] = {"drift_encoding": _SPARSE_FORM, "mean_encoding": _SPARSE_FORM}
"""Forms of the drifts of a draft that names none: dense, unless a home's line is too slow for it.

Dense drifts measure best (docs/measured.md, "Local steps").
"""
_HOME_UPLOAD = 625_000
"""Bytes a second that a home's line sends: 5 Mbit/s."""
_AGGREGATION = Aggregation.CLIPPED_MEAN
"""Aggregation of a draft that names none (docs/measured.md, "Rules of aggregation against forged contributions")."""
_NAMES_GRADIENTS = {"gradient_encoding", "overlap"}
"""Swarm rules by which a draft without local steps chooses to average gradients."""
_RECOMPUTED_SHARE = 0.02
"""Share of their computing that peers of a draft that names none spend on checking each other's work."""


@dataclass(frozen=True)
class Draft:
    """A run that has no organiser yet."""

    training: TrainingRules
    contact: Contact
    base: Path
    """Folder that the file names are relative to."""

    @classmethod
    def load(cls, path: Path, now: datetime) -> "Draft":
        """Read a manifest or a draft, and see that the files are there; ManifestError says what is wrong.

        A draft is a manifest without key, signatures and state: in it a path stands for a file, and ``title`` is
        all that ``[contact]`` must have. One that names no procedure trains by local steps, and one that names no
        ``recomputed_share`` has peers check each other's work.
        """
        table = _table(path)
        if "signatures" in table:
            manifest = RunManifest.load(path)
            training, contact = manifest.training, manifest.contact
        else:
            training, contact = _validated(path, table, now)
        for ref in (*training.files, *contact.files):
            resolve_file(ref, path.parent)
        return cls(training, contact, path.parent)

    def with_optimizer(self, kind: str | None, learning_rate: float | None) -> "Draft":
        """Return the draft with another optimizer or peak learning rate; None keeps the draft's.

        Another optimizer comes with its own defaults, and keeps what it shares: how its state is stored.

        Raises:
            ManifestError: another optimizer has no learning rate, or a value is not allowed.
        """
        training, rules = self.training.model_dump(mode="json"), self.training.optimizer
        if kind not in (None, rules.kind):
            if learning_rate is None:
                raise ManifestError(
                    f"The learning rate of this run is for {rules.kind}, not for {kind}.",
                    "Give --learning-rate as well, the largest of the schedule.",
                )
            stored = {"min_8bit_size": rules.min_8bit_size, "block_size": rules.block_size}
            training["optimizer"] = {"kind": kind, **stored}
        if learning_rate is not None:
            training["schedule"]["peak_lr"] = learning_rate
        try:
            changed = training_rules(training)
        except ValidationError as error:
            raise ManifestError(
                f"The optimizer of the run: {in_words(error)}.",
                "Correct --optimizer or --learning-rate.",
            ) from error
        return replace(self, training=changed)


def _table(path: Path) -> dict[str, Any]:
    try:
        return expand_preset(tomllib.loads(read_bounded(path, MAX_MANIFEST_BYTES).decode()))
    except OSError as error:
        raise ManifestError(
            f"{path} cannot be read: {error.strerror or error}.", "Check the path."
        ) from error
    except (ValueError, RecursionError) as error:
        raise ManifestError(
            f"{path} is no description of a run in TOML: {error}.",
            "Correct its TOML syntax; docs/coordinator.md shows what a run is made of.",
        ) from error


def _validated(path: Path, table: dict[str, Any], now: datetime) -> tuple[TrainingRules, Contact]:
    remedy = f"Correct {path}; docs/coordinator.md shows what a run is made of."
    training = table.get("training", {})
    try:
        fields = rules_class(kind_of(training)).file_fields
    except ValueError as error:
        raise ManifestError(f"{path}: {error}.", remedy) from error
    for parent, name in _named_files(table, fields):
        parent[name] = _reference(parent[name], path.parent)
    contact = {**table.get("contact", {}), "issued_at": now.isoformat()}
    try:
        rules = training_rules(_robust(_with_local_steps(training, _DENSE)))
        if not _fits_home_lines(rules):
            senders: dict[str, Any] = {"aggregation": Aggregation.MEAN_OF_SENDERS, "robust": {}}
            rules = training_rules(_robust(_with_local_steps(training, _SPARSE, **senders)))
        rules = _with_checked_work(_with_many_groups(rules))
        made = Contact.model_validate_json(json.dumps(contact, default=str))
    except ValidationError as error:
        raise ManifestError(f"{path}: {in_words(error)}.", remedy) from error
    made.require_fit(rules)
    return rules, made


def _with_local_steps(training: object, forms: dict[str, Any], **rules: Any) -> object:
    """Return the training part with local steps whose drifts and means travel in ``forms``, and further ``rules``.

    What it says itself stays. One that averages gradients stays as it is, and so does one that names a form;
    validation checks anything else.
    """
    swarm = training.get("swarm", {}) if isinstance(training, dict) else None
    if not isinstance(training, dict) or not isinstance(swarm, dict):
        return training
    local = swarm.get("local_steps", {})
    names_gradients = "local_steps" not in swarm and swarm.keys() & _NAMES_GRADIENTS
    if not isinstance(local, dict) or names_gradients or local.keys() & forms.keys():
        return training
    filled = {"overlap": "full", **rules, **swarm, "local_steps": {"steps": 8, **forms, **local}}
    return {**training, "swarm": filled}


def _robust(training: object) -> object:
    """Return the training part with a robust aggregation and its parameters, unless it says something else.

    One that names its aggregation keeps it, and gets the usual parameters if that needs any: a mean has no cap of
    weights unless it is given one. Validation checks anything else.
    """
    swarm = training.get("swarm", {}) if isinstance(training, dict) else None
    if not isinstance(training, dict) or not isinstance(swarm, dict):
        return training
    if swarm.get("aggregation", _AGGREGATION) in (Aggregation.MEAN, Aggregation.MEAN_OF_SENDERS):
        return training
    return {**training, "swarm": {"aggregation": _AGGREGATION, "robust": {}, **swarm}}


def _with_many_groups(rules: TrainingRules) -> TrainingRules:
    """Return ``rules`` under which an epoch may have many groups, unless they say or leave time for something else.

    What a run allows can never change, and a small swarm takes no harm.
    """
    swarm = rules.swarm
    if "most_groups" in swarm.model_fields_set or not swarm.may_combine:
        return rules
    table = rules.model_dump(mode="json", exclude_unset=True)
    table.setdefault("swarm", {})["most_groups"] = MOST_GROUPS
    return training_rules(table)


def _with_checked_work(rules: TrainingRules) -> TrainingRules:
    """Return ``rules`` under which peers check each other's work, unless they say something else or cannot.

    A draft that says 0 has each peer read the data in an order of its own. An open gate makes no difference: that is
    a setting, which the organiser may change, and what a run allows can never change.
    """
    swarm = rules.swarm
    is_named = "recomputed_share" in swarm.model_fields_set
    if swarm.low_rank is not None or (is_named and swarm.recomputed_share != 0):
        return rules
    table = rules.model_dump(mode="json", exclude_unset=True)
    if is_named:
        del table["swarm"]["recomputed_share"]
    else:
        table.setdefault("swarm", {})["recomputed_share"] = _RECOMPUTED_SHARE
    return training_rules(table)


def _fits_home_lines(rules: TrainingRules) -> bool:
    """Return true if a home sends its values of a round in half of the time that an exchange may take."""
    return bytes_of_round(rules).values <= _HOME_UPLOAD * rules.swarm.allreduce_seconds / 2


def _named_files(
    table: dict[str, Any], of_training: tuple[tuple[str, ...], ...]
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each table that names files, and the name of its field.

    ``of_training`` are the fields of the training part.
    """
    for *parts, name in (*(("training", *field) for field in of_training), _RANKING_FILE):
        parent: Any = table
        for part in parts:
            parent = parent.get(part) if isinstance(parent, dict) else None
        if isinstance(parent, dict) and name in parent:
            yield parent, name


def _reference(named: object, base: Path) -> object:
    """Return the manifest's entry for a file that a draft names by path; validation checks anything else."""
    if isinstance(named, list):
        return [_reference(item, base) for item in named]
    if not isinstance(named, str):
        return named
    try:
        return FileRef.of(base / named, base).model_dump()
    except ValidationError as error:
        raise ManifestError(f"{named}: {in_words(error)}.", "Name a file beside the draft.") from error
    except OSError as error:
        raise ManifestError(
            f"The run's file {base / named} cannot be read: {error.strerror or error}.",
            "Files are named relative to the draft.",
        ) from error
