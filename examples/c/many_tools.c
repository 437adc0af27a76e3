/*
 * many_tools SERVER [ARGUMENT...]: prints the name of every tool of a server that may have tens of thousands, and how long
 * the listing and the reading took.
 *
 * A value is a place in the text of the reply. mcp_value_first() and mcp_value_next() read the text once from its beginning
 * to its end; mcp_value_at() and mcp_json_get() begin at the start each time, which takes quadratic time in a loop.
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>
#include <stdio.h>
#include <time.h>

static double now_ms(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static mcp_status_t open_client(char **words, mcp_client_t **client, char **error) {
    const char *config = NULL;
    mcp_builder_t *builder = mcp_builder_new();
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "command");
    mcp_builder_string(builder, *words);
    mcp_builder_key(builder, "args");
    mcp_builder_begin_array(builder);
    while (*++words != NULL) mcp_builder_string(builder, *words);
    mcp_builder_end(builder);
    mcp_builder_end(builder);
    mcp_status_t status = mcp_builder_finish(builder, &config, NULL, error);
    if (status == MCP_OK) status = mcp_client_new(config, NULL, client, error);
    if (status == MCP_OK) status = mcp_client_connect(*client, -1, error);
    mcp_builder_free(builder);
    return status;
}

int main(int argc, char **argv) {
    char *error = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    if (argc < 2) return fprintf(stderr, "usage: many_tools SERVER [ARGUMENT...]\n"), 2;
    mcp_status_t status = open_client(argv + 1, &client, &error);
    double begin = now_ms();
    /* All pages of the list as one reply. "limits" of the configuration has the most: 100,000 tools, 64 MiB, and 16 MiB on
     * one page. With {"one_page": true} and {"cursor": "..."} a program reads one page at a time. */
    if (status == MCP_OK) status = mcp_client_list_tools(client, NULL, &reply);
    if (status == MCP_OK) {
        double listed = now_ms();
        size_t count = 0;
        mcp_value_t tool = mcp_value_first(mcp_value_get(mcp_message_value(reply), "tools"));
        for (; mcp_value_type(tool) != MCP_JSON_ABSENT; tool = mcp_value_next(tool)) {
            size_t length = 0;
            const char *name = mcp_value_view(mcp_value_get(tool, "name"), &length); /* no copy, and so no NUL behind it */
            if (name != NULL) printf("%.*s\n", (int)length, name);
            count++;
        }
        fprintf(stderr, "%zu tools, listed in %.0f ms, read in %.0f ms\n", count, listed - begin, now_ms() - listed);
    } else {
        const char *why = reply != NULL ? mcp_message_json(reply, NULL) : error;
        fprintf(stderr, "%s\n", why != NULL ? why : mcp_status_name(status));
    }
    mcp_message_free(reply);
    mcp_client_free(client);
    mcp_string_free(error);
    return status == MCP_OK ? 0 : 1;
}
