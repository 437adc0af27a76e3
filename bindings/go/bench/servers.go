package main

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	mcp "github.com/libmcp/libmcp-go"
)

// echoed is what the tool of both servers takes.
type echoed struct {
	Text string `json:"text"`
}

// servers are the servers that this program can be, by the name that the variable MCP_BENCH_SERVER has: each has one tool, which echoes.
var servers = map[string]func(context.Context) error{
	"libmcp": func(ctx context.Context) error {
		server, err := mcp.NewServer(mcp.ServerConfig{Name: "bench", Version: "0"})
		if err != nil {
			return err
		}
		mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Says it again"},
			func(_ context.Context, _ *mcp.Request, in echoed) (string, error) { return in.Text, nil })
		return server.ServeStdio(ctx)
	},
	"go-sdk": func(ctx context.Context) error {
		server := sdk.NewServer(&sdk.Implementation{Name: "bench", Version: "0"}, nil)
		sdk.AddTool(server, &sdk.Tool{Name: "echo", Description: "Says it again"},
			func(_ context.Context, _ *sdk.CallToolRequest, in echoed) (*sdk.CallToolResult, any, error) {
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: in.Text}}}, nil, nil
			})
		return server.Run(ctx, &sdk.StdioTransport{})
	},
}

// serve is this program as one of them.
func serve(name string) error {
	run, ok := servers[name]
	if !ok {
		return fmt.Errorf("%s: there is no server %q; it takes libmcp or go-sdk", role, name)
	}
	return run(context.Background())
}
