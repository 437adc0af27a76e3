package mcp

/*
#include <mcp.h>

enum { TOOLS_LIST, RESOURCES_LIST, TEMPLATES_LIST, PROMPTS_LIST, TOOLS_CALL, READ, SUBSCRIBE, UNSUBSCRIBE, PROMPTS_GET, COMPLETE,
	LOG_LEVEL, PING, TASKS_LIST, TASKS_GET, TASKS_RESULT, TASKS_CANCEL, SKILLS_LIST, SKILL_GET, SKILL_LOAD, SKILL_READ };

// Starts a method whose parameters are one text.
static mcp_status_t method(const char *name, const char *member, const char *value, mcp_client_t *client, const char *options,
		uint64_t tag, uint64_t *id, char **error) {
	mcp_builder_t *params = mcp_builder_new();
	const char *text = NULL;
	mcp_builder_begin_object(params);
	mcp_builder_key(params, member);
	mcp_builder_string(params, value);
	mcp_builder_end(params);
	mcp_status_t status = mcp_builder_finish(params, &text, NULL, error);
	if (status == MCP_OK) status = mcp_call_start(client, name, text, options, tag, id, error);
	mcp_builder_free(params);
	return status;
}

static mcp_status_t complete(const char *ref, const char *argument, const char *value, const char *settled, mcp_client_t *client,
		const char *options, uint64_t tag, uint64_t *id, char **error) {
	mcp_builder_t *params = mcp_builder_new();
	const char *text = NULL;
	mcp_builder_begin_object(params);
	mcp_builder_key(params, "ref");
	mcp_builder_json(params, ref);
	mcp_builder_key(params, "argument");
	mcp_builder_begin_object(params);
	mcp_builder_key(params, "name");
	mcp_builder_string(params, argument);
	mcp_builder_key(params, "value");
	mcp_builder_string(params, value);
	mcp_builder_end(params);
	if (settled != NULL) {
		mcp_builder_key(params, "context");
		mcp_builder_begin_object(params);
		mcp_builder_key(params, "arguments");
		mcp_builder_json(params, settled);
		mcp_builder_end(params);
	}
	mcp_builder_end(params);
	mcp_status_t status = mcp_builder_finish(params, &text, NULL, error);
	if (status == MCP_OK) status = mcp_call_start(client, "completion/complete", text, options, tag, id, error);
	mcp_builder_free(params);
	return status;
}

// What the library does for single features, behind one function: Go crosses to C in one place. What a feature has no use for is NULL.
static mcp_status_t start(int32_t feature, mcp_client_t *client, const char *first, const char *second, const char *third,
		const char *fourth, const char *options, uint64_t tag, uint64_t *id, char **error) {
	switch (feature) {
	case TOOLS_LIST: return mcp_call_start(client, "tools/list", NULL, options, tag, id, error);
	case RESOURCES_LIST: return mcp_call_start(client, "resources/list", NULL, options, tag, id, error);
	case TEMPLATES_LIST: return mcp_call_start(client, "resources/templates/list", NULL, options, tag, id, error);
	case PROMPTS_LIST: return mcp_call_start(client, "prompts/list", NULL, options, tag, id, error);
	case TOOLS_CALL: return mcp_client_call_tool_start(client, first, second, options, tag, id, error);
	case READ: return mcp_client_read_resource_start(client, first, options, tag, id, error);
	case SUBSCRIBE: return method("resources/subscribe", "uri", first, client, options, tag, id, error);
	case UNSUBSCRIBE: return method("resources/unsubscribe", "uri", first, client, options, tag, id, error);
	case PROMPTS_GET: return mcp_client_get_prompt_start(client, first, second, options, tag, id, error);
	case COMPLETE: return complete(first, second, third, fourth, client, options, tag, id, error);
	case LOG_LEVEL: return method("logging/setLevel", "level", first, client, options, tag, id, error);
	case PING: return mcp_call_start(client, "ping", NULL, options, tag, id, error);
	case TASKS_LIST: return mcp_call_start(client, "tasks/list", NULL, options, tag, id, error);
	case TASKS_GET: return method("tasks/get", "taskId", first, client, options, tag, id, error);
	case TASKS_RESULT: return method("tasks/result", "taskId", first, client, options, tag, id, error);
	case TASKS_CANCEL: return method("tasks/cancel", "taskId", first, client, options, tag, id, error);
	case SKILLS_LIST: return mcp_call_start(client, "skills/list", NULL, options, tag, id, error);
	case SKILL_GET: return method("skills/get", "uri", first, client, options, tag, id, error);
	case SKILL_LOAD: return mcp_client_load_skill_start(client, first, options, tag, id, error);
	case SKILL_READ: return mcp_client_read_skill_file_start(client, first, second, options, tag, id, error);
	default: return MCP_ERROR_INTERNAL;
	}
}
*/
import "C"

import (
	"context"
	"encoding/json"
)

// feature is one thing that MCP offers, which means the same on every revision.
type feature struct {
	number    C.int32_t
	operation string
}

var (
	toolsList     = feature{C.TOOLS_LIST, "tools/list"}
	resourcesList = feature{C.RESOURCES_LIST, "resources/list"}
	templatesList = feature{C.TEMPLATES_LIST, "resources/templates/list"}
	promptsList   = feature{C.PROMPTS_LIST, "prompts/list"}
	toolsCall     = feature{C.TOOLS_CALL, "tools/call"}
	resourcesRead = feature{C.READ, "resources/read"}
	subscribe     = feature{C.SUBSCRIBE, "resources/subscribe"}
	unsubscribe   = feature{C.UNSUBSCRIBE, "resources/unsubscribe"}
	promptsGet    = feature{C.PROMPTS_GET, "prompts/get"}
	complete      = feature{C.COMPLETE, "completion/complete"}
	setLogLevel   = feature{C.LOG_LEVEL, "logging/setLevel"}
	ping          = feature{C.PING, "ping"}
	tasksList     = feature{C.TASKS_LIST, "tasks/list"}
	tasksGet      = feature{C.TASKS_GET, "tasks/get"}
	tasksResult   = feature{C.TASKS_RESULT, "tasks/result"}
	tasksCancel   = feature{C.TASKS_CANCEL, "tasks/cancel"}
	skillsList    = feature{C.SKILLS_LIST, "skills/list"}
	skillGet      = feature{C.SKILL_GET, "skills/get"}
	skillLoad     = feature{C.SKILL_LOAD, "skills/load"}
	skillRead     = feature{C.SKILL_READ, "skills/read"}
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
	defer cross()()
	var number C.uint64_t
	var object *C.char
	status := C.start(f.number, c.handle, text(texts[0]), text(texts[1]), text(texts[2]), text(texts[3]), text(options),
		C.uint64_t(tag), &number, &object)
	return uint64(number), failure(status, f.operation, object)
}

func (c *core) clearCache() error {
	return failure(C.mcp_client_clear_cache(c.handle), "cache", nil)
}

// ExpandTemplate makes the URI of a resource of a template (RFC 6570), such as [ResourceTemplate.URITemplate], and values for its
// variables: anything that marshals to a JSON object.
func ExpandTemplate(template string, variables any) (string, error) {
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
	var uri, object *C.char
	status := C.mcp_uri_template_expand(text(pattern), text(values), &uri, &object)
	if err := failure(status, "template", object); err != nil {
		return "", err
	}
	defer C.mcp_string_free(uri)
	return C.GoString(uri), nil
}
