/* Calls tools of two servers through generated functions: live EXAMPLE EVERYTHING…; without arguments those of the broker at MCP_SOCKET. */
#include "chosen/parsed.h"
#include "everything/echo.h"
#include "example/add.h"
#include "example/echo.h"
#include "example/fail.h"

#include <stdio.h>

/* A client of a program, or without words of the broker. */
static mcp_client_t *started(char **words) {
    mcp_builder_t *builder = mcp_builder_new();
    const char *config = NULL;
    char *error = NULL;
    mcp_client_t *client = NULL;
    mcp_builder_begin_object(builder);
    if (words == NULL) {
        mcp_builder_key(builder, "socket");
        mcp_builder_string(builder, getenv("MCP_SOCKET"));
    } else {
        mcp_builder_key(builder, "command");
        mcp_builder_string(builder, words[0]);
        mcp_builder_key(builder, "args");
        mcp_builder_begin_array(builder);
        for (char **word = words + 1; *word != NULL; word++) mcp_builder_string(builder, *word);
        mcp_builder_end(builder);
    }
    mcp_builder_end(builder);
    if (mcp_builder_finish(builder, &config, NULL, &error) != MCP_OK || mcp_client_new(config, NULL, &client, &error) != MCP_OK) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    mcp_builder_free(builder);
    return client;
}

int main(int argc, char **argv) {
    if (argc < 3 && getenv("MCP_SOCKET") == NULL) return 2;
    char *error = NULL, *example[] = {argv[1], NULL};
    mcp_client_t *client = started(argc < 3 ? NULL : example);
    example_add_arguments_t numbers;
    example_add_result_t result;
    example_add_arguments_init(&numbers);
    numbers.a = 1.5;
    numbers.b = 2;
    if (example_add(client, &numbers, NULL, &result, &error) != MCP_OK) return fprintf(stderr, "%s\n", error), 1;
    printf("add %g\n", result.sum);
    example_add_result_free(&result);
    mcp_message_t *reply = NULL;
    example_echo_arguments_t text = {.text = "Hello"};
    if (example_echo(client, &text, NULL, &reply, &error) != MCP_OK) return fprintf(stderr, "%s\n", error), 1;
    printf("echo %s\n", mcp_message_text(reply, NULL));
    mcp_message_free(reply);
    chosen_parsed_arguments_t json = {.text = "{\"n\":7}"};
    chosen_parsed_result_t parsed;
    if (chosen_parsed(client, &json, NULL, &parsed, &error) != MCP_OK) return fprintf(stderr, "%s\n", error), 1;
    printf("parsed %d\n", (int)parsed.n);
    chosen_parsed_result_free(&parsed);
    if (example_fail(client, NULL, &reply, &error) == MCP_OK) return 1;
    printf("fail %s\n", error);
    mcp_string_free(error);
    mcp_client_free(client);
    if (argc < 3) return 0;

    client = started(argv + 2);
    everything_echo_arguments_t message = {.message = "Hello"};
    if (everything_echo(client, &message, NULL, &reply, &error) != MCP_OK) return fprintf(stderr, "%s\n", error), 1;
    printf("everything %s\n", mcp_message_text(reply, NULL));
    mcp_message_free(reply);
    return mcp_client_free(client) == MCP_OK ? 0 : 1;
}
