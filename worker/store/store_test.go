package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/worker/store"
)

// memory is a binding in memory. Calls fail with down if it is set.
type memory struct {
	mu     sync.Mutex
	values map[string][]byte
	writes int
	down   error
}

func (m *memory) Read(_ context.Context, key string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.values[key]
	return bytes.Clone(data), ok, m.down
}

func (m *memory) Write(_ context.Context, key string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down == nil {
		m.writes++
		m.values[key] = bytes.Clone(data)
	}
	return m.down
}

// each runs a test for each store. tamper changes the stored bytes of a ref without the store.
func each(t *testing.T, test func(t *testing.T, s store.Store, tamper func(ref string, data []byte))) {
	for name, make := range map[string]func(store.Binding) store.Store{"r2": store.NewR2, "kv": store.NewKV} {
		t.Run(name, func(t *testing.T) {
			m := &memory{values: map[string][]byte{}}
			test(t, make(m), func(ref string, data []byte) { m.values["transcripts/"+ref] = data })
		})
	}
	t.Run("dir", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "made", "at", "need")
		test(t, store.NewDir(dir), func(ref string, data []byte) {
			require.NoError(t, os.MkdirAll(dir, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, ref), data, 0o600))
		})
	})
}

func code(err error) string { return string(store.CodeOf(err)) }

func TestRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, s store.Store, tamper func(string, []byte)) {
		ctx := context.Background()
		for _, text := range []string{"", "one\ntwo\n", "\x00\xff", strings.Repeat("long ", 1<<18)} {
			data, ref := []byte(text), store.Ref([]byte(text))
			require.Equal(t, core.Ref(data), ref, "the name that the core writes into its placeholders")
			_, err := s.Get(ctx, ref)
			require.Equal(t, "not_found", code(err))
			require.NoError(t, s.Put(ctx, ref, data))
			require.NoError(t, s.Put(ctx, ref, data), "writing twice has no effect")
			got, err := s.Get(ctx, ref)
			require.NoError(t, err)
			require.Equal(t, text, string(got))
		}
	})
}

var badRefs = []struct{ ref, why string }{
	{"", "nothing"},
	{"0123456789abcde", "too short"},
	{"0123456789abcdef0", "too long"},
	{"0123456789ABCDEF", "upper case would be another name for the same"},
	{"../../etc/passwd", "16 characters of a path"},
	{"..\\..\\etc\\passwd", "the other kind of path"},
	{"/123456789abcdef", "absolute"},
	{"0123456789abcde/", "a directory"},
	{"0123456\x0089abcde", "a NUL ends names in C"},
	{"0123456789abc\u00e9", "16 bytes, not 16 digits"},
	{"%2e%2e%2f%2e%2e%", "escapes are not undone here"},
	{".new-0123456789a", "the temporary files"},
}

func TestBadRefs(t *testing.T) {
	each(t, func(t *testing.T, s store.Store, tamper func(string, []byte)) {
		for _, row := range badRefs {
			_, err := s.Get(context.Background(), row.ref)
			require.Equal(t, "bad_ref", code(err), row.why)
			require.Equal(t, "bad_ref", code(s.Put(context.Background(), row.ref, nil)), row.why)
			require.False(t, store.Valid(row.ref))
		}
		other := store.Ref([]byte("a"))
		require.Equal(t, "bad_ref", code(s.Put(context.Background(), other, []byte("b"))), "a ref is that of its bytes")
	})
}

// A stored original is not replaced, and a changed one is not returned.
func TestTamperedOriginals(t *testing.T) {
	each(t, func(t *testing.T, s store.Store, tamper func(string, []byte)) {
		data := []byte("original")
		ref := store.Ref(data)
		tamper(ref, []byte("another"))
		require.Equal(t, "conflict", code(s.Put(context.Background(), ref, data)))
		_, err := s.Get(context.Background(), ref)
		require.Equal(t, "corrupt", code(err))
	})
}

func TestLimits(t *testing.T) {
	for name, row := range map[string]struct {
		make  func(store.Binding) store.Store
		limit int
	}{"r2": {store.NewR2, 40 << 20}, "kv": {store.NewKV, 25 << 20}} {
		m := &memory{values: map[string][]byte{}}
		s := row.make(m)
		data := make([]byte, row.limit+1)
		require.Equal(t, "too_large", code(s.Put(context.Background(), store.Ref(data), data)), name)
		require.Zero(t, m.writes)
		data = data[:row.limit]
		require.NoError(t, s.Put(context.Background(), store.Ref(data), data), name)
	}
}

