/*
 * A store in PostgreSQL, by libpq. Functions in the database make each operation one statement, which is one transaction.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#define _GNU_SOURCE
#include "worker.h"

#include <libpq-fe.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How long the server may take for one statement before its connection is given up, and a slice of it in which the end is seen. */
enum { LIMIT_MS = 10000, SLICE_MS = 100, SWEEP_MS = 5000 };

/* What the database needs, made once. A lock keeps two processes from making it at the same time. */
static const char SCHEMA[] =
    "BEGIN;"
    "SELECT pg_advisory_xact_lock(7811887219024);"
    "CREATE TABLE IF NOT EXISTS mcp_store (one int PRIMARY KEY CHECK (one = 1), born text NOT NULL);"
    "INSERT INTO mcp_store VALUES (1, md5(random()::text || clock_timestamp()::text)) ON CONFLICT DO NOTHING;"
    "CREATE SEQUENCE IF NOT EXISTS mcp_versions;"
    "CREATE TABLE IF NOT EXISTS mcp_values (key text PRIMARY KEY, value bytea NOT NULL, version bigint NOT NULL,"
    " until timestamptz NOT NULL);"
    "CREATE INDEX IF NOT EXISTS mcp_values_until ON mcp_values (until);"
    "CREATE TABLE IF NOT EXISTS mcp_streams (stream text PRIMARY KEY, last bigint NOT NULL, until timestamptz NOT NULL);"
    "CREATE TABLE IF NOT EXISTS mcp_entries (stream text NOT NULL REFERENCES mcp_streams ON DELETE CASCADE, place bigint NOT NULL,"
    " entry bytea NOT NULL, PRIMARY KEY (stream, place));"
    "CREATE TABLE IF NOT EXISTS mcp_messages (id bigserial PRIMARY KEY, data bytea NOT NULL,"
    " until timestamptz NOT NULL DEFAULT clock_timestamp() + interval '1 minute');"
    "CREATE OR REPLACE FUNCTION mcp_later(life_ms bigint) RETURNS timestamptz LANGUAGE sql VOLATILE AS"
    " $$ SELECT clock_timestamp() + least(life_ms, 3153600000000) * interval '1 millisecond' $$;"
    /* Each gives a status (0: done, 1: nothing there, 3: conflict), a version or place, and what is there. */
    "CREATE OR REPLACE FUNCTION mcp_put(k text, v bytea, expected bigint, life_ms bigint)"
    " RETURNS TABLE (status bigint, version bigint, value bytea) LANGUAGE plpgsql AS $$"
    " DECLARE old mcp_values%ROWTYPE; was_there boolean; is_live boolean; next bigint;"
    " BEGIN LOOP"
    "  SELECT * INTO old FROM mcp_values t WHERE t.key = k FOR UPDATE;"
    "  was_there := FOUND; is_live := was_there AND old.until > clock_timestamp();"
    "  IF expected <> -1 AND (CASE WHEN is_live THEN old.version ELSE 0 END) <> expected THEN"
    "   IF is_live THEN RETURN QUERY SELECT 3::bigint, old.version, old.value;"
    "   ELSE RETURN QUERY SELECT 3::bigint, 0::bigint, NULL::bytea; END IF;"
    "   RETURN;"
    "  END IF;"
    "  IF v IS NULL THEN DELETE FROM mcp_values t WHERE t.key = k; RETURN QUERY SELECT 0::bigint, 0::bigint, NULL::bytea; RETURN; END IF;"
    "  next := nextval('mcp_versions');"
    "  IF was_there THEN UPDATE mcp_values t SET value = v, version = next, until = mcp_later(life_ms) WHERE t.key = k;"
    "  ELSE INSERT INTO mcp_values VALUES (k, v, next, mcp_later(life_ms)) ON CONFLICT DO NOTHING; END IF;"
    "  IF FOUND THEN RETURN QUERY SELECT 0::bigint, next, NULL::bytea; RETURN; END IF;"
    " END LOOP; END $$;"
    "CREATE OR REPLACE FUNCTION mcp_append(s text, v bytea, expected bigint, most bigint, life_ms bigint)"
    " RETURNS TABLE (status bigint, version bigint, value bytea) LANGUAGE plpgsql AS $$"
    " DECLARE old mcp_streams%ROWTYPE; next bigint;"
    " BEGIN"
    "  INSERT INTO mcp_streams VALUES (s, 0, mcp_later(life_ms)) ON CONFLICT DO NOTHING;"
    "  SELECT * INTO old FROM mcp_streams t WHERE t.stream = s FOR UPDATE;"
    "  IF old.until <= clock_timestamp() THEN DELETE FROM mcp_entries t WHERE t.stream = s; old.last := 0;"
    "   UPDATE mcp_streams t SET last = 0 WHERE t.stream = s; END IF;"
    "  next := old.last + 1;"
    "  IF expected <> 0 AND expected <> next THEN"
    "   RETURN QUERY SELECT 3::bigint, old.last, (SELECT t.entry FROM mcp_entries t WHERE t.stream = s AND t.place = old.last);"
    "   RETURN;"
    "  END IF;"
    "  INSERT INTO mcp_entries VALUES (s, next, v);"
    "  UPDATE mcp_streams t SET last = next, until = mcp_later(life_ms) WHERE t.stream = s;"
    "  DELETE FROM mcp_entries t WHERE t.stream = s AND t.place <= next - most;"
    "  RETURN QUERY SELECT 0::bigint, next, NULL::bytea;"
    " END $$;"
    /* The name of a channel is longer than what LISTEN takes, and a message than what NOTIFY takes. */
    "CREATE OR REPLACE FUNCTION mcp_publish(c text, data bytea) RETURNS void LANGUAGE plpgsql AS $$"
    " DECLARE number bigint;"
    " BEGIN"
    "  IF length(data) <= 3500 THEN PERFORM pg_notify('mcp_' || md5(c), c || E'\\n' || 'x' || encode(data, 'hex'));"
    "  ELSE INSERT INTO mcp_messages (data) VALUES (data) RETURNING id INTO number;"
    "   PERFORM pg_notify('mcp_' || md5(c), c || E'\\n' || 'n' || number); END IF;"
    " END $$;"
    "COMMIT";

