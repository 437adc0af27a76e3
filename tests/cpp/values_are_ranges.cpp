// mcp::value, mcp::object and mcp::array: members and elements in range-for loops, optionals for scalars, mistakes as the
// one error at the end. Nothing here needs exceptions or run-time type information.
#include "check.hpp"

#include <mcp.hpp>

#include <limits>
#include <vector>

static const char text[] = R"( {"tools":[{"name":"one","limit":3.0},{"name":"t\u0077o","on":true},{"other":null}],)"
                           R"("half":1.5,"big":1e400} )";

static void values() {
    mcp::result<mcp::document> parsed = mcp::document::parse(text);
    CHECK(parsed.has_value());
    const mcp::value root = parsed->value();
    std::string names;
    for (const mcp::value tool : root.get("tools")) {
        names += tool.get("name").as_string().value_or("(none)");
        names += ',';
    }
    CHECK(names == "one,two,(none),");
    std::string members;
    for (const auto &[name, value] : root.members()) {
        members.append(name).append("=").append(std::to_string(static_cast<int>(value.type()))).append(",");
    }
    CHECK(members == "tools=5,half=3,big=3,");
    for (const auto &member : root.get("tools").members()) FAIL("an array has no member " + std::string(member.name));
    const mcp::value tools = root.get(std::string_view("toolsx", 5));
    CHECK(tools.size() == 3 && tools.type() == mcp::json_type::array && tools.key().is("tools"));
    CHECK(tools.at(0).get("limit").as_int64() == 3);
    CHECK(tools.at(1).get("on").as_bool() == true);
    CHECK(tools.at(1).get("name").is("two") && tools.at(1).get("name").c_str() == std::string("two"));
    CHECK(tools.at(2).get("other").is_null() && tools.at(2).get("other"));
    CHECK(root.get("half").as_double() == 1.5 && !root.get("half").as_int64());
    CHECK(!root.get("big").as_double() && root.get("big").json() == "1e400");
    CHECK(!tools.at(3).get("no").at(7) && tools.at(3).json().empty() && tools.at(9).c_str() == nullptr);
    CHECK(root.get("no").as_int64().value_or(7) == 7 && !root.get(std::string_view("a\0b", 3)));
    CHECK(!mcp::value() && mcp::value().begin() == mcp::value().end());

    mcp::value kept;
    {
        const mcp::result<mcp::document> gone = mcp::document::parse("[1]");
        kept = gone->value();
        CHECK(kept.size() == 1);
    }
    CHECK(!kept);
    const mcp::result<mcp::document> broken = mcp::document::parse("[1,");
    CHECK(!broken && broken.error().get("/details/offset") == "3");
    CHECK(!mcp::document::parse({}));
    const mcp::document none;
    CHECK(!none.value());
}

template <class Object> std::string written(Object &&object) {
    const auto json = std::forward<Object>(object).json();
    if (!json) FAIL(json.error().message());
    return std::string(*json);
}

static void builders() {
    const std::string name = "n\n";
    const char *const plain = "p";
    const mcp::result<mcp::document> parsed = mcp::document::parse("{\"x\": [1, 2]}");
    std::string json = written(mcp::object()
                                   .set("text", name)
                                   .set("plain", plain)
                                   .set("literal", "l")
                                   .set(std::string_view("n\0l", 3), std::string_view("a\0b", 3))
                                   .set("empty", std::string_view())
                                   .set("int", -1)
                                   .set("unsigned", std::numeric_limits<std::uint64_t>::max())
                                   .set("double", 2.5f)
                                   .set("yes", true)
                                   .set("null", nullptr)
                                   .set("value", parsed->value().get("x"))
                                   .set_json("raw", " [ ] ")
                                   .set("list", mcp::array().add(1).add("two").add(mcp::array()).add_json("{}"))
                                   .set("object", mcp::object().set("deep", mcp::object())));
    CHECK(json == R"({"text":"n\n","plain":"p","literal":"l","n\u0000l":"a\u0000b","empty":"","int":-1,)"
                  R"("unsigned":18446744073709551615,"double":2.5,"yes":true,"null":null,"value":[1, 2],"raw":[ ],)"
                  R"("list":[1,"two",[],{}],"object":{"deep":{}}})");

    // A chain that begins with a temporary gives a text that outlives it.
    const auto kept = mcp::object().set("path", "notes/of-the-day.txt").set("limit", 10).json();
    const auto list = mcp::array().add(1).add_json("{}").json();
    const auto one = mcp::builder().begin_object().key("a").begin_array().end().end().finish();
    const std::string filler(kept->size(), 'y');
    CHECK(filler.size() == kept->size() && *kept == R"({"path":"notes/of-the-day.txt","limit":10})" && *list == "[1,{}]" && *one == R"({"a":[]})");
    mcp::object held = mcp::object().set("a", 1);
    CHECK(written(held.set("b", 2)) == R"({"a":1,"b":2})");

    const mcp::object fixed = mcp::object().set("a", 1);
    CHECK(written(mcp::object().set("in", fixed).set("list", mcp::array().add(fixed))) == R"({"in":{"a":1},"list":[{"a":1}]})");

    mcp::object object;
    CHECK(written(object) == "{}" && written(object) == "{}");
    CHECK(!object.set("late", 1).json());
    const auto fails = [](mcp::object it, const char *why) {
        const mcp::result<std::string_view> ended = it.json();
        CHECK(!ended && ended.error().status() == mcp::status::invalid_argument);
        if (ended.error().message().find(why) == std::string::npos) FAIL(ended.error().message());
    };
    fails(mcp::object().set("a", std::numeric_limits<double>::quiet_NaN()), "mcp_builder_double(): JSON has no number");
    fails(mcp::object().set("a", static_cast<const char *>(nullptr)), "text is NULL");
    fails(mcp::object().set("a", mcp::value()), "does not exist");
    fails(mcp::object().set("a", mcp::array().add("\xff")).set("b", 1), "not UTF-8");
    fails(mcp::object().set_json("a", "[1,]"), "byte 3");

    mcp::builder builder;
    builder.begin_array().begin_object().key("a").add(1).key(std::string_view("b")).add("x").end();
    CHECK(!builder.take());
    builder.end();
    CHECK(*builder.take() == R"([{"a":1,"b":"x"}])");
    builder.add(1);
    CHECK(*builder.finish() == "1");
    mcp::builder other = std::move(builder);
    CHECK(*other.finish() == "1" && !builder.add(1).finish());
    other.reset();
    CHECK(!other.finish());
}

int main() {
    values();
    builders();
}
