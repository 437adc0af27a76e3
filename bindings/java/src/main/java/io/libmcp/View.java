package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The host's side of the page of a tool (MCP Apps, docs/guide/apps.md). It shows nothing: the program has a web view, gives the messages of
 * the page to {@link #receive}, and does the actions that it iterates over. Any thread may use it; nothing waits.
 *
 * <pre>{@code
 * try (View view = new View(Map.of("hostInfo", Map.of("name", "desk", "version", "1"), "tool", tool))) {
 *     view.tell("result", Map.of("result", client.callTool(tool.name(), arguments)));
 *     view.receive(message);
 *     for (View.Action action : view) {
 *         switch (action.type()) {
 *             case "message" -> post(action.message());
 *             case "request" -> view.tell("answer", Map.of("id", action.id(), "result", client.call(action.method(), action.params())));
 *             default -> { }
 *         }
 *     }
 * }
 * }</pre>
 */
public final class View implements AutoCloseable, Iterable<View.Action> {
    private static final Cleaner CLEANER = Cleaner.create();

    /**
     * What the program has to do for a view, by its type as {@code mcp_app_poll} in mcp.h has them.
     *
     * @param json the whole action
     */
    public record Action(JsonValue json) {
        /**
         * Says what it is: "message", "request", "cancel", "ready", "size", "log", "warning", "app-tools", "called", "teardown-requested" or
         * "ended".
         *
         * @return the type
         */
        public String type() {
            return json.get("type").asText();
        }

        /**
         * What is to be posted to the page.
         *
         * @return the message
         */
        public JsonValue message() {
            return json.get("message");
        }

        /**
         * What a request is answered by, or the request that need not go on.
         *
         * @return the identifier
         */
        public JsonValue id() {
            return json.get("id");
        }

        /**
         * What a request is for.
         *
         * @return the method
         */
        public String method() {
            return json.get("method").asText();
        }

        /**
         * The parameters of a request, or of a log message.
         *
         * @return an object
         */
        public JsonValue params() {
            return json.get("params");
        }
    }

    /**
     * The policy for the frame of a document.
     *
     * @param csp its Content-Security-Policy
     * @param allow the attribute of the frame, to be consented to
     * @param refused the domains that were left out
     * @param head what comes before the text of a document in "srcdoc": the policy, and a script that takes away WebRTC, which no policy
     *     governs
     */
    public record Policy(String csp, String allow, List<String> refused, String head) {
    }

    /** A function of the library that uses a view. */
    private interface Use {
        int call(Arena arena, MemorySegment app, MemorySegment error);
    }

    /** What the collector frees, too. */
    private static final class Held implements Runnable {
        private final Lock use = new ReentrantLock();
        private MemorySegment app;

        int use(String operation, Use function) {
            use.lock();
            try (Arena arena = Arena.ofConfined()) {
                if (app == null) {
                    throw new McpException(Status.CLOSED, operation, operation + ": the view is closed");
                }
                MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
                int status = function.call(arena, app, error);
                Library.check(operation, status, error);
                return status;
            } finally {
                use.unlock();
            }
        }

        @Override
        public void run() {
            use.lock();
            try {
                if (app != null) {
                    Abi.mcp_app_free(app);
                    app = null;
                }
            } finally {
                use.unlock();
            }
        }
    }

    private final Held held = new Held();
    private final Cleaner.Cleanable backstop;

    /**
     * Makes the host's side of a view.
     *
     * @param settings an object of JSON as {@code mcp_app_new} in mcp.h has it: "hostInfo" is necessary; "hostCapabilities", "hostContext",
     *     "tool", "tools", "appTools"
     */
    public View(Object settings) {
        Library.need();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("view", Abi.mcp_app_new(Library.json(arena, settings), out, error), error);
            held.app = out.get(ValueLayout.ADDRESS, 0);
        }
        backstop = CLEANER.register(this, held);
    }

    /**
     * Takes a message of the page's own frame, as it came. A malformed or forbidden one is answered or dropped.
     *
     * @param message the text of JSON
     */
    public void receive(String message) {
        held.use("receive", (arena, app, error) -> Abi.mcp_app_receive(app, Library.text(arena, "receive", message), error));
    }

    /**
     * Tells the page what happened.
     *
     * @param type "input", "input-partial", "result", "cancelled", "answer", "progress", "context", "tools", "resources-changed", "call",
     *     "call-cancelled" or "teardown"
     * @param members what belongs to the type, such as "arguments", "result", "id"; null for nothing
     */
    public void tell(String type, Map<String, ?> members) {
        Map<String, Object> told = new LinkedHashMap<>(members == null ? Map.of() : members);
        told.put("type", type);
        held.use("tell", (arena, app, error) -> Abi.mcp_app_tell(app, Library.json(arena, told), error));
    }

    /**
     * Takes the next action.
     *
     * @return the action; null when there is nothing to do until something is received or told
     */
    public Action poll() {
        String[] action = new String[1];
        held.use("poll", (arena, app, error) -> {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            int status = Abi.mcp_app_poll(app, out);
            action[0] = status == 0 ? Library.taken(out) : null;
            return status;
        });
        return action[0] == null ? null : new Action(JsonValue.parse(action[0]));
    }

    /** The actions that are there, and those that come while they are done. */
    @Override
    public Iterator<Action> iterator() {
        return new Iterator<>() {
            private Action next;

            @Override
            public boolean hasNext() {
                next = next == null ? poll() : next;
                return next != null;
            }

            @Override
            public Action next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("nothing is to be done for the view");
                }
                Action one = next;
                next = null;
                return one;
            }
        };
    }

    /**
     * The policy for the frame of a document.
     *
     * @param ui "_meta.ui" of the item that {@link Client#readResource} gave; null if it has none
     * @return the policy: a host may tighten it, and never loosen it
     */
    public static Policy policy(Object ui) {
        Library.need();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("policy", Abi.mcp_app_policy(Library.json(arena, ui), out, error), error);
            return JsonValue.parse(Library.taken(out)).as(Policy.class);
        }
    }

    /** Frees it. Any number of times. */
    @Override
    public void close() {
        backstop.clean();
    }
}
