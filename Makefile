# Two commands on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-quick test-long test-crashes test-robust conformance conformance-all conformance-build conformance-update engines bench bench-smoke bench-instructions lint format docs site release image clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(STAMP)

demo: $(STAMP)  ## render the example environments
	$(BIN)/servingctl validate
	$(BIN)/servingctl render --verbose

test: lint  ## lint, types and the test suite, in some three minutes on two cores
	$(BIN)/python -m pytest -m 'not long'

test-long: $(STAMP)  ## the rest, which is marked long: random edits, many examples, all rows of long tables
	$(BIN)/python -m pytest -m long

test-quick: $(STAMP)  ## what starts no process and takes no time, in less than a minute
	$(BIN)/python -m pytest -m 'not process and not slow and not long'

test-crashes: $(STAMP)  ## a render killed at every system call, all of them
	$(BIN)/python -m pytest -m slow tests/publish

test-robust: $(STAMP)  ## long: edits, kills, hostile inputs, fuzzing; ends with what was tried
	$(BIN)/python -m pytest --hypothesis-profile=robust tests/robust tests/fuzz

CONFORMANCE = $(BIN)/python -m pytest -n 0 -rs conformance $(if $(CRDS),--crds $(CRDS))

conformance-build: $(STAMP)  ## build and install all that conformance asks: some forty minutes the first time
	$(BIN)/python -m conformance.build

conformance: conformance-build  ## ask the real API server, KServe, KubeRay, Argo CD and Flux; needs Go, and CRDS=FOLDER
	$(CONFORMANCE)

conformance-all: conformance-build  ## the same with all generated rows, not one in ten
	$(CONFORMANCE) --all-rows

conformance-update: conformance-build  ## the same, and write down what it answers
	$(CONFORMANCE) --update-observed

engines: $(STAMP)  ## read a version into schemas/engines: make engines ADD="vllm 0.34.0"
	$(BIN)/python -m conformance.engines $(ADD)

$(VENV)/.bench: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	touch $@

bench: $(VENV)/.bench  ## how fast it is, beside its peers; writes benchmarks/RESULTS.md
	$(BIN)/python -m benchmarks.peers
	$(BIN)/python -m benchmarks

bench-smoke: $(VENV)/.bench  ## the same with small sizes, to see that it works; instructions are compared with benchmarks/smoke.json, which UPDATE=1 writes
	$(BIN)/python -m benchmarks --smoke
	$(BIN)/python -m benchmarks.instructions --smoke $(if $(UPDATE),--update)

bench-instructions: $(STAMP)  ## instructions of six commands; KEEP=LABEL writes benchmarks/INSTRUCTIONS.md; needs Valgrind
	$(BIN)/python -m benchmarks.instructions $(if $(KEEP),--keep '$(KEEP)')

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(STAMP)  ## write docs/rules.md from the rules' documentation
	$(BIN)/python docs/build.py

$(VENV)/.site: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[site]'
	touch $@

site: $(VENV)/.site  ## the documentation as a site, in dist/site; fails on a link that leads nowhere
	$(BIN)/python -m docs.site.build

release: $(STAMP)  ## sdist, wheel, SBOM, statement and checksums of the commit, in dist/; BUILDER=URI says who builds
	rm -rf dist
	$(BIN)/python -m release dist $(if $(BUILDER),--builder '$(BUILDER)')

image:  ## a container image for CI
	docker build --file Containerfile --tag servingctl .

clean:
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
