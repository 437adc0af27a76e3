/*
 * Features of the compatibility matrix that a client has for itself, because they need a setting of its own: tasks, skills,
 * tool modes.
 */
#ifndef MCP_INTEROP_EXTENSIONS_H
#define MCP_INTEROP_EXTENSIONS_H

#include "matrix.h"

static inline uint64_t start_task(mcp_client_t *client, const char *tool, const char *arguments) {
    uint64_t call = 0;
    char *error = NULL;
    if (mcp_client_call_tool_start(client, tool, arguments, "{\"task\":true}", 1, &call, &error) != MCP_OK) {
        FAIL("%s not started: %s", tool, error);
    }
    return call;
}

static inline bool has_status(mcp_client_t *client, const char *task, const char *status) {
    mcp_message_t *reply = NULL;
    OK(mcp_client_get_task(client, task, NULL, &reply), reply);
    bool has = json_is(mcp_message_json(reply, NULL), "/status", status);
    mcp_message_free(reply);
    return has;
}

/* The name of the task that a call has become. A server may tell of it before it has told whose it is. */
static inline char *name_of_task(mcp_client_t *client, uint64_t call) {
    for (;;) {
        mcp_message_t *state = next_of_kind(client, MCP_KIND_NOTIFICATION);
        bool is_ours = mcp_message_topic(state) == MCP_TOPIC_TASK && mcp_message_call_id(state) == call;
        char *task = is_ours ? json_at(mcp_message_json(state, NULL), "/taskId") : NULL;
        mcp_message_free(state);
        if (task != NULL) {
            return task;
        }
    }
}

/* [tool, arguments, part of what it says, arguments with which it takes long]: by its call, by its name, and cancelled */
static inline void tasks(mcp_client_t *client, const char *plan) {
    char *tool = json_at(plan, "/0"), *arguments = json_at(plan, "/1"), *part = json_at(plan, "/2");
    char *longer = json_at(plan, "/3");
    struct seen seen = {0};
    uint64_t call = start_task(client, tool, arguments);
    mcp_message_t *reply = finish(client, &seen, MCP_TOPIC_TASK, 2, 0);
    CHECK_EQ(mcp_message_call_id(reply), call);
    check_part(reply, plan);
    CHECK(json_is(seen.last, "/status", "completed"));
    char *task = json_at(seen.last, "/taskId");
    CHECK(has_status(client, task, "completed"));
    OK(mcp_client_get_task_result(client, task, NULL, &reply), reply);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), part);
    mcp_message_free(reply);
    mcp_string_free(task);
    free(seen.last);
    drain(client);

    call = start_task(client, tool, longer);
    task = name_of_task(client, call);
    CHECK_STATUS(mcp_call_cancel(client, call, "no longer wanted"), MCP_OK);
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    /* Over HTTP the request that cancels it may be overtaken. */
    UNTIL(has_status(client, task, "cancelled"));
    mcp_string_free(task);
    mcp_string_free(longer);
    mcp_string_free(part);
    mcp_string_free(arguments);
    mcp_string_free(tool);
}

/* [URI of a SKILL.md, part of its text, path of another file, part of its text] */
static inline void skills(mcp_client_t *client, const char *plan) {
    char *uri = json_at(plan, "/0"), *part = json_at(plan, "/1"), *path = json_at(plan, "/2");
    char *more = json_at(plan, "/3");
    mcp_message_t *reply = NULL, *entry = NULL;
    OK(mcp_call(client, "skills/list", NULL, NULL, &reply), reply);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), uri);
    mcp_message_free(reply);
    char *which = format("{\"uri\":\"%s\"}", uri);
    OK(mcp_call(client, "skills/get", which, NULL, &entry), entry);
    free(which);
    const char *held = mcp_message_json(entry, NULL);
    OK(mcp_client_load_skill(client, held, NULL, &reply), reply);
    CHECK_CONTAINS(mcp_message_text(reply, NULL), part);
    mcp_message_free(reply);
    OK(mcp_client_read_skill_file(client, held, path, NULL, &reply), reply);
    CHECK_CONTAINS(mcp_message_text(reply, NULL), more);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_read_skill_file(client, held, "not/listed.md", NULL, NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    mcp_message_free(entry);
    mcp_string_free(more);
    mcp_string_free(path);
    mcp_string_free(part);
    mcp_string_free(uri);
}

/* [tool, arguments]: a stateful one that takes a moment and says {"session":...,"at_once":...}: calls that are made together
 * run one after the other, in the same session */
static inline void tool_modes(mcp_client_t *client, const char *plan) {
    enum { CALLS = 3 };
    char *tool = json_at(plan, "/0"), *arguments = json_at(plan, "/1"), *session = NULL;
    for (uint64_t tag = 1; tag <= CALLS; tag++) {
        start_tool(client, tool, arguments, NULL, tag);
    }
    for (uint64_t tag = 1; tag <= CALLS; tag++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_EQ(mcp_message_tag(reply), tag);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        const char *said = mcp_message_text(reply, NULL);
        CHECK(json_is(said, "/at_once", "1"));
        char *own = json_at(said, "/session");
        CHECK_EQ(strlen(own), 32);
        if (session != NULL) {
            CHECK_TEXT(own, session);
            mcp_string_free(session);
        }
        session = own;
        mcp_message_free(reply);
    }
    char *info = info_of(client);
    CHECK(json_is(info, "/tool_modes/session_required", "true"));
    mcp_string_free(info);
    mcp_string_free(session);
    mcp_string_free(arguments);
    mcp_string_free(tool);
}

#endif
