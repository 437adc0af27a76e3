package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

// pair makes a server and a client of it, and calls a tool once.
func pair(t testing.TB) (*mcp.Server, *mcp.Client) {
	t.Helper()
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "pair"})
	must(t, err)
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "add"}, func(_ context.Context, _ *mcp.Request, in sum) (total, error) { return total{in.A + in.B}, nil }))
	client, err := mcp.NewInProcess(server, nil)
	must(t, err)
	if got, err := mcp.CallToolAs[total](within(t), client, "add", sum{2, 3}); err != nil || got.Sum != 5 {
		t.Fatal(got, err)
	}
	return server, client
}

func TestAThousandServersAndClientsLeaveNothing(t *testing.T) {
	round := func(count int) {
		for range count {
			server, client := pair(t)
			must(t, client.Close())
			must(t, server.Close())
		}
	}
	round(scaled(100, 20)) // What grows once and stays.
	threads, open, memory, before := statusLine(t, "Threads"), descriptors(t), statusLine(t, "VmRSS"), goroutines()
	round(scaled(1000, 50))
	until(t, "the goroutines of pollers and handlers have ended", func() bool { return goroutines() <= before })
	if now := descriptors(t); now > open {
		t.Errorf("%d descriptors, and %d before", now, open)
	}
	if now := statusLine(t, "Threads"); now > threads+4 {
		t.Errorf("%d threads, and %d before", now, threads)
	}
	// The race detector keeps a shadow of memory that grows by itself.
	if now := statusLine(t, "VmRSS"); !underRace && now > memory+16<<10 {
		t.Errorf("%d kB of memory, and %d before", now, memory)
	}
}

func TestForgottenServersAndClientsAreCollected(t *testing.T) {
	before, open := goroutines(), descriptors(t)
	ends := make(chan (<-chan struct{}), 100)
	for range 20 {
		server, client := pair(t)
		ends <- client.Done()
		ends <- server.Done()
	}
	close(ends)
	for end := range ends {
		until(t, "the collector finds it", func() bool {
			runtime.GC()
			select {
			case <-end:
				return true
			default:
				return false
			}
		})
	}
	until(t, "nothing is left", func() bool { return goroutines() <= before && descriptors(t) <= open })
}

// A server that is killed while 64 goroutines call it: each call ends once, and the client starts the server again.
func TestAServerIsKilledUnderLoad(t *testing.T) {
	config := example(t)
	config.Reconnect = mcp.With(mcp.Reconnect{Initial: 10 * time.Millisecond, Max: 50 * time.Millisecond})
	client := open(t, config)
	must(t, client.Connect(within(t)))
	for kill := range scaled(5, 2) {
		info, err := client.Info()
		must(t, err)
		var all sync.WaitGroup
		started := make(chan struct{}, 64)
		for i := range 64 {
			all.Add(1)
			go func() {
				defer all.Done()
				for call := range 20 {
					// What fails fails at the kill; that no call hangs is what this shows.
					_, _ = client.CallTool(within(t), "echo", map[string]string{"text": fmt.Sprint(i, call)})
					select {
					case started <- struct{}{}:
					default:
					}
				}
			}()
		}
		receive(t, started)
		if err := syscall.Kill(info.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		all.Wait()
		result, err := client.CallTool(within(t), "echo", map[string]string{"text": "again"}, mcp.WhenUnavailable("wait"))
		if err != nil || result.Text() != "again" {
			t.Fatalf("after kill %d: %+v, %v", kill, result, err)
		}
	}
}

// A client that is killed while its requests run: the contexts of the handlers end, and the server goes on.
func TestAClientIsGoneUnderLoad(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	started, ends := make(chan struct{}, 1000), make(chan error, 1000)
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
		started <- struct{}{}
		<-ctx.Done()
		ends <- ctx.Err()
		return "", ctx.Err()
	}))
	client := reach(t, server, "legacy")
	for range 64 {
		go func() { _, _ = client.CallTool(context.Background(), "wait", nil) }()
	}
	for range 64 {
		receive(t, started)
	}
	must(t, client.Close())
	for range 64 {
		receive(t, ends)
	}
	must(t, reach(t, server, "legacy").Ping(within(t)))
}

