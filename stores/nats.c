/*
 * A store in JetStream of NATS, by nats.c. Two streams of the server have what is kept: one a message for each key, the other one for
 * each entry. The sequence of a message is its version, which never comes again, and the server takes a message only where the last one
 * of its subject is the one that is expected. Channels are subjects outside of both.
 *
 * Server 2.9 ends no message by itself but by the age of a whole stream. A stream for each class of life would let two processes that
 * create one key with lives of different classes both succeed. So each message says how long it lives, by the clock of the server, and
 * each process removes what is over: as much as it writes, and a little more.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#define _GNU_SOURCE
#include "worker.h"

#include <fcntl.h>
#include <nats/nats.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How long the server may take to connect and for one answer, and the time between two looks at what the store is. */
enum { CONNECT_MS = 3000, LIMIT_MS = 10000, LOOK_MS = 5000, SWEEP_MS = 60000 };
/* Attempts at what others do at the same time, messages that are fetched together, the most that a look sweeps, remembered lives and
 * ends of streams. */
enum { TRIES = 100, FETCHED = 16, SWEPT = 256, MOST_SWEPT = 2048, LIVES = 4096, TAILS = 1024 };
/* The size of a subject: a name of 200 signs, each as three. */
enum { SUBJECT = 700, NAME = 64, BORN = 16 };
/* What the server must take at once: a value of 768 KiB and what stands around it. */
enum { PAYLOAD = 800 * 1024 };
/* What waits for the thread of the store at most; more is missed. */
static const size_t MOST_BYTES = (size_t)32 << 20;

/* A message of a channel, and its subject. */
struct message {
    struct message *next;
    size_t length;
    char *data;
    char subject[];
};

/* A subscription, by the channel that it is for, and its subject. */
struct subscription {
    struct subscription *next;
    natsSubscription *handle;
    char subject[SUBJECT];
    char channel[];
};

/* A stream of the server. `born` is in its subjects: what is written to a stream that was deleted and made once more by others is not
 * taken. */
struct stream {
    char name[NAME + 16];
    char born[BORN + 1];
    uint64_t swept;
};

/* The last entry of a stream of entries, as its message says. */
struct tail {
    uint64_t hash, sequence, place, epoch, most;
    int64_t until;
};

/* What the threads of nats.c write to. They may do so when the connection has ended, so they know it by its number. */
struct arrived {
    struct arrived *next;
    uintptr_t number;
    int wake;
    size_t bytes;
    struct message *first, **last;
    bool has_missed;
    char said[TEXT];
};

static pthread_mutex_t arrived_lock = PTHREAD_MUTEX_INITIALIZER;
static struct arrived *all_arrived;
static uintptr_t last_number;

struct server {
    /* Another thread may close the connection: under the lock. */
    pthread_mutex_t lock;
    natsConnection *connection;
    bool is_ending;
    jsCtx *js;
    struct arrived arrived;
    int wake[2];
    struct subscription *subscriptions;
    struct stream values, entries;
    uint64_t marker;
    int64_t looked_ms, swept_ms;
    unsigned written;
    /* The clock of the server is ahead of the steady one of this machine by this. */
    int64_t ahead_ms;
    struct {
        uint64_t version;
        int64_t until;
    } lives[LIVES];
    struct tail tails[TAILS];
    /* Of the URL, in `url`. */
    bool is_secure;
    long replicas;
    const char *user, *password, *ca, *credentials, *name;
    const char *hosts[8];
    int host_count;
    char url[];
};

static int64_t steady_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t server_ms(const struct server *server) { return steady_ms() + server->ahead_ms; }

/* A time that does not run over, whatever a server says. */
static int64_t later(int64_t time_ms, int64_t life_ms) {
    int64_t sum = 0;
    return __builtin_add_overflow(time_ms, life_ms, &sum) ? INT64_MAX : sum;
}

/* ---- what comes from the threads of nats.c ------------------------------------------------------ */

static struct arrived *arrived_of(void *closure) {
    struct arrived *found = all_arrived;
    while (found != NULL && found->number != (uintptr_t)closure) {
        found = found->next;
    }
    return found;
}

static void wake(struct arrived *arrived) {
    /* A full pipe wakes as well. */
    ssize_t written = write(arrived->wake, "", 1);
    (void)written;
}

static void on_message(natsConnection *connection, natsSubscription *subscription, natsMsg *found, void *closure) {
    (void)connection;
    (void)subscription;
    const char *subject = natsMsg_GetSubject(found);
    size_t length = (size_t)natsMsg_GetDataLength(found), size = strlen(subject) + 1;
    struct message *message = malloc(sizeof *message + size + length);
    pthread_mutex_lock(&arrived_lock);
    struct arrived *arrived = arrived_of(closure);
    if (arrived != NULL) {
        if (message == NULL || arrived->bytes + size + length > MOST_BYTES) {
            arrived->has_missed = true;
        } else {
            *message = (struct message){.length = length, .data = message->subject + size};
            memcpy(message->subject, subject, size);
            if (length > 0) {
                memcpy(message->data, natsMsg_GetData(found), length);
            }
            arrived->bytes += size + length;
            *arrived->last = message;
            arrived->last = &message->next;
            message = NULL;
        }
        wake(arrived);
    }
    pthread_mutex_unlock(&arrived_lock);
    free(message);
    natsMsg_Destroy(found);
}

static void on_closed(natsConnection *connection, void *closure) {
    (void)connection;
    pthread_mutex_lock(&arrived_lock);
    struct arrived *arrived = arrived_of(closure);
    if (arrived != NULL) {
        wake(arrived);
    }
    pthread_mutex_unlock(&arrived_lock);
}

static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *closure) {
    (void)subscription;
    const char *said = NULL;
    pthread_mutex_lock(&arrived_lock);
    struct arrived *arrived = arrived_of(closure);
    if (arrived != NULL) {
        arrived->has_missed = arrived->has_missed || status == NATS_SLOW_CONSUMER;
        if (natsConnection_GetLastError(connection, &said) != NATS_OK && said != NULL) {
            snprintf(arrived->said, sizeof arrived->said, "%s", said);
        }
        wake(arrived);
    }
    pthread_mutex_unlock(&arrived_lock);
}

/* ---- names -------------------------------------------------------------------------------------- */

