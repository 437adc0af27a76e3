// mcp::config_open gives one client for each enabled server of a file, and the error of one that is wrong; a file that is not there
// is an error of the call. mcp::server::skills publishes a folder, and says what is wrong with one.
#include <mcp.hpp>

#include "check.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

int main(int argc, char **argv) {
    CHECK(argc == 3);
    char path[] = "/tmp/mcp-test-XXXXXX";
    const int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    std::ofstream(path) << "{\"mcpServers\":{\"good\":{\"command\":\"" << argv[1] << "\"},\"bad\":{\"comand\":\"x\"},"
                        << "\"off\":{\"command\":\"x\",\"disabled\":true}}}";
    auto queue = mcp::queue::make().value();
    {
        auto all = mcp::config_open(path, queue, "{\"defaults\":{\"protocol\":\"legacy\"}}").value();
        CHECK(all.size() == 2 && all[0].name == "good" && all[1].name == "bad");
        CHECK(all[0].connection->connect().has_value());
        CHECK(!all[1].connection && all[1].connection.error().status() == mcp::status::invalid_argument);
        CHECK(all[1].connection.error().message().find("comand") != std::string::npos);
    }
    CHECK(std::remove(path) == 0);
    const auto absent = mcp::config_open(path, queue);
    CHECK(!absent && absent.error().message().find(path) != std::string::npos);
    auto server = mcp::server::make("{\"name\":\"x\"}").value();
    const auto skills = server.add_skills("/nowhere/at/all", "{\"uri_prefix\":\"skill://x\"}");
    CHECK(!skills && skills.error().status() == mcp::status::unavailable);
    return 0;
}
