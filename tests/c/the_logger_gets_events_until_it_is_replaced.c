/*
 * mcp_log_set_logger: the function gets one JSON object per event with the level asked for or a graver one, among
 * them the stable names of requests and connection changes and the server's stderr lines. After it was
 * replaced it runs no more, and its destroy function runs exactly once.
 */
#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct logbook {
    int32_t level; /* what was asked for */
    int events;
    int destroyed;
    bool request;
    bool transition;
    bool standard_error;
};

static void note(void *user, int32_t level, const char *event_json) {
    struct logbook *book = user;
    pthread_mutex_lock(&lock);
    CHECK_EQ(book->destroyed, 0);
    CHECK_GE(level, MCP_LOG_ERROR);
    CHECK_LE(level, book->level);
    CHECK_EQ(event_json[0], '{');
    CHECK(json_has(event_json, ""));
    book->events++;
    book->request = book->request || strstr(event_json, "\"request.start\"") != NULL;
    book->transition = book->transition || strstr(event_json, "\"connection.transition\"") != NULL;
    book->standard_error = book->standard_error || strstr(event_json, "mcp-example-server") != NULL;
    pthread_mutex_unlock(&lock);
}

static void destroy(void *user) {
    struct logbook *book = user;
    pthread_mutex_lock(&lock);
    book->destroyed++;
    pthread_mutex_unlock(&lock);
}

static struct logbook look(struct logbook *book) {
    pthread_mutex_lock(&lock);
    struct logbook copy = *book;
    pthread_mutex_unlock(&lock);
    return copy;
}

static void live(const char *server) {
    mcp_client_t *client = connected(server, NULL, NULL);
    check_echo(client, "worth a line");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct logbook loud = {.level = MCP_LOG_TRACE};
    struct logbook quiet = {.level = MCP_LOG_ERROR};
    CHECK_STATUS(mcp_log_set_logger(note, MCP_LOG_TRACE, &loud, destroy), MCP_OK);
    live(argv[1]);
    UNTIL(look(&loud).request && look(&loud).transition && look(&loud).standard_error);

    CHECK_STATUS(mcp_log_set_logger(note, MCP_LOG_ERROR, &quiet, destroy), MCP_OK);
    UNTIL(look(&loud).destroyed == 1);
    int events = look(&loud).events;
    live(argv[1]);
    CHECK_EQ(look(&loud).events, events);

    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    UNTIL(look(&quiet).destroyed == 1);
    events = look(&quiet).events;
    live(argv[1]);
    CHECK_EQ(look(&quiet).events, events);
    CHECK_EQ(look(&loud).destroyed, 1);
    return 0;
}
