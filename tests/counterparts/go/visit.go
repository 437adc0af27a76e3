//go:build ignore

// Visit calls everything of the server, and writes what it answers, which is visit.txt.
//
//	visit URL
//	visit COMMAND [ARGUMENT…]
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	mcp "github.com/libmcp/libmcp-go"
)

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := visit(ctx); err != nil {
		log.Fatal(err)
	}
}

func visit(ctx context.Context) error {
	where := mcp.Config{Command: os.Args[1], Args: os.Args[2:]}
	if strings.HasPrefix(os.Args[1], "http://") {
		where = mcp.Config{URL: os.Args[1]}
	}
	client, err := mcp.New(where, mcp.OnElicitation(func(_ context.Context, params *mcp.ElicitRequestParams) (*mcp.ElicitResult, error) {
		fmt.Println("question:", params.Message)
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"portions": 2}}, nil
	}))
	if err != nil {
		return err
	}
	defer client.Close()
	if err := client.Connect(ctx); err != nil {
		return err
	}
	info, err := client.Info()
	if err != nil {
		return err
	}
	fmt.Println(info.Server.Name, info.Server.Version)
	tools, err := mcp.All(client.Tools(ctx))
	if err != nil {
		return err
	}
	for _, tool := range tools {
		fmt.Println(tool.Name, "has the description:", tool.Description)
	}
	report := mcp.OnProgress(func(p mcp.Progress) { fmt.Println(p.Progress, "of", p.Total, p.Message) })
	for _, call := range []struct {
		tool string
		with map[string]any
	}{
		{"add", map[string]any{"a": 2, "b": 3}}, {"count", map[string]any{"steps": 4}}, {"count", map[string]any{"steps": 1001}},
		{"order", map[string]any{"dish": "pie"}},
	} {
		result, err := client.CallTool(ctx, call.tool, call.with, report)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s%s\n", call.tool, map[bool]string{true: "failed: "}[result.IsError], result.Text())
	}
	resources, err := mcp.All(client.Resources(ctx))
	if err != nil {
		return err
	}
	contents, err := client.ReadResource(ctx, resources[0].URI)
	if err != nil {
		return err
	}
	fmt.Println(resources[0].URI, resources[0].MimeType, contents[0].Text)
	prompt, err := client.GetPrompt(ctx, "recommend", map[string]string{"mood": "calm"})
	if err != nil {
		return err
	}
	text, isText := prompt.Messages[0].Content.(*mcp.TextContent)
	if !isText {
		return fmt.Errorf("the prompt has %T", prompt.Messages[0].Content)
	}
	fmt.Printf("recommend: %s: %s\n", prompt.Messages[0].Role, text.Text)
	return nil
}
