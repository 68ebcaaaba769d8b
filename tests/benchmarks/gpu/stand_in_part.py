"""A part that measures one thing, starts a program that would outlive it, and then never ends."""

import json
import subprocess
import sys
import time
from pathlib import Path

out = Path(sys.argv[sys.argv.index("--out") + 1])
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
content = {"results": [{"ms": 1.0}], "settings": {"left_out": [], "failed": [], "child": child.pid}}
(out / "gpu_stand_in.json").write_text(json.dumps(content))
time.sleep(600)
