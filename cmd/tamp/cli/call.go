package cli

import (
	"bytes"
	"encoding/json"
	"io"
)

// Exit codes.
const (
	done  = 0
	fault = 1 // the input has an error, or could not be read
	wrong = 2 // wrong usage
)

// usageError is a mistake on the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

// options are a command line that was read.
type options struct {
	name  string // of the command; "": there is none
	args  []string
	all   []option
	given map[string]string // the last value of each option
}

type option struct{ name, value string }

func (o *options) has(name string) bool { _, found := o.given[name]; return found }

// values returns all values of an option.
func (o *options) values(name string) (values []string) {
	for _, one := range o.all {
		if one.name == name {
			values = append(values, one.value)
		}
	}
	return values
}

// call is a command that runs.
type call struct {
	System
	options
}

// print writes a text and a line break to stdout.
func (c *call) print(text string) (code int, err error) {
	_, err = io.WriteString(c.Out, text+"\n")
	return done, err
}

// json writes a value to stdout.
func (c *call) json(value any) (code int, err error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return fault, err
	}
	_, err = c.Out.Write(out.Bytes())
	return done, err
}
