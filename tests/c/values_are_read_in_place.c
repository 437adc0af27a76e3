/*
 * Values: members by name, elements by index, iteration over both, every type, numbers at their limits,
 * strings with and without escapes. A value that does not exist is harmless in every function, so that a
 * chain needs one check.
 */
#include "check.h"

static const char TEXT[] =
    " { \"text\" : \"caf\\u00e9 \\ud83d\\ude00 \\\"q\\\" \\n\" , \"plain\":\"caf\xc3\xa9\",\n"
    " \"a/b\": 1, \"\": \"empty name\", \"twice\": 1, \"twice\": 2, \"\\u006eame\": \"escaped name\",\n"
    " \"list\": [10, [20, 30], {\"deep\": [ ]}, true , null, \"x\"], \"object\": {\"x\":{\"y\" : \"z\"}},\n"
    " \"nul\":\"a\\u0000b\", \"half\":\"a\\ud800b\", \"no\" : false, \"nothing\": null, \"empty\": \"\" } ";

static mcp_document_t *document_of(const char *json) {
    mcp_document_t *document = NULL;
    char *error = NULL;
    mcp_status_t status = mcp_document_new(json, strlen(json), &document, &error);
    if (status != MCP_OK) {
        FAIL("%s: %s", json, error);
    }
    CHECK(error == NULL);
    return document;
}

static bool is_absent(mcp_value_t value) {
    int64_t integer = 7;
    double number = 7;
    bool boolean = true;
    size_t length = 7;
    CHECK_STATUS(mcp_value_int64(value, &integer), MCP_EMPTY);
    CHECK_STATUS(mcp_value_double(value, &number), MCP_EMPTY);
    CHECK_STATUS(mcp_value_bool(value, &boolean), MCP_EMPTY);
    CHECK(integer == 7 && number == 7 && boolean);
    CHECK(mcp_value_string(value, &length) == NULL);
    CHECK(mcp_value_view(value, &length) == NULL);
    CHECK(mcp_value_json(value, &length) == NULL);
    CHECK_EQ(length, 0);
    CHECK_EQ(mcp_value_size(value), 0);
    CHECK(!mcp_value_is(value, ""));
    CHECK_EQ(mcp_value_type(mcp_value_get(value, "x")), MCP_JSON_ABSENT);
    CHECK_EQ(mcp_value_type(mcp_value_at(value, 0)), MCP_JSON_ABSENT);
    CHECK_EQ(mcp_value_type(mcp_value_first(value)), MCP_JSON_ABSENT);
    CHECK_EQ(mcp_value_type(mcp_value_next(value)), MCP_JSON_ABSENT);
    CHECK_EQ(mcp_value_type(mcp_value_key(value)), MCP_JSON_ABSENT);
    return mcp_value_type(value) == MCP_JSON_ABSENT;
}

static void check_json(mcp_value_t value, const char *expected) {
    size_t length = 0;
    const char *json = mcp_value_json(value, &length);
    if (json == NULL || length != strlen(expected) || memcmp(json, expected, length) != 0) {
        FAIL("\"%.*s\", expected \"%s\"", (int)length, json != NULL ? json : "", expected);
    }
}

