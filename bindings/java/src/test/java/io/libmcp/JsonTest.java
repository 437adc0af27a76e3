package io.libmcp;

import static io.libmcp.Tests.check;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.fails;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    static void testSettingsAndTypesAreObjects() {
        Settings.ClientConfig config = new Settings.ClientConfig().command("x").args("a", "b")
                .timeouts(new Settings.Timeouts().call(Duration.ofMillis(1500)).close(Duration.ofNanos(1)));
        equal(config.toString(), "{\"command\":\"x\",\"args\":[\"a\",\"b\"],\"timeouts\":{\"call_ms\":1500,\"close_ms\":1}}");
        equal(config.timeouts().call(), Duration.ofMillis(1500));
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
