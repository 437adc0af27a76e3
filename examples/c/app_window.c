/*
 * app_window TOOL ARGUMENTS SERVER [ARGUMENT...]: calls a tool that has a page (MCP Apps) and shows the page in a window of GTK.
 *
 *   cc -std=c11 app_window.c $(pkg-config --cflags --libs mcp webkit2gtk-4.1) -o app_window
 *
 * The web view has an empty document, and the page of the server is a frame in it that has an origin of its own: it reaches neither
 * this program nor the disk, and of the network what its policy names. The script between both is in a world of its own, so that
 * the page cannot call what this program hears. Between that script and this program is a view of the library: what the page says
 * goes in, what is to be done comes out.
 */
#include <glib-unix.h>
#include <mcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <webkit2/webkit2.h>

#define WORLD "host"
static const char SHELL[] =
    "const frame = document.createElement('iframe'); frame.setAttribute('sandbox', 'allow-scripts allow-forms');"
    "frame.style = 'border:0;position:fixed;inset:0;width:100%;height:100%';"
    "addEventListener('message', (event) => { if (event.source === frame.contentWindow)"
    " webkit.messageHandlers.host.postMessage(JSON.stringify(event.data)); });"
    "window.show = (page, allow) => { frame.allow = allow; frame.srcdoc = page; document.body.append(frame); };"
    "window.post = (message) => frame.contentWindow.postMessage(JSON.parse(message), '*');";
static const char SETTINGS[] =
    "{\"hostInfo\": {\"name\": \"app_window\", \"version\": \"1.0\"}, \"hostCapabilities\": {\"serverTools\": {},"
    " \"serverResources\": {}, \"openLinks\": {}, \"logging\": {}}, \"hostContext\": {\"platform\": \"desktop\"},"
    " \"tool\": %s, \"tools\": %s}";
static const char CONFIG[] =
    "{\"capabilities\": {\"extensions\": {\"io.modelcontextprotocol/ui\": {\"mimeTypes\": [\"text/html;profile=mcp-app\"]}}}, \"command\": %s, \"args\": [%s]}";
#define TOOL_CALL UINT64_MAX /* the tag of the call of the tool; those of the page have their ids */

static mcp_client_t *client;
static mcp_app_t *app;
static WebKitWebView *web;
static GtkWidget *window;
static char *page, *allow, *arguments;
static int result = 1;
static bool is_leaving;

static int fail(const char *what, mcp_status_t status, char *error) {
    char text[1000];
    fprintf(stderr, "app_window: %s: %s\n", what, error != NULL ? mcp_error_text(error, text, sizeof text) : mcp_status_name(status));
    mcp_string_free(error);
    return 1;
}

/* Text of others goes into the document as an argument, and is never a part of its script. */
static void run_script(const char *script, const char *first, const char *second) {
    GVariantDict values;
    g_variant_dict_init(&values, NULL);
    g_variant_dict_insert(&values, "first", "s", first);
    g_variant_dict_insert(&values, "second", "s", second);
    webkit_web_view_call_async_javascript_function(web, script, -1, g_variant_dict_end(&values), WORLD, NULL, NULL, NULL, NULL);
}

static char *text_of(mcp_value_t value) {
    size_t length = 0;
    const char *text = mcp_value_json(value, &length);
    return text == NULL ? NULL : g_strndup(text, length);
}

static void tell(const char *format, ...) G_GNUC_PRINTF(1, 2);
static void tell(const char *format, ...) {
    char *error = NULL;
    va_list values;
    va_start(values, format);
    char *told = g_strdup_vprintf(format, values);
    va_end(values);
    mcp_status_t status = mcp_app_tell(app, told, &error);
    if (status != MCP_OK) fail("the view was not told", status, error);
    g_free(told);
}

