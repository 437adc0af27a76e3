/*
 * The few functions of POSIX that the C tests need of Windows: waiting for sockets and standard input, the environment, the start and the end of a process.
 */
#include <winsock2.h>

#include <windows.h>

#include <psapi.h>

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define MOST 64

/* Descriptors of the C library have low numbers, as sockets may: what is a socket is used as one. */
static int is_socket(int descriptor) {
    int kind = 0;
    int length = sizeof kind;
    return getsockopt((SOCKET)descriptor, SOL_SOCKET, SO_TYPE, (char *)&kind, &length) == 0;
}

static int is_pipe(int descriptor) {
    return !is_socket(descriptor) && GetFileType((HANDLE)_get_osfhandle(descriptor)) == FILE_TYPE_PIPE;
}

/* The one pipe that a program may wait for, such as its standard input: a thread reads it ahead, a byte each time. There is no event for it,
 * and wine cannot look into a pipe of Linux (PeekNamedPipe: ERROR_NOT_SUPPORTED). */
static struct {
    int descriptor;
    HANDLE full; /* A byte or the end is there: NULL until the program has waited. */
    HANDLE taken;
    int length;
    char byte;
} ahead;

static DWORD WINAPI read_ahead(void *nothing) {
    (void)nothing;
    while ((ahead.length = _read(ahead.descriptor, &ahead.byte, 1)) > 0) {
        SetEvent(ahead.full);
        WaitForSingleObject(ahead.taken, INFINITE);
    }
    SetEvent(ahead.full);
    return 0;
}

/* Waits until a byte or the end is there. */
static int poll_ahead(struct pollfd *descriptor, int timeout_ms) {
    if (ahead.full == NULL) {
        ahead.descriptor = descriptor->fd;
        ahead.full = CreateEventW(NULL, TRUE, FALSE, NULL);
        ahead.taken = CreateEventW(NULL, FALSE, FALSE, NULL);
        HANDLE thread = CreateThread(NULL, 0, read_ahead, NULL, 0, NULL);
        if (ahead.full == NULL || ahead.taken == NULL || thread == NULL) {
            abort();
        }
        CloseHandle(thread);
    }
    if (ahead.descriptor != descriptor->fd) {
        errno = EINVAL;
        return -1;
    }
    int is_full = WaitForSingleObject(ahead.full, timeout_ms < 0 ? INFINITE : (DWORD)timeout_ms) == WAIT_OBJECT_0;
    descriptor->revents = is_full ? POLLIN : 0;
    return is_full;
}

/* What was read ahead; the end stays. */
static ssize_t take_ahead(void *bytes, size_t length) {
    WaitForSingleObject(ahead.full, INFINITE);
    if (ahead.length <= 0 || length == 0) {
        return length == 0 ? 0 : ahead.length;
    }
    *(char *)bytes = ahead.byte;
    ResetEvent(ahead.full);
    SetEvent(ahead.taken);
    return 1;
}

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
    if (count == 1 && is_pipe(descriptors[0].fd)) {
        return poll_ahead(&descriptors[0], timeout_ms);
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

/* getenv() of programs that are compiled so: it gives UTF-8, where that of the C library has the characters of a code page alone. What it gives
 * is never freed. */
char *test_getenv(const char *name) {
    wchar_t wide[256];
    if (MultiByteToWideChar(CP_UTF8, 0, name, -1, wide, 256) == 0) {
        return NULL;
    }
    DWORD length = GetEnvironmentVariableW(wide, NULL, 0);
    if (length == 0) {
        return NULL;
    }
    wchar_t *value = malloc(length * sizeof *value);
    char *text = malloc((size_t)length * 3);
    if (value == NULL || text == NULL) {
        abort();
    }
    GetEnvironmentVariableW(wide, value, length);
    WideCharToMultiByte(CP_UTF8, 0, value, -1, text, (int)length * 3, NULL, NULL);
    free(value);
    return text;
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

/* The processes that a program has started: waitpid() is told how they ended through handles that were kept. */
static struct {
    HANDLE handle;
    DWORD id;
} children[MOST];
static SRWLOCK lock = SRWLOCK_INIT;

char **environ;

int pipe2(int ends[2], int flags) {
    (void)flags; /* What is not in a list of handles is not inherited. */
    return _pipe(ends, 65536, _O_BINARY | _O_NOINHERIT);
}

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions) {
    for (int i = 0; i < 3; i++) {
        actions->from[i] = i;
    }
    return 0;
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to) {
    if (to < 0 || to > 2) {
        return EBADF;
    }
    actions->from[to] = from;
    return 0;
}

int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions) {
    (void)actions;
    return 0;
}

/* Adds an argument to a command line, as the C library of a program takes it apart. */
static char *add_argument(char *end, const char *argument) {
    *end++ = '"';
    for (; *argument != '\0'; argument++) {
        if (*argument == '"') {
            *end++ = '\\';
        }
        *end++ = *argument;
        /* Backslashes mean themselves, but not before a quotation mark. */
        char behind = argument[strspn(argument, "\\")];
        if (*argument == '\\' && (behind == '"' || behind == '\0')) {
            *end++ = '\\';
        }
    }
    *end++ = '"';
    *end++ = ' ';
    *end = '\0';
    return end;
}

