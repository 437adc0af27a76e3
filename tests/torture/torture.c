/*
 * Fails every system call of a host once: `torture HOST EXAMPLE_SERVER SCENARIO [--deep] [--shard I N] [--one PLACE:CALL:K:HOW]`.
 *
 * A first run counts the system calls between the two marks of the host, by place: the host itself with all its threads, and its
 * children before they execute another program. Then the host runs once for each call, occurrence and way to fail (calls.h), and
 * has to end with 0 and to print nothing. Without --deep it runs for the first two, the last and a few other occurrences.
 *
 * The host is traced (ptrace), and a filter (seccomp) stops it only at calls that have a row. Calls that Rust makes without the C
 * library are seen as well, which an interposed library would miss.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls.h"
#include "marks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if !defined(__x86_64__)
int main(void) {
    printf("skip: the registers of this machine are not known to tests/torture\n");
    return 77;
}
#else

enum {
    LIMIT_MS = 90000, /* more than what the host itself waits, patience() */
    LEFT_BEHIND_MS = 3000,
    STORM = 50,
    MOST_TASKS = 256,
    FEW = 5, /* occurrences of a call in a run that is not deep */
};

#define DIE(...) (fprintf(stderr, __VA_ARGS__), fprintf(stderr, ": %s\n", strerror(errno)), exit(2))

enum place { HOST, CHILD, OTHER, PLACES };
static const char *const PLACE_NAMES[] = {"host", "child"};

/* What a run makes fail: occurrences first to last of a call in a place. Without a call it only counts. */
struct plan {
    enum place place;
    size_t row;
    long first;
    char how[16];
    bool transient;
};

struct task {
    pid_t tid;
    enum place place;
    bool apart;
    bool paused;
    /* What its next stop, at the end of a system call, puts back or in. */
    bool at_exit;
    bool shortened;
    unsigned long long kept;
};

struct run {
    const struct plan *plan;
    pid_t host;
    char exe[4096];
    bool active;
    long seen[PLACES][CALL_COUNT];
    long failed;
    long unknown;
    struct task tasks[MOST_TASKS];
};

static long long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- one run ----------------------------------------------------------------------------------- */

static void install_filter(void) {
    struct sock_filter code[CALL_COUNT * 2 + 4];
    unsigned short length = 0;
    code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t row = 0; row < CALL_COUNT; row++) {
        /* prctl() with our number is how the host marks. */
        if (CALLS[row].transient == NULL) {
            code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)CALLS[row].number, 0, 1);
            code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
        }
    }
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog program = {length, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        DIE("no filter of system calls");
    }
}

