// For tests over HTTP: the server that misbehaves by script (tests/servers/http), and a person with a browser. A program that
// includes this is run with the server's path as its third argument.
#ifndef MCP_TESTS_HTTP_HPP
#define MCP_TESTS_HTTP_HPP

#include "check.hpp"

#include <arpa/inet.h>
#include <csignal>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// A running server, which ends with this.
class Web {
  public:
    Web(const char *path, const char *behaviour) {
        const char *arguments[] = {path, "--life", "300", behaviour, nullptr};
        int ends[2];
        posix_spawn_file_actions_t actions;
        CHECK(pipe2(ends, O_CLOEXEC) == 0);
        CHECK(posix_spawn_file_actions_init(&actions) == 0);
        CHECK(posix_spawn_file_actions_adddup2(&actions, ends[1], 1) == 0);
        CHECK(posix_spawn(&pid_, path, &actions, nullptr, const_cast<char **>(arguments), environ) == 0);
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        std::FILE *lines = fdopen(ends[0], "r");
        CHECK(lines != nullptr && std::fscanf(lines, "%d", &port_) == 1);
        std::fclose(lines);
    }
    Web(const Web &) = delete;
    Web &operator=(const Web &) = delete;
    ~Web() {
        CHECK(kill(pid_, SIGKILL) == 0);
        CHECK(waitpid(pid_, nullptr, 0) == pid_);
    }

    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/mcp"; }

  private:
    pid_t pid_ = 0;
    int port_ = 0;
};

// Opens a page of this machine, http://127.0.0.1:PORT/…; gives all of the answer.
inline std::string page(const std::string &url) {
    const std::string origin = "http://127.0.0.1:";
    CHECK(url.rfind(origin, 0) == 0);
    const std::size_t slash = url.find('/', origin.size());
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(origin.size()))));
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(connect(descriptor, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0);
    const std::string request = "GET " + url.substr(slash) + " HTTP/1.1\r\nHost: " + url.substr(7, slash - 7) +
                                "\r\nConnection: close\r\n\r\n";
    CHECK(send(descriptor, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size()));
    // The head is all that is looked at; a server that keeps the connection is not waited for.
    std::string answer;
    char buffer[4096];
    for (ssize_t bytes; answer.find("\r\n\r\n") == std::string::npos && (bytes = recv(descriptor, buffer, sizeof buffer, 0)) > 0;) {
        answer.append(buffer, static_cast<std::size_t>(bytes));
    }
    ::close(descriptor);
    return answer;
}

// Where a page sends the browser.
inline std::string redirected(const std::string &url) {
    const std::string answer = page(url);
    const std::string mark = "\r\nLocation: ";
    const std::size_t at = answer.find(mark);
    if (at == std::string::npos) FAIL("nobody is sent anywhere: " + answer);
    return answer.substr(at + mark.size(), answer.find("\r\n", at + 1) - at - mark.size());
}

#endif
