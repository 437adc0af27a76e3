// A server for the attacks of bindings/python/tests/attacks.py, the library's own or with the argument host inside net/http. It says its URL,
// and ends with its input.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

type who struct {
	Name string `json:"name"`
}

type nothing struct{}

func add[In any](server *mcp.Server, name string, work func(context.Context, In) (string, error)) {
	mcp.AddTool(server, &mcp.Tool{Name: name}, func(ctx context.Context, _ *mcp.Request, in In) (string, error) { return work(ctx, in) })
}

func after(ctx context.Context, wait time.Duration, said string) (string, error) {
	select {
	case <-time.After(wait):
		return said, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func run() error {
	// What the tool fail returns is told there.
	slog.SetDefault(slog.New(slog.DiscardHandler))
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "attacked", Version: "1", Limits: &mcp.ServerLimits{FrameBytes: 16 << 20}})
	if err != nil {
		return err
	}
	var mutex sync.Mutex
	var kept [][]byte
	add(server, "hello", func(_ context.Context, in who) (string, error) { return "Hello, " + in.Name + "!", nil })
	add(server, "fail", func(context.Context, nothing) (string, error) { return "", errors.New("a secret") })
	add(server, "hang", func(ctx context.Context, _ nothing) (string, error) { return after(ctx, 30*time.Second, "late") })
	add(server, "slow", func(ctx context.Context, _ nothing) (string, error) { return after(ctx, time.Second/2, "slow") })
	add(server, "keep", func(context.Context, nothing) (string, error) {
		mutex.Lock()
		defer mutex.Unlock()
		kept = append(kept, make([]byte, 1<<20))
		return "kept", nil
	})
	add(server, "noise", func(context.Context, nothing) (string, error) {
		fmt.Println("noise")
		return "quiet", nil
	})
	if len(os.Args) > 1 && os.Args[1] == "host" {
		return inside(server)
	}
	served, err := server.Serve(mcp.Endpoint{URL: "http://127.0.0.1:0/mcp"})
	if err != nil {
		return err
	}
	fmt.Println(served.URL)
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return server.Close()
}

func inside(server *mcp.Server) error {
	handler, err := server.Handler("")
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	router := http.NewServeMux()
	router.Handle("/mcp", handler)
	host := &http.Server{Handler: router}
	ended := make(chan error, 1)
	go func() { ended <- host.Serve(listener) }()
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	if err := errors.Join(server.Close(), host.Close()); err != nil {
		return err
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
