package cli

import (
	"io"
	"os"

	"tamp/cmd/tamp/audit"
)

// System is what a command uses of the machine.
type System struct {
	In            io.Reader
	Out, Problems io.Writer
	Home          string   // the user's folder
	Env           []string // "NAME=value"
	IsTerminal    func(io.Writer) bool
}

// variable returns the value of a variable of the environment, "" if there is none.
func (s *System) variable(name string) string { return audit.Variable(s.Env, name) }

// ThisSystem is the machine that the program runs on.
func ThisSystem() System {
	home, _ := os.UserHomeDir() // without one, agents have no folders
	return System{os.Stdin, os.Stdout, os.Stderr, home, os.Environ(), func(w io.Writer) bool {
		file, is := w.(*os.File)
		if !is {
			return false
		}
		info, err := file.Stat()
		return err == nil && info.Mode()&os.ModeCharDevice != 0
	}}
}
