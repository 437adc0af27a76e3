/* folder_server: the files below a folder as resources, and nothing outside of it.
 *
 *   ./folder_server ~/notes        as the command of a client: notes:///today.txt is the file today.txt
 */
#include <mcp.h>
#include <stdio.h>

static const char NOTES[] = "{\"name\": \"notes\", \"title\": \"The files of the folder\", \"uriTemplate\": \"notes:///{+path}\"}";
static const char ABOUT[] = "{\"name\": \"about\", \"uri\": \"notes:///\", \"mimeType\": \"text/plain\"}";

int main(int argc, char **argv) {
    char *error = NULL;
    mcp_server_t *server = NULL;
    const char *folder = argc > 1 ? argv[1] : ".";
    if (mcp_server_new("{\"name\": \"folder\", \"version\": \"1.0\"}", NULL, &server, &error) != MCP_OK ||
        mcp_server_add_folder(server, NOTES, folder, &error) != MCP_OK ||
        mcp_server_add_text(server, ABOUT, "Read notes:///NAME, with the name of a file.", &error) != MCP_OK ||
        mcp_server_serve(server, "{\"stdio\": true}", NULL, &error) != MCP_OK) {
        fprintf(stderr, "%s\n", error);
        return mcp_string_free(error), mcp_server_free(server), 1;
    }
    mcp_status_t status = mcp_server_run(server, -1);
    mcp_server_free(server);
    return status == MCP_ERROR_CLOSED ? 0 : 1;
}
