package convtest

import (
	"syscall/js"
	"time"
)

// CPUTime returns the processor time that the process has used, which other programs do not lengthen.
func CPUTime() time.Duration {
	used := js.Global().Get("process").Call("cpuUsage")
	return time.Duration(used.Get("user").Int()+used.Get("system").Int()) * time.Microsecond
}
