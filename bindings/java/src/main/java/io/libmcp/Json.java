package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON. The library decides what is JSON; what it has accepted is read here, which needs one call of it for a whole text. */
final class Json {
    private Json() {
    }

    static JsonValue parse(String json) {
        Library.need();
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = Library.bytes(arena, bytes);
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("json", Abi.mcp_document_new(text, bytes.length, out, error), error);
            Abi.mcp_document_free(out.get(ValueLayout.ADDRESS, 0));
        }
        return new Reader(json).value();
    }

    /** The JSON of a message. */
    static JsonValue of(MemorySegment message) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment text = Abi.mcp_message_json(message, length);
            return text.address() == 0 ? JsonValue.ABSENT : new Reader(Library.text(text, length.get(ValueLayout.JAVA_LONG, 0))).value();
        }
    }

    /** Members that only this file can have kept: an object does not copy them. */
    static final class Kept extends LinkedHashMap<String, JsonValue> {
        private static final long serialVersionUID = 1;
    }

    /** Reads a text that the library has accepted: its nesting is bounded, and nothing is checked again. */
    private static final class Reader {
        private static final char LOST = '\uFFFD';

        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        JsonValue value() {
            return switch (next()) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> new JsonValue.JsonString(string());
                case 't' -> word("true", new JsonValue.JsonBoolean(true));
                case 'f' -> word("false", new JsonValue.JsonBoolean(false));
                case 'n' -> word("null", JsonValue.NULL);
                default -> number();
            };
        }

        /** The next character that is not white space, where this then stands. */
        private char next() {
            char letter = text.charAt(at);
            while (letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t') {
                letter = text.charAt(++at);
            }
            return letter;
        }

        /** Whether an array or object goes on, past the comma or the end. */
        private boolean goesOn(char end) {
            char letter = next();
            if (letter == end || letter == ',') {
                at++;
            }
            return letter != end;
        }

        private JsonValue object() {
            Kept members = new Kept();
            at++;
            while (goesOn('}')) {
                next();
                String name = string();
                next();
                at++;
                members.put(name, value());
            }
            return new JsonValue.JsonObject(members);
        }

        private JsonValue array() {
            List<JsonValue> elements = new ArrayList<>();
            at++;
            while (goesOn(']')) {
                elements.add(value());
            }
            return new JsonValue.JsonArray(elements);
        }

        private JsonValue word(String word, JsonValue value) {
            at += word.length();
            return value;
        }

        private JsonValue number() {
            int start = at;
            while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return new JsonValue.JsonNumber(text.substring(start, at));
        }

        /** A string, from its first quotation mark to behind its last one. */
        private String string() {
            int start = ++at;
            while (true) {
                char letter = text.charAt(at);
                if (letter == '"') {
                    return text.substring(start, at++);
                }
                if (letter == '\\') {
                    return escaped(new StringBuilder().append(text, start, at));
                }
                at++;
            }
        }

        /** The rest of a string with escapes. As in the library, half of a surrogate pair becomes U+FFFD. */
        private String escaped(StringBuilder out) {
            while (true) {
                char letter = text.charAt(at++);
                if (letter == '"') {
                    return out.toString();
                }
                if (letter != '\\') {
                    out.append(letter);
                    continue;
                }
                char kind = text.charAt(at++);
                switch (kind) {
                    case 'b' -> out.append('\b');
                    case 'f' -> out.append('\f');
                    case 'n' -> out.append('\n');
                    case 'r' -> out.append('\r');
                    case 't' -> out.append('\t');
                    case 'u' -> {
                        char unit = unit();
                        if (Character.isHighSurrogate(unit) && text.startsWith("\\u", at) && Character.isLowSurrogate(unitAt(at + 2))) {
                            at += 2;
                            out.append(unit).append(unit());
                        } else {
                            out.append(Character.isSurrogate(unit) ? LOST : unit);
                        }
                    }
                    default -> out.append(kind);
                }
            }
        }

        private char unit() {
            at += 4;
            return unitAt(at - 4);
        }

        private char unitAt(int start) {
            return (char) Integer.parseInt(text, start, start + 4, 16);
        }
    }

    static JsonValue of(Object value) {
        return switch (value) {
            case null -> JsonValue.NULL;
            case JsonValue json -> json;
            case Members<?> members -> members.json();
            case CallResult result -> result.json();
            case CharSequence text -> new JsonValue.JsonString(text.toString());
            case Character letter -> new JsonValue.JsonString(letter.toString());
            case Boolean flag -> new JsonValue.JsonBoolean(flag);
            case Double number -> fraction(number);
            case Float number -> fraction(number);
            case BigDecimal number -> new JsonValue.JsonNumber(number.toString());
            case BigInteger number -> new JsonValue.JsonNumber(number.toString());
            case Number number -> new JsonValue.JsonNumber(Long.toString(number.longValue()));
            case Enum<?> one -> new JsonValue.JsonString(Jackson.name(one));
            case java.util.Optional<?> maybe -> maybe.isPresent() ? of(maybe.get()) : JsonValue.ABSENT;
            case Map<?, ?> map -> {
                Kept members = new Kept();
                map.forEach((name, member) -> {
                    JsonValue json = of(member);
                    if (!json.isAbsent()) {
                        members.put(String.valueOf(name), json);
                    }
                });
                yield new JsonValue.JsonObject(members);
            }
            case java.nio.file.Path path -> Scalars.write(path);
            case Iterable<?> list -> {
                List<JsonValue> elements = new ArrayList<>();
                list.forEach(element -> elements.add(of(element)));
                yield new JsonValue.JsonArray(elements);
            }
            case Object[] array -> of(java.util.Arrays.asList(array));
            default -> ofOther(value);
        };
    }

    /** Arrays of primitive types, types of the JDK that are written as a text, records and beans. */
    private static JsonValue ofOther(Object value) {
        JsonValue scalar = Scalars.write(value);
        if (scalar != null) {
            return scalar;
        }
        if (value.getClass().isArray()) {
            List<JsonValue> elements = new ArrayList<>();
            for (int i = 0; i < java.lang.reflect.Array.getLength(value); i++) {
                elements.add(of(java.lang.reflect.Array.get(value, i)));
            }
            return new JsonValue.JsonArray(elements);
        }
        JsonValue object = Records.encode(value);
        if (object == null) {
            throw new IllegalArgumentException("a " + value.getClass().getName()
                    + " does not become JSON: give a text, a number, a date, a map, a list, an array, a record, a bean or a JsonValue");
        }
        return object;
    }

    private static JsonValue fraction(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new IllegalArgumentException(number + " does not become JSON, which has no such number");
        }
        return new JsonValue.JsonNumber(Double.toString(number));
    }

    static String write(JsonValue value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, JsonValue value) {
        switch (value) {
            case JsonValue.JsonObject object -> {
                out.append('{');
                String separator = "";
                for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                    quote(out.append(separator), member.getKey());
                    write(out.append(':'), member.getValue());
                    separator = ",";
                }
                out.append('}');
            }
            case JsonValue.JsonArray array -> {
                out.append('[');
                String separator = "";
                for (JsonValue element : array.elements()) {
                    write(out.append(separator), element);
                    separator = ",";
                }
                out.append(']');
            }
            case JsonValue.JsonString string -> quote(out, string.text());
            case JsonValue.JsonAbsent absent -> out.append("null");
            default -> out.append(value);
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            String escape = escape(text, i);
            if (escape != null) {
                out.append(text, start, i).append(escape);
                start = i + 1;
            }
        }
        out.append(text, start, text.length()).append('"');
    }

    /** How a character is written that cannot stand for itself; null for others. */
    private static String escape(String text, int at) {
        char letter = text.charAt(at);
        return switch (letter) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            // Half of a surrogate pair has no UTF-8.
            default -> letter < 0x20 || (Character.isSurrogate(letter) && !isPaired(text, at)) ? String.format("\\u%04x", (int) letter) : null;
        };
    }

    private static boolean isPaired(String text, int at) {
        char letter = text.charAt(at);
        return Character.isHighSurrogate(letter)
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
}
