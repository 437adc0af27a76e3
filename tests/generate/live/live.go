// Calls tools of two servers through generated functions: live EXAMPLE EVERYTHING…; without arguments those of the broker at MCP_SOCKET.
package main

import (
	"context"
	"fmt"
	"os"

	"generated/chosen"
	"generated/everything"
	"generated/example"
	mcp "github.com/libmcp/libmcp-go"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func main() {
	ctx := context.Background()
	config := map[string]any{"socket": os.Getenv("MCP_SOCKET")}
	if len(os.Args) > 1 {
		config = map[string]any{"command": os.Args[1]}
	}
	client := must(mcp.New(config))
	defer client.Close()
	fmt.Println("add", must(example.Add(ctx, client, example.AddArguments{A: 1.5, B: 2})).Sum)
	fmt.Println("echo", must(example.Echo(ctx, client, example.EchoArguments{Text: "Hello"})).Text())
	fmt.Println("parsed", must(chosen.Parsed(ctx, client, chosen.ParsedArguments{Text: `{"n":7}`})).N)
	_, err := example.Fail(ctx, client)
	fmt.Println("fail", err)
	if len(os.Args) == 1 {
		return
	}
	other := must(mcp.New(map[string]any{"command": os.Args[2], "args": os.Args[3:]}))
	defer other.Close()
	fmt.Println("everything", must(everything.Echo(ctx, other, everything.EchoArguments{Message: "Hello"})).Text())
}
