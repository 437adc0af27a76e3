//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"iter"
)

// Tools gives the server's tools. A list is read whole, all its pages within the bounds of "limits" in the configuration, when
// the first entry is asked for. An error ends it.
func (c *Client) Tools(ctx context.Context, options ...CallOption) iter.Seq2[Tool, error] {
	return list[Tool](ctx, c, toolsList, "tools", options)
}

// Resources gives the server's resources.
func (c *Client) Resources(ctx context.Context, options ...CallOption) iter.Seq2[Resource, error] {
	return list[Resource](ctx, c, resourcesList, "resources", options)
}

// ResourceTemplates gives the server's resource templates.
func (c *Client) ResourceTemplates(ctx context.Context, options ...CallOption) iter.Seq2[ResourceTemplate, error] {
	return list[ResourceTemplate](ctx, c, templatesList, "resourceTemplates", options)
}

// Prompts gives the server's prompts.
func (c *Client) Prompts(ctx context.Context, options ...CallOption) iter.Seq2[Prompt, error] {
	return list[Prompt](ctx, c, promptsList, "prompts", options)
}

// All collects a list, such as All(client.Tools(ctx)).
func All[T any](entries iter.Seq2[T, error]) ([]T, error) {
	var all []T
	for entry, err := range entries {
		if err != nil {
			return nil, err
		}
		all = append(all, entry)
	}
	return all, nil
}

func list[T any](ctx context.Context, c *Client, f feature, member string, options []CallOption) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		result, err := useAs[map[string]json.RawMessage](ctx, c, f, options)
		var entries []T
		if err == nil && result[member] != nil {
			err = decode(f.operation, result[member], &entries)
		}
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		for _, entry := range entries {
			if !yield(entry, nil) {
				return
			}
		}
	}
}

// CallTool calls a tool. The arguments are a json.RawMessage or anything that marshals to a JSON object; nil for none. A result
// that is not what the tool's outputSchema promises is StatusProtocol, with the result as the error's Data.
func (c *Client) CallTool(ctx context.Context, name string, arguments any, options ...CallOption) (*CallToolResult, error) {
	return pointer[CallToolResult](ctx, c, toolsCall, options, name, json_(arguments))
}

// CallToolAs is [Client.CallTool] with the structured content of the result as an Out ([CallToolResult.Decode]). A tool that failed
// is a [*ToolError].
func CallToolAs[Out any](ctx context.Context, c *Client, name string, arguments any, options ...CallOption) (Out, error) {
	var out Out
	result, err := c.CallTool(ctx, name, arguments, options...)
	if err == nil {
		err = result.Err()
	}
	if err == nil {
		err = result.Decode(&out)
	}
	return out, err
}

// ReadResource reads a resource.
func (c *Client) ReadResource(ctx context.Context, uri string, options ...CallOption) ([]ResourceContents, error) {
	result, err := useAs[struct {
		Contents []ResourceContents `json:"contents"`
	}](ctx, c, resourcesRead, options, uri)
	return result.Contents, err
}

// Subscribe asks to be told when a resource changes: notifications of TopicResourceUpdated come then, whatever the revision.
// The subscription outlives a reconnection.
func (c *Client) Subscribe(ctx context.Context, uri string, options ...CallOption) error {
	_, err := c.use(ctx, subscribe, options, uri)
	return err
}

// Unsubscribe ends what Subscribe began.
func (c *Client) Unsubscribe(ctx context.Context, uri string, options ...CallOption) error {
	_, err := c.use(ctx, unsubscribe, options, uri)
	return err
}

// SetRoots tells the server in which folders it may work from now on. The configuration must have had roots.
//
// Deprecated: 2026-07-28 deprecates roots (SEP-2577). It works in every revision that has it.
func (c *Client) SetRoots(ctx context.Context, roots []Root) error {
	defer c.keep()
	if ctx.Err() != nil {
		return interrupted(ctx, "roots")
	}
	if roots == nil {
		roots = []Root{}
	}
	list, err := encode("roots", roots)
	if err != nil {
		return err
	}
	if !c.core.acquire() {
		return c.core.gone("roots")
	}
	defer c.core.release()
	return c.core.setRoots(list)
}

// GetPrompt gets a prompt with its arguments filled in.
func (c *Client) GetPrompt(ctx context.Context, name string, arguments map[string]string, options ...CallOption) (*GetPromptResult, error) {
	var given any
	if arguments != nil {
		given = arguments
	}
	return pointer[GetPromptResult](ctx, c, promptsGet, options, name, given)
}

// Complete asks how an argument with the value typed so far may go on. [Settled] names the arguments that have their value already.
func (c *Client) Complete(ctx context.Context, of Reference, argument, typed string, options ...CallOption) (Completion, error) {
	result, err := useAs[struct {
		Completion Completion `json:"completion"`
	}](ctx, c, complete, options, of, argument, typed)
	return result.Completion, err
}

// SetLogLevel tells the server which log messages to send: "debug", "info", "warning", "error", … It outlives a reconnection.
//
// Deprecated: 2026-07-28 deprecates log messages (SEP-2577). It works in every revision that has it.
func (c *Client) SetLogLevel(ctx context.Context, level string, options ...CallOption) error {
	_, err := c.use(ctx, setLogLevel, options, level)
	return err
}

// Ping asks the server for a sign of life.
func (c *Client) Ping(ctx context.Context, options ...CallOption) error {
	_, err := c.use(ctx, ping, options)
	return err
}

// ClearCache drops every result that the client keeps ("cache" in the configuration).
func (c *Client) ClearCache() error {
	defer c.keep()
	if !c.core.acquire() {
		return c.core.gone("cache")
	}
	defer c.core.release()
	return c.core.clearCache()
}

func pointer[T any](ctx context.Context, c *Client, f feature, options []CallOption, values ...any) (*T, error) {
	result, err := useAs[T](ctx, c, f, options, values...)
	if err != nil {
		return nil, err
	}
	return &result, nil
}

// json_ keeps a string that is given for JSON from being taken for a text.
func json_(value any) any {
	if text, ok := value.(string); ok {
		return &text
	}
	return value
}
