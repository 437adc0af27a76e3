/*
 * With a cache, the file of a skill comes from it only while it is what the entry at hand says; a file that failed its
 * check is not kept. So a skill whose entry has changed is read again, and not from what was kept.
 */
#include "check.h"

static mcp_client_t *client;

static long long reads(void) {
    char *seen = tool_text(client, "received", NULL);
    const char *count_at = "/counts/resources~1read";
    long long count = json_has(seen, count_at) ? json_number(seen, count_at) : 0;
    free(seen);
    return count;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    client = connected(argv[2], ARGS("--era", "modern", "skills"), "\"cache\":true");
    mcp_message_t *good = NULL, *wrong = NULL;
    CHECK_STATUS(mcp_client_get_skill(client, "skill://shelf/good/SKILL.md", NULL, &good), MCP_OK);
    CHECK_STATUS(mcp_client_get_skill(client, "skill://shelf/wrong-digest/SKILL.md", NULL, &wrong), MCP_OK);
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
    return 0;
}
