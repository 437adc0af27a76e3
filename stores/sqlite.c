/*
 * A store in a file of SQLite, for one process at a time. What it has acknowledged is in the file when the machine loses its power.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#define _GNU_SOURCE
#include "worker.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum statement {
    GET, PUT, DELETE, NEXT_VERSION, LAST_PLACE, SET_STREAM, ADD_ENTRY, TRIM, FIRST_ENTRIES, ENTRY, SWEEP_VALUES, SWEEP_ENTRIES,
    SWEEP_STREAMS, BEGIN, COMMIT, ROLLBACK, STATEMENTS
};

/* What is larger than a value may be, others have written: the library refuses it, and it is not all read first. */
#define MOST "786433"

static const char *const TEXTS[STATEMENTS] = {
    [GET] = "SELECT substr(value, 1, " MOST "), version FROM mcp_values WHERE key = ?1 AND until > ?2",
    [PUT] = "INSERT INTO mcp_values (key, value, version, until) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (key) DO UPDATE SET "
            "value = excluded.value, version = excluded.version, until = excluded.until",
    [DELETE] = "DELETE FROM mcp_values WHERE key = ?1",
    [NEXT_VERSION] = "UPDATE mcp_store SET last = last + 1 RETURNING last",
    [LAST_PLACE] = "SELECT last FROM mcp_streams WHERE stream = ?1 AND until > ?2",
    [SET_STREAM] = "INSERT INTO mcp_streams (stream, last, until) VALUES (?1, ?2, ?3) ON CONFLICT (stream) DO UPDATE SET "
                   "last = excluded.last, until = excluded.until",
    [ADD_ENTRY] = "INSERT INTO mcp_entries (stream, place, entry) VALUES (?1, ?2, ?3)",
    [TRIM] = "DELETE FROM mcp_entries WHERE stream = ?1 AND place <= ?2",
    [FIRST_ENTRIES] = "SELECT place, substr(entry, 1, " MOST ") FROM mcp_entries WHERE stream = ?1 AND place > ?2 ORDER BY place LIMIT ?3",
    [ENTRY] = "SELECT substr(entry, 1, " MOST ") FROM mcp_entries WHERE stream = ?1 AND place = ?2",
    [SWEEP_VALUES] = "DELETE FROM mcp_values WHERE key IN (SELECT key FROM mcp_values WHERE until <= ?1 LIMIT 1000)",
    [SWEEP_ENTRIES] = "DELETE FROM mcp_entries WHERE stream IN (SELECT stream FROM mcp_streams WHERE until <= ?1 LIMIT 100)",
    [SWEEP_STREAMS] = "DELETE FROM mcp_streams WHERE until <= ?1 AND stream NOT IN (SELECT stream FROM mcp_entries)",
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
};

/* The tables. `born` names the file: a new one is another store. */
static const char SCHEMA[] =
    "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;"
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS mcp_store (one INTEGER PRIMARY KEY CHECK (one = 1), born TEXT NOT NULL, last INTEGER NOT NULL);"
    "INSERT OR IGNORE INTO mcp_store VALUES (1, lower(hex(randomblob(16))), 0);"
    "CREATE TABLE IF NOT EXISTS mcp_values (key TEXT PRIMARY KEY, value BLOB NOT NULL, version INTEGER NOT NULL, until INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS mcp_values_until ON mcp_values (until);"
    "CREATE TABLE IF NOT EXISTS mcp_streams (stream TEXT PRIMARY KEY, last INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS mcp_entries (stream TEXT NOT NULL, place INTEGER NOT NULL, entry BLOB NOT NULL,"
    " PRIMARY KEY (stream, place)) WITHOUT ROWID;"
    "COMMIT";

/* The time between two sweeps of what is over. */
enum { SWEEP_MS = 10000 };

struct file {
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENTS];
    int64_t swept_ms;
    char path[];
};

static void disconnect(struct worker *worker) {
    struct file *file = worker_own(worker);
    for (int at = 0; at < STATEMENTS; at++) {
        sqlite3_finalize(file->statements[at]);
        file->statements[at] = NULL;
    }
    sqlite3_close(file->database);
    file->database = NULL;
}

static bool failed(struct file *file, const char *what, char *why, size_t room) {
    int code = file->database == NULL ? SQLITE_NOMEM : sqlite3_errcode(file->database);
    const char *more = code == SQLITE_BUSY ? "; another process uses it" : "";
    snprintf(why, room, "%s '%s': %s%s", what, file->path, file->database == NULL ? "no memory" : sqlite3_errmsg(file->database), more);
    return false;
}

