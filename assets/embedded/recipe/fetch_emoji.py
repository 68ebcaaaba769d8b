"""Fetches emoji pictures and their names from npm and lays them out as a folder of images with captions.

The pictures are Noto Emoji (package emoji-datasource-google), the names CLDR's (package emojibase-data); the
terms of both stand in ``../licenses``. ``sets.toml`` says which emoji make up which set.

    python -m assets.embedded.recipe.fetch_emoji --out build/emoji
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SETS = Path(__file__).with_name("sets.toml")
IMAGES = "package/img/google/64/"
DOUBLE_TONE_SEPARATOR = "-"


@dataclass(frozen=True)
class Package:
    """A package of the npm registry, pinned to its content."""

    name: str
    version: str
    sha256: str


PICTURES = Package(
    "emoji-datasource-google", "16.0.0", "fb5fd131b362aab7a55542d2a147a79708cce0a8b1c1bbacd470172708b5c438"
)
NAMES = Package(
    "emojibase-data", "17.0.0", "d01d0e2ca4e22cb402679532155342c71e2e871f25c32223c013b8b166ebdf5a"
)


@dataclass(frozen=True)
class Emoji:
    """A picture's file in the package, and what it shows."""

    file_name: str
    caption: str


@dataclass(frozen=True)
class Sets:
    """Captions of the starter set and of the held-out set; all others are in ``all`` alone."""

    starter: frozenset[str]
    heldout: frozenset[str]

    def splits(self, caption: str) -> list[str]:
        """Return the sets that a caption belongs to; what is held out is in no other."""
        if caption in self.heldout:
            return ["heldout"]
        return ["starter", "all"] if caption in self.starter else ["all"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, required=True, help="folder for the images and metadata.jsonl")
    parser.add_argument("--packages", type=Path, help="folder that keeps the downloaded packages")
    arguments = parser.parse_args()
    lay_out(arguments.out, arguments.packages or arguments.out / "packages")


def lay_out(out: Path, packages: Path) -> None:
    """Fill ``out`` with the pictures and ``metadata.jsonl``; packages in their folder are used again."""
    pictures, names = fetch(PICTURES, packages), fetch(NAMES, packages)
    captions = caption_rewrites()
    emoji = sorted(
        _list_emoji(_read_json(pictures, "package/emoji.json"), _labels(names), captions), key=_mixed
    )
    sets = load_sets({one.caption for one in emoji})
    out.mkdir(parents=True, exist_ok=True)
    _extract_images(pictures, {one.file_name for one in emoji}, out)
    with (out / "metadata.jsonl").open("w", encoding="utf-8") as file:
        for one in emoji:
            line = {"file_name": one.file_name, "caption": one.caption, "split": sets.splits(one.caption)}
            file.write(json.dumps(line | {"NSFW": "UNLIKELY"}) + "\n")


def fetch(package: Package, folder: Path) -> Path:
    """Pack the package from the registry into the folder, unless it is there, and verify its digest."""
    path = folder / f"{package.name}-{package.version}.tgz"
    if not path.exists():
        _pack(package, folder)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != package.sha256:
        raise SystemExit(f"{path} has the digest {digest}, not {package.sha256}. Remove it and try again.")
    return path


def _pack(package: Package, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    command = ["npm", "pack", f"{package.name}@{package.version}", "--loglevel=error"]
    try:
        subprocess.run([*command, "--pack-destination", str(folder)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"npm cannot fetch {package.name}: {error}. Is npm installed and online?") from error


def caption_of(label: str) -> str:
    """Return the caption for a CLDR short name: "flag: Chad" is "flag of Chad", other colons become commas."""
    plain = label.translate(str.maketrans("’“”", '\'""'))
    return plain.replace("flag: ", "flag of ").replace("keycap: ", "keycap ").replace(": ", ", ")


def caption_rewrites() -> dict[str, str]:
    """Return the captions that are not made by rule, by label."""
    rewrites: dict[str, str] = tomllib.loads(SETS.read_text())["captions"]
    return rewrites


def combinations() -> tuple[frozenset[str], frozenset[str]]:
    """Return the captions of all gestures, without and with each tone, and of all shapes in each colour."""
    sets = tomllib.loads(SETS.read_text())
    toned = {f"{gesture}, {tone} skin tone" for gesture in sets["gestures"] for tone in sets["tones"]}
    shapes = {f"{colour} {shape}" for shape, colours in sets["shapes"].items() for colour in colours}
    return frozenset(toned | set(sets["gestures"])), frozenset(shapes)


def load_sets(known: set[str]) -> Sets:
    """Read ``sets.toml``; a name that no emoji has is an error."""
    sets = tomllib.loads(SETS.read_text())
    gestures, shapes = combinations()
    heldout = {caption for captions in sets["heldout"].values() for caption in captions}
    chosen = {caption_of(label) for labels in sets["starter"].values() for label in labels}
    unknown = sorted((gestures | shapes | heldout | chosen) - known)
    if unknown:
        raise SystemExit(f"{SETS} names emoji that do not exist: {', '.join(unknown)}.")
    if outside := heldout - gestures - shapes:
        raise SystemExit(f"{SETS} holds out what is no combination: {', '.join(sorted(outside))}.")
    return Sets(frozenset((chosen | gestures | shapes) - heldout), frozenset(heldout))


def _list_emoji(
    data: list[dict[str, Any]], labels: dict[str, str], captions: dict[str, str]
) -> Iterator[Emoji]:
    """Yield every emoji with a picture, and its variations by a single skin tone."""
    for base in data:
        tones = base.get("skin_variations", {})
        single = [tones[tone] for tone in sorted(tones) if DOUBLE_TONE_SEPARATOR not in tone]
        for picture in (base, *single):
            if picture["has_img_google"]:
                label = labels[_key(picture["unified"])]
                yield Emoji(picture["image"], captions.get(label) or caption_of(label))


def _labels(names: Path) -> dict[str, str]:
    entries = _read_json(names, "package/en/data.json")
    return {
        _key(one["hexcode"]): one["label"] for entry in entries for one in (entry, *entry.get("skins", ()))
    }


def _key(code_points: str) -> str:
    # The packages differ in where they write the variation selector.
    return code_points.replace("-FE0F", "")


def _mixed(emoji: Emoji) -> bytes:
    # Readers shuffle within parts of a shard, so each part should hold a bit of everything.
    return hashlib.sha256(emoji.file_name.encode()).digest()


def _read_json(package: Path, member: str) -> Any:
    with tarfile.open(package) as archive:
        file = archive.extractfile(member)
        assert file is not None
        return json.load(file)


def _extract_images(package: Path, names: set[str], out: Path) -> None:
    with tarfile.open(package) as archive:
        for member in archive:
            name = member.name.removeprefix(IMAGES)
            if member.isfile() and member.name.startswith(IMAGES) and name in names:
                source = archive.extractfile(member)
                assert source is not None
                with (out / name).open("wb") as file:
                    shutil.copyfileobj(source, file)


if __name__ == "__main__":
    main()
