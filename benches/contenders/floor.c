/* The floor: what the machine needs when no client is there. Requests are serialised before the clock starts, answers
 * are compared as bytes and never looked into, and the only system calls are a blocking `write` and a blocking `read`.
 * No client can be faster; what a contender loses against this is its own work.
 *
 * Workloads: seq, pipe, big, big-escapes, start, rss; over HTTP/1.1 http-seq, http-pipe, sse-seq, sse-pipe. It also is the
 * client of the servers that serve-seq, serve-pipe, serve-socket, serve-sessions and serve-rss measure. */
#include "bench.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#define PIPE_BYTES (1 << 20) /* of the pipe that brings big answers: twice as fast as the usual 64 KiB */
#define SESSIONS 8           /* of serve-sessions */
#define META                                                                                                           \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"mcp-bench\",\"version\":\"1.0.0\"},"                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

extern char **environ;

struct server {
    pid_t pid;
    int in;  /* written by us */
    int out; /* read by us */
};

static struct options options;
static bool modern;
static struct server server;
static long sessions = 1;                   /* they share the slots */
static struct server connections[SESSIONS]; /* of each session, for pipe and what is like it */
static struct sockaddr_un place;            /* of the server's Unix socket, if it is to have one */

/* ---- the server ---- */

static struct server spawn_server(void)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        fail("pipe: %s", strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    char *arguments[LEADS + 6] = {0};
    int count = 0;
    while (count < options.leads) {
        arguments[count] = (char *)options.lead[count];
        count++;
    }
    arguments[count++] = (char *)options.server;
    arguments[count++] = "--era";
    arguments[count++] = (char *)options.era;
    if (place.sun_family == AF_UNIX) {
        arguments[count++] = "--socket";
        arguments[count] = place.sun_path;
    }
    struct server started = {0, in[1], out[0]};
    int error = posix_spawnp(&started.pid, arguments[0], &actions, NULL, arguments, environ);
    if (error != 0)
        fail("%s: %s", arguments[0], strerror(error));
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    return started;
}

static void stop_server(struct server *stopped)
{
    int status = 0;
    close(stopped->in);
    /* Read to its end: a server may still answer, and is to end well. */
    char rest[256];
    while (read(stopped->out, rest, sizeof rest) > 0)
        ;
    close(stopped->out);
    if (waitpid(stopped->pid, &status, 0) != stopped->pid || status != 0)
        fail("the server ended with status %d", status);
}

static void send_bytes(const struct server *to, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(to->in, bytes, length);
        if (written < 0)
            fail("write: %s", strerror(errno));
        bytes += written;
        length -= (size_t)written;
    }
}

static size_t receive(const struct server *from, char *buffer, size_t room)
{
    ssize_t count = read(from->out, buffer, room);
    if (count <= 0)
        fail("read: %s", count == 0 ? "the server ended" : strerror(errno));
    return (size_t)count;
}

/* One answer of unknown length, for the few exchanges before the measured ones. An empty object before it is left out: cpp-mcp answers
 * a notification with that. */
static size_t receive_line(const struct server *from, char *buffer, size_t room)
{
    static const char empty[] = "{}\n";
    size_t filled = 0, length = sizeof empty - 1;
    do {
        filled += receive(from, buffer + filled, room - filled);
        if (filled >= length && memcmp(buffer, empty, length) == 0) {
            filled -= length;
            memmove(buffer, buffer + length, filled);
        }
    } while (filled == 0 || (buffer[filled - 1] != '\n' && filled < room));
    return filled;
}

/* ---- frames ---- */

static size_t call_frame(char *frame, size_t room, int id, const char *tool, const char *arguments)
{
    return (size_t)snprintf(frame, room,
                            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
                            "\"arguments\":{%s}%s}}\n",
                            id, tool, arguments, modern ? "," META : "");
}

