// A server with the Go SDK, as it comes: over HTTP, or over the standard streams with the argument stdio. With the argument load it is only
// made.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type arguments struct {
	Text string `json:"text"`
}

func echo(_ context.Context, _ *mcp.CallToolRequest, in arguments) (*mcp.CallToolResult, any, error) {
	return said(in.Text)
}

func said(text string) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
}

type name struct {
	Name string `json:"name"`
}

type number struct {
	N int `json:"n"`
}

type data struct {
	Data map[string]any `json:"data"`
}

type query struct {
	Query string `json:"query"`
	Delay int    `json:"delay_ms"`
}

func fibonacci(n int) int {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

// addPublished adds the tools of published benchmarks (benches/languages.py).
func addPublished(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{Name: "hello"}, func(_ context.Context, _ *mcp.CallToolRequest, in name) (*mcp.CallToolResult, any, error) {
		return said("Hello, " + in.Name + "!")
	})
	mcp.AddTool(server, &mcp.Tool{Name: "calculate_fibonacci"}, func(_ context.Context, _ *mcp.CallToolRequest, in number) (*mcp.CallToolResult, any, error) {
		return said(strconv.Itoa(fibonacci(in.N)))
	})
	mcp.AddTool(server, &mcp.Tool{Name: "process_json_data"}, func(_ context.Context, _ *mcp.CallToolRequest, in data) (*mcp.CallToolResult, map[string]any, error) {
		for key, value := range in.Data {
			if text, ok := value.(string); ok {
				in.Data[key] = strings.ToUpper(text)
			}
		}
		return nil, in.Data, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "simulate_database_query"}, func(ctx context.Context, _ *mcp.CallToolRequest, in query) (*mcp.CallToolResult, any, error) {
		select {
		case <-time.After(time.Duration(in.Delay) * time.Millisecond):
		case <-ctx.Done():
		}
		return said(in.Query)
	})
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "mcp-bench", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Says it again"}, echo)
	addPublished(server)
	if len(os.Args) > 1 && os.Args[1] == "load" {
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "stdio" {
		if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			log.Fatal(err)
		}
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	log.Fatal(http.Serve(listener, handler))
}
