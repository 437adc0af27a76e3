package io.libmcp;

import static io.libmcp.Tests.check;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.fails;

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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

final class JsonTest {
    enum Size {
        SMALL, LARGE
    }

    record Inner(List<Integer> numbers, Map<String, Double> weights) {
    }

    record Tree(List<Tree> branches) {
    }

    record Outer(@Description("the name") String name, Optional<Size> size, Inner inner, boolean isNew, JsonValue any) {
    }

    static void testTextsAreReadAndWritten() {
        String text = "{\"a\":[1,2.50,-3e400,true,false,null,\"x\\\"\\\\\\n\\u0001é😀\"],\"b\":{},\"c\":[]}";
        JsonValue value = JsonValue.parse(text);
        equal(value.toString(), text);
        equal(value.get("a").at(0).asLong(), 1L);
        equal(value.get("a").at(1).asDouble(), 2.5);
        equal(value.get("a").at(1).asLong(), null);
        equal(value.get("a").at(6).asText(), "x\"\\\n\u0001é😀");
        check(value.get("a").at(7).isAbsent() && value.get("x").get("y").at(-1).isAbsent(), "absent");
        equal(JsonValue.parse(" 12e0 ").asLong(), 12L);
        equal(JsonValue.parse("123456789012345678901234567890").toString(), "123456789012345678901234567890");
        // JSON allows half of a pair, and UTF-8 has none.
        equal(JsonValue.of("\ud800").toString(), "\"\\ud800\"");
        McpException wrong = fails(Status.INVALID_ARGUMENT, () -> JsonValue.parse("{\"a\":}"));
        equal(wrong.details().get("offset").asLong(), 5L);
        fails(Status.INVALID_ARGUMENT, () -> JsonValue.parse(""));
    }

    static void testTextsOfEachFormAreRead() {
        Map<String, String> forms = Map.ofEntries(
                Map.entry(" \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } } ", "{\"a\":[1,2],\"b\":{}}"),
                Map.entry("[\t]", "[]"), Map.entry("[ [ ] ,[1 ]]", "[[],[1]]"), Map.entry("-0.5E+3", "-0.5E+3"),
                Map.entry("{\"a\":1,\"a\":2}", "{\"a\":2}"), Map.entry("\"\"", "\"\""), Map.entry("{\"\":\"\"}", "{\"\":\"\"}"),
                Map.entry("\"\\b\\f\\n\\r\\t\\/\\\\\\\"\"", "\"\\u0008\\u000c\\n\\r\\t/\\\\\\\"\""),
                Map.entry("{\"\\u0061\":\"\\u00e9\\ud83d\\uDE00\"}", "{\"a\":\"é😀\"}"),
                // Half of a pair becomes U+FFFD, as the library has it.
                Map.entry("\"\\ud83dx\"", "\"\uFFFDx\""), Map.entry("\"\\ude00\\ud83d\"", "\"\uFFFD\uFFFD\""),
                Map.entry("\"\\ud83d\\u0041\"", "\"\uFFFDA\""), Map.entry("\"\\ud83d\\ud83d\\ude00\"", "\"\uFFFD😀\""));
        forms.forEach((text, written) -> equal(JsonValue.parse(text).toString(), written));
    }

    static void testDeepTextsAreRead() {
        String text = "[".repeat(900) + "]".repeat(900);
        equal(JsonValue.parse(text).toString(), text);
        fails(Status.INVALID_ARGUMENT, () -> JsonValue.parse("[".repeat(1001) + "]".repeat(1001)));
    }

    static void testValuesOfJavaBecomeJson() {
        equal(JsonValue.of(Map.of("a", new Object[] {1, "b", 'c', 2.5, Size.LARGE, Optional.of(1)})).toString(),
                "{\"a\":[1,\"b\",\"c\",2.5,\"LARGE\",1]}");
        for (Object odd : List.of(Double.NaN, new Object(), Float.POSITIVE_INFINITY)) {
            try {
                JsonValue.of(odd);
            } catch (IllegalArgumentException expected) {
                continue;
            }
            throw new AssertionError(odd + " became JSON");
        }
    }

