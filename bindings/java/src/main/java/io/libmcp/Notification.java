package io.libmcp;

/**
 * A notification of the server.
 *
 * @param method such as "notifications/message"
 * @param topic what it is about, to switch on
 * @param params its parameters
 */
public record Notification(String method, Topic topic, JsonValue params) {
}
