// A server that greets, over the standard streams.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"syscall"

	mcp "github.com/libmcp/libmcp-go"
)

type greetArguments struct {
	Name string `json:"name" jsonschema:"who is greeted"`
}

func newServer() (*mcp.Server, error) {
	server, err := mcp.NewServer(mcp.ServerConfig{Name: "{{name}}", Version: "0.1.0"})
	if err != nil {
		return nil, err
	}
	mcp.AddTool(server, &mcp.Tool{Name: "greet", Description: "Greets a person by name"},
		func(_ context.Context, _ *mcp.Request, in greetArguments) (string, error) {
			return "Hello, " + in.Name + "!", nil
		})
	about := &mcp.Resource{Name: "about", URI: "about://{{name}}", Description: "What this server is", MimeType: "text/plain"}
	if err := server.AddText(about, "A server that greets."); err != nil {
		return nil, err
	}
	return server, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server, err := newServer()
	if err != nil {
		log.Fatal(err)
	}
	if err := server.ServeStdio(ctx); err != nil && ctx.Err() == nil {
		log.Fatal(err)
	}
}