// A failing store has the code down; the platform's text is not part of the message.
func TestDown(t *testing.T) {
	cause := errors.New("quota of bucket secret-name exceeded")
	for _, s := range []store.Store{store.NewR2(&memory{down: cause}), store.NewKV(&memory{down: cause})} {
		err := s.Put(context.Background(), store.Ref(nil), nil)
		require.Equal(t, "down", code(err))
		require.ErrorIs(t, err, cause)
		require.NotContains(t, err.Error(), "secret-name")
		_, err = s.Get(context.Background(), store.Ref(nil))
		require.Equal(t, "down", code(err))
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	s := store.NewDir(file)
	err := s.Put(context.Background(), store.Ref(nil), nil)
	require.Equal(t, "down", code(err), "a file has the name of the directory")
	require.NotContains(t, err.Error(), file)
}

func TestCanceled(t *testing.T) {
	each(t, func(t *testing.T, s store.Store, tamper func(string, []byte)) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		require.Equal(t, "canceled", code(s.Put(ctx, store.Ref(nil), nil)))
		_, err := s.Get(ctx, store.Ref(nil))
		require.Equal(t, "canceled", code(err))
		require.ErrorIs(t, err, context.Canceled)
		_, err = s.Get(context.Background(), store.Ref(nil))
		require.Equal(t, "not_found", code(err), "nothing was written")
	})
	require.Empty(t, store.CodeOf(errors.New("of another package")))
}

func TestNone(t *testing.T) {
	require.Equal(t, "absent", code(store.None{}.Put(context.Background(), store.Ref(nil), nil)))
	_, err := store.None{}.Get(context.Background(), store.Ref(nil))
	require.Equal(t, "absent", code(err))
}

// Only the owner can read conversations, and no partial file is left behind.
func TestDirFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	s := store.NewDir(dir)
	data := []byte("one")
	require.NoError(t, s.Put(context.Background(), store.Ref(data), data))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	info, err = os.Stat(filepath.Join(dir, store.Ref(data)))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	// An unreadable entry is not overwritten.
	blocked := []byte("two")
	require.NoError(t, os.Mkdir(filepath.Join(dir, store.Ref(blocked)), 0o700))
	require.Equal(t, "down", code(s.Put(context.Background(), store.Ref(blocked), blocked)))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2, "no temporary file stays")
}

// Many concurrent writers of a few originals: all succeed, and each original is complete.
func TestConcurrentWriters(t *testing.T) {
	each(t, func(t *testing.T, s store.Store, tamper func(string, []byte)) {
		var group sync.WaitGroup
		failures := make(chan error, 64)
		for n := range 32 {
			group.Go(func() {
				data := bytes.Repeat([]byte{byte(n % 4)}, 100_000)
				failures <- s.Put(context.Background(), store.Ref(data), data)
				got, err := s.Get(context.Background(), store.Ref(data))
				if err == nil && !bytes.Equal(got, data) {
					err = errors.New("a partial original was read")
				}
				failures <- err
			})
		}
		group.Wait()
		close(failures)
		for err := range failures {
			require.NoError(t, err)
		}
	})
}

// The store behaves like a map, for any sequence of writes and reads.
func TestStoreIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &memory{values: map[string][]byte{}}
		s := store.NewKV(m)
		model := map[string]string{}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			data := rapid.SampledFrom([]string{"", "a", "b", "ab", "c"}).Draw(t, "data")
			ref := store.Ref([]byte(rapid.SampledFrom([]string{data, "a", "other"}).Draw(t, "ref of")))
			if rapid.Bool().Draw(t, "put") {
				err := s.Put(context.Background(), ref, []byte(data))
				require.Equal(t, ref == store.Ref([]byte(data)), err == nil)
				if err == nil {
					model[ref] = data
				}
				continue
			}
			got, err := s.Get(context.Background(), ref)
			want, ok := model[ref]
			require.Equal(t, ok, err == nil)
			require.Equal(t, want, string(got))
		}
		require.Equal(t, len(model), m.writes, "each original is written once")
	})
}
