package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	mcp "github.com/libmcp/libmcp-go"
)

type numbers struct {
	A int `json:"a" jsonschema:"the first number"`
	B int `json:"b" jsonschema:"the second number"`
}

type result struct {
	Sum int `json:"sum"`
}

func newAdder() *mcp.Server {
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "adder"})
	if err != nil {
		log.Fatal(err)
	}
	err = mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "Adds two numbers"},
		func(_ context.Context, _ *mcp.Request, in numbers) (result, error) { return result{in.A + in.B}, nil })
	if err != nil {
		log.Fatal(err)
	}
	return server
}

func ExampleAddTool() {
	server := newAdder()
	defer server.Close()
	client, err := mcp.NewInProcess(server, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	sum, err := mcp.CallToolAs[result](context.Background(), client, "add", numbers{2, 3})
	fmt.Println(sum.Sum, err)
	// Output: 5 <nil>
}

func ExampleClient_Tools() {
	server := newAdder()
	defer server.Close()
	client, err := mcp.NewInProcess(server, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for tool, err := range client.Tools(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s\n", tool.Name, tool.Description)
	}
	// Output: add: Adds two numbers
}

func ExampleElicitAs() {
	server := newAdder()
	defer server.Close()
	type answer struct {
		Name string `json:"name" jsonschema:"your name"`
	}
	_ = mcp.AddTool(server, &mcp.Tool{Name: "greet"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		person, err := mcp.ElicitAs[answer](r, "name", "Who are you?")
		if errors.Is(err, mcp.ErrDeclined) {
			return "Hello, stranger!", nil
		}
		if err != nil {
			return "", err // ErrAsked at first: the handler runs again with the answer.
		}
		return "Hello, " + person.Name + "!", nil
	})
	client, err := mcp.NewInProcess(server, nil, mcp.OnElicitation(
		func(_ context.Context, params *mcp.ElicitRequestParams) (*mcp.ElicitResult, error) {
			fmt.Println(params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		}))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	said, err := mcp.CallToolAs[string](context.Background(), client, "greet", nil)
	fmt.Println(said, err)
	// Output:
	// Who are you?
	// Hello, Ada! <nil>
}

func ExampleOnServerFailure() {
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "careless"}, mcp.OnServerFailure(func(failure mcp.HandlerFailure) {
		fmt.Println("the program learns:", failure.Err)
	}))
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	_ = mcp.AddTool(server, &mcp.Tool{Name: "read"}, func(context.Context, *mcp.Request, struct{}) (string, error) {
		return "", errors.New("no such table: secrets")
	})
	client, err := mcp.NewInProcess(server, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	result, err := client.CallTool(context.Background(), "read", nil)
	fmt.Println("the client reads:", result.Text(), err)
	// Output:
	// the program learns: no such table: secrets
	// the client reads: The tool failed. <nil>
}

func ExamplePages() {
	server := newAdder()
	defer server.Close()
	client, err := mcp.NewInProcess(server, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	for page, err := range mcp.Pages(ctx, client.ToolsPage) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d tools, next page at %q\n", len(page.Items), page.NextCursor)
	}
	// Output: 1 tools, next page at ""
}
