/*
 * The system calls that the torture fails, and how. `transient` are failures that a caller must not notice: the call is simply
 * made again, or goes on where it stopped. `hard` are failures that may end a call of the library with an error.
 *
 *   ENAME  the call is not made and gives this error
 *   short  it transfers one byte, or the first part of a vector
 *   storm  it gives EAGAIN 50 times in a row, or EINTR where it has no EAGAIN
 *   after  the call is made and gives EINTR all the same, as close() may
 *
 * HTTP waits for edges: it is told once when a socket becomes ready, and relies on the kernel that a socket which is ready, and does
 * not block, gives neither EINTR nor EAGAIN, and gives less than it was asked for only when it has no more. There the transient
 * failures of sockets, which the kernel does not make, are left out (is_edge_call).
 *
 * A call with neither list is let through. Its row says why it is not failed. A call without a row is reported, and the step fails.
 */
#ifndef MCP_TORTURE_CALLS_H
#define MCP_TORTURE_CALLS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

struct call {
    int number;
    const char *name;
    const char *transient;
    const char *hard;
};

#define FAILED(name, transient, hard) {SYS_##name, #name, transient, hard},
#define PASSED(name, reason) {SYS_##name, #name, NULL, NULL},

/* No descriptor or no memory for one. */
#define OPENS "EMFILE ENFILE ENOMEM"

static const struct call CALLS[] = {
    /* Bytes. EAGAIN of a descriptor that was said to be ready is what select(2) calls spurious readiness. */
    FAILED(read, "EINTR EAGAIN short storm", "EIO ENOMEM")
    FAILED(readv, "EINTR EAGAIN short storm", "EIO ENOMEM")
    FAILED(recvfrom, "EINTR EAGAIN short storm", "ECONNRESET ENOMEM")
    FAILED(recvmsg, "EINTR EAGAIN storm", "ECONNRESET ENOMEM")
    FAILED(pread64, "EINTR short", "EIO")
    FAILED(write, "EINTR EAGAIN short storm", "EIO ENOSPC EPIPE")
    FAILED(writev, "EINTR EAGAIN short storm", "EIO ENOSPC")
    /* Not EPIPE: hyper then reads what the server may have answered before its end, and the end does come from the kernel. */
    FAILED(sendto, "EINTR EAGAIN short storm", "ENOBUFS")
    FAILED(sendmsg, "EINTR EAGAIN storm", "ENOBUFS")
    FAILED(preadv2, "EINTR EAGAIN short storm", "EIO ENOMEM EOPNOTSUPP")
    FAILED(pwritev2, "EINTR EAGAIN short storm", "EIO ENOSPC EPIPE EOPNOTSUPP")
    FAILED(getdents64, "", "EIO ENOMEM")
    FAILED(lseek, "", "EIO")
    /* Waits. */
    FAILED(poll, "EINTR storm", "ENOMEM")
    FAILED(ppoll, "EINTR storm", "ENOMEM")
    FAILED(epoll_wait, "EINTR storm", "")
    FAILED(epoll_pwait, "EINTR storm", "")
    FAILED(epoll_ctl, "", "ENOMEM ENOSPC")
    FAILED(wait4, "EINTR", "")
    FAILED(waitid, "EINTR", "")
    FAILED(nanosleep, "EINTR", "")
    FAILED(clock_nanosleep, "EINTR", "")
    /* Descriptors. */
    FAILED(open, "EINTR", "ENOENT EACCES EIO " OPENS)
    FAILED(openat, "EINTR", "ENOENT EACCES EIO " OPENS)
    FAILED(close, "after", "")
    FAILED(dup, "", "EMFILE")
    FAILED(dup2, "EINTR", "EMFILE")
    FAILED(dup3, "EINTR", "EMFILE")
    FAILED(fcntl, "", "EMFILE EINVAL")
    FAILED(ioctl, "", "EIO")
    FAILED(pipe2, "", OPENS)
    FAILED(eventfd2, "", OPENS)
    FAILED(signalfd4, "", OPENS " EINVAL")
    FAILED(epoll_create1, "", OPENS)
    FAILED(timerfd_create, "", OPENS)
    FAILED(timerfd_settime, "", "EINVAL")
    FAILED(memfd_create, "", OPENS)
    FAILED(pidfd_open, "", OPENS " ENOSYS")
    FAILED(inotify_init1, "", OPENS)
    /* Files. */
    FAILED(stat, "", "EACCES EIO ENOENT ENOMEM")
    FAILED(lstat, "", "EACCES EIO ENOENT")
    FAILED(fstat, "", "EIO ENOMEM")
    FAILED(newfstatat, "", "EACCES EIO ENOENT")
    FAILED(statx, "", "EACCES EIO ENOENT ENOSYS")
    FAILED(access, "", "EACCES EIO")
    FAILED(faccessat, "", "EACCES EIO")
    FAILED(faccessat2, "", "EACCES EIO ENOSYS")
    FAILED(readlink, "", "EIO ENOENT")
    FAILED(readlinkat, "", "EIO ENOENT")
    FAILED(getcwd, "", "ENOENT")
    FAILED(chdir, "", "EACCES EIO")
    FAILED(unlink, "", "EIO")
    FAILED(unlinkat, "", "EIO")
    /* Sockets. */
    FAILED(socket, "", OPENS " EAFNOSUPPORT")
    FAILED(socketpair, "", OPENS)
    FAILED(connect, "", "ECONNREFUSED ENETUNREACH EAGAIN ENOMEM")
    FAILED(accept, "EINTR EAGAIN", "ECONNABORTED " OPENS)
    FAILED(accept4, "EINTR EAGAIN", "ECONNABORTED " OPENS)
    FAILED(bind, "", "EADDRINUSE EACCES ENOMEM")
    FAILED(listen, "", "EADDRINUSE")
    FAILED(getsockname, "", "ENOBUFS")
    FAILED(getpeername, "", "ENOBUFS ENOTCONN")
    FAILED(getsockopt, "", "ENOMEM")
    FAILED(setsockopt, "", "ENOMEM")
    FAILED(shutdown, "", "ENOTCONN")
    /* Processes and threads. */
    FAILED(clone, "", "EAGAIN ENOMEM")
    FAILED(clone3, "", "EAGAIN ENOMEM")
    FAILED(fork, "", "EAGAIN ENOMEM")
    FAILED(vfork, "", "EAGAIN ENOMEM")
    FAILED(execve, "", "ENOENT EACCES ENOMEM ETXTBSY")
    FAILED(execveat, "", "ENOENT EACCES ENOMEM")
    FAILED(kill, "", "EPERM ESRCH")
    FAILED(tgkill, "", "EAGAIN")
    FAILED(pidfd_send_signal, "", "EPERM ENOSYS")
    FAILED(setpgid, "", "EPERM")
    FAILED(setsid, "", "EPERM")
    FAILED(prctl, "", "EINVAL")
    FAILED(prlimit64, "", "EPERM")
    FAILED(close_range, "", "ENOSYS ENOMEM")
    FAILED(sched_getaffinity, "", "EINVAL")
    FAILED(getrandom, "EINTR short", "")
    FAILED(madvise, "", "EINVAL EAGAIN")
    FAILED(sysinfo, "", "EFAULT")
    FAILED(uname, "", "EFAULT")
    FAILED(membarrier, "", "ENOSYS")
    /* Memory: what a refused allocation does is promised in mcp.h and shown by allocations.c. */
    PASSED(mmap, "an allocation")
    PASSED(mremap, "an allocation")
    PASSED(brk, "an allocation")
    PASSED(mprotect, "the allocator and the stacks of threads")
    PASSED(munmap, "does not fail for what was mapped")
    /* What cannot fail, or only for wrong arguments. */
    PASSED(futex, "the locks of the C library and of Rust, which end the process")
    PASSED(exit, "does not return")
    PASSED(exit_group, "does not return")
    PASSED(rt_sigreturn, "does not return")
    PASSED(rt_sigaction, "fails for wrong arguments only")
    PASSED(rt_sigprocmask, "fails for wrong arguments only")
    PASSED(rt_sigtimedwait, "not called")
    PASSED(sigaltstack, "fails for wrong arguments only")
    PASSED(set_robust_list, "of the C library, when a thread begins")
    PASSED(set_tid_address, "cannot fail")
    PASSED(rseq, "of the C library, when a thread begins")
    PASSED(arch_prctl, "of the C library")
    PASSED(sched_yield, "cannot fail")
    PASSED(getpid, "cannot fail")
    PASSED(gettid, "cannot fail")
    PASSED(getppid, "cannot fail")
    PASSED(getpgid, "fails for wrong arguments only")
    PASSED(getuid, "cannot fail")
    PASSED(geteuid, "cannot fail")
    PASSED(getgid, "cannot fail")
    PASSED(getegid, "cannot fail")
    PASSED(umask, "cannot fail")
    PASSED(clock_gettime, "fails for wrong arguments only")
    PASSED(gettimeofday, "fails for wrong arguments only")
    PASSED(restart_syscall, "is the kernel's")
};

