# Everything that a person or CI calls. `make` lists it.

SHELL := /bin/bash
.DEFAULT_GOAL := help

PROTOS := $(filter-out proto/energy/v1/services.proto,$(wildcard proto/energy/v1/*.proto))
PROTO_OUT := Sources/C/EnergyProto
SOURCES := Package.swift Sources Tests
SERVICES := guidance-publisher event-ingestor insight-service scheduler device-simulator
# The Swift compiler writes over modules that another run reads; two makes at once would disturb each other.
.NOTPARALLEL:

.PHONY: help
help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: deps
deps: ## Install what is missing: Debian packages, and a look at Swift
	@deploy/install-deps.sh

.PHONY: build
build: deps ## Build everything for debugging
	swift build

.PHONY: release
release: deps ## Build the executables as they are run
	swift build -c release

.PHONY: test
test: deps .venv/installed ## Build and run all tests
	swift build --build-tests
	PATH="$(CURDIR)/.venv/bin:$$PATH" Tests/run

.PHONY: tsan
tsan: deps .venv/installed ## Run the tests under ThreadSanitizer
	PATH="$(CURDIR)/.venv/bin:$$PATH" swift test --sanitize=thread --scratch-path .build-tsan

.PHONY: check
check: deps lint walls proto-check config-check test release ## All that CI checks

.PHONY: oracle-schedule
oracle-schedule: deps .venv/installed ## Hold plans against another solver (PROBLEMS=1000 of each kind, from SEED=1)
	swift build --build-tests
	ORACLE_PROBLEMS=$(or $(PROBLEMS),1000) ORACLE_SEED=$(or $(SEED),1) \
		swift test --skip-build --filter "Another solver"

.PHONY: lint
lint: ## Refuse code that is not formatted
	swift format lint --strict --parallel --recursive $(SOURCES)

.PHONY: format
format: ## Format the code
	swift format --in-place --parallel --recursive $(SOURCES)

# "Build complete!" is printed also when an import is refused: the exit code decides.
.PHONY: walls
walls: deps ## Refuse imports that Package.swift does not declare
	swift build --explicit-target-dependency-import-check error

.PHONY: proto-check
proto-check: proto ## Refuse generated code that is not of this proto/
	git diff --exit-code -- $(PROTO_OUT) Sources/Core/EnergyWire/energy.v1.descriptorset
	@test -z "$$(git status --porcelain -- $(PROTO_OUT))" || { git status --short -- $(PROTO_OUT); exit 1; }

.PHONY: config
config: build ## Write the commented configuration files
	@for s in $(SERVICES); do .build/debug/$$s --print-config > deploy/config/$$s.yaml; done

.PHONY: config-check
config-check: config ## Refuse configuration files that are not of these sources
	git diff --exit-code -- deploy/config

.PHONY: run-all
run-all: deps ## Build and run all services, with their logs, until Ctrl-C
	swift build -c release
	@exec deploy/run-all.sh

.PHONY: bench-rpc
bench-rpc: deps ## Measure calls against plain C over libzmq and grpc-swift-2
	@cd Benchmarks && swift build -c release --product echo-in-c && swift build -c release --product bench-rpc
	@Benchmarks/.build/release/bench-rpc

.PHONY: bench-ingest
bench-ingest: deps bench-deps ## Measure ingest against Redis, PostgreSQL and SQLite
	swift build -c release --product event-ingestor
	@cd Benchmarks && for product in ingest-peers-in-c echo-in-c bench-ingest; do \
		swift build -c release --product $$product || exit 1; done
	@Benchmarks/ingest.py

# The peers of bench-ingest, which nothing else needs. Debian starts them as services; the benchmark starts its own.
.PHONY: bench-deps
bench-deps:
	@command -v redis-server >/dev/null && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && \
		ls /usr/include/postgresql/libpq-fe.h >/dev/null 2>&1 || { \
		as_root=$$([ "$$(id -u)" = 0 ] || echo sudo); $$as_root apt-get update -q && \
		$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q --yes --no-install-recommends \
			redis-server postgresql libpq-dev; }

.PHONY: torture
torture: deps .venv/installed ## Kill the event-ingestor 200 times under load and look for what is lost
	swift build -c release --product event-ingestor
	swift build -c release --product energyctl
	@.venv/bin/python Tests/torture.py

.PHONY: flood
flood: deps .venv/installed ## Flood the event-ingestor with strangers and slow readers while one client submits
	swift build -c release --product event-ingestor
	swift build -c release --product energyctl
	@.venv/bin/python Tests/flood.py

.PHONY: simulate
simulate: deps ## Run 5,000 simulated worlds of devices, ingestor and insights, with every kind of fault
	SWIFT_DETERMINISTIC_HASHING=1 SIMULATION_SEEDS=5000 swift test --filter SimulationTests

# What is found new is kept in Fuzz/.build/corpus for the next run; a finding is left in Fuzz/.build.
FUZZ_SECONDS ?= 600
.PHONY: fuzz
fuzz: deps ## Fuzz the envelope, the decoders and the rules of events, FUZZ_SECONDS each, under AddressSanitizer
	cd Fuzz && swift build -c release -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing
	@for name in envelope requests validation; do \
		mkdir -p Fuzz/.build/corpus/$$name; echo "fuzz-$$name for $(FUZZ_SECONDS) s"; \
		Fuzz/.build/release/fuzz-$$name -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -rss_limit_mb=1024 \
			-verbosity=0 -print_final_stats=1 -artifact_prefix=Fuzz/.build/$$name- \
			Fuzz/.build/corpus/$$name Fuzz/Corpus/$$name || exit 1; done

.PHONY: bench-guidance
bench-guidance: deps ## Measure what following guidance saves on recorded grids (DATA=folder of CSV files), and a full refresh
	@cd Benchmarks && swift build -c release --product bench-guidance
	@Benchmarks/.build/release/bench-guidance $(DATA)

.PHONY: bench-insights
bench-insights: deps Benchmarks/insights/.venv/installed ## Measure insights, beside DuckDB and SQLite over the raw events
	@cd Benchmarks && swift build -c release --product bench-insights
	@Benchmarks/insights/.venv/bin/python Benchmarks/insights.py

# DuckDB is for comparison only.
Benchmarks/insights/.venv/installed: Benchmarks/insights/requirements.txt
	python3 -m venv Benchmarks/insights/.venv
	Benchmarks/insights/.venv/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

.PHONY: bench-schedule
bench-schedule: deps Benchmarks/schedule/.venv/installed ## Measure the planner, beside EMHASS and HiGHS on the same problems
	@cd Benchmarks && swift build -c release --product bench-schedule
	@Benchmarks/.build/release/bench-schedule Benchmarks/schedule/.venv/bin/python $(SESSIONS)

# EMHASS is for comparison only, and in a folder of its own.
Benchmarks/schedule/.venv/installed: Benchmarks/schedule/requirements.txt
	python3 -m venv Benchmarks/schedule/.venv
	Benchmarks/schedule/.venv/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

.PHONY: docs
docs: deps ## Build the documentation of EnergyKit into .build/docs
	swift build --target EnergyKit
	rm -rf .build/docs .build/symbols && mkdir -p .build/symbols
	modules="$$(swift build --show-bin-path)/Modules" && \
	swift symbolgraph-extract -module-name EnergyKit -I "$$modules" \
		-target "$$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -1)" \
		$(foreach m,$(wildcard Sources/C/*/module.modulemap) .build/checkouts/Yams/Sources/CYaml/include/module.modulemap,-Xcc -fmodule-map-file=$(m)) \
		-Xcc -ISources/C/EnergyProto -minimum-access-level public -skip-synthesized-members -output-dir .build/symbols
	docc convert Sources/Client/EnergyKit/EnergyKit.docc --additional-symbol-graph-dir .build/symbols \
		--fallback-display-name EnergyKit --fallback-bundle-identifier org.gridtide.EnergyKit \
		--warnings-as-errors --output-path .build/docs

.PHONY: clean
clean: ## Remove what was built; what the services stored under .gridtide/ stays
	rm -rf .build .build-tsan .venv Benchmarks/schedule/.venv Benchmarks/insights/.venv

.PHONY: proto
proto: ## Write the C code and the descriptor set from proto/
	rm -rf $(PROTO_OUT)/energy $(PROTO_OUT)/EnergyProto.h
	mkdir -p $(PROTO_OUT)
	protoc-c --proto_path=proto --c_out=$(PROTO_OUT) $(PROTOS)
	printf '%s\n' '// Written by `make proto`.' > $(PROTO_OUT)/EnergyProto.h
	for f in $(PROTOS:proto/%.proto=%); do echo "#include \"$$f.pb-c.h\"" >> $(PROTO_OUT)/EnergyProto.h; done
	protoc --proto_path=proto --include_imports \
		--descriptor_set_out=Sources/Core/EnergyWire/energy.v1.descriptorset proto/energy/v1/*.proto

# What the tests run in Python, in a folder of its own: the client, and the second opinions of Tests/Oracles.
.venv/installed: clients/python/requirements.txt Tests/Oracles/requirements.txt
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check $(addprefix -r ,$^)
	touch $@
