// Package sqlite reads the tables of a SQLite database: its file and the write-ahead log next to it. It knows no SQL,
// changes nothing, and takes no lock, so a database that is written at the same time may be read as it was before.
//
// Start with Open. The format is that of https://www.sqlite.org/fileformat2.html, read in November 2026.
package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
)

// ErrNoTable is the error of Scan if there is no such table, or one without these columns.
var ErrNoTable = errors.New("the database has no such table")

// errBroken is the error of a file that is not as the format says.
var errBroken = errors.New("the database is damaged")

// Database is an open file. Not safe for concurrent use.
type Database struct {
	file, log *os.File
	pageSize  int64
	usable    int              // bytes of a page that have content
	pages     uint32           // number of pages
	logged    map[uint32]int64 // where the log has the newest content of a page
	last      uint32           // the page in page
	page      []byte
}

const headerSize = 100

// Open opens a database.
func Open(name string) (*Database, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	d := &Database{file: file, logged: map[uint32]int64{}}
	if err := d.readHeader(); err != nil {
		d.Close()
		return nil, err
	}
	if d.log, err = os.Open(name + "-wal"); err == nil {
		err = d.readLog()
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Close closes the files.
func (d *Database) Close() {
	_ = d.file.Close() // it was only read
	if d.log != nil {
		_ = d.log.Close()
	}
}

func (d *Database) readHeader() error {
	var header [headerSize]byte
	_, err := d.file.ReadAt(header[:], 0)
	if errors.Is(err, io.EOF) || !bytes.HasPrefix(header[:], []byte("SQLite format 3\x00")) {
		return errors.New("it is no SQLite database")
	} else if err != nil {
		return err
	}
	d.pageSize = int64(binary.BigEndian.Uint16(header[16:]))
	if d.pageSize == 1 {
		d.pageSize = 1 << 16
	}
	d.usable = int(d.pageSize) - int(header[20])
	info, err := d.file.Stat()
	if err != nil {
		return err
	}
	if d.pageSize < 512 || d.pageSize&(d.pageSize-1) != 0 || d.usable < 480 {
		return errBroken
	}
	if encoding := binary.BigEndian.Uint32(header[56:]); encoding > 1 {
		return errors.New("the database is not in UTF-8")
	}
	d.pages = uint32(info.Size() / d.pageSize)
	return nil
}

// readPage returns a page, which is valid until the next call.
func (d *Database) readPage(number uint32) ([]byte, error) {
	if number == 0 || number > d.pages {
		return nil, errBroken
	}
	if d.last == number {
		return d.page, nil
	}
	if d.page == nil {
		d.page = make([]byte, d.pageSize)
	}
	d.last = 0
	from, at := d.file, int64(number-1)*d.pageSize
	if logged, found := d.logged[number]; found {
		from, at = d.log, logged
	}
	if _, err := from.ReadAt(d.page, at); err != nil {
		return nil, errBroken
	}
	d.last = number
	return d.page, nil
}

// Value is a value of a row: a number, or a text.
type Value struct {
	Int  int64
	Text Text
	d    *Database
}

// String reads a text.
func (v *Value) String() (string, error) {
	text, err := v.d.Read(v.Text)
	return string(text), err
}

// Text is the place of a text, so that large ones are not in memory.
type Text struct {
	page        uint32
	cell        int // its offset in the page
	from, bytes int // in its payload
}

// Scan calls row with the values of columns for each row of a table. The value of a column without a name is empty. row
// may call Read.
func (d *Database) Scan(table string, columns []string, row func(values []Value) error) error {
	var root uint32
	var names []string
	err := d.rows(1, func(all []Value) error { // type, name, tbl_name, rootpage, sql
		if len(all) < 5 {
			return errBroken
		}
		kind, err := all[0].String()
		if err != nil || kind != "table" {
			return err
		}
		name, err := all[1].String()
		if err != nil || name != table {
			return err
		}
		root = uint32(all[3].Int)
		sql, err := all[4].String()
		names = columnsOf(sql)
		return err
	})
	if err != nil {
		return err
	}
	if root == 0 {
		return ErrNoTable
	}
	at := make([]int, len(columns))
	for i, column := range columns {
		if at[i] = slices.Index(names, column); at[i] < 0 && column != "" {
			return ErrNoTable
		}
	}
	values := make([]Value, len(columns))
	return d.rows(root, func(all []Value) error {
		for i, k := range at {
			values[i] = Value{d: d}
			if k >= 0 && k < len(all) { // a row from before a column was added has none
				values[i] = all[k]
			}
		}
		return row(values)
	})
}

// columnsOf returns the names of the columns in the text of a table, in lower case.
func columnsOf(sql string) (names []string) {
	_, list, _ := strings.Cut(sql, "(")
	depth, start := 0, 0
	add := func(text string) {
		text = strings.TrimLeft(text, " \t\r\n")
		name := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n`\"[](", r) })
		if len(name) > 0 {
			names = append(names, strings.ToLower(name[0])) // a constraint at the end, too, which is the name of none
		}
	}
	for i, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ')' || c == ',' && depth == 0:
			add(list[start:i])
			if start = i + 1; c == ')' {
				return names
			}
		}
	}
	return names
}
