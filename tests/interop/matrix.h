/*
 * What the compatibility matrix does with every server: reach it, call its tools, answer what it asks, count what comes.
 */
#ifndef MCP_INTEROP_MATRIX_H
#define MCP_INTEROP_MATRIX_H

#include "../c/http.h"
#include "listen.h"

/* A reply that must be a success. */
#define OK(status, reply)                                                                                    \
    do {                                                                                                     \
        if ((status) != MCP_OK) {                                                                            \
            FAIL("%s", mcp_message_json(reply, NULL));                                                       \
        }                                                                                                    \
    } while (0)

struct seen {
    int wanted;
    int progress;
    int requests;
    /* The parameters of the last notification that was wanted; free() them. */
    char *last;
};

/* Starts a plan's tool: [tool, arguments, ...]. */
static inline uint64_t start(mcp_client_t *client, const char *plan, const char *options) {
    char *tool = json_at(plan, "/0"), *arguments = json_at(plan, "/1");
    uint64_t call = start_tool(client, tool, arguments, options, 1);
    mcp_string_free(arguments);
    mcp_string_free(tool);
    return call;
}

/* Answers as a person would who agrees, and a model that says hello. */
static inline void answer(mcp_message_t *request) {
    char *error = NULL;
    mcp_status_t status = MCP_ERROR_INTERNAL;
    const char *params = mcp_message_json(request, NULL);
    switch (mcp_message_topic(request)) {
    case MCP_TOPIC_ELICITATION:
        if (json_is(params, "/mode", "url")) {
            CHECK(json_has(params, "/url"));
            status = mcp_request_respond_elicitation(request, "accept", NULL, &error);
        } else {
            CHECK(json_has(params, "/requestedSchema/properties"));
            status = mcp_request_respond_elicitation(request, "accept", "{\"name\":\"Ada\",\"answer\":\"Ada\"}",
                                                    &error);
        }
        break;
    case MCP_TOPIC_SAMPLING:
        CHECK(json_has(params, "/messages/0/content"));
        status = mcp_request_respond(request,
                                     "{\"role\":\"assistant\",\"model\":\"none\",\"content\":{\"type\":\"text\",\"text\":\"hello Ada\"}}",
                                     &error);
        break;
    default: FAIL("not expected: %s", mcp_message_method(request));
    }
    if (status != MCP_OK) {
        FAIL("%s: %s", mcp_message_method(request), error != NULL ? error : mcp_status_name(status));
    }
}

/* Waits for the reply of what was started, for so many notifications of a topic, and so many reports of progress; these
 * must all come before the reply. */
static inline mcp_message_t *finish(mcp_client_t *client, struct seen *seen, mcp_topic_t topic, int wanted, int progress) {
    mcp_message_t *reply = NULL;
    long long deadline = now_ms() + patience();
    while (reply == NULL || seen->wanted < wanted) {
        mcp_message_t *message = NULL;
        long long left = deadline - now_ms();
        if (left <= 0 || mcp_client_poll(client, (int32_t)left, &message) != MCP_OK) {
            FAIL("seen: %d of %d notifications, %s reply", seen->wanted, wanted, reply != NULL ? "a" : "no");
        }
        switch (mcp_message_kind(message)) {
        case MCP_KIND_REPLY:
            CHECK(reply == NULL);
            CHECK_GE(seen->progress, progress);
            reply = message;
            continue;
        case MCP_KIND_NOTIFICATION:
            if (wanted > 0 && mcp_message_topic(message) == topic) {
                seen->wanted++;
                free(seen->last);
                seen->last = format("%s", mcp_message_json(message, NULL));
            }
            break;
        case MCP_KIND_PROGRESS:
            CHECK_EQ(mcp_message_tag(message), 1);
            CHECK(reply == NULL);
            seen->progress++;
            break;
        case MCP_KIND_REQUEST:
            seen->requests++;
            answer(message);
            break;
        default: break;
        }
        mcp_message_free(message);
    }
    return reply;
}

/* That a tool says what its plan has as the third element. */
static inline void check_part(mcp_message_t *reply, const char *plan) {
    char *part = json_at(plan, "/2");
    const char *json = mcp_message_json(reply, NULL);
    if (mcp_message_status(reply) != MCP_OK || json_is(json, "/isError", "true")) {
        FAIL("%s", json);
    }
    CHECK_CONTAINS(json, part);
    mcp_string_free(part);
    mcp_message_free(reply);
}

static inline void call_and_check(mcp_client_t *client, const char *plan, struct seen *seen) {
    start(client, plan, NULL);
    check_part(finish(client, seen, MCP_TOPIC_UNKNOWN, 0, 0), plan);
}

/* What the command line says. */
struct peer {
    const char *revision;
    const char *plan;
    /* stdio, http or sse. */
    const char *transport;
    /* Where it is over HTTP; else `command` starts it for each client. */
    const char *path;
    char **command;
    struct server server;
};

static inline struct peer peer_of(int argc, char **argv) {
    CHECK_GE(argc, 5);
    struct peer peer = {.revision = argv[1], .plan = argv[2], .transport = argv[3], .command = argv + 4};
    if (strcmp(peer.transport, "stdio") != 0) {
        CHECK_GE(argc, 7);
        peer.path = argv[5];
        peer.command = argv + 6;
        CHECK_EQ(setenv("PORT", argv[4], 1), 0);
        peer.server = listening(peer.command, atoi(argv[4]));
    }
    return peer;
}

/* A client that is connected to the server, with `more` in its config, and what the plan has for it. */
static inline mcp_client_t *reach(const struct peer *peer, const char *more) {
    char *own = json_has(peer->plan, "/config") ? json_at(peer->plan, "/config") : NULL;
    /* Only who may speak 2024-11-05 goes over to HTTP+SSE. */
    const char *older = strcmp(peer->transport, "sse") == 0 ? ",\"2024-11-05\"" : "";
    char *members = format("\"protocol\":[\"%s\"%s],\"cache\":{\"ttl_ms\":{\"tools/list\":60000}},"
                           "\"timeouts\":{\"initialize_ms\":60000,\"probe_ms\":60000},"
                           "\"capabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{}},%s%s",
                           peer->revision, older, own != NULL ? own : "\"roots\":[\"file:///matrix\"]", more);
    mcp_client_t *client = peer->path == NULL
                               ? new_client(peer->command[0], (const char *const *)(peer->command + 1), members)
                               : client_at(&peer->server, peer->path, members);
    /* Interpreters start slowly where much else runs. */
    char *error = NULL;
    if (mcp_client_connect(client, 60000, &error) != MCP_OK) {
        FAIL("not connected: %s", error);
    }
    free(members);
    mcp_string_free(own);
    char *info = info_of(client);
    if (!json_is(info, "/revision", peer->revision)) {
        FAIL("the revision is not %s: %s", peer->revision, info);
    }
    mcp_string_free(info);
    return client;
}

#endif
