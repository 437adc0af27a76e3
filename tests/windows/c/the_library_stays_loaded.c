/*
 * FreeLibrary leaves the library in place once a thread of it has run: the thread, or one of the system's pool, may still be in it.
 * The program is not linked to the library.
 */
#include <windows.h>

#include <stdio.h>

typedef int (*new_client)(const char *config, void *queue, void **client, char **error);
typedef int (*list_tools)(void *client, const char *options, void **reply);
typedef void (*free_message)(void *message);
typedef int (*free_client)(void *client);

#define FUNCTION(type, name) type name = (type)(void *)GetProcAddress(library, "mcp_" #name)

int main(int argc, char **argv) {
    for (int round = 0; round < 3; round++) {
        HMODULE library = LoadLibraryA("mcp.dll");
        if (argc != 3 || library == NULL) {
            return fprintf(stderr, "no library\n"), 1;
        }
        FUNCTION(new_client, client_new);
        FUNCTION(list_tools, client_list_tools);
        FUNCTION(free_message, message_free);
        FUNCTION(free_client, client_free);
        char config[1024];
        void *client = NULL;
        void *reply = NULL;
        /* The path has no character that JSON would need written in another way. */
        snprintf(config, sizeof config, "{\"command\":\"%s\"}", argv[1]);
        if (client_new(config, NULL, &client, NULL) != 0 || client_list_tools(client, NULL, &reply) != 0) {
            return fprintf(stderr, "no tools in round %d\n", round), 1;
        }
        message_free(reply);
        if (client_free(client) != 0) {
            return fprintf(stderr, "not freed\n"), 1;
        }
        FreeLibrary(library);
        if (GetModuleHandleA("mcp.dll") != library) {
            return fprintf(stderr, "it was unloaded in round %d\n", round), 1;
        }
    }
    return 0;
}
