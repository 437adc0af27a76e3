// The library's functions for single features, each by its name. Knows no JavaScript.
#pragma once

#include <mcp.h>

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

// None if there is no such feature.
inline const Feature *feature_of(const std::string &name) {
    static const Feature features[] = {
        {"tools/list", [](const Use &u) { return mcp_client_list_tools_start(u.client, u.options, u.tag, u.call_id,
                                                                             u.error); }},
        {"resources/list",
         [](const Use &u) { return mcp_client_list_resources_start(u.client, u.options, u.tag, u.call_id, u.error); }},
        {"resources/templates/list",
         [](const Use &u) { return mcp_client_list_resource_templates_start(u.client, u.options, u.tag, u.call_id,
                                                                            u.error); }},
        {"prompts/list",
         [](const Use &u) { return mcp_client_list_prompts_start(u.client, u.options, u.tag, u.call_id, u.error); }},
        {"tools/call",
         [](const Use &u) {
             return mcp_client_call_tool_start(u.client, u.value(0), u.value(1), u.options, u.tag, u.call_id, u.error);
         }},
        {"resources/read",
         [](const Use &u) {
             return mcp_client_read_resource_start(u.client, u.value(0), u.options, u.tag, u.call_id, u.error);
         }},
        {"resources/subscribe",
         [](const Use &u) {
             return mcp_client_subscribe_resource_start(u.client, u.value(0), u.options, u.tag, u.call_id, u.error);
         }},
        {"resources/unsubscribe",
         [](const Use &u) {
             return mcp_client_unsubscribe_resource_start(u.client, u.value(0), u.options, u.tag, u.call_id, u.error);
         }},
        {"prompts/get",
         [](const Use &u) {
             return mcp_client_get_prompt_start(u.client, u.value(0), u.value(1), u.options, u.tag, u.call_id, u.error);
         }},
        {"completion/complete",
         [](const Use &u) {
             return mcp_client_complete_start(u.client, u.value(0), u.value(1), u.value(2), u.value(3), u.options,
                                              u.tag, u.call_id, u.error);
         }},
        {"logging/setLevel",
         [](const Use &u) {
             return mcp_client_set_server_log_level_start(u.client, u.value(0), u.options, u.tag, u.call_id, u.error);
         }},
        {"ping", [](const Use &u) { return mcp_client_ping_start(u.client, u.options, u.tag, u.call_id, u.error); }},
        {"tasks/list",
         [](const Use &u) { return mcp_client_list_tasks_start(u.client, u.options, u.tag, u.call_id, u.error); }},
        {"tasks/get",
         [](const Use &u) {
             return mcp_client_get_task_start(u.client, u.value(0), u.options, u.tag, u.call_id, u.error);
         }},
        {"tasks/result",
         [](const Use &u) {
             return mcp_client_get_task_result_start(u.client, u.value(0), u.options, u.tag, u.call_id, u.error);
         }},
        {"tasks/cancel",
         [](const Use &u) {
             return mcp_client_cancel_task_start(u.client, u.value(0), u.options, u.tag, u.call_id, u.error);
         }},
        {"skills/list",
         [](const Use &u) { return mcp_client_list_skills_start(u.client, u.options, u.tag, u.call_id, u.error); }},
        {"skills/get",
         [](const Use &u) {
             return mcp_client_get_skill_start(u.client, u.value(0), u.options, u.tag, u.call_id, u.error);
         }},
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
