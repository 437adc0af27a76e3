package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestTheSDKUsesTheExampleServer has the official SDK's client use examples/server, the program in MCP_GO_SERVER.
func TestTheSDKUsesTheExampleServer(t *testing.T) {
	program := os.Getenv("MCP_GO_SERVER")
	if program == "" {
		t.Skip("MCP_GO_SERVER names no server; run `cargo xtask test --only go`")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	reports := make(chan float64, 100)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "0"}, &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, request *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			if !strings.Contains(request.Params.Message, "pie") {
				t.Errorf("asked %q", request.Params.Message)
			}
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"portions": 2}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, request *sdk.ProgressNotificationClientRequest) {
			reports <- request.Params.Progress
		},
	})
	session, err := client.Connect(ctx, &sdk.CommandTransport{Command: exec.Command(program)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("revision", session.InitializeResult().ProtocolVersion)
	tools, err := session.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 3 {
		t.Fatalf("tools: %+v, %v", tools, err)
	}
	call := func(name string, arguments any) *sdk.CallToolResult {
		t.Helper()
		params := &sdk.CallToolParams{Name: name, Arguments: arguments}
		params.SetProgressToken(name)
		result, err := session.CallTool(ctx, params)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return result
	}
	text := func(result *sdk.CallToolResult) string {
		block, _ := result.Content[0].(*sdk.TextContent)
		return block.Text
	}
	sum, err := json.Marshal(call("add", map[string]int{"a": 2, "b": 3}).StructuredContent)
	if err != nil || string(sum) != `{"sum":5}` {
		t.Errorf("add: %s, %v", sum, err)
	}
	if said := text(call("count", map[string]int{"steps": 5})); said != "counted to 5" {
		t.Errorf("count: %q", said)
	}
	if said := text(call("order", map[string]string{"dish": "pie"})); said != "ordered 2 × pie" {
		t.Errorf("order: %q", said)
	}
	if failed := call("count", map[string]int{"steps": -1}); !failed.IsError || !strings.Contains(text(failed), "1 to 1000") {
		t.Errorf("count, wrong: %+v", failed)
	}
	if wrong := call("add", map[string]any{"a": "x"}); !wrong.IsError {
		t.Errorf("add, wrong: %+v", wrong)
	}
	select {
	case <-reports:
	case <-ctx.Done():
		t.Error("no report of progress came")
	}
	menu, err := session.ReadResource(ctx, &sdk.ReadResourceParams{URI: "kitchen://menu"})
	if err != nil || !strings.Contains(menu.Contents[0].Text, "soup") {
		t.Errorf("menu: %+v, %v", menu, err)
	}
	prompt, err := session.GetPrompt(ctx, &sdk.GetPromptParams{Name: "recommend", Arguments: map[string]string{"mood": "cold"}})
	if err != nil || len(prompt.Messages) != 1 {
		t.Errorf("prompt: %+v, %v", prompt, err)
	}
	if err := session.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
