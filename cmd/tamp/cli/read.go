package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"tamp/cmd/tamp/audit"
	"tamp/core/msg"
	"tamp/core/wire"
)

// maxFile is the maximum size of a log, in bytes, also unpacked: larger files are none, and reading them would need
// gigabytes.
const maxFile = 128_000_000

// result is what a file has: sessions, or the reason why it has none.
type result[T any] struct {
	all    []T
	unread []audit.Unread
}

// each asks the engine about each log, in threads. reuse is true if ask does not refer to text afterwards. The results
// are in the order of the files.
func each[T any](c *logs, reuse bool, ask func(e *wire.Engine, file string, text []byte) (T, error)) ([]T, error) {
	results := make([]result[T], len(c.logs))
	var next, read atomic.Int64
	var failed atomic.Pointer[msg.Error]
	var mutex sync.Mutex
	show := c.progress()
	work := func() {
		var engine wire.Engine
		r := reader{reuse: reuse}
		for i := int(next.Add(1)) - 1; i < len(c.logs) && failed.Load() == nil; i = int(next.Add(1)) - 1 {
			log, to := c.logs[i], &results[i]
			add := func(file string, text []byte, err error) {
				var one T
				if err == nil {
					one, err = ask(&engine, file, text)
				}
				var known *msg.Error
				switch {
				case err == nil:
					to.all = append(to.all, one)
				case errors.As(err, &known) && known.Code == msg.BadPolicy:
					failed.Store(known)
				case errors.As(err, &known):
					to.unread = append(to.unread, audit.Unread{File: file, Reason: known.Msg})
				default:
					to.unread = append(to.unread, audit.Unread{File: file, Reason: reasonOf(log.File, err)})
				}
			}
			if err := r.each(log, add); err != nil {
				add(shown(log.File), nil, err)
			}
			n := int(read.Add(1))
			mutex.Lock()
			show(n)
			mutex.Unlock()
		}
	}
	var group sync.WaitGroup
	for range min(c.threads(), len(c.logs)) {
		group.Go(work)
	}
	group.Wait()
	if err := failed.Load(); err != nil {
		return nil, err
	}
	all := make([]T, 0, len(results))
	for i := range results {
		all = append(all, results[i].all...)
		c.others.Unread = append(c.others.Unread, results[i].unread...)
	}
	return all, nil
}

// reader reads logs, each into the memory of the one before.
type reader struct {
	reuse bool
	text  []byte
	zstd  *zstd.Decoder
}

// each calls add for each session in a log.
func (r *reader) each(log audit.Log, add func(file string, text []byte, err error)) error {
	if !utf8.ValidString(log.File) {
		return errors.New("")
	}
	if log.Database {
		return sessionsOf(log.File, add)
	}
	text, err := r.read(r.spare(), log.File)
	if err == nil && log.Next != "" {
		if _, missing := os.Stat(log.Next); missing == nil {
			text, err = r.read(append(text, '\n'), log.Next)
		}
	}
	if err == nil && log.Usage != "" {
		if _, missing := os.Stat(log.Usage); missing == nil {
			var updates []byte
			updates, err = r.read(nil, log.Usage)
			text = audit.WithUsage(text, updates)
		}
	}
	if err != nil {
		return err
	}
	r.text = text
	add(log.File, text, nil)
	return nil
}

func (r *reader) spare() []byte {
	if r.reuse {
		return r.text[:0]
	}
	return nil
}

// magics are what files begin with that are no text: of Zstandard each frame, and after a first byte from 0x50 to 0x5f
// one that is skipped, with which pzstd begins.
var (
	packed   = []byte{0x28, 0xb5, 0x2f, 0xfd}
	skipped  = []byte{0x2a, 0x4d, 0x18}
	database = []byte("SQLite format 3\x00")
)

// read appends the content of a file, unpacked.
func (r *reader) read(to []byte, file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return r.content(to, f)
}

// content appends the content of an open file, unpacked.
func (r *reader) content(to []byte, f *os.File) ([]byte, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a folder")
	case info.Size() == 0:
		return nil, errors.New("the file is empty")
	case info.Size() > maxFile:
		return nil, errors.New("the file has " + megabytes(info.Size()) + ", at most " + megabytes(maxFile) + " are read")
	}
	start := len(to)
	if size := start + int(info.Size()); size > cap(to) {
		to = append(make([]byte, 0, size+size/8), to...)
	}
	n, err := io.ReadFull(f, to[start:start+int(info.Size())])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) { // a shorter file was cut while it was read
		return nil, err
	}
	to = to[:start+n]
	text := to[start:]
	switch {
	case bytes.HasPrefix(text, database):
		return nil, errors.New("it is a SQLite database, but not named as one of opencode or Crush")
	case isPacked(text):
		return r.unpack(to[:start:start], text, maxFile)
	}
	return to, nil
}

func isPacked(text []byte) bool {
	return bytes.HasPrefix(text, packed) || len(text) > 0 && text[0]>>4 == 5 && bytes.HasPrefix(text[1:], skipped)
}

// unpack appends the unpacked content, at most so many bytes. Each reader has one maximum.
func (r *reader) unpack(to, text []byte, most int) (_ []byte, err error) {
	if r.zstd == nil {
		r.zstd, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(uint64(most)), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
	}
	out, err := r.zstd.DecodeAll(text, to)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded) || err == nil && len(out)-len(to) > most:
		return nil, errors.New("cannot unpack the file: its content has more than " + megabytes(int64(most)) +
			", the maximum")
	case err != nil:
		return nil, errors.New("cannot unpack the file: " + err.Error())
	}
	return out, nil
}

func megabytes(size int64) string { return strconv.FormatInt((size+500_000)/1_000_000, 10) + " MB" }
