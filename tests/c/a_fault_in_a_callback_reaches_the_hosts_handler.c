/*
 * Signals that a fault of a thread itself raises (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT) are not
 * blocked on the library's threads: a host whose runtime handles them (a garbage collector with write barriers, a crash
 * reporter, a sandbox) gets them in its callbacks too. With them blocked the kernel would end the process. Every other
 * signal is blocked there. A thread of the library takes over what the thread that started it has blocked of the first.
 */
/* tsan: skip its runtime has a thread of its own, whose signals are not the library's */
#include "http.h"

#include <stdatomic.h>
#include <sys/mman.h>

static const int FAULTS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
#define FAULTS_COUNT (sizeof FAULTS / sizeof FAULTS[0])
static const int OTHERS[] = {SIGINT,  SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2,
                             SIGCHLD, SIGPIPE, SIGPROF, SIGQUIT};
#define OTHERS_COUNT (sizeof OTHERS / sizeof OTHERS[0])

static pthread_t first; /* the program's own thread */
static char *page; /* not writable until the handler makes it so */
static size_t page_size;
static atomic_int faults;
static atomic_int raised[64];
static atomic_int callbacks;

/* What a write barrier does: the write that failed is done once more, and works. */
static void make_writable(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)context;
    if ((char *)info->si_addr < page || (char *)info->si_addr >= page + page_size ||
        mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) {
        _exit(3);
    }
    atomic_fetch_add(&faults, 1);
}

static void count(int signal) { atomic_fetch_add(&raised[signal], 1); }

/* Runs on a thread of the library. */
static void fault_there(void) {
    if (atomic_fetch_add(&callbacks, 1) > 0) {
        return;
    }
    CHECK(!pthread_equal(pthread_self(), first));
    *(volatile char *)page = 1;
    for (size_t i = 0; i < FAULTS_COUNT; i++) {
        if (FAULTS[i] != SIGSEGV) {
            raise(FAULTS[i]);
        }
    }
}

static void on_ready(void *context) {
    (void)context;
    fault_there();
}

/* A bit mask of a thread's status, such as "SigBlk:"; false if the thread is gone. */
static bool read_mask(const char *task, unsigned long long *mask) {
    char path[300];
    char line[256];
    bool found = false;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", task);
    FILE *status = fopen(path, "re");
    if (status == NULL) {
        return false;
    }
    while (fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "SigBlk:", 7) == 0) {
            *mask = strtoull(line + 7, NULL, 16);
            found = true;
        }
    }
    fclose(status);
    return found;
}

static bool is_blocked(unsigned long long mask, int signal) { return (mask >> (signal - 1) & 1) != 0; }

/* What was wrong when the masks were last looked at. */
static char wrong[128];

/*
 * Whether every thread of the library, of which there are `least` at least, has the mask that it should have. All threads but
 * the first one are the library's. `fault` is the only signal of a fault that may be blocked. To be asked until it is so: the
 * C library blocks everything in a thread that begins or ends, Memcheck in one that does not sleep in the kernel.
 */
static bool masks_are_right(int fault, int least) {
    char own[32];
    int seen = 0;
    snprintf(own, sizeof own, "%ld", (long)getpid());
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    CHECK(tasks != NULL);
    wrong[0] = '\0';
    while ((task = readdir(tasks)) != NULL) {
        unsigned long long mask = 0;
        if (task->d_name[0] == '.' || strcmp(task->d_name, own) == 0 || !read_mask(task->d_name, &mask)) {
            continue;
        }
        seen++;
        for (size_t i = 0; i < FAULTS_COUNT; i++) {
            if (is_blocked(mask, FAULTS[i]) != (FAULTS[i] == fault)) {
                snprintf(wrong, sizeof wrong, "thread %.32s: signal %d is %sblocked", task->d_name, FAULTS[i],
                         FAULTS[i] == fault ? "not " : "");
            }
        }
        for (size_t i = 0; i < OTHERS_COUNT; i++) {
            if (!is_blocked(mask, OTHERS[i])) {
                snprintf(wrong, sizeof wrong, "thread %.32s does not block signal %d", task->d_name, OTHERS[i]);
            }
        }
    }
    closedir(tasks);
    return seen >= least && wrong[0] == '\0';
}

static void check_threads(int fault, int least) {
    long long deadline = now_ms() + patience();
    while (!masks_are_right(fault, least)) {
        if (now_ms() > deadline) {
            FAIL("%s", wrong[0] == '\0' ? "the library has fewer threads than it should" : wrong);
        }
        breathe();
    }
}

static void check_callback(void) {
    UNTIL(atomic_load(&callbacks) > 0);
    UNTIL(atomic_load(&raised[SIGABRT]) > 0);
    CHECK_EQ(atomic_load(&faults), 1);
    CHECK_EQ(*page, 1);
    for (size_t i = 0; i < FAULTS_COUNT; i++) {
        if (FAULTS[i] != SIGSEGV) {
            CHECK_EQ(atomic_load(&raised[FAULTS[i]]), 1);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct sigaction action;
    first = pthread_self();
    page_size = (size_t)sysconf(_SC_PAGESIZE);
    page = mmap(NULL, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    memset(&action, 0, sizeof action);
    action.sa_sigaction = make_writable;
    action.sa_flags = SA_SIGINFO;
    CHECK_EQ(sigaction(SIGSEGV, &action, NULL), 0);
    memset(&action, 0, sizeof action);
    action.sa_handler = count;
    for (size_t i = 0; i < FAULTS_COUNT; i++) {
        if (FAULTS[i] != SIGSEGV) {
            CHECK_EQ(sigaction(FAULTS[i], &action, NULL), 0);
        }
    }

    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_queue_on_ready(queue, on_ready, NULL, NULL), MCP_OK);
    mcp_client_t *client = new_client_on(queue, argv[1], NULL, NULL);
    connect_client(client); /* its state messages run on_ready */
    check_callback();
    check_threads(0, 2);
    struct server server = start_server(argv[3], NULL);
    char *config = format("{\"url\":\"http://127.0.0.1:%d/mcp\"}", server.port);
    mcp_client_t *http = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &http, NULL), MCP_OK);
    connect_client(http);
    check_threads(0, 3);
    close_and_free(http);
    close_and_free(client);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);

    /* What the starting thread has blocked stays so: its own choice. */
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGFPE);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &one, NULL), 0);
    CHECK_STATUS(mcp_client_new(config, NULL, &http, NULL), MCP_OK);
    connect_client(http);
    check_threads(SIGFPE, 2);
    close_and_free(http);
    free(config);
    stop_server(&server);
    return 0;
}
