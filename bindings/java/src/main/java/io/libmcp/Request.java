package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A request of a client: what its handler gets. The thread of the handler is interrupted when the answer is not wanted any
 * more.
 */
public final class Request {
    /** MCP_CODE_NOT_FOUND: the library turns it into the code of the revision. */
    private static final int NOT_FOUND = -32002;
    private static final String TOOL_FAILED = "The tool failed.";
    private static final String HANDLER_FAILED = "The server could not do this.";

    private final ReentrantLock lock = new ReentrantLock();
    private final String method;
    private final JsonValue params;
    private final Consumer<Failure> failure;
    /** Null once it was answered. */
    private MemorySegment message;

    private Request(MemorySegment message, Consumer<Failure> failure) {
        this.message = message;
        this.failure = failure;
        this.method = Library.text(Abi.mcp_message_method(message));
        this.params = Json.of(message);
    }

    /** Makes one that owns the message. */
    static Request of(MemorySegment message, Consumer<Failure> failure) {
        try {
            return new Request(message, failure);
        } catch (Throwable noMemory) {
            Abi.mcp_message_free(message); // which refuses it
            throw noMemory;
        }
    }

    /**
     * The method of the protocol.
     *
     * @return such as "tools/call"
     */
    public String method() {
        return method;
    }

    /**
     * The parameters as the client sent them.
     *
     * @return an object
     */
    public JsonValue params() {
        return params;
    }

    /**
     * An argument of a prompt.
     *
     * @param name the name of the argument
     * @return what the client gave; null if it gave none
     */
    public String argument(String name) {
        return params.get("arguments").get(name).asText();
    }

    /**
     * A variable of the URI template whose resource is read.
     *
     * @param name the name of the variable
     * @return its value; null if the URI has none
     */
    public String variable(String name) {
        return context().get("variables").get(name).asText();
    }

