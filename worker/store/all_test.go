package store_test

import (
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/store"
)

// slow is a binding whose writes take a second each; fault may fail or block one instead.
type slow struct {
	memory
	running, max, begun atomic.Int32
	fault               func(n int32) error // for the n-th started write, from 1
}

func (s *slow) Write(ctx context.Context, key string, data []byte) error {
	n := s.begun.Add(1)
	if now := s.running.Add(1); now > s.max.Load() {
		s.max.Store(now)
	}
	defer s.running.Add(-1)
	if s.fault != nil {
		if err := s.fault(n); err != nil {
			return err
		}
	}
	select {
	case <-time.After(time.Second):
		return s.memory.Write(ctx, key, data)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func newSlow(fault func(n int32) error) *slow {
	return &slow{memory: memory{values: map[string][]byte{}}, fault: fault}
}

func items(n int) []store.Item {
	all := make([]store.Item, n)
	for i := range all {
		data := []byte("original " + strconv.Itoa(i))
		all[i] = store.Item{Ref: store.Ref(data), Data: data}
	}
	return all
}

func TestPutAllWritesInParallel(t *testing.T) {
	for _, row := range []struct{ items, seconds, max int }{{0, 0, 0}, {1, 1, 1}, {3, 1, 3}, {6, 1, 6}, {7, 2, 6},
		{24, 4, 6}} {
		synctest.Test(t, func(t *testing.T) {
			b, began := newSlow(nil), time.Now()
			all := items(row.items)
			require.NoError(t, store.PutAll(t.Context(), store.NewR2(b), all))
			require.Equal(t, time.Duration(row.seconds)*time.Second, time.Since(began))
			require.EqualValues(t, row.max, b.max.Load())
			for _, item := range all {
				require.Equal(t, string(item.Data), string(b.values["transcripts/"+item.Ref]))
			}
		})
	}
}

// The first failure is returned, the writes that wait are canceled, and none is in flight afterwards.
func TestPutAllFirstFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("full")
		b := newSlow(func(n int32) error {
			if n == 3 {
				time.Sleep(time.Second / 2)
				return cause
			}
			return nil
		})
		began := time.Now()
		err := store.PutAll(t.Context(), store.NewKV(b), items(20))
		require.ErrorIs(t, err, cause)
		require.Equal(t, store.Down, store.CodeOf(err), "not that the others were canceled")
		require.Equal(t, time.Second/2, time.Since(began), "PutAll does not wait for the other writes")
		require.Zero(t, b.running.Load())
		require.EqualValues(t, 6, b.begun.Load(), "no further write began")
	})
}

func TestPutAllCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		b := newSlow(nil)
		require.Equal(t, store.Canceled, store.CodeOf(store.PutAll(ctx, store.NewR2(b), items(9))))
		require.Zero(t, b.running.Load())
		require.Empty(t, b.values)
	})
}

// A binding that throws panics; its goroutine must not end the program.
func TestPutAllPanics(t *testing.T) {
	b := newSlow(func(n int32) error { panic("thrown") })
	require.PanicsWithValue(t, "thrown", func() { _ = store.PutAll(t.Context(), store.NewR2(b), items(9)) })
}

func TestPutAllEqualItems(t *testing.T) {
	b := &memory{values: map[string][]byte{}}
	one := items(1)[0]
	require.NoError(t, store.PutAll(t.Context(), store.NewKV(b), []store.Item{one, one, one}))
	require.Equal(t, 1, b.writes, "KV takes one write of a key in a second")
	other := store.Item{Ref: one.Ref, Data: []byte("a collision")}
	require.Equal(t, store.Conflict, store.CodeOf(store.PutAll(t.Context(), store.NewKV(b), []store.Item{one, other})))
	require.Equal(t, store.Absent, store.CodeOf(store.PutAll(t.Context(), store.None{}, []store.Item{one})))
}
