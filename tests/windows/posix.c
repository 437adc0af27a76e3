/*
 * The few functions of POSIX that the C tests need of Windows: waiting for sockets, the environment, the end of a process.
 */
#include <winsock2.h>

#include <windows.h>

#include <errno.h>
#include <io.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define MOST 64

int poll(struct pollfd *descriptors, nfds_t count, int timeout_ms) {
    WSAPOLLFD sockets[MOST];
    if (count == 0) {
        Sleep((DWORD)timeout_ms);
        return 0;
    }
    if (count > MOST) {
        errno = EINVAL;
        return -1;
    }
    for (nfds_t i = 0; i < count; i++) {
        sockets[i].fd = (SOCKET)descriptors[i].fd;
        sockets[i].events = (SHORT)(((descriptors[i].events & POLLIN) != 0 ? POLLRDNORM : 0) |
                                    ((descriptors[i].events & POLLOUT) != 0 ? POLLWRNORM : 0));
        sockets[i].revents = 0;
    }
    int ready = WSAPoll(sockets, (ULONG)count, timeout_ms);
    for (nfds_t i = 0; i < count; i++) {
        SHORT found = ready > 0 ? sockets[i].revents : 0;
        descriptors[i].revents = (short)(((found & POLLRDNORM) != 0 ? 1 : 0) | ((found & POLLWRNORM) != 0 ? 4 : 0) |
                                         ((found & 1) != 0 ? 8 : 0) | ((found & 2) != 0 ? 16 : 0) |
                                         ((found & 4) != 0 ? 32 : 0));
    }
    return ready;
}

int setenv(const char *name, const char *value, int overwrite) {
    if (overwrite == 0 && getenv(name) != NULL) {
        return 0;
    }
    return SetEnvironmentVariableA(name, value) != 0 && _putenv_s(name, value) == 0 ? 0 : -1;
}

int unsetenv(const char *name) {
    SetEnvironmentVariableA(name, NULL);
    return _putenv_s(name, "");
}

int kill(pid_t process, int signal) {
    HANDLE handle = OpenProcess(PROCESS_TERMINATE | PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)process);
    DWORD status = 0;
    if (handle == NULL) {
        errno = ESRCH;
        return -1;
    }
    BOOL done = GetExitCodeProcess(handle, &status) != 0 && status == STILL_ACTIVE;
    if (done && signal != 0) {
        done = TerminateProcess(handle, 1);
    }
    CloseHandle(handle);
    errno = ESRCH;
    return done ? 0 : -1;
}

long sysconf(int name) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return name == _SC_NPROCESSORS_ONLN ? (long)info.dwNumberOfProcessors : -1;
}

int test_socket(int family, int kind, int protocol) {
    static volatile LONG started;
    WSADATA about;
    if (InterlockedExchange(&started, 1) == 0 && WSAStartup(MAKEWORD(2, 2), &about) != 0) {
        return -1;
    }
    SOCKET made = socket(family, kind, protocol);
    return made == INVALID_SOCKET ? -1 : (int)made;
}

/* Descriptors of the C library have low numbers, as sockets may: what is a socket is used as one. */
static int is_socket(int descriptor) {
    int kind = 0;
    int length = sizeof kind;
    return getsockopt((SOCKET)descriptor, SOL_SOCKET, SO_TYPE, (char *)&kind, &length) == 0;
}

int test_close(int descriptor) { return is_socket(descriptor) ? closesocket((SOCKET)descriptor) : _close(descriptor); }

ssize_t test_read(int descriptor, void *bytes, size_t length) {
    return is_socket(descriptor) ? recv((SOCKET)descriptor, bytes, (int)length, 0)
                                 : _read(descriptor, bytes, (unsigned)length);
}

ssize_t test_write(int descriptor, const void *bytes, size_t length) {
    return is_socket(descriptor) ? send((SOCKET)descriptor, bytes, (int)length, 0)
                                 : _write(descriptor, bytes, (unsigned)length);
}

char *strcasestr(const char *text, const char *part) {
    size_t length = strlen(part);
    for (; strlen(text) >= length; text++) {
        if (_strnicmp(text, part, length) == 0) {
            return (char *)text;
        }
        if (*text == '\0') {
            break;
        }
    }
    return NULL;
}
