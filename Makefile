# The few commands of this repository; `make` alone lists them. Each installs what it needs first (Debian, Ubuntu).

JOBS := $(shell nproc)
SECONDS := 60
# What `make test` runs a second time, unoptimised and under sanitizers: tests of what reads what users write, and a
# first run of each task, but not the long simulations in every formulation and of random trees. `make sanitize` does so
# with all tests.
DEBUG_TESTS := base_test expr_test tape_test record_test model_test

# Used when a build folder is first configured; a folder that exists keeps its own.
export CMAKE_GENERATOR ?= Ninja

# The package is built for the distribution's Python, whichever comes first in PATH.
python = -DINVAR_PYTHON=ON -DPython_EXECUTABLE=/usr/bin/python3
build_with = cmake --build --preset $(1) --parallel $(JOBS)
ctest_with = ctest --preset $(1) --parallel $(JOBS) --no-label-summary

.PHONY: help setup configure build demo test sanitize fuzz bench bench-peers references gallery thesis viewer \
  viewer-test docs wheel deb deb-test archive archive-test image conda portable format lint clean

help:
	@echo 'make demo      build the invar command and run a first example'
	@echo 'make build     build everything (build/release)'
	@echo 'make test      build and run all tests, some also without optimisation and under sanitizers'
	@echo 'make sanitize  build and run all tests under address and undefined-behaviour sanitizers, threads under theirs'
	@echo 'make fuzz      try readers with changed inputs (SECONDS=60 for each), guided by what code they reach'
	@echo 'make bench     build and run the benchmarks'
	@echo 'make bench-peers  install Exudyn, MuJoCo, Pinocchio and CasADi and compare: docs/performance.md'
	@echo 'make references  compute the reference solutions of the examples again and compare'
	@echo 'make gallery   solve all examples: docs/gallery.md with pictures, out/gallery/index.html with reports'
	@echo 'make thesis    draw the figures of the sources again: out/thesis/index.html'
	@echo 'make docs      make a site of all pages, with the reports of the examples to play: out/site/index.html'
	@echo 'make viewer    build the report page again from viewer/ (needs node)'
	@echo 'make viewer-test  drive the report page in a browser (needs node and chromium)'
	@echo 'make wheel     build a Python wheel that carries its libraries, and try it: out/wheels'
	@echo 'make deb       build packages for Debian: out/packages; make deb-test tries them in a fresh Debian (as root)'
	@echo 'make archive   build an archive that needs no installation: out/packages; make archive-test tries it (as root)'
	@echo 'make image     build a container with the command (needs docker)'
	@echo 'make conda     build a package for conda (needs conda-build)'
	@echo 'make portable  compile library and command for Windows, without linking (some minutes)'
	@echo 'make format    lay out all sources'
	@echo 'make lint      check layout, common mistakes and the order of the layers'
	@echo 'make setup     only install the packages that are missing'
	@echo 'make clean     remove all build folders'

setup:
	@scripts/setup

configure: setup
	@cmake --preset release $(python) >/dev/null

build: configure
	$(call build_with,release)

demo: configure
	$(call build_with,release) --target invar_app
	scripts/demo

# The full run comes last, so that the last line counts all tests.
test: build
	@cmake --preset debug >/dev/null
	$(call build_with,debug) --target invar_app $(DEBUG_TESTS)
	$(call ctest_with,debug) -L '^($(shell echo $(DEBUG_TESTS) first_run | tr ' ' '|'))$$' -E '^model/(Formulations|Trees)'
	$(call ctest_with,release)

# All tests under the address and undefined-behaviour sanitizers, those of threads under that for threads, and the
# binding to Python under valgrind.
sanitize: setup
	@cmake --preset tsan >/dev/null
	$(call build_with,tsan) --target threads_test
	$(call ctest_with,tsan) -L '^threads_test$$'
	@cmake --preset sanitize >/dev/null
	$(call build_with,sanitize)
	$(call ctest_with,sanitize)
	@scripts/setup memory
	@cmake --preset release $(python) >/dev/null
	$(call build_with,release) --target invar_python
	scripts/check_python_memory

# Inputs are changed as it is learned what code they reach, SECONDS for each reader; `make test` has a short run without
# that. Only Clang can do it.
fuzz: setup
	@scripts/setup fuzz
	@CXX=$$(command -v clang++-19 || command -v clang++) CC=$$(command -v clang-19 || command -v clang) \
	  cmake --preset fuzz >/dev/null
	$(call build_with,fuzz) --target fuzz_run fuzz_formula fuzz_model fuzz_csv fuzz_mesh fuzz_results fuzz_hdf5
	scripts/fuzz build/fuzz $(SECONDS)

bench: setup
	@cmake --preset release $(python) -DINVAR_BENCH=ON >/dev/null
	$(call build_with,release) --target bench invar_app invar_python
	@status=0; for name in $(basename $(notdir $(wildcard bench/*_bench.cpp))); do \
	  echo "== $$name"; build/release/bench/$$name || status=1; done; \
	  for name in growth_bench invert_bench optimize_bench; do \
	  echo "== $$name"; bench/$$name.py build/release/invar || status=1; done; \
	  echo "== python_bench"; /usr/bin/python3 bench/python_bench.py build/release/python || status=1; exit $$status

# An environment of its own, from PyPI; a quarter of an hour. `scripts/bench_peers squeezer loops` makes a part of it.
bench-peers: configure
	$(call build_with,release) --target invar_app
	scripts/bench_peers

references:
	@scripts/setup references
	scripts/references_test
	scripts/references

gallery: configure
	$(call build_with,release) --target gallery
	build/release/gallery docs out/gallery

thesis: configure
	$(call build_with,release) --target invar_app
	docs/thesis/make

viewer/node_modules: viewer/package-lock.json
	@scripts/setup viewer
	cd viewer && npm ci
	@touch $@

viewer: viewer/node_modules
	cd viewer && npm run build

viewer-test: viewer/node_modules build
	@scripts/setup viewer
	cd viewer && npm test

# A build of its own, with tools from PyPI.
wheel: setup
	@scripts/setup wheel
	scripts/wheel

# Sphinx, from the distribution.
docs: configure
	@scripts/setup docs
	$(call build_with,release) --target invar_app
	scripts/schemes
	scripts/site --invar build/release/invar

deb: configure
	@scripts/setup packages
	$(call build_with,release) --target invar_app
	scripts/deb
	lintian --fail-on error out/packages/*.deb

deb-test:
	@scripts/setup packages
	scripts/test_packages deb

archive: configure
	$(call build_with,release) --target invar_app
	scripts/archive

archive-test:
	scripts/test_packages archive

image:
	docker build -f packaging/Dockerfile -t invar .

conda:
	conda build -c conda-forge packaging/conda

portable: configure
	@scripts/setup portable
	scripts/check_portable

format:
	@scripts/setup lint
	scripts/format

# clang-tidy reads room by room; the linker compares the types of all files.
lint: configure
	@scripts/setup lint
	scripts/format --check
	scripts/check_width
	scripts/check_layers
	scripts/check_names
	@cmake --preset lto >/dev/null
	$(call build_with,lto) --target invar_app
	@cmake --preset release -B build/lint -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
	scripts/tidy build/lint

clean:
	rm -rf build
