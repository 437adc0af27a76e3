package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

// The servers that the tests talk to; `cargo xtask test --only go` names them.
var (
	exampleServer  = os.Getenv("MCP_EXAMPLE_SERVER")
	scriptedServer = os.Getenv("MCP_SCRIPTED_SERVER")
)

// How long something that must happen may take on a busy machine.
const patience = 60 * time.Second

func TestMain(m *testing.M) {
	if address := os.Getenv(killedClientOf); address != "" {
		fmt.Fprintln(os.Stderr, beKilled(address))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func example(t testing.TB, arguments ...string) mcp.Config {
	t.Helper()
	if exampleServer == "" {
		t.Skip("MCP_EXAMPLE_SERVER names no server; run `cargo xtask test --only go`")
	}
	return mcp.Config{Command: exampleServer, Args: arguments}
}

func scripted(t testing.TB, arguments ...string) mcp.Config {
	t.Helper()
	if scriptedServer == "" {
		t.Skip("MCP_SCRIPTED_SERVER names no server; run `cargo xtask test --only go`")
	}
	return mcp.Config{Command: scriptedServer, Args: arguments}
}

// scaled is a load, divided by MCP_TEST_SCALE where everything is slow, but never below least.
func scaled(full, least int) int {
	scale, err := strconv.Atoi(os.Getenv("MCP_TEST_SCALE"))
	if err != nil || scale < 1 {
		scale = 1
	}
	return max(full/scale, least)
}

// open makes a client that is closed at the end of the test.
func open(t testing.TB, config mcp.Config, options ...mcp.Option) *mcp.Client {
	t.Helper()
	client, err := mcp.New(config, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return client
}

// within is a context that ends when the test should long be over.
func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func callText(t testing.TB, client *mcp.Client, tool string, arguments any) string {
	t.Helper()
	result, err := client.CallTool(within(t), tool, arguments)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return result.Text()
}

// until waits for a condition, looking again every few milliseconds.
func until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !condition(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("did not happen in %v: %s", patience, what)
		}
	}
}

func receive[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(patience):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

// statusLine is a number in /proc/self/status, such as that of "Threads" or "VmRSS" (in kB).
func statusLine(t testing.TB, name string) int {
	t.Helper()
	file, err := os.Open("/proc/self/status")
	if err != nil {
		t.Skip("no /proc here")
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), name+":"); ok {
			number, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return number
		}
	}
	t.Fatalf("/proc/self/status has no %s", name)
	return 0
}

// children are the processes that this one has started and that have not been reaped.
func children(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
	if err != nil {
		t.Skip("no list of children in /proc")
	}
	return strings.Fields(string(text))
}

func goroutines() int {
	runtime.GC()
	return runtime.NumGoroutine()
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }

// able are capabilities by their names, for handlers that are registered by their methods.
func able(names ...string) *mcp.ClientCapabilities {
	var all mcp.ClientCapabilities
	for _, name := range names {
		switch name {
		case "elicitation":
			all.Elicitation = &mcp.ClientCapabilitiesElicitation{}
		case "sampling":
			all.Sampling = &mcp.ClientCapabilitiesSampling{}
		}
	}
	return &all
}

func textOf(block mcp.ContentBlock) string {
	if text, ok := block.(*mcp.TextContent); ok {
		return text.Text
	}
	return ""
}