/* A subject is split at dots, and has no spaces, '*' and '>'. Each sign that may mean something is written as '=' and its number. */
static void subject_of(char subject[SUBJECT], const char *kind, const char *born, const char *name) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_/:{}";
    size_t at = (size_t)snprintf(subject, SUBJECT, "%s.%s.", kind, born);
    for (; *name != '\0' && at + 4 < SUBJECT; name++) {
        if (strchr(plain, *name) != NULL) {
            subject[at++] = *name;
        } else {
            at += (size_t)snprintf(subject + at, SUBJECT - at, "=%02X", (unsigned char)*name);
        }
    }
    subject[at] = '\0';
}

static void subject_in(char subject[SUBJECT], const struct server *server, const struct stream *stream, const char *name) {
    subject_of(subject, stream == &server->values ? "mcp1v" : "mcp1e", stream->born, name);
}

/* ---- requests ----------------------------------------------------------------------------------- */

/* What a message of either stream says of itself. Of a value only the life. */
static const char HEADER[] = "Mcp";

/* What nats.c or the server says, in words. */
static bool failed(struct server *server, const char *what, natsStatus status, jsErrCode code, char *why, size_t room) {
    natsStatus last = NATS_OK;
    const char *more = nats_GetLastError(&last);
    /* Of a right that is missing the server tells beside its answers. */
    char said[TEXT];
    pthread_mutex_lock(&arrived_lock);
    memcpy(said, server->arrived.said, sizeof said);
    server->arrived.said[0] = '\0';
    pthread_mutex_unlock(&arrived_lock);
    if (said[0] != '\0') {
        snprintf(why, room, "%s: %s", what, said);
    } else if (code == JSNotEnabledErr || code == JSNotEnabledForAccountErr) {
        snprintf(why, room, "%s: JetStream is not enabled: start nats-server with -js, or enable it for the account", what);
    } else if (status == NATS_CONNECTION_AUTH_FAILED) {
        snprintf(why, room, "%s: the server refuses the user or the password", what);
    } else if (status == NATS_SECURE_CONNECTION_WANTED) {
        snprintf(why, room, "%s: the server does not speak TLS, and tls:// does nothing else", what);
    } else if (status == NATS_NO_RESPONDERS) {
        snprintf(why, room, "%s: the stream is gone, or has no leader", what);
    } else if (status == NATS_NO_SERVER) {
        snprintf(why, room, "%s: no server is there", what);
    } else if (status == NATS_TIMEOUT) {
        snprintf(why, room, "%s: no answer came in time", what);
    } else if (last == status && more != NULL && *more != '\0') {
        /* Errors of JetStream and of TLS say more than their status, behind the place in nats.c. */
        const char *place = *more == '(' ? strstr(more, "): ") : NULL;
        more = place == NULL ? more : place + 3;
        snprintf(why, room, "%s: %.*s%s", what, (int)strcspn(more, "\n"), more,
                 status == NATS_SSL_ERROR ? "; ?ca=FILE names an authority to trust" : "");
    } else {
        snprintf(why, room, "%s: %s", what, natsStatus_GetText(status));
    }
    return false;
}

/* Whether the server has answered that it did not do it. */
static bool is_refused(natsStatus status, jsErrCode code) {
    return code != 0 && status != NATS_TIMEOUT && code != JSStreamNotFoundErr && code != JSNotEnabledErr;
}

/* Whether the last message of a subject is another one than was expected, or another one is on its way in a cluster. */
static bool is_late(jsErrCode code) {
    /* nats.c 3.4 has no name for the second. */
    return code == JSStreamWrongLastSequenceErr || (int)code == 10164;
}

static jsOptions options(void) {
    jsOptions with;
    jsOptions_Init(&with);
    with.Wait = LIMIT_MS;
    return with;
}

/* Writes a message; `expected` is the sequence of the last one of its subject, or MCP_STORE_ANY. */
static natsStatus write_message(struct server *server, const char *subject, const char *header, const void *data, size_t length,
                                uint64_t expected, uint64_t *sequence, jsErrCode *code) {
    natsMsg *message = NULL;
    jsPubAck *taken = NULL;
    jsPubOptions with;
    jsPubOptions_Init(&with);
    with.MaxWait = LIMIT_MS;
    with.ExpectNoMessage = expected == 0;
    with.ExpectLastSubjectSeq = expected == MCP_STORE_ANY ? 0 : expected;
    *code = 0;
    natsStatus status = natsMsg_Create(&message, subject, NULL, data, (int)length);
    if (status == NATS_OK) {
        status = natsMsgHeader_Set(message, HEADER, header);
    }
    if (status == NATS_OK) {
        status = js_PublishMsg(&taken, server->js, message, &with, code);
    }
    if (status == NATS_OK) {
        *sequence = taken->Sequence;
        server->written++;
    }
    jsPubAck_Destroy(taken);
    natsMsg_Destroy(message);
    return status;
}

/* The last message of a subject; NULL where there is none. */
static natsStatus last_message(struct server *server, const struct stream *stream, const char *subject, natsMsg **message,
                               jsErrCode *code) {
    jsOptions with = options();
    *code = 0;
    *message = NULL;
    natsStatus status = js_GetLastMsg(message, server->js, stream->name, subject, &with, code);
    if (status != NATS_OK && *code == JSNoMessageFoundErr) {
        *code = 0;
        return NATS_OK;
    }
    return status;
}

/* The numbers in the header of a message: at most `count`. */
static int numbers_of(natsMsg *message, uint64_t *numbers, int count) {
    const char *text = NULL;
    int found = 0;
    if (natsMsgHeader_Get(message, HEADER, &text) != NATS_OK) {
        return 0;
    }
    for (char *end = NULL; found < count; text = end, found++) {
        numbers[found] = strtoull(text, &end, 10);
        if (end == text) {
            break;
        }
    }
    return found;
}

/* When a value is over. One without a life is not ours, and is over. */
static int64_t value_until(natsMsg *message, int64_t time_ms) {
    uint64_t life = 0;
    return numbers_of(message, &life, 1) == 1 ? later(time_ms, (int64_t)life) : 0;
}

static struct tail tail_of(natsMsg *message, uint64_t sequence, int64_t time_ms) {
    uint64_t numbers[4] = {0};
    struct tail tail = {.sequence = sequence};
    if (numbers_of(message, numbers, 4) == 4) {
        tail.until = later(time_ms, (int64_t)numbers[0]);
        tail.place = numbers[1];
        tail.epoch = numbers[2];
        tail.most = numbers[3];
    }
    return tail;
}

