/*
 * Files and skills that a server gives out of a folder, and nothing beside it.
 */
#include "served.h"

#include <sys/stat.h>

/* The files below a folder are resources: text or bytes, in folders of folders; what a name could lead to outside of it, symbolic
 * links among it, is not found, in whatever way it is written; a file over the bound is an error; a folder that is not there is
 * told when it is added. */
static void put(const char *folder, const char *name, const void *bytes, size_t length) {
    char *path = format("%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(bytes, 1, length, file), length);
    CHECK_EQ(fclose(file), 0);
    free(path);
}

/* Reads a resource; free the reply. */
static mcp_message_t *reading(mcp_client_t *client, const char *uri) {
    mcp_message_t *reply = NULL;
    char *params = format("{\"uri\":\"%s\"}", uri);
    (void)mcp_call(client, "resources/read", params, NULL, &reply);
    CHECK(reply != NULL);
    free(params);
    return reply;
}

static void is_refused(mcp_client_t *client, const char *uri, const char *code) {
    mcp_message_t *reply = reading(client, uri);
    if (mcp_message_status(reply) != MCP_ERROR_SERVER || !json_is(mcp_message_json(reply, NULL), "/code", code)) {
        FAIL("%s: %s", uri, mcp_message_json(reply, NULL));
    }
    CHECK(strstr(mcp_message_json(reply, NULL), "secret text") == NULL);
    mcp_message_free(reply);
}

static void check(mcp_server_t *server, const char *protocol, const char *not_found) {
    mcp_client_t *client = NULL;
    char *config = format("{\"protocol\":\"%s\"}", protocol);
    CHECK_STATUS(mcp_client_new_in_process(config, NULL, server, &client, NULL), MCP_OK);
    free(config);
    mcp_message_t *reply = reading(client, "docs:///a.txt");
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK(json_is(mcp_message_json(reply, NULL), "/contents/0/text", "first"));
    CHECK(json_is(mcp_message_json(reply, NULL), "/contents/0/uri", "docs:///a.txt"));
    CHECK(json_is(mcp_message_json(reply, NULL), "/contents/0/mimeType", "text/plain"));
    mcp_message_free(reply);
    reply = reading(client, "docs:///deep/er/b%20c");
    CHECK(json_is(mcp_message_json(reply, NULL), "/contents/0/blob", "/wA="));
    mcp_message_free(reply);
    static const char *const refused[] = {
        "docs:///../secret",  "docs:///%2e%2e/secret", "docs:///deep/../../secret", "docs:///deep/%2E%2E/%2e%2e/secret",
        "docs:////etc/hosts", "docs:///link",          "docs:///up/secret",         "docs:///%2e%2e%2fsecret",
        "docs:///deep",       "docs:///pipe",          "docs:///none",              "docs:///a.txt%00",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        is_refused(client, refused[i], not_found);
    }
    is_refused(client, "docs:///large", "-32603");
    close_and_free(client);
}

static void server_files_below_a_folder_and_no_others(void) {
    struct holdings held = holdings_now();
    char root[] = "/tmp/mcp-test-XXXXXX";
    CHECK(mkdtemp(root) != NULL);
    static const char large[1001];
    char *inside = format("%s/inside", root);
    char *deep = format("%s/inside/deep", root);
    char *deeper = format("%s/inside/deep/er", root);
    char *link = format("%s/inside/link", root);
    char *up = format("%s/inside/up", root);
    char *fifo = format("%s/inside/pipe", root);
    CHECK_EQ(mkdir(inside, 0700) + mkdir(deep, 0700) + mkdir(deeper, 0700), 0);
    CHECK_EQ(symlink("../secret", link) + symlink("..", up) + mkfifo(fifo, 0600), 0);
    put(root, "secret", "secret text", 11);
    put(inside, "a.txt", "first", 5);
    put(inside, "large", large, sizeof large);
    put(deeper, "b c", "\xff\0", 2);

    mcp_server_t *server = new_server("{\"name\":\"s\",\"workers\":1,\"limits\":{\"file_bytes\":1000}}");
    static const char template[] = "{\"name\":\"docs\",\"uriTemplate\":\"docs:///{+path}\",\"mimeType\":\"text/plain\"}";
    char *error = NULL;
    CHECK_STATUS(mcp_server_add_folder(server, template, "/nowhere/at/all", &error), MCP_ERROR_UNAVAILABLE);
    CHECK_CONTAINS(error, "/nowhere/at/all");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_add_folder(server, "{\"name\":\"d\",\"uriTemplate\":\"d:///{name}\"}", inside, &error),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "{+path}");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_add_folder(server, "{\"name\":\"d\"}", inside, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "uriTemplate");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_add_folder(server, template, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_add_folder(server, template, inside, NULL), MCP_OK);
    check(server, "legacy", "-32002");
    check(server, "modern", "-32602");
    CHECK_STATUS(mcp_server_free(server), MCP_OK);

    char *command = format("rm -r %s", root);
    CHECK_EQ(system(command), 0);
    free(command);
    free(fifo);
    free(up);
    free(link);
    free(deeper);
    free(deep);
    free(inside);
    check_nothing_left(held);
}

