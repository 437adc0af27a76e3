/*
 * A server whose packets are dropped without a word, as behind a firewall or a cable that was pulled: the kernel drops what
 * comes for it, so that nothing is refused, acknowledged or ended. Connecting, a call, a call on a connection that was kept
 * idle, and close end within their bounds, over HTTP/1.1, HTTP/2 and HTTP+SSE; and when packets arrive again, so do calls.
 */
/* valgrind: skip what the assembly of ring has written counts as uninitialised there, and so does what is decided with it */
#include "http.h"

#include "cut_off.h"

static void deafen(const struct server *server) { tell_server(server, "/deaf"); }

static void hear(const struct server *server) { tell_server(server, "/hear"); }

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check_all(argv[3], deafen, hear, true, 1);
    check_nothing_left(before);
    return 0;
}
