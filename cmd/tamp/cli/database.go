package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"tamp/cmd/tamp/sqlite"
)

// errOther is the error for a database of another program.
var errOther = errors.New("it is a SQLite database, but not one of opencode or Crush")

// sessionsOf calls add for each session in a database, sorted by their IDs, with what the agent writes as its export.
func sessionsOf(file string, add func(file string, text []byte, err error)) error {
	d, err := sqlite.Open(file)
	if err != nil {
		return err
	}
	defer d.Close()
	if err = openCode(d, file, add); errors.Is(err, errOther) {
		return crush(d, file, add)
	}
	return err
}

// openCode reads a database of opencode: what `opencode export` writes.
func openCode(d *sqlite.Database, file string, add func(file string, text []byte, err error)) error {
	sessions, err := rowsOf(d, "session", "id", "", "", "directory")
	if err != nil {
		return err
	}
	messages, err := rowsOf(d, "message", "id", "session_id", "time_created", "data")
	if err != nil {
		return err
	}
	parts, err := rowsOf(d, "part", "id", "message_id", "", "data")
	if err != nil {
		return err
	}
	for _, s := range sessions[""] {
		text, err := exported(d, s, messages[s.id], parts)
		add(shown(file)+"#"+s.id, text, err)
	}
	return nil
}

// row is one row of a table: its text is read when it is needed.
type row struct {
	id   string
	time int64
	text sqlite.Text
}

// rowsOf returns the rows of a table by the text of the column of, sorted by their times and IDs. A name that is empty
// is no column.
func rowsOf(d *sqlite.Database, table, id, of, time, text string) (map[string][]row, error) {
	all := map[string][]row{}
	err := d.Scan(table, []string{id, of, time, text}, func(v []sqlite.Value) error {
		id, err := v[0].String()
		if err != nil {
			return err
		}
		of, err := v[1].String()
		all[of] = append(all[of], row{id, v[2].Int, v[3].Text})
		return err
	})
	if errors.Is(err, sqlite.ErrNoTable) {
		err = errOther
	}
	for _, rows := range all {
		slices.SortFunc(rows, func(a, b row) int {
			return cmp.Or(cmp.Compare(a.time, b.time), strings.Compare(a.id, b.id))
		})
	}
	return all, err
}

// exported is a session with its messages and their parts.
func exported(d *sqlite.Database, session row, messages []row, parts map[string][]row) ([]byte, error) {
	w := &export{d: d}
	directory, err := d.Read(session.text)
	w.err = err
	w.write(`{"info":`, object("id", session.id, "directory", string(directory)), `},"messages":[`)
	for i, m := range messages {
		w.write(","[:min(i, 1)], `{"info":`, object("id", m.id, "sessionID", session.id))
		w.rest(m)
		w.write(`,"parts":[`)
		for k, p := range parts[m.id] {
			w.write(","[:min(k, 1)], object("id", p.id, "sessionID", session.id, "messageID", m.id))
			w.rest(p)
		}
		w.write("]}")
	}
	w.write("]}")
	return w.out, w.err
}

// export is the document of a session that is written.
type export struct {
	d   *sqlite.Database
	out []byte
	err error
}

func (w *export) write(parts ...string) {
	for _, part := range parts {
		w.out = append(w.out, part...)
	}
}

// rest writes the members of the object in a row, behind others.
func (w *export) rest(r row) {
	text, err := w.d.Read(r.text)
	w.err = cmp.Or(w.err, err)
	_, members, _ := strings.Cut(string(text), "{")
	w.write(",", members)
}

// object is the beginning of an object with texts.
func object(pairs ...string) string {
	text := "{"
	for i := 0; i < len(pairs); i += 2 {
		value, _ := json.Marshal(pairs[i+1])
		text += ","[:min(i, 1)] + `"` + pairs[i] + `":` + string(value)
	}
	return text
}
