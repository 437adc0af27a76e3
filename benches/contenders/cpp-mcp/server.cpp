/* A server with cpp-mcp over the standard streams, as its README has it, whose calls the floor makes. Only errors are logged: three
 * lines a call are the default. */
#include <mcp_server.h>

static mcp::json echo(const mcp::json &arguments, const std::string & /* session */)
{
    return mcp::json::array({{{"type", "text"}, {"text", arguments.at("text")}}});
}

int main()
{
    mcp::set_log_level(mcp::log_level::error);
    mcp::server server{mcp::server::configuration()};
    server.set_server_info("mcp-bench", "1.0.0");
    server.set_capabilities({{"tools", mcp::json::object()}});
    server.register_tool(
        mcp::tool_builder("echo").with_description("Says it again").with_string_param("text", "What to say").build(), echo);
    server.start_stdio();
    return 0;
}
