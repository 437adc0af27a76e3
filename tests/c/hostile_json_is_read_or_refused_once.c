/*
 * JSON at its edges, as the answer to a call: numbers of every size, keys twice, surrogates alone, NUL as an escape, a
 * million members, ids of every type, answers to calls that are still to come. Each call ends once: with the text as the
 * server wrote it, or refused for what is wrong with it; nothing is kept of what belongs to no call, and the next call
 * on the same connection is as good as ever.
 */
#include "own_transport.h"

#define RIGHT "{\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{\"content\":[],\"n\":1}}"

/* A server that answers tools/call with these messages, one after another: $ is the call's id, + the next call's. */
static const char *const *script;

static mcp_status_t hostile_send(void *user, mcp_transport_t *transport, const char *frame, size_t length) {
    struct own *own = user;
    if (strstr(frame, "\"tools/call\"") == NULL || script == NULL) {
        return own_send(user, transport, frame, length);
    }
    atomic_fetch_add(&own->sent, 1);
    long long id = json_number(frame, "/id");
    for (const char *const *line = script; *line != NULL; line++) {
        char *message = malloc(strlen(*line) * 2 + 64);
        CHECK(message != NULL);
        size_t end = 0;
        for (const char *from = *line; *from != '\0'; from++) {
            if (*from == '$' || *from == '@') {
                end += (size_t)sprintf(message + end, "%lld", *from == '$' ? id : id + 1);
            } else {
                message[end++] = *from;
            }
        }
        message[end] = '\0';
        mcp_status_t status = mcp_transport_deliver(transport, message, end);
        if (status != MCP_OK && status != MCP_ERROR_TOO_LARGE) {
            FAIL("delivering %.100s: %s", message, mcp_status_name(status));
        }
        free(message);
    }
    return MCP_OK;
}

static mcp_client_t *client;

/* One call that is answered so; mcp_message_free() the reply. */
static mcp_message_t *answered(const char *const *messages, mcp_status_t expected) {
    script = messages;
    mcp_message_t *reply = call_tool(client, "any", NULL, "{\"timeout_ms\":20000}");
    script = NULL;
    if (mcp_message_status(reply) != expected) {
        FAIL("%.200s gives %s, expected %s: %.500s", messages[0], mcp_status_name(mcp_message_status(reply)),
             mcp_status_name(expected), mcp_message_json(reply, NULL));
    }
    check_echo(client, "still well");
    return reply;
}

/* The value as a member of the result: it comes back as it was written, or the call is refused. */
static void check_value(const char *value, mcp_status_t expected) {
    char *message = format("{\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{\"content\":[],\"n\":%s}}", value);
    mcp_message_t *reply = answered(ARGS(message), expected);
    if (expected == MCP_OK) {
        char *whole = format("{\"content\":[],\"n\":%s}", value);
        CHECK_TEXT(mcp_message_json(reply, NULL), whole);
        free(whole);
    }
    mcp_message_free(reply);
    free(message);
}

static char *repeated(const char *begin, const char *part, int count, const char *end) {
    size_t each = strlen(part);
    char *text = malloc(strlen(begin) + each * (size_t)count + strlen(end) + 1);
    CHECK(text != NULL);
    strcpy(text, begin);
    char *at = text + strlen(begin);
    for (int i = 0; i < count; i++, at += each) {
        memcpy(at, part, each);
    }
    strcpy(at, end);
    return text;
}

static void check_numbers(void) {
    const char *const good[] = {"0",      "-0",      "-0.0e-0", "1e400", "-1E+400", "1e-400", "9223372036854775808",
                                "123456789012345678901234567890", "0.1",   "1E5",     "5e-324"};
    const char *const bad[] = {"01", "+1",  "1.",       ".5",  "-",    "1e",   "1e+",  "0x10",
                               "NaN", "Infinity", "-Infinity", "1_000", "1 000", "--1", "1.2.3"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        check_value(good[i], MCP_OK);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check_value(bad[i], MCP_ERROR_PROTOCOL);
    }
    char *digits = repeated("1", "0123456789", 10000, "");
    check_value(digits, MCP_OK);
    free(digits);
    digits = repeated("1e", "9", 100000, "");
    check_value(digits, MCP_OK);
    free(digits);
}

