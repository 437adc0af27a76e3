package io.libmcp;

import io.libmcp.Settings.CallOptions;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The tasks that a server keeps, by their names ({@code tasks} in the configuration; docs/guide/tasks.md). A call of a tool that becomes a task
 * needs none of this: it ends with its result as ever. A name is valid longer than the call and the process.
 */
public final class Tasks {
    private final Client client;

    Tasks(Client client) {
        this.client = client;
    }

    /** A function of the library that starts a call about one task. */
    private interface Starter {
        int start(MemorySegment client, MemorySegment task, MemorySegment options, long tag, MemorySegment id, MemorySegment error);
    }

    private JsonValue about(String method, String task, CallOptions options, Starter starter) {
        return client.perform(method, options, (arena, handle, text, tag, id, error) ->
                starter.start(handle, Library.text(arena, method, task), text, tag, id, error));
    }

    /**
     * Lists the tasks; only revision 2025-11-25 has this list.
     *
     * @return an object for each task
     */
    public List<JsonValue> list() {
        return client.perform(Protocol.Method.TASKS_LIST, null, (arena, handle, text, tag, id, error) ->
                Abi.mcp_client_list_tasks_start(handle, text, tag, id, error)).get("tasks").elements();
    }

    /**
     * The state of a task.
     *
     * @param task its name
     * @return an object with "taskId" and "status", as the server wrote it
     */
    public JsonValue get(String task) {
        return about(Protocol.Method.TASKS_GET, task, null, Abi::mcp_client_get_task_start);
    }

    /**
     * Waits for the result of a task, as the call that became the task would have done.
     *
     * @param task its name
     * @param options the options; null for none. {@code maxTotal} limits the whole wait
     * @return the result of the tool
     */
    public CallResult result(String task, CallOptions options) {
        return new CallResult(about(Protocol.Method.TASKS_RESULT, task, options, Abi::mcp_client_get_task_result_start));
    }

    /**
     * Asks the server to cancel a task.
     *
     * @param task its name
     * @return what the server answers
     */
    public JsonValue cancel(String task) {
        return about(Protocol.Method.TASKS_CANCEL, task, null, Abi::mcp_client_cancel_task_start);
    }
}