static bool connect_file(struct worker *worker, char *generation, char *why, size_t room) {
    struct file *file = worker_own(worker);
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(file->path, &file->database, flags, NULL) != SQLITE_OK) {
        return failed(file, "opening the file", why, room);
    }
    if (sqlite3_exec(file->database, SCHEMA, NULL, NULL, NULL) != SQLITE_OK) {
        return failed(file, "preparing the file", why, room);
    }
    for (int at = 0; at < STATEMENTS; at++) {
        if (sqlite3_prepare_v3(file->database, TEXTS[at], -1, SQLITE_PREPARE_PERSISTENT, &file->statements[at], NULL) != SQLITE_OK) {
            return failed(file, "preparing the file", why, room);
        }
    }
    sqlite3_stmt *born = NULL;
    bool is_there = sqlite3_prepare_v2(file->database, "SELECT born FROM mcp_store", -1, &born, NULL) == SQLITE_OK &&
                    sqlite3_step(born) == SQLITE_ROW;
    if (is_there) {
        const char *text = (const char *)sqlite3_column_text(born, 0);
        snprintf(generation, room, "%s", text == NULL ? "" : text);
    }
    sqlite3_finalize(born);
    return is_there || failed(file, "reading the file", why, room);
}

/* A statement with its name and two numbers bound. */
static sqlite3_stmt *bound(struct file *file, enum statement which, const char *name, int64_t second, int64_t third) {
    sqlite3_stmt *statement = file->statements[which];
    sqlite3_reset(statement);
    if (name != NULL) {
        sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
    }
    int count = sqlite3_bind_parameter_count(statement);
    if (count >= 2) {
        sqlite3_bind_int64(statement, 2, second);
    }
    if (count >= 3) {
        sqlite3_bind_int64(statement, 3, third);
    }
    return statement;
}

static bool done(struct file *file, sqlite3_stmt *statement) {
    (void)file;
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW;
}

/* A number, -1 where there is no row, -2 when it failed. */
static int64_t number_of(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    int64_t number = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : code == SQLITE_DONE ? -1 : -2;
    sqlite3_reset(statement);
    return number;
}

/* The value of a key and its version: 1, 0 where there is none, -1 when it failed. */
static int value_of(struct file *file, struct job *job, int64_t now, uint64_t *version) {
    sqlite3_stmt *statement = bound(file, GET, job->name, now, 0);
    int code = sqlite3_step(statement);
    int found = code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : -1;
    if (found == 1) {
        *version = (uint64_t)sqlite3_column_int64(statement, 1);
        if (!job_found(job, sqlite3_column_blob(statement, 0), (size_t)sqlite3_column_bytes(statement, 0), *version)) {
            found = -1;
        }
    }
    sqlite3_reset(statement);
    return found;
}

static void not_found(struct job *job) {
    free(job->found);
    job->found = NULL;
    job->version = 0;
}

static bool put(struct file *file, struct job *job, int64_t now) {
    uint64_t version = 0;
    int found = value_of(file, job, now, &version);
    if (found < 0) {
        return false;
    }
    if (job->number != MCP_STORE_ANY && job->number != version) {
        job->status = MCP_CONFLICT;
        return true;
    }
    not_found(job);
    job->status = MCP_OK;
    if (job->value == NULL) {
        return done(file, bound(file, DELETE, job->name, 0, 0));
    }
    int64_t next = number_of(bound(file, NEXT_VERSION, NULL, 0, 0));
    if (next < 0) {
        return false;
    }
    job->version = (uint64_t)next;
    sqlite3_stmt *statement = bound(file, PUT, job->name, 0, next);
    sqlite3_bind_blob64(statement, 2, job->value, job->length, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 4, now + job->life_ms);
    return done(file, statement);
}

static bool append(struct file *file, struct job *job, int64_t now) {
    int64_t last = number_of(bound(file, LAST_PLACE, job->name, now, 0));
    if (last == -2) {
        return false;
    }
    if (last == -1) {
        /* What is over begins again. */
        last = 0;
        if (!done(file, bound(file, TRIM, job->name, INT64_MAX, 0))) {
            return false;
        }
    }
    int64_t place = last + 1;
    if (job->number != 0 && job->number != (uint64_t)place) {
        sqlite3_stmt *statement = bound(file, ENTRY, job->name, last, 0);
        bool is_well = true;
        if (sqlite3_step(statement) == SQLITE_ROW) {
            is_well = job_found(job, sqlite3_column_blob(statement, 0), (size_t)sqlite3_column_bytes(statement, 0), (uint64_t)last);
        }
        sqlite3_reset(statement);
        job->status = MCP_CONFLICT;
        return is_well;
    }
    sqlite3_stmt *statement = bound(file, ADD_ENTRY, job->name, place, 0);
    sqlite3_bind_blob64(statement, 3, job->value, job->length, SQLITE_STATIC);
    job->status = MCP_OK;
    job->version = (uint64_t)place;
    return done(file, statement) && done(file, bound(file, SET_STREAM, job->name, place, now + job->life_ms)) &&
           done(file, bound(file, TRIM, job->name, place - (int64_t)job->most, 0));
}

