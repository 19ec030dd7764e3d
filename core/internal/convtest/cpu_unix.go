//go:build unix

package convtest

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that the process has used, which other programs do not lengthen.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
