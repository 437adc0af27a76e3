/*
 * What the conformance programs share: giving up with a reason, formatted text, values out of JSON.
 */
#ifndef MCP_CONFORMANCE_PROGRAM_H
#define MCP_CONFORMANCE_PROGRAM_H

#include <mcp.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static inline void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why != NULL ? why : "failed");
    exit(1);
}

/* A formatted text; free() it. */
static inline char *format(const char *pattern, ...) {
    char *text = NULL;
    va_list values;
    va_start(values, pattern);
    int length = vsnprintf(NULL, 0, pattern, values);
    va_end(values);
    text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text == NULL) {
        fail("memory", "none left");
    }
    va_start(values, pattern);
    vsnprintf(text, (size_t)length + 1, pattern, values);
    va_end(values);
    return text;
}

/* The value at a pointer; fails if there is none; mcp_string_free() it. */
static inline char *at(const char *json, const char *pointer) {
    char *value = NULL;
    if (mcp_json_get(json, pointer, &value, NULL) != MCP_OK) {
        char *why = format("there is none in %.500s", json);
        fail(pointer, why);
    }
    return value;
}

static inline bool is(const char *json, const char *pointer, const char *expected) {
    char *value = NULL;
    bool same = mcp_json_get(json, pointer, &value, NULL) == MCP_OK && strcmp(value, expected) == 0;
    mcp_string_free(value);
    return same;
}

static inline size_t count(const char *json, const char *pointer) {
    char *value = NULL;
    mcp_document_t *document = NULL;
    if (mcp_json_get(json, pointer, &value, NULL) != MCP_OK ||
        mcp_document_new(value, strlen(value), &document, NULL) != MCP_OK) {
        fail(pointer, json);
    }
    size_t number = mcp_value_size(mcp_document_value(document));
    mcp_document_free(document);
    mcp_string_free(value);
    return number;
}

#endif
