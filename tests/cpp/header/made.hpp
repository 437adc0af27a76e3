// What made.cpp makes and used.cpp uses. Each is compiled for every standard and by every compiler, and every pair makes one
// program: what crosses must be the same type in all of them.
#include <mcp.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

mcp::result<std::string> make_text(bool good);
mcp::result<void> make_nothing(bool good);
mcp::result<mcp::client> make_client(const mcp::options &wrong);
mcp::result<std::optional<mcp::message>> poll_once(mcp::queue &queue);
mcp::object make_object();
std::unique_ptr<mcp::dispatcher> make_dispatcher();
// Adds a tool whose handler is of the other file, and calls it.
mcp::result<mcp::message> call_tool(mcp::server::handler run);
