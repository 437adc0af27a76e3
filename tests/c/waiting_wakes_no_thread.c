/*
 * A program that waits costs nothing: neither an idle mcp_client_poll without a bound nor a long blocking call has the
 * library's own thread wake up now and then. Counted are the voluntary context switches of the thread.
 */
#include "check.h"

/* Under Valgrind the threads take turns, and each turn counts. */
static int a_handful(void) { return scale() > 1 ? 40 : 6; }

/* How often the library's thread has gone to sleep. */
static long long sleeps(void) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    long long count = -1;
    CHECK(tasks != NULL);
    while ((task = readdir(tasks)) != NULL) {
        char path[300];
        char line[256];
        bool ours = false;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
        FILE *status = isdigit((unsigned char)task->d_name[0]) ? fopen(path, "re") : NULL;
        while (status != NULL && fgets(line, sizeof line, status) != NULL) {
            ours = ours || strcmp(line, "Name:\tlibmcp\n") == 0;
            if (ours && strncmp(line, "voluntary_ctxt_switches:", 24) == 0) {
                count = atoll(line + 24);
            }
        }
        if (status != NULL) {
            fclose(status);
        }
    }
    closedir(tasks);
    CHECK_GE(count, 0);
    return count;
}

static void call_slow(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "slow", "{\"ms\":700}", "{\"timeout_ms\":60000}");
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
}

static void *poll_until_closed(void *argument) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    while ((status = mcp_client_poll(argument, -1, &message)) == MCP_OK) {
        mcp_message_free(message);
    }
    CHECK_STATUS(status, MCP_ERROR_CLOSED);
    return NULL;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    mcp_client_t *other = connected(argv[1], NULL, NULL);
    check_echo(client, "all has begun");
    drain(client);

    long long before = sleeps();
    call_slow(client); /* this thread waits for the answer */
    CHECK_LE(sleeps() - before, a_handful());

    pthread_t poller = start_thread(poll_until_closed, client);
    check_echo(client, "the other thread waits too");
    before = sleeps();
    poll(NULL, 0, 700); /* the time that is looked at, not a wait for anything */
    CHECK_LE(sleeps() - before, a_handful());

    before = sleeps();
    call_slow(other); /* one waits in vain, one for an answer */
    CHECK_LE(sleeps() - before, a_handful());

    close_and_free(other);
    CHECK_STATUS(mcp_client_close(client, -1), MCP_OK);
    join_thread(poller);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    return 0;
}