/* What the database is, and why it cannot be used. */
static const char WHAT_IT_IS[] =
    "SELECT CASE WHEN pg_is_in_recovery() THEN 'it is a standby: name the primary'"
    " WHEN current_setting('fsync') = 'off' THEN 'its fsync is off, so that it forgets what it has acknowledged'"
    " ELSE '' END,"
    " CASE WHEN pg_is_in_recovery() THEN '' ELSE"
    " (SELECT system_identifier FROM pg_control_system()) || '.' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END";

static const char SWEEP[] =
    "WITH a AS (DELETE FROM mcp_values WHERE key IN"
    " (SELECT key FROM mcp_values WHERE until <= clock_timestamp() LIMIT 1000 FOR UPDATE SKIP LOCKED)),"
    " b AS (DELETE FROM mcp_streams WHERE stream IN"
    " (SELECT stream FROM mcp_streams WHERE until <= clock_timestamp() LIMIT 100 FOR UPDATE SKIP LOCKED)),"
    " c AS (DELETE FROM mcp_messages WHERE id IN (SELECT id FROM mcp_messages WHERE until <= clock_timestamp() LIMIT 1000))"
    " SELECT born FROM mcp_store";

#define ANOTHER "it was emptied, or another one is in its place"

struct database {
    PGconn *connection;
    int64_t swept_ms;
    char born[64];
    char url[];
};

static void disconnect(struct worker *worker) {
    struct database *database = worker_own(worker);
    PQfinish(database->connection);
    database->connection = NULL;
}

/* What the server or libpq says, in one line: each address of a host has failed for a reason of its own. */
static bool failed(struct database *database, const char *what, char *why, size_t room) {
    const char *said = PQerrorMessage(database->connection);
    size_t at = strlen(what) + 2;
    snprintf(why, room, "%s: %.*s", what, (int)(strlen(said) - (said[0] != '\0' && said[strlen(said) - 1] == '\n')), said);
    for (; at < room && why[at] != '\0'; at++) {
        why[at] = why[at] == '\n' || why[at] == '\t' ? ' ' : why[at];
    }
    return false;
}

/* For limits: the clock of the machine may be set. */
static int64_t steady_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A field of what the server says; "" where there is none, because it says something else than was asked for. */
static const char *field(const PGresult *found, int row, int column) {
    const char *text = PQgetvalue(found, row, column);
    return text == NULL ? "" : text;
}

