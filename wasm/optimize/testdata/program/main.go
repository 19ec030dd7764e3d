// Command program exercises control flow and prints what it computes. A test runs it as wasm, rewritten and not.
package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	for _, section := range []struct {
		name string
		run  func() string
	}{
		{"loops", loops}, {"goto", irreducible}, {"panics", panics}, {"defers", defers}, {"goroutines", goroutines},
		{"unwinding", unwinding}, {"select", selects}, {"deep stack", deepStack},
		{"maps", maps}, {"text", text}, {"floats", floats}, {"recover", recovers}, {"reflection", reflection},
		{"garbage", garbage},
	} {
		fmt.Printf("%s: %s\n", section.name, section.run())
	}
	defer os.Exit(3)
	defer fmt.Println("deferred before exit")
}

// loops nests loops with labeled branches.
func loops() string {
	var sum, steps int
outer:
	for i := range 60 {
		for j := 0; ; j++ {
			switch {
			case j > i:
				continue outer
			case i*j%17 == 5:
				continue
			case i+j > 90:
				break outer
			}
			for k := i; k > 0; k /= 2 {
				sum += k ^ j
				steps++
			}
		}
	}
	return fmt.Sprint(sum, " ", steps)
}

// irreducible has a loop with two entries.
func irreducible() string {
	n, path := 0, ""
	if len(os.Args) > 5 {
		goto second
	}
first:
	path += "a"
	n++
second:
	path += "b"
	if n++; n < 9 {
		goto first
	}
	if n < 12 {
		goto second
	}
	return path
}

// panics recovers from what the compiler checks.
func panics() string {
	var list []int
	var table map[string]int
	var pointer *struct{ field [4]int }
	var value any = "text"
	zero := len(list)
	var out []string
	for _, f := range []func(){
		func() { list[zero] = 1 },
		func() { table["key"] = 1 },
		func() { pointer.field[2]++ },
		func() { fmt.Print(1 / zero) },
		func() { fmt.Print(value.(int)) },
		func() { fmt.Print(list[1:zero]) },
		func() { fmt.Print(make([]int, zero-1)) },
		func() { panic(errors.New("own")) },
		func() { value = (*celsius)(nil); fmt.Print(value.(fmt.Stringer).String()) },
	} {
		func() {
			defer func() { out = append(out, fmt.Sprint(recover())) }()
			f()
		}()
	}
	return strings.Join(out, "; ")
}

// defers returns through deferred calls, with named results and a loop.
func defers() string {
	run := func(n int) (result int, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("recovered %v", r)
			}
		}()
		for i := range n {
			defer func() { result = result*3 + i }()
			if i == 6 {
				panic(i)
			}
		}
		return n, nil
	}
	a, errA := run(5)
	b, errB := run(10)
	return fmt.Sprint(a, errA, b, errB)
}

// goroutines pass numbers through a chain of channels, without buffers.
func goroutines() string {
	first := make(chan int)
	in := first
	for stage := range 20 {
		out := make(chan int)
		go func(in <-chan int, out chan<- int) {
			defer close(out)
			for v := range in {
				if v%7 != stage%7 {
					out <- v*3 + stage
				}
			}
		}(in, out)
		in = out
	}
	go func() {
		for i := range 200 {
			first <- i
		}
		close(first)
	}()
	sum, count := 0, 0
	for v := range in {
		sum = (sum*31 + v) % 1_000_003
		count++
	}
	return fmt.Sprint(sum, " ", count)
}

// unwinding resumes goroutines inside of nested loops.
func unwinding() string {
	var group sync.WaitGroup
	results := make([]int, 5)
	turn := make(chan struct{}, 1)
	for g := range results {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range 10 {
				for j := range 10 {
					if (i+j+g)%3 == 0 {
						turn <- struct{}{}
						for range 3 {
							time.Sleep(time.Microsecond)
							results[g] += i * j
						}
						<-turn
					}
					results[g]++
				}
			}
		}()
	}
	group.Wait()
	return fmt.Sprint(results)
}

