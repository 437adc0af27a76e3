package io.libmcp;

import static io.libmcp.Tests.check;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.fails;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Pages of tools, with the messages of docs/guide/apps.md. */
final class ViewTest {
    private static final JsonValue SETTINGS = JsonValue.parse("""
            {"hostInfo": {"name": "desk", "version": "1"}, "hostCapabilities": {"serverTools": {}, "openLinks": {}},
             "hostContext": {"theme": "dark"}, "tool": {"name": "chart", "inputSchema": {"type": "object"}},
             "tools": [{"name": "chart", "inputSchema": {"type": "object"}}, {"name": "secret", "_meta": {"ui": {"visibility": ["model"]}}}]}""");
    private static final String HELLO = """
            {"jsonrpc": "2.0", "id": 1, "method": "ui/initialize", "params": {"protocolVersion": "2026-01-26",
             "appInfo": {"name": "page", "version": "1"}, "appCapabilities": {}}}""";

    private static List<View.Action> all(View view) {
        List<View.Action> all = new ArrayList<>();
        view.forEach(all::add);
        return all;
    }

    private static View.Action only(View view, String type) {
        List<View.Action> all = all(view);
        check(all.size() == 1 && all.getFirst().type().equals(type), all);
        return all.getFirst();
    }

    private static String call(int id, String tool) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\",\"arguments\":{}}}";
    }

    static void testAViewOfATool() {
        View view = new View(SETTINGS);
        view.tell("input", Map.of("arguments", Map.of("city", "Paris")));
        equal(all(view), List.of());
        view.receive(HELLO);
        contains(only(view, "message").message().toString(), "\"theme\":\"dark\"");
        view.receive("{\"jsonrpc\":\"2.0\",\"method\":\"ui/notifications/initialized\"}");
        String ready = all(view).toString();
        contains(ready, "ready");
        contains(ready, "Paris");
        view.receive(call(2, "chart"));
        View.Action asked = only(view, "request");
        equal(asked.method(), "tools/call");
        equal(asked.params().get("name").asText(), "chart");
        view.tell("answer", Map.of("id", asked.id(), "result", Map.of("content", List.of())));
        contains(only(view, "message").message().toString(), "\"content\":[]");
        view.receive(call(3, "secret"));
        check(!only(view, "message").message().get("error").isAbsent(), "a tool for models alone is refused");
        view.tell("teardown", Map.of("reason", "closed"));
        JsonValue bye = only(view, "message").message().get("id");
        view.receive("{\"jsonrpc\":\"2.0\",\"id\":" + bye + ",\"result\":{}}");
        only(view, "ended");
        view.close();
        view.close();
        fails(Status.CLOSED, () -> view.receive("{}"));
        fails(Status.CLOSED, () -> view.tell("resources-changed", null));
        fails(Status.CLOSED, view::poll);
    }

    static void testMistakesNameTheMember() {
        contains(fails(Status.INVALID_ARGUMENT, () -> new View(Map.of()).close()).getMessage(), "hostInfo");
        try (View view = new View(SETTINGS)) {
            contains(fails(Status.INVALID_ARGUMENT, () -> view.tell("input", Map.of("arguments", 1))).getMessage(), "arguments");
        }
    }

    static void testThePolicyOfAFrame() {
        View.Policy policy = View.policy(JsonValue.parse("""
                {"csp": {"connectDomains": ["https://api.example", "javascript:x"]}, "permissions": {"camera": {}}}"""));
        contains(policy.csp(), "https://api.example");
        equal(policy.allow(), "camera");
        equal(policy.refused().size(), 1);
        contains(policy.head(), "https://api.example");
        contains(policy.head(), "RTCPeerConnection");
        contains(View.policy(null).csp(), "default-src");
    }
}
