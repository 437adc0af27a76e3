/*
 * A client of a server over pipes starts one thread, the one that starts the server and reads for it, and reads no certificates:
 * nothing of HTTP begins before a client with a "url" needs it. The file with the certificates is a pipe with a name, which
 * can be opened for writing without a wait as soon as a thread reads it, and not before.
 */
/* tsan: skip its runtime begins a thread of its own with the first one of the program */
#include "http.h"

#include <sys/stat.h>

static int open_for_a_reader(const char *path) { return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC); }

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    char *folder = make_folder();
    char *path = format("%s/certificates", folder);
    CHECK_EQ(mkfifo(path, 0600), 0);
    CHECK_EQ(setenv("SSL_CERT_FILE", path, 1), 0);

    int before = count_threads();
    mcp_client_t *client = new_client(argv[1], NULL, NULL);
    check_echo(client, "called");
    start_tool(client, "echo", "{\"text\":\"started\"}", NULL, 1);
    mcp_message_t *message = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_TEXT(mcp_message_text(message, NULL), "started");
    mcp_message_free(message);
    CHECK_EQ(count_threads(), before + 1);
    CHECK_EQ(open_for_a_reader(path), -1);
    CHECK_EQ(errno, ENXIO);
    close_and_free(client);

    /* That it would have been seen: a client that needs them reads them. */
    client = client_of_config(strdup("{\"url\":\"https://localhost:9/mcp\",\"proxy\":false}"));
    start_tool(client, "echo", "{\"text\":\"\"}", NULL, 2);
    int writer = -1;
    UNTIL((writer = open_for_a_reader(path)) >= 0);
    CHECK_EQ(close(writer), 0);
    message = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_TRANSPORT);
    mcp_message_free(message);
    close_and_free(client);
    CHECK_EQ(unsetenv("SSL_CERT_FILE"), 0);
    CHECK_EQ(unlink(path), 0);
    free(path);
    remove_folder(folder);
    return 0;
}
