"""Makes the key files of a coordinator's home, without what the creation of a run loads besides."""

from pathlib import Path

from core.signing import SigningKey


def make_key(path: Path) -> SigningKey:
    """Return the key in the file. A missing key is created atomically, and none is overwritten."""
    if not path.exists():
        begun = path.with_name(f".{path.name}.begun")
        begun.unlink(missing_ok=True)
        SigningKey.generate().save(begun)
        begun.rename(path)
    return SigningKey.load(path)
