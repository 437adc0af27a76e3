/*
 * mcp_stores.h - stores that the processes of a server share, over mcp.h: each in a library of its own.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef MCP_STORES_H
#define MCP_STORES_H

#include <mcp.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Each store is a small library of its own. A program links it and calls its function, once. Without that the library loads
 * libmcp-store-NAME.so.0 where a "store.url" has a scheme of it, also in the languages with bindings and in the program mcp, and calls
 * mcp_store_NAME_load() with what finds the functions of the copy of the library that does so.
 */
typedef void (*mcp_store_function_t)(void);
typedef mcp_store_function_t (*mcp_store_find_t)(const char *name);

/**
 * libmcp-store-sqlite: from now on "store":{"url":"file:PATH"} opens a file of SQLite. What is in it survives restarts. One process
 * uses it at a time: another one is told that the store is away, and gets it when the first has ended. An older copy of the file is the
 * same store, which has forgotten what came after it: give mcp_store.born another text in a copy before it is used.
 *
 * error_json: as mcp_store_register() has it.
 *
 * Returns what mcp_store_register() returns.
 */
MCP_API mcp_status_t mcp_store_sqlite_register(char **error_json);
MCP_API mcp_status_t mcp_store_sqlite_load(mcp_store_find_t find, char **error_json);

/**
 * libmcp-store-postgres: from now on "postgres://..." and "postgresql://..." are databases of PostgreSQL (13 or newer), with the
 * parameters that libpq knows, such as sslmode=verify-full and sslrootcert. The user needs the right to make two tables, a sequence
 * and functions in its schema, once. No other user may make functions there, which this one would call: before PostgreSQL 15 everyone may
 * in the schema public, so give the store a database of its own. A dump that is restored into its own server is the same store, which
 * has forgotten what came after it: give mcp_store.born another text first. After a recovery to a point in time it is another store by itself.
 *
 * error_json: as mcp_store_register() has it.
 *
 * Returns what mcp_store_register() returns.
 */
MCP_API mcp_status_t mcp_store_postgres_register(char **error_json);
MCP_API mcp_status_t mcp_store_postgres_load(mcp_store_find_t find, char **error_json);

/**
 * libmcp-store-nats: from now on "nats://[USER:PASSWORD@]HOST[:PORT][,...][/NAME]" and "tls://..." are stores in JetStream of NATS (server
 * 2.9 or newer; in a cluster 2.11). A user without a password is a token. Parameters: ca=FILE (certificates to trust, PEM), creds=FILE (credentials of a
 * user), replicas=N (of the streams, where they are made: 3 in a cluster). The store has two streams, NAME-values and NAME-entries
 * ("mcp" without a name), which it makes; the user needs the API of JetStream for them and the subjects mcp1v.>, mcp1e.> and mcp1c.>.
 * A server of its own that was restarted is another store, because it may have lost what it acknowledged. A snapshot that is
 * restored is the same store, which has forgotten what came after it: delete the streams instead.
 *
 * error_json: as mcp_store_register() has it.
 *
 * Returns what mcp_store_register() returns.
 */
MCP_API mcp_status_t mcp_store_nats_register(char **error_json);
MCP_API mcp_status_t mcp_store_nats_load(mcp_store_find_t find, char **error_json);

#ifdef __cplusplus
}
#endif
#endif
