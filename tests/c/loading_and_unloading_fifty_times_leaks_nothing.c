/*
 * The shared library (its path is in the environment variable MCP_SHARED_LIBRARY) is loaded with dlopen, used
 * and unloaded with dlclose fifty times. Each time a client works, and afterwards no thread, descriptor or
 * child is left. Link this program without the library, or dlopen only counts a reference.
 */
#include "check.h"

#include <dlfcn.h>

/* Looks a function up; the detour through an object pointer is what POSIX asks for. */
#define LOOK_UP(library, function)                                                                           \
    do {                                                                                                     \
        *(void **)&function = dlsym(library, "mcp_" #function);                                              \
        if (function == NULL) {                                                                              \
            FAIL("mcp_" #function ": %s", dlerror());                                                        \
        }                                                                                                    \
    } while (0)

static void use(void *library, const char *config) {
    mcp_status_t (*client_new)(const char *, mcp_queue_t *, mcp_client_t **, char **) = NULL;
    mcp_status_t (*call)(mcp_client_t *, const char *, const char *, const char *, mcp_message_t **) = NULL;
    mcp_status_t (*message_free)(mcp_message_t *) = NULL;
    mcp_status_t (*client_free)(mcp_client_t *) = NULL;
    uint32_t (*abi_version)(void) = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    LOOK_UP(library, client_new);
    LOOK_UP(library, call);
    LOOK_UP(library, message_free);
    LOOK_UP(library, client_free);
    LOOK_UP(library, abi_version);
    CHECK_EQ(abi_version(), MCP_ABI_VERSION);
    CHECK_EQ(client_new(config, NULL, &client, NULL), MCP_OK);
    CHECK_EQ(call(client, "tools/list", NULL, NULL, &reply), MCP_OK);
    CHECK_EQ(message_free(reply), MCP_OK);
    CHECK_EQ(client_free(client), MCP_OK);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    const char *path = getenv("MCP_SHARED_LIBRARY");
    if (path == NULL) {
        FAIL("MCP_SHARED_LIBRARY is not set: it names the shared library to load");
    }
    char *config = format("{\"command\":\"%s\"}", argv[1]);
    struct holdings before = holdings_now();
    for (int i = 0; i < scaled(50, 3); i++) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            FAIL("%s", dlerror());
        }
        use(library, config);
        CHECK_EQ(dlclose(library), 0);
    }
    free(config);
    check_nothing_left(before);
    return 0;
}
