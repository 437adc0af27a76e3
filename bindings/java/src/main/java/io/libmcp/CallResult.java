package io.libmcp;

import java.util.List;
import java.util.StringJoiner;

/** The result of a tool. */
public final class CallResult {
    private final Protocol.CallToolResult result;

    CallResult(JsonValue result) {
        this.result = new Protocol.CallToolResult(result);
    }

    /**
     * The blocks of content, to switch on: {@code case Protocol.TextContent text -> text.text()}.
     *
     * @return the blocks
     */
    public List<Protocol.ContentBlock> content() {
        return result.content();
    }

    /**
     * The texts of all blocks, joined by line feeds.
     *
     * @return the text; empty if the result has no text
     */
    public String text() {
        StringJoiner texts = new StringJoiner("\n");
        for (JsonValue block : result.get("content").elements()) {
            if ("text".equals(block.get("type").asText())) {
                texts.add(block.get("text").asText(""));
            }
        }
        return texts.toString();
    }

    /**
     * The structured content, which was checked against the schema of the tool.
     *
     * @return the value; {@link JsonValue#ABSENT} if it is missing
     */
    public JsonValue structured() {
        return json().get("structuredContent");
    }

    /**
     * The structured content as a record.
     *
     * @param <T> the record
     * @param type its class
     * @return the record
     * @throws McpException if the tool failed; the message is the text of the tool
     * @throws IllegalArgumentException if the content does not fit
     */
    public <T> T structured(Class<T> type) {
        return orThrow().structured().as(type);
    }

    /**
     * Whether the tool failed. {@link #text} then says why.
     *
     * @return true or false
     */
    public boolean isError() {
        return Boolean.TRUE.equals(result.isError());
    }

    /**
     * Makes an exception of a tool that failed.
     *
     * @return this
     * @throws McpException if the tool failed; the message is the text of the tool
     */
    public CallResult orThrow() {
        if (isError()) {
            throw new McpException(Status.SERVER, Protocol.Method.TOOLS_CALL, "the tool failed: " + text());
        }
        return this;
    }

    /**
     * The whole result, as the server wrote it.
     *
     * @return an object
     */
    public JsonValue json() {
        return result.json();
    }

    @Override
    public String toString() {
        return result.toString();
    }
}
