package io.libmcp;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** The types of the JDK that are one text, number or truth value in JSON: the schema of each, and how it is read. */
final class Scalars {
    /** One of them; {@code read} gives null for what does not fit, or throws. */
    record Scalar(Map<String, Object> schema, Function<JsonValue, Object> read) {
    }

    private static final String NO_FORMAT = "";
    private static final Map<Class<?>, Scalar> KNOWN = new LinkedHashMap<>();

    static {
        add("boolean", JsonValue::asBoolean, boolean.class, Boolean.class);
        add("integer", JsonValue::asLong, long.class, Long.class);
        add("integer", value -> whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE, Long::intValue), int.class, Integer.class);
        add("integer", value -> whole(value, Short.MIN_VALUE, Short.MAX_VALUE, Long::shortValue), short.class, Short.class);
        add("integer", value -> whole(value, Byte.MIN_VALUE, Byte.MAX_VALUE, Long::byteValue), byte.class, Byte.class);
        add("integer", value -> value instanceof JsonValue.JsonNumber number ? whole(number) : null, BigInteger.class);
        add("number", JsonValue::asDouble, double.class, Double.class);
        add("number", value -> value.asDouble() instanceof Double number ? (Object) number.floatValue() : null, float.class, Float.class);
        add("number", value -> value instanceof JsonValue.JsonNumber number ? new BigDecimal(number.digits()) : null, BigDecimal.class, Number.class);
        add("string", JsonValue::asText, String.class, CharSequence.class);
        Function<JsonValue, Object> letter = value -> value.asText() instanceof String text && text.length() == 1 ? (Object) text.charAt(0) : null;
        add(Map.of("type", "string", "minLength", 1, "maxLength", 1), letter, char.class, Character.class);
        text(byte[].class, Map.of("type", "string", "contentEncoding", "base64"), Base64.getDecoder()::decode);
        text(UUID.class, "uuid", UUID::fromString);
        text(URI.class, "uri-reference", URI::create);
        text(Path.class, NO_FORMAT, Path::of);
        text(Instant.class, "date-time", text -> OffsetDateTime.parse(text).toInstant());
        text(OffsetDateTime.class, "date-time", OffsetDateTime::parse);
        // The zone in brackets that Java writes is more than the format has.
        text(ZonedDateTime.class, NO_FORMAT, ZonedDateTime::parse);
        text(LocalDateTime.class, NO_FORMAT, LocalDateTime::parse);
        text(LocalDate.class, "date", LocalDate::parse);
        text(OffsetTime.class, "time", OffsetTime::parse);
        text(LocalTime.class, NO_FORMAT, LocalTime::parse);
        // The format "duration" has neither signs nor fractions, which these have.
        text(Duration.class, NO_FORMAT, Duration::parse);
        text(Period.class, NO_FORMAT, Period::parse);
        text(YearMonth.class, NO_FORMAT, YearMonth::parse);
        text(Year.class, NO_FORMAT, Year::parse);
        text(ZoneId.class, NO_FORMAT, ZoneId::of);
    }

    private Scalars() {
    }

    /** The scalar of a type; null for other types. */
    static Scalar of(Class<?> type) {
        return KNOWN.get(type);
    }

    /** A value of a type that is written as its own text; null for a value of another type. */
    static JsonValue write(Object value) {
        return switch (value) {
            case byte[] bytes -> new JsonValue.JsonString(Base64.getEncoder().encodeToString(bytes));
            // A path is an Iterable of paths, too.
            case Path path -> new JsonValue.JsonString(path.toString());
            // As texts of their own, they leave out seconds that are zero, which the formats need.
            case OffsetDateTime time -> new JsonValue.JsonString(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time));
            case OffsetTime time -> new JsonValue.JsonString(DateTimeFormatter.ISO_OFFSET_TIME.format(time));
            case ZoneId zone -> new JsonValue.JsonString(zone.getId());
            default -> KNOWN.containsKey(value.getClass()) ? new JsonValue.JsonString(value.toString()) : null;
        };
    }

    private static void add(String type, Function<JsonValue, Object> read, Class<?>... classes) {
        add(Map.of("type", type), read, classes);
    }

    private static void add(Map<String, Object> schema, Function<JsonValue, Object> read, Class<?>... classes) {
        for (Class<?> one : classes) {
            KNOWN.put(one, new Scalar(schema, read));
        }
    }

    private static void text(Class<?> type, String format, Function<String, Object> parse) {
        text(type, format.equals(NO_FORMAT) ? Map.of("type", "string") : Map.of("type", "string", "format", format), parse);
    }

    private static void text(Class<?> type, Map<String, Object> schema, Function<String, Object> parse) {
        add(schema, value -> value.asText() instanceof String text ? parse.apply(text) : null, type);
    }

    private static Object whole(JsonValue value, long least, long most, Function<Long, Object> narrow) {
        Long number = value.asLong();
        return number != null && number >= least && number <= most ? narrow.apply(number) : null;
    }

    /** So many digits may an exponent add: 1e999999999 must not take the memory of a billion. */
    private static final int LONGEST = 1000;

    private static Object whole(JsonValue.JsonNumber number) {
        BigDecimal value = new BigDecimal(number.digits());
        return Math.abs((long) value.scale()) > LONGEST || value.stripTrailingZeros().scale() > 0 ? null : value.toBigIntegerExact();
    }
}