static void check_texts(void) {
    /* What is not text at all, and what JSON allows although no UTF-8 text can be made of it. */
    check_value("\"\\u0000 a \\u0000\"", MCP_OK);
    check_value("\"\\ud800\"", MCP_OK);
    check_value("\"\\udc00\\ud800\"", MCP_OK);
    check_value("\"\\ud83d\\ude00\"", MCP_OK);
    check_value("\"\\ud8\"", MCP_ERROR_PROTOCOL);
    check_value("\"\\x41\"", MCP_ERROR_PROTOCOL);
    check_value("\"\xed\xa0\x80\"", MCP_ERROR_PROTOCOL);
    check_value("\"\xff\"", MCP_ERROR_PROTOCOL);
    check_value("\"\xc0\x80\"", MCP_ERROR_PROTOCOL);
    check_value("\"a\tb\"", MCP_ERROR_PROTOCOL);
    check_value("{\"a\":1,\"a\":2,\"\":{},\"\":[]}", MCP_OK);
    check_value("[1,]", MCP_ERROR_PROTOCOL);
    check_value("{\"a\":1,}", MCP_ERROR_PROTOCOL);
    check_value("{a:1}", MCP_ERROR_PROTOCOL);
    check_value("'a'", MCP_ERROR_PROTOCOL);

    /* As a tool's text: NUL is in it and does not end it; half a surrogate comes as U+FFFD, and the JSON has it. */
    size_t length = 0;
    mcp_message_t *reply = answered(ARGS("{\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{\"content\":[{\"type\":\"text\","
                                         "\"text\":\"a\\u0000b\"}]}}"),
                                    MCP_OK);
    const char *text = mcp_message_text(reply, &length);
    CHECK(text != NULL && length == 3 && memcmp(text, "a\0b", 4) == 0);
    mcp_message_free(reply);
    reply = answered(ARGS("{\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{\"content\":[{\"type\":\"text\","
                          "\"text\":\"\\ud800\"}]}}"),
                     MCP_OK);
    text = mcp_message_text(reply, &length);
    CHECK(text != NULL && length == 3 && memcmp(text, "\xef\xbf\xbd", 4) == 0);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "\\ud800");
    mcp_message_free(reply);
}

static void check_width_and_depth(void) {
    int many = scaled(1000000, 20000);
    long long begin = now_ms();
    char *wide = repeated("[0", ",0", many - 1, "]");
    check_value(wide, MCP_OK);
    CHECK_EQ(json_count(wide, ""), many);
    free(wide);
    wide = repeated("{\"\":0", ",\"key\":0", many - 1, "}");
    check_value(wide, MCP_OK);
    free(wide);
    wide = repeated("[", "[],{},", many, "0]");
    check_value(wide, MCP_OK);
    free(wide);
    /* Some 20 MB altogether, several times over. */
    CHECK_LE(now_ms() - begin, 5000 + slack());

    char *deep = repeated("[", "[", 100, "");
    char *whole = repeated(deep, "]", 101, "");
    check_value(whole, MCP_OK);
    free(whole);
    free(deep);
    deep = repeated("", "[", 1000000, "");
    check_value(deep, MCP_ERROR_TOO_LARGE);
    free(deep);
    deep = repeated("", "{\"a\":", 1000000, "");
    check_value(deep, MCP_ERROR_TOO_LARGE);
    free(deep);
}

static void check_ids(void) {
    /* Of no call, whatever their type: dropped. The right answer behind each is the call's outcome. */
    const char *const ids[] = {"null",  "true",  "false",  "[$]",   "{\"id\":$}", "\"\"",  "\"x$\"", "-$",
                               "$.5",   "$e400", "$000000000000000000000", "1e999", "-1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char *stray = format("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"n\":\"stray\"}}", ids[i]);
        mcp_message_t *reply = answered(ARGS(stray, RIGHT), MCP_OK);
        CHECK_TEXT(mcp_message_json(reply, NULL), "{\"content\":[],\"n\":1}");
        mcp_message_free(reply);
        free(stray);
    }
    /* Two ids, or a method beside a result: one outcome all the same. */
    const char *const odd[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":$,\"id\":$,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":$,\"id\":null,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"id\":$,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{},\"result\":{\"n\":2}}",
        "{\"jsonrpc\":\"2.0\",\"id\":$,\"method\":\"ping\",\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}",
        "{\"id\":$,\"result\":{}}",
        "{\"jsonrpc\":2.0,\"id\":$,\"result\":{}}",
        "[{\"jsonrpc\":\"2.0\",\"id\":$,\"result\":{}}]",
        "{}",
        "[]",
        "null",
        "\"$\"",
        " ",
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        script = ARGS(odd[i], RIGHT);
        mcp_message_t *reply = call_tool(client, "any", NULL, "{\"timeout_ms\":20000}");
        mcp_status_t status = mcp_message_status(reply);
        script = NULL;
        if (status != MCP_OK && status != MCP_ERROR_PROTOCOL) {
            FAIL("%s gives %s: %s", odd[i], mcp_status_name(status), mcp_message_json(reply, NULL));
        }
        mcp_message_free(reply);
        check_echo(client, "still well");
    }
}

/* The next call's answer comes with this one's: it is of no call then, and the next call gets its own. */
static void check_answers_ahead(void) {
    for (int i = 0; i < 100; i++) {
        mcp_message_t *reply =
            answered(ARGS("{\"jsonrpc\":\"2.0\",\"id\":@,\"result\":{\"content\":[],\"n\":\"too early\"}}", RIGHT), MCP_OK);
        CHECK_TEXT(mcp_message_json(reply, NULL), "{\"content\":[],\"n\":1}");
        mcp_message_free(reply);
    }
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    struct own own = {0};
    char *error = NULL;
    mcp_transport_functions_t functions = own_functions;
    functions.send = hostile_send;
    CHECK_EQ(pthread_mutex_init(&own.lock, NULL), 0);
    if (mcp_client_new_with_transport("{\"protocol\":\"legacy\"}", NULL, &functions, &own, &client,
                                      &error) != MCP_OK) {
        FAIL("no client: %s", error);
    }
    connect_client(client);
    check_numbers();
    check_texts();
    check_width_and_depth();
    check_ids();
    check_answers_ahead();
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    mcp_string_free(info);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    own_free(&own, client);
    check_nothing_left(before);
    return 0;
}