static int64_t time_of(natsMsg *message) { return natsMsg_GetTime(message) / 1000000; }

/* ---- connecting --------------------------------------------------------------------------------- */

static void forget_arrived(struct server *server) {
    struct arrived *arrived = &server->arrived;
    pthread_mutex_lock(&arrived_lock);
    for (struct arrived **at = &all_arrived; *at != NULL; at = &(*at)->next) {
        if (*at == arrived) {
            *at = arrived->next;
            break;
        }
    }
    pthread_mutex_unlock(&arrived_lock);
    while (arrived->first != NULL) {
        struct message *message = arrived->first;
        arrived->first = message->next;
        free(message);
    }
    *arrived = (struct arrived){0};
}

static void disconnect(struct worker *worker) {
    struct server *server = worker_own(worker);
    forget_arrived(server);
    while (server->subscriptions != NULL) {
        struct subscription *subscription = server->subscriptions;
        server->subscriptions = subscription->next;
        natsSubscription_Destroy(subscription->handle);
        free(subscription);
    }
    jsCtx_Destroy(server->js);
    server->js = NULL;
    pthread_mutex_lock(&server->lock);
    natsConnection *connection = server->connection;
    server->connection = NULL;
    pthread_mutex_unlock(&server->lock);
    natsConnection_Destroy(connection);
    if (server->wake[0] >= 0) {
        close(server->wake[0]);
        close(server->wake[1]);
    }
    server->wake[0] = server->wake[1] = -1;
    memset(server->lives, 0, sizeof server->lives);
    memset(server->tails, 0, sizeof server->tails);
}

/* The end of the store is not to wait for a server that does not answer. Another thread calls it, in which nats.c may write to a
 * connection of TLS that is gone: the program is not to hear of that. */
