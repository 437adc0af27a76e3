/* folder_server: the files below a folder as resources, and nothing outside of it.
 *
 *   ./folder_server ~/notes        as the command of a client: notes:///today.txt is the file today.txt
 */
#include <mcp.h>
#include <signal.h>
#include <stdio.h>

static const char NOTES[] = "{\"name\": \"notes\", \"title\": \"The files of the folder\", \"uriTemplate\": \"notes:///{+path}\"}";
static const char ABOUT[] = "{\"name\": \"about\", \"uri\": \"notes:///\", \"mimeType\": \"text/plain\"}";

static mcp_server_t *server;

/* SIGINT or SIGTERM: mcp_server_run() returns MCP_WOKEN. A second one ends the program at once. */
static void on_end(int number) {
    signal(number, SIG_DFL);
    mcp_queue_wake(mcp_server_queue(server));
}

int main(int argc, char **argv) {
    char *error = NULL;
    const char *folder = argc > 1 ? argv[1] : ".";
    mcp_status_t status = mcp_server_new("{\"name\": \"folder\", \"version\": \"1.0\"}", NULL, &server, &error);
    signal(SIGINT, on_end), signal(SIGTERM, on_end);
    if (status != MCP_OK || mcp_server_add_folder(server, NOTES, folder, &error) != MCP_OK ||
        mcp_server_add_text(server, ABOUT, "Read notes:///NAME, with the name of a file.", &error) != MCP_OK ||
        mcp_server_serve(server, "{\"stdio\": true}", NULL, &error) != MCP_OK) {
        fprintf(stderr, "%s\n", error);
        return mcp_string_free(error), mcp_server_free(server), 1;
    }
    status = mcp_server_run(server, -1);
    mcp_server_free(server);
    return status == MCP_ERROR_CLOSED || status == MCP_WOKEN ? 0 : 1;
}
