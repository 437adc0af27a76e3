// What the library does for single features, each by its name. Knows no JavaScript.
#pragma once

#include <mcp.h>

#include <memory>
#include <string>
#include <vector>

#include "text.h"

// One use of a feature: what its function is called with.
struct Use {
    mcp_client_t *client;
    const std::vector<OptionalText> &values;
    const char *options;
    uint64_t tag;
    uint64_t *call_id;
    char **error;

    // NULL where there is none.
    const char *value(size_t at) const { return at < values.size() ? values[at].get() : nullptr; }
};

struct Feature {
    const char *name;
    mcp_status_t (*start)(const Use &use);
};

// A method without parameters.
inline mcp_status_t start_method(const Use &u, const char *method, const char *params = nullptr) {
    return mcp_call_start(u.client, method, params, u.options, u.tag, u.call_id, u.error);
}

struct FreeBuilder {
    void operator()(mcp_builder_t *builder) const { mcp_builder_free(builder); }
};

// A method whose parameters `write` writes.
template <class Write> mcp_status_t start_with(const Use &u, const char *method, Write write) {
    const std::unique_ptr<mcp_builder_t, FreeBuilder> params(mcp_builder_new());
    const char *text = nullptr;
    mcp_builder_begin_object(params.get());
    write(params.get());
    mcp_builder_end(params.get());
    const mcp_status_t status = mcp_builder_finish(params.get(), &text, nullptr, u.error);
    return status == MCP_OK ? start_method(u, method, text) : status;
}

// A method whose only parameter is the first value.
inline mcp_status_t start_of_one(const Use &u, const char *method, const char *member) {
    return start_with(u, method, [&](mcp_builder_t *params) {
        mcp_builder_key(params, member);
        mcp_builder_string(params, u.value(0));
    });
}

inline mcp_status_t start_completion(const Use &u) {
    return start_with(u, "completion/complete", [&](mcp_builder_t *params) {
        mcp_builder_key(params, "ref");
        mcp_builder_json(params, u.value(0));
        mcp_builder_key(params, "argument");
        mcp_builder_begin_object(params);
        mcp_builder_key(params, "name");
        mcp_builder_string(params, u.value(1));
        mcp_builder_key(params, "value");
        mcp_builder_string(params, u.value(2));
        mcp_builder_end(params);
        if (u.value(3) == nullptr) return;
        mcp_builder_key(params, "context");
        mcp_builder_begin_object(params);
        mcp_builder_key(params, "arguments");
        mcp_builder_json(params, u.value(3));
        mcp_builder_end(params);
    });
}

// None if there is no such feature.
inline const Feature *feature_of(const std::string &name) {
    static const Feature features[] = {
        {"tools/list", [](const Use &u) { return start_method(u, "tools/list"); }},
        {"resources/list", [](const Use &u) { return start_method(u, "resources/list"); }},
        {"resources/templates/list", [](const Use &u) { return start_method(u, "resources/templates/list"); }},
        {"prompts/list", [](const Use &u) { return start_method(u, "prompts/list"); }},
        {"tools/call",
         [](const Use &u) {
             return mcp_client_call_tool_start(u.client, u.value(0), u.value(1), u.options, u.tag, u.call_id, u.error);
         }},
        {"resources/read",
         [](const Use &u) {
             return mcp_client_read_resource_start(u.client, u.value(0), u.options, u.tag, u.call_id, u.error);
         }},
        {"resources/subscribe", [](const Use &u) { return start_of_one(u, "resources/subscribe", "uri"); }},
        {"resources/unsubscribe", [](const Use &u) { return start_of_one(u, "resources/unsubscribe", "uri"); }},
        {"prompts/get",
         [](const Use &u) {
             return mcp_client_get_prompt_start(u.client, u.value(0), u.value(1), u.options, u.tag, u.call_id, u.error);
         }},
        {"completion/complete", start_completion},
        {"logging/setLevel", [](const Use &u) { return start_of_one(u, "logging/setLevel", "level"); }},
        {"ping", [](const Use &u) { return start_method(u, "ping"); }},
        {"tasks/list", [](const Use &u) { return start_method(u, "tasks/list"); }},
        {"tasks/get", [](const Use &u) { return start_of_one(u, "tasks/get", "taskId"); }},
        {"tasks/result", [](const Use &u) { return start_of_one(u, "tasks/result", "taskId"); }},
        {"tasks/cancel", [](const Use &u) { return start_of_one(u, "tasks/cancel", "taskId"); }},
        {"skills/list", [](const Use &u) { return start_method(u, "skills/list"); }},
        {"skills/get", [](const Use &u) { return start_of_one(u, "skills/get", "uri"); }},
        {"skills/load",
         [](const Use &u) {
             return mcp_client_load_skill_start(u.client, u.value(0), u.options, u.tag, u.call_id, u.error);
         }},
        {"skills/read",
         [](const Use &u) {
             return mcp_client_read_skill_file_start(u.client, u.value(0), u.value(1), u.options, u.tag, u.call_id,
                                                     u.error);
         }},
    };
    for (const Feature &feature : features) {
        if (name == feature.name) return &feature;
    }
    return nullptr;
}