static void interrupt(struct worker *worker) {
    struct server *server = worker_own(worker);
    sigset_t pipe_signal, before, pending;
    const struct timespec no_time = {0};
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    pthread_mutex_lock(&server->lock);
    server->is_ending = true;
    if (server->connection != NULL) {
        natsConnection_Close(server->connection);
    }
    pthread_mutex_unlock(&server->lock);
    if (!was_pending) {
        sigtimedwait(&pipe_signal, NULL, &no_time);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* nats.c ignores SIGPIPE for the whole process when it begins. What the process does with its signals stays as it is: the threads that
 * write to connections have them blocked. */
static natsStatus begin_library(void) {
    struct sigaction before;
    sigaction(SIGPIPE, NULL, &before);
    natsStatus status = nats_Open(-1);
    sigaction(SIGPIPE, &before, NULL);
    return status;
}

static natsStatus set_options(struct server *server, natsOptions *with) {
    void *closure = (void *)server->arrived.number;
    natsStatus status = natsOptions_SetServers(with, server->hosts, server->host_count);
    if (status == NATS_OK && server->credentials != NULL) {
        status = natsOptions_SetUserCredentialsFromFiles(with, server->credentials, NULL);
    } else if (status == NATS_OK && server->password != NULL) {
        status = natsOptions_SetUserInfo(with, server->user, server->password);
    } else if (status == NATS_OK && server->user != NULL) {
        status = natsOptions_SetToken(with, server->user);
    }
    if (status == NATS_OK && server->is_secure) {
        status = natsOptions_SetSecure(with, true);
    }
    if (status == NATS_OK && server->ca != NULL) {
        status = natsOptions_LoadCATrustedCertificates(with, server->ca);
    }
    if (status == NATS_OK) {
        status = natsOptions_SetName(with, "libmcp");
    }
    if (status == NATS_OK) {
        status = natsOptions_SetTimeout(with, CONNECT_MS);
    }
    /* The thread of the store connects once more, and tells that messages were missed. */
    if (status == NATS_OK) {
        status = natsOptions_SetAllowReconnect(with, false);
    }
    /* Without a thread for each channel. */
    if (status == NATS_OK) {
        status = natsOptions_UseGlobalMessageDelivery(with, true);
    }
    if (status == NATS_OK) {
        status = natsOptions_SetClosedCB(with, on_closed, closure);
    }
    if (status == NATS_OK) {
        status = natsOptions_SetErrorHandler(with, on_error, closure);
    }
    return status;
}

static bool begin_connection(struct server *server, char *why, size_t room) {
    if (pipe2(server->wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        server->wake[0] = server->wake[1] = -1;
        snprintf(why, room, "the system has no descriptor left");
        return false;
    }
    pthread_mutex_lock(&arrived_lock);
    server->arrived = (struct arrived){.next = all_arrived, .number = ++last_number, .wake = server->wake[1]};
    server->arrived.last = &server->arrived.first;
    all_arrived = &server->arrived;
    pthread_mutex_unlock(&arrived_lock);

    natsOptions *with = NULL;
    natsConnection *connection = NULL;
    natsStatus status = begin_library();
    if (status == NATS_OK) {
        status = natsOptions_Create(&with);
    }
    if (status == NATS_OK) {
        status = set_options(server, with);
    }
    if (status == NATS_OK) {
        status = natsConnection_Connect(&connection, with);
    }
    natsOptions_Destroy(with);
    if (status != NATS_OK) {
        return failed(server, "connecting", status, 0, why, room);
    }
    pthread_mutex_lock(&server->lock);
    server->connection = connection;
    bool is_ending = server->is_ending;
    pthread_mutex_unlock(&server->lock);
    if (is_ending) {
        snprintf(why, room, "the store ends");
        return false;
    }
    int64_t most = natsConnection_GetMaxPayload(connection);
    if (most < PAYLOAD) {
        snprintf(why, room, "its max_payload is %lld: values of 768 KiB need %d, the default is 1048576", (long long)most, (int)PAYLOAD);
        return false;
    }
    jsOptions waits = options();
    status = natsConnection_JetStream(&server->js, connection, &waits);
    return status == NATS_OK || failed(server, "connecting", status, 0, why, room);
}

/* Whether the servers of a cluster take one of several writes that expect the same message. Those before 2.11 may take both
 * (github.com/nats-io/nats-server/issues/4320); from then on JetStream says the level of its functions, from 1. */
static bool is_exact(struct server *server) {
    natsMsg *reply = NULL;
    bool is_new = false;
    if (natsConnection_RequestString(&reply, server->connection, "$JS.API.INFO", "", LIMIT_MS) == NATS_OK) {
        static const char level[] = "\"level\":";
        const char *found = memmem(natsMsg_GetData(reply), (size_t)natsMsg_GetDataLength(reply), level, sizeof level - 1);
        is_new = found != NULL && strtol(found + sizeof level - 1, NULL, 10) >= 1;
    }
    natsMsg_Destroy(reply);
    return is_new;
}

/* Servers from 2.10 on name a leader also outside of a cluster, which has a name. */
static bool is_in_cluster(const jsStreamInfo *info) {
    return info->Cluster != NULL && info->Cluster->Name != NULL && info->Cluster->Name[0] != '\0';
}

/* What keeps a stream from being a store, or NULL. */
static const char *lacks(struct server *server, const struct stream *stream, const jsStreamInfo *info) {
    const jsStreamConfig *is = info->Config;
    bool is_values = stream == &server->values;
    if (is->Storage != js_FileStorage) {
        return "it is kept in memory: a store is kept in files";
    }
    if (is->MaxAge > 0 || is->Discard != js_DiscardNew || (!is_values && (is->MaxMsgsPerSubject > 0 || is->MaxMsgs > 0))) {
        return "it has max_age, max_msgs or discards old messages: a store forgets nothing by itself (discard new, no ages)";
    }
    if (is_values && (is->MaxMsgsPerSubject != 1 || !is->DenyPurge)) {
        return "it needs max_msgs_per_subject 1 and deny_purge";
    }
    if (is->NoAck || is->Sealed || is->AllowRollup || is->Mirror != NULL || is->SourcesLen > 0 || is->Retention != js_LimitsPolicy) {
        return "it acknowledges nothing, is sealed, a mirror, no stream of limits, or takes rollups";
    }
    if (is_in_cluster(info) && !is_exact(server)) {
        return "the servers of a cluster must be 2.11 or newer: older ones may take two writes of which one is to be refused";
    }
    /* There the messages of one replica are lost with its server, of whose restart nothing tells. */
    if (is_in_cluster(info) && is->Replicas < 3) {
        return "in a cluster it needs three replicas: add ?replicas=3 to the URL before it is made";
    }
    return NULL;
}

/* Opens a stream, which is made where there is none, and reads which one it is. */
static bool open_stream(struct server *server, struct stream *stream, bool *is_clustered, char *why, size_t room) {
    const char *kind = stream == &server->values ? "mcp1v" : "mcp1e";
    jsStreamInfo *info = NULL;
    jsErrCode code = 0;
    jsOptions with = options();
    natsStatus status = js_GetStreamInfo(&info, server->js, stream->name, &with, &code);
    /* Another process may make it at the same time: then it is read. */
    if (status == NATS_NOT_FOUND || code == JSStreamNotFoundErr) {
        unsigned char random[BORN / 2];
        char born[BORN + 1], subject[SUBJECT];
        FILE *source = fopen("/dev/urandom", "rbe");
        bool is_read = source != NULL && fread(random, 1, sizeof random, source) == sizeof random;
        if (source != NULL) {
            fclose(source);
        }
        if (!is_read) {
            snprintf(why, room, "the system gives no random bytes");
            return false;
        }
        for (size_t at = 0; at < sizeof random; at++) {
            snprintf(born + 2 * at, 3, "%02x", random[at]);
        }
        snprintf(subject, sizeof subject, "%s.%s.*", kind, born);
        const char *subjects[] = {subject};
        jsStreamConfig is;
        jsStreamConfig_Init(&is);
        is.Name = stream->name;
        is.Description = "libmcp: what the processes of a server share";
        is.Subjects = subjects;
        is.SubjectsLen = 1;
        is.MaxMsgsPerSubject = stream == &server->values ? 1 : -1;
        is.Discard = js_DiscardNew;
        is.Storage = js_FileStorage;
        is.Replicas = server->replicas;
        is.DenyPurge = stream == &server->values;
        status = js_AddStream(&info, server->js, &is, &with, &code);
        if (status != NATS_OK && code == JSStreamNameExistErr) {
            status = js_GetStreamInfo(&info, server->js, stream->name, &with, &code);
        }
    }
    if (status != NATS_OK) {
        return failed(server, "opening its streams", status, status == NATS_NO_RESPONDERS ? JSNotEnabledErr : code, why, room);
    }
    const jsStreamConfig *is = info->Config;
    const char *wrong = lacks(server, stream, info);
    size_t length = strlen(kind);
    const char *subject = is->SubjectsLen == 1 ? is->Subjects[0] : "";
    bool is_ours = strncmp(subject, kind, length) == 0 && subject[length] == '.';
    size_t born = is_ours ? strcspn(subject + length + 1, ".") : 0;
    if (born == 0 || born > BORN || strcmp(subject + length + 1 + born, ".*") != 0) {
        wrong = "its subjects are not those of a store: give the store another name in the URL";
    }
    if (wrong != NULL) {
        snprintf(why, room, "the stream '%s': %s", stream->name, wrong);
    } else {
        snprintf(stream->born, sizeof stream->born, "%.*s", (int)born, subject + length + 1);
    }
    *is_clustered = is_in_cluster(info);
    jsStreamInfo_Destroy(info);
    return wrong == NULL;
}

/* The clock of the server, and whether both streams are those that they were. The message of the entries that marks them goes with them
 * when a person empties the stream. */
static bool look_at(struct server *server, bool begins, char *why, size_t room) {
    static const char what[] = "looking whether it is the same";
    char subject[SUBJECT];
    uint64_t sequence = 0;
    jsErrCode code = 0;
    natsMsg *message = NULL;
    subject_in(subject, server, &server->values, "");
    strcat(subject, "=clock");
    natsStatus status = write_message(server, subject, "0", NULL, 0, MCP_STORE_ANY, &sequence, &code);
    if (status == NATS_OK) {
        status = last_message(server, &server->values, subject, &message, &code);
    }
    if (status != NATS_OK) {
        return failed(server, what, status, code, why, room);
    }
    if (message != NULL) {
        server->ahead_ms = time_of(message) - steady_ms();
    }
    natsMsg_Destroy(message);

    subject_in(subject, server, &server->entries, "");
    strcat(subject, "=born");
    status = last_message(server, &server->entries, subject, &message, &code);
    for (int tries = 0; begins && status == NATS_OK && message == NULL && tries < 2; tries++) {
        status = write_message(server, subject, "0", NULL, 0, 0, &sequence, &code);
        if (status == NATS_OK || is_late(code)) {
            status = last_message(server, &server->entries, subject, &message, &code);
        }
    }
    if (status != NATS_OK) {
        return failed(server, what, status, code, why, room);
    }
    uint64_t marker = message == NULL ? 0 : natsMsg_GetSequence(message);
    natsMsg_Destroy(message);
    if (marker == 0 || (!begins && marker != server->marker)) {
        snprintf(why, room, "it was emptied, or another one is in its place");
        return false;
    }
    server->marker = marker;
    server->looked_ms = steady_ms();
    return true;
}

static bool connect_it(struct worker *worker, char *generation, char *why, size_t room) {
    struct server *server = worker_own(worker);
    bool is_clustered = false;
    if (!begin_connection(server, why, room) || !open_stream(server, &server->values, &is_clustered, why, room) ||
        !open_stream(server, &server->entries, &is_clustered, why, room) || !look_at(server, true, why, room)) {
        return false;
    }
    /* A single server may lose what it has acknowledged when it is restarted: it writes to disk later. Its id is another one then. */
    char id[80] = "";
    if (!is_clustered) {
        natsConnection_GetConnectedServerId(server->connection, id, sizeof id);
    }
    snprintf(generation, room, "%s.%s.%llu.%s", server->values.born, server->entries.born, (unsigned long long)server->marker, id);
    return true;
}

/* ---- operations --------------------------------------------------------------------------------- */

/* Whether a version is known to live, so that it need not be read. */
static bool is_alive(const struct server *server, uint64_t version) {
    return server->lives[version % LIVES].version == version && server->lives[version % LIVES].until > server_ms(server);
}

static void remember(struct server *server, uint64_t version, int64_t until) {
    server->lives[version % LIVES].version = version;
    server->lives[version % LIVES].until = until;
}

/* What is there under a key. `sequence` is that of its message also where it is over; 0 without one. */
static natsStatus look_up(struct server *server, struct job *job, const char *subject, uint64_t *sequence, bool *is_live, jsErrCode *code) {
    natsMsg *message = NULL;
    natsStatus status = last_message(server, &server->values, subject, &message, code);
    *sequence = 0;
    *is_live = false;
    if (status == NATS_OK && message != NULL) {
        int64_t until = value_until(message, time_of(message));
        *sequence = natsMsg_GetSequence(message);
        *is_live = until > server_ms(server);
        if (*is_live) {
            remember(server, *sequence, until);
            if (!job_found(job, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), *sequence)) {
                status = NATS_NO_MEMORY;
            }
        }
    }
    natsMsg_Destroy(message);
    return status;
}

static void not_found(struct job *job) {
    free(job->found);
    job->found = NULL;
    job->version = 0;
}

static natsStatus get(struct server *server, struct job *job, const char *subject, jsErrCode *code) {
    uint64_t sequence = 0;
    bool is_live = false;
    natsStatus status = look_up(server, job, subject, &sequence, &is_live, code);
    if (status == NATS_OK) {
        job->status = is_live ? MCP_OK : MCP_EMPTY;
    }
    return status;
}

static natsStatus delete_message(struct server *server, const struct stream *stream, uint64_t sequence, jsErrCode *code) {
    jsOptions with = options();
    *code = 0;
    return js_DeleteMsg(server->js, stream->name, sequence, &with, code);
}

static natsStatus put(struct server *server, struct job *job, const char *subject, jsErrCode *code) {
    const bool is_any = job->number == MCP_STORE_ANY;
    uint64_t at = job->number;
    /* A version is known to live, or looked at; that nothing is there the server finds. */
    bool looks = job->value == NULL ? is_any || at == 0 : !is_any && at != 0;
    looks = looks && (at == 0 || is_any || !is_alive(server, at));
    char life[24];
    snprintf(life, sizeof life, "%lld", (long long)job->life_ms);
    natsStatus status = NATS_OK;
    for (int tries = 0; status == NATS_OK && tries < TRIES; tries++) {
        if (looks) {
            bool is_live = false;
            status = look_up(server, job, subject, &at, &is_live, code);
            if (status == NATS_OK && !is_any && job->number != (is_live ? at : 0)) {
                job->status = MCP_CONFLICT;
                return status;
            }
            not_found(job);
        }
        if (status == NATS_OK && job->value == NULL && at == 0) {
            job->status = MCP_OK;
            return status;
        }
        uint64_t sequence = 0;
        if (status == NATS_OK && job->value == NULL) {
            status = delete_message(server, &server->values, at, code);
        } else if (status == NATS_OK) {
            int64_t now = server_ms(server);
            status = write_message(server, subject, life, job->value, job->length, is_any ? MCP_STORE_ANY : at, &sequence, code);
            if (status == NATS_OK) {
                remember(server, sequence, later(now, job->life_ms));
            }
        }
        if (status == NATS_OK) {
            job->version = sequence;
            job->status = MCP_OK;
            return status;
        }
        if (is_late(*code) || *code == JSStreamMsgDeleteFailed || *code == JSNoMessageFoundErr ||
            *code == JSSequenceNotFoundErr) {
            /* Another one was faster. */
            looks = true;
            status = NATS_OK;
        }
    }
    return status;
}

static uint64_t hash_of(const char *text) {
    uint64_t hash = 14695981039346656037U;
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * 1099511628211U;
    }
    return hash;
}

static natsStatus append(struct server *server, struct job *job, const char *subject, jsErrCode *code) {
    const uint64_t hash = hash_of(subject);
    struct tail *kept = &server->tails[hash % TAILS], tail = *kept;
    bool is_known = tail.sequence != 0 && tail.hash == hash;
    natsStatus status = NATS_OK;
    for (int tries = 0; status == NATS_OK && tries < TRIES; tries++) {
        natsMsg *message = NULL;
        if (!is_known) {
            status = last_message(server, &server->entries, subject, &message, code);
            tail = (struct tail){0};
            if (status == NATS_OK && message != NULL) {
                tail = tail_of(message, natsMsg_GetSequence(message), time_of(message));
            }
        }
        bool is_live = tail.sequence != 0 && tail.until > server_ms(server);
        uint64_t place = is_live ? tail.place + 1 : 1;
        if (status == NATS_OK && job->number != 0 && job->number != place) {
            if (is_known) {
                /* Only what was read is shown. */
                is_known = false;
                continue;
            }
            job->status = MCP_CONFLICT;
            if (is_live && !job_found(job, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), tail.place)) {
                status = NATS_NO_MEMORY;
            }
            natsMsg_Destroy(message);
            return status;
        }
        natsMsg_Destroy(message);
        struct tail next = {.hash = hash, .place = place, .epoch = is_live ? tail.epoch : tail.epoch + 1, .most = job->most};
        next.until = later(server_ms(server), job->life_ms);
        char header[120];
        snprintf(header, sizeof header, "%lld %llu %llu %llu", (long long)job->life_ms, (unsigned long long)next.place,
                 (unsigned long long)next.epoch, (unsigned long long)next.most);
        if (status == NATS_OK) {
            status = write_message(server, subject, header, job->value, job->length, tail.sequence, &next.sequence, code);
        }
        if (status == NATS_OK) {
            *kept = next;
            job->version = place;
            job->status = MCP_OK;
            /* Those before are not read any more. They are removed a few at a time; what a failure leaves the next one takes. */
            if (place > job->most && place % (job->most / 4 + 1) == 0) {
                jsOptions with = options();
                with.Stream.Purge.Subject = subject;
                with.Stream.Purge.Keep = job->most;
                jsErrCode ignored = 0;
                js_PurgeStream(server->js, server->entries.name, &with, &ignored);
            }
            return status;
        }
        if (is_late(*code)) {
            is_known = false;
            status = NATS_OK;
        }
    }
    return status;
}