/* The skills below a folder arrive at a client of this library, which checks each file against its entry: text, bytes, a name with
 * a space, a skill within a skill. Folders are read as directories. After a change the folder is added again, and the entries, the
 * files and the client's subscription follow; what the folder had before no longer fits. What may not be published, and what is
 * beyond the bounds, is an error with its path, and changes nothing. */
static char root[] = "/tmp/mcp-test-XXXXXX";
static mcp_server_t *server;
static mcp_client_t *client;

static void put_skills(const char *name, const char *bytes, size_t length) { put(root, name, bytes, length); }

static void put_text(const char *name, const char *text) { put_skills(name, text, strlen(text)); }

static void make_folder(const char *name) {
    char *path = format("%s/%s", root, name);
    CHECK_EQ(mkdir(path, 0700), 0);
    free(path);
}

static void take_away(const char *name) {
    char *path = format("%s/%s", root, name);
    CHECK_EQ(unlink(path), 0);
    free(path);
}

#define FRONT_MATTER(name) "---\nname: " name "\ndescription: Shows " name "\nmetadata:\n  version: \"1.0\"\n  tags: [a, 2]\n---\n"

static void connect_as(const char *members) {
    char *config = format("{%s}", members);
    CHECK_STATUS(mcp_client_new_in_process(config, NULL, server, &client, NULL), MCP_OK);
    free(config);
    connect_client(client);
}

/* The entry of a skill; mcp_message_free() it. */
static mcp_message_t *entry_of(const char *uri) {
    mcp_message_t *entry = NULL;
    char *which = format("{\"uri\":\"%s\"}", uri);
    if (mcp_call(client, "skills/get", which, NULL, &entry) != MCP_OK) {
        FAIL("no entry of %s: %s", uri, mcp_message_json(entry, NULL));
    }
    free(which);
    return entry;
}

/* That a file of a skill arrives, with this at its beginning. */
static void check_file(const mcp_message_t *entry, const char *path, const char *pointer, const char *expected) {
    mcp_message_t *file = NULL;
    if (mcp_client_read_skill_file(client, mcp_message_json(entry, NULL), path, NULL, &file) != MCP_OK) {
        FAIL("%s: %s", path, mcp_message_json(file, NULL));
    }
    CHECK(json_is(mcp_message_json(file, NULL), pointer, expected));
    mcp_message_free(file);
}