/* A link is opened where the person says so. */
static void open_link(gint64 id, const char *url) {
    GtkWidget *dialog = gtk_message_dialog_new(GTK_WINDOW(window), GTK_DIALOG_MODAL, GTK_MESSAGE_QUESTION, GTK_BUTTONS_YES_NO, "Open %s?", url);
    bool is_wanted = gtk_dialog_run(GTK_DIALOG(dialog)) == GTK_RESPONSE_YES;
    gtk_widget_destroy(dialog);
    if (is_wanted && gtk_show_uri_on_window(GTK_WINDOW(window), url, GDK_CURRENT_TIME, NULL)) {
        tell("{\"type\": \"answer\", \"id\": %" G_GINT64_FORMAT ", \"result\": {}}", id);
    } else {
        tell("{\"type\": \"answer\", \"id\": %" G_GINT64_FORMAT ", \"denied\": true}", id);
    }
}

static void do_request(mcp_value_t action) {
    int64_t id = 0;
    char *error = NULL;
    const char *method = mcp_value_string(mcp_value_get(action, "method"), NULL);
    mcp_value_int64(mcp_value_get(action, "id"), &id);
    char *params = text_of(mcp_value_get(action, "params"));
    printf("the page asks for %s\n", method);
    if (strcmp(method, "ui/open-link") == 0) {
        open_link(id, mcp_value_string(mcp_value_get(mcp_value_get(action, "params"), "url"), NULL));
    } else if (strncmp(method, "ui/", 3) == 0) {
        tell("{\"type\": \"answer\", \"id\": %" G_GINT64_FORMAT ", \"denied\": true}", (gint64)id);
    } else if (mcp_call_start(client, method, params, NULL, (uint64_t)id, NULL, &error) != MCP_OK) {
        tell("{\"type\": \"answer\", \"id\": %" G_GINT64_FORMAT ", \"error\": %s}", (gint64)id, error);
        mcp_string_free(error);
    }
    g_free(params);
}

static gboolean on_late(gpointer user) {
    (void)user;
    result = 0;
    gtk_main_quit();
    return G_SOURCE_REMOVE;
}

/* The page is asked to end. One that does not answer is removed all the same. */
static void leave(const char *why) {
    tell("{\"type\": \"teardown\", \"reason\": \"%s\"}", why);
    if (!is_leaving) g_timeout_add_seconds(1, on_late, NULL);
    is_leaving = true;
}

/* Does what is to be done, until nothing is. */
static void act(void) {
    char *text = NULL;
    while (mcp_app_poll(app, &text) == MCP_OK) {
        mcp_document_t *document = NULL;
        if (mcp_document_new(text, strlen(text), &document, NULL) != MCP_OK) break;
        mcp_value_t action = mcp_document_value(document), type = mcp_value_get(action, "type");
        if (mcp_value_is(type, "message")) {
            char *message = text_of(mcp_value_get(action, "message"));
            run_script("window.post(first)", message, "");
            g_free(message);
        } else if (mcp_value_is(type, "request")) {
            do_request(action);
        } else if (mcp_value_is(type, "size")) {
            double width = 0, height = 0;
            mcp_value_double(mcp_value_get(action, "width"), &width);
            mcp_value_double(mcp_value_get(action, "height"), &height);
            printf("the page has %.0f x %.0f pixels\n", width, height);
            gtk_window_resize(GTK_WINDOW(window), (int)CLAMP(width, 200, 2000), (int)CLAMP(height, 100, 1500));
        } else if (mcp_value_is(type, "teardown-requested")) {
            leave("the page asks for it");
        } else if (mcp_value_is(type, "ended")) {
            result = 0;
            gtk_main_quit();
        } else {
            puts(text);
        }
        fflush(stdout);
        mcp_document_free(document);
        mcp_string_free(text);
        text = NULL;
    }
    mcp_string_free(text);
}

static void on_page(WebKitUserContentManager *manager, WebKitJavascriptResult *said, gpointer user) {
    (void)manager, (void)user;
    char *message = jsc_value_to_string(webkit_javascript_result_get_js_value(said));
    mcp_app_receive(app, message, NULL);
    g_free(message);
    act();
}

