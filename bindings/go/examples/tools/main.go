// Tools lists a server's tools, over all pages, and calls one of them.
//
//	tools [-call NAME [-arguments JSON]] COMMAND [ARGUMENT…]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	log.SetFlags(0)
	call := flag.String("call", "", "the tool to call")
	arguments := flag.String("arguments", "{}", "its arguments, a JSON object")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("usage: tools [-call NAME [-arguments JSON]] COMMAND [ARGUMENT…]")
	}
	client, err := mcp.New(mcp.Config{Command: flag.Arg(0), Args: flag.Args()[1:]})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()

	for tool, err := range client.Tools(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-32s %s\n", tool.Name, tool.Description)
	}
	if *call == "" {
		return
	}
	result, err := client.CallTool(ctx, *call, json.RawMessage(*arguments))
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("\n%s says: %s\n", *call, result.Text())
	if result.StructuredContent != nil {
		fmt.Printf("as data: %s\n", result.StructuredContent)
	}
}
