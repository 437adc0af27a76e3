package io.libmcp;

import io.libmcp.Settings.CallOptions;
import java.util.List;
import java.util.Map;

/**
 * The tasks that a server keeps, by their names ({@code tasks} in the configuration; docs/guide/tasks.md). A call of a tool that becomes a task
 * needs none of this: it ends with its result as ever. A name is valid longer than the call and the process.
 */
public final class Tasks {
    private final Client client;

    Tasks(Client client) {
        this.client = client;
    }

    private JsonValue about(String method, String task, CallOptions options) {
        return client.perform(method, options, Map.of("taskId", task));
    }

    /**
     * Lists the tasks; only revision 2025-11-25 has this list.
     *
     * @return an object for each task
     */
    public List<JsonValue> list() {
        return client.perform(Protocol.Method.TASKS_LIST, null, (Map<String, ?>) null).get("tasks").elements();
    }

    /**
     * The state of a task.
     *
     * @param task its name
     * @return an object with "taskId" and "status", as the server wrote it
     */
    public JsonValue get(String task) {
        return about(Protocol.Method.TASKS_GET, task, null);
    }

    /**
     * Waits for the result of a task, as the call that became the task would have done.
     *
     * @param task its name
     * @param options the options; null for none. {@code maxTotal} limits the whole wait
     * @return the result of the tool
     */
    public CallResult result(String task, CallOptions options) {
        return new CallResult(about(Protocol.Method.TASKS_RESULT, task, options));
    }

    /**
     * Asks the server to cancel a task.
     *
     * @param task its name
     * @return what the server answers
     */
    public JsonValue cancel(String task) {
        return about(Protocol.Method.TASKS_CANCEL, task, null);
    }
}
