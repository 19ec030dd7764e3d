// Package features uses what the runtime contains in every program but few programs use. A test builds it as wasm,
// rewrites it, and runs it.
package features

import (
	"bytes"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestFeatures(t *testing.T) {
	runtime.MemProfileRate = 1
	runtime.SetBlockProfileRate(1)
	runtime.SetMutexProfileFraction(1)
	var traced bytes.Buffer
	if err := trace.Start(&traced); err != nil {
		t.Fatal(err)
	}
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Log(err)
	}
	var mu sync.Mutex
	done := make(chan []byte)
	mu.Lock()
	go func() {
		mu.Lock()
		time.Sleep(time.Millisecond)
		done <- make([]byte, 1<<20)
	}()
	time.Sleep(time.Millisecond)
	mu.Unlock()
	<-done
	runtime.GC()
	for _, name := range []string{"heap", "allocs", "block", "mutex", "goroutine", "threadcreate"} {
		var profile bytes.Buffer
		if err := pprof.Lookup(name).WriteTo(&profile, 0); err != nil {
			t.Fatal(err)
		}
		if profile.Len() == 0 {
			t.Errorf("the profile %s is empty", name)
		}
	}
	pprof.StopCPUProfile()
	trace.Stop()
	if traced.Len() < 1000 {
		t.Errorf("the trace has %d bytes", traced.Len())
	}
	synctest.Test(t, func(*testing.T) {
		go time.Sleep(time.Hour)
		synctest.Wait()
		time.Sleep(2 * time.Hour)
	})
}
