/*
 * The files of skills arrive only if size, digest and front matter are what the skill's entry says. A file that is not,
 * that the entry does not list, or that belongs to a skill beyond the bounds, is an error that says which check failed and
 * holds nothing of the file. Nothing is read that was not asked for. With a cache, a file comes from it only while it is
 * what the entry at hand says; one that failed its check is not kept.
 */
#include "check.h"

static mcp_client_t *client;

/* How often the server was asked to read a resource; each look is a call of a tool. */
static long long reads(void) {
    char *seen = tool_text(client, "received", NULL);
    const char *count_at = "/counts/resources~1read";
    long long count = json_has(seen, count_at) ? json_number(seen, count_at) : 0;
    free(seen);
    return count;
}

/* The entry of a skill, as skills/get gives it; mcp_message_free() it. */
static mcp_message_t *entry_of(const char *name) {
    char *which = format("{\"uri\":\"skill://shelf/%s/SKILL.md\"}", name);
    mcp_message_t *entry = NULL;
    mcp_status_t status = mcp_call(client, "skills/get", which, NULL, &entry);
    if (status != MCP_OK) {
        FAIL("no entry of %s: %s", name, mcp_message_json(entry, NULL));
    }
    free(which);
    return entry;
}

/* That a skill cannot be loaded, for this reason, and that the error has nothing of it. */
static void check_refused(const char *name, mcp_status_t expected, const char *check, long long expected_reads) {
    mcp_message_t *entry = entry_of(name);
    mcp_message_t *reply = NULL;
    long long before = reads();
    CHECK_STATUS(mcp_client_load_skill(client, mcp_message_json(entry, NULL), NULL, &reply), expected);
    const char *error = mcp_message_json(reply, NULL);
    if (check != NULL && !json_is(error, "/details/check", check)) {
        FAIL("%s: expected the check '%s' to fail: %s", name, check, error);
    }
    CHECK_CONTAINS(error, name);
    CHECK(strstr(error, "\"contents\"") == NULL && strstr(error, "# Text") == NULL && strstr(error, "description: d") == NULL);
    CHECK(mcp_message_text(reply, NULL) == NULL);
    CHECK_EQ(reads() - before, expected_reads);
    mcp_message_free(reply);
    mcp_message_free(entry);
}

static void check_read(const char *entry, const char *path, mcp_status_t expected, const char *check,
                       long long expected_reads) {
    mcp_message_t *reply = NULL;
    long long before = reads();
    mcp_status_t status = mcp_client_read_skill_file(client, entry, path, NULL, &reply);
    if (status != expected) {
        FAIL("%s: %s", path, mcp_message_json(reply, NULL));
    }
    if (check != NULL) {
        CHECK(json_is(mcp_message_json(reply, NULL), "/details/check", check));
    }
    CHECK_EQ(reads() - before, expected_reads);
    mcp_message_free(reply);
}

static void check_the_good_one(void) {
    mcp_message_t *list = NULL;
    CHECK_STATUS(mcp_call(client, "skills/list", NULL, NULL, &list), MCP_OK);
    CHECK_EQ(json_count(mcp_message_json(list, NULL), "/skills"), 8);
    CHECK_EQ(reads(), 0);
    char *entry = json_at(mcp_message_json(list, NULL), "/skills/0");
    mcp_message_free(list);

    mcp_message_t *skill = NULL;
    CHECK_STATUS(mcp_client_load_skill(client, entry, NULL, &skill), MCP_OK);
    CHECK_CONTAINS(mcp_message_text(skill, NULL), "See references/more.md.");
    CHECK(json_is(mcp_message_json(skill, NULL), "/contents/0/uri", "skill://shelf/good/SKILL.md"));
    CHECK_EQ(reads(), 1);
    mcp_message_free(skill);

    mcp_message_t *more = NULL;
    CHECK_STATUS(mcp_client_read_skill_file(client, entry, "references/more.md", NULL, &more), MCP_OK);
    CHECK_TEXT(mcp_message_text(more, NULL), "More: d\xc3\xa9j\xc3\xa0 vu.\n");
    mcp_message_free(more);
    CHECK_EQ(reads(), 2);

    check_read(entry, "assets/all bytes.bin", MCP_OK, NULL, 1);
    check_read(entry, "./references/../references/more.md", MCP_OK, NULL, 1);
    check_read(entry, "skill://shelf/good/SKILL.md", MCP_OK, NULL, 1);
    check_read(entry, "references/gone.md", MCP_ERROR_SERVER, NULL, 1);
    check_read(entry, "references/unlisted.md", MCP_ERROR_INVALID_ARGUMENT, "listed", 0);
    check_read(entry, "../wrong-size/SKILL.md", MCP_ERROR_INVALID_ARGUMENT, "listed", 0);
    check_read(entry, "%2e%2e/wrong-size/SKILL.md", MCP_ERROR_INVALID_ARGUMENT, "listed", 0);
    check_read(entry, "skill://shelf/wrong-size/SKILL.md", MCP_ERROR_INVALID_ARGUMENT, "listed", 0);
    check_read(entry, "/etc/passwd", MCP_ERROR_INVALID_ARGUMENT, "listed", 0);

    uint64_t call = 0;
    CHECK_STATUS(mcp_client_load_skill_start(client, entry, NULL, 7, &call, NULL), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK_EQ(mcp_message_tag(reply), 7);
    mcp_message_free(reply);
    mcp_string_free(entry);
}

static void check_a_started_one_is_checked_too(void) {
    mcp_message_t *entry = entry_of("wrong-digest");
    const char *json = mcp_message_json(entry, NULL);
    CHECK_STATUS(mcp_client_read_skill_file_start(client, json, "SKILL.md", NULL, 8, NULL, NULL), MCP_OK);
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_PROTOCOL);
    CHECK_EQ(mcp_message_tag(reply), 8);
    CHECK(json_is(mcp_message_json(reply, NULL), "/details/check", "digest"));
    mcp_message_free(reply);
    char *error = NULL;
    CHECK_STATUS(mcp_client_read_skill_file_start(client, json, "../x", NULL, 9, NULL, &error),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "leads out of the skill");
    mcp_string_free(error);
    mcp_message_free(entry);
}

