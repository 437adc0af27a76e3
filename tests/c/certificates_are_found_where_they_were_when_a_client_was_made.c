/*
 * SSL_CERT_FILE is read when a client is made, on the thread that makes it, and never after: what the host does with its
 * environment later changes nothing of what a client trusts, and no thread reads the environment while another changes it.
 *
 * getenv is this program's own here, which is how it knows who asks.
 */
/* valgrind: skip what the assembly of ring has written counts as uninitialised there, and so does what is decided with it */
/* asan: skip its runtime has getenv for itself */
/* tsan: skip its runtime has getenv for itself */
#include "http.h"

#include <stdatomic.h>

static atomic_bool forbidden;
static atomic_int asked;
static char last[64];

char *getenv(const char *name) {
    size_t length = strlen(name);
    if (atomic_load(&forbidden)) {
        atomic_fetch_add(&asked, 1);
        snprintf(last, sizeof last, "%s", name);
    }
    for (char **variable = environ; variable != NULL && *variable != NULL; variable++) {
        if (strncmp(*variable, name, length) == 0 && (*variable)[length] == '=') {
            return *variable + length + 1;
        }
    }
    return NULL;
}

static void trust(const char *folder, const char *file) {
    char *path = format("%s/%s", folder, file);
    CHECK_EQ(setenv("SSL_CERT_FILE", path, 1), 0);
    free(path);
}

static mcp_client_t *client_of(const struct server *server) {
    return client_of_config(format("{\"url\":\"https://localhost:%d/mcp\",\"proxy\":false}", server->port));
}

/* Connects without reading the environment. */
static mcp_status_t connects(mcp_client_t *client) {
    int32_t bound = patience();
    char *error = NULL;
    atomic_store(&forbidden, true);
    mcp_status_t status = mcp_client_connect(client, bound, &error);
    atomic_store(&forbidden, false);
    if (atomic_load(&asked) > 0) {
        FAIL("%s was read while connecting", last);
    }
    if (status != MCP_OK) {
        CHECK_CONTAINS(error, "certificate");
        mcp_string_free(error);
    }
    return status;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    char *folder = make_folder();
    struct server server = start_tls_server(argv[3], folder, NULL);
    trust(folder, "ca.pem");
    mcp_client_t *trusting = client_of(&server);
    trust(folder, "other-ca.pem");
    mcp_client_t *other = client_of(&server);
    CHECK_EQ(setenv("SSL_CERT_FILE", "/nowhere", 1), 0);
    CHECK_STATUS(connects(trusting), MCP_OK);
    check_echo(trusting, "trusted");
    trust(folder, "ca.pem");
    CHECK_STATUS(connects(other), MCP_ERROR_TRANSPORT);
    close_and_free(trusting);
    close_and_free(other);
    CHECK_EQ(unsetenv("SSL_CERT_FILE"), 0);
    stop_server(&server);
    remove_folder(folder);
    return 0;
}
