# Every target sets up what it needs in .venv and repeats only what is stale.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

JOBS ?= 2
VENV := .venv
BUILD := build/editable

# An editable install looks for stale kernels at each import; meson and cython must be found then.
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
# One thread a process: the parallel work is in independent processes.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The texts are UTF-8, whatever the locale is.
export PYTHONUTF8 := 1
# Git sets them in its hooks, for another worktree perhaps.
unexport GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

LOCKED := $(VENV)/.locked
PACKAGE := $(BUILD)/.installed
UV_VERSION := 0.13.8
UV := build/uv-$(UV_VERSION)/bin/uv
SITE := import sysconfig; print(sysconfig.get_path('purelib'))
KERNELS := $(shell find src -name '*.pyx' -o -name '*.pxd' -o -name '*.h' -o -name '*.c' -o -name meson.build)
BUILD_FILES := pyproject.toml meson.build meson.options tools/list_build_only.py $(KERNELS)

.PHONY: help setup book pdf article twice wheel tryout release test prove browser bench reproduce harden \
  compilers lint types coverage oldest newest lock clean distclean

help:
	@echo 'make book       run the notebooks (smoke tier) and build the book: _build/html/index.html'
	@echo 'make test       run the tests'
	@echo 'make prove      rerun units of every record, and every notebook with another parameter'
	@echo 'make setup      only install, into .venv, what all of these need first'
	@echo 'make browser    check every page of the book in a browser without network'
	@echo 'make pdf        print the book without its appendices: _build/transduction-compendium.pdf'
	@echo 'make article    typeset the article of some ten pages: _build/article/article.pdf'
	@echo 'make twice      build everything again elsewhere; the pages must be the same bytes'
	@echo 'make wheel      the packages that pip installs: build/packages'
	@echo 'make tryout     rehearse a release: the packages twice, then used without a compiler'
	@echo 'make release    tests; then packages, book, PDF, article, notebooks with results in dist/'
	@echo 'make bench      run the benchmarks, one thread'
	@echo 'make reproduce  run every experiment at the size of its paper and record the results'
	@echo 'make harden     kills, full disks, damage, chance, kernels with bounds checks; recorded'
	@echo 'make compilers  tests of the kernels as Clang builds them, and as plain C'
	@echo 'make lint       ruff and cython-lint'
	@echo 'make types      mypy, where hints are'
	@echo 'make coverage   the tests, and which lines they run: build/coverage.txt'
	@echo 'make oldest     tests with the oldest versions that pyproject.toml allows; make newest: the newest'
	@echo 'make lock       resolve requirements.in again into requirements.lock'
	@echo 'make clean      remove what was built, but no release in dist/; make distclean: the environment, too'
	@echo 'JOBS=$(JOBS) processes at a time; PYTHON=... names the Python to use'

# uv takes seconds where pip takes minutes; pip knows mirrors that uv is not told of.
INSTALL := install --quiet --require-hashes --requirement requirements.lock
$(LOCKED): requirements.lock tools/make_venv.sh
	tools/make_venv.sh $(VENV)
	{ $(MAKE) --silent $(UV) && $(UV) pip $(INSTALL) --compile-bytecode --python $(VENV); } \
	  || $(VENV)/bin/python -m pip $(INSTALL)
	touch $@

# An editable install reads bytecode, but writes none: a quarter of a second at each start.
$(PACKAGE): $(LOCKED) $(BUILD_FILES)
	$(VENV)/bin/python -m pip install --quiet --no-build-isolation --no-deps \
	  --config-settings=build-dir=$(BUILD) --editable .
	$(VENV)/bin/python -m compileall -q --invalidation-mode checked-hash src
	touch $@

setup: $(PACKAGE)

book: $(PACKAGE)
	$(VENV)/bin/python tools/build_book.py --jobs $(JOBS)

test: $(PACKAGE)
	$(VENV)/bin/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

prove: $(PACKAGE)
	$(VENV)/bin/python -m pytest -m prove -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

browser: book
	$(VENV)/bin/python -m pytest -m browser -n $(JOBS) tests/browser $(PYTEST_ARGS)

pdf: book
	$(VENV)/bin/python tools/print_pdf.py

article: $(PACKAGE)
	$(VENV)/bin/python tools/build_article.py

twice: book
	$(VENV)/bin/python tools/build_twice.py --cold

wheel: $(PACKAGE)
	$(VENV)/bin/python tools/build_packages.py

tryout: $(PACKAGE)
	$(VENV)/bin/python -m pytest -m rehearsal tests/tools/test_packages.py $(PYTEST_ARGS)

release: test prove pdf article
	$(VENV)/bin/python tools/release.py

bench: $(PACKAGE)
	$(VENV)/bin/python benchmarks

