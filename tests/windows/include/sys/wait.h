/*
 * Names of POSIX that tests/c/check.h uses and the compiler's C library for Windows lacks. setenv, unsetenv, kill, waitpid, sysconf and strcasestr
 * are in posix.c beside this folder; a program that calls one of the others does not link, and is not run on Windows.
 */
#ifndef MCP_TESTS_WINDOWS_WAIT_H
#define MCP_TESTS_WINDOWS_WAIT_H

#include <signal.h>
#include <sys/types.h>

#ifndef SIGKILL
#define SIGKILL 9
#endif
/* Signals that a program may name and never gets. */
#define SIGPIPE 13
#define SIGCHLD 17
#define WNOHANG 1
#define WEXITSTATUS(status) (status)
#define WIFEXITED(status) 1
#define WIFSIGNALED(status) 0
#define WTERMSIG(status) 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define O_CLOEXEC 0
#define O_NONBLOCK 0
#define _SC_THREAD_STACK_MIN 1
#define _SC_NPROCESSORS_ONLN 2

int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int kill(pid_t process, int signal);
long sysconf(int name);
char *strcasestr(const char *text, const char *part);
/* Of a process that posix_spawn() has started. */
pid_t waitpid(pid_t process, int *status, int options);

pid_t fork(void);
int pipe(int ends[2]);
int fcntl(int descriptor, int command, ...);

#endif