static size_t answer_head(char *frame, size_t room, int id)
{
    return (size_t)snprintf(frame, room,
                            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{%s\"content\":[{\"type\":\"text\",\"text\":\"",
                            id, modern ? "\"resultType\":\"complete\"," : "");
}

static const char ANSWER_TAIL[] = "\"}]}}\n";

/* The handshake of the era, answer awaited, and what must follow it before the first request. */
static void shake_hands(const struct server *with)
{
    static const char discover[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}\n";
    static const char initialize[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
        "\"capabilities\":{},\"clientInfo\":{\"name\":\"mcp-bench\",\"version\":\"1.0.0\"}}}\n";
    static const char initialized[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    char answer[4096];
    if (modern)
        send_bytes(with, discover, sizeof discover - 1);
    else
        send_bytes(with, initialize, sizeof initialize - 1);
    size_t length = receive_line(with, answer, sizeof answer - 1);
    answer[length] = '\0';
    if (strstr(answer, "\"result\"") == NULL)
        fail("no handshake: %s", answer);
    if (!modern)
        send_bytes(with, initialized, sizeof initialized - 1);
}

/* ---- HTTP/1.1: the same frames with the heads that each side of the protocol demands ---- */

static char authority[64]; /* address and port of the URL */

static int connect_to_url(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    char address[32];
    unsigned port;
    if (sscanf(options.url, "http://%31[0-9.]:%u", address, &port) != 2 || inet_pton(AF_INET, address, &to.sin_addr) != 1)
        fail("url=%s is not http://ADDRESS:PORT/...", options.url);
    snprintf(authority, sizeof authority, "%s:%u", address, port);
    to.sin_port = htons((uint16_t)port);
    int connected = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    if (connected < 0 || connect(connected, (struct sockaddr *)&to, sizeof to) != 0 ||
        setsockopt(connected, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)
        fail("%s: %s", options.url, strerror(errno));
    return connected;
}

static size_t http_request(char *into, const char *frame, size_t length)
{
    static const char standard[] = "Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n";
    return (size_t)sprintf(into,
                           "POST /mcp HTTP/1.1\r\nHost: %s\r\nAccept: application/json, text/event-stream\r\n"
                           "Content-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n%.*s",
                           authority, modern ? standard : "Mcp-Protocol-Version: 2025-11-25\r\n", length, (int)length,
                           frame);
}

static size_t http_answer(char *into, const char *frame, size_t length)
{
    if (strncmp(options.workload, "sse-", 4) != 0)
        return (size_t)sprintf(into, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%.*s",
                               length, (int)length, frame);
    return (size_t)sprintf(into,
                           "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                           "%zx\r\ndata: %.*s\n\n\r\n0\r\n\r\n",
                           length + 8, (int)length, frame);
}

/* ---- seq and pipe: for each session a ring of requests and one of the answers to them, each twice so that any run of them is one
 * piece ---- */

static char requests[2 * SLOTS * 2048], answers[2 * SLOTS * 2048];
static size_t request_bytes, answer_bytes; /* of one; all slots have the same, since all ids have two digits */

static void make_ring(void)
{
    size_t request = 0, answer = 0;
    int share = SLOTS / (int)sessions;
    for (int i = 0; i < 2 * SLOTS; i++) {
        char text[TEXT_BYTES + 1], arguments[128];
        int slot = i / (2 * share) * share + i % share;
        slot_text(slot, text);
        snprintf(arguments, sizeof arguments, "\"text\":\"%s\"", text);
        char frame[1024], reply[1024];
        size_t frame_bytes = call_frame(frame, sizeof frame, 10 + slot, "echo", arguments);
        size_t reply_bytes = answer_head(reply, sizeof reply, 10 + slot);
        reply_bytes += (size_t)sprintf(reply + reply_bytes, "%s%s", text, ANSWER_TAIL);
        if (options.url != NULL) {
            request += http_request(requests + request, frame, frame_bytes - 1);
            answer += http_answer(answers + answer, reply, reply_bytes - 1);
        } else {
            memcpy(requests + request, frame, frame_bytes);
            memcpy(answers + answer, reply, reply_bytes);
            request += frame_bytes;
            answer += reply_bytes;
        }
    }
    request_bytes = request / (2 * SLOTS);
    answer_bytes = answer / (2 * SLOTS);
}

static void run_seq(long calls, uint64_t *samples)
{
    char buffer[4096];
    for (long i = 0; i < calls; i++) {
        size_t slot = (size_t)i % SLOTS;
        uint64_t start = samples != NULL ? now_ns() : 0;
        send_bytes(&server, requests + slot * request_bytes, request_bytes);
        size_t filled = 0;
        while (filled < answer_bytes)
            filled += receive(&server, buffer + filled, sizeof buffer - filled);
        if (filled != answer_bytes || memcmp(buffer, answers + slot * answer_bytes, answer_bytes) != 0)
            fail("wrong answer: %.*s", (int)filled, buffer);
        if (samples != NULL)
            samples[i] = now_ns() - start;
    }
}

/* Answers of a session come in order, so its stream itself is compared and no frame is ever looked for. Sessions have their turn one
 * after another: each has calls under way, so it will be answered. */
static void run_pipe(long calls, uint64_t *samples)
{
    static char buffer[64 * 1024];
    struct {
        long calls, sent, done;
        size_t position; /* in its ring of answers */
    } parts[SESSIONS];
    uint64_t begun[SLOTS];
    long share = SLOTS / sessions, all_done = 0;
    for (long k = 0; k < sessions; k++) {
        long part = calls * (k + 1) / sessions - calls * k / sessions, sent = part < share ? part : share;
        parts[k].calls = part;
        parts[k].sent = sent;
        parts[k].done = 0;
        parts[k].position = 0;
        for (long i = 0; i < sent; i++)
            begun[k * share + i] = samples != NULL ? now_ns() : 0;
        if (sent > 0)
            send_bytes(&connections[k], requests + (size_t)(k * 2 * share) * request_bytes, (size_t)sent * request_bytes);
    }
    for (long k = 0; all_done < calls; k = (k + 1) % sessions) {
        if (parts[k].done == parts[k].calls)
            continue;
        const char *expected = answers + (size_t)(k * 2 * share) * answer_bytes;
        size_t position = parts[k].position, count = receive(&connections[k], buffer, sizeof buffer);
        if (count > (size_t)share * answer_bytes || memcmp(buffer, expected + position, count) != 0)
            fail("wrong answers in session %ld", k);
        long done = parts[k].done, sent = parts[k].sent;
        long finished = (long)((position % answer_bytes + count) / answer_bytes);
        parts[k].position = (position + count) % ((size_t)share * answer_bytes);
        long more = finished < parts[k].calls - sent ? finished : parts[k].calls - sent;
        if (samples != NULL) {
            uint64_t now = now_ns();
            for (long i = 0; i < finished; i++) {
                uint64_t *from = &begun[k * share + (done + i) % share];
                samples[all_done + i] = now - *from;
                *from = now;
            }
        }
        if (more > 0)
            send_bytes(&connections[k], requests + (size_t)(k * 2 * share + sent % share) * request_bytes,
                       (size_t)more * request_bytes);
        parts[k].sent += more;
        parts[k].done += finished;
        all_done += finished;
    }
}

/* Servers may write their answers in any form: the first answers are looked into, and what follows must be the same. */
static void learn_answers(void)
{
    int share = SLOTS / (int)sessions;
    for (int i = 0; i < SLOTS; i++) {
        char answer[sizeof answers / 2 / SLOTS], text[TEXT_BYTES + 1], id[32];
        size_t place_in_rings = (size_t)(i / share * 2 * share + i % share);
        const struct server *to = &connections[i / share];
        send_bytes(to, requests + place_in_rings * request_bytes, request_bytes);
        size_t length = receive_line(to, answer, sizeof answer - 1);
        answer[length] = '\0';
        slot_text(i, text);
        snprintf(id, sizeof id, "\"id\":%d", 10 + i);
        if (strstr(answer, text) == NULL || strstr(answer, id) == NULL || strstr(answer, "\"error\"") != NULL)
            fail("wrong answer: %s", answer);
        if (i > 0 && length != answer_bytes)
            fail("answers of different lengths: %s", answer);
        answer_bytes = length;
        memcpy(answers + place_in_rings * length, answer, length);
        memcpy(answers + (place_in_rings + (size_t)share) * length, answer, length);
    }
}

/* ---- serve-socket and serve-sessions: a server at a Unix socket ---- */

static void remove_place(void)
{
    /* The server has removed its socket, if it ended well. */
    unlink(place.sun_path);
    *strrchr(place.sun_path, '/') = '\0';
    rmdir(place.sun_path);
}

static void make_place(void)
{
    char folder[] = "/tmp/mcp-bench-XXXXXX";
    if (mkdtemp(folder) == NULL)
        fail("%s: %s", folder, strerror(errno));
    place.sun_family = AF_UNIX;
    snprintf(place.sun_path, sizeof place.sun_path, "%s/socket", folder);
    if (atexit(remove_place) != 0)
        fail("%s would stay behind", folder);
}

/* A server that is started with a place for its socket writes a line as soon as it listens. */
static void connect_to_place(void)
{
    char line[64];
    receive_line(&server, line, sizeof line);
    for (long k = 0; k < sessions; k++) {
        int connected = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connected < 0 || connect(connected, (struct sockaddr *)&place, sizeof place) != 0)
            fail("%s: %s", place.sun_path, strerror(errno));
        connections[k].in = connections[k].out = connected;
        shake_hands(&connections[k]);
    }
}

/* A connection for each call in flight, since HTTP/1.1 answers one request after another. */
static void run_http_pipe(long calls, uint64_t *samples)
{
    static struct server connections[SLOTS];
    char buffer[4096];
    uint64_t begun[SLOTS];
    long sent = calls < SLOTS ? calls : SLOTS;
    for (long i = 0; i < sent; i++) {
        if (connections[i].in == 0)
            connections[i].in = connections[i].out = connect_to_url();
        begun[i] = samples != NULL ? now_ns() : 0;
        send_bytes(&connections[i], requests + (size_t)i * request_bytes, request_bytes);
    }
    for (long i = 0; i < calls; i++) {
        size_t slot = (size_t)i % SLOTS, filled = 0;
        while (filled < answer_bytes)
            filled += receive(&connections[slot], buffer + filled, sizeof buffer - filled);
        if (filled != answer_bytes || memcmp(buffer, answers + slot * answer_bytes, answer_bytes) != 0)
            fail("wrong answer: %.*s", (int)filled, buffer);
        if (samples != NULL) {
            uint64_t now = now_ns();
            samples[i] = now - begun[slot];
            begun[slot] = now;
        }
        if (sent < calls) {
            send_bytes(&connections[slot], requests + slot * request_bytes, request_bytes);
            sent++;
        }
    }
}

/* ---- big ---- */

static struct block block; /* as it comes over the wire, that is escaped */
static char big_request[1024], big_head[1024], *big_answer;
static size_t big_request_bytes, big_head_bytes, big_text_bytes;

static void make_big(bool escapes)
{
    struct block plain = load_block(options.block);
    if (options.bytes % (long)plain.length != 0)
        fail("bytes must be whole blocks");
    block.bytes = malloc(2 * plain.length);
    for (size_t i = 0; i < plain.length; i++) {
        char byte = plain.bytes[i];
        if (byte == '"' || byte == '\\' || byte == '\n')
            block.bytes[block.length++] = '\\';
        block.bytes[block.length++] = byte == '\n' ? 'n' : byte;
    }
    big_text_bytes = (size_t)options.bytes / plain.length * block.length;
    free(plain.bytes);
    char arguments[64];
    snprintf(arguments, sizeof arguments, "\"bytes\":%ld,\"escapes\":%s", options.bytes, escapes ? "true" : "false");
    big_request_bytes = call_frame(big_request, sizeof big_request, 10, "big", arguments);
    big_head_bytes = answer_head(big_head, sizeof big_head, 10);
    big_answer = malloc(big_head_bytes + big_text_bytes + sizeof ANSWER_TAIL);
    if (fcntl(server.out, F_SETPIPE_SZ, PIPE_BYTES) < 0)
        fprintf(stderr, "contender: the pipe keeps its size: %s\n", strerror(errno));
}

static void run_big(long calls, uint64_t *samples)
{
    size_t tail = sizeof ANSWER_TAIL - 1, all = big_head_bytes + big_text_bytes + tail;
    for (long i = 0; i < calls; i++) {
        uint64_t start = samples != NULL ? now_ns() : 0;
        send_bytes(&server, big_request, big_request_bytes);
        size_t filled = 0;
        while (filled < all)
            filled += receive(&server, big_answer + filled, all - filled);
        if (memcmp(big_answer, big_head, big_head_bytes) != 0 ||
            !is_repeated(big_answer + big_head_bytes, big_text_bytes, &block) ||
            memcmp(big_answer + all - tail, ANSWER_TAIL, tail) != 0)
            fail("wrong big answer");
        if (samples != NULL)
            samples[i] = now_ns() - start;
    }
}

/* ---- rss: many idle servers ---- */

static void run_idle(void)
{
    struct server *servers = calloc((size_t)options.clients, sizeof *servers);
    for (long i = 0; i < options.clients; i++) {
        server = servers[i] = spawn_server();
        shake_hands(&server);
        run_seq(1, NULL);
    }
    say_ready("-");
    for (long i = 0; i < options.clients; i++)
        stop_server(&servers[i]);
    free(servers);
}

int main(int count, char **values)
{
    options = read_options(count, values);
    modern = strcmp(options.era, "modern") == 0;
    if (options.url != NULL) {
        /* The server keeps no state, so there is nothing to shake hands for. */
        server.in = server.out = connect_to_url();
        make_ring();
        measure(is_workload(&options, "seq") ? run_seq : run_http_pipe, options.calls, "-");
        return 0;
    }
    if (strcmp(options.workload, "serve-sessions") == 0)
        sessions = SESSIONS;
    if (sessions > 1 || strcmp(options.workload, "serve-socket") == 0)
        make_place();
    make_ring();
    if (strcmp(options.workload, "rss") == 0) {
        run_idle();
        return 0;
    }
    connections[0] = server = spawn_server();
    if (place.sun_family == AF_UNIX)
        connect_to_place();
    else
        shake_hands(&server);
    if (strncmp(options.workload, "serve-", 6) == 0) {
        measured_pid = server.pid;
        learn_answers();
    }
    if (strcmp(options.workload, "serve-rss") == 0) {
        say_ready("-");
    } else if (strcmp(options.workload, "start") == 0) {
        run_seq(1, NULL);
        say_first();
    } else if (is_workload(&options, "seq")) {
        measure(run_seq, options.calls, "-");
    } else if (is_workload(&options, "pipe") || place.sun_family == AF_UNIX) {
        measure(run_pipe, options.calls, "-");
    } else if (strncmp(options.workload, "big", 3) == 0) {
        make_big(strcmp(options.workload, "big-escapes") == 0);
        measure(run_big, options.calls, "-");
    } else {
        fail("no such workload here: %s", options.workload);
    }
    if (place.sun_family == AF_UNIX)
        for (long k = 0; k < sessions; k++)
            close(connections[k].in);
    stop_server(&server);
    return 0;
}
