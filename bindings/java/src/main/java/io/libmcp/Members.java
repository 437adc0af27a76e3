package io.libmcp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * An object of the protocol or of a configuration: its members, with methods for those that are known. Not for
 * several threads at once while it is changed.
 *
 * @param <T> the type itself
 */
public abstract class Members<T extends Members<T>> {
    private final Map<String, JsonValue> members;

    Members() {
        members = new LinkedHashMap<>();
    }

    Members(JsonValue value) {
        members = new LinkedHashMap<>(value.members());
    }

    /**
     * The object, with all its members.
     *
     * @return a copy
     */
    public final JsonValue json() {
        return new JsonValue.JsonObject(members);
    }

    /**
     * A member, also one that has no method.
     *
     * @param name its name
     * @return the value; {@link JsonValue#ABSENT} if it is missing
     */
    public final JsonValue get(String name) {
        return members.getOrDefault(name, JsonValue.ABSENT);
    }

    /**
     * Sets a member, also one that has no method.
     *
     * @param name its name
     * @param value anything that becomes JSON ({@link JsonValue#of}); {@link JsonValue#ABSENT} removes the member
     * @return this
     */
    @SuppressWarnings("unchecked")
    public final T set(String name, Object value) {
        JsonValue json = JsonValue.of(value);
        if (json.isAbsent()) {
            members.remove(name);
        } else {
            members.put(name, json);
        }
        return (T) this;
    }

    @Override
    public final boolean equals(Object other) {
        return other != null && other.getClass() == getClass() && ((Members<?>) other).members.equals(members);
    }

    @Override
    public final int hashCode() {
        return members.hashCode();
    }

    @Override
    public final String toString() {
        return json().toString();
    }

    final <V> V one(String name, Function<JsonValue, V> of) {
        JsonValue value = get(name);
        return value.isAbsent() || value instanceof JsonValue.JsonNull ? null : of.apply(value);
    }

    static <V> List<V> list(JsonValue value, Function<JsonValue, V> of) {
        List<V> all = new ArrayList<>();
        value.elements().forEach(element -> all.add(of.apply(element)));
        return all;
    }

    static <V> List<V> oneOrMany(JsonValue value, Function<JsonValue, V> of) {
        return value instanceof JsonValue.JsonArray || value.isAbsent() ? list(value, of) : List.of(of.apply(value));
    }

    static <V> Map<String, V> map(JsonValue value, Function<JsonValue, V> of) {
        Map<String, V> all = new LinkedHashMap<>();
        value.members().forEach((name, member) -> all.put(name, of.apply(member)));
        return all;
    }

    static Duration duration(JsonValue value, long milliseconds) {
        Long count = value.asLong();
        return count == null ? null : Duration.ofMillis(Math.multiplyExact(count, milliseconds));
    }

    /** What is longer is without a limit. */
    private static final Duration CENTURIES = Duration.ofDays(365 * 200);
    private static final long LONGEST_MS = Duration.ofDays(365).toMillis();

    /** A time as a whole number of a unit, rounded up, so that a short time does not become 0. */
    static Object count(Duration value, long milliseconds) {
        if (value == null) {
            return null;
        }
        long unit = Math.multiplyExact(milliseconds, 1_000_000L);
        if (value.compareTo(CENTURIES) > 0) {
            // As ChronoUnit.FOREVER: the longest that the library takes.
            return LONGEST_MS / milliseconds;
        }
        return Math.ceilDiv(value.toNanos(), unit);
    }

    static Map<String, Object> counts(Map<String, Duration> values, long milliseconds) {
        Map<String, Object> all = new LinkedHashMap<>();
        values.forEach((name, value) -> all.put(name, count(value, milliseconds)));
        return all;
    }
}