func selects() string {
	a, b, done := make(chan int), make(chan string), make(chan struct{})
	go func() {
		for i := range 30 {
			if i%2 == 0 {
				a <- i
			} else {
				b <- strconv.Itoa(i)
			}
		}
		close(done)
	}()
	var out []string
	for {
		select {
		case v := <-a:
			out = append(out, fmt.Sprint(v*v))
		case s := <-b:
			out = append(out, s+s)
		case <-done:
			return strings.Join(out, " ")
		}
	}
}

// deepStack moves the stack several times. 20,000 levels needed up to 95 % of the 984 KB of native stack that Node
// allows, and did not run on every machine.
func deepStack() string {
	var down func(n int, seed [8]int) int
	down = func(n int, seed [8]int) int {
		if n == 0 {
			return seed[0]
		}
		seed[n%8] += n
		seed[0] ^= seed[n%8]
		return down(n-1, seed) + seed[n%8]%2
	}
	result := make(chan int)
	go func() { result <- down(2_000, [8]int{}) }()
	return fmt.Sprint(<-result)
}

func maps() string {
	counts := map[string]int{}
	for i := range 5000 {
		counts[strconv.Itoa(i*i%997)] += i
		if i%11 == 0 {
			delete(counts, strconv.Itoa(i%997))
		}
	}
	keys := make([]string, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	hash := 0
	for _, key := range keys {
		hash = (hash*31 + counts[key]) % 1_000_003
	}
	return fmt.Sprint(len(keys), " ", hash)
}

func text() string {
	line := strings.Repeat("Über die Wälder, tief und still; ", 4)
	words := strings.FieldsFunc(line, func(r rune) bool { return r < 'A' })
	slices.SortStableFunc(words, func(a, b string) int { return len(a) - len(b) })
	return fmt.Sprintf("%s %q %08.3f %x %v", strings.ToUpper(strings.Join(words, "|")), "\x00é", 3.14159, "hex", words[:2])
}

func floats() string {
	x, steps := 2.0, 0
	for ; steps < 1000 && x*x-2 > 1e-12; steps++ {
		x = (x + 2/x) / 2
	}
	return fmt.Sprint(x, steps, int64(-x*1e6), uint8(int(x*1000)))
}

// celsius has a method that the compiler wraps for pointers.
type celsius int

func (c celsius) String() string { return strconv.Itoa(int(c)) + " degrees" }

// recovers calls recover at several depths: only a function that was deferred itself recovers, inlined or not.
func recovers() string {
	attempt := func(name string, deferred func()) (result string) {
		defer func() {
			if r := recover(); r != nil {
				result = fmt.Sprint(name, " passed ", r)
			}
		}()
		defer deferred()
		panic("on")
	}
	direct := func() { recover() }
	return strings.Join([]string{
		attempt("direct", direct), attempt("nested", func() { direct() }), attempt("named", recoverHere),
		attempt("through", through), attempt("method", celsius(5).recover),
	}, "; ")
}

func recoverHere() { _ = recover() }

func through() { recoverHere() }

func (c celsius) recover() { _ = recover() }

// reflection collects garbage inside of functions that reflect made, whose arguments only it knows.
func reflection() string {
	var swap func(a, b *int, rest string) (*int, *int, string)
	swapped := reflect.MakeFunc(reflect.TypeOf(swap), func(args []reflect.Value) []reflect.Value {
		fill := make([][]int, 0, 100)
		for i := range 100 {
			fill = append(fill, make([]int, 100+i))
		}
		runtime.GC()
		return []reflect.Value{args[1], args[0], reflect.ValueOf(args[2].String() + strconv.Itoa(len(fill)))}
	})
	reflect.ValueOf(&swap).Elem().Set(swapped)
	one, two := new(int), new(int)
	*one, *two = 1, 2
	a, b, text := swap(one, two, "of ")
	bound := reflect.ValueOf(celsius(7)).MethodByName("String").Interface().(func() string)
	runtime.GC()
	return fmt.Sprint(*a, *b, text, bound())
}

// garbage allocates 400 MB, of which little is in use at any time, and reports whether memory stayed small: goroutines
// of the runtime must run for that.
func garbage() string {
	var kept [64][]int
	for i := range 100_000 {
		kept[i%len(kept)] = make([]int, 500)
		if i%5_000 == 0 {
			runtime.GC() // on a busy machine the collector in the background may not keep up
		}
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return fmt.Sprint(len(kept), " ", stats.Sys < 100<<20)
}
