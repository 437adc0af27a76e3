// What the C++ tests share: checks that say what they saw, and time. How they hold handles is each test's own matter.
//
// Each test is one program about one behaviour, run as NAME EXAMPLE_SERVER SCRIPTED_SERVER, and ends with 0 when the
// behaviour is as its opening comment says. MCP_TEST_SCALE and MCP_UNDER_VALGRIND are those of tests/c/check.h.
#ifndef MCP_TESTS_CHECK_HPP
#define MCP_TESTS_CHECK_HPP

#include <mcp.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

// Ends the program, also from another thread.
[[noreturn]] inline void check_failed(const char *file, int line, const std::string &what) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
    std::fflush(nullptr);
    std::_Exit(1);
}

#define FAIL(what) check_failed(__FILE__, __LINE__, (what))

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            FAIL("not so: " #condition);                                                                     \
        }                                                                                                    \
    } while (false)

#define CHECK_STATUS(actual, expected)                                                                       \
    do {                                                                                                     \
        const mcp_status_t actual_ = (actual);                                                               \
        const mcp_status_t expected_ = (expected);                                                           \
        if (actual_ != expected_) {                                                                          \
            FAIL(std::string(#actual " is ") + mcp_status_name(actual_) + ", expected " +                    \
                 mcp_status_name(expected_));                                                                \
        }                                                                                                    \
    } while (false)

inline int scale() {
    const char *set = std::getenv("MCP_TEST_SCALE");
    const int factor = set != nullptr ? std::atoi(set) : std::getenv("MCP_UNDER_VALGRIND") != nullptr ? 20 : 1;
    return factor > 1 ? factor : 1;
}

// A load of `full`, or less in a slowed-down run, but never below `least`.
inline int scaled(int full, int least) { return full / scale() > least ? full / scale() : least; }

// How long a wait for something that must happen may take, in milliseconds.
inline int patience() { return scale() > 1 ? 40000 : 20000; }

// How much longer than its deadline something may take on a busy machine.
inline std::chrono::milliseconds slack() { return std::chrono::milliseconds(scale() > 1 ? 10000 : 3000); }

// A string of the library's, taken over.
inline std::string taken(char *text) {
    std::string copy = text != nullptr ? text : "";
    mcp_string_free(text);
    return copy;
}

inline std::string quoted(const std::string &text) {
    char *json = nullptr;
    CHECK_STATUS(mcp_json_quote(text.c_str(), &json), MCP_OK);
    return taken(json);
}

inline std::string json_at(const std::string &json, const char *pointer) {
    char *value = nullptr;
    if (mcp_json_get(json.c_str(), pointer, &value, nullptr) != MCP_OK) {
        FAIL(std::string("nothing at ") + pointer + " in " + json);
    }
    return taken(value);
}

#endif