static void check_a_dynamic_one(void) {
    check_refused("dynamic", MCP_ERROR_UNSUPPORTED, "digest", 0);
    mcp_message_t *entry = entry_of("dynamic");
    const char *json = mcp_message_json(entry, NULL);
    mcp_message_t *skill = NULL;
    CHECK_STATUS(mcp_client_load_skill(client, json, "{\"allow_dynamic\":true}", &skill), MCP_OK);
    CHECK_CONTAINS(mcp_message_text(skill, NULL), "name: dynamic");
    mcp_message_free(skill);
    CHECK_STATUS(mcp_client_read_skill_file(client, json, "../good/SKILL.md", "{\"allow_dynamic\":true}",
                                            NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_call(client, "skills/list", NULL, "{\"allow_dynamic\":true}", NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    mcp_message_free(entry);
}

static void check_era(const char *server, const char *era) {
    client = connected(server, ARGS("--era", era, "skills"), NULL);
    check_the_good_one();
    check_refused("wrong-digest", MCP_ERROR_PROTOCOL, "digest", 1);
    check_refused("wrong-size", MCP_ERROR_PROTOCOL, "size", 1);
    check_refused("two-parts", MCP_ERROR_PROTOCOL, "content", 1);
    check_refused("no-front-matter", MCP_ERROR_PROTOCOL, "frontmatter", 1);
    check_refused("other-front-matter", MCP_ERROR_PROTOCOL, "frontmatter", 1);
    check_refused("too-large", MCP_ERROR_TOO_LARGE, NULL, 0);
    check_refused("outside", MCP_ERROR_INVALID_ARGUMENT, "entry", 0);
    check_a_started_one_is_checked_too();
    check_a_dynamic_one();
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call(client, "skills/get", "{\"uri\":\"skill://shelf/none/SKILL.md\"}", NULL, &reply),
                 MCP_ERROR_SERVER);
    CHECK(json_is(mcp_message_json(reply, NULL), "/code", "-32602"));
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_load_skill(client, "{\"uri\":7}", NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    close_and_free(client);

    client = connected(server, ARGS("--era", era, "skills"), "\"limits\":{\"skill_files\":3}");
    check_refused("good", MCP_ERROR_TOO_LARGE, NULL, 0);
    close_and_free(client);

    /* A server that does not declare the extension is asked nothing. */
    client = connected(server, ARGS("--era", era), NULL);
    CHECK_STATUS(mcp_call(client, "skills/list", NULL, NULL, &reply), MCP_ERROR_UNSUPPORTED);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "extensions.io.modelcontextprotocol/skills");
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call(client, "skills/get", "{\"uri\":\"skill://shelf/good/SKILL.md\"}", NULL, NULL),
                 MCP_ERROR_UNSUPPORTED);
    close_and_free(client);
}

/* A skill whose entry has changed is read again, and not from what was kept. */
static void check_kept(const char *server) {
    client = connected(server, ARGS("--era", "modern", "skills"), "\"cache\":true");
    mcp_message_t *good = entry_of("good");
    mcp_message_t *wrong = entry_of("wrong-digest");
    const char *entry = mcp_message_json(good, NULL);
    for (int i = 0; i < 3; i++) {
        mcp_message_t *skill = NULL;
        CHECK_STATUS(mcp_client_load_skill(client, entry, NULL, &skill), MCP_OK);
        CHECK_CONTAINS(mcp_message_text(skill, NULL), "# Good");
        mcp_message_free(skill);
    }
    CHECK_EQ(reads(), 1);

    /* The entry says another size: what was kept is not good for it, and neither is what the server has. */
    char *size = json_at(entry, "/skill/resources/0/size");
    char *other = format("%s", entry);
    char *place = strstr(other, size);
    CHECK(place != NULL);
    *place = *place == '9' ? '8' : (char)(*place + 1);
    CHECK_STATUS(mcp_client_load_skill(client, other, NULL, NULL), MCP_ERROR_PROTOCOL);
    CHECK_EQ(reads(), 2);
    CHECK_STATUS(mcp_client_load_skill(client, entry, NULL, NULL), MCP_OK);
    free(other);
    mcp_string_free(size);

    long long before = reads();
    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(mcp_client_load_skill(client, mcp_message_json(wrong, NULL), NULL, NULL),
                     MCP_ERROR_PROTOCOL);
    }
    CHECK_EQ(reads() - before, 3);
    mcp_message_free(good);
    mcp_message_free(wrong);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_era(argv[2], "legacy");
    check_era(argv[2], "modern");
    check_kept(argv[2]);
    return 0;
}
