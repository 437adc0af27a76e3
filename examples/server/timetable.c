/*
 * Calls that are answered later: they take as long as they are told, and no thread waits for any of them. What each sends next
 * is in a heap, ordered by time; the loop in main.c waits until the first of them is due.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "server.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct call {
    mcp_message_t *request;
    char *text; /* of the answer */
    int64_t begun;
    int64_t ms;
    int64_t step;  /* the report that comes next; behind the last one comes the answer */
    int64_t steps; /* 0 if the client wants no reports */
    int64_t due;
    uint64_t number; /* calls that are due at the same time keep their order */
};

/* Of two neighbours in the array the one with the lower index is not due later: calls[i] comes before calls[2 * i + 1] and
 * calls[2 * i + 2]. The library bounds the number of requests, and so of calls. */
struct timetable {
    struct call *calls;
    size_t count;
    size_t room;
    uint64_t next;
};

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_before(const struct call *one, const struct call *other) {
    return one->due != other->due ? one->due < other->due : one->number < other->number;
}

static void swap(struct call *one, struct call *other) {
    struct call kept = *one;
    *one = *other;
    *other = kept;
}

/* Moves a call that may be out of order to its place. */
static void restore(struct timetable *timetable, size_t at) {
    struct call *calls = timetable->calls;
    while (at > 0 && is_before(&calls[at], &calls[(at - 1) / 2])) {
        swap(&calls[at], &calls[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (;;) {
        size_t first = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < timetable->count; child++) {
            first = is_before(&calls[child], &calls[first]) ? child : first;
        }
        if (first == at) {
            return;
        }
        swap(&calls[at], &calls[first]);
        at = first;
    }
}

static void forget(struct call *call) {
    mcp_message_free(call->request);
    free(call->text);
}

static struct call take(struct timetable *timetable, size_t at) {
    struct call taken = timetable->calls[at];
    timetable->calls[at] = timetable->calls[--timetable->count];
    if (at < timetable->count) {
        restore(timetable, at);
    }
    return taken;
}

static void set_due(struct call *call) {
    call->due = call->begun + (call->step < call->steps ? call->ms * (call->step + 1) / call->steps : call->ms);
}

static bool wants_progress(const mcp_message_t *request) {
    char *context = NULL;
    char *wants = NULL;
    bool wanted = mcp_request_context(request, &context, NULL) == MCP_OK &&
                  mcp_json_get(context, "/wants_progress", &wants, NULL) == MCP_OK && strcmp(wants, "true") == 0;
    mcp_string_free(wants);
    mcp_string_free(context);
    return wanted;
}

struct timetable *timetable_new(void) { return calloc(1, sizeof(struct timetable)); }

void timetable_free(struct timetable *timetable) {
    for (size_t i = 0; timetable != NULL && i < timetable->count; i++) {
        forget(&timetable->calls[i]);
    }
    free(timetable != NULL ? timetable->calls : NULL);
    free(timetable);
}

static bool has_room(struct timetable *timetable) {
    if (timetable->count < timetable->room) {
        return true;
    }
    size_t room = timetable->room > 0 ? 2 * timetable->room : 16;
    struct call *longer = realloc(timetable->calls, room * sizeof *longer);
    if (longer != NULL) {
        timetable->calls = longer;
        timetable->room = room;
    }
    return longer != NULL;
}

void timetable_add(struct timetable *timetable, mcp_message_t *request, int64_t ms, int64_t steps, const char *pattern,
                   ...) {
    va_list values;
    va_start(values, pattern);
    char *text = formatted_list(pattern, values);
    va_end(values);
    if (text == NULL || !has_room(timetable)) {
        free(text);
        answer_failure(request, "the server has no memory for one more call");
        return;
    }
    struct call call = {.request = request,
                        .text = text,
                        .begun = now_ms(),
                        .ms = ms,
                        .steps = steps > 0 && wants_progress(request) ? steps : 0,
                        .number = timetable->next++};
    set_due(&call);
    timetable->calls[timetable->count] = call;
    restore(timetable, timetable->count++);
}

void timetable_cancel(struct timetable *timetable, uint64_t call_id) {
    for (size_t i = 0; i < timetable->count; i++) {
        if (mcp_message_call_id(timetable->calls[i].request) == call_id) {
            struct call call = take(timetable, i);
            forget(&call);
            return;
        }
    }
}

void timetable_run(struct timetable *timetable) {
    int64_t now = now_ms();
    while (timetable->count > 0 && timetable->calls[0].due <= now) {
        struct call *first = &timetable->calls[0];
        if (first->step == first->steps) {
            struct call call = take(timetable, 0);
            answer(call.request, "%s", call.text);
            free(call.text);
            continue;
        }
        first->step++;
        char *said = formatted("step %lld of %lld", (long long)first->step, (long long)first->steps);
        /* A client that does not want it any more gets none; its cancellation arrives as a message. */
        mcp_request_progress(first->request, (double)first->step, (double)first->steps, said);
        free(said);
        set_due(first);
        restore(timetable, 0);
    }
}

int32_t timetable_wait(const struct timetable *timetable) {
    if (timetable->count == 0) {
        return -1;
    }
    int64_t left = timetable->calls[0].due - now_ms();
    return left <= 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int32_t)left;
}
