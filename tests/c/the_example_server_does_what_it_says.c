/*
 * The example server, spoken to by hand: a slow call delays no other one and a cancelled one is silent, answers leave before
 * the process crashes, texts come back with every character, a client that cannot be asked is told so as its era has it, and
 * the options do what --help says.
 */
#include "check.h"

struct process {
    pid_t pid;
    int to;
    FILE *from;
};

static struct process start(const char *server, const char *const *arguments) {
    char *words[8] = {(char *)server};
    int in[2];
    int out[2];
    for (int i = 0; arguments[i] != NULL; i++) {
        words[i + 1] = (char *)arguments[i];
    }
    CHECK_EQ(pipe2(in, O_CLOEXEC), 0);
    CHECK_EQ(pipe2(out, O_CLOEXEC), 0);
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 2);
        execv(server, words);
        end_child(127);
    }
    close(in[0]);
    close(out[1]);
    return (struct process){pid, in[1], fdopen(out[0], "r")};
}

/* What a process says by itself, and its exit status. */
static int says(const char *server, const char *const *arguments, const char *part) {
    struct process process = start(server, arguments);
    char text[4096] = {0};
    int status = 0;
    close(process.to);
    size_t length = fread(text, 1, sizeof text - 1, process.from);
    CHECK(part == NULL ? length == 0 : strstr(text, part) != NULL);
    fclose(process.from);
    CHECK_EQ(waitpid(process.pid, &status, 0), process.pid);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void send_text(const struct process *process, const char *text) {
    CHECK_EQ(write(process->to, text, strlen(text)), (long)strlen(text));
}

/* A call of 2026-07-28. */
static void call(const struct process *process, int id, const char *tool, const char *arguments) {
    char *line = format("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s,"
                        "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                        "\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n", id, tool, arguments);
    send_text(process, line);
    free(line);
}

/* The next line; free() it. */
static char *next_line(const struct process *process) {
    char *line = NULL;
    size_t room = 0;
    CHECK_GE(getline(&line, &room, process->from), 1);
    return line;
}

static void expect(const struct process *process, const char *pointer, const char *expected) {
    char *line = next_line(process);
    if (!json_is(line, pointer, expected)) {
        FAIL("%s is not %s in %s", pointer, expected, line);
    }
    free(line);
}

static int end(const struct process *process) {
    int status = 0;
    close(process->to);
    fclose(process->from);
    CHECK_EQ(waitpid(process->pid, &status, 0), process->pid);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void check_slow(const char *server) {
    struct process process = start(server, ARGS("--era", "modern"));
    call(&process, 1, "slow", "{\"ms\":400}");
    call(&process, 2, "slow", "{\"ms\":1}");
    call(&process, 3, "slow", "{\"ms\":60000}");
    call(&process, 4, "slow", "{\"ms\":300}");
    for (int id = 3; id <= 4; id++) {
        char *cancel = format("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}\n", id);
        send_text(&process, cancel);
        free(cancel);
    }
    expect(&process, "/id", "2");
    expect(&process, "/result/content/0/text", "waited 400 ms");
    CHECK_EQ(end(&process), 0);
}

static void check_crash(const char *server) {
    struct process process = start(server, ARGS(NULL));
    call(&process, 1, "echo", "{\"text\":\"before\"}");
    call(&process, 2, "crash", "{\"code\":7}");
    expect(&process, "/result/content/0/text", "before");
    CHECK_EQ(end(&process), 7);
}

static void check_texts(const char *server) {
    struct process process = start(server, ARGS(NULL));
    call(&process, 1, "echo", "{\"text\":\"a\\u0000b\\ud83d\\ude00\"}");
    char *line = next_line(&process);
    CHECK_CONTAINS(line, "a\\u0000b");
    free(line);
    call(&process, 2, "add", "{\"a\":9223372036854775807,\"b\":1}");
    expect(&process, "/result/structuredContent/sum", "9.223372036854776e+18");
    call(&process, 3, "add", "{\"a\":\"2\",\"b\":1}");
    expect(&process, "/result/isError", "true");
    CHECK_EQ(end(&process), 0);
}

static void check_asking(const char *server) {
    struct process process = start(server, ARGS("--era=both"));
    call(&process, 1, "ask", "{\"question\":\"Who?\"}");
    expect(&process, "/error/code", "-32021");
    send_text(&process, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                        "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n");
    expect(&process, "/result/protocolVersion", "2025-06-18");
    send_text(&process, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\","
                        "\"arguments\":{\"question\":\"Who?\"}}}\n");
    expect(&process, "/result/content/0/text", "The client does not offer elicitation");
    CHECK_EQ(end(&process), 0);
}

static void check_options(const char *server) {
    CHECK_EQ(says(server, ARGS("--version"), "mcp-example-server "), 0);
    CHECK_EQ(says(server, ARGS("--help"), "--page-size N"), 0);
    CHECK_EQ(says(server, ARGS("--era", "stone"), NULL), 2);
    CHECK_EQ(says(server, ARGS("--framing"), NULL), 2);
    CHECK_EQ(says(server, ARGS("--page-size", "0"), NULL), 2);
    CHECK_EQ(says(server, ARGS("--page-sizes", "1"), NULL), 2);
    struct process process = start(server, ARGS("--era", "legacy", "--framing=content-length"));
    send_text(&process, "Content-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    char *line = next_line(&process);
    CHECK_TEXT(line, "Content-Length: 36\r\n");
    free(line);
    CHECK_EQ(end(&process), 0);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_slow(argv[1]);
    check_crash(argv[1]);
    check_texts(argv[1]);
    check_asking(argv[1]);
    check_options(argv[1]);
    return 0;
}
