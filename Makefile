# Everything that a person or CI calls. `make` lists it.

SHELL := /bin/bash
.DEFAULT_GOAL := help

PROTOS := $(filter-out proto/energy/v1/services.proto,$(wildcard proto/energy/v1/*.proto))
PROTO_OUT := Sources/C/EnergyProto
SOURCES := Package.swift Sources Tests
SERVICES := guidance-publisher event-ingestor insight-service scheduler device-simulator energy-dashboard
# The Swift compiler writes over modules that another run reads; two makes at once would disturb each other.
.NOTPARALLEL:

.PHONY: help
help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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
check: deps lint walls proto-check config-check test ## What CI checks, but for kubernetes-test and monitoring-test

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

.PHONY: bench-memory
bench-memory: deps ## Measure the event-ingestor's memory over 50 million events (EVENTS=n for others)
	swift build -c release --product event-ingestor
	@cd Benchmarks && swift build -c release --product bench-ingest
	@Benchmarks/memory.py

.PHONY: bench-replicas
bench-replicas: deps bench-deps ## Measure two event-ingestors on one PostgreSQL against one
	swift build -c release --product event-ingestor
	@cd Benchmarks && swift build -c release --product bench-ingest
	@Benchmarks/replicas.py

.PHONY: bench-schedulers
bench-schedulers: deps bench-deps .venv/installed ## Measure two schedulers that divide the homes against one
	@for product in scheduler guidance-publisher event-ingestor; do swift build -c release --product $$product || exit 1; done
	@.venv/bin/python Benchmarks/schedulers.py

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

.PHONY: hosts
hosts: deps .venv/installed ## Kill, cut off and pause replicas on three hosts (made by root), and look for what is lost
	swift build -c release
	@.venv/bin/python Tests/hosts.py

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

.PHONY: bench-dashboard
bench-dashboard: deps .venv/installed ## Measure the pages over a year of 20 devices, and what 200 open ones cost
	swift build -c release
	@.venv/bin/python Benchmarks/dashboard.py

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

# What packing and the tests of deploy/ need, and nothing else does.
.PHONY: deploy-deps
deploy-deps:
	@deploy/install-deps.sh chrpath debhelper lintian debootstrap systemd-container

.PHONY: deb
deb: deploy-deps ## Build the Debian package into .build-deb
	@deploy/make-deb.sh

.PHONY: deb-test
deb-test: deb ## Install, upgrade and purge the Debian package in a machine of its own (as root)
	@python3 Tests/debian_package.py "$$(ls -t .build-deb/gridtide_*.deb | head -1)"

.PHONY: images
images: deb ## Pack the Debian package into a container image
	@deploy/install-deps.sh buildah
	@deploy/make-images.sh

.PHONY: images-test
images-test: deb ## Build the image, look at what is in it, and run it by the compose file (as root)
	@deploy/install-deps.sh buildah podman podman-compose runc netavark aardvark-dns iptables
	@python3 Tests/images.py

.PHONY: monitoring-test
monitoring-test: ## Try every alert, and check what Prometheus is told
	@deploy/install-deps.sh prometheus
	@promtool check config deploy/monitoring/prometheus.yaml
	@promtool test rules deploy/monitoring/gridtide-rules.test.yaml
	@python3 Tests/dashboard.py

.PHONY: kubernetes-test
kubernetes-test: Tests/Kubernetes/.venv/installed ## Hold the Kubernetes manifests against the published schemas
	@Tests/Kubernetes/.venv/bin/python Tests/kubernetes.py

Tests/Kubernetes/.venv/installed: Tests/Kubernetes/requirements.txt
	python3 -m venv Tests/Kubernetes/.venv
	Tests/Kubernetes/.venv/bin/pip install --quiet --disable-pip-version-check -r $<
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

# From the executables that are run, so that nothing can be out of date: EXECUTABLES=… names others, for example .build/debug.
EXECUTABLES ?= .build/release
GENERATED ?= .build/install
.PHONY: completions
completions: ## Write what bash, zsh and fish complete of energyctl into .build/install (needs make release)
	@mkdir -p $(GENERATED)/completions
	$(EXECUTABLES)/energyctl --generate-completion-script bash > $(GENERATED)/completions/energyctl
	$(EXECUTABLES)/energyctl --generate-completion-script zsh > $(GENERATED)/completions/_energyctl
	$(EXECUTABLES)/energyctl --generate-completion-script fish > $(GENERATED)/completions/energyctl.fish

.PHONY: manuals
manuals: ## Write the manuals, section 1 and 8, into .build/install (needs make release)
	@rm -rf $(GENERATED)/man && mkdir -p $(GENERATED)/man
	version="$$($(EXECUTABLES)/energyctl --version | sed 's/.* //')" && \
	$(EXECUTABLES)/energyctl --experimental-dump-help | deploy/manuals.py $(GENERATED)/man "$$version"
	for s in $(SERVICES); do \
		help2man --section=8 --no-info --source=Gridtide --locale=C.UTF-8 \
			--name="$$($(EXECUTABLES)/$$s --help | sed -n '1s/[^:]*: //p')" \
			--output=$(GENERATED)/man/$$s.8 $(EXECUTABLES)/$$s || exit 1; done

PREFIX ?= /usr/local
UNITS ?= $(PREFIX)/lib/systemd/system
# Debian's zsh looks in other folders for packages than for what an administrator installs.
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
.PHONY: install
install: completions manuals ## Install what make release built, with units, completions and manuals (PREFIX, DESTDIR)
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin lib/gridtide share/bash-completion/completions \
		share/fish/vendor_completions.d share/man/man1 share/man/man8 lib/sysusers.d) \
		$(addprefix $(DESTDIR),$(UNITS) $(ZSH_COMPLETIONS) /etc/gridtide)
	install -m 755 $(EXECUTABLES)/energyctl $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(addprefix $(EXECUTABLES)/,$(SERVICES)) $(DESTDIR)$(PREFIX)/lib/gridtide
	install -m 644 $(GENERATED)/completions/energyctl $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 644 $(GENERATED)/completions/_energyctl $(DESTDIR)$(ZSH_COMPLETIONS)
	install -m 644 $(GENERATED)/completions/energyctl.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	for n in 1 8; do for f in $(GENERATED)/man/*.$$n; do \
		gzip -9nc "$$f" > "$(DESTDIR)$(PREFIX)/share/man/man$$n/$${f##*/}.gz" || exit 1; done; done
	install -m 644 deploy/debian/gridtide.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/gridtide.conf
	for f in deploy/systemd/*.service; do \
		sed 's|=/usr/lib/gridtide/|=$(PREFIX)/lib/gridtide/|' "$$f" > "$(DESTDIR)$(UNITS)/$${f##*/}" || exit 1; done
	for f in deploy/config/*.yaml; do \
		[ -e "$(DESTDIR)/etc/gridtide/$${f##*/}" ] || install -m 644 "$$f" $(DESTDIR)/etc/gridtide || exit 1; done