/* Notices of the server, such as that a table is there already, are for no log. */
static void no_notice(void *of, const PGresult *found) {
    (void)of;
    (void)found;
}

/* Waits for the server, a slice at a time, so that the end of the store is seen. */
static bool ready(struct worker *worker, short events, int64_t until) {
    struct database *database = worker_own(worker);
    while (steady_ms() < until && !worker_is_closing(worker)) {
        struct pollfd fd = {.fd = PQsocket(database->connection), .events = events};
        if (fd.fd < 0) {
            return false;
        }
        if (poll(&fd, 1, SLICE_MS) > 0) {
            return true;
        }
    }
    return false;
}

/* The result of what was sent; NULL when the connection is lost or the time is over. PQclear() it. */
static PGresult *result(struct worker *worker, int sent) {
    struct database *database = worker_own(worker);
    const int64_t until = steady_ms() + LIMIT_MS;
    PGresult *last = NULL;
    if (sent != 1) {
        return NULL;
    }
    for (;;) {
        int flushed = PQflush(database->connection);
        if (flushed < 0 || !PQconsumeInput(database->connection)) {
            break;
        }
        if (flushed == 0 && !PQisBusy(database->connection)) {
            PGresult *next = PQgetResult(database->connection);
            if (next == NULL) {
                return last;
            }
            PQclear(last);
            last = next;
            continue;
        }
        if (!ready(worker, (short)(flushed > 0 ? POLLIN | POLLOUT : POLLIN), until)) {
            break;
        }
    }
    PQclear(last);
    return NULL;
}

static PGresult *ask(struct worker *worker, const char *query) {
    struct database *database = worker_own(worker);
    return result(worker, PQsendQuery(database->connection, query));
}

static bool is_good(const PGresult *found) {
    ExecStatusType status = PQresultStatus(found);
    return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
}

static bool begin_connection(struct worker *worker, char *why, size_t room) {
    struct database *database = worker_own(worker);
    const int64_t until = steady_ms() + LIMIT_MS;
    database->connection = PQconnectStart(database->url);
    if (database->connection == NULL) {
        snprintf(why, room, "the system has no memory left");
        return false;
    }
    /* First: a server says something before it knows who asks, and libpq would write it to the program's stderr. */
    PQsetNoticeReceiver(database->connection, no_notice, NULL);
    PostgresPollingStatusType step = PGRES_POLLING_WRITING;
    while (PQstatus(database->connection) != CONNECTION_BAD && step != PGRES_POLLING_OK && step != PGRES_POLLING_FAILED) {
        if (!ready(worker, step == PGRES_POLLING_READING ? POLLIN : POLLOUT, until)) {
            snprintf(why, room, "connecting took too long");
            return false;
        }
        step = PQconnectPoll(database->connection);
    }
    if (PQstatus(database->connection) != CONNECTION_OK || step != PGRES_POLLING_OK) {
        return failed(database, "connecting", why, room);
    }
    return PQsetnonblocking(database->connection, 1) == 0 || failed(database, "connecting", why, room);
}

/* PostgreSQL 13 has no idle_session_timeout. */
static const char PREPARE_SESSION[] =
    "SET synchronous_commit = on;"
    "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout';"
    "SELECT born FROM mcp_store";

static bool connect_it(struct worker *worker, char *generation, char *why, size_t room) {
    struct database *database = worker_own(worker);
    if (!begin_connection(worker, why, room)) {
        return false;
    }
    PGresult *found = ask(worker, WHAT_IT_IS);
    bool is_well = is_good(found) && PQntuples(found) == 1 && PQnfields(found) == 2;
    if (!is_well) {
        failed(database, "asking what it is", why, room);
    } else if (*field(found, 0, 0) != '\0') {
        snprintf(why, room, "%s", field(found, 0, 0));
        is_well = false;
    } else {
        snprintf(generation, room, "%s", field(found, 0, 1));
    }
    PQclear(found);
    if (!is_well) {
        return false;
    }
    /* A user that may make nothing can use what is there. */
    found = ask(worker, "SELECT to_regproc('mcp_publish') IS NOT NULL");
    bool is_made = is_good(found) && PQntuples(found) == 1 && *field(found, 0, 0) == 't';
    PQclear(found);
    if (!is_made) {
        found = ask(worker, SCHEMA);
        is_well = is_good(found);
        if (!is_well) {
            failed(database, "making the tables", why, room);
        }
        PQclear(found);
        if (!is_well) {
            return false;
        }
    }
    found = ask(worker, PREPARE_SESSION);
    is_well = is_good(found) && PQntuples(found) == 1 && PQnfields(found) == 1;
    if (is_well) {
        size_t length = strlen(generation);
        snprintf(database->born, sizeof database->born, "%s", field(found, 0, 0));
        snprintf(generation + length, room - length, ".%s", database->born);
    } else {
        failed(database, "reading what it is", why, room);
    }
    PQclear(found);
    return is_well;
}

