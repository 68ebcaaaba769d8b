#!/bin/sh
# Prints the first Python of those that are named whose PyTorch is built for CUDA; else says what each one lacks.
set -eu

PROBE='
import sys
if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or newer is needed, and this is %d.%d" % sys.version_info[:2])
try:
    import torch
except ImportError as error:
    sys.exit("PyTorch cannot be imported: %s" % error)
if not torch.version.cuda:
    sys.exit("PyTorch %s is a build without CUDA" % torch.__version__)
'

tried=
for python; do
    command -v "$python" >/dev/null || continue
    if error=$("$python" -c "$PROBE" 2>&1); then
        echo "$python"
        exit 0
    fi
    tried="$tried
  $python: $error"
done

echo "No Python with a PyTorch that is built for CUDA was found. These were tried:${tried:- none is installed}
Name the Python that has it: make gpu PYTHON=/path/to/python3. Nothing is installed by make gpu." >&2
exit 1
