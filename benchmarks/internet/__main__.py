"""A swarm of homes in an emulated Internet: `benchmarks.internet.swarm`, with defaults that suit most machines.

Homes make local steps, and compute for so small a share of the time that their trainers take half of this machine's
cores. ``--lines-only`` measures the lines and trains nothing, as `benchmarks.internet.lines` does.
"""

import argparse
import sys
from collections.abc import Sequence

from benchmarks.internet import lines, swarm


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return the options of the swarm in ``words``; its share is None unless they name one."""
    parser = swarm.parser()
    parser.prog, parser.description = "python -m benchmarks.internet", f"{__doc__}\n{swarm.__doc__}"
    parser.set_defaults(local_steps=True, share=None)
    parser.add_argument("--lines-only", action="store_true", help="measure the lines, and train nothing")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Measure the lines, run a swarm on them, and save what both were like."""
    words = list(sys.argv[1:] if words is None else words)
    if "--lines-only" in words:
        lines.main([word for word in words if word != "--lines-only"])
    else:
        swarm.measure(parsed(words))


if __name__ == "__main__":
    main()
