"""The families of models that a run can choose among by ``model.kind``: each is a package in `core.families`.

A family is found by its folder, so that another one needs no change anywhere else. In its package, ``rules`` has
``RULES``, the class of its training rules, which loads nothing heavy; ``machinery`` has ``FAMILY``, all that
trains. ``publishing``, if there is one, has ``PUBLISHING``, the form in which its models are published.
"""

import json
import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import PlainValidator, SerializeAsAny

from core.errors import ManifestError
from core.excerpt import QUOTE, shortened
from core.run.rules import TrainingRules

if TYPE_CHECKING:
    from core.families.text_to_image.rules import TextToImageRules
    from core.model.family.interface import ModelFamily
    from core.model.family.publishing import FamilyPublishing

TEXT_TO_IMAGE = "text-to-image"
"""Kind of the runs whose manifest names none: they were made before there were others."""
_PACKAGE = "core.families"


def kinds() -> list[str]:
    """Return the kinds of models there are: the names of the packages, with hyphens."""
    found = pkgutil.iter_modules(import_module(_PACKAGE).__path__)
    return sorted(item.name.replace("_", "-") for item in found if item.ispkg)


def rules_class(kind: str) -> type[TrainingRules]:
    """Return the class of a family's training rules.

    Raises:
        ValueError: There is no family of that ``kind``.
    """
    found: type[TrainingRules] = _module(kind, "rules").RULES
    return found


def family_of(training: TrainingRules) -> "ModelFamily":
    """Return what trains the models of a run with the rules ``training``; loads PyTorch.

    Raises:
        ValueError: Their family is not there.
    """
    found: ModelFamily = _module(training.kind, "machinery").FAMILY
    return found


def publishing_of(kind: str) -> "FamilyPublishing":
    """Return the form in which models of a ``kind`` are published; loads PyTorch.

    Raises:
        ValueError: Its family is not there.
        ImportError: The family has none: `TrainingRules.unpublishable` says so.
    """
    found: FamilyPublishing = _module(kind, "publishing").PUBLISHING
    return found


def kind_of(table: object) -> str:
    """Return the kind that the ``table`` of a manifest's training part names, not checked."""
    model = table.get("model") if isinstance(table, dict) else None
    kind = model.get("kind", TEXT_TO_IMAGE) if isinstance(model, dict) else TEXT_TO_IMAGE
    return kind if isinstance(kind, str) else repr(kind)


def without_usual_kind(table: Any) -> Any:
    """Return the ``table`` of a training part without the kind that goes without saying, so that it has no two forms.

    Other values than such tables are returned as they are.
    """
    model = table.get("model") if isinstance(table, dict) else None
    if not isinstance(model, dict) or model.get("kind") != TEXT_TO_IMAGE:
        return table
    return {**table, "model": {name: value for name, value in model.items() if name != "kind"}}


def training_rules(table: object) -> TrainingRules:
    """Return the training rules in ``table``, the values of a JSON object; rules are returned as they are.

    Raises:
        ValueError: It has no such rules, or there is no family of the kind that it names; a ValidationError names
            each field that is wrong.
    """
    if isinstance(table, TrainingRules):
        return table
    found = without_usual_kind(table)
    return rules_class(kind_of(found)).model_validate_json(json.dumps(found, default=str))


AnyTrainingRules = Annotated[SerializeAsAny[TrainingRules], PlainValidator(training_rules)]
"""Training rules of whichever family."""


def picture_rules(training: TrainingRules) -> "TextToImageRules":
    """Return the rules ``training`` as those of a run that makes pictures.

    Raises:
        ManifestError: The run's model makes something else.
    """
    if training.kind != TEXT_TO_IMAGE:
        raise ManifestError(
            f"The model of this run makes no pictures: it is of the kind {training.kind}.",
            "Choose a run whose model draws.",
        )
    return cast("TextToImageRules", training)


def _module(kind: str, name: str) -> Any:
    if kind not in kinds():
        raise ValueError(
            f"there is no model of the kind {shortened(kind, QUOTE)!r}: choose one of {', '.join(kinds())}"
        )
    return import_module(f"{_PACKAGE}.{kind.replace('-', '_')}.{name}")
