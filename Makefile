# Each target works from a clean clone with Python >= 3.11 and make: `install` makes .venv first.
PYTHON ?= python3
BIN := .venv/bin
# What .venv holds depends on these; a stamp makes the second run skip the installation.
STAMP := .venv/installed
TORCH_STAMP := .venv/installed-torch
# LOCKED=1 installs the very files that LOCK names by their hashes, as CI does.
LOCK := .github/requirements.txt
OLDEST := .github/oldest/requirements.txt
INSTALL_LOCKED = $(BIN)/python -m pip install --quiet --require-hashes -r $(LOCK) \
  && $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .

.PHONY: install demo test fuzz lint review docs bench tables lock audit release-check clean
.DELETE_ON_ERROR:

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "ronmf needs Python >= 3.11; set PYTHON=path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(if $(LOCKED),$(INSTALL_LOCKED),$(BIN)/python -m pip install --quiet --editable '.[dev]')
	@touch $@

$(TORCH_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable '.[torch]'
	@touch $@

# TORCH=1 adds the CPU build of torch and the network's code for it, for the tests that use them.
install: $(STAMP) $(if $(TORCH),$(TORCH_STAMP))

demo: install
	$(BIN)/python examples/demo.py

# Two workers with a BLAS thread each: more threads than cores are slower than one.
# Each begins at one half of the tests, so that what a file's tests share is mostly made once.
# ALL=1 adds the tests marked every_estimator and slow.
test: install
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal -q $(if $(ALL),-m '')

# Hostile inputs and small fits with new seeds, for a few minutes: 10,000 fits over all estimators,
# damaged files of every kind, kills and interrupts.
fuzz: install
	RONMF_FUZZ=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
	  $(BIN)/python -m pytest -n 2 --dist worksteal -q tests/hostile

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/mypy

# The habits of scientific Python packages, and the safety of the CI workflow
review: install
	$(BIN)/repo-review .
	$(BIN)/zizmor --offline --quiet .github

# Runs the examples, so it takes two minutes; the pages need no connection.
docs: install
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
	  $(BIN)/sphinx-build -W -q -b html -d docs/_build/doctrees docs docs/_build/html
	@echo "Open docs/_build/html/index.html in a browser."

# The figures of the documentation; needs the real datasets: make bench DATA=folder
bench: install
	$(BIN)/python benchmarks/accuracy.py $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/convergence.py $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/ablation.py $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/baselines.py $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/iteration_cost.py $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/graph_ablation.py $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/speed.py $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/growth.py $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/uncertainty.py $(if $(DATA),--data $(DATA))
	$(BIN)/python benchmarks/exactness.py
	$(BIN)/python benchmarks/errata.py
	$(BIN)/python benchmarks/paper/printed_cells.py

# The tables and figures under results/, from the rows there
TABLE = $(BIN)/python benchmarks/paper/tables.py
FIGURE = $(BIN)/ronmf bench figure
PAPER_FIGURE = $(BIN)/python benchmarks/paper/figures.py
tables: install
	for metric in acc f1 nmi purity; do \
	  $(TABLE) results/paper printed --metric $$metric --scope all -o results/paper/printed_$$metric.md || exit 1; \
	  for name in clean noise classes ablation ranks; do \
	    $(TABLE) results/paper $$name --metric $$metric -o results/paper/$${name}_$$metric.md || exit 1; \
	  done; \
	done
	for name in levels met best-printed noise-gain same-graph; do \
	  $(TABLE) results/paper $$name -o results/paper/$$name.md || exit 1; \
	done
	$(TABLE) results/paper printed -e clean --scope all -o results/paper/printed_clean_acc.md
	$(TABLE) results/paper time -e clean -d mnist -o results/paper/time.md
	$(TABLE) results/paper clean -e "printed settings" -o results/paper/printed_settings.md
	$(TABLE) results/paper best-printed -e "photographs, deep features" -o results/paper/best-printed-deep.md
	for name in classes noise critical_difference boxes; do \
	  $(FIGURE) results/paper $$name -o results/paper/$$name.svg || exit 1; \
	done
	for name in label_rate_graph_weight weights; do \
	  $(PAPER_FIGURE) results/paper $$name -o results/paper/$$name.svg || exit 1; \
	done
	$(TABLE) results/leak leak -o results/leak/leak.md
	$(TABLE) results/accuracy clean -e "all classes" -o results/accuracy/all-classes.md
	for size in small large; do \
	  $(TABLE) results/accuracy noise -e "covered, $$size sets" -o results/accuracy/covered-$$size-sets.md || exit 1; \
	done
	for name in noise levels; do \
	  $(TABLE) results/flips $$name -e "five labels per class" -o results/flips/five-labels-$$name.md || exit 1; \
	  $(TABLE) results/flips $$name -e "30 % labels" -o results/flips/thirty-percent-$$name.md || exit 1; \
	done

# Pin what CI installs anew, with hashes: the newest of everything, for every Python and system that
# it tests, and the oldest that pyproject.toml allows, for Python 3.11 on Linux.
lock: install
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra dev --extra ci --universal \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header \
	  --quiet --upgrade -o $(LOCK)
	$(BIN)/uv pip compile pyproject.toml --extra test --extra ci --resolution lowest-direct \
	  --python-version 3.11 --python-platform x86_64-manylinux_2_28 --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header --quiet --upgrade -o $(OLDEST)

# Known holes in what CI installs; needs a connection.
audit: install
	$(BIN)/python -m pip install --quiet '.[ci]'
	$(BIN)/pip-audit --disable-pip --require-hashes -r $(LOCK)

# Whether what lies here can be published; it publishes nothing. The cheapest checks come first.
release-check: install
	@test -z "$$(git status --porcelain)" \
	  || { git status --short; echo "Commit these files, or remove them, first." >&2; exit 1; }
	$(MAKE) lint docs
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -m '' \
	  tests/test_release.py tests/test_install_lines.py
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/twine check --strict dist/*
	@version=$$($(BIN)/python -c 'import ronmf; print(ronmf.__version__)'); \
	  printf '\nronmf %s is ready, in dist/. If CI has passed for this commit:\n' "$$version"; \
	  printf '  git tag -a v%s -m "ronmf %s" && git push origin v%s\n' "$$version" "$$version" "$$version"; \
	  printf '  %s/twine upload dist/*\n' "$(BIN)"

clean:
	rm -rf .venv demo dist docs/_build docs/gallery docs/api/generated .pytest_cache .mypy_cache .ruff_cache .hypothesis
