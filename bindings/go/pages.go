//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
	"iter"
)

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	// NextCursor is the cursor of the next page; "" on the last one.
	NextCursor string
}

// ToolsPage reads the page of the list of tools at a cursor; "" is the first one.
func (c *Client) ToolsPage(ctx context.Context, cursor string, options ...CallOption) (*Page[Tool], error) {
	return page[Tool](ctx, c, toolsList, "tools", cursor, options)
}

// ResourcesPage reads one page of the list of resources.
func (c *Client) ResourcesPage(ctx context.Context, cursor string, options ...CallOption) (*Page[Resource], error) {
	return page[Resource](ctx, c, resourcesList, "resources", cursor, options)
}

// ResourceTemplatesPage reads one page of the list of resource templates.
func (c *Client) ResourceTemplatesPage(ctx context.Context, cursor string, options ...CallOption) (*Page[ResourceTemplate], error) {
	return page[ResourceTemplate](ctx, c, templatesList, "resourceTemplates", cursor, options)
}

// PromptsPage reads one page of the list of prompts.
func (c *Client) PromptsPage(ctx context.Context, cursor string, options ...CallOption) (*Page[Prompt], error) {
	return page[Prompt](ctx, c, promptsList, "prompts", cursor, options)
}

// Pages reads a list page by page, as far as it is wanted: Pages(ctx, client.ToolsPage). An error ends it.
func Pages[T any](ctx context.Context, read func(context.Context, string, ...CallOption) (*Page[T], error), options ...CallOption) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		for cursor, first := "", true; first || cursor != ""; first = false {
			page, err := read(ctx, cursor, options...)
			if err != nil {
				yield(nil, err)
				return
			}
			if page.NextCursor != "" && page.NextCursor == cursor {
				yield(nil, &Error{Status: StatusProtocol, Operation: "page", Message: "page: the cursor of the next page is that of this one"})
				return
			}
			if !yield(page, nil) {
				return
			}
			cursor = page.NextCursor
		}
	}
}

func page[T any](ctx context.Context, c *Client, f feature, member, cursor string, options []CallOption) (*Page[T], error) {
	one := func(s *callSettings) {
		s.feature.Cursor, s.feature.OnePage, s.features = cursor, cursor == "", true
	}
	result, err := useAs[map[string]json.RawMessage](ctx, c, f, append(options[:len(options):len(options)], one))
	if err != nil {
		return nil, err
	}
	page := new(Page[T])
	if result[member] != nil {
		if err := decode(f.operation, result[member], &page.Items); err != nil {
			return nil, err
		}
	}
	if result["nextCursor"] != nil {
		if err := decode(f.operation, result["nextCursor"], &page.NextCursor); err != nil {
			return nil, err
		}
	}
	return page, nil
}
