package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/cmd/tamp/sqlite"
)

// item is row i of testdata/items.db, which SQLite wrote. Its pages have 512 bytes, so that trees have several levels,
// and long texts are in several pages. Rows from 200 on, and a column that was added, are in the log only.
func item(i int) (id string, n int64, data string) {
	n = 1
	for range i % 20 {
		n *= 7
	}
	if i%2 == 1 {
		n = -n
	}
	length := i % 40
	if i%17 == 0 {
		length = i * i % 4000
	}
	return fmt.Sprintf("id_%04d", i), n, fmt.Sprintf("<%d> ", i) + strings.Repeat(string(rune('a'+i%26)), length)
}

func scan(t require.TestingT, file string) (rows int) {
	d, err := sqlite.Open(file)
	require.NoError(t, err)
	defer d.Close()
	err = d.Scan("item", []string{"n", "data", "", "id"}, func(v []sqlite.Value) error {
		id, err := v[3].String()
		require.NoError(t, err)
		var i int
		_, err = fmt.Sscanf(id, "id_%d", &i)
		require.NoError(t, err)
		wantID, n, data := item(i)
		require.Equal(t, wantID, id)
		require.Equal(t, n, v[0].Int)
		text, err := v[1].String()
		require.NoError(t, err)
		require.Equal(t, data, text)
		require.Equal(t, int64(0), v[2].Int)
		rows++
		return nil
	})
	require.NoError(t, err)
	return rows
}

func copied(t *testing.T, suffixes ...string) string {
	file := filepath.Join(t.TempDir(), "copy.db")
	for _, suffix := range suffixes {
		data, err := os.ReadFile("testdata/items.db" + suffix)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file+suffix, data, 0o600))
	}
	return file
}

// A database is read with its log, and without one, as it was before.
func TestScan(t *testing.T) {
	require.Equal(t, 228, scan(t, "testdata/items.db"), "12 of 240 rows were deleted")
	require.Equal(t, 200, scan(t, copied(t, "")))
}

// A transaction that is not whole is not read: the last one wrote the rows from 200 on.
func TestTornLog(t *testing.T) {
	file := copied(t, "", "-wal")
	info, err := os.Stat(file + "-wal")
	require.NoError(t, err)
	require.NoError(t, os.Truncate(file+"-wal", info.Size()-1))
	require.Equal(t, 200, scan(t, file))
}

func TestNoTable(t *testing.T) {
	d, err := sqlite.Open("testdata/items.db")
	require.NoError(t, err)
	defer d.Close()
	row := func([]sqlite.Value) error { return nil }
	require.ErrorIs(t, d.Scan("items", nil, row), sqlite.ErrNoTable)
	require.ErrorIs(t, d.Scan("item", []string{"id", "date"}, row), sqlite.ErrNoTable)
	require.NoError(t, d.Scan("item", []string{"late"}, row))
	_, err = sqlite.Open("sqlite_test.go")
	require.ErrorContains(t, err, "it is no SQLite database")
}

// Whatever the bytes are, a scan ends, without a panic.
func TestDamage(t *testing.T) {
	whole, err := os.ReadFile("testdata/items.db")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "damaged.db")
	rapid.Check(t, func(t *rapid.T) {
		data := append([]byte{}, whole...)
		for range rapid.IntRange(1, 40).Draw(t, "changes") {
			data[rapid.IntRange(16, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		require.NoError(t, os.WriteFile(file, data[:rapid.IntRange(0, len(data)).Draw(t, "size")], 0o600))
		d, err := sqlite.Open(file)
		if err != nil {
			return
		}
		defer d.Close()
		rows := 0
		_ = d.Scan("item", []string{"id", "n", "data"}, func(v []sqlite.Value) error {
			_, _ = v[2].String()
			rows++
			return nil
		})
		require.Less(t, rows, len(data))
	})
}
