/*
 * Every descriptor that the library opens is close-on-exec, so that a program which the host starts for its
 * own purposes inherits none of them.
 */
#include "check.h"

#define MOST_DESCRIPTORS 1024

static void look(bool *open, bool *careless) {
    for (int number = 0; number < MOST_DESCRIPTORS; number++) {
        int flags = fcntl(number, F_GETFD);
        open[number] = flags != -1;
        careless[number] = flags != -1 && (flags & FD_CLOEXEC) == 0;
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    static bool open_before[MOST_DESCRIPTORS];
    static bool open_now[MOST_DESCRIPTORS];
    static bool careless[MOST_DESCRIPTORS];
    look(open_before, careless);
    mcp_client_t *client = connected(argv[1], NULL, NULL);
    CHECK_GE(mcp_client_fd(client), 0);
    check_echo(client, "all is in use");
    look(open_now, careless);
    int opened = 0;
    for (int number = 0; number < MOST_DESCRIPTORS; number++) {
        if (open_now[number] && !open_before[number]) {
            opened++;
            if (careless[number]) {
                FAIL("descriptor %d is not close-on-exec", number);
            }
        }
    }
    CHECK_GE(opened, 3);
    close_and_free(client);
    return 0;
}
