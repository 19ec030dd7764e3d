//go:build agents && !js

package gateway_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	fiftyRounds = 30
	maxMemory   = 1 << 20 // KB that a gateway may use for all agents
)

// Fifty agents work at once through one gateway: none is refused, none gets a request of another, and its memory is
// bounded. They are the lighter clients, since all of them run on this machine.
func TestFiftyAgents(t *testing.T) {
	for _, p := range []place{native, workerd} {
		t.Run(p.name, func(t *testing.T) {
			var lines []*line
			var upstreams []string
			agent := func(i int) *client { return &[]client{clients[0], codex}[i%2] }
			for i := range 50 {
				l := newLine(t, agent(i), fiftyRounds, agentWindow)
				lines = append(lines, l)
				upstreams = append(upstreams, fmt.Sprintf("a%d=%s/s/job", i, l.back.URL))
			}
			g := p.start(t, with(policyOf(agentWindow), "UPSTREAMS", strings.Join(upstreams, ",")), func(string) {})
			t.Cleanup(func() {
				used := memoryOf(t, g.process)
				t.Logf("%d MB at most", used>>10)
				require.Less(t, used, maxMemory)
			})
			for i, l := range lines {
				l.instances = []string{fmt.Sprintf("%s/a%d", g.url, i)}
				t.Run(fmt.Sprint(i), func(t *testing.T) {
					t.Parallel()
					agent(i).finishes(t, l, fiftyRounds)
				})
			}
		})
	}
}

var (
	parent = regexp.MustCompile(`(?m)^PPid:\s*(\d+)$`)
	peak   = regexp.MustCompile(`(?m)^VmHWM:\s*(\d+) kB$`)
)

// memoryOf returns the largest memory so far of a process and of those that it started, in KB.
func memoryOf(t *testing.T, process int) (sum int) {
	all, err := filepath.Glob("/proc/[0-9]*/status")
	require.NoError(t, err)
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		number, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if m := peak.FindSubmatch(text); m != nil && number == process {
			kb, _ := strconv.Atoi(string(m[1]))
			sum += kb
		}
		if m := parent.FindSubmatch(text); m != nil && string(m[1]) == strconv.Itoa(process) {
			sum += memoryOf(t, number)
		}
	}
	return sum
}
