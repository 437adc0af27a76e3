/* There is none: a program that calls one of these does not link. */
#include <sys/wait.h>

typedef int posix_spawn_file_actions_t;
typedef int posix_spawnattr_t;

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment);
int pipe2(int ends[2], int flags);
