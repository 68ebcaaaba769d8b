"""Fetches emoji pictures and their names from npm and lays them out as a folder of images with captions.

The pictures are Noto Emoji (package emoji-datasource-google), the names CLDR's (package emojibase-data); the
terms of both stand in ``../licenses``. ``sets.toml`` says which of them are held out.

    python -m assets.embedded.recipe.fetch_emoji --out build/emoji
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import tarfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SETS = Path(__file__).with_name("sets.toml")
IMAGES = "package/img/google/64/"
METADATA = "metadata.jsonl"
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
    emoji = list(_list_emoji(_read_json(pictures, "package/emoji.json"), _labels(names), captions))
    heldout = load_heldout({one.caption for one in emoji})
    out.mkdir(parents=True, exist_ok=True)
    _extract_images(pictures, {one.file_name for one in emoji}, out)
    records = [
        {
            "file_name": one.file_name,
            "caption": one.caption,
            "split": ["all-heldout" if one.caption in heldout else "all"],
            "NSFW": "UNLIKELY",
        }
        for one in emoji
    ]
    with (out / METADATA).open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in sorted(records, key=mixed))


def read_records(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of the folder's metadata: a caption and a file name each."""
    with (folder / METADATA).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def mixed(record: Mapping[str, Any]) -> bytes:
    """Return a key that sorts records as by chance: readers shuffle within parts of a shard alone."""
    return hashlib.sha256(f"{record['file_name']} {record['caption']}".encode()).digest()


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


def shapes() -> dict[str, list[str]]:
    """Return the colours of each shape among the emoji."""
    found: dict[str, list[str]] = tomllib.loads(SETS.read_text())["shapes"]
    return found


def combinations() -> tuple[frozenset[str], frozenset[str]]:
    """Return the captions of all gestures, without and with each tone, and of all shapes in each colour."""
    sets = tomllib.loads(SETS.read_text())
    toned = {f"{gesture}, {tone} skin tone" for gesture in sets["gestures"] for tone in sets["tones"]}
    shapes = {f"{colour} {shape}" for shape, colours in sets["shapes"].items() for colour in colours}
    return frozenset(toned | set(sets["gestures"])), frozenset(shapes)


def load_heldout(known: set[str]) -> frozenset[str]:
    """Return the captions that ``sets.toml`` holds out; a name that no emoji has is an error."""
    sets = tomllib.loads(SETS.read_text())
    gestures, shapes = combinations()
    heldout = frozenset(caption for captions in sets["heldout"].values() for caption in captions)
    if unknown := sorted((gestures | shapes | heldout) - known):
        raise SystemExit(f"{SETS} names emoji that do not exist: {', '.join(unknown)}.")
    if outside := heldout - gestures - shapes:
        raise SystemExit(f"{SETS} holds out what is no combination: {', '.join(sorted(outside))}.")
    return heldout


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
