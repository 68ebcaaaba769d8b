# Makes the environment in .venv once, and runs everything from there. `make help` lists what there is.
#
# Needs Python 3.11 or newer, pip and make; `make PYTHON=/path/to/python` chooses another one.

VENV := .venv
DALLE_PYTORCH := .venv-dalle-pytorch
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
UNPACKED := $(VENV)/.unpacked
PIP := $(BIN)/python -m pip --disable-pip-version-check
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3 python; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
# Two threads are what most machines can spare; tests of several processes would only fight over more.
OMP_NUM_THREADS ?= 2
export OMP_NUM_THREADS

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help install run test test-all test-often test-windows test-wsl format translations docs packages try-packages try-distribution pictures first-evening bench gpu clean programs lint types imports

help: ## Say what each command does
	@sed -n 's/^\([a-z-]*\):.*## /\1 /p' $(MAKEFILE_LIST) | while read -r name text; do \
		printf '  make %-12s %s\n' "$$name" "$$text"; done

install: $(INSTALLED) ## Make the environment in .venv, if it is not there yet

run: $(INSTALLED) ## Open the app with the embedded run; without a display, or with OPTIONS="--headless", train it by a swarm
	$(BIN)/idlebrush demo $(OPTIONS)

test: programs $(UNPACKED) ## Check everything: style, types, directions of imports, behaviour
	$(BIN)/python -m tests.lanes

test-all: programs $(UNPACKED) ## Check everything, and try what "test" leaves out: combinations of memory techniques, and ways to kill
	$(BIN)/python -m tests.lanes --exhaustive

RUNS ?= 1
test-often: $(INSTALLED) ## Run "make test" RUNS times in a fresh clone (BESIDE=yes: beside busy programs), and enter the runs in docs/measured.md
	$(BIN)/python -m tests.whole_runs --runs $(RUNS) $(if $(BESIDE),--beside)

format: $(INSTALLED) ## Bring the code into shape
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format .

translations: $(INSTALLED) ## Bring the app's translations in step with its texts
	$(BIN)/python -m assets.translations.update

docs: $(INSTALLED) ## Build the handbook into dist/docs, where a coordinator of this clone serves it under /docs
	$(BIN)/python -m docs.handbook $(OPTIONS)

test-windows: $(INSTALLED) programs ## Run the tests that concern Windows, on Windows' Python under Wine
	$(BIN)/python -m tests.windows.run $(OPTIONS)

packages: $(INSTALLED) ## Build what users install, for the systems that this machine can build for, into dist/packages
	$(BIN)/python -m installer.build $(OPTIONS)

PACKAGE ?= dist/packages/idlebrush_*_amd64.deb
WHEELS ?= dist/environment
try-packages: $(INSTALLED) programs ## Install, use, upgrade and remove the .deb, or the tarball, on systems in chroots, as root (docs/packaging.md)
	$(BIN)/python -m tests.installed $(PACKAGE) --wheels $(WHEELS) $(OPTIONS)

DISTRIBUTION ?= dist/packages/idlebrush-*-wsl-x86_64.tar.gz
try-distribution: $(INSTALLED) ## Set the built distribution of WSL2 up in a chroot, as root, and train an epoch in it (docs/packaging.md)
	$(BIN)/python -m tests.windows.wsl.distribution $(DISTRIBUTION) $(WHEELS)

test-wsl: $(INSTALLED) programs ## Train from Windows' Python under Wine in a process of Linux, kill each link, and measure
	$(BIN)/python -m tests.windows.wsl.train

pictures: $(INSTALLED) ## Draw the app's screens and the website's pages for the README
	$(BIN)/python -m docs.pictures.make_app_pictures
	$(BIN)/python -m docs.pictures.make_website_pictures

first-evening: $(INSTALLED) programs ## Take the pictures of docs/first-evening.md: a new user's first evening, minute by minute
	$(BIN)/python -m docs.pictures.make_first_evening $(OPTIONS)

bench: $(INSTALLED) $(DALLE_PYTORCH)/.installed ## Measure speed, memory and traffic
	$(BIN)/python -m benchmarks

# The machine's own PyTorch is measured: nothing is installed. Python is the one that is named, or else the first one of
# these whose PyTorch is built for CUDA, which that of .venv often is not.
GPU_PYTHONS := $(BIN)/python python3.13 python3.12 python3.11 python3 python
IS_NAMED = $(and $(filter-out file,$(origin PYTHON)),$(PYTHON))
GPU_PYTHON = $(if $(IS_NAMED),'$(PYTHON)',$$(benchmarks/gpu/find_python.sh $(GPU_PYTHONS)))
gpu: ## Test and measure on an NVIDIA GPU in eight minutes, by a Python with a PyTorch for CUDA: make gpu [PYTHON=python3]
	python=$(GPU_PYTHON) && "$$python" -m benchmarks.gpu $(OPTIONS)

clean: ## Remove the environment and what tools leave behind
	rm -rf $(VENV) $(DALLE_PYTORCH) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis *.egg-info

# Only tests need any: they run against a real X server, real compositors, a real keyring.
programs:
	@tests/install_programs.sh

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED)
	$(BIN)/mypy
	$(BIN)/python -m tests.notebooks.code_of > .mypy_cache/cells_of_notebooks.py
	$(BIN)/mypy .mypy_cache/cells_of_notebooks.py

imports: $(INSTALLED)
	$(BIN)/lint-imports

# torch comes first and alone, so that nothing else decides which build of it is taken. taming-transformers
# asks for torchvision and lightning, which the modules of it that we import do not need: hence --no-deps.
$(INSTALLED): pyproject.toml constraints.txt
	@$(MAKE) --no-print-directory $(BIN)/pip
	$(PIP) install "$$(grep '^torch==' constraints.txt)"
	$(PIP) install -c constraints.txt -e '.[trainer,coordinator,dev]'
	$(PIP) install --no-deps "$$(grep '^taming-transformers-rom1504==' constraints.txt)"
	@touch $@

# Of the hundreds of libp2p daemons that tests start, each would unpack itself first, for 0.16 s of a core.
$(UNPACKED): $(INSTALLED) tests/processes/unpacked_p2pd.py
	$(BIN)/python -m tests.processes.unpacked_p2pd
	@touch $@

# dalle-pytorch, which the training benchmark compares with, in an environment of its own: torch first here too.
$(DALLE_PYTORCH)/.installed: benchmarks/environments/dalle_pytorch.txt
	'$(PYTHON)' -m venv $(DALLE_PYTORCH)
	$(DALLE_PYTORCH)/bin/python -m pip --disable-pip-version-check install "$$(grep '^torch==' $<)"
	$(DALLE_PYTORCH)/bin/python -m pip --disable-pip-version-check install --no-deps -r $<
	@touch $@

$(BIN)/pip:
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer is needed, and none was found.'; \
		echo 'Install it, or name it: make PYTHON=/path/to/python3.11'; exit 1; }
	@'$(PYTHON)' -c 'import venv, ensurepip' 2>/dev/null || { \
		echo '$(PYTHON) cannot make environments: its venv module is missing.'; \
		echo 'On Debian and Ubuntu: sudo apt install python3-venv'; exit 1; }
	'$(PYTHON)' -m venv $(VENV)
