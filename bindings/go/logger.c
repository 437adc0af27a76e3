#include "_cgo_export.h"

/* The library's callbacks with the types that C has for them; `user` is a number that Go knows, never a pointer. */

static void log_record(void *user, int32_t level, const char *record_json) {
	mcp_go_log((uintptr_t)user, level, (char *)record_json);
}

static void forget(void *user) { mcp_go_forget((uintptr_t)user); }

int32_t mcp_go_set_logger(int32_t level, uintptr_t user) {
	return user == 0 ? mcp_log_set_logger(NULL, 0, NULL, NULL) : mcp_log_set_logger(log_record, level, (void *)user,
                                                                                 forget);
}
