#include "server.hpp"

#include <string>

mcp::server make_server() {
    auto server = mcp::server::make(R"({"name": "{{name}}", "version": "0.1.0", "workers": 1})").value();
    server
        .add_tool(R"({"name": "greet", "description": "Greets a person by name", "inputSchema": {"type": "object",
                  "properties": {"name": {"type": "string", "description": "Who is greeted"}},
                  "required": ["name"], "additionalProperties": false}})",
              [](mcp::request request) {
                  // The library has checked the arguments against the schema.
                  const auto name = request.message().value().get("arguments").get("name").as_string().value_or("");
                  (void)request.respond_text("Hello, " + std::string(name) + "!");
              })
        .value();
    server
        .add_text(R"({"name": "about", "description": "What this server is", "uri": "about://{{name}}",
                  "mimeType": "text/plain"})",
              "A server that greets.")
        .value();
    return server;
}
