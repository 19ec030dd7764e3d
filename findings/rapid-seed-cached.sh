#!/usr/bin/env bash
# package: pgregory.net/rapid 1.3.0 (Go module)
# pgregory.net/rapid 1.3.0 (Go) with the cache of `go test`: a run with another RAPID_SEED gets the cached result of the
# seed before. rapid reads its variables while packages are initialized; go test records what a test reads from the
# start of its main function on. Seen: "(cached)" for a property that the second seed refutes.
set -euo pipefail
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
export GOFLAGS=-mod=mod GOCACHE="$folder/cache"
cat <<'END'
field:    property tests in Go
package:  pgregory.net/rapid 1.3.0 (Go module)
expected: go test runs again if RAPID_SEED is another one, as for a variable that a test reads itself
END
cat > go.mod <<'END'
module example

go 1.24

require pgregory.net/rapid v1.3.0
END
cat > example_test.go <<'END'
package example

import (
	"testing"

	"pgregory.net/rapid"
)

// Some seeds draw an even number, others an odd one.
func TestEven(t *testing.T) {
	seen := 0
	rapid.Check(t, func(t *rapid.T) { seen += rapid.IntRange(0, 1).Draw(t, "bit") })
	if seen%2 != 0 {
		t.Fatal("odd")
	}
}
END
run() { # seed, further arguments: ok, FAIL or cached
  local out
  out=$(RAPID_SEED=$1 go test "${@:2}" . 2>&1) || true
  case $out in *cached*) echo cached ;; *FAIL*) echo FAIL ;; ok*) echo ok ;; *) echo "$out" >&2 ; echo error ;; esac
}
even= odd=
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
  case $(run $seed -count=1) in ok) even=${even:-$seed} ;; FAIL) odd=${odd:-$seed} ;; esac
done
first=$(run "$even") second=$(run "$odd") third=$(run "$odd" -count=1)
echo "seen:     RAPID_SEED=$even $first, then RAPID_SEED=$odd $second; with -count=1 $third"
[ "$first $second $third" = "ok cached FAIL" ] || { echo "changed:  not what was seen before"; exit 1; }
