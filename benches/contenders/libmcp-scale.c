/* What a server with many tools costs, and a client that has listed them: `libmcp-scale N` has N tools, which all have the same schemas,
 * in a server and a client of this process. It prints processor time in ns (to add a tool, to list one by pages, for a call by name before
 * and after the client has listed all and checks results) and the bytes of a tool in the server and in the client. */
#define _GNU_SOURCE
#include "echo.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CALLS 20000

static mcp_client_t *client;
static long tools;

static uint64_t cpu_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* What is allocated, without what the allocator keeps. */
static size_t allocated(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void on_call(void *user, mcp_message_t *request)
{
    (void)user;
    char *error = NULL;
    check(mcp_request_respond(request, "{\"content\":[],\"structuredContent\":{\"sum\":3}}", &error), error, "respond");
    mcp_message_free(request);
}

static void add_tools(mcp_server_t *server)
{
    char definition[640], *error = NULL;
    for (long i = 0; i < tools; i++) {
        snprintf(definition, sizeof definition,
                 "{\"name\":\"tool_%ld\",\"description\":\"Adds two numbers, as number %ld of the tools of this server\",\"inputSchema\":"
                 "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"},\"b\":{\"type\":\"number\"}},\"required\":[\"a\",\"b\"]},"
                 "\"outputSchema\":{\"type\":\"object\",\"properties\":{\"sum\":{\"type\":\"number\"}},\"required\":[\"sum\"]}}",
                 i, i);
        check(mcp_server_add_tool(server, definition, on_call, NULL, NULL, &error), error, "add_tool");
    }
}

static void *serve(void *server)
{
    mcp_status_t status = mcp_server_run(server, -1);
    if (status != MCP_ERROR_CLOSED)
        fail("run: %s", mcp_status_name(status));
    return NULL;
}

/* Calls tools all over the list, so that no two calls name the same one soon. */
static uint64_t call_cost(void)
{
    uint64_t start = cpu_ns();
    for (long i = 0; i < CALLS; i++) {
        char name[32];
        mcp_message_t *reply = NULL;
        snprintf(name, sizeof name, "tool_%ld", i * 7919 % tools);
        if (mcp_client_call_tool(client, name, "{\"a\":1,\"b\":2}", NULL, &reply) != MCP_OK)
            fail("%s: %s", name, mcp_message_json(reply, NULL));
        mcp_message_free(reply);
    }
    return (cpu_ns() - start) / CALLS;
}

static void list_all(void)
{
    mcp_message_t *reply = NULL;
    if (mcp_client_list_tools(client, NULL, &reply) != MCP_OK)
        fail("list: %s", mcp_message_json(reply, NULL));
    long count = 0;
    mcp_value_t tool = mcp_value_first(mcp_value_get(mcp_message_value(reply), "tools"));
    for (; mcp_value_type(tool) != MCP_JSON_ABSENT; tool = mcp_value_next(tool))
        count++;
    if (count != tools)
        fail("%ld tools of %ld", count, tools);
    mcp_message_free(reply);
}

int main(int count, char **words)
{
    mcp_server_t *server = NULL;
    pthread_t serving;
    char *error = NULL;
    tools = count == 2 ? atol(words[1]) : 0;
    if (tools <= 0)
        fail("usage: libmcp-scale TOOLS");
    check(mcp_server_new("{\"name\":\"scale\",\"version\":\"1\"}", NULL, &server, &error), error, "server_new");
    size_t empty = allocated();
    uint64_t start = cpu_ns();
    add_tools(server);
    uint64_t add = (cpu_ns() - start) / (uint64_t)tools;
    size_t served = (allocated() - empty) / (size_t)tools;
    if (pthread_create(&serving, NULL, serve, server) != 0)
        fail("no thread");
    check(mcp_client_new_in_process("{\"limits\":{\"list_items\":1000000}}", NULL, server, &client, &error), error, "client");
    check(mcp_client_connect(client, 30000, &error), error, "connect");
    uint64_t call = call_cost();
    size_t unlisted = allocated();
    start = cpu_ns();
    list_all();
    uint64_t list = (cpu_ns() - start) / (uint64_t)tools;
    size_t known = (allocated() - unlisted) / (size_t)tools;
    printf("%llu %llu %llu %llu %zu %zu\n", (unsigned long long)add, (unsigned long long)list, (unsigned long long)call,
           (unsigned long long)call_cost(), served, known);
    mcp_client_free(client);
    check(mcp_server_close(server, -1), NULL, "close");
    pthread_join(serving, NULL);
    check(mcp_server_free(server), NULL, "free");
    return 0;
}