/* A subscription that fetches the messages of a stream from one on. */
static natsStatus pull(struct server *server, const struct stream *stream, const char *subject, uint64_t from, bool headers_only,
                       natsSubscription **out, jsErrCode *code) {
    jsOptions with = options();
    jsSubOptions of;
    jsSubOptions_Init(&of);
    of.Stream = stream->name;
    of.Config.AckPolicy = js_AckNone;
    of.Config.DeliverPolicy = from == 0 ? js_DeliverAll : js_DeliverByStartSequence;
    of.Config.OptStartSeq = from;
    of.Config.HeadersOnly = headers_only;
    of.Config.MemoryStorage = true;
    of.Config.Replicas = 1;
    /* Where this process ends before the consumer. */
    of.Config.InactiveThreshold = 60 * (int64_t)1000000000;
    *code = 0;
    return js_PullSubscribe(out, server->js, subject, NULL, &with, &of, code);
}

static natsStatus read_entries(struct server *server, struct job *job, const char *subject, jsErrCode *code) {
    natsMsg *message = NULL;
    natsStatus status = last_message(server, &server->entries, subject, &message, code);
    if (status != NATS_OK) {
        return status;
    }
    struct tail tail = {0};
    if (message != NULL) {
        tail = tail_of(message, natsMsg_GetSequence(message), time_of(message));
    }
    uint64_t first = tail.place > tail.most ? tail.place - tail.most + 1 : 1;
    if (job->number >= first) {
        first = job->number + 1 == 0 ? job->number : job->number + 1;
    }
    job->status = tail.until > server_ms(server) ? MCP_OK : MCP_EMPTY;
    bool is_read = job->status == MCP_EMPTY || first > tail.place || job->most == 0;
    if (!is_read && first == tail.place) {
        is_read = true;
        if (!job_entry(job, tail.place, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message))) {
            status = NATS_NO_MEMORY;
        }
    }
    natsMsg_Destroy(message);
    if (is_read || status != NATS_OK) {
        return status;
    }
    natsSubscription *subscription = NULL;
    status = pull(server, &server->entries, subject, 0, false, &subscription, code);
    size_t bytes = 0;
    uint32_t count = 0;
    while (!is_read && status == NATS_OK) {
        natsMsgList list = {0};
        status = natsSubscription_Fetch(&list, subscription, FETCHED, LIMIT_MS, code);
        for (int at = 0; status == NATS_OK && !is_read && at < list.Count; at++) {
            jsMsgMetaData *of = NULL;
            status = natsMsg_GetMetaData(&of, list.Msgs[at]);
            if (status != NATS_OK) {
                break;
            }
            struct tail entry = tail_of(list.Msgs[at], of->Sequence.Stream, of->Timestamp / 1000000);
            jsMsgMetaData_Destroy(of);
            size_t length = (size_t)natsMsg_GetDataLength(list.Msgs[at]);
            if (entry.epoch == tail.epoch && entry.place >= first && entry.place <= tail.place) {
                bytes += length;
                is_read = count > 0 && bytes > job->bytes;
                if (!is_read && !job_entry(job, entry.place, natsMsg_GetData(list.Msgs[at]), length)) {
                    status = NATS_NO_MEMORY;
                }
                count++;
            }
            /* What was removed meanwhile never comes. */
            is_read = is_read || count >= job->most || entry.sequence >= tail.sequence;
        }
        natsMsgList_Destroy(&list);
    }
    natsSubscription_Destroy(subscription);
    return status;
}

