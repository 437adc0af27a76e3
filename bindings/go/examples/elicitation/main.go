// Elicitation calls a tool that asks the user something in the middle, and fills in the form that the server sends.
//
//	elicitation [-call TOOL [-arguments JSON]] [-answer TEXT] [-decline] COMMAND [ARGUMENT…]
//
// It works the same in both eras of the protocol: with a request of the server, and with a result that asks for input.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"slices"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	log.SetFlags(0)
	call := flag.String("call", "ask", "the tool to call")
	arguments := flag.String("arguments", `{"question":"What is your favourite colour?"}`, "its arguments, a JSON object")
	answer := flag.String("answer", "blue", "what to write into text fields")
	decline := flag.Bool("decline", false, "refuse to answer")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("usage: elicitation [-call TOOL [-arguments JSON]] [-answer TEXT] [-decline] COMMAND [ARGUMENT…]")
	}
	fill := func(_ context.Context, params *mcp.ElicitRequestParams) (*mcp.ElicitResult, error) {
		fmt.Printf("the server asks: %s\n", params.Message)
		if *decline {
			return &mcp.ElicitResult{Action: "decline"}, nil
		}
		content := make(map[string]any)
		for name, field := range params.RequestedSchema.Properties {
			switch {
			case field.Default != nil || !slices.Contains(params.RequestedSchema.Required, name):
				// The library fills in the default, and the rest may stay empty.
			case field.Type == "string":
				content[name] = *answer
			case field.Type == "boolean":
				content[name] = true
			default:
				content[name] = 1
			}
		}
		return &mcp.ElicitResult{Action: "accept", Content: content}, nil
	}
	client, err := mcp.New(mcp.Config{Command: flag.Arg(0), Args: flag.Args()[1:]}, mcp.OnElicitation(fill))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	result, err := client.CallTool(ctx, *call, json.RawMessage(*arguments))
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s says: %s\n", *call, result.Text())
}