static void check_strings(mcp_value_t root) {
    size_t length = 0;
    mcp_value_t text = mcp_value_get(root, "text");
    const char *decoded = mcp_value_string(text, &length);
    CHECK_TEXT(decoded, "caf\xc3\xa9 \xf0\x9f\x98\x80 \"q\" \n");
    CHECK_EQ(length, strlen(decoded));
    CHECK(mcp_value_string(mcp_value_get(root, "text"), NULL) == decoded); /* decoded once */
    CHECK(mcp_value_view(text, &length) == decoded);
    CHECK_EQ(length, strlen(decoded));
    CHECK(mcp_value_is(text, decoded));

    mcp_value_t plain = mcp_value_get(root, "plain");
    CHECK_TEXT(mcp_value_string(plain, NULL), "caf\xc3\xa9"); /* a NUL follows it */
    const char *json = mcp_value_json(plain, &length);
    CHECK(mcp_value_view(plain, &length) == json + 1); /* where it is in the document */
    CHECK_EQ(length, 5);
    check_json(plain, "\"caf\xc3\xa9\"");
    CHECK(mcp_value_view(plain, NULL) == NULL && mcp_value_json(plain, NULL) == NULL);
    CHECK(mcp_value_is(plain, "caf\xc3\xa9") && !mcp_value_is(plain, "caf") && !mcp_value_is(plain, NULL));
    CHECK(!mcp_value_is(plain, "caf\xc3"));

    const char *nul = mcp_value_string(mcp_value_get(root, "nul"), &length);
    CHECK_EQ(length, 3);
    CHECK(memcmp(nul, "a\0b", 4) == 0);
    CHECK(!mcp_value_is(mcp_value_get(root, "nul"), "a"));
    CHECK_TEXT(mcp_value_string(mcp_value_get(root, "half"), NULL), "a\xef\xbf\xbd" "b");
    CHECK_TEXT(mcp_value_string(mcp_value_get(root, "empty"), &length), "");
    CHECK_EQ(length, 0);
    CHECK(mcp_value_view(mcp_value_get(root, "empty"), &length) != NULL);
    CHECK(mcp_value_string(mcp_value_get(root, "no"), NULL) == NULL); /* false is no string */
}