static uint64_t number_of(const PGresult *found, int row, int column) {
    uint64_t number = 0;
    const char *bytes = PQgetvalue(found, row, column);
    for (int at = 0; at < PQgetlength(found, row, column); at++) {
        number = number << 8 | (unsigned char)bytes[at];
    }
    return number;
}

static void keep_time(struct job *job, const PGresult *found, int column) {
    /* Microseconds since 2000-01-01. */
    job->unix_ms = (int64_t)number_of(found, 0, column) / 1000 + 946684800000;
}

/* Reads the result of an operation. False without memory, and where the store is another one. */
static bool keep(struct job *job, const PGresult *found) {
    int rows = PQntuples(found);
    bool is_well = true;
    job->status = MCP_OK;
    switch (job->kind) {
    case JOB_GET:
        if (rows == 0) {
            job->status = MCP_EMPTY;
        } else {
            is_well = job_found(job, PQgetvalue(found, 0, 1), (size_t)PQgetlength(found, 0, 1), number_of(found, 0, 0));
            keep_time(job, found, 2);
        }
        return is_well;
    case JOB_PUT:
    case JOB_APPEND:
        if (rows != 1) {
            job->status = MCP_ERROR_UNAVAILABLE;
            return false;
        }
        job->status = (mcp_status_t)number_of(found, 0, 0);
        job->version = number_of(found, 0, 1);
        keep_time(job, found, 3);
        if (!PQgetisnull(found, 0, 2)) {
            is_well = job_found(job, PQgetvalue(found, 0, 2), (size_t)PQgetlength(found, 0, 2), job->version);
        }
        return is_well;
    case JOB_READ:
        if (rows == 0) {
            job->status = MCP_EMPTY;
        }
        for (int row = 0; is_well && row < rows; row++) {
            if (!PQgetisnull(found, row, 0)) {
                is_well = job_entry(job, number_of(found, row, 0), PQgetvalue(found, row, 1), (size_t)PQgetlength(found, row, 1));
            }
        }
        return is_well;
    default: return true;
    }
}

/* What is larger than a value may be, others have written: the library refuses it, and it is not all sent here first. */
#define MOST "786433"

