"""Reads a data set of the Hub, which ``HF_ENDPOINT`` names, once under each cap; prints what each took as JSON."""

import json
import sys
import time

from core.data.listing import hub_shards
from core.data.network.metered import meter_hub
from core.data.streaming.rows import ShardRows
from core.run.training.data_rules import HubSource
from core.swarm.bandwidth import Line


def main(repo: str, revision: str, *caps: str) -> None:
    line = Line()
    meter_hub(line.data)
    for cap in caps:
        line.limit(None, int(cap) or None)
        began, before = time.monotonic(), line.received
        shards = ShardRows(hub_shards(HubSource(repo=repo, revision=revision)))
        groups = range(shards.row_groups(0))
        rows = sum(1 for group in groups for _ in shards.read(0, group))
        seconds = time.monotonic() - began
        print(json.dumps({"rows": rows, "received": line.received - before, "seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
