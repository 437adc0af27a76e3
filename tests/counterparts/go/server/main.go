// Server is bindings/go/examples/server on the official SDK.
//
//	server          over the standard streams, for the client that started it
//	server URL      over HTTP, inside an HTTP server of Go's: server http://127.0.0.1:8080/mcp
package main

import (
	"context"
	"encoding/json"
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

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
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

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func newServer() (*mcp.Server, error) {
	form, err := jsonschema.For[confirmation](nil)
	if err != nil {
		return nil, err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "go-example-server", Version: "1.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "Adds two numbers"},
		func(_ context.Context, _ *mcp.CallToolRequest, in addArguments) (*mcp.CallToolResult, addResult, error) {
			return nil, addResult{in.A + in.B}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "count", Description: "Counts, and reports each step"},
		func(ctx context.Context, r *mcp.CallToolRequest, in countArguments) (*mcp.CallToolResult, any, error) {
			if in.Steps < 1 || in.Steps > 1000 {
				return nil, nil, fmt.Errorf("%d steps are not possible: ask for 1 to 1000", in.Steps)
			}
			token := r.Params.GetProgressToken()
			for step := 1; step <= in.Steps; step++ {
				select {
				case <-time.After(time.Millisecond):
				case <-ctx.Done():
					return nil, nil, ctx.Err()
				}
				if token == nil {
					continue
				}
				if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
					ProgressToken: token, Progress: float64(step), Total: float64(in.Steps), Message: fmt.Sprint("step ", step),
				}); err != nil {
					return nil, nil, err
				}
			}
			return said(fmt.Sprintf("counted to %d", in.Steps)), nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "order", Description: "Orders a dish, after the user has confirmed"},
		func(_ context.Context, r *mcp.CallToolRequest, in orderArguments) (*mcp.CallToolResult, any, error) {
			answer, isAnswered := r.Params.InputResponses["confirm"].(*mcp.ElicitResult)
			if !isAnswered { // The handler runs again with the answer.
				question := &mcp.ElicitParams{Message: "How many portions of " + in.Dish + "?", RequestedSchema: form}
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"confirm": question}}, nil, nil
			}
			if answer.Action != "accept" {
				return said("nothing was ordered"), nil, nil
			}
			text, err := json.Marshal(answer.Content)
			if err != nil {
				return nil, nil, err
			}
			var confirmed confirmation
			if err := json.Unmarshal(text, &confirmed); err != nil {
				return nil, nil, err
			}
			return said(fmt.Sprintf("ordered %d × %s", confirmed.Portions, in.Dish)), nil, nil
		})
	server.AddResource(&mcp.Resource{Name: "menu", URI: "kitchen://menu", MIMEType: "text/plain"},
		func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
				{URI: r.Params.URI, MIMEType: "text/plain", Text: "soup, salad, pie"},
			}}, nil
		})
	server.AddPrompt(&mcp.Prompt{Name: "recommend", Arguments: []*mcp.PromptArgument{{Name: "mood", Required: true}}},
		func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			text := "Recommend a dish of kitchen://menu to someone who is " + r.Params.Arguments["mood"] + "."
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}}}, nil
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
		err = server.Run(ctx, &mcp.StdioTransport{})
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
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	mux := http.NewServeMux()
	mux.Handle(where.Path, handler)
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "A page of the program.") })
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	fmt.Println("serving at", where)
	go func() {
		<-ctx.Done()
		for session := range server.Sessions() {
			_ = session.Close()
		}
		_ = web.Shutdown(context.Background())
	}()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
