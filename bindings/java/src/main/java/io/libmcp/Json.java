package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON. The library reads: its values are walked once and become objects. */
final class Json {
    private Json() {
    }

    static JsonValue parse(String json) {
        Library.need();
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(Math.max(bytes.length, 1));
            MemorySegment.copy(bytes, 0, text, ValueLayout.JAVA_BYTE, 0, bytes.length);
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("json", Abi.mcp_document_new(text, bytes.length, out, error), error);
            MemorySegment document = out.get(ValueLayout.ADDRESS, 0);
            try {
                return new Walk(arena).read(Abi.mcp_document_value(arena, document));
            } finally {
                Abi.mcp_document_free(document);
            }
        }
    }

    /** The JSON of a message. */
    static JsonValue of(MemorySegment message) {
        try (Arena arena = Arena.ofConfined()) {
            return new Walk(arena).read(Abi.mcp_message_value(arena, message));
        }
    }

    /** Walks over a value of the library. Its memory is that of the nesting, not that of the number of values. */
    private static final class Walk {
        private final Arena arena;
        private final MemorySegment length;
        private final List<Level> levels = new ArrayList<>();
        private int depth;

        Walk(Arena arena) {
            this.arena = arena;
            this.length = arena.allocate(ValueLayout.JAVA_LONG);
        }

        /** Room for a value, its name and the value after it. */
        private static final class Level {
            final MemorySegment[] values;
            final MemorySegment name;

            Level(Arena arena) {
                values = new MemorySegment[] {arena.allocate(Abi.VALUE), arena.allocate(Abi.VALUE)};
                name = arena.allocate(Abi.VALUE);
            }
        }

        JsonValue read(MemorySegment value) {
            return switch (Abi.mcp_value_type(value)) {
                case Abi.JSON_NULL -> JsonValue.NULL;
                case Abi.JSON_BOOLEAN -> new JsonValue.JsonBoolean("true".equals(text(Abi.mcp_value_json(value, length))));
                case Abi.JSON_NUMBER -> new JsonValue.JsonNumber(text(Abi.mcp_value_json(value, length)));
                case Abi.JSON_STRING -> new JsonValue.JsonString(text(Abi.mcp_value_view(value, length)));
                case Abi.JSON_ARRAY -> {
                    List<JsonValue> elements = new ArrayList<>();
                    each(value, (name, element) -> elements.add(element));
                    yield new JsonValue.JsonArray(elements);
                }
                case Abi.JSON_OBJECT -> {
                    Map<String, JsonValue> members = new LinkedHashMap<>();
                    each(value, (name, member) -> members.put(text(Abi.mcp_value_view(name, length)), member));
                    yield new JsonValue.JsonObject(members);
                }
                default -> JsonValue.ABSENT;
            };
        }

        private interface Taker {
            void take(MemorySegment name, JsonValue value);
        }

        private void each(MemorySegment value, Taker taker) {
            if (depth == levels.size()) {
                levels.add(new Level(arena));
            }
            Level level = levels.get(depth++);
            int turn = 0;
            MemorySegment at = Abi.mcp_value_first(room(level.values[turn]), value);
            while (Abi.mcp_value_type(at) != Abi.JSON_ABSENT) {
                JsonValue read = read(at);
                taker.take(Abi.mcp_value_key(room(level.name), at), read);
                turn = 1 - turn;
                at = Abi.mcp_value_next(room(level.values[turn]), at);
            }
            depth--;
        }

        private static SegmentAllocator room(MemorySegment segment) {
            return SegmentAllocator.prefixAllocator(segment);
        }

        private String text(MemorySegment start) {
            return Library.text(start, length.get(ValueLayout.JAVA_LONG, 0));
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
                Map<String, JsonValue> members = new LinkedHashMap<>();
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
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            switch (letter) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    // Half of a surrogate pair has no UTF-8.
                    if (letter < 0x20 || (Character.isSurrogate(letter) && !isPaired(text, i))) {
                        out.append(String.format("\\u%04x", (int) letter));
                    } else {
                        out.append(letter);
                    }
                }
            }
        }
        out.append('"');
    }

    private static boolean isPaired(String text, int at) {
        char letter = text.charAt(at);
        return Character.isHighSurrogate(letter)
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
}
