package tokens

import (
	"fmt"
	"os"
	"path/filepath"
	"pgregory.net/rapid"
	"strings"
	"testing"
)

func TestZW(t *testing.T) {
	check := func(s string) bool { return fitted.walk(s, nil) == fitted.walk(s, func(Unit) {}) }
	fs, _ := filepath.Glob("*.go")
	f2, _ := filepath.Glob("fit/texts/testdata/*")
	f3, _ := filepath.Glob("/work/shared/data/*/*")
	bad := 0
	for _, f := range append(append(append(fs, f2...), f3...), "/tmp/real.txt") {
		b, _ := os.ReadFile(f)
		s := string(b)
		if !check(s) {
			bad++
			if bad < 4 {
				for n := 100; n < len(s); n += 50 {
					lo := 0
					if !check(s[:n]) { // shrink
						for lo < n && !check(s[lo+1:n]) {
							lo++
						}
						hi := n
						for hi > lo && !check(s[lo:hi-1]) {
							hi--
						}
						fmt.Printf("%s %q %d %d\n", f, s[lo:hi], fitted.walk(s[lo:hi], nil), fitted.walk(s[lo:hi], func(Unit) {}))
						break
					}
				}
			}
		}
	}
	if bad > 0 {
		t.Fatal(bad)
	}
}
func TestZR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.StringMatching(`[a-zA-Z' ]{0,30}`), rapid.StringMatching(`[\t\n\r ]{0,9}[{}()\[\]"\\=*.;]{0,12}[nrt]?`), rapid.StringMatching(`[0-9]{0,9}`), rapid.SampledFrom([]string{"é", "\x00", "\x7f", "Å", "foo", "Bar", "\n\n", " "}))
		s := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "s"), "")
		if a, b := fitted.walk(s, nil), fitted.walk(s, func(Unit) {}); a != b {
			t.Fatalf("%d %d", a, b)
		}
	})
}