.PHONY: clean
clean: ## Remove what was built; what the services stored under .gridtide/ stays
	rm -rf .build .build-tsan .build-deb .venv Tests/Kubernetes/.venv Benchmarks/schedule/.venv Benchmarks/insights/.venv

.PHONY: proto
proto: ## Write the C code and the descriptor set from proto/
	rm -rf $(PROTO_OUT)/energy $(PROTO_OUT)/EnergyProto.h
	mkdir -p $(PROTO_OUT)
	protoc-c --proto_path=proto --c_out=$(PROTO_OUT) $(PROTOS)
	printf '%s\n' '// Written by `make proto`.' > $(PROTO_OUT)/EnergyProto.h
	for f in $(PROTOS:proto/%.proto=%); do echo "#include \"$$f.pb-c.h\"" >> $(PROTO_OUT)/EnergyProto.h; done
	protoc --proto_path=proto --include_imports \
		--descriptor_set_out=Sources/Core/EnergyWire/energy.v1.descriptorset proto/energy/v1/*.proto

# Pictures of the pages as the browser's test sees them; those that README shows are kept.
README_PICTURES = $(foreach theme,light dark,$(foreach page,now plan history,$(page)-$(theme)-1440.png))
.PHONY: screenshots
screenshots: deps .venv/installed ## Run the dashboard's test in a browser, and take README's pictures anew
	swift build
	SCREENSHOTS=.build/screenshots BIN=.build/debug .venv/bin/python Tests/Browser/test_dashboard.py
	SCREENSHOTS=.build/screenshots BIN=.build/debug .venv/bin/python Tests/Browser/test_settings.py
	mkdir -p docs && cp $(addprefix .build/screenshots/,$(README_PICTURES)) docs/

# What the tests run in Python, in a folder of its own: the client, the second opinions of Tests/Oracles, and the browser.
.venv/installed: clients/python/requirements.txt Tests/Oracles/requirements.txt Tests/Browser/requirements.txt
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check $(addprefix -r ,$^)
	touch $@
