"""Reads a pushed data set from the Hub that ``HF_ENDPOINT`` names, as a peer and as ``datasets`` do; prints rows."""

import json
import sys

from core.data.listing import hub_shards
from core.data.streaming.rows import ShardRows
from core.run.training.data_rules import HubSource


def main(repo: str, revision: str, pattern: str, split: str) -> None:
    shards = ShardRows(hub_shards(HubSource(repo=repo, revision=revision, pattern=pattern)))
    for shard in range(len(shards.shards)):
        for group in range(shards.row_groups(shard)):
            for _, row in shards.read(shard, group):
                print(json.dumps(["peer", row.caption, row.code.hex()]))

    import datasets

    for record in datasets.load_dataset(repo, split=split, revision=revision, streaming=True):
        print(json.dumps(["datasets", record["caption"], record["code"].hex()]))


if __name__ == "__main__":
    main(*sys.argv[1:])
