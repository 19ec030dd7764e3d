package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Figures: figures.json has the rows of the last whole run of each table, and is the only place where a figure is
// written by hand or by a program. The pages have their tables from it, between the lines "<!-- figures: NAME -->" and
// "<!-- /figures -->".

const figuresFile = "figures.json"

// figurePages are the pages with figures, in the root of the repository.
var figurePages = []string{"../../../README.md", "../../../docs/measurements.md"}

// figureTable is one table of figures.json.
type figureTable struct {
	Date    string     `json:"date"` // of the run, and where it is not of make measures, how
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// recorded has the tables of this run, by name.
var recorded = map[string]*figureTable{}

// record keeps one row of a table for figures.json. The columns are separated by commas; the first column of every
// table, the half of the sessions, is added.
func record(name, columns string, cells ...any) {
	table := recorded[name]
	if table == nil {
		table = &figureTable{Columns: append([]string{"sessions"}, strings.Split(columns, ",")...)}
		recorded[name] = table
	}
	row := []string{"all"}
	if onlyHalf != "" {
		row[0] = "half " + onlyHalf
	}
	for _, c := range cells {
		row = append(row, fmt.Sprint(c))
	}
	table.Rows = append(table.Rows, row)
}

// costOf is a share in permille as the pages show it: .732.
func costOf(permille int) string { return strings.TrimPrefix(ratio(permille), "0") }

// percent is a share in permille as the pages show it: 3.4 %.
func percent(permille int) string { return fmt.Sprintf("%d.%d %%", permille/10, permille%10) }

// thousands is a number of tokens as the pages show it: 200,000.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

func readFigures(t *testing.T) map[string]*figureTable {
	data, err := os.ReadFile(figuresFile)
	require.NoError(t, err)
	var all map[string]*figureTable
	require.NoError(t, json.Unmarshal(data, &all))
	return all
}

// writeFigures puts the tables of this run, of that date, in the place of the older ones.
func writeFigures(t *testing.T, date string) {
	all := readFigures(t)
	for name, table := range recorded {
		table.Date = date
		all[name] = table
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(all))
	// One row of a table is one line.
	rows := regexp.MustCompile(`\[\n\s+("[^\]]*")\n\s+\]`).ReplaceAllFunc(out.Bytes(), func(row []byte) []byte {
		return regexp.MustCompile(`\s*\n\s+`).ReplaceAll(row, nil)
	})
	require.NoError(t, os.WriteFile(figuresFile, bytes.ReplaceAll(rows, []byte(`","`), []byte(`", "`)), 0o644))
}

// figures is a part of a page that has figures: the table of all sessions, the one with their halves, or a sentence.
var figures = regexp.MustCompile(`(?s)(<!-- figures: (\w+)( with halves| in a sentence)? -->\n).*?(<!-- /figures -->)`)

// withFigures is a page with its parts written from the figures.
func withFigures(t *testing.T, page string, all map[string]*figureTable) string {
	return figures.ReplaceAllStringFunc(page, func(part string) string {
		m := figures.FindStringSubmatch(part)
		table := all[m[2]]
		require.NotNil(t, table, "%s is no table of %s", m[2], figuresFile)
		if m[3] == " in a sentence" {
			return m[1] + recallSentence(t, table) + m[4]
		}
		return m[1] + "\n" + table.markdown(m[3] != "") + "\n" + m[4]
	})
}

// recallSentence is the sentence of the README.
func recallSentence(t *testing.T, table *figureTable) string {
	for _, row := range table.Rows {
		if strings.Join(row[:3], " ") == "all 20.0 % all" {
			whole := func(cell string) string {
				var permille int
				_, err := fmt.Sscan(strings.NewReplacer(".", "", " %", "").Replace(cell), &permille)
				require.NoError(t, err)
				return fmt.Sprint((permille + 5) / 10)
			}
			return fmt.Sprintf("On %s cuts of real sessions, asked for a fifth of the tokens (%s %% were reached on average), "+
				"%s %% of the paths, names and numbers\nthat the agent used next were still there, and %s %% with words from the "+
				"line in which they occurred ([docs/measurements.md](docs/measurements.md)).\n",
				row[3], whole(row[4]), whole(row[5]), whole(row[6]))
		}
	}
	t.Fatal("no row for a fifth of the tokens")
	return ""
}

// markdown is the table of a page, with its date below.
func (f *figureTable) markdown(halves bool) string {
	from := 1
	if halves {
		from = 0
	}
	line := func(cells []string) string { return "| " + strings.Join(cells[from:], " | ") + " |\n" }
	out := line(f.Columns) + line(slices.Repeat([]string{"---"}, len(f.Columns)))
	for _, row := range f.Rows {
		if halves || row[0] == "all" {
			out += line(row)
		}
	}
	return out + "\n" + f.Date + "\n"
}

func TestPagesHaveTheFigures(t *testing.T) {
	all, used := readFigures(t), ""
	for _, file := range figurePages {
		page, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, withFigures(t, string(page), all), string(page),
			"%s differs from %s: run make measures MEASURE=pages", file, figuresFile)
		used += string(page)
	}
	for name := range all {
		require.Regexp(t, "<!-- figures: "+name+"( with halves)? -->\n", used, "no page shows a table of "+figuresFile)
	}
}

// writePages writes the tables of figures.json into the pages.
func writePages(t *testing.T) {
	all := readFigures(t)
	for _, file := range figurePages {
		page, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte(withFigures(t, string(page), all)), 0o644))
	}
}
