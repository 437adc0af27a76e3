package mcp_test

import (
	"context"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

// How many goroutines connect and close at one time. Go's runtime makes a thread for each that the machine did not let finish a call
// into C at once, and never ends it: with one goroutine for each client their number would be the machine's, not the binding's.
const goroutinesInC = 8

// How many threads more than before are the runtime's own: those above, and its helpers. If each client held one there would be 40 at least.
const spareThreads = 3 * goroutinesInC

// Waiting is the network poller's: neither a client nor a call that is under way holds a thread, and a close gives its back.
func TestManyClientsHoldNoThreads(t *testing.T) {
	count := scaled(200, 40)
	// What runs on its own thread for a moment must have run once, for Go to have made its helpers.
	helped, err := mcp.New(scripted(t))
	must(t, err)
	must(t, helped.Connect(within(t)))
	must(t, helped.Close())
	must(t, open(t, scripted(t)).Connect(within(t)))
	runtime.GC()
	before, files := statusLine(t, "Threads"), descriptors(t)
	defer func() {
		if t.Failed() {
			t.Logf("%d threads before, %d now", before, statusLine(t, "Threads"))
		}
	}()

	clients := make([]*mcp.Client, count)
	fewAtATime(count, func(number int) {
		client, err := mcp.New(scripted(t))
		if err != nil {
			t.Error(err)
			return
		}
		clients[number] = client
		if err := client.Connect(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if t.Failed() {
		return
	}
	// One call of each is never answered. They start in turn: of goroutines that are in C at one time each has a thread.
	var calls sync.WaitGroup
	for _, client := range clients {
		calls.Add(1)
		go func() {
			defer calls.Done()
			_, _ = client.CallTool(context.Background(), "hang", nil)
		}()
		until(t, "the call is under way", func() bool {
			info, err := client.Info()
			return err == nil && info.PendingCalls == 1
		})
	}
	open := 0
	until(t, "the threads that connected are gone", func() bool {
		open = statusLine(t, "Threads")
		return open <= before+spareThreads
	})

	fewAtATime(count, func(number int) {
		if err := clients[number].Close(); err != nil {
			t.Error(err)
		}
	})
	calls.Wait()
	after := 0
	until(t, "the threads that closed are gone", func() bool {
		after = statusLine(t, "Threads")
		return after <= before+spareThreads
	})
	until(t, "the descriptors are closed", func() bool { return descriptors(t) <= files })
	t.Logf("%d threads before, %d with %d clients, %d after all were closed", before, open, count, after)
}

// fewAtATime does it for each number below count, a few of them at one time.
func fewAtATime(count int, do func(number int)) {
	var next atomic.Int64
	each(goroutinesInC, func(int) {
		for number := next.Add(1) - 1; number < int64(count); number = next.Add(1) - 1 {
			do(int(number))
		}
	})
}

// descriptors is how many descriptors the process has open.
func descriptors(t testing.TB) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc here")
	}
	return len(open)
}

// With one processor for Go, a wait inside C would take it from every other goroutine.
func TestOneProcessorIsEnough(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, shared := range []bool{false, true} {
		client := openOn(t, shared, scripted(t))
		callText(t, client, "echo", map[string]string{"text": "first"})
		each(16, func(int) {
			for range scaled(200, 20) {
				result, err := client.CallTool(within(t), "echo", map[string]string{"text": "x"})
				if err != nil || result.Text() != "x" {
					t.Error(result, err)
					return
				}
			}
		})
	}
}
