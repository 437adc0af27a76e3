/*
 * agent FILE: a terminal agent for every server of an "mcpServers" file. Lines "SERVER TOOL ARGUMENTS" start calls, also several
 * at once; what a server asks is answered by the next lines. Ctrl-C cancels the calls under way, or ends the program where there is
 * none; the end of the input ends it after them. A server that crashes is started again, and a call waits until it is back.
 *
 * One thread waits in one place, poll(), for the terminal and for the queue that all clients share.
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULTS                                                                                             \
    "{\"defaults\": {\"client\": {\"name\": \"agent\", \"version\": \"1.0\"}, \"when_unavailable\": \"wait\",\
      \"capabilities\": {\"elicitation\": {}, \"sampling\": {}}}}"
/* The answer of a program's model, which a person sees, and the request, before it goes out. */
#define MODEL "{\"role\": \"assistant\", \"model\": \"none\", \"content\": {\"type\": \"text\", \"text\": \"No model is here.\"}}"
#define MOST 16
#define LIST 0 /* the tag of a list of tools; calls have the tags from 1 */

struct server {
    char name[64];
    mcp_client_t *client;
};

static struct server servers[MOST]; /* a message leads to its server: mcp_client_user(mcp_message_client(message)) */
static struct { struct server *server; uint64_t id; } calls[MOST];
static mcp_queue_t *queue;
static mcp_message_t *question;    /* what a server asks, until it is answered */
static mcp_builder_t *answer;      /* the answer so far */
static mcp_value_t field;          /* the field of the form that is asked for */
static bool is_over;               /* the input has ended */
static int under_way;              /* calls */
static volatile sig_atomic_t interrupts; /* presses of Ctrl-C */

static void on_interrupt(int number) {
    (void)number;
    interrupts++;
    mcp_queue_wake(queue); /* async-signal-safe */
}

/* Says why something failed, and gives the error back. */
static void tell(const char *name, mcp_status_t status, char *error) {
    printf("%s: %s\n", name, error != NULL ? error : mcp_status_name(status));
    mcp_string_free(error);
}

/* The outcome comes by the queue, as all of them do. */
static void list_tools(struct server *server) {
    char *error = NULL;
    mcp_status_t status = mcp_call_start(server->client, "tools/list", NULL, NULL, LIST, NULL, &error);
    if (status != MCP_OK) tell(server->name, status, error);
}

static void opened(void *user, const char *name, mcp_client_t *client, mcp_status_t status, const char *error) {
    int *count = user;
    struct server *server = &servers[*count];
    if (client == NULL || *count == MOST) {
        printf("%s is left out: %s\n", name, error != NULL ? error : mcp_status_name(status));
        mcp_client_free(client);
        return;
    }
    snprintf(server->name, sizeof server->name, "%s", name);
    server->client = client, ++*count;
    mcp_client_set_user(client, server);
    list_tools(server); /* starts the server */
}

/* "SERVER TOOL ARGUMENTS" */
static void start_call(char *line) {
    char name[64] = "", tool[128] = "", *error = NULL;
    int at = 0, tag = 1, which = 0;
    int words = sscanf(line, "%63s %127s %n", name, tool, &at);
    while (tag < MOST && calls[tag].server != NULL) tag++;
    while (which < MOST && (servers[which].client == NULL || strcmp(servers[which].name, name) != 0)) which++;
    mcp_status_t status = MCP_ERROR_INVALID_ARGUMENT;
    if (words < 2) printf("usage: SERVER TOOL [ARGUMENTS]\n");
    else if (tag == MOST || which == MOST) printf(tag == MOST ? "too many calls\n" : "no such server\n");
    else status = mcp_client_call_tool_start(servers[which].client, tool, line[at] != '\0' ? line + at : NULL,
                                             "{\"progress\": true}", (uint64_t)tag, &calls[tag].id, &error);
    if (status == MCP_OK) calls[tag].server = &servers[which], under_way++;
    else if (error != NULL) tell(name, status, error);
}

static void forget_question(void) {
    mcp_message_free(question); /* refuses it, if there is one without an answer */
    mcp_builder_free(answer);
    question = NULL, answer = NULL;
}

/* Asks for the next field of the form, or sends the answer when there is none. */
static void go_on_with_question(void) {
    const char *content = NULL;
    char *error = NULL;
    if (mcp_value_type(field) != MCP_JSON_ABSENT) {
        printf("%s? ", mcp_value_string(mcp_value_key(field), NULL));
        return;
    }
    mcp_builder_end(answer);
    mcp_status_t status = mcp_builder_finish(answer, &content, NULL, &error);
    if (status == MCP_OK) status = mcp_request_respond_elicitation(question, "accept", content, &error); /* checks the form's rules */
    if (status != MCP_OK) tell("the answer", status, error);
    forget_question();
}

static void ask(struct server *server, mcp_message_t *request) {
    const char *text = mcp_value_string(mcp_value_get(mcp_message_value(request), "message"), NULL);
    printf("%s asks: %s\n", server->name, text != NULL ? text : "?");
    question = request, answer = mcp_builder_new();
    mcp_builder_begin_object(answer);
    field = mcp_value_first(mcp_value_get(mcp_value_get(mcp_message_value(request), "requestedSchema"), "properties"));
    go_on_with_question();
}