static void check_walks(mcp_value_t root) {
    CHECK_EQ(mcp_value_type(root), MCP_JSON_OBJECT);
    CHECK_EQ(mcp_value_size(root), 14);
    CHECK(is_absent(mcp_value_next(root)) && is_absent(mcp_value_key(root)));
    check_json(mcp_value_get(root, "twice"), "2"); /* the last one */
    check_json(mcp_value_get(root, "name"), "\"escaped name\"");
    check_json(mcp_value_get(root, ""), "\"empty name\"");
    check_json(mcp_value_get(root, "a/b"), "1");
    CHECK(is_absent(mcp_value_get(root, "Twice")) && is_absent(mcp_value_get(root, NULL)));
    CHECK(is_absent(mcp_value_get(root, "\xff")) && is_absent(mcp_value_at(root, 0)));

    mcp_value_t list = mcp_value_get(root, "list");
    static const mcp_json_type_t types[] = {MCP_JSON_NUMBER,  MCP_JSON_ARRAY, MCP_JSON_OBJECT,
                                            MCP_JSON_BOOLEAN, MCP_JSON_NULL,  MCP_JSON_STRING};
    static const char *const texts[] = {"10", "[20, 30]", "{\"deep\": [ ]}", "true", "null", "\"x\""};
    size_t count = 0;
    for (mcp_value_t element = mcp_value_first(list); mcp_value_type(element) != MCP_JSON_ABSENT;
         element = mcp_value_next(element)) {
        CHECK(count < 6);
        CHECK_EQ(mcp_value_type(element), types[count]);
        check_json(element, texts[count]);
        check_json(mcp_value_at(list, count), texts[count]);
        CHECK(is_absent(mcp_value_key(element)));
        count++;
    }
    CHECK_EQ(count, 6);
    CHECK_EQ(mcp_value_size(list), 6);
    CHECK(is_absent(mcp_value_at(list, 6)) && is_absent(mcp_value_at(list, SIZE_MAX)));
    CHECK(is_absent(mcp_value_get(list, "0")));
    mcp_value_t deep = mcp_value_get(mcp_value_at(list, 2), "deep");
    CHECK(mcp_value_type(deep) == MCP_JSON_ARRAY && mcp_value_size(deep) == 0);
    CHECK(is_absent(mcp_value_first(deep)) && is_absent(mcp_value_next(deep)));
    check_json(mcp_value_get(mcp_value_get(mcp_value_get(root, "object"), "x"), "y"), "\"z\"");
    CHECK(is_absent(mcp_value_get(mcp_value_at(mcp_value_get(root, "nowhere"), 3), "y")));

    static const char *const names[] = {"text", "plain", "a/b",    "",    "twice", "twice", "name",
                                        "list", "object", "nul", "half", "no",    "nothing", "empty"};
    count = 0;
    for (mcp_value_t member = mcp_value_first(root); mcp_value_type(member) != MCP_JSON_ABSENT;
         member = mcp_value_next(member)) {
        CHECK(count < 14);
        CHECK_EQ(mcp_value_type(mcp_value_key(member)), MCP_JSON_STRING);
        CHECK_TEXT(mcp_value_string(mcp_value_key(member), NULL), names[count]);
        CHECK(mcp_value_is(mcp_value_key(member), names[count]));
        CHECK(is_absent(mcp_value_next(mcp_value_key(member))));
        count++;
    }
    CHECK_EQ(count, 14);
    bool value = true;
    CHECK_STATUS(mcp_value_bool(mcp_value_get(root, "no"), &value), MCP_OK);
    CHECK(!value);
    CHECK_STATUS(mcp_value_bool(list, &value), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_value_bool(mcp_value_get(root, "no"), NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(mcp_value_type(mcp_value_get(root, "nothing")), MCP_JSON_NULL);
}

static void check_number(const char *json, mcp_status_t as_integer, int64_t integer, mcp_status_t as_double,
                         double number) {
    mcp_document_t *document = document_of(json);
    mcp_value_t value = mcp_document_value(document);
    int64_t seen = 77;
    double seen_double = 77;
    mcp_status_t status = mcp_value_int64(value, &seen);
    if (status != as_integer || seen != (as_integer == MCP_OK ? integer : 77)) {
        FAIL("%s as an integer is %s, %lld", json, mcp_status_name(status), (long long)seen);
    }
    double expected = as_double == MCP_OK ? number : 77;
    status = mcp_value_double(value, &seen_double);
    if (status != as_double || memcmp(&seen_double, &expected, sizeof expected) != 0) {
        FAIL("%s as a double is %s, %.17g", json, mcp_status_name(status), seen_double);
    }
    check_json(value, json);
    CHECK_STATUS(mcp_document_free(document), MCP_OK);
}

static void check_numbers(void) {
    check_number("0", MCP_OK, 0, MCP_OK, 0.0);
    check_number("-0", MCP_OK, 0, MCP_OK, -0.0);
    check_number("-12", MCP_OK, -12, MCP_OK, -12.0);
    check_number("1.0", MCP_OK, 1, MCP_OK, 1.0);
    check_number("1.50e+3", MCP_OK, 1500, MCP_OK, 1500.0);
    check_number("1200E-2", MCP_OK, 12, MCP_OK, 12.0);
    check_number("0.1", MCP_ERROR_INVALID_ARGUMENT, 0, MCP_OK, 0.1);
    check_number("1e-1", MCP_ERROR_INVALID_ARGUMENT, 0, MCP_OK, 0.1);
    check_number("9223372036854775807", MCP_OK, INT64_MAX, MCP_OK, 9223372036854775808.0);
    check_number("-9223372036854775808", MCP_OK, INT64_MIN, MCP_OK, -9223372036854775808.0);
    check_number("9223372036854775808", MCP_ERROR_TOO_LARGE, 0, MCP_OK, 9223372036854775808.0);
    check_number("-9223372036854775809", MCP_ERROR_TOO_LARGE, 0, MCP_OK, -9223372036854775808.0);
    check_number("9223372036854775807.0", MCP_OK, INT64_MAX, MCP_OK, 9223372036854775808.0);
    check_number("9007199254740993", MCP_OK, 9007199254740993, MCP_OK, 9007199254740992.0);
    check_number("1e400", MCP_ERROR_TOO_LARGE, 0, MCP_ERROR_TOO_LARGE, 0);
    check_number("-1e400", MCP_ERROR_TOO_LARGE, 0, MCP_ERROR_TOO_LARGE, 0);
    check_number("1e-400", MCP_ERROR_INVALID_ARGUMENT, 0, MCP_OK, 0.0);
    check_number("0e999999999999999999999", MCP_OK, 0, MCP_OK, 0.0);
    check_number("1e999999999999999999999", MCP_ERROR_TOO_LARGE, 0, MCP_ERROR_TOO_LARGE, 0);
    check_number("1e-999999999999999999999", MCP_ERROR_INVALID_ARGUMENT, 0, MCP_OK, 0.0);
    check_number("1.7976931348623157e308", MCP_ERROR_TOO_LARGE, 0, MCP_OK, 1.7976931348623157e308);
    check_number("5e-324", MCP_ERROR_INVALID_ARGUMENT, 0, MCP_OK, 5e-324);
    check_number("\"1\"", MCP_ERROR_INVALID_ARGUMENT, 0, MCP_ERROR_INVALID_ARGUMENT, 0);
    check_number("null", MCP_ERROR_INVALID_ARGUMENT, 0, MCP_ERROR_INVALID_ARGUMENT, 0);
}

static void check_refused(const char *json, size_t length, const char *expected) {
    mcp_document_t *document = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_document_new(json, length, &document, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(document == NULL);
    CHECK_CONTAINS(error, expected);
    mcp_string_free(error);
}

static void check_documents(void) {
    check_refused("", 0, "there is no value");
    check_refused("[1,]", 4, "\"offset\":3");
    check_refused("{}x", 3, "something follows");
    check_refused("\"\xff\"", 3, "UTF-8");
    check_refused("\xef\xbb\xbf{}", 5, "invalid JSON at byte 0");
    check_refused("{}\0", 3, "something follows");
    check_refused(NULL, 4, "json is NULL");
    CHECK_STATUS(mcp_document_new("{}", 2, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);

    char deep[2 * 1001];
    memset(deep, '[', 1001);
    memset(deep + 1001, ']', 1001);
    check_refused(deep, sizeof deep, "deeper than 1000 levels");
    mcp_document_t *document = NULL;
    CHECK_STATUS(mcp_document_new(deep + 1, sizeof deep - 2, &document, NULL), MCP_OK);
    mcp_value_t value = mcp_document_value(document);
    for (int level = 1; level < 1000; level++) {
        value = mcp_value_first(value);
    }
    CHECK_EQ(mcp_value_type(value), MCP_JSON_ARRAY);
    CHECK_EQ(mcp_value_size(value), 0);
    CHECK_STATUS(mcp_document_free(document), MCP_OK);
    CHECK_STATUS(mcp_document_free(document), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(is_absent(value) && is_absent(mcp_document_value(document)) && is_absent(mcp_document_value(NULL)));
    CHECK_STATUS(mcp_document_free(NULL), MCP_OK);

    /* Only so many bytes are read as were given, and they are copied. */
    char text[] = "[1,2]garbage";
    CHECK_STATUS(mcp_document_new(text, 5, &document, NULL), MCP_OK);
    memset(text, 'x', sizeof text);
    check_json(mcp_document_value(document), "[1,2]");
    CHECK_STATUS(mcp_builder_free((mcp_builder_t *)document), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_document_free(document), MCP_OK);
}

/* Numbers that no function gave are refused or name something else of the text, and nothing worse. */
static void check_forged(mcp_value_t root) {
    mcp_value_t forged = root;
    size_t *numbers = (size_t *)(void *)&forged;
    static const size_t odd[] = {0, 1, 2, 9, 40, 100, 1000, SIZE_MAX / 2, SIZE_MAX - 1, SIZE_MAX};
    for (size_t member = 0; member < sizeof forged / sizeof *numbers; member++) {
        for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
            forged = root;
            numbers[member] = odd[i];
            size_t length = 0;
            int64_t integer;
            double number;
            mcp_value_string(forged, &length);
            mcp_value_view(forged, &length);
            mcp_value_int64(forged, &integer);
            mcp_value_double(forged, &number);
            mcp_value_string(mcp_value_key(forged), NULL);
            mcp_value_type(mcp_value_next(mcp_value_first(forged)));
            mcp_value_type(mcp_value_next(forged));
            mcp_value_type(mcp_value_get(forged, "x"));
            mcp_value_size(forged);
        }
    }
}

int main(void) {
    mcp_value_t none = {0};
    CHECK(is_absent(none));
    mcp_document_t *document = document_of(TEXT);
    mcp_value_t root = mcp_document_value(document);
    check_strings(root);
    check_walks(root);
    check_forged(root);
    check_strings(root);
    CHECK_STATUS(mcp_document_free(document), MCP_OK);
    CHECK(is_absent(root));
    check_numbers();
    check_documents();
    return 0;
}
