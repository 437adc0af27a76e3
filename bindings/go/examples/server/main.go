// Server offers three tools, a resource and a prompt, and asks its user one question.
//
//	server          over the standard streams, for the client that started it
//	server URL      over HTTP, inside an HTTP server of Go's: server http://127.0.0.1:8080/mcp
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

type addArguments struct {
	A int `json:"a" jsonschema:"the first number"`
	B int `json:"b" jsonschema:"the second number"`
}

type addResult struct {
	Sum int `json:"sum" jsonschema:"both together"`
}

type countArguments struct {
	Steps int `json:"steps" jsonschema:"how far to count, at most 1000"`
}

type orderArguments struct {
	Dish string `json:"dish" jsonschema:"what to order"`
}

type confirmation struct {
	Portions int    `json:"portions" jsonschema:"how many portions"`
	Note     string `json:"note,omitempty" jsonschema:"a wish for the kitchen"`
}

func newServer() (*mcp.Server, error) {
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "go-example-server", Version: "1.0"})
	if err != nil {
		return nil, err
	}
	// What cannot be added is an error of Serve, so these need no look of their own.
	mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "Adds two numbers"},
		func(_ context.Context, _ *mcp.Request, in addArguments) (addResult, error) {
			return addResult{in.A + in.B}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "count", Description: "Counts, and reports each step"},
		func(ctx context.Context, r *mcp.Request, in countArguments) (string, error) {
			if in.Steps < 1 || in.Steps > 1000 {
				return "", mcp.Failf("%d steps are not possible: ask for 1 to 1000", in.Steps)
			}
			for step := 1; step <= in.Steps; step++ {
				select {
				case <-time.After(time.Millisecond):
				case <-ctx.Done():
					return "", ctx.Err()
				}
				if err := r.Progress(float64(step), float64(in.Steps), fmt.Sprint("step ", step)); err != nil {
					return "", err
				}
			}
			return fmt.Sprintf("counted to %d", in.Steps), nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "order", Description: "Orders a dish, after the user has confirmed"},
		func(_ context.Context, r *mcp.Request, in orderArguments) (string, error) {
			form, err := mcp.ElicitAs[confirmation](r, "confirm", "How many portions of "+in.Dish+"?")
			if errors.Is(err, mcp.ErrDeclined) {
				return "nothing was ordered", nil
			}
			if err != nil {
				return "", err // At first this is ErrAsked: the handler runs again with the answer.
			}
			return fmt.Sprintf("ordered %d × %s", form.Portions, in.Dish), nil
		})
	server.AddResource(&mcp.Resource{Name: "menu", URI: "kitchen://menu", MimeType: "text/plain"},
		func(context.Context, *mcp.Request) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{MimeType: "text/plain", Text: "soup, salad, pie"}}}, nil
		})
	server.AddPrompt(&mcp.Prompt{Name: "recommend", Arguments: []mcp.PromptArgument{{Name: "mood", Required: true}}},
		func(_ context.Context, _ *mcp.Request, arguments map[string]string) (*mcp.GetPromptResult, error) {
			text := "Recommend a dish of kitchen://menu to someone who is " + arguments["mood"] + "."
			return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: "user", Content: mcp.Text(text)}}}, nil
		})
	return server, nil
}

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server, err := newServer()
	if err == nil && len(os.Args) > 1 {
		err = serveHTTP(ctx, server, os.Args[1])
	} else if err == nil {
		err = server.ServeStdio(ctx)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		log.Fatal(err)
	}
}

// serveHTTP mounts the server in an HTTP server of Go's, beside a page of the program.
func serveHTTP(ctx context.Context, server *mcp.Server, address string) error {
	where, err := url.Parse(address)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", where.Host)
	if err != nil {
		return err
	}
	where.Host = listener.Addr().String()
	handler, err := server.Handler(where.String())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	mux := http.NewServeMux()
	mux.Handle(where.Path, handler)
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "A page of the program.") })
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	fmt.Println("serving at", where)
	go func() {
		<-ctx.Done()
		// The library ends its event streams, so that Shutdown need not wait for them.
		_ = server.Close()
		_ = web.Shutdown(context.Background())
	}()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
