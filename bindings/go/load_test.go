package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

// each runs a function on that many goroutines at a time and waits for all.
func each(goroutines int, do func(number int)) {
	var all sync.WaitGroup
	for number := range goroutines {
		all.Add(1)
		go func() {
			defer all.Done()
			do(number)
		}()
	}
	all.Wait()
}

func TestAThousandGoroutinesCallAtOnce(t *testing.T) {
	for _, shared := range []bool{false, true} {
		client := openOn(t, shared, scripted(t))
		callers, rounds := scaled(1000, 200), 5
		callText(t, client, "echo", map[string]string{"text": "first"})
		before := statusLine(t, "Threads")
		var most atomic.Int64
		each(callers, func(number int) {
			for round := range rounds {
				text := fmt.Sprintf("%d of %d", round, number)
				result, err := client.CallTool(within(t), "echo", map[string]string{"text": text})
				if err != nil {
					t.Error(err)
				} else if result.Text() != text {
					t.Errorf("%q for %q", result.Text(), text)
				}
			}
			if number%100 == 0 {
				most.Store(max(most.Load(), int64(statusLine(t, "Threads"))))
			}
		})
		// A thread for each processor that makes calls, and some that the runtime keeps.
		if bound := before + 2*runtime.GOMAXPROCS(0) + 8; int(most.Load()) > bound {
			t.Errorf("%d threads before, %d with %d goroutines", before, most.Load(), callers)
		}
		t.Logf("shared %v: %d goroutines, threads %d before and at most %d", shared, callers, before, most.Load())
	}
}

func TestAKilledServerEndsEachCallOnce(t *testing.T) {
	for _, shared := range []bool{false, true} {
		client := openOn(t, shared, scripted(t))
		if err := client.Connect(within(t)); err != nil {
			t.Fatal(err)
		}
		info, err := client.Info()
		if err != nil {
			t.Fatal(err)
		}
		callers := 1000
		var fine, lost, late atomic.Int64
		killed := make(chan error, 1)
		go func() {
			// In the middle: half of the calls are never answered, and the others are being answered or have yet to begin.
			until(t, "a quarter of the calls is under way", func() bool {
				info, err := client.Info()
				return err == nil && info.PendingCalls >= callers/4
			})
			killed <- syscall.Kill(info.PID, syscall.SIGKILL)
		}()
		each(callers, func(number int) {
			tool := "hang"
			if number%2 == 1 {
				tool = "echo"
			}
			result, err := client.CallTool(within(t), tool, map[string]string{"text": strconv.Itoa(number)})
			switch {
			case err == nil && tool == "echo" && result.Text() == strconv.Itoa(number):
				fine.Add(1)
			case errors.Is(err, mcp.StatusTransport):
				lost.Add(1)
			case errors.Is(err, mcp.StatusUnavailable):
				late.Add(1) // It began after the kill.
			default:
				t.Errorf("call %d: %v, %v", number, result, err)
			}
		})
		if err := receive(t, killed); err != nil {
			t.Fatal(err)
		}
		if all := fine.Load() + lost.Load() + late.Load(); all != int64(callers) || lost.Load() < int64(callers/8) {
			t.Fatalf("%d ends of %d calls: %d results, %d lost, %d too late", all, callers, fine.Load(), lost.Load(), late.Load())
		}
		after, err := client.Info()
		if err != nil || after.PendingCalls != 0 {
			t.Fatalf("%d calls are left, %v", after.PendingCalls, err)
		}
		t.Logf("shared %v: %d results, %d lost, %d too late", shared, fine.Load(), lost.Load(), late.Load())
	}
}

func TestMemoryIsFlatAfterManyCalls(t *testing.T) {
	client := open(t, scripted(t))
	round := scaled(50_000, 2_500)
	callers := 16
	arguments := map[string]string{"text": fmt.Sprintf("%064d", 7)}
	run := func() {
		each(callers, func(int) {
			for range round / callers {
				if _, err := client.CallTool(context.Background(), "echo", arguments); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	look := func() (resident int, heap uint64, running int) {
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		return statusLine(t, "VmRSS"), memory.HeapAlloc, runtime.NumGoroutine()
	}
	run()
	resident, heap, running := look()
	run()
	run()
	residentAfter, heapAfter, runningAfter := look()
	t.Logf("after %d calls: resident %d kB, heap %d B, %d goroutines; after %d: %d kB, %d B, %d",
		round, resident, heap, running, 3*round, residentAfter, heapAfter, runningAfter)
	if !underRace && residentAfter > resident+4096 {
		t.Error("the process grew")
	}
	if heapAfter > heap+(1<<20) || runningAfter > running {
		t.Error("the heap grew")
	}
}

func TestCancellingAndAnsweringMayRace(t *testing.T) {
	client := open(t, scripted(t))
	callText(t, client, "echo", map[string]string{"text": "first"})
	var results, cancelled atomic.Int64
	each(scaled(1000, 200), func(number int) {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		result, err := client.CallTool(ctx, "echo", map[string]string{"text": "x"})
		switch {
		case err == nil && result.Text() == "x":
			results.Add(1)
		case errors.Is(err, context.Canceled) && errors.Is(err, mcp.StatusCancelled):
			cancelled.Add(1)
		default:
			t.Errorf("%v, %v", result, err)
		}
	})
	t.Logf("%d results, %d cancelled", results.Load(), cancelled.Load())
	if said := callText(t, client, "echo", map[string]string{"text": "on"}); said != "on" {
		t.Fatal(said)
	}
}
