/*
 * What ThreadSanitizer has to be told about code that it cannot see into or follow: Rust's standard library, which comes
 * compiled without it, and the epoll set of mio, on which tokio waits.
 *
 * A lock that is free is taken by code that is compiled into our own crate, and seen. A lock that is held is waited
 * for inside std, unseen: without help, everything that it guards would be reported as a race. The functions below
 * stand before the real ones (the linker's --wrap) and say what each does: which thread has come to own the lock, or has
 * released it, or which thread learns of what another one did. Nothing is excused: a race on memory that nothing orders is
 * still found, also inside the functions that are wrapped and in what they call.
 *
 * The names in capitals are std's symbols, which differ from one Rust to the next; the compiler's command line gives
 * them. This file is compiled without the sanitizer.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define JOIN_NOW(a, b) a##b
#define JOIN(a, b) JOIN_NOW(a, b)
#define WRAP(name) JOIN(__wrap_, name)
#define REAL(name) JOIN(__real_, name)

/* ---- Mutex and RwLock: the thread that comes out of the wait owns the lock ------------------------------- */

#define WAIT_FOR(name)                                                                                       \
    void REAL(name)(void *lock);                                                                             \
    void WRAP(name)(void *lock);                                                                             \
    void WRAP(name)(void *lock) {                                                                            \
        REAL(name)(lock);                                                                                    \
        __tsan_acquire(lock);                                                                                \
    }

WAIT_FOR(MUTEX_LOCK_CONTENDED)
WAIT_FOR(RWLOCK_READ_CONTENDED)
WAIT_FOR(RWLOCK_WRITE_CONTENDED)

/* ---- Condvar: a wait lets the mutex go and takes it again ------------------------------------------ */

void REAL(CONDVAR_WAIT)(void *condvar, void *mutex);
void WRAP(CONDVAR_WAIT)(void *condvar, void *mutex);
void WRAP(CONDVAR_WAIT)(void *condvar, void *mutex) {
    __tsan_release(mutex);
    REAL(CONDVAR_WAIT)(condvar, mutex);
    __tsan_acquire(mutex);
}

/* A Duration is passed as its two numbers. */
bool REAL(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanoseconds);
bool WRAP(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanoseconds);
bool WRAP(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanoseconds) {
    __tsan_release(mutex);
    bool was_woken = REAL(CONDVAR_WAIT_TIMEOUT)(condvar, mutex, seconds, nanoseconds);
    __tsan_acquire(mutex);
    return was_woken;
}

/* ---- Once: what the first run wrote is seen by all later ones --------------------------------------- */

/* How Rust lays out what is needed to call a `&mut dyn FnMut(&OnceState)`. */
struct calls {
    void (*drop)(void *closure);
    size_t size;
    size_t alignment;
    void (*call_once)(void *closure, const void *state);
    void (*call_mut)(void *closure, const void *state);
};

struct first_run {
    void *once;
    void *closure;
    const struct calls *calls;
};

/* It must be said before std marks the Once as done: another thread may look the moment after. */
static void run_and_release(void *argument, const void *state) {
    struct first_run *run = argument;
    run->calls->call_mut(run->closure, state);
    __tsan_release(run->once);
}

void REAL(ONCE_CALL)(void *once, bool ignores_poison, void *closure, const struct calls *calls,
                     const void *place);
void WRAP(ONCE_CALL)(void *once, bool ignores_poison, void *closure, const struct calls *calls,
                     const void *place);
void WRAP(ONCE_CALL)(void *once, bool ignores_poison, void *closure, const struct calls *calls,
                     const void *place) {
    struct first_run run = {once, closure, calls};
    const struct calls ours = {NULL, sizeof run, _Alignof(struct first_run), NULL, run_and_release};
    REAL(ONCE_CALL)(once, ignores_poison, &run, &ours, place);
    __tsan_acquire(once);
}

/* ---- Arc: the last owner frees after a fence, and ThreadSanitizer knows no fences -------------------- */

enum { RELEASE = 3, ACQUIRE_RELEASE = 4 };

/* Counting down with release is what Arc does before that fence; taken as both, it shows the same order. */
uint64_t __real___tsan_atomic64_fetch_sub(volatile uint64_t *counter, uint64_t by, int order);
uint64_t __wrap___tsan_atomic64_fetch_sub(volatile uint64_t *counter, uint64_t by, int order);
uint64_t __wrap___tsan_atomic64_fetch_sub(volatile uint64_t *counter, uint64_t by, int order) {
    return __real___tsan_atomic64_fetch_sub(counter, by, order == RELEASE ? ACQUIRE_RELEASE : order);
}

/* ---- epoll: what is done before a registration is seen by the thread that gets its events --------------- */

/*
 * The runtime of ThreadSanitizer knows epoll, and ties epoll_ctl to epoll_wait by the number of the epoll descriptor. mio
 * registers through a duplicate of the descriptor on which it waits (`Registry::try_clone`), so the numbers differ and
 * the tie is lost. tokio writes a new `ScheduledIo`, registers a socket with its address as the event's data, and the
 * thread that gets the event uses the `ScheduledIo` at that address. The kernel orders the two; here it is said, for that
 * one registration. tokio's own two tokens (0 and 1) are no addresses.
 */

#define FIRST_ADDRESS 4096

int __real_epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event);
int __wrap_epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event);
int __wrap_epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event *event) {
    if (operation != EPOLL_CTL_DEL && event->data.u64 >= FIRST_ADDRESS) {
        __tsan_release(event->data.ptr);
    }
    return __real_epoll_ctl(epoll, operation, descriptor, event);
}

int __real_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms);
int __wrap_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms);
int __wrap_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms) {
    int count = __real_epoll_wait(epoll, events, most, timeout_ms);
    for (int i = 0; i < count; i++) {
        if (events[i].data.u64 >= FIRST_ADDRESS) {
            __tsan_acquire(events[i].data.ptr);
        }
    }
    return count;
}