/* Processes end with the program that has started them. */
static HANDLE job_of_children(void) {
    static HANDLE job;
    if (job == NULL) {
        JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        job = CreateJobObjectW(NULL, NULL);
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    }
    return job;
}

/* Starts a process that inherits its three streams and nothing else. Its environment is that of the program. */
int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {
    (void)attributes;
    (void)environment;
    size_t length = 1;
    for (char *const *argument = arguments; *argument != NULL; argument++) {
        length += 2 * strlen(*argument) + 3;
    }
    char *line = malloc(length);
    SIZE_T room = 0;
    InitializeProcThreadAttributeList(NULL, 1, 0, &room);
    STARTUPINFOEXA start = {.StartupInfo = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES}};
    start.lpAttributeList = malloc(room);
    if (line == NULL || start.lpAttributeList == NULL) {
        abort();
    }
    char *end = line;
    for (char *const *argument = arguments; *argument != NULL; argument++) {
        end = add_argument(end, *argument);
    }
    HANDLE streams[3];
    for (int i = 0; i < 3; i++) {
        HANDLE own = (HANDLE)_get_osfhandle(actions != NULL ? actions->from[i] : i);
        if (!DuplicateHandle(GetCurrentProcess(), own, GetCurrentProcess(), &streams[i], 0, TRUE, DUPLICATE_SAME_ACCESS)) {
            abort();
        }
    }
    start.StartupInfo.hStdInput = streams[0];
    start.StartupInfo.hStdOutput = streams[1];
    start.StartupInfo.hStdError = streams[2];
    PROCESS_INFORMATION made = {0};
    AcquireSRWLockExclusive(&lock);
    BOOL done = InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &room) &&
                UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, streams,
                                          sizeof streams, NULL, NULL) &&
                CreateProcessA(path, line, NULL, NULL, TRUE, EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
                               &start.StartupInfo, &made);
    int slot = 0;
    while (done && slot < MOST && children[slot].handle != NULL) {
        slot++;
    }
    if (slot == MOST) {
        abort();
    }
    if (done) {
        AssignProcessToJobObject(job_of_children(), made.hProcess);
        children[slot].handle = made.hProcess;
        children[slot].id = made.dwProcessId;
        *process = (pid_t)made.dwProcessId;
        CloseHandle(made.hThread);
    }
    ReleaseSRWLockExclusive(&lock);
    for (int i = 0; i < 3; i++) {
        CloseHandle(streams[i]);
    }
    free(start.lpAttributeList);
    free(line);
    return done ? 0 : ENOENT;
}

pid_t waitpid(pid_t process, int *status, int options) {
    int slot = 0;
    AcquireSRWLockExclusive(&lock);
    while (slot < MOST && (children[slot].handle == NULL || children[slot].id != (DWORD)process)) {
        slot++;
    }
    HANDLE handle = slot < MOST ? children[slot].handle : NULL;
    ReleaseSRWLockExclusive(&lock);
    if (handle == NULL) {
        errno = ECHILD;
        return -1;
    }
    if (WaitForSingleObject(handle, (options & WNOHANG) != 0 ? 0 : INFINITE) != WAIT_OBJECT_0) {
        return 0;
    }
    DWORD exit = 0;
    GetExitCodeProcess(handle, &exit);
    if (status != NULL) {
        *status = (int)exit;
    }
    AcquireSRWLockExclusive(&lock);
    children[slot].handle = NULL;
    ReleaseSRWLockExclusive(&lock);
    CloseHandle(handle);
    return process;
}

char *mkdtemp(char *pattern) {
    char *end = pattern + strlen(pattern) - 6;
    for (unsigned number = GetCurrentProcessId(); end >= pattern && number != 0; number += 4001) {
        for (int i = 0; i < 6; i++) {
            end[i] = (char)('a' + (number >> 4 * i) % 16);
        }
        if (_mkdir(pattern) == 0) {
            return pattern;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    return NULL;
}

static void CALLBACK ring(void *context, BOOLEAN fired) {
    (void)context;
    (void)fired;
    ExitProcess(128 + 14);
}

/* Ends the process, as the signal does that no handler is for. */
unsigned alarm(unsigned seconds) {
    HANDLE timer = NULL;
    CreateTimerQueueTimer(&timer, NULL, ring, NULL, seconds * 1000, 0, WT_EXECUTEONLYONCE);
    return 0;
}

long sysconf(int name) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return name == _SC_NPROCESSORS_ONLN ? (long)info.dwNumberOfProcessors : -1;
}

/* The memory in use, or the most that ever was. */
long memory_kib(const char *name) {
    PROCESS_MEMORY_COUNTERS memory = {.cb = sizeof memory};
    if (!GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory)) {
        abort();
    }
    return (long)((strcmp(name, "VmRSS:") == 0 ? memory.WorkingSetSize : memory.PeakWorkingSetSize) / 1024);
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

int test_close(int descriptor) { return is_socket(descriptor) ? closesocket((SOCKET)descriptor) : _close(descriptor); }

ssize_t test_read(int descriptor, void *bytes, size_t length) {
    if (ahead.full != NULL && descriptor == ahead.descriptor) {
        return take_ahead(bytes, length);
    }
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