static gboolean on_messages(gint descriptor, GIOCondition condition, gpointer user) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    (void)descriptor, (void)condition, (void)user;
    while ((status = mcp_client_poll(client, 0, &message)) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            bool is_good = mcp_message_status(message) == MCP_OK;
            const char *json = mcp_message_json(message, NULL);
            if (mcp_message_tag(message) != TOOL_CALL) {
                tell("{\"type\": \"answer\", \"id\": %" G_GUINT64_FORMAT ", \"%s\": %s}", (guint64)mcp_message_tag(message), is_good ? "result" : "error", json);
            } else if (is_good) {
                tell("{\"type\": \"result\", \"result\": %s}", json);
            } else {
                tell("{\"type\": \"cancelled\", \"reason\": \"the call failed\"}");
            }
        }
        mcp_message_free(message);
    }
    act();
    return status == MCP_EMPTY ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* A hint that a page gives connects to a host before anything is loaded, and no policy governs that. */
static void without_hints(WebKitSettings *settings) {
    WebKitFeatureList *features = webkit_settings_get_all_features();
    for (gsize at = 0; at < webkit_feature_list_get_length(features); at++) {
        WebKitFeature *feature = webkit_feature_list_get(features, at);
        if (strncmp(webkit_feature_get_identifier(feature), "Link", 4) == 0) webkit_settings_set_feature_enabled(settings, feature, FALSE);
    }
    webkit_feature_list_unref(features);
}

/* Nothing leads the web view elsewhere: neither the page nor a link in it. */
static gboolean on_decision(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer user) {
    (void)view, (void)user;
    if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE) return FALSE;
    WebKitNavigationAction *action = webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
    const char *uri = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
    bool is_ours = type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION && g_str_has_prefix(uri, "about:");
    if (!is_ours) webkit_policy_decision_ignore(decision);
    return !is_ours;
}

/* Our document is there: it gets the page, and the call begins. */
static void on_loaded(WebKitWebView *view, WebKitLoadEvent event, gpointer tool) {
    char *error = NULL;
    (void)view;
    if (event != WEBKIT_LOAD_FINISHED || page == NULL) return;
    run_script("window.show(first, second)", page, allow);
    g_clear_pointer(&page, g_free);
    tell("{\"type\": \"input\", \"arguments\": %s}", arguments);
    mcp_status_t status = mcp_client_call_tool_start(client, tool, arguments, NULL, TOOL_CALL, NULL, &error);
    if (status != MCP_OK) fail("the tool cannot be called", status, error);
}

static gboolean on_close(GtkWidget *closed, GdkEvent *event, gpointer user) {
    (void)closed, (void)event, (void)user;
    leave("the window is closed");
    act();
    return TRUE; /* until the page has answered */
}

/* SIGINT or SIGTERM. */
static gboolean on_signal(gpointer user) {
    (void)user;
    leave("the program ends");
    act();
    return G_SOURCE_CONTINUE;
}

