package io.libmcp;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON value, immutable. {@code toString()} is its JSON text.
 *
 * <p>What is not there is a value too, {@link #ABSENT}, so that a chain such as {@code value.get("a").at(0).asText()}
 * needs one look at its end.
 */
public sealed interface JsonValue {
    /** What is not there: a member that an object lacks, an element behind the end of an array. */
    JsonValue ABSENT = new JsonAbsent();

    /** The value {@code null}. */
    JsonValue NULL = new JsonNull();

    /**
     * An object.
     *
     * @param members its members, in their order
     */
    record JsonObject(Map<String, JsonValue> members) implements JsonValue {
        /** Keeps a copy of the members. */
        public JsonObject {
            members = Collections.unmodifiableMap(members instanceof Json.Kept ? members : new LinkedHashMap<>(members));
        }

        @Override
        public String toString() {
            return Json.write(this);
        }
    }

    /**
     * An array.
     *
     * @param elements its elements
     */
    record JsonArray(List<JsonValue> elements) implements JsonValue {
        /** Keeps a copy of the elements. */
        public JsonArray {
            elements = List.copyOf(elements);
        }

        @Override
        public String toString() {
            return Json.write(this);
        }
    }

    /**
     * A string.
     *
     * @param text its text
     */
    record JsonString(String text) implements JsonValue {
        @Override
        public String toString() {
            return Json.write(this);
        }
    }

    /**
     * A number.
     *
     * @param digits the number as it is written, with all its digits
     */
    record JsonNumber(String digits) implements JsonValue {
        @Override
        public String toString() {
            return digits;
        }
    }

    /**
     * True or false.
     *
     * @param value which of them
     */
    record JsonBoolean(boolean value) implements JsonValue {
        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }

    /** The value {@code null}. */
    record JsonNull() implements JsonValue {
        @Override
        public String toString() {
            return "null";
        }
    }

    /** What is not there. */
    record JsonAbsent() implements JsonValue {
        @Override
        public String toString() {
            return "";
        }
    }

    /**
     * Makes a value of what Java has: null, texts, numbers, truth values, maps, lists, arrays, enums, records, beans, types of
     * {@link Protocol} and {@link Settings}, and other values. Dates and times of {@code java.time}, UUID, URI and paths become texts, a
     * {@code byte[]} Base64.
     *
     * @param value what becomes JSON
     * @return the value
     * @throws IllegalArgumentException for anything else, and for a number that JSON lacks
     */
    static JsonValue of(Object value) {
        return Json.of(value);
    }

    /**
     * Reads a text.
     *
     * @param json one JSON value
     * @return the value
     * @throws McpException if the text is not exactly one JSON value; its details have the offset
     */
    static JsonValue parse(String json) {
        return Json.parse(json);
    }

    /**
     * Says whether there is no value.
     *
     * @return true for {@link #ABSENT}
     */
    default boolean isAbsent() {
        return this instanceof JsonAbsent;
    }

    /**
     * A member of an object.
     *
     * @param name its name
     * @return the value; {@link #ABSENT} if it is missing
     */
    default JsonValue get(String name) {
        return members().getOrDefault(name, ABSENT);
    }

    /**
     * An element of an array.
     *
     * @param index from 0
     * @return the value; {@link #ABSENT} if it is missing
     */
    default JsonValue at(int index) {
        List<JsonValue> all = elements();
        return index >= 0 && index < all.size() ? all.get(index) : ABSENT;
    }

    /**
     * The members of an object.
     *
     * @return the members, in their order; none if this is no object
     */
    default Map<String, JsonValue> members() {
        return Map.of();
    }

    /**
     * The elements of an array.
     *
     * @return the elements; none if this is no array
     */
    default List<JsonValue> elements() {
        return List.of();
    }

    /**
     * The text of a string.
     *
     * @return the text; null if this is no string
     */
    default String asText() {
        return this instanceof JsonString string ? string.text() : null;
    }

    /**
     * The text of a string.
     *
     * @param otherwise what counts if this is no string
     * @return the text
     */
    default String asText(String otherwise) {
        return this instanceof JsonString string ? string.text() : otherwise;
    }

    /**
     * The number as an integer, however it is written.
     *
     * @return the number; null if this is no integer, or one that a long cannot hold
     */
    default Long asLong() {
        if (!(this instanceof JsonNumber number)) {
            return null;
        }
        try {
            return new BigDecimal(number.digits()).longValueExact();
        } catch (ArithmeticException tooLarge) {
            return null;
        }
    }

    /**
     * The number as the nearest double.
     *
     * @return the number; null if this is no number
     */
    default Double asDouble() {
        return this instanceof JsonNumber number ? Double.valueOf(number.digits()) : null;
    }

    /**
     * True or false.
     *
     * @return the value; null if this is neither
     */
    default Boolean asBoolean() {
        return this instanceof JsonBoolean bool ? bool.value() : null;
    }

    /**
     * Reads an object into a record, whose components get the members of the same name, or a bean, or a value into any type that a
     * component may have.
     *
     * @param <T> the type
     * @param type its class
     * @return the record
     * @throws IllegalArgumentException if the value does not fit
     */
    default <T> T as(Class<T> type) {
        @SuppressWarnings("unchecked") // A class of a primitive type casts nothing.
        T read = (T) Records.decode(this, type, "$");
        return read;
    }
}