static void check_skills(void) {
    mcp_message_t *list = NULL;
    CHECK_STATUS(mcp_call(client, "skills/list", NULL, NULL, &list), MCP_OK);
    CHECK_EQ(json_count(mcp_message_json(list, NULL), "/skills"), 3);
    mcp_message_free(list);

    mcp_message_t *entry = entry_of("skill://shelf/pdf/SKILL.md");
    CHECK(json_is(mcp_message_json(entry, NULL), "/skill/frontmatter/metadata/tags/1", "2"));
    CHECK_EQ(json_count(mcp_message_json(entry, NULL), "/skill/resources"), 4);
    mcp_message_t *skill = NULL;
    CHECK_STATUS(mcp_client_load_skill(client, mcp_message_json(entry, NULL), NULL, &skill), MCP_OK);
    CHECK_CONTAINS(mcp_message_text(skill, NULL), "See more.");
    mcp_message_free(skill);
    check_file(entry, "references/my notes.md", "/contents/0/text", "first");
    check_file(entry, "logo.png", "/contents/0/blob", "iVD/");
    check_file(entry, "inner/SKILL.md", "/contents/0/mimeType", "text/markdown");
    mcp_message_free(entry);
    entry = entry_of("skill://shelf/pdf/inner/SKILL.md");
    CHECK_STATUS(mcp_client_load_skill(client, mcp_message_json(entry, NULL), NULL, &skill), MCP_OK);
    mcp_message_free(skill);
    mcp_message_free(entry);
    CHECK_STATUS(mcp_call(client, "skills/get", "{\"uri\":\"skill://shelf/none/SKILL.md\"}", NULL, &entry), MCP_ERROR_SERVER);
    CHECK(json_is(mcp_message_json(entry, NULL), "/code", "-32602"));
    mcp_message_free(entry);

    mcp_message_t *folder = NULL;
    CHECK_STATUS(mcp_call(client, "resources/directory/read", "{\"uri\":\"skill://shelf/pdf\"}", NULL, &folder), MCP_OK);
    CHECK_EQ(json_count(mcp_message_json(folder, NULL), "/resources"), 4);
    CHECK(json_is(mcp_message_json(folder, NULL), "/resources/1/uri", "skill://shelf/pdf/inner"));
    CHECK(json_is(mcp_message_json(folder, NULL), "/resources/1/mimeType", "inode/directory"));
    mcp_message_free(folder);
    static const char *const refused[] = {"skill://shelf/pdf/SKILL.md", "skill://shelf/pdf/", "skill://shelf/../pdf", "skill://shelf"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char *params = format("{\"uri\":\"%s\"}", refused[i]);
        CHECK_STATUS(mcp_call(client, "resources/directory/read", params, NULL, &folder), MCP_ERROR_SERVER);
        CHECK(json_is(mcp_message_json(folder, NULL), "/code", "-32602"));
        mcp_message_free(folder);
        free(params);
    }
}

/* Adds the folder again; the client that subscribed to a file is told. */
static void check_change(void) {
    const char *uri = "skill://shelf/pdf/references/my%20notes.md";
    mcp_message_t *old = entry_of("skill://shelf/pdf/SKILL.md"), *reply = NULL;
    CHECK_STATUS(mcp_client_subscribe_resource(client, uri, NULL, &reply), MCP_OK);
    mcp_message_free(reply);
    put_text("pdf/references/my notes.md", "second");
    CHECK_STATUS(mcp_server_add_skills(server, root, "{\"uri_prefix\":\"skill://shelf\"}", NULL), MCP_OK);
    long long deadline = now_ms() + patience();
    for (bool told = false; !told;) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        told = mcp_message_topic(message) == MCP_TOPIC_RESOURCE_UPDATED;
        CHECK(!told || json_is(mcp_message_json(message, NULL), "/uri", uri));
        mcp_message_free(message);
    }
    const char *path = "references/my notes.md";
    CHECK_STATUS(mcp_client_read_skill_file(client, mcp_message_json(old, NULL), path, NULL, &reply), MCP_ERROR_PROTOCOL);
    mcp_message_free(reply);
    mcp_message_free(old);
    mcp_message_t *entry = entry_of("skill://shelf/pdf/SKILL.md");
    check_file(entry, path, "/contents/0/text", "second");
    mcp_message_free(entry);
}

/* Adds the folder with a fault in it. */
static void check_refused(mcp_status_t expected, const char *path, const char *says) {
    char *error = NULL;
    CHECK_STATUS(mcp_server_add_skills(server, root, "{\"uri_prefix\":\"skill://shelf\"}", &error), expected);
    CHECK(json_is(error, "/details/path", path));
    CHECK_CONTAINS(error, says);
    mcp_string_free(error);
    mcp_message_t *entry = entry_of("skill://shelf/pdf/SKILL.md");
    check_file(entry, "references/my notes.md", "/contents/0/text", "second");
    mcp_message_free(entry);
}

