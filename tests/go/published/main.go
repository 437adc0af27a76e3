package main

import (
	"context"
	"fmt"
	"log"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "published"})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	greet := func(context.Context, *mcp.Request, struct{}) (string, error) { return "hello from " + mcp.Version(), nil }
	if err := mcp.AddTool(server, &mcp.Tool{Name: "greet"}, greet); err != nil {
		log.Fatal(err)
	}
	client, err := mcp.NewInProcess(server, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	said, err := mcp.CallToolAs[string](context.Background(), client, "greet", nil)
	fmt.Println(said, err)
}