    /**
     * Reports progress, if the client wants reports. It never waits.
     *
     * @param progress rises from report to report
     * @param total the value at the end; 0 if it is not known
     * @param text for a person; null for none
     */
    public void progress(double progress, double total, String text) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment said = text == null ? MemorySegment.NULL : Library.text(arena, Answers.sendable(text));
            live("progress", it -> done("progress", Abi.mcp_request_progress(it, progress, total, said)));
        }
    }

    /**
     * Sends a log message that belongs to the request, if the client wants that level. The configuration must announce
     * "logging". It leaves the program: no secrets.
     *
     * @param level one of {@link Protocol.LoggingLevel}
     * @param logger the name of the logger; null for none
     * @param data anything that becomes JSON
     */
    public void log(String level, String logger, Object data) {
        try (Arena arena = Arena.ofConfined()) {
            live("log", it -> done("log", Abi.mcp_request_log(it, Library.text(arena, "log", level),
                    Library.text(arena, "log", logger), Library.json(arena, JsonValue.of(data)))));
        }
    }

    /**
     * Whether the answer is not wanted any more.
     *
     * @return true or false
     */
    public boolean isCancelled() {
        lock.lock();
        try {
            return message == null || Abi.mcp_request_cancelled(message);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks the client: for input of a person ("elicitation/create"), for the answer of a model ("sampling/createMessage"), or
     * for its roots ("roots/list"). The first time it ends the run of the handler; the handler runs again, from its
     * beginning, and the same call then gives the answer. So do what must happen once after the last question, and let pass
     * what this method throws, an {@link Error}.
     *
     * @param key a name of the question within the request
     * @param question the method
     * @param parameters anything that becomes an object of JSON
     * @return the answer
     * @throws McpException with {@link Status#UNSUPPORTED} if the client cannot answer, {@link Status#SERVER} if it refused
     */
    public JsonValue ask(String key, String question, Object parameters) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            int status = live(question, it -> Abi.mcp_request_ask(it, Library.text(arena, question, key),
                    Library.text(arena, question, question), Library.json(arena, parameters), out, error));
            Library.check(question, status, error);
            if (status == Status.EMPTY.number()) {
                throw new Asked();
            }
            return JsonValue.parse(Library.taken(out));
        }
    }

    /**
     * Asks the person at the client to fill in a form; see {@link #ask}.
     *
     * @param <T> the form
     * @param key a name of the question within the request
     * @param text what the person reads
     * @param form a record or a bean of texts, numbers, truth values and enums; its components are the fields
     * @return what was entered; empty if the person did not want to answer
     */
    public <T> java.util.Optional<T> elicit(String key, String text, Class<T> form) {
        JsonValue answer = ask(key, Protocol.Method.ELICITATION,
                java.util.Map.of("mode", "form", "message", text, "requestedSchema", Records.schema(form)));
        return "accept".equals(answer.get("action").asText())
                ? java.util.Optional.of(answer.get("content").as(form)) : java.util.Optional.empty();
    }

    /**
     * Asks the model of the client; see {@link #ask}. 2026-07-28 deprecates sampling (SEP-2577); it works in every revision that has it.
     *
     * @param key a name of the question within the request
     * @param parameters what is asked
     * @return the answer
     */
    public Protocol.CreateMessageResult sample(String key, Protocol.CreateMessageRequestParams parameters) {
        return new Protocol.CreateMessageResult(ask(key, Protocol.Method.SAMPLING, parameters));
    }

    /**
     * Asks for the roots of the client; see {@link #ask}. 2026-07-28 deprecates roots (SEP-2577); they work in every revision that has them.
     *
     * @param key a name of the question within the request
     * @return the roots
     */
    public List<Protocol.Root> roots(String key) {
        return new Protocol.ListRootsResult(ask(key, Protocol.Method.ROOTS, java.util.Map.of())).roots();
    }

    /**
     * What an earlier run of the handler kept.
     *
     * @return the text; null if nothing was kept
     */
    public String state() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("state", live("state", it -> Abi.mcp_request_state(it, out, error)), error);
            return Library.taken(out);
        }
    }

    /**
     * Keeps a text for the next run of the handler, after it has asked.
     *
     * @param text the text
     */
    public void keep(String text) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("state", live("state", it -> Abi.mcp_request_set_state(it, Library.text(arena, "state", text), error)), error);
        }
    }

    /**
     * Turns the call of a tool into a task: the client gets its name at once, and the handler answers late, as ever.
     *
     * @param options the options; null for none
     * @throws McpException with {@link Status#UNSUPPORTED} if the client takes no task: answer without one
     */
    public void startTask(Settings.TaskOptions options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("task", live("task", it -> Abi.mcp_request_start_task(it, Library.json(arena, options), error)), error);
        }
    }

    /**
     * Ends the event stream of the request before its answer, so that no connection stays open while the handler works: the client
     * comes back for what was sent meanwhile, and for the answer. Over HTTP in revision 2025-11-25 only.
     *
     * @param retry after what time the client is to come back; null for "timeouts.retry_ms" of the server
     * @return false if there is no stream that could end
     */
    public boolean closeStream(Duration retry) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            int status = live("stream", it -> Abi.mcp_request_close_stream(it, Library.milliseconds(retry), error));
            Library.check("stream", status, error);
            return status == Status.OK.number();
        }
    }

    /**
     * Tells about the client: "session", "revision", "capabilities", "variables" of a template, "principal" and more.
     *
     * @return an object
     */
    public JsonValue context() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("context", live("context", it -> Abi.mcp_request_context(it, out, error)), error);
            return JsonValue.parse(Library.taken(out));
        }
    }

    /** A function of the library for the message of a request that was not answered yet. */
    private interface Use {
        int call(MemorySegment message);
    }

    private int live(String operation, Use use) {
        lock.lock();
        try {
            if (message == null) {
                throw new McpException(Status.CANCELLED, operation, operation + ": the request was answered");
            }
            return use.call(message);
        } finally {
            lock.unlock();
        }
    }

    private static int done(String operation, int status) {
        if (status < 0) {
            throw new McpException(status, operation);
        }
        return status;
    }

    /** Runs the handler and answers with what it gives. */
    void run(Handler<Request, Object> handler) {
        try {
            Object result;
            try {
                result = Telemetry.run(handler, this);
            } catch (Asked asked) {
                return; // The library asks when the message is freed without an answer.
            } catch (Throwable why) {
                fail(why);
                return;
            }
            try {
                answer(result);
            } catch (Throwable unfit) {
                unfit(unfit);
            }
        } finally {
            drop();
        }
    }

    /** The answer cannot be sent. Of a result that does not fit its schema the library has told the client itself, so that no client waits any more. */
    private void unfit(Throwable why) {
        boolean isOver = Answers.isOver(why);
        if (!isOver) {
            Failure.tell(failure, what(), why);
        }
        if (isOver || isCancelled()) {
            return;
        }
        failed();
    }

    /** The method, and the name of the tool or the prompt. */
    private String what() {
        boolean isNamed = method.equals(Protocol.Method.TOOLS_CALL) || method.equals(Protocol.Method.PROMPTS_GET);
        return isNamed ? method + " " + params().get("name").asText("") : method;
    }

    /** What a client hears of a failure that is not for it. */
    private void failed() {
        try {
            if (method.equals(Protocol.Method.TOOLS_CALL)) {
                answer(new ServerCore.Text(TOOL_FAILED, true));
            } else {
                refuse(new RpcException(Answers.INTERNAL, HANDLER_FAILED));
            }
        } catch (McpException again) {
            if (!Answers.isOver(again)) {
                Failure.tell(failure, what(), again);
            }
        }
    }

    private void answer(Object result) {
        Answers.give(method, (arena, error) -> live(method, it -> {
            if (result instanceof ServerCore.Text text) {
                String said = text.text() == null ? "" : text.text();
                if (said.indexOf('\0') < 0) {
                    return Abi.mcp_request_respond_text(it, Library.text(arena, said), text.isError(), error);
                }
                // A C string would end there; JSON has it as an escape.
                Map<String, Object> block = Map.of("type", "text", "text", said);
                return Abi.mcp_request_respond(it, Library.json(arena, Map.of("content", List.of(block), "isError", text.isError())), error);
            }
            return Abi.mcp_request_respond(it, Library.json(arena, result), error);
        }));
    }

    private void fail(Throwable why) {
        if (isCancelled()) {
            return; // Its thread was interrupted: no client waits, and nothing failed.
        }
        boolean isTool = method.equals(Protocol.Method.TOOLS_CALL);
        try {
            switch (why) {
                case NotFoundException none ->
                    Answers.give(method, (arena, error) -> live(method, it -> Abi.mcp_request_respond_error(it, NOT_FOUND, MemorySegment.NULL, MemorySegment.NULL, error)));
                case ToolException said when isTool -> answer(new ServerCore.Text(said.getMessage(), true));
                case RpcException refusal -> refuse(refusal);
                default -> {
                    Failure.tell(failure, what(), why);
                    failed();
                }
            }
        } catch (McpException unfit) {
            if (!Answers.isOver(unfit)) {
                Failure.tell(failure, what(), unfit);
            }
        }
    }

    private void refuse(RpcException refusal) {
        live(method, it -> {
            Answers.refuse(method, it, refusal, HANDLER_FAILED, failure, () -> true);
            return 0;
        });
    }

    private void drop() {
        lock.lock();
        try {
            Abi.mcp_message_free(message);
            message = null;
        } finally {
            lock.unlock();
        }
    }
}