reproduce: $(PACKAGE)
	names=$$(python -c 'import transductive_compendium.runner as e; print(*e.all_experiments())'); \
	failed=; for name in $$names; do \
	  transductive run $$name --profile paper --record --jobs $(JOBS) || failed="$$failed $$name"; \
	done; \
	test -z "$$failed" || echo "keep their records, since no new ones could be made:$$failed"; \
	transductive verify; test -z "$$failed"

# Other builds of the kernels: options, and by what name of a file and which text in it they show.
build/checked/.installed: OPTIONS := bounds_checks=true b_sanitize=address b_lundef=false
build/checked/.installed: PROOF := *.pyx.c __Pyx_RaiseBufferIndexError
build/clang/.installed: export CC := clang
build/clang/.installed: PROOF := *.abi3.so clang.version
build/plain_c/.installed: OPTIONS := plain_c=true
build/plain_c/.installed: PROOF := compile_commands.json TRANSDUCTIVE_PLAIN_C

# Each in a virtual environment of its own, which borrows everything but the package from $(VENV).
$(patsubst %,build/%/.installed,checked clang plain_c): build/%/.installed: $(LOCKED) $(BUILD_FILES)
	rm -rf build/$*
	$(VENV)/bin/python -m venv --without-pip build/$*
	$(VENV)/bin/python -c "$(SITE)" > "$$(build/$*/bin/python -c "$(SITE)")/borrowed.pth"
	$(VENV)/bin/python -m pip --python build/$* install --quiet --ignore-installed \
	  --no-build-isolation --no-deps --config-settings=build-dir=build/$*/meson \
	  $(OPTIONS:%=--config-settings=setup-args=-D%) --editable .
	@lack=$$(find build/$*/meson -name '$(firstword $(PROOF))' \
	  -exec grep -L $(lastword $(PROOF)) {} + || true); \
	if [ -n "$$lack" ]; then echo "no $(lastword $(PROOF)) in $$lack" >&2; exit 1; fi
	touch $@

# Array bounds are checked by Cython, raw pointers by the compiler's address sanitizer.
harden: $(PACKAGE) build/checked/.installed
	LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so)" ASAN_OPTIONS=detect_leaks=0 \
	build/checked/bin/python -m pytest \
	  --capture=sys -p no:cacheprovider -W error::pytest.PytestUnraisableExceptionWarning \
	  --junitxml=build/checked/kernels.xml tests/transductive $(PYTEST_ARGS)
	HARDENING_RECORD=results/hardening.json HARDENING_KERNELS=build/checked/kernels.xml \
	$(VENV)/bin/python -m pytest -m harden tests/hardening $(PYTEST_ARGS)

KERNEL_TESTS := tests/transductive/leave_one_out/test_{loo_form,single_ridge,spectrum,tridiagonal}.py \
  tests/transductive/margin/test_{changing,linear,quadratic}_programme.py \
  tests/transductive/margin/test_shrinking.py \
  tests/transductive/version_space/test_{billiard,gibbs,refracting_billiard,trajectory}.py

# What every other target builds and tests is by the compiler called cc: GCC, usually.
compilers: build/clang/.installed build/plain_c/.installed
	for build in clang plain_c; do \
	  build/$$build/bin/python -m pytest -n $(JOBS) --dist worksteal -p no:cacheprovider \
	    $(KERNEL_TESTS) $(PYTEST_ARGS); \
	done

lint: $(LOCKED)
	ruff check .
	ruff format --check .
	cython-lint src

types: $(LOCKED)
	mypy

coverage: $(PACKAGE)
	$(VENV)/bin/python -m pytest -n $(JOBS) --dist worksteal --cov --cov-report= $(PYTEST_ARGS)
	$(VENV)/bin/python -m coverage report --ignore-errors > build/coverage.txt  # tests' own modules are gone
	tail -1 build/coverage.txt

$(UV):
	tools/make_venv.sh $(VENV)
	$(VENV)/bin/python -m pip install --quiet --target build/uv-$(UV_VERSION) uv==$(UV_VERSION)

# Outside the lock: the ends of the ranges in pyproject.toml, for what users install.
oldest: RESOLUTION := lowest-direct
newest: RESOLUTION := highest
oldest newest: $(UV)
	$(UV) venv --quiet --clear --python $${PYTHON:-python3} build/$@
	$(UV) pip install --quiet --python build/$@/bin/python --resolution $(RESOLUTION) \
	  ".[compendium]" "pytest>=8.2" "hypothesis>=6.100" "pytest-xdist>=3.6"
	build/$@/bin/python -m pytest -n $(JOBS) --dist worksteal -p no:cacheprovider $(PYTEST_ARGS) \
	  tests/transductive tests/transductive_compendium/runner tests/transductive_compendium/verdicts

lock: $(UV)
	$(UV) pip compile requirements.in --output-file requirements.lock --quiet \
	  --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	  --no-annotate --no-emit-index-url --no-header

clean:
	rm -rf _build build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests tools book benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean
	rm -rf $(VENV)
