// Sampling calls a tool that needs a model: the server asks the client to sample from one, and the client does.
//
//	sampling -call TOOL [-arguments JSON] COMMAND [ARGUMENT…]
//
// The model here is a parrot. A real program shows the request to its user before it spends money on it, and passes
// the messages to the model of its choice.
package main

//lint:file-ignore SA1019 Servers of today use what 2026-07-28 deprecates.

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func parrot(_ context.Context, params *mcp.CreateMessageRequestParams) (*mcp.CreateMessageResult, error) {
	if len(params.Messages) == 0 {
		return nil, &mcp.RPCError{Code: mcp.CodeInvalidParams, Message: "there is no message to answer"}
	}
	said := "something"
	for _, block := range params.Messages[len(params.Messages)-1].Content {
		if text, ok := block.(*mcp.TextContent); ok {
			said = text.Text
		}
	}
	fmt.Printf("the server asks a model, for at most %d tokens: %s\n", params.MaxTokens, said)
	return &mcp.CreateMessageResult{
		Role:       "assistant",
		Model:      "parrot",
		Content:    []mcp.SamplingMessageContentBlock{mcp.Text("You said: " + said)},
		StopReason: "endTurn",
	}, nil
}

func main() {
	log.SetFlags(0)
	call := flag.String("call", "", "the tool to call")
	arguments := flag.String("arguments", "{}", "its arguments, a JSON object")
	flag.Parse()
	if flag.NArg() == 0 || *call == "" {
		log.Fatal("usage: sampling -call TOOL [-arguments JSON] COMMAND [ARGUMENT…]")
	}
	client, err := mcp.New(mcp.Config{Command: flag.Arg(0), Args: flag.Args()[1:]}, mcp.OnSampling(parrot))
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
	said := result.Text()
	if said == "" {
		said = string(result.StructuredContent)
	}
	fmt.Printf("%s says: %s\n", *call, said)
}