// More requests than the library gives in one look, and none comes later that would wake the goroutine that takes them.
func TestEachOfManyRequestsAtOnceIsTaken(t *testing.T) {
	for range scaled(20, 5) {
		server, err := mcp.NewServer(mcp.ServerConfig{Name: "many"})
		must(t, err)
		started := make(chan struct{}, 200)
		must(t, mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
			started <- struct{}{}
			<-ctx.Done()
			return "", ctx.Err()
		}))
		client := reach(t, server, "modern")
		must(t, client.Connect(within(t)))
		for range cap(started) {
			go func() { _, _ = client.CallTool(context.Background(), "wait", nil) }()
		}
		for range cap(started) {
			receive(t, started)
		}
		must(t, server.Close())
	}
}

// killedClientOf is the variable that makes a process of these tests a client of the address in it.
const killedClientOf = "MCP_TEST_KILLED_CLIENT_OF"

// beKilled calls until this process is killed: 64 calls that are never answered, and others one after another.
func beKilled(address string) error {
	client, err := mcp.New(mcp.Config{Socket: address})
	if err != nil {
		return err
	}
	each(80, func(number int) {
		tool := "wait"
		if number >= 64 {
			tool = "echo"
		}
		for {
			if _, err := client.CallTool(context.Background(), tool, nil); err != nil {
				return
			}
		}
	})
	return errors.New("the calls have ended, and the process is alive")
}

// The process of a client is killed while the server runs 64 requests of it: their contexts end, the server serves the next
// client, and nothing is left.
func TestAClientProcessIsKilledUnderLoad(t *testing.T) {
	server := offer(t, mcp.ServerConfig{})
	started, ends := make(chan struct{}, 64), make(chan error, 64)
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.Request, _ struct{}) (string, error) {
		started <- struct{}{}
		<-ctx.Done()
		ends <- ctx.Err()
		return "", ctx.Err()
	}))
	must(t, mcp.AddTool(server, &mcp.Tool{Name: "echo"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "echo", nil }))
	endpoint, err := server.Serve(mcp.Endpoint{Socket: fmt.Sprint("unix:", t.TempDir(), "/server")})
	must(t, err)
	next := func() {
		client, err := mcp.New(mcp.Config{Socket: endpoint.Socket})
		must(t, err)
		must(t, client.Ping(within(t)))
		must(t, client.Close())
	}
	killed := func() {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), killedClientOf+"="+endpoint.Socket)
		must(t, process.Start())
		for range 64 {
			receive(t, started)
		}
		must(t, process.Process.Kill())
		for range 64 {
			if err := receive(t, ends); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		if err := process.Wait(); err == nil || process.ProcessState.Exited() {
			t.Errorf("the client ended by itself: %v", process.ProcessState)
		}
		next()
	}
	// The poller of Go and that of the library begin with the first, and what grows once stays.
	killed()
	idle := func() bool {
		info, err := server.Info()
		return err == nil && info.Sessions == 0
	}
	until(t, "the first sessions have ended", idle)
	before, open, threads := goroutines(), descriptors(t), statusLine(t, "Threads")
	for range scaled(5, 2) {
		killed()
	}
	until(t, "the sessions have ended", idle)
	until(t, "nothing is left", func() bool { return goroutines() <= before && descriptors(t) <= open })
	if now := statusLine(t, "Threads"); now > threads+8 {
		t.Errorf("%d threads, and %d before", now, threads)
	}
}

// Who has only the client still has its server.
func TestAClientInProcessKeepsItsServer(t *testing.T) {
	client := func() *mcp.Client { _, client := pair(t); return client }()
	defer client.Close()
	for range 5 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	if got, err := mcp.CallToolAs[total](within(t), client, "add", sum{2, 3}); err != nil || got.Sum != 5 {
		t.Error(got, err)
	}
}