/* Sends one operation: text in text, bytes and numbers in binary. */
static int send_job(struct database *database, const struct job *job) {
    static const char *const QUERIES[] = {
        [JOB_GET] = "SELECT version, substring(value for " MOST "), clock_timestamp() FROM mcp_values"
                    " WHERE key = $1::text AND until > clock_timestamp()",
        /* What writes depends on what the store is: it gives no row, and writes nothing, where that is another one. */
        [JOB_PUT] = "SELECT p.status, p.version, substring(p.value for " MOST "), clock_timestamp()"
                    " FROM (SELECT one FROM mcp_store WHERE born = $5::text OFFSET 0) s CROSS JOIN LATERAL"
                    " mcp_put(CASE s.one WHEN 1 THEN $1::text END, $2::bytea, $3::bigint, $4::bigint) p",
        [JOB_APPEND] = "SELECT p.status, p.version, substring(p.value for " MOST "), clock_timestamp()"
                       " FROM (SELECT one FROM mcp_store WHERE born = $6::text OFFSET 0) s CROSS JOIN LATERAL"
                       " mcp_append(CASE s.one WHEN 1 THEN $1::text END, $2::bytea, $3::bigint, $5::bigint, $4::bigint) p",
        [JOB_READ] = "SELECT e.place, substring(e.entry for " MOST ") FROM mcp_streams s LEFT JOIN LATERAL (SELECT place, entry FROM"
                     " (SELECT place, entry, sum(length(entry)) OVER w AS bytes, row_number() OVER w AS number"
                     " FROM (SELECT place, entry FROM mcp_entries WHERE stream = $1::text AND place > $2::bigint ORDER BY place"
                     " LIMIT $3::bigint) f WINDOW w AS (ORDER BY place)) g WHERE bytes <= $4::bigint OR number = 1 ORDER BY place) e"
                     " ON true WHERE s.stream = $1::text AND s.last > 0 AND s.until > clock_timestamp() ORDER BY e.place",
        [JOB_PUBLISH] = "SELECT mcp_publish($1::text, $2::bytea)",
    };
    char numbers[4][24];
    const char *values[6] = {job->name};
    int lengths[6] = {0}, formats[6] = {0}, count = 1;
    const bool has_value = job->kind == JOB_PUT || job->kind == JOB_APPEND || job->kind == JOB_PUBLISH;
    const long long number = (long long)(job->kind == JOB_READ && job->number > INT64_MAX ? (uint64_t)INT64_MAX : job->number);
    if (has_value) {
        values[count] = job->value;
        lengths[count] = (int)job->length;
        formats[count++] = 1;
    }
    snprintf(numbers[0], sizeof numbers[0], "%lld", number);
    snprintf(numbers[1], sizeof numbers[1], "%lld", (long long)(job->kind == JOB_READ ? (int64_t)job->most : job->life_ms));
    const long long bytes = job->bytes > INT64_MAX ? INT64_MAX : (long long)job->bytes;
    snprintf(numbers[2], sizeof numbers[2], "%lld", job->kind == JOB_READ ? bytes : (long long)job->most);
    int more = job->kind == JOB_PUT ? 2 : job->kind == JOB_APPEND || job->kind == JOB_READ ? 3 : 0;
    for (int at = 0; at < more; at++) {
        values[count++] = numbers[at];
    }
    if (job->kind == JOB_PUT || job->kind == JOB_APPEND) {
        values[count++] = database->born;
    }
    return PQsendQueryParams(database->connection, QUERIES[job->kind], count, NULL, values, lengths, formats, 1);
}

/* What an error of the server means for the operation, which has done nothing. */
static mcp_status_t refusal(const PGresult *found) {
    const char *code = PQresultErrorField(found, PG_DIAG_SQLSTATE);
    return code != NULL && strcmp(code, "42501") == 0 ? MCP_ERROR_AUTH : MCP_ERROR_UNAVAILABLE;
}

static bool work(struct worker *worker, struct job *jobs, char *why, size_t room) {
    struct database *database = worker_own(worker);
    for (struct job *job = jobs; job != NULL; job = job->next) {
        PGresult *found = result(worker, send_job(database, job));
        bool is_there = found != NULL && PQstatus(database->connection) == CONNECTION_OK, is_same = true;
        if (is_there && is_good(found)) {
            bool is_kept = keep(job, found);
            is_same = is_kept || job->status != MCP_ERROR_UNAVAILABLE;
            if (!is_kept && is_same) {
                job->status = MCP_ERROR_TRANSPORT;
            }
        } else if (is_there) {
            job->status = refusal(found);
        }
        PQclear(found);
        if (!is_there || !is_same) {
            /* Those behind it were not sent. */
            for (job = job->next; job != NULL; job = job->next) {
                job->status = MCP_ERROR_UNAVAILABLE;
            }
            if (is_same) {
                failed(database, "waiting for an answer", why, room);
            } else {
                snprintf(why, room, ANOTHER);
            }
            return false;
        }
    }
    return true;
}

static bool listen_to(struct worker *worker, const char *channel, bool begins) {
    struct database *database = worker_own(worker);
    const char *values[1] = {channel};
    char command[128];
    PGresult *found = result(
        worker, PQsendQueryParams(database->connection, "SELECT 'mcp_' || md5($1::text)", 1, NULL, values, NULL, NULL, 0));
    bool is_well = is_good(found) && PQntuples(found) == 1;
    if (is_well) {
        snprintf(command, sizeof command, "%s %.60s", begins ? "LISTEN" : "UNLISTEN", field(found, 0, 0));
        PQclear(found);
        found = ask(worker, command);
        is_well = is_good(found);
    }
    PQclear(found);
    return is_well;
}

/* Tells a message: its channel, a line break, and the bytes in hexadecimal or the number of a row that has them. PostgreSQL lets every user
 * of the database send one: what mcp_publish() does not write is dropped. */
