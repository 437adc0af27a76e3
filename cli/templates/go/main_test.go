package main

import (
	"context"
	"testing"

	mcp "github.com/libmcp/libmcp-go"
)

func TestServer(t *testing.T) {
	server, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := mcp.NewInProcess(server, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	said, err := mcp.CallToolAs[string](context.Background(), client, "greet", map[string]string{"name": "Ada"})
	if err != nil || said != "Hello, Ada!" {
		t.Errorf("greet: %q, %v", said, err)
	}
	about, err := client.ReadResource(context.Background(), "about://{{name}}")
	if err != nil {
		t.Fatal(err)
	}
	if len(about) != 1 {
		t.Errorf("about: %v", about)
	}
}