/* Those that are published together are known to the server when it has answered once. */
static natsStatus publish(struct server *server, struct job *job) {
    char subject[SUBJECT];
    subject_of(subject, "mcp1c", server->values.born, job->name);
    return natsConnection_Publish(server->connection, subject, job->value, (int)job->length);
}

static mcp_status_t refusal(natsStatus status, jsErrCode code) {
    return status == NATS_MAX_PAYLOAD || code == JSStreamMessageExceedsMaximumErr ? MCP_ERROR_TOO_LARGE : MCP_ERROR_UNAVAILABLE;
}

static bool work(struct worker *worker, struct job *jobs, char *why, size_t room) {
    struct server *server = worker_own(worker);
    natsStatus status = NATS_OK;
    jsErrCode code = 0;
    bool has_published = false;
    struct job *job = jobs;
    for (; job != NULL; job = job->next) {
        char subject[SUBJECT];
        const bool is_value = job->kind == JOB_GET || job->kind == JOB_PUT;
        subject_in(subject, server, is_value ? &server->values : &server->entries, job->name);
        code = 0;
        switch (job->kind) {
        case JOB_GET: status = get(server, job, subject, &code); break;
        case JOB_PUT: status = put(server, job, subject, &code); break;
        case JOB_APPEND: status = append(server, job, subject, &code); break;
        case JOB_READ: status = read_entries(server, job, subject, &code); break;
        default:
            status = publish(server, job);
            has_published = true;
            break;
        }
        job->unix_ms = server_ms(server);
        if (status == NATS_OK && job->status == MCP_ERROR_TRANSPORT && job->kind != JOB_PUBLISH) {
            /* Others were faster each time: nothing was done. */
            job->status = MCP_ERROR_UNAVAILABLE;
        } else if (status == NATS_MAX_PAYLOAD || is_refused(status, code)) {
            job->status = refusal(status, code);
            not_found(job);
            status = NATS_OK;
        } else if (status != NATS_OK) {
            not_found(job);
            break;
        }
    }
    if (status == NATS_OK && has_published) {
        status = natsConnection_FlushTimeout(server->connection, LIMIT_MS);
        for (struct job *sent = jobs; status == NATS_OK && sent != NULL; sent = sent->next) {
            if (sent->kind == JOB_PUBLISH && sent->status == MCP_ERROR_TRANSPORT) {
                sent->status = MCP_OK;
            }
        }
    }
    if (status == NATS_OK) {
        return true;
    }
    if (job != NULL) {
        /* A stream that is gone has taken nothing, and those behind it were not sent. */
        job->status = status == NATS_NO_RESPONDERS || code == JSStreamNotFoundErr ? MCP_ERROR_UNAVAILABLE : MCP_ERROR_TRANSPORT;
        for (job = job->next; job != NULL; job = job->next) {
            job->status = MCP_ERROR_UNAVAILABLE;
        }
    }
    failed(server, "waiting for an answer", status, code, why, room);
    return false;
}

