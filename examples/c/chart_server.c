/* chart_server: a tool with a page (MCP Apps). Hosts that show pages draw its result, and every other client reads it as text.
 *
 * The page may call the tool "more", which no model sees.
 *
 *   ./inspect --call chart '{"city": "Paris"}' -- ./chart_server
 */
#include <mcp.h>
#include <signal.h>
#include <stdio.h>

static const char PAGE_META[] =
    "{\"name\": \"chart\", \"uri\": \"ui://chart/page\", \"mimeType\": \"text/html;profile=mcp-app\", \"_meta\": {\"ui\": {\"prefersBorder\": true}}}";
static const char CHART[] =
    "{\"name\": \"chart\", \"description\": \"Temperatures of a week\", \"inputSchema\": {\"type\": \"object\","
    " \"properties\": {\"city\": {\"type\": \"string\"}}, \"required\": [\"city\"]},"
    " \"_meta\": {\"ui\": {\"resourceUri\": \"ui://chart/page\"}}}";
static const char MORE[] =
    "{\"name\": \"more\", \"description\": \"Another week\", \"inputSchema\": {\"type\": \"object\"},"
    " \"_meta\": {\"ui\": {\"visibility\": [\"app\"]}}}";

/* The view: it is answered, draws the result, asks for more once, and asks to be removed at a click. */
static const char PAGE[] =
    "<!doctype html><title>Chart</title><body style='margin:0;font:14px sans-serif'><svg id=chart width=300 height=120></svg><script>"
    "let last = 0; const waiting = new Map();"
    "const send = (message) => parent.postMessage({jsonrpc: '2.0', ...message}, '*');"
    "const ask = (method, params) => new Promise((done) => { waiting.set(++last, done); send({id: last, method, params}); });"
    "const draw = ({values}) => { chart.innerHTML = values.map((value, at) =>"
    " `<rect x=${at * 40} y=${110 - value * 4} width=30 height=${value * 4} fill=teal></rect>`).join('');"
    " send({method: 'ui/notifications/size-changed', params: {width: 300, height: document.documentElement.scrollHeight}}); };"
    "addEventListener('message', async ({source, data}) => { if (source !== parent) return;"
    " if (waiting.has(data.id) && !data.method) { waiting.get(data.id)(data); waiting.delete(data.id); }"
    " if (data.method === 'ui/notifications/tool-result') { draw(data.params.structuredContent);"
    "  const more = await ask('tools/call', {name: 'more', arguments: {}}); draw(more.result.structuredContent); }"
    " if (data.method === 'ui/resource-teardown') send({id: data.id, result: {}}); });"
    "chart.onclick = () => send({method: 'ui/notifications/request-teardown', params: {}});"
    "ask('ui/initialize', {protocolVersion: '2026-01-26', appInfo: {name: 'chart', version: '1.0'}, appCapabilities: {}})"
    " .then(() => send({method: 'ui/notifications/initialized'}));"
    "</script>";

/* The text is useful without the page; where the client shows the page, it says so. */
static void on_tool(void *user, mcp_message_t *request) {
    (void)user;
    bool is_shown = mcp_request_client_has(request, "io.modelcontextprotocol/ui");
    mcp_request_respond(request,
                        is_shown ? "{\"content\": [{\"type\": \"text\", \"text\": \"7, 9, 12, 11, 8, 6 and 10 degrees, shown as a chart\"}],"
                                   " \"structuredContent\": {\"values\": [7, 9, 12, 11, 8, 6, 10]}}"
                                 : "{\"content\": [{\"type\": \"text\", \"text\": \"7, 9, 12, 11, 8, 6 and 10 degrees\"}],"
                                   " \"structuredContent\": {\"values\": [7, 9, 12, 11, 8, 6, 10]}}",
                        NULL);
    mcp_message_free(request);
}

static mcp_server_t *server;

/* SIGINT or SIGTERM: mcp_server_run() returns MCP_WOKEN. */
static void on_signal(int number) {
    (void)number;
    mcp_server_wake(server);
}

int main(void) {
    char *error = NULL;
    mcp_status_t status = mcp_server_new("{\"name\": \"chart\", \"version\": \"1.0\"}", NULL, &server, &error);
    if (status == MCP_OK) status = mcp_server_add_text(server, PAGE_META, PAGE, &error);
    if (status == MCP_OK) status = mcp_server_add_tool(server, CHART, on_tool, NULL, NULL, &error);
    if (status == MCP_OK) status = mcp_server_add_tool(server, MORE, on_tool, NULL, NULL, &error);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    if (status == MCP_OK) status = mcp_server_serve(server, "{\"stdio\": true}", NULL, &error);
    if (status == MCP_OK) status = mcp_server_run(server, -1); /* until the client closes our standard input */
    if (status < 0) fprintf(stderr, "chart_server: %s\n", error != NULL ? error : mcp_status_name(status));
    mcp_server_free(server);
    mcp_string_free(error);
    return status < 0 ? 1 : 0;
}