/* Begins the host, traced; its output goes to a file in memory. */
static pid_t begin(char *const *argv, int output) {
    int go[2];
    if (pipe2(go, O_CLOEXEC) != 0) {
        DIE("no pipe");
    }
    pid_t host = fork();
    if (host == 0) {
        char byte = 0;
        int null = open("/dev/null", O_RDONLY);
        if (null < 0 || dup2(null, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 || read(go[0], &byte, 1) != 1) {
            _exit(127);
        }
        close(null);
        install_filter();
        execv(argv[0], argv);
        DIE("%s not started", argv[0]);
    }
    long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |
                   PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL;
    if (host < 0) {
        DIE("no process");
    }
    if (ptrace(PTRACE_SEIZE, host, 0, options) != 0) {
        printf("skip: this system does not permit a program to trace its child: %s\n", strerror(errno));
        kill(host, SIGKILL);
        exit(77);
    }
    if (write(go[1], "g", 1) != 1) {
        DIE("the host does not begin");
    }
    close(go[0]);
    close(go[1]);
    return host;
}

static bool runs_the_program_of_the_host(const struct run *run, pid_t tid) {
    char link[64];
    char exe[4096] = "";
    snprintf(link, sizeof link, "/proc/%d/exe", tid);
    ssize_t length = readlink(link, exe, sizeof exe - 1);
    return length > 0 && strcmp(exe, run->exe) == 0;
}

static pid_t process_of(pid_t tid) {
    char path[64];
    char line[256];
    int process = -1;
    snprintf(path, sizeof path, "/proc/%d/status", tid);
    FILE *status = fopen(path, "re");
    while (status != NULL && fgets(line, sizeof line, status) != NULL && sscanf(line, "Tgid: %d", &process) != 1) {
    }
    if (status != NULL) {
        fclose(status);
    }
    return process;
}

/* A counter that wakes threads (eventfd). Its reads and writes move a number in memory; on a descriptor that does not block they
 * give none of these errors. */
static bool is_counter(pid_t tid, unsigned long long descriptor) {
    char link[64];
    char name[64] = "";
    snprintf(link, sizeof link, "/proc/%d/fd/%llu", tid, descriptor);
    ssize_t length = readlink(link, name, sizeof name - 1);
    return length > 0 && strcmp(name, "anon_inode:[eventfd]") == 0;
}

static struct task *task_of(struct run *run, pid_t tid) {
    struct task *free_one = NULL;
    for (int i = 0; i < MOST_TASKS; i++) {
        if (run->tasks[i].tid == tid) {
            return &run->tasks[i];
        }
        if (run->tasks[i].tid == 0 && free_one == NULL) {
            free_one = &run->tasks[i];
        }
    }
    if (free_one == NULL) {
        DIE("more than %d threads are traced", MOST_TASKS);
    }
    *free_one = (struct task){.tid = tid, .place = OTHER};
    if (process_of(tid) == run->host) {
        free_one->place = HOST;
    } else if (run->exe[0] != '\0' && runs_the_program_of_the_host(run, tid)) {
        free_one->place = CHILD;
    }
    return free_one;
}

static void on_mark(struct run *run, struct task *task, unsigned long long what) {
    if (what == BEGIN) {
        char link[64];
        snprintf(link, sizeof link, "/proc/%d/exe", run->host);
        if (readlink(link, run->exe, sizeof run->exe - 1) < 0) {
            DIE("no program of the host");
        }
    }
    run->active = what == BEGIN || (run->active && what != END);
    task->paused = what == PAUSE || (task->paused && what != GO_ON);
    task->apart = task->apart || what == APART;
}

/* Makes this call fail as the plan says; true where its end has to be seen, too. */
static bool fail(struct run *run, struct task *task, struct user_regs_struct *registers) {
    const char *how = run->plan->how;
    run->failed++;
    if (strcmp(how, "after") == 0) {
        task->shortened = false;
        return true;
    }
    if (strcmp(how, "short") == 0) {
        /* Bytes, or parts of a vector. getrandom() has its length as its second argument. */
        bool second = registers->orig_rax == SYS_getrandom;
        unsigned long long *count = second ? &registers->rsi : &registers->rdx;
        if (*count < 2) {
            return false;
        }
        task->shortened = true;
        task->kept = *count;
        *count = 1;
        ptrace(PTRACE_SETREGS, task->tid, 0, registers);
        return true;
    }
    bool again = strstr(CALLS[run->plan->row].transient, "EAGAIN") != NULL;
    const char *name = strcmp(how, "storm") != 0 ? how : again ? "EAGAIN" : "EINTR";
    registers->orig_rax = (unsigned long long)-1;
    registers->rax = (unsigned long long)-(long long)error_number(name);
    ptrace(PTRACE_SETREGS, task->tid, 0, registers);
    return false;
}

/* At the beginning of a system call; true where its end has to be seen, too. */
static bool at_call(struct run *run, struct task *task) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, task->tid, 0, &registers) != 0) {
        return false; /* It was killed meanwhile. */
    }
    if (registers.orig_rax == SYS_prctl && registers.rdi == MARK) {
        on_mark(run, task, registers.rsi);
        registers.orig_rax = (unsigned long long)-1;
        registers.rax = 0;
        ptrace(PTRACE_SETREGS, task->tid, 0, &registers);
        return false;
    }
    if (!run->active || task->paused || task->apart || task->place == OTHER) {
        return false;
    }
    size_t row = row_of((long)registers.orig_rax);
    if (row == CALL_COUNT) {
        run->unknown = (long)registers.orig_rax;
        return false;
    }
    if ((registers.orig_rax == SYS_read || registers.orig_rax == SYS_write) && is_counter(task->tid, registers.rdi)) {
        return false;
    }
    long at = ++run->seen[task->place][row];
    const struct plan *plan = run->plan;
    if (plan == NULL || plan->row != row || plan->place != task->place || at < plan->first) {
        return false;
    }
    long last = strcmp(plan->how, "storm") == 0 ? plan->first + STORM - 1 : plan->first;
    return at <= last && fail(run, task, &registers);
}

