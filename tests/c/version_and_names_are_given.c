/*
 * The library says its version and its ABI number, and every status, kind, topic and state has a name that stays the
 * same: bindings build their tables from them. Numbers that mean nothing have a name too, so that printing is
 * always safe.
 */
#include "check.h"

struct name {
    int32_t number;
    const char *name;
};

static const struct name STATUSES[] = {
    {MCP_OK, "ok"},
    {MCP_EMPTY, "empty"},
    {MCP_WOKEN, "woken"},
    {MCP_INVALID_ARGUMENT, "invalid_argument"},
    {MCP_TIMEOUT, "timeout"},
    {MCP_CANCELLED, "cancelled"},
    {MCP_UNAVAILABLE, "unavailable"},
    {MCP_TRANSPORT, "transport"},
    {MCP_PROTOCOL, "protocol"},
    {MCP_SERVER, "server"},
    {MCP_UNSUPPORTED, "unsupported"},
    {MCP_BACKPRESSURE, "backpressure"},
    {MCP_TOO_LARGE, "too_large"},
    {MCP_AUTH, "auth"},
    {MCP_CLOSED, "closed"},
    {MCP_FORKED, "forked"},
    {MCP_INTERNAL, "internal"},
};

static const struct name KINDS[] = {
    {MCP_KIND_REPLY, "reply"},     {MCP_KIND_NOTIFICATION, "notification"},
    {MCP_KIND_REQUEST, "request"}, {MCP_KIND_PROGRESS, "progress"},
    {MCP_KIND_STATE, "state"},     {MCP_KIND_AUTH, "auth"},
    {MCP_KIND_LOG, "log"},         {MCP_KIND_LOST, "lost"},
};

static const struct name TOPICS[] = {
    {MCP_TOPIC_NONE, "none"},
    {MCP_TOPIC_UNKNOWN, "unknown"},
    {MCP_TOPIC_TOOLS_CHANGED, "tools_changed"},
    {MCP_TOPIC_RESOURCES_CHANGED, "resources_changed"},
    {MCP_TOPIC_PROMPTS_CHANGED, "prompts_changed"},
    {MCP_TOPIC_RESOURCE_UPDATED, "resource_updated"},
    {MCP_TOPIC_LOG, "log"},
    {MCP_TOPIC_PROGRESS, "progress"},
    {MCP_TOPIC_CANCELLED, "cancelled"},
    {MCP_TOPIC_TASK, "task"},
    {MCP_TOPIC_ELICITATION_COMPLETE, "elicitation_complete"},
    {MCP_TOPIC_SUBSCRIBED, "subscribed"},
    {MCP_TOPIC_SAMPLING, "sampling"},
    {MCP_TOPIC_ELICITATION, "elicitation"},
    {MCP_TOPIC_ROOTS, "roots"},
};

static const struct name STATES[] = {
    {MCP_STATE_IDLE, "idle"},     {MCP_STATE_STARTING, "starting"}, {MCP_STATE_INITIALIZING, "initializing"},
    {MCP_STATE_READY, "ready"},   {MCP_STATE_BACKOFF, "backoff"},   {MCP_STATE_CLOSING, "closing"},
    {MCP_STATE_CLOSED, "closed"},
};

int main(void) {
    int part = 0;
    CHECK_EQ(sscanf(mcp_version(), "%d.%d.%d", &part, &part, &part), 3);
    CHECK_EQ(mcp_abi_version(), MCP_ABI_VERSION);
    CHECK(MCP_ABI_MATCHES());
    for (size_t i = 0; i < sizeof STATUSES / sizeof STATUSES[0]; i++) {
        CHECK_TEXT(mcp_status_name(STATUSES[i].number), STATUSES[i].name);
    }
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        CHECK_TEXT(mcp_kind_name(KINDS[i].number), KINDS[i].name);
    }
    for (size_t i = 0; i < sizeof STATES / sizeof STATES[0]; i++) {
        CHECK_TEXT(mcp_state_name(STATES[i].number), STATES[i].name);
    }
    for (size_t i = 0; i < sizeof TOPICS / sizeof TOPICS[0]; i++) {
        CHECK_TEXT(mcp_topic_name(TOPICS[i].number), TOPICS[i].name);
    }
    const int32_t unknown[] = {99, -99, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        CHECK(mcp_status_name(unknown[i]) != NULL);
        CHECK(mcp_kind_name(unknown[i]) != NULL);
        CHECK(mcp_topic_name(unknown[i]) != NULL);
        CHECK(mcp_state_name(unknown[i]) != NULL);
    }
    return 0;
}