static bool tell(struct worker *worker, char *text) {
    struct database *database = worker_own(worker);
    char *end = strchr(text, '\n');
    if (end == NULL || (end[1] != 'x' && end[1] != 'n')) {
        return true;
    }
    *end = '\0';
    const char *data = end + 2;
    if (end[1] == 'x') {
        size_t length = strlen(data) / 2;
        char *bytes = malloc(length + 1);
        bool is_ours = strlen(data) % 2 == 0;
        for (size_t at = 0; bytes != NULL && is_ours && at < length; at++) {
            int high = hex_digit(data[2 * at]), low = hex_digit(data[2 * at + 1]);
            is_ours = (high | low) >= 0;
            bytes[at] = (char)(is_ours ? high << 4 | low : 0);
        }
        if (bytes == NULL) {
            worker_missed(worker);
        } else if (is_ours) {
            worker_event(worker, text, bytes, length);
        }
        free(bytes);
        return true;
    }
    const char *values[1] = {data};
    PGresult *found = result(worker, PQsendQueryParams(database->connection, "SELECT data FROM mcp_messages WHERE id = $1::bigint", 1,
                                                       NULL, values, NULL, NULL, 1));
    bool is_there = found != NULL && PQstatus(database->connection) == CONNECTION_OK;
    if (is_there && is_good(found) && PQntuples(found) == 1) {
        worker_event(worker, text, PQgetvalue(found, 0, 0), (size_t)PQgetlength(found, 0, 0));
    } else if (is_there) {
        worker_missed(worker);
    }
    PQclear(found);
    return is_there;
}

/* Removes what is over, and looks whether the store is the same, if it is time for that. */
static bool sweep(struct worker *worker, char *why, size_t room) {
    struct database *database = worker_own(worker);
    int64_t now = steady_ms();
    if (database->swept_ms > 0 && now - database->swept_ms < SWEEP_MS) {
        return true;
    }
    database->swept_ms = now;
    PGresult *found = ask(worker, SWEEP);
    bool is_same = is_good(found) && PQntuples(found) == 1 && strcmp(field(found, 0, 0), database->born) == 0;
    if (!is_same && is_good(found)) {
        snprintf(why, room, ANOTHER);
    } else if (!is_same) {
        failed(database, "looking whether it is the same", why, room);
    }
    PQclear(found);
    return is_same;
}

static bool look(struct worker *worker, char *why, size_t room) {
    struct database *database = worker_own(worker);
    /* First: its answer may bring messages, of which the descriptor says nothing any more. */
    if (!sweep(worker, why, room)) {
        return false;
    }
    if (!PQconsumeInput(database->connection)) {
        return failed(database, "the connection ended", why, room);
    }
    PGnotify *notice;
    while ((notice = PQnotifies(database->connection)) != NULL) {
        bool is_well = tell(worker, notice->extra);
        PQfreemem(notice);
        if (!is_well) {
            return failed(database, "reading a message", why, room);
        }
    }
    return true;
}

static int descriptor(struct worker *worker) {
    struct database *database = worker_own(worker);
    return PQsocket(database->connection);
}

static const struct engine ENGINE = {connect_it, work, listen_to, look, descriptor, disconnect, NULL};

static mcp_status_t open_url(void *user, const char *url, mcp_store_t **out, char *why, size_t room) {
    char *error = NULL;
    PQconninfoOption *options = PQconninfoParse(url, &error);
    if (options == NULL) {
        /* What libpq says may have the password of the URL in it. */
        snprintf(why, room, "it is not a URL that libpq can read: postgres://USER:PASSWORD@HOST:PORT/DATABASE?PARAMETER=VALUE");
        PQfreemem(error);
        return MCP_ERROR_INVALID_ARGUMENT;
    }
    PQconninfoFree(options);
    struct database *database = calloc(1, sizeof *database + strlen(url) + 1);
    if (database == NULL) {
        snprintf(why, room, "the system has no memory left");
        return MCP_ERROR_UNAVAILABLE;
    }
    strcpy(database->url, url);
    return worker_open(user, &ENGINE, database, out, why, room);
}

static const char *const SCHEMES[] = {"postgres", "postgresql", NULL};

mcp_status_t mcp_store_postgres_register(char **error_json) { return worker_register(SCHEMES, open_url, NULL, error_json); }

mcp_status_t mcp_store_postgres_load(mcp_store_find_t find, char **error_json) {
    return worker_register(SCHEMES, open_url, find, error_json);
}
