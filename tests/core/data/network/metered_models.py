"""Brings a model of the Hub, which ``HF_ENDPOINT`` names, to several folders at once; prints the bytes counted."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from core.data.network.metered import meter_hub
from core.ranking.hub import ModelFiles
from core.swarm.bandwidth import Line


def main(repo: str, revision: str, *folders: str) -> None:
    line = Line()
    meter_hub(line.data)
    files = [ModelFiles(repo, revision, Path(folder)) for folder in folders]
    with ThreadPoolExecutor(len(files)) as threads:
        list(threads.map(lambda item: item.bring(lambda done, total: None), files))
    print(line.received)


if __name__ == "__main__":
    main(*sys.argv[1:])
