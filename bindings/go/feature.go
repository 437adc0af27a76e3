//go:build cgo || (linux && (amd64 || arm64))

package mcp

import (
	"context"
	"encoding/json"
)

// feature is one thing that MCP offers, which means the same on every revision.
type feature struct {
	operation string
	member    string // the one parameter of a method that has but one, a text
}

var (
	toolsList     = feature{"tools/list", ""}
	resourcesList = feature{"resources/list", ""}
	templatesList = feature{"resources/templates/list", ""}
	promptsList   = feature{"prompts/list", ""}
	toolsCall     = feature{"tools/call", ""}
	resourcesRead = feature{"resources/read", ""}
	subscribe     = feature{"resources/subscribe", "uri"}
	unsubscribe   = feature{"resources/unsubscribe", "uri"}
	promptsGet    = feature{"prompts/get", ""}
	complete      = feature{"completion/complete", ""}
	setLogLevel   = feature{"logging/setLevel", "level"}
	ping          = feature{"ping", ""}
	tasksList     = feature{"tasks/list", ""}
	tasksGet      = feature{"tasks/get", "taskId"}
	tasksResult   = feature{"tasks/result", "taskId"}
	tasksCancel   = feature{"tasks/cancel", "taskId"}
	skillsList    = feature{"skills/list", ""}
	skillGet      = feature{"skills/get", "uri"}
	skillLoad     = feature{"skills/load", ""}
	skillRead     = feature{"skills/read", ""}
)

// use has the library do what the feature is, and waits for the outcome. A value is a string, which stays one, or becomes JSON.
func (c *Client) use(ctx context.Context, f feature, options []CallOption, values ...any) (json.RawMessage, error) {
	defer c.keep()
	var texts [4][]byte
	for i, value := range values {
		var err error
		if name, ok := value.(string); ok {
			texts[i], err = ended(f.operation, name)
		} else {
			texts[i], err = encode(f.operation, value)
		}
		if err != nil {
			return nil, err
		}
	}
	settings := settingsOf(options)
	if f == complete && settings.settled != nil {
		var err error
		if texts[3], err = encode(f.operation, settings.settled); err != nil {
			return nil, err
		}
	}
	return c.core.perform(ctx, f.operation, settings, func(options []byte, tag uint64) (uint64, error) {
		return c.core.startFeature(f, texts, options, tag)
	})
}

// useAs is use with the result unmarshalled into a T.
func useAs[T any](ctx context.Context, c *Client, f feature, options []CallOption, values ...any) (T, error) {
	var result T
	raw, err := c.use(ctx, f, options, values...)
	if err == nil {
		err = decode(f.operation, raw, &result)
	}
	return result, err
}

func (c *core) startFeature(f feature, texts [4][]byte, options []byte, tag uint64) (id uint64, err error) {
	var params []byte
	switch {
	case f == complete:
		params, err = completeParams(texts)
	case f.member != "":
		params, err = encode(f.operation, map[string]string{f.member: string(texts[0][:len(texts[0])-1])})
	}
	if err != nil {
		return 0, err
	}
	defer cross()()
	var number uint64
	var object cText
	var status int32
	switch f {
	case toolsCall:
		status = mcp_client_call_tool_start(c.handle, text(texts[0]), text(texts[1]), text(options), tag, &number, &object)
	case resourcesRead:
		status = mcp_client_read_resource_start(c.handle, text(texts[0]), text(options), tag, &number, &object)
	case promptsGet:
		status = mcp_client_get_prompt_start(c.handle, text(texts[0]), text(texts[1]), text(options), tag, &number, &object)
	case skillLoad:
		status = mcp_client_load_skill_start(c.handle, text(texts[0]), text(options), tag, &number, &object)
	case skillRead:
		status = mcp_client_read_skill_file_start(c.handle, text(texts[0]), text(texts[1]), text(options), tag, &number, &object)
	default:
		method, err := ended(f.operation, f.operation)
		if err != nil {
			return 0, err
		}
		status = mcp_call_start(c.handle, text(method), text(params), text(options), tag, &number, &object)
	}
	return number, failure(status, f.operation, object)
}

// completeParams are those of completion/complete, of a reference, the names and values of an argument, and what is settled.
func completeParams(texts [4][]byte) ([]byte, error) {
	plain := func(text []byte) string { return string(text[:len(text)-1]) }
	params := map[string]any{
		"ref":      json.RawMessage(plain(texts[0])),
		"argument": map[string]string{"name": plain(texts[1]), "value": plain(texts[2])},
	}
	if texts[3] != nil {
		params["context"] = map[string]any{"arguments": json.RawMessage(plain(texts[3]))}
	}
	return encode(complete.operation, params)
}

func (c *core) clearCache() error {
	return failure(mcp_client_clear_cache(c.handle), "cache", 0)
}

// ExpandTemplate makes the URI of a resource of a template (RFC 6570), such as [ResourceTemplate.URITemplate], and values for its
// variables: anything that marshals to a JSON object.
func ExpandTemplate(template string, variables any) (string, error) {
	if err := checkABI(); err != nil {
		return "", err
	}
	pattern, err := ended("template", template)
	if err != nil {
		return "", err
	}
	values, err := encode("template", variables)
	if err != nil {
		return "", err
	}
	if values == nil {
		values = []byte("{}\x00")
	}
	var uri, object cText
	status := mcp_uri_template_expand(text(pattern), text(values), &uri, &object)
	if err := failure(status, "template", object); err != nil {
		return "", err
	}
	defer mcp_string_free(uri)
	return goString(uri), nil
}