#define CALL_COUNT (sizeof CALLS / sizeof CALLS[0])

/* The row of a call by its number, or CALL_COUNT. */
static inline size_t row_of(long number) {
    size_t row = 0;
    while (row < CALL_COUNT && CALLS[row].number != number) {
        row++;
    }
    return row;
}

/* Whether a call is made on a socket that is watched by edges, in a scenario over HTTP. */
static inline bool is_edge_call(int number) {
    switch (number) {
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_readv:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_writev:
    case SYS_accept4:
        return true;
    default:
        return false;
    }
}

struct error_name {
    const char *name;
    int number;
};

#define E(name) {#name, name}
static const struct error_name ERRORS[] = {
    E(EINTR),      E(EAGAIN),       E(EIO),         E(ENOMEM),      E(ECONNRESET),   E(ENOSPC),       E(EPIPE),
    E(ENOBUFS),    E(ECHILD),       E(EMFILE),      E(ENFILE),      E(ENOENT),       E(EACCES),       E(EINVAL),
    E(ENOSYS),     E(EAFNOSUPPORT), E(ECONNREFUSED), E(ENETUNREACH), E(ECONNABORTED), E(EADDRINUSE),   E(ENOTCONN),
    E(ETXTBSY),    E(EPERM),        E(ESRCH),       E(EFAULT),      E(EOPNOTSUPP),
};

static inline int error_number(const char *name) {
    for (size_t i = 0; i < sizeof ERRORS / sizeof ERRORS[0]; i++) {
        if (strcmp(ERRORS[i].name, name) == 0) {
            return ERRORS[i].number;
        }
    }
    fprintf(stderr, "calls.h names %s, which torture.c does not know\n", name);
    exit(2);
}

#endif
