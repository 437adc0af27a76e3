/*
 * A network that loses every packet, and one whose cable is pulled, in a network namespace of its own: connecting, a call, a
 * call on a connection that was kept idle, and close end within their bounds, over HTTP/1.1, HTTP/2 and HTTP+SSE; and when the
 * network is there again, so are calls. Where the system gives no namespace the program says why, and is skipped.
 */
/* valgrind: skip what the assembly of ring has written counts as uninitialised there, and so does what is decided with it */
/* asan: skip it is about what the kernel does, and may be refused a namespace */
/* tsan: skip a process that has threads gets no namespace for its users, and the sanitizer's runtime has one */
#include "http.h"

#include "cut_off.h"

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>

/* The status of a program that is skipped. */
#define SKIPPED 77

static _Noreturn void skip(const char *what) {
    printf("skip: %s: %s\n", what, strerror(errno));
    exit(SKIPPED);
}

static void put(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) {
        skip(path);
    }
    close(file);
}

/* Has the loopback interface go up or down; gives whether that is permitted. */
static bool loopback(bool up) {
    struct ifreq request = {0};
    int some = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    CHECK_GE(some, 0);
    snprintf(request.ifr_name, sizeof request.ifr_name, "lo");
    bool done = ioctl(some, SIOCGIFFLAGS, &request) == 0;
    request.ifr_flags = (short)(up ? request.ifr_flags | IFF_UP : request.ifr_flags & ~IFF_UP);
    done = done && ioctl(some, SIOCSIFFLAGS, &request) == 0;
    int error = errno;
    close(some);
    errno = error;
    return done;
}

static void *attribute(struct nlmsghdr *message, unsigned short kind, const void *data, unsigned short size) {
    struct rtattr *place = (struct rtattr *)(void *)((char *)message + NLMSG_ALIGN(message->nlmsg_len));
    place->rta_type = kind;
    place->rta_len = (unsigned short)RTA_LENGTH(size);
    memcpy(RTA_DATA(place), data, size);
    message->nlmsg_len = (unsigned)(NLMSG_ALIGN(message->nlmsg_len) + RTA_ALIGN(place->rta_len));
    return place;
}

/* Has the loopback interface lose every packet, by a queue that holds none, or no longer; gives whether the kernel does that. */
static bool loses_packets(bool loses) {
    union {
        struct nlmsghdr head;
        char bytes[256];
    } message = {0};
    struct tcmsg what = {.tcm_family = AF_UNSPEC, .tcm_ifindex = (int)if_nametoindex("lo"), .tcm_parent = TC_H_ROOT};
    message.head.nlmsg_type = loses ? RTM_NEWQDISC : RTM_DELQDISC;
    message.head.nlmsg_flags =
        (unsigned short)(NLM_F_REQUEST | NLM_F_ACK | (loses ? NLM_F_CREATE | NLM_F_REPLACE : 0));
    message.head.nlmsg_len = NLMSG_LENGTH(sizeof what);
    memcpy(NLMSG_DATA(&message.head), &what, sizeof what);
    if (loses) {
        struct tc_fifo_qopt none = {.limit = 0};
        attribute(&message.head, TCA_KIND, "pfifo", sizeof "pfifo");
        attribute(&message.head, TCA_OPTIONS, &none, sizeof none);
    }
    int kernel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    CHECK_GE(kernel, 0);
    CHECK_EQ(send(kernel, &message, message.head.nlmsg_len, 0), (ssize_t)message.head.nlmsg_len);
    CHECK_GE(recv(kernel, &message, sizeof message, 0), (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr)));
    close(kernel);
    CHECK_EQ(message.head.nlmsg_type, NLMSG_ERROR);
    errno = -((struct nlmsgerr *)NLMSG_DATA(&message.head))->error;
    return errno == 0;
}

static void lose(const struct server *server) {
    (void)server;
    CHECK(loses_packets(true));
}

static void bring(const struct server *server) {
    (void)server;
    CHECK(loses_packets(false));
}

static void unplug(const struct server *server) {
    (void)server;
    CHECK(loopback(false));
}

static void plug(const struct server *server) {
    (void)server;
    CHECK(loopback(true));
}

/* Goes into a network of its own, which is for a process without threads. */
static void get_own_network(void) {
    char *user = format("0 %u 1", (unsigned)getuid());
    char *group = format("0 %u 1", (unsigned)getgid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0) {
        put("/proc/self/setgroups", "deny");
        put("/proc/self/uid_map", user);
        put("/proc/self/gid_map", group);
    } else if (unshare(CLONE_NEWNET) != 0) {
        skip("no network namespace");
    }
    if (!loopback(true)) {
        skip("no say over the network of the namespace");
    }
    if (!loses_packets(true) || !loses_packets(false)) {
        skip("no queue 'pfifo'");
    }
    free(user);
    free(group);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    get_own_network();
    struct holdings before = holdings_now();
    check_all(argv[3], lose, bring, true, 1);
    check_all(argv[3], unplug, plug, false, 2);
    check_nothing_left(before);
    return 0;
}