static void check_faults(void) {
    char *link = format("%s/pdf/link", root);
    CHECK_EQ(symlink("/etc/passwd", link), 0);
    check_refused(MCP_ERROR_INVALID_ARGUMENT, "pdf/link", "symbolic link");
    CHECK_EQ(unlink(link), 0);
    CHECK_EQ(mkfifo(link, 0600), 0);
    check_refused(MCP_ERROR_INVALID_ARGUMENT, "pdf/link", "neither a file nor a folder");
    CHECK_EQ(unlink(link), 0);
    free(link);
    put_text("SKILL.md", FRONT_MATTER("pdf"));
    check_refused(MCP_ERROR_INVALID_ARGUMENT, "SKILL.md", "folder 'shelf'");
    take_away("SKILL.md");
    static const char large[1001];
    put_skills("pdf/large", large, sizeof large);
    check_refused(MCP_ERROR_TOO_LARGE, "pdf/large", "limits.file_bytes");
    take_away("pdf/large");
    for (char name[] = "pdf/1"; name[4] <= '3'; name[4]++) {
        put_skills(name, large, 900);
    }
    check_refused(MCP_ERROR_TOO_LARGE, "pdf/3", "limits.skills_bytes");
    take_away("pdf/2");
    take_away("pdf/3");
    put_text("pdf/2", "");
    put_text("pdf/3", "");
    check_refused(MCP_ERROR_TOO_LARGE, "pdf", "limits.skill_files");
    take_away("pdf/2");
    take_away("pdf/3");
    check_refused(MCP_ERROR_TOO_LARGE, "pdf", "limits.skill_bytes");
    take_away("pdf/1");
    make_folder("four");
    put_text("four/SKILL.md", FRONT_MATTER("four"));
    check_refused(MCP_ERROR_TOO_LARGE, "refunds", "limits.skills");
    take_away("four/SKILL.md");
    make_folder("four/x");
    make_folder("four/x/y");
    make_folder("four/x/y/z");
    check_refused(MCP_ERROR_TOO_LARGE, "four/x/y/z", "limits.skill_depth");
    char *deepest = format("%s/four/x/y/z", root);
    CHECK_EQ(rmdir(deepest), 0);
    free(deepest);
}

static void server_skills_of_a_folder(void) {
    struct holdings held = holdings_now();
    CHECK(mkdtemp(root) != NULL);
    make_folder("pdf");
    make_folder("pdf/references");
    make_folder("pdf/inner");
    make_folder("refunds");
    make_folder(".git");
    put_text("pdf/SKILL.md", FRONT_MATTER("pdf") "See more.\n");
    put_text("pdf/references/my notes.md", "first");
    put_text("pdf/inner/SKILL.md", FRONT_MATTER("inner"));
    put_text("pdf/.hidden", "secret");
    put_text("refunds/SKILL.md", FRONT_MATTER("refunds"));
    put_text("README.md", "of no skill");
    put_skills("pdf/logo.png", "\x89P\xff", 3);

    server = new_server("{\"name\":\"s\",\"workers\":1,\"limits\":{\"file_bytes\":1000,\"skills\":3,\"skill_files\":6,"
                        "\"skill_bytes\":1000,\"skills_bytes\":2500,\"skill_depth\":3}}");
    char *error = NULL;
    CHECK_STATUS(mcp_server_add_skills(server, "/nowhere/at/all", NULL, &error), MCP_ERROR_UNAVAILABLE);
    CHECK_CONTAINS(error, "/nowhere/at/all");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_add_skills(server, root, "{\"uri_prefix\":\"shelf\"}", &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "uri_prefix");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_add_skills(server, root, "{\"prefix\":\"x\"}", NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_add_skills(server, NULL, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_remove(server, "skills", root, NULL), MCP_EMPTY);
    CHECK_STATUS(mcp_server_add_skills(server, root, "{\"uri_prefix\":\"skill://shelf\"}", NULL), MCP_OK);

    connect_as("\"protocol\":\"modern\"");
    check_skills();
    check_change();
    check_faults();
    CHECK_STATUS(mcp_server_remove(server, "skills", root, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_remove(server, "skills", root, NULL), MCP_EMPTY);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_call(client, "skills/get", "{\"uri\":\"skill://shelf/pdf/SKILL.md\"}", NULL, &reply), MCP_ERROR_SERVER);
    mcp_message_free(reply);
    close_and_free(client);

    /* In the legacy era there are no extensions: the files are resources. */
    CHECK_STATUS(mcp_server_add_skills(server, root, NULL, NULL), MCP_OK);
    connect_as("\"protocol\":\"legacy\"");
    CHECK_STATUS(mcp_call(client, "skills/list", NULL, NULL, &reply), MCP_ERROR_UNSUPPORTED);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call(client, "resources/read", "{\"uri\":\"skill://pdf/SKILL.md\"}", NULL, &reply), MCP_OK);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "See more.");
    mcp_message_free(reply);
    close_and_free(client);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);

    char *command = format("rm -r %s", root);
    CHECK_EQ(system(command), 0);
    free(command);
    check_nothing_left(held);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    server_files_below_a_folder_and_no_others();
    server_skills_of_a_folder();
    return 0;
}
