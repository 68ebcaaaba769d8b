"""Reads a data set of the Hub that ``HF_ENDPOINT`` names, by ``datasets`` and by our reader; prints both as JSON."""

import json
import sys
from hashlib import sha256

from datasets import load_dataset

from core.data.listing import hub_shards
from core.data.shards import CodeRow
from core.data.streaming.rows import ShardRows
from core.run.training.data_rules import HubSource


def main(repo: str, revision: str) -> None:
    published = load_dataset(repo, revision=revision, split="train", streaming=True)
    theirs = [CodeRow.from_record(record, "a row") for record in published]
    shards = ShardRows(hub_shards(HubSource(repo=repo, revision=revision)))
    ours = [
        row
        for shard in range(len(shards.shards))
        for group in range(shards.row_groups(shard))
        for _, row in shards.read(shard, group)
    ]
    print(json.dumps({"datasets": list(map(_plain, theirs)), "ours": list(map(_plain, ours))}))


def _plain(row: CodeRow) -> list[str | int]:
    return [row.caption, sha256(row.code).hexdigest(), row.nsfw, row.original_width, row.original_height]


if __name__ == "__main__":
    main(*sys.argv[1:])
