// Calls tools of two servers through generated functions: live EXAMPLE [EVERYTHING…].
package main

import (
	"context"
	"fmt"
	"os"

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
	client := must(mcp.New(map[string]any{"command": os.Args[1]}))
	defer client.Close()
	fmt.Println("add", must(example.Add(ctx, client, example.AddArguments{A: 1.5, B: 2})).Sum)
	fmt.Println("echo", must(example.Echo(ctx, client, example.EchoArguments{Text: "Hello"})).Text())
	_, err := example.Fail(ctx, client)
	fmt.Println("fail", err)
	other := must(mcp.New(map[string]any{"command": os.Args[2], "args": os.Args[3:]}))
	defer other.Close()
	fmt.Println("everything", must(everything.Echo(ctx, other, everything.EchoArguments{Message: "Hello"})).Text())
}