/* ---- channels ----------------------------------------------------------------------------------- */

static bool listen_to(struct worker *worker, const char *channel, bool begins) {
    struct server *server = worker_own(worker);
    struct subscription **at = &server->subscriptions;
    while (*at != NULL && strcmp((*at)->channel, channel) != 0) {
        at = &(*at)->next;
    }
    if (!begins) {
        struct subscription *old = *at;
        if (old != NULL) {
            *at = old->next;
            natsSubscription_Destroy(old->handle);
            free(old);
        }
        return true;
    }
    struct subscription *subscription = calloc(1, sizeof *subscription + strlen(channel) + 1);
    if (subscription == NULL) {
        return false;
    }
    strcpy(subscription->channel, channel);
    subject_of(subscription->subject, "mcp1c", server->values.born, channel);
    natsStatus status = natsConnection_Subscribe(&subscription->handle, server->connection, subscription->subject, on_message,
                                                 (void *)server->arrived.number);
    if (status == NATS_OK) {
        /* What is published from now on comes. */
        status = natsConnection_FlushTimeout(server->connection, LIMIT_MS);
    }
    if (status != NATS_OK) {
        natsSubscription_Destroy(subscription->handle);
        free(subscription);
        return false;
    }
    subscription->next = server->subscriptions;
    server->subscriptions = subscription;
    return true;
}

static void tell_arrived(struct worker *worker) {
    struct server *server = worker_own(worker);
    char drained[64];
    while (read(server->wake[0], drained, sizeof drained) == (ssize_t)sizeof drained) {
    }
    pthread_mutex_lock(&arrived_lock);
    struct message *messages = server->arrived.first;
    bool has_missed = server->arrived.has_missed;
    server->arrived.first = NULL;
    server->arrived.last = &server->arrived.first;
    server->arrived.bytes = 0;
    server->arrived.has_missed = false;
    pthread_mutex_unlock(&arrived_lock);
    while (messages != NULL) {
        struct message *message = messages;
        messages = message->next;
        const struct subscription *subscription = server->subscriptions;
        while (subscription != NULL && strcmp(message->subject, subscription->subject) != 0) {
            subscription = subscription->next;
        }
        if (subscription != NULL) {
            worker_event(worker, subscription->channel, message->data, message->length);
        }
        free(message);
    }
    if (has_missed) {
        worker_missed(worker);
    }
}

/* ---- what is over ------------------------------------------------------------------------------- */

/* Removes a stream of entries whose last entry is over, up to that one. */
static natsStatus end_entries(struct server *server, const char *subject, jsErrCode *code) {
    natsMsg *message = NULL;
    natsStatus status = last_message(server, &server->entries, subject, &message, code);
    if (status == NATS_OK && message != NULL) {
        struct tail tail = tail_of(message, natsMsg_GetSequence(message), time_of(message));
        if (tail.until <= server_ms(server)) {
            jsOptions with = options();
            with.Stream.Purge.Subject = subject;
            with.Stream.Purge.Sequence = tail.sequence + 1;
            status = js_PurgeStream(server->js, server->entries.name, &with, code);
        }
    }
    natsMsg_Destroy(message);
    return status;
}

/* Looks at the next messages of a stream, without their values; at its end it begins again. */
static natsStatus sweep_stream(struct server *server, struct stream *stream, unsigned count, jsErrCode *code) {
    char all[SUBJECT], ended[SUBJECT] = "";
    subject_in(all, server, stream, "");
    strcat(all, "*");
    natsSubscription *subscription = NULL;
    natsMsgList list = {0};
    natsStatus status = pull(server, stream, all, stream->swept == 0 ? 0 : stream->swept + 1, true, &subscription, code);
    if (status == NATS_OK) {
        /* Where there are none it waits in vain. */
        status = natsSubscription_Fetch(&list, subscription, (int)count, 100, code);
        status = status == NATS_TIMEOUT ? NATS_OK : status;
    }
    stream->swept = 0;
    for (int at = 0; status == NATS_OK && at < list.Count; at++) {
        jsMsgMetaData *of = NULL;
        status = natsMsg_GetMetaData(&of, list.Msgs[at]);
        if (status != NATS_OK) {
            break;
        }
        uint64_t sequence = of->Sequence.Stream;
        int64_t time_ms = of->Timestamp / 1000000;
        jsMsgMetaData_Destroy(of);
        const char *subject = natsMsg_GetSubject(list.Msgs[at]);
        if (strncmp(subject, all, strlen(all) - 1) != 0) {
            continue;
        }
        bool is_mark = strcmp(subject + strlen(all) - 1, "=born") == 0 || strcmp(subject + strlen(all) - 1, "=clock") == 0;
        bool is_over = !is_mark && value_until(list.Msgs[at], time_ms) <= server_ms(server);
        if (is_over && stream == &server->values) {
            /* It is gone where another process was faster. */
            status = delete_message(server, stream, sequence, code);
            status = is_refused(status, *code) ? NATS_OK : status;
        } else if (is_over && strcmp(subject, ended) != 0) {
            snprintf(ended, sizeof ended, "%s", subject);
            status = end_entries(server, subject, code);
        }
        stream->swept = (unsigned)list.Count == count ? sequence : 0;
    }
    natsMsgList_Destroy(&list);
    natsSubscription_Destroy(subscription);
    return status;
}