static bool read_entries(struct file *file, struct job *job, int64_t now) {
    int64_t last = number_of(bound(file, LAST_PLACE, job->name, now, 0));
    if (last < 0) {
        job->status = MCP_EMPTY;
        return last == -1;
    }
    size_t bytes = 0;
    int code = SQLITE_DONE;
    int64_t after = job->number > INT64_MAX ? INT64_MAX : (int64_t)job->number;
    sqlite3_stmt *statement = bound(file, FIRST_ENTRIES, job->name, after, job->most);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        size_t length = (size_t)sqlite3_column_bytes(statement, 1);
        bytes += length;
        if (job->entries != NULL && bytes > job->bytes) {
            code = SQLITE_DONE;
            break;
        }
        if (!job_entry(job, (uint64_t)sqlite3_column_int64(statement, 0), sqlite3_column_blob(statement, 1), length)) {
            break;
        }
    }
    sqlite3_reset(statement);
    job->status = MCP_OK;
    return code == SQLITE_DONE;
}

static bool one(struct file *file, struct job *job, int64_t now) {
    uint64_t version = 0;
    int found = 0;
    switch (job->kind) {
    case JOB_GET:
        found = value_of(file, job, now, &version);
        job->status = found == 1 ? MCP_OK : MCP_EMPTY;
        return found >= 0;
    case JOB_PUT: return put(file, job, now);
    case JOB_APPEND: return append(file, job, now);
    case JOB_READ: return read_entries(file, job, now);
    default: job->status = MCP_OK; return true;
    }
}

/* All in one transaction. What fails has done nothing, and the file stays open: a full disk is no lost connection. */
static bool work(struct worker *worker, struct job *jobs, char *why, size_t room) {
    (void)why;
    (void)room;
    struct file *file = worker_own(worker);
    bool is_well = done(file, file->statements[BEGIN]);
    for (struct job *job = jobs; is_well && job != NULL; job = job->next) {
        job->unix_ms = unix_ms();
        is_well = one(file, job, job->unix_ms);
    }
    is_well = is_well && done(file, file->statements[COMMIT]);
    if (!is_well) {
        if (!sqlite3_get_autocommit(file->database)) {
            done(file, file->statements[ROLLBACK]);
        }
        for (struct job *job = jobs; job != NULL; job = job->next) {
            not_found(job);
            job->status = MCP_ERROR_UNAVAILABLE;
        }
        return true;
    }
    for (struct job *job = jobs; job != NULL; job = job->next) {
        if (job->kind == JOB_PUBLISH) {
            worker_event(worker, job->name, job->value, job->length);
        }
    }
    return true;
}

/* Watches are of this process, which is the only one. */
static bool listen_to(struct worker *worker, const char *channel, bool begins) {
    (void)worker;
    (void)channel;
    (void)begins;
    return true;
}

static bool look(struct worker *worker, char *why, size_t room) {
    (void)why;
    (void)room;
    struct file *file = worker_own(worker);
    int64_t now = unix_ms();
    if (now >= file->swept_ms && now - file->swept_ms < SWEEP_MS) {
        return true;
    }
    file->swept_ms = now;
    bool is_well = done(file, file->statements[BEGIN]);
    for (int at = SWEEP_VALUES; is_well && at <= SWEEP_STREAMS; at++) {
        sqlite3_stmt *statement = file->statements[at];
        sqlite3_reset(statement);
        sqlite3_bind_int64(statement, 1, now);
        is_well = done(file, statement);
    }
    if (!(is_well && done(file, file->statements[COMMIT])) && !sqlite3_get_autocommit(file->database)) {
        /* What is over is not found in any case. */
        done(file, file->statements[ROLLBACK]);
    }
    return true;
}

static int descriptor(struct worker *worker) {
    (void)worker;
    return -1;
}

static const struct engine ENGINE = {connect_file, work, listen_to, look, descriptor, disconnect, NULL};

static mcp_status_t open_url(void *user, const char *url, mcp_store_t **out, char *why, size_t room) {
    const char *path = url + strcspn(url, ":") + 1;
    if (strncmp(path, "//", 2) == 0) {
        path += 2;
    }
    if (*path == '\0' || strpbrk(path, "?#") != NULL) {
        snprintf(why, room, "'%s' is not 'file:' and the path of a file, without '?' and '#'", url);
        return MCP_ERROR_INVALID_ARGUMENT;
    }
    struct file *file = calloc(1, sizeof *file + strlen(path) + 1);
    if (file == NULL) {
        snprintf(why, room, "the system has no memory left");
        return MCP_ERROR_UNAVAILABLE;
    }
    strcpy(file->path, path);
    return worker_open(user, &ENGINE, file, out, why, room);
}

static const char *const SCHEMES[] = {"file", NULL};

mcp_status_t mcp_store_sqlite_register(char **error_json) { return worker_register(SCHEMES, open_url, NULL, error_json); }

mcp_status_t mcp_store_sqlite_load(mcp_store_find_t find, char **error_json) {
    return worker_register(SCHEMES, open_url, find, error_json);
}
