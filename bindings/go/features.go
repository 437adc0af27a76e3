package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
)

// The most pages that one list may have, and the most entries: a server whose list never ends must not hold us for ever.
const (
	mostPages   = 1000
	mostEntries = 1_000_000
)

// Tools gives the server's tools, page after page as they are asked for. An error ends the list.
func (c *Client) Tools(ctx context.Context, options ...CallOption) iter.Seq2[Tool, error] {
	return list[Tool](ctx, c, "tools/list", "tools", options)
}

// Resources gives the server's resources.
func (c *Client) Resources(ctx context.Context, options ...CallOption) iter.Seq2[Resource, error] {
	return list[Resource](ctx, c, "resources/list", "resources", options)
}

// ResourceTemplates gives the server's resource templates.
func (c *Client) ResourceTemplates(ctx context.Context, options ...CallOption) iter.Seq2[ResourceTemplate, error] {
	return list[ResourceTemplate](ctx, c, "resources/templates/list", "resourceTemplates", options)
}

// Prompts gives the server's prompts.
func (c *Client) Prompts(ctx context.Context, options ...CallOption) iter.Seq2[Prompt, error] {
	return list[Prompt](ctx, c, "prompts/list", "prompts", options)
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

func list[T any](ctx context.Context, c *Client, method, member string, options []CallOption) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		given, cursor, seen := 0, json.RawMessage(nil), make(map[string]bool)
		for range mostPages {
			var params any
			if cursor != nil {
				params = map[string]json.RawMessage{"cursor": cursor}
			}
			page, err := CallAs[map[string]json.RawMessage](ctx, c, method, params, options...)
			var entries []T
			if err == nil && page[member] != nil {
				err = decode(method, page[member], &entries)
			}
			if err != nil {
				yield(none, err)
				return
			}
			for _, entry := range entries {
				if given++; given > mostEntries {
					yield(none, endless(method, fmt.Sprintf("has more than %d entries", mostEntries)))
					return
				}
				if !yield(entry, nil) {
					return
				}
			}
			if cursor = page["nextCursor"]; cursor == nil || string(cursor) == "null" {
				return
			}
			if seen[string(cursor)] {
				yield(none, endless(method, fmt.Sprintf("has the cursor %.100s twice", cursor)))
				return
			}
			seen[string(cursor)] = true
		}
		yield(none, endless(method, fmt.Sprintf("has more than %d pages", mostPages)))
	}
}

func endless(method, why string) *Error {
	return &Error{Status: StatusProtocol, Operation: method, Message: method + ": the server's list does not end: it " + why}
}

// CallTool calls a tool. The arguments are a json.RawMessage or anything that marshals to a JSON object; nil for none.
func (c *Client) CallTool(ctx context.Context, name string, arguments any, options ...CallOption) (*ToolResult, error) {
	params := struct {
		Name      string `json:"name"`
		Arguments any    `json:"arguments,omitempty"`
	}{name, arguments}
	return pointer[ToolResult](ctx, c, "tools/call", params, options)
}

// ReadResource reads a resource.
func (c *Client) ReadResource(ctx context.Context, uri string, options ...CallOption) ([]ResourceContents, error) {
	result, err := CallAs[struct {
		Contents []ResourceContents `json:"contents"`
	}](ctx, c, "resources/read", map[string]string{"uri": uri}, options...)
	return result.Contents, err
}

// Subscribe asks to be told when a resource changes: notifications of TopicResourceUpdated come then, whatever the revision.
// The subscription outlives a reconnection.
func (c *Client) Subscribe(ctx context.Context, uri string, options ...CallOption) error {
	return c.subscription(ctx, "resources/subscribe", uri, c.core.startSubscribe, options)
}

// Unsubscribe ends what Subscribe began.
func (c *Client) Unsubscribe(ctx context.Context, uri string, options ...CallOption) error {
	return c.subscription(ctx, "resources/unsubscribe", uri, c.core.startUnsubscribe, options)
}

func (c *Client) subscription(
	ctx context.Context, method, uri string, start func(uri, options []byte, tag uint64) (uint64, error), options []CallOption,
) error {
	defer c.keep()
	resource, err := ended("uri", uri)
	if err != nil {
		return err
	}
	_, err = c.core.perform(ctx, method, settingsOf(options), func(options []byte, tag uint64) (uint64, error) {
		return start(resource, options, tag)
	})
	return err
}

// SetRoots tells the server in which folders it may work from now on. The configuration must have had roots.
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
		return closed("roots")
	}
	defer c.core.release()
	return c.core.setRoots(list)
}

// GetPrompt gets a prompt with its arguments filled in.
func (c *Client) GetPrompt(ctx context.Context, name string, arguments map[string]string, options ...CallOption) (*PromptResult, error) {
	params := struct {
		Name      string            `json:"name"`
		Arguments map[string]string `json:"arguments,omitempty"`
	}{name, arguments}
	return pointer[PromptResult](ctx, c, "prompts/get", params, options)
}

// Complete asks how an argument with the value typed so far may go on.
func (c *Client) Complete(ctx context.Context, of Reference, argument, typed string, options ...CallOption) (Completion, error) {
	params := map[string]any{"ref": of, "argument": map[string]string{"name": argument, "value": typed}}
	result, err := CallAs[struct {
		Completion Completion `json:"completion"`
	}](ctx, c, "completion/complete", params, options...)
	return result.Completion, err
}

// SetLogLevel tells a server of the legacy era which log messages to send: "debug", "info", "warning", "error", …
func (c *Client) SetLogLevel(ctx context.Context, level string, options ...CallOption) error {
	_, err := c.Call(ctx, "logging/setLevel", map[string]string{"level": level}, options...)
	return err
}

// Ping asks a server of the legacy era for a sign of life.
func (c *Client) Ping(ctx context.Context, options ...CallOption) error {
	_, err := c.Call(ctx, "ping", nil, options...)
	return err
}

func pointer[T any](ctx context.Context, c *Client, method string, params any, options []CallOption) (*T, error) {
	result, err := CallAs[T](ctx, c, method, params, options...)
	if err != nil {
		return nil, err
	}
	return &result, nil
}