static void at_end_of_call(struct task *task) {
    struct user_regs_struct registers;
    task->at_exit = false;
    if (ptrace(PTRACE_GETREGS, task->tid, 0, &registers) != 0) {
        return;
    }
    if (!task->shortened) {
        registers.rax = (unsigned long long)-EINTR;
    } else if (registers.orig_rax == SYS_getrandom) {
        registers.rsi = task->kept;
    } else {
        registers.rdx = task->kept;
    }
    ptrace(PTRACE_SETREGS, task->tid, 0, &registers);
}

/* Lets a stopped task go on. */
static void on_stop(struct run *run, pid_t tid, int status) {
    struct task *task = task_of(run, tid);
    int event = status >> 16;
    int signal = WSTOPSIG(status);
    bool see_end = false;
    if (event == PTRACE_EVENT_SECCOMP) {
        see_end = at_call(run, task);
        task->at_exit = see_end;
    } else if (signal == (SIGTRAP | 0x80)) {
        at_end_of_call(task);
    } else if (event == PTRACE_EVENT_EXEC) {
        task->place = tid == run->host ? HOST : OTHER;
    } else if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
        ptrace(PTRACE_LISTEN, tid, 0, 0);
        return;
    } else if (event == 0) {
        ptrace(task->at_exit ? PTRACE_SYSCALL : PTRACE_CONT, tid, 0, signal);
        return;
    }
    ptrace(see_end || task->at_exit ? PTRACE_SYSCALL : PTRACE_CONT, tid, 0, 0);
}

static void kill_all(const struct run *run) {
    for (int i = 0; i < MOST_TASKS; i++) {
        if (run->tasks[i].tid != 0) {
            kill(run->tasks[i].tid, SIGKILL);
        }
    }
}

static void wake(int signal) { (void)signal; }

/* Runs the host to its end. Gives NULL, or what is wrong; the host's own words are in `output`. */
static const char *watch(struct run *run, char *const *argv, int output) {
    const char *wrong = NULL;
    run->host = begin(argv, output);
    long long deadline = now_ms() + LIMIT_MS;
    bool host_ended = false;
    for (;;) {
        int status = 0;
        pid_t tid = waitpid(-1, &status, __WALL);
        if (now_ms() > deadline) {
            wrong = wrong != NULL ? wrong : host_ended ? "it left a process behind" : "it hangs";
            kill_all(run);
            deadline = now_ms() + LIMIT_MS;
        }
        if (tid < 0 && errno == ECHILD) {
            return wrong;
        }
        if (tid < 0) {
            continue; /* The timer. */
        }
        if (WIFSTOPPED(status)) {
            on_stop(run, tid, status);
            continue;
        }
        task_of(run, tid)->tid = 0;
        if (tid == run->host) {
            host_ended = true;
            deadline = now_ms() + LEFT_BEHIND_MS;
            if (wrong == NULL && WIFSIGNALED(status)) {
                wrong = "a signal ended it";
            } else if (wrong == NULL && WEXITSTATUS(status) != 0) {
                wrong = "a check failed";
            }
        }
    }
}

/* ---- all of them -------------------------------------------------------------------------------- */

struct torture {
    char *argv[5]; /* host, scenario, server, kind */
    bool deep;
    int shard;
    int shards;
    const char *one;
    long planned;
    long runs;
    long failures;
    long missed;
};

static void run_plan(struct torture *torture, const struct plan *plan) {
    struct run *run = calloc(1, sizeof *run);
    char said[2048] = "";
    int output = memfd_create("output", MFD_CLOEXEC);
    if (run == NULL || output < 0) {
        DIE("no memory");
    }
    run->plan = plan;
    torture->argv[3] = plan->transient ? "transient" : "hard";
    const char *wrong = watch(run, torture->argv, output);
    if (pread(output, said, sizeof said - 1, 0) > 0 && wrong == NULL) {
        wrong = "it printed something";
    }
    torture->runs++;
    torture->missed += run->failed == 0 ? 1 : 0;
    if (wrong != NULL) {
        torture->failures++;
        printf("FAIL %s %s:%s:%ld:%s: %s: %s\n", torture->argv[1], PLACE_NAMES[plan->place], CALLS[plan->row].name, plan->first,
               plan->how, wrong, said);
        fflush(stdout);
    }
    close(output);
    free(run);
}

