/*
 * A server ends with its client, and with a host that is killed and says nothing: the job that it is in ends then. A server that was
 * killed is told by its exit status.
 */
#include "check.h"

static bool runs(pid_t pid) { return kill(pid, 0) == 0; }

/* Starts a server, tells its process id in a file, and waits to be killed. */
static int be_host(const char *server, const char *file) {
    mcp_client_t *client = connected(server, NULL, NULL);
    FILE *told = fopen(file, "w");
    CHECK(told != NULL);
    CHECK_GE(fprintf(told, "%ld %ld\n", (long)getpid(), (long)server_pid(client)), 1);
    CHECK_EQ(fclose(told), 0);
    for (;;) {
        breathe();
    }
}

int main(int argc, char **argv) {
    CHECK_GE(argc, 3);
    if (strcmp(argv[1], "host") == 0) {
        return be_host(argv[2], argv[3]);
    }
    mcp_client_t *client = connected(argv[1], NULL, "\"reconnect\":false");
    pid_t pid = server_pid(client);
    CHECK(runs(pid));
    close_and_free(client);
    UNTIL(!runs(pid));

    client = connected(argv[1], NULL, "\"reconnect\":false");
    pid = server_pid(client);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", NULL);
    CHECK_NE(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    close_and_free(client);

    /* A host that serves as the client's server: it starts one of its own, and tells of it in a file. */
    const char *file = "a_server_ends_with_its_host.txt";
    remove(file);
    char *config = config_for(argv[0], ARGS("host", argv[1], file), "\"reconnect\":false,\"timeouts\":{\"start_ms\":60000}");
    CHECK_STATUS(mcp_client_new(config, NULL, &client, NULL), MCP_OK);
    free(config);
    CHECK_STATUS(mcp_call_start(client, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_OK);
    long host = 0;
    long server = 0;
    FILE *told = NULL;
    UNTIL((told = fopen(file, "r")) != NULL && (fscanf(told, "%ld %ld\n", &host, &server) == 2 || fclose(told) != 0));
    fclose(told);
    CHECK(runs((pid_t)host));
    CHECK(runs((pid_t)server));
    CHECK_EQ(kill((pid_t)host, SIGKILL), 0);
    UNTIL(!runs((pid_t)host));
    UNTIL(!runs((pid_t)server));
    close_and_free(client);
    remove(file);
    return 0;
}
