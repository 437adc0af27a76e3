// Quickstart starts a server, says what it is, and calls its tool "echo".
//
//	quickstart COMMAND [ARGUMENT…]
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: quickstart COMMAND [ARGUMENT…]")
	}
	client, err := mcp.New(mcp.Config{Command: os.Args[1], Args: os.Args[2:]})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()

	if err := client.Connect(ctx); err != nil {
		log.Fatal(err)
	}
	info, err := client.Info()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("connected to %s %s, revision %s\n", info.Server.Name, info.Server.Version, info.Revision)

	// Servers differ in what they call the argument.
	result, err := client.CallTool(ctx, "echo", map[string]string{"text": "Hello from Go", "message": "Hello from Go"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text())
}
