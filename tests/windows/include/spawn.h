/* Starting a process with other streams: posix.c beside this folder. */
#ifndef MCP_TESTS_WINDOWS_SPAWN_H
#define MCP_TESTS_WINDOWS_SPAWN_H

#include <stdlib.h>
#include <sys/wait.h>

/* A macro of the C library: a program that declares it has one of its own, which is not looked at. */
#undef environ
#define environ test_environ

/* The descriptors that become the three streams of the process. */
typedef struct {
    int from[3];
} posix_spawn_file_actions_t;
typedef int posix_spawnattr_t;

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment);
int pipe2(int ends[2], int flags);

#endif