    static void testRecordsComeAndGo() {
        Outer outer = new Outer("x", Optional.of(Size.SMALL), new Inner(List.of(1, 2), Map.of("a", 0.5)), true, JsonValue.of(List.of(1)));
        JsonValue json = JsonValue.of(outer);
        equal(json.toString(), "{\"name\":\"x\",\"size\":\"SMALL\",\"inner\":{\"numbers\":[1,2],\"weights\":{\"a\":0.5}},\"isNew\":true,\"any\":[1]}");
        equal(json.as(Outer.class), outer);
        equal(JsonValue.parse("{\"name\":\"x\",\"inner\":{\"numbers\":[],\"weights\":{}},\"isNew\":false,\"any\":null}").as(Outer.class).size(), Optional.empty());
        JsonValue schema = Records.schema(Outer.class);
        equal(schema.get("required").toString(), "[\"name\",\"inner\",\"isNew\",\"any\"]");
        equal(schema.get("properties").get("name").get("description").asText(), "the name");
        equal(schema.get("properties").get("size").get("enum").toString(), "[\"SMALL\",\"LARGE\"]");
        equal(schema.get("properties").get("inner").get("properties").get("numbers").toString(), "{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}");
        try {
            Records.schema(Tree.class);
            throw new AssertionError("a schema without end");
        } catch (IllegalArgumentException expected) {
            contains(expected.getMessage(), "contains itself");
        }
        try {
            JsonValue.parse("{\"numbers\":[1,2.5],\"weights\":{}}").as(Inner.class);
        } catch (IllegalArgumentException expected) {
            contains(expected.getMessage(), "$.numbers[1]: 2.5 does not fit the type java.lang.Integer");
            return;
        }
        throw new AssertionError("2.5 became an int");
    }

    record Scalar(Instant at, LocalDate day, LocalDateTime local, LocalTime time, Duration length, UUID id, URI link, Path file, byte[] bytes,
            int[] numbers, String[] words, Set<Size> sizes, Collection<? extends Number> any, BigInteger big, short small, char letter, Object open,
            List<LocalDate>[] lists, Map<String, UUID> ids) {
    }

    static void testTypesOfTheJdkComeAndGo() {
        String text = "{\"at\":\"2026-01-02T03:04:05Z\",\"day\":\"2026-01-02\",\"local\":\"2026-01-02T03:04:05\",\"time\":\"03:04\",\"length\":\"PT1.5S\","
                + "\"id\":\"00000000-0000-0000-0000-000000000001\",\"link\":\"https://a.example/b\",\"file\":\"/a/b\",\"bytes\":\"aGk=\",\"numbers\":[1,2],"
                + "\"words\":[\"a\"],\"sizes\":[\"SMALL\"],\"any\":[1.5],\"big\":123456789012345678901234567890,\"small\":-7,\"letter\":\"x\","
                + "\"open\":{\"a\":[1,2.5,true,\"b\"]},\"lists\":[[\"2026-01-02\"]],\"ids\":{\"a\":\"00000000-0000-0000-0000-000000000002\"}}";
        Scalar read = JsonValue.parse(text).as(Scalar.class);
        equal(read.at(), Instant.parse("2026-01-02T03:04:05Z"));
        equal(read.open(), Map.of("a", List.of(1L, 2.5, true, "b")));
        equal(JsonValue.of(read).toString(), text);
        JsonValue schema = Records.schema(Scalar.class).get("properties");
        equal(schema.get("at").get("type").asText() + " " + schema.get("at").get("format").asText(), "string date-time");
        equal(schema.get("bytes").get("contentEncoding").asText(), "base64");
        equal(schema.get("numbers").toString(), "{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}");
        check(schema.get("sizes").get("uniqueItems").asBoolean() && schema.get("open").members().isEmpty(), schema);
        equal(JsonValue.parse("\"2026-01-02T05:04:05+02:00\"").as(Instant.class), Instant.parse("2026-01-02T03:04:05Z"));
        check(schema.get("length").get("format").isAbsent(), schema.get("length"));
        // The formats "date-time" and "time" have seconds.
        equal(JsonValue.of(OffsetDateTime.parse("2026-01-02T03:04Z")).asText(), "2026-01-02T03:04:00Z");
        equal(JsonValue.of(OffsetTime.parse("03:04+02:00")).asText(), "03:04:00+02:00");
        for (Map.Entry<Class<?>, String> wrong : List.<Map.Entry<Class<?>, String>>of(Map.entry(LocalDate.class, "\"tomorrow\""),
                Map.entry(UUID.class, "\"x\""), Map.entry(byte[].class, "\"?\""), Map.entry(short.class, "40000"), Map.entry(Instant.class, "5"),
                Map.entry(BigInteger.class, "1e999999999"), Map.entry(BigInteger.class, "1.5"), Map.entry(char.class, "\"ab\""), Map.entry(int[].class, "[1.5]"))) {
            try {
                JsonValue.parse(wrong.getValue()).as(wrong.getKey());
            } catch (IllegalArgumentException expected) {
                contains(expected.getMessage(), "does not fit the type ");
                continue;
            }
            throw new AssertionError(wrong.getValue() + " became a " + wrong.getKey());
        }
    }