static bool look(struct worker *worker, char *why, size_t room) {
    struct server *server = worker_own(worker);
    if (natsConnection_IsClosed(server->connection)) {
        const char *said = NULL;
        natsStatus status = natsConnection_GetLastError(server->connection, &said);
        snprintf(why, room, "the connection ended%s%s", status == NATS_OK ? "" : ": ", status == NATS_OK ? "" : natsStatus_GetText(status));
        return false;
    }
    tell_arrived(worker);
    int64_t now = steady_ms();
    if (now - server->looked_ms < LOOK_MS) {
        return true;
    }
    if (!look_at(server, false, why, room)) {
        return false;
    }
    /* One was the look. */
    unsigned written = server->written;
    server->written = 0;
    if (written <= 1 && now - server->swept_ms < SWEEP_MS) {
        return true;
    }
    server->swept_ms = now;
    unsigned count = SWEPT + 2 * written;
    count = count < MOST_SWEPT ? count : MOST_SWEPT;
    jsErrCode code = 0;
    natsStatus status = sweep_stream(server, &server->values, count, &code);
    if (status == NATS_OK) {
        status = sweep_stream(server, &server->entries, count, &code);
    }
    /* What the server refuses now it may do at the next look. */
    return status == NATS_OK || is_refused(status, code) || failed(server, "removing what is over", status, code, why, room);
}

static int descriptor(struct worker *worker) {
    struct server *server = worker_own(worker);
    return server->wake[0];
}

static const struct engine ENGINE = {connect_it, work, listen_to, look, descriptor, disconnect, interrupt};

/* ---- the URL ------------------------------------------------------------------------------------ */

/* Replaces %XX in place. False for what is not, and for a NUL. */
static bool decode(char *text) {
    char *to = text;
    for (; *text != '\0'; text++) {
        if (*text != '%') {
            *to++ = *text;
            continue;
        }
        int high = hex_digit(text[1]), low = high < 0 ? -1 : hex_digit(text[2]);
        if (low < 0 || (high | low) == 0) {
            return false;
        }
        *to++ = (char)(high << 4 | low);
        text += 2;
    }
    *to = '\0';
    return true;
}

/* Cuts a text at a sign; gives what follows, or NULL. */
static char *cut(char *text, char at) {
    char *found = strchr(text, at);
    if (found != NULL) {
        *found++ = '\0';
    }
    return found;
}

static bool read_parameters(struct server *server, char *text) {
    while (text != NULL && *text != '\0') {
        char *next = cut(text, '&'), *value = cut(text, '=');
        if (value == NULL || *value == '\0' || !decode(value)) {
            return false;
        }
        if (strcmp(text, "ca") == 0) {
            server->ca = value;
        } else if (strcmp(text, "creds") == 0) {
            server->credentials = value;
        } else if (strcmp(text, "replicas") == 0) {
            char *end = NULL;
            server->replicas = strtol(value, &end, 10);
            if (*end != '\0' || server->replicas < 1 || server->replicas > 5) {
                return false;
            }
        } else {
            return false;
        }
        text = next;
    }
    return true;
}

/* Reads scheme://[USER[:PASSWORD]@]HOST[:PORT][,...][/NAME][?PARAMETERS]; `room` is behind the URL for the hosts. */
static bool read_url(struct server *server, char *room, size_t size) {
    char *rest = cut(server->url, ':');
    server->is_secure = strcmp(server->url, "tls") == 0;
    if (rest == NULL || strncmp(rest, "//", 2) != 0) {
        return false;
    }
    rest += 2;
    char *parameters = cut(rest, '?'), *name = cut(rest, '/');
    char *at = strrchr(rest, '@');
    if (at != NULL) {
        char *user = rest;
        *at = '\0';
        rest = at + 1;
        char *password = cut(user, ':');
        if (*user == '\0' || !decode(user) || (password != NULL && !decode(password))) {
            return false;
        }
        server->user = user;
        server->password = password;
    }
    server->name = name == NULL || *name == '\0' ? "mcp" : name;
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    if (strlen(server->name) > NAME || server->name[strspn(server->name, signs)] != '\0') {
        return false;
    }
    for (char *host = rest, *next = NULL; host != NULL; host = next) {
        next = cut(host, ',');
        static const char of_hosts[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:[]";
        int used = snprintf(room, size, "%s://%s", server->url, host);
        if (*host == '\0' || host[strspn(host, of_hosts)] != '\0' || server->host_count == 8 || used < 0 || (size_t)used >= size) {
            return false;
        }
        server->hosts[server->host_count++] = room;
        room += used + 1;
        size -= (size_t)used + 1;
    }
    server->replicas = 1;
    return read_parameters(server, parameters);
}

static mcp_status_t open_url(void *user, const char *url, mcp_store_t **out, char *why, size_t room) {
    size_t length = strlen(url) + 1, hosts = length + 8 * sizeof "nats://";
    struct server *server = calloc(1, sizeof *server + length + hosts);
    if (server == NULL) {
        snprintf(why, room, "the system has no memory left");
        return MCP_ERROR_UNAVAILABLE;
    }
    strcpy(server->url, url);
    server->wake[0] = server->wake[1] = -1;
    pthread_mutex_init(&server->lock, NULL);
    /* The URL may have a password in it. */
    if (!read_url(server, server->url + length, hosts)) {
        snprintf(why, room,
                 "it is not nats:// or tls://[USER:PASSWORD@]HOST[:PORT][,...][/NAME] with ?ca=FILE, creds=FILE or replicas=1 to 5; "
                 "signs such as @ / ? in a password are written as %%40 %%2F %%3F");
        free(server);
        return MCP_ERROR_INVALID_ARGUMENT;
    }
    snprintf(server->values.name, sizeof server->values.name, "%s-values", server->name);
    snprintf(server->entries.name, sizeof server->entries.name, "%s-entries", server->name);
    return worker_open(user, &ENGINE, server, out, why, room);
}

static const char *const SCHEMES[] = {"nats", "tls", NULL};

mcp_status_t mcp_store_nats_register(char **error_json) { return worker_register(SCHEMES, open_url, NULL, error_json); }

mcp_status_t mcp_store_nats_load(mcp_store_find_t find, char **error_json) {
    return worker_register(SCHEMES, open_url, find, error_json);
}
