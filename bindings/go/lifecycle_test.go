package mcp_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func TestCloseEndsTheServerAndLeavesNothing(t *testing.T) {
	before := goroutines()
	client := open(t, example(t))
	if err := client.Connect(within(t)); err != nil {
		t.Fatal(err)
	}
	info, err := client.Info()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := client.Close(); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	<-client.Done()
	if err := syscall.Kill(info.PID, 0); err != syscall.ESRCH {
		t.Fatalf("the server is still there: %v", err)
	}
	until(t, "the goroutines are gone", func() bool { return goroutines() <= before })

	if client.State() != mcp.StateClosed {
		t.Fatal(client.State())
	}
	_, err = client.CallTool(within(t), "echo", nil)
	_, infoErr := client.Info()
	for _, err := range []error{err, infoErr, client.Connect(within(t)), client.Notify(within(t), "x", nil)} {
		if !errors.Is(err, mcp.StatusClosed) {
			t.Error(err)
		}
	}
}

func TestCloseEndsCallsUnderWay(t *testing.T) {
	for _, shared := range []bool{false, true} {
		client := openOn(t, shared, scripted(t))
		if err := client.Connect(within(t)); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 20)
		for range cap(ended) {
			go func() {
				_, err := client.CallTool(context.Background(), "hang", nil)
				ended <- err
			}()
		}
		until(t, "all calls are under way", func() bool {
			info, err := client.Info()
			return err == nil && info.PendingCalls == cap(ended)
		})
		if err := client.Close(); err != nil {
			t.Fatal(err)
		}
		for range cap(ended) {
			if err := receive(t, ended); !errors.Is(err, mcp.StatusClosed) {
				t.Fatal(err)
			}
		}
	}
}

// openOn makes a client on a queue of its own, or on a shared one.
func openOn(t *testing.T, shared bool, config mcp.Config, options ...mcp.Option) *mcp.Client {
	t.Helper()
	if !shared {
		return open(t, config, options...)
	}
	queue, err := mcp.NewQueue(mcp.QueueConfig{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := queue.Close(); err != nil {
			t.Error("close of the queue:", err)
		}
	})
	client, err := queue.New(config, options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestCloseInACallsProgressIsNoDeadlock(t *testing.T) {
	client := open(t, example(t))
	_, err := client.CallTool(within(t), "slow", map[string]int{"ms": 20000, "steps": 1000},
		mcp.OnProgress(func(mcp.Progress) { client.Close() }))
	if !errors.Is(err, mcp.StatusClosed) {
		t.Fatal(err)
	}
}

func TestConnectEndsWithItsContextAndWithClose(t *testing.T) {
	client := open(t, scripted(t, "hang-on-initialize"))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := client.Connect(ctx); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, mcp.StatusTimeout) {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- client.Connect(context.Background()) }()
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	if err := receive(t, ended); !errors.Is(err, mcp.StatusClosed) {
		t.Fatal(err)
	}
}

func TestShutdownIsBoundedByItsContext(t *testing.T) {
	client := open(t, scripted(t, "ignore-eof", "ignore-term"))
	if err := client.Connect(within(t)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	// Either the kill was in time, or closing goes on behind.
	if err := client.Shutdown(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Fatalf("took %v", took)
	}
	select {
	case <-client.Done():
	case <-time.After(patience):
		t.Fatal("closing did not go on")
	}
}

func TestACommandThatDoesNotExistIsTold(t *testing.T) {
	client := open(t, mcp.Config{Command: "/no/such/server"})
	for _, err := range []error{client.Connect(within(t)), func() error {
		_, err := client.CallTool(within(t), "echo", nil)
		return err
	}()} {
		if err == nil || !strings.Contains(err.Error(), "/no/such/server") {
			t.Fatal(err)
		}
	}
}

func TestACrashEndsItsCallsAndTheServerComesBack(t *testing.T) {
	states := make(chan string, 100)
	config := example(t)
	config.Reconnect = mcp.With(mcp.Reconnect{Initial: 10 * time.Millisecond})
	client := open(t, config, mcp.OnState(func(s mcp.StateChange) { states <- s.State }))
	_, err := client.CallTool(within(t), "crash", map[string]int{"code": 3})
	var failed *mcp.Error
	if !errors.As(err, &failed) || failed.Status != mcp.StatusTransport || !strings.Contains(err.Error(), "3") {
		t.Fatal(err)
	}
	result, err := client.CallTool(within(t), "echo", map[string]string{"text": "back"}, mcp.WhenUnavailable("wait"))
	if err != nil || result.Text() != "back" {
		t.Fatal(result, err)
	}
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	var seen []string
	for state := ""; state != "closed"; seen = append(seen, state) {
		state = receive(t, states)
	}
	if all := strings.Join(seen, " "); !strings.Contains(all, "ready backoff starting") || !strings.HasSuffix(all, "closing closed") {
		t.Fatal(all)
	}
}

func TestAQueueServesManyClientsWithOneGoroutine(t *testing.T) {
	queue, err := mcp.NewQueue(mcp.QueueConfig{QueueMessages: 5000})
	if err != nil {
		t.Fatal(err)
	}
	before := goroutines()
	servers := scaled(20, 5)
	var clients []*mcp.Client
	for range servers {
		client, err := queue.New(example(t))
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, client)
	}
	pids := make(map[string]bool)
	for _, client := range clients {
		pids[callText(t, client, "pid", nil)] = true
	}
	if len(pids) != servers {
		t.Fatalf("%d servers for %d clients", len(pids), servers)
	}
	if now := goroutines(); now > before {
		t.Fatalf("%d goroutines before, %d with %d clients", before, now, servers)
	}
	if err := clients[0].Close(); err != nil {
		t.Fatal(err)
	}
	if err := queue.Close(); err != nil {
		t.Fatal(err)
	}
	if err := queue.Close(); err != nil {
		t.Fatal("a second close:", err)
	}
	for _, client := range clients {
		<-client.Done()
	}
	if left := children(t); len(left) != 0 {
		t.Fatalf("processes are left: %v", left)
	}
	if _, err := queue.New(example(t)); !errors.Is(err, mcp.StatusClosed) {
		t.Fatal(err)
	}
}

func TestAForgottenClientIsClosedByTheCollector(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	func() {
		client, err := mcp.New(scripted(t, "write-pid="+file))
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Connect(within(t)); err != nil {
			t.Fatal(err)
		}
	}()
	until(t, "the server has ended", func() bool {
		runtime.GC()
		return len(children(t)) == 0
	})
	if pids, err := os.ReadFile(file); err != nil || len(pids) == 0 {
		t.Fatal("the server never ran:", err)
	}
}

func TestAnMCPServersFileIsRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	t.Setenv("MCP_GO_TEST_SERVER", example(t).Command)
	text := `{"mcpServers": {"one": {"command": "${MCP_GO_TEST_SERVER}", "args": ["--era", "legacy"], "disabled": false}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "one"} {
		config, err := mcp.LoadConfig(file, name)
		if err != nil {
			t.Fatal(err)
		}
		client, err := mcp.New(config)
		if err != nil {
			t.Fatal(err)
		}
		if said := callText(t, client, "echo", map[string]string{"text": "x"}); said != "x" {
			t.Fatal(said)
		}
		if err := client.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := mcp.LoadConfig(file, "two"); !errors.Is(err, mcp.StatusInvalidArgument) || !strings.Contains(err.Error(), "two") {
		t.Fatal(err)
	}
}