    static class Parent {
        private String name = "none";

        public String getName() {
            return name;
        }

        public void setName(String name) {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("there is no name");
            }
            this.name = name;
        }
    }

    static final class Bean extends Parent {
        @Description("how many")
        private int count = 3;
        public LocalDate day;
        private boolean ready;
        private String hidden = "secret";
        static String shared = "shared";
        private transient int cached = 1;

        public int getCount() {
            return count;
        }

        public boolean isReady() {
            return ready;
        }

        public void setReady(boolean ready) {
            this.ready = ready;
        }
    }

    /** What has a parent of the JDK with properties, whose fields are closed. */
    static final class Problem extends Exception {
        private static final long serialVersionUID = 1;
        private final int code = 7;

        public int getCode() {
            return code;
        }
    }

    static void testBeansComeAndGo() {
        equal(JsonValue.of(new Problem()).toString(), "{\"code\":7}");
        Bean bean = JsonValue.parse("{\"name\":\"x\",\"ready\":true,\"hidden\":\"y\",\"day\":null,\"count\":5}").as(Bean.class);
        equal(JsonValue.of(bean).toString(), "{\"name\":\"x\",\"count\":5,\"ready\":true}");
        equal(bean.hidden, "secret");
        equal(JsonValue.of(JsonValue.parse("{}").as(Bean.class)).toString(), "{\"name\":\"none\",\"count\":3,\"ready\":false}");
        JsonValue schema = Records.schema(Bean.class);
        equal(schema.get("properties").members().keySet().toString(), "[name, count, day, ready]");
        equal(schema.get("properties").get("count").get("description").asText(), "how many");
        check(schema.get("required").isAbsent(), schema);
        for (Map.Entry<String, String> wrong : Map.of("{\"name\":\"\"}", "$.name: there is no name", "{\"count\":\"x\"}", "$.count: \"x\" does not fit").entrySet()) {
            try {
                JsonValue.parse(wrong.getKey()).as(Bean.class);
            } catch (IllegalArgumentException expected) {
                contains(expected.getMessage(), wrong.getValue());
                continue;
            }
            throw new AssertionError(wrong.getKey());
        }
    }

    static void testSettingsAndTypesAreObjects() {
        Settings.ClientConfig config = new Settings.ClientConfig().command("x").args("a", "b")
                .timeouts(new Settings.Timeouts().call(Duration.ofMillis(1500)).close(Duration.ofNanos(1)));
        equal(config.toString(), "{\"command\":\"x\",\"args\":[\"a\",\"b\"],\"timeouts\":{\"call_ms\":1500,\"close_ms\":1}}");
        equal(config.timeouts().call(), Duration.ofMillis(1500));
        equal(new Settings.CallOptions().timeout(java.time.temporal.ChronoUnit.FOREVER.getDuration()).toString(), "{\"timeout_ms\":31536000000}");
        equal(config.args(), List.of("a", "b"));
        equal(config.url(), null);
        check(config.equals(new Settings.ClientConfig(JsonValue.parse(config.toString()))), "equal");
        JsonValue content = JsonValue.parse("[{\"type\":\"text\",\"text\":\"hi\",\"later\":1},{\"type\":\"hologram\",\"x\":2}]");
        List<Protocol.ContentBlock> blocks = new Protocol.CallToolResult().set("content", content).content();
        String said = switch (blocks.get(0)) {
            case Protocol.TextContent text -> text.text() + text.get("later");
            default -> "";
        };
        equal(said, "hi1");
        check(blocks.get(1) instanceof Protocol.Unknown unknown && unknown.get("x").asLong() == 2, blocks);
        equal(new Protocol.TextContent().text("a").toString(), "{\"type\":\"text\",\"text\":\"a\"}");
    }
}
