package io.libmcp;

/**
 * One report of progress.
 *
 * @param progress how far it is; rises from report to report
 * @param total the value at the end; 0 if the server does not know
 * @param message text for a person; null if there is none
 */
public record Progress(double progress, double total, String message) {
    static Progress of(JsonValue value) {
        Double progress = value.get("progress").asDouble();
        Double total = value.get("total").asDouble();
        return new Progress(progress == null ? 0 : progress, total == null ? 0 : total, value.get("message").asText());
    }
}