/* Whether this occurrence is one of those that a run does. */
static bool is_chosen(const struct torture *torture, long at, long count) {
    if (torture->deep || at <= 2 || at == count) {
        return true;
    }
    long step = count / FEW > 0 ? count / FEW : 1;
    return at % step == 0;
}

static void plan_ways(struct torture *torture, struct plan *plan, long count, const char *ways) {
    char list[256];
    snprintf(list, sizeof list, "%s", ways);
    char *rest = NULL;
    for (char *how = strtok_r(list, " ", &rest); how != NULL; how = strtok_r(NULL, " ", &rest)) {
        snprintf(plan->how, sizeof plan->how, "%s", how);
        for (long at = 1; at <= count; at++) {
            char name[128];
            plan->first = at;
            snprintf(name, sizeof name, "%s:%s:%ld:%s", PLACE_NAMES[plan->place], CALLS[plan->row].name, at, how);
            bool wanted = torture->one != NULL ? strcmp(torture->one, name) == 0 : is_chosen(torture, at, count);
            if (wanted && (torture->one != NULL || torture->planned++ % torture->shards == torture->shard)) {
                run_plan(torture, plan);
            }
        }
    }
}

static int torture_all(struct torture *torture) {
    struct run *recording = calloc(1, sizeof *recording);
    int output = memfd_create("output", MFD_CLOEXEC);
    if (recording == NULL || output < 0) {
        DIE("no memory");
    }
    torture->argv[3] = "transient";
    const char *wrong = watch(recording, torture->argv, output);
    if (wrong != NULL) {
        char said[2048] = "";
        long length = pread(output, said, sizeof said - 1, 0);
        printf("FAIL %s without any failure: %s: %s\n", torture->argv[1], wrong, length > 0 ? said : "");
        return 1;
    }
    if (recording->unknown != 0) {
        printf("FAIL %s: system call %ld has no row in calls.h\n", torture->argv[1], recording->unknown);
        return 1;
    }
    long calls = 0;
    bool by_edges = strncmp(torture->argv[1], "http", 4) == 0;
    for (size_t row = 0; row < CALL_COUNT; row++) {
        for (int place = HOST; place < OTHER; place++) {
            long count = recording->seen[place][row];
            calls += count;
            struct plan plan = {.place = (enum place)place, .row = row, .transient = true};
            if (count > 0 && torture->shard == 0 && torture->one == NULL) {
                printf("seen %s %s %ld\n", PLACE_NAMES[place], CALLS[row].name, count);
            }
            bool is_left_out = CALLS[row].transient == NULL || (by_edges && is_edge_call(CALLS[row].number));
            plan_ways(torture, &plan, count, is_left_out ? "" : CALLS[row].transient);
            plan.transient = false;
            plan_ways(torture, &plan, count, CALLS[row].hard != NULL ? CALLS[row].hard : "");
        }
    }
    printf("%s: %ld system calls, %ld runs, %ld of them without the failure, %ld failed\n", torture->argv[1], calls, torture->runs,
           torture->missed, torture->failures);
    if (torture->runs == 0 || torture->missed * 4 > torture->runs) {
        printf("FAIL %s: too few runs came to their failure\n", torture->argv[1]);
        return 1;
    }
    return torture->failures == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: torture HOST EXAMPLE_SERVER SCENARIO [--deep] [--shard I N] [--one PLACE:CALL:K:HOW]\n");
        return 2;
    }
    struct torture torture = {.argv = {argv[1], argv[3], argv[2], NULL, NULL}, .shards = 1};
    for (int i = 4; i < argc; i++) {
        if (strcmp(argv[i], "--deep") == 0) {
            torture.deep = true;
        } else if (strcmp(argv[i], "--shard") == 0 && i + 2 < argc) {
            torture.shard = atoi(argv[i + 1]);
            torture.shards = atoi(argv[i + 2]);
            i += 2;
        } else if (strcmp(argv[i], "--one") == 0 && i + 1 < argc) {
            torture.one = argv[++i];
        }
    }
    /* Wakes the wait, so that a host that hangs is noticed. */
    struct sigaction action = {.sa_handler = wake};
    struct itimerval timer = {{0, 250000}, {0, 250000}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    return torture_all(&torture);
}
#endif