/* Reads the page of a tool, and makes its view. */
static int open_page(const char *name) {
    mcp_message_t *tools = NULL, *read = NULL;
    char *error = NULL, *policy = NULL;
    mcp_status_t status = mcp_client_list_tools(client, NULL, &tools);
    if (status != MCP_OK) return fprintf(stderr, "app_window: %s\n", mcp_message_json(tools, NULL)), 1;
    mcp_value_t list = mcp_value_get(mcp_message_value(tools), "tools"), tool = mcp_value_first(list);
    while (mcp_value_type(tool) != MCP_JSON_ABSENT && !mcp_value_is(mcp_value_get(tool, "name"), name)) tool = mcp_value_next(tool);
    const char *uri = mcp_value_string(mcp_value_get(mcp_value_get(mcp_value_get(tool, "_meta"), "ui"), "resourceUri"), NULL);
    if (uri == NULL || strncmp(uri, "ui://", 5) != 0) return fail("the tool has no page", MCP_ERROR_UNSUPPORTED, NULL);
    if ((status = mcp_client_read_resource(client, uri, NULL, &read)) != MCP_OK) return fail(uri, status, NULL);
    mcp_value_t document = mcp_value_first(mcp_value_get(mcp_message_value(read), "contents"));
    const char *html = mcp_value_string(mcp_value_get(document, "text"), NULL);
    if (html == NULL || !mcp_value_is(mcp_value_get(document, "mimeType"), "text/html;profile=mcp-app"))
        return fail("the page is not the document of an app", MCP_ERROR_UNSUPPORTED, NULL);
    char *ui = text_of(mcp_value_get(mcp_value_get(document, "_meta"), "ui"));
    char *definition = text_of(tool), *definitions = text_of(list);
    char *settings = g_strdup_printf(SETTINGS, definition, definitions);
    if ((status = mcp_app_policy(ui, &policy, &error)) != MCP_OK || (status = mcp_app_new(settings, &app, &error)) != MCP_OK)
        return fail("the page cannot be shown", status, error);
    char *head = NULL;
    mcp_document_t *read_policy = NULL;
    if ((status = mcp_document_new(policy, strlen(policy), &read_policy, &error)) != MCP_OK) return fail("the policy", status, error);
    head = g_strdup(mcp_value_string(mcp_value_get(mcp_document_value(read_policy), "head"), NULL));
    page = g_strconcat(head, html, NULL); /* before every script of the page */
    mcp_document_free(read_policy);
    allow = g_strdup(""); /* no permission was consented to */
    g_free(head), g_free(ui), g_free(definition), g_free(definitions), g_free(settings);
    mcp_string_free(policy);
    mcp_message_free(tools), mcp_message_free(read);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 4 || !gtk_init_check(NULL, NULL))
        return fprintf(stderr, "usage: app_window TOOL ARGUMENTS SERVER [ARGUMENT...], with a display\n"), 2;
    char *error = NULL, *command = NULL;
    GString *words = g_string_new("");
    mcp_json_quote(argv[3], &command);
    for (int word = 4; word < argc; word++) {
        char *quoted = NULL;
        mcp_json_quote(argv[word], &quoted);
        g_string_append_printf(words, "%s%s", word > 4 ? "," : "", quoted);
        mcp_string_free(quoted);
    }
    char *config = g_strdup_printf(CONFIG, command, words->str);
    mcp_status_t status = mcp_client_new(config, NULL, &client, &error);
    g_free(config), g_string_free(words, TRUE), mcp_string_free(command);
    if (status != MCP_OK) return fail("the client", status, error);
    arguments = argv[2];
    if (open_page(argv[1]) == 0) {
        guint source = g_unix_fd_add(mcp_client_fd(client), G_IO_IN, on_messages, NULL);
        WebKitUserContentManager *manager = webkit_user_content_manager_new();
        g_signal_connect(manager, "script-message-received::host", G_CALLBACK(on_page), NULL);
        webkit_user_content_manager_register_script_message_handler_in_world(manager, "host", WORLD);
        WebKitUserScript *script = webkit_user_script_new_for_world(SHELL, WEBKIT_USER_CONTENT_INJECT_TOP_FRAME,
                                                                    WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_END, WORLD, NULL, NULL);
        webkit_user_content_manager_add_script(manager, script);
        webkit_user_script_unref(script);
        web = WEBKIT_WEB_VIEW(webkit_web_view_new_with_user_content_manager(manager));
        without_hints(webkit_web_view_get_settings(web));
        g_signal_connect(web, "load-changed", G_CALLBACK(on_loaded), argv[1]);
        g_signal_connect(web, "decide-policy", G_CALLBACK(on_decision), NULL);
        window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
        g_signal_connect(window, "delete-event", G_CALLBACK(on_close), NULL);
        gtk_container_add(GTK_CONTAINER(window), GTK_WIDGET(web));
        gtk_widget_show_all(window);
        g_unix_signal_add(SIGINT, on_signal, NULL), g_unix_signal_add(SIGTERM, on_signal, NULL);
        webkit_web_view_load_html(web, "<!doctype html><body>", NULL);
        gtk_main();
        gtk_widget_destroy(window);
        g_object_unref(manager);
        g_source_remove(source);
    }
    g_free(allow);
    mcp_app_free(app);
    mcp_client_free(client);
    return result;
}
