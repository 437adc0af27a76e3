/*
 * A program without a JSON library walks an object whose names it does not know, and tells null from the text
 * "null" and both from what is not there.
 */
#include "check.h"

static const char DOCUMENT[] = "{\"none\":null,\"text\":\"null\",\"n\":-1.5,\"yes\":true,\"no\":false,"
                               "\"list\":[1,{}],\"object\":{\"a\\/b\":\"caf\\u00e9\",\"\":[ ],\"x\\u0000y\":{\"z\":1}}}";

struct type {
    const char *pointer;
    mcp_json_type_t type;
};

static const struct type TYPES[] = {
    {"", MCP_JSON_OBJECT},        {"/none", MCP_JSON_NULL},     {"/text", MCP_JSON_STRING},
    {"/n", MCP_JSON_NUMBER},      {"/yes", MCP_JSON_BOOLEAN},   {"/no", MCP_JSON_BOOLEAN},
    {"/list", MCP_JSON_ARRAY},    {"/list/1", MCP_JSON_OBJECT}, {"/list/2", MCP_JSON_ABSENT},
    {"/object", MCP_JSON_OBJECT}, {"/nothing", MCP_JSON_ABSENT}};

static void check_member(size_t index, const char *name, size_t name_length, const char *written) {
    char *key = NULL;
    char *value = NULL;
    size_t key_length = 0;
    size_t value_length = 0;
    CHECK_STATUS(mcp_json_member(DOCUMENT, "/object", index, &key, &key_length, &value, &value_length),
                 MCP_OK);
    CHECK_EQ(key_length, name_length);
    CHECK(memcmp(key, name, name_length + 1) == 0);
    CHECK_TEXT(value, written);
    CHECK_EQ(value_length, strlen(written));
    mcp_string_free(key);
    mcp_string_free(value);
}

int main(void) {
    for (size_t i = 0; i < sizeof TYPES / sizeof TYPES[0]; i++) {
        CHECK_EQ(mcp_json_type(DOCUMENT, TYPES[i].pointer), TYPES[i].type);
    }
    CHECK_EQ(mcp_json_type("{\"a\":", "/a"), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(mcp_json_type(DOCUMENT, "none"), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(mcp_json_type(NULL, ""), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(mcp_json_type(DOCUMENT, NULL), MCP_ERROR_INVALID_ARGUMENT);

    check_member(0, "a/b", 3, "caf\xc3\xa9");
    check_member(1, "", 0, "[ ]");
    check_member(2, "x\0y", 3, "{\"z\":1}");

    char *key = NULL;
    char *value = NULL;
    CHECK_STATUS(mcp_json_member(DOCUMENT, "/object", 3, &key, NULL, &value, NULL), MCP_EMPTY);
    CHECK_STATUS(mcp_json_member(DOCUMENT, "/nothing", 0, &key, NULL, &value, NULL), MCP_EMPTY);
    CHECK_STATUS(mcp_json_member(DOCUMENT, "/list", 0, &key, NULL, &value, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_json_member("{", "", 0, &key, NULL, &value, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(key == NULL && value == NULL);

    /* Only what is wanted is made. */
    CHECK_STATUS(mcp_json_member(DOCUMENT, "", 1, &key, NULL, NULL, NULL), MCP_OK);
    CHECK_TEXT(key, "text");
    CHECK_STATUS(mcp_json_member(DOCUMENT, "", 1, NULL, NULL, &value, NULL), MCP_OK);
    CHECK_TEXT(value, "null");
    CHECK_STATUS(mcp_json_member(DOCUMENT, "", 1, NULL, NULL, NULL, NULL), MCP_OK);
    mcp_string_free(key);
    mcp_string_free(value);
    return 0;
}
