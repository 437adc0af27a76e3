/*
 * debugged: the same for the types of mcp.hpp.
 */
#include <mcp.hpp>

static void look(const mcp::value &value) { (void)value; }

int main() {
    const auto document = mcp::document::parse("{\"tags\": [1, 2.50, null]}");
    if (!document) return 1;
    const mcp::document &parsed = *document;
    const mcp::document empty;
    const mcp::value tags = parsed.value().get("tags");
    const mcp_value_t second = tags.at(1).native();
    look(tags);
    return second.owner == 0 || empty ? 1 : 0;
}
