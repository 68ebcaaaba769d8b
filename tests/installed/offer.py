"""Offers the trainer's packages at the trial's server: a list that was made, signed again for the addresses there."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from pydantic import ValidationError

from client.environment.lock_file import EnvironmentLock, Variant, sign_lock
from core.run.validation import in_words
from core.signing import SigningKey
from core.storage.files import read_bounded, write_atomically
from installer.environment.make_list import LIST, WHEELS
from tests.installed.systems import TrialError

_SIGNED = "trial.json"
_LARGEST = 8 << 20
_TRIAL = timedelta(days=2)
_REMEDY = "Make it by: python -m installer.environment.make_list FOLDER --variant cpu --download"


def offer(folder: Path, base: str) -> str:
    """Offer a ``folder`` with a list and its wheels below the web address ``base``; return ``environment.toml``.

    Raises TrialError if there is no list, or if it names a wheel that is not beside it.
    """
    try:
        listed = json.loads(read_bounded(folder / LIST, _LARGEST))["lock"]
        expires = datetime.now(UTC) + _TRIAL  # the list may have been made long ago
        made = EnvironmentLock.model_validate_json(json.dumps({**listed, "expires_at": expires.isoformat()}))
    except ValidationError as error:
        raise TrialError(f"{folder / LIST} is no list: {in_words(error)}.", _REMEDY) from error
    except (OSError, ValueError, KeyError) as error:
        raise TrialError(f"{folder / LIST} cannot be read: {error}.", _REMEDY) from error
    variants = tuple(_served(variant, folder, base) for variant in made.variants)
    key = SigningKey.generate()
    write_atomically(folder / _SIGNED, sign_lock(made.model_copy(update={"variants": variants}), key))
    return f'address = "{base}{_SIGNED}"\nkey = "{key.public_key}"\n'


def _served(variant: Variant, folder: Path, base: str) -> Variant:
    """Return the variant with the addresses of wheels beside the list."""
    if missing := [wheel.file for wheel in variant.wheels if not (folder / WHEELS / wheel.file).exists()]:
        raise TrialError(f"Wheels are not in {folder / WHEELS}: {', '.join(missing[:3])}.", _REMEDY)
    wheels = (
        wheel.model_copy(update={"addresses": (f"{base}{WHEELS}/{quote(wheel.file)}",)})
        for wheel in variant.wheels
    )
    return variant.model_copy(update={"wheels": tuple(wheels)})