/* A line from the terminal: an answer, if a server has asked, or a call. An empty answer declines. */
static void take_line(char *line) {
    if (question == NULL) {
        if (line[0] != '\0') start_call(line);
    } else if (line[0] == '\0') {
        mcp_request_respond_elicitation(question, "decline", NULL, NULL);
        forget_question();
    } else {
        const char *type = mcp_value_string(mcp_value_get(field, "type"), NULL);
        mcp_builder_key(answer, mcp_value_string(mcp_value_key(field), NULL));
        if (type != NULL && strcmp(type, "string") == 0) mcp_builder_string(answer, line);
        else mcp_builder_json(answer, line); /* a number or a boolean */
        field = mcp_value_next(field);
        go_on_with_question();
    }
}

static void take_reply(struct server *server, mcp_message_t *reply) {
    const char *text = mcp_message_text(reply, NULL);
    uint64_t tag = mcp_message_tag(reply);
    if (tag != LIST) calls[tag].server = NULL, under_way--;
    printf("%s: %s", server->name, mcp_message_is_tool_error(reply) ? "the tool failed: " : "");
    if (mcp_message_status(reply) == MCP_OK && tag == LIST) {
        mcp_value_t tool = mcp_value_first(mcp_value_get(mcp_message_value(reply), "tools"));
        for (; mcp_value_type(tool) != MCP_JSON_ABSENT; tool = mcp_value_next(tool))
            printf("%s ", mcp_value_string(mcp_value_get(tool, "name"), NULL));
        printf("\n");
    } else printf("%s\n", text != NULL ? text : mcp_message_json(reply, NULL)); /* the text, the result, or the error */
}

static void take(mcp_message_t *message) {
    struct server *server = mcp_client_user(mcp_message_client(message));
    bool is_kept = mcp_message_topic(message) == MCP_TOPIC_ELICITATION && question == NULL && !is_over;
    if (is_kept) ask(server, message);
    else if (mcp_message_topic(message) == MCP_TOPIC_SAMPLING) mcp_request_respond(message, MODEL, NULL);
    else if (mcp_message_topic(message) == MCP_TOPIC_TOOLS_CHANGED) list_tools(server);
    else if (mcp_message_kind(message) == MCP_KIND_REPLY) take_reply(server, message);
    else if (mcp_message_kind(message) == MCP_KIND_PROGRESS || mcp_message_kind(message) == MCP_KIND_STATE)
        printf("%s, %s: %s\n", server->name, mcp_kind_name(mcp_message_kind(message)), mcp_message_json(message, NULL));
    if (!is_kept) mcp_message_free(message); /* refuses a request that was not answered */
}

int main(int argc, char **argv) {
    char line[4096], *error = NULL;
    size_t length = 0;
    int count = 0, seen = 0;
    if (argc != 2) return fprintf(stderr, "usage: agent FILE\n"), 2;
    mcp_status_t status = mcp_queue_new(NULL, &queue, &error);
    if (status == MCP_OK) {
        sigaction(SIGINT, &(struct sigaction){.sa_handler = on_interrupt}, NULL);
        status = mcp_config_open(argv[1], queue, DEFAULTS, opened, &count, &error);
    }
    if (status != MCP_OK) tell(argv[1], status, error);
    struct pollfd from[] = {{.fd = mcp_queue_fd(queue), .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    while (count > 0 && (!is_over || under_way > 0)) {
        fflush(stdout);
        mcp_message_t *message = NULL;
        if (poll(from, 2, -1) > 0 && from[0].revents != 0) /* readable until the queue is empty */
            while ((status = mcp_queue_poll(queue, 0, &message)) == MCP_OK) take(message);
        if (interrupts != seen) { /* a signal ends poll(), too */
            if (under_way == 0) break;
            seen = interrupts, forget_question();
            for (int i = 1; i < MOST; i++)
                if (calls[i].server != NULL) mcp_call_cancel(calls[i].server->client, calls[i].id, "Ctrl-C");
        } else if (from[1].revents != 0) {
            ssize_t got = read(STDIN_FILENO, line + length, sizeof line - 1 - length);
            if (got <= 0) is_over = true, from[1].fd = -1, forget_question(); /* what is under way goes on to its end */
            length += got > 0 ? (size_t)got : 0;
            for (char *end; (end = memchr(line, '\n', length)) != NULL;) {
                *end = '\0';
                take_line(line);
                memmove(line, end + 1, length -= (size_t)(end + 1 - line));
            }
            if (length == sizeof line - 1) length = 0; /* a line that is too long is dropped */
        }
    }
    signal(SIGINT, SIG_IGN); /* the handler must not run when the queue is gone, and closing has a limit of its own */
    forget_question();
    for (int i = 0; i < count; i++) mcp_client_free(servers[i].client);
    mcp_queue_free(queue);
    return count > 0 ? 0 : 1;
}
