// custom_transport SERVER: a client over a transport that the program brings.
//
// The transport is a socketpair: one end is the standard input and output of the server, which the program starts itself; at the
// other end a thread of the program cuts what comes into lines and delivers them. Whatever carries messages can take that place:
// a message bus, a tunnel, another part of the same program.
//
// None of the functions waits. send() writes what the socket takes now and leaves the rest to the thread; close() ends the socket,
// and the thread does the tidying up. The destructor, which comes last, waits for the threads.
#include <mcp.hpp>

#include <cerrno>
#include <condition_variable>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace {

// A descriptor, closed at its end.
class descriptor {
public:
    explicit descriptor(int number = -1) noexcept : number_(number) {}
    descriptor(const descriptor &) = delete;
    descriptor(descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
    descriptor &operator=(descriptor other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~descriptor() {
        if (number_ != -1) ::close(number_);
    }
    int get() const noexcept { return number_; }

private:
    int number_;
};

// One connection: a server process at the other end of a socket. The end of its input is the end of the server.
struct tube {
    tube() = default;
    tube(const tube &) = delete;
    tube &operator=(const tube &) = delete;
    ~tube() {
        socket = descriptor();
        if (server != -1) ::waitpid(server, nullptr, 0);
    }

    mcp::connection to{};
    descriptor socket{};
    descriptor wakes{}, woken{}; // a pipe that tells the thread to look
    pid_t server = -1;
    std::string out{}; // what the socket has not taken yet
};

// Writes what the socket takes. False when the other side is gone.
bool flush(tube &through) {
    while (!through.out.empty()) {
        const auto sent =
            ::send(through.socket.get(), through.out.data(), through.out.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0) return errno == EAGAIN || errno == EINTR;
        through.out.erase(0, static_cast<std::size_t>(sent));
    }
    return true;
}

// Reads what is there and delivers the complete lines. False when the other side is gone.
bool take(tube &from, std::string &in) {
    char buffer[65536];
    const auto got = ::recv(from.socket.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    in.append(buffer, static_cast<std::size_t>(got));
    std::size_t start = 0;
    for (std::size_t end; (end = in.find('\n', start)) != std::string::npos; start = end + 1) {
        // Fails only after the end, and for a message over limits.frame_bytes: then its call has ended as status::too_large.
        if (end > start) static_cast<void>(from.to.deliver(std::string_view(in).substr(start, end - start)));
    }
    in.erase(0, start);
    return got > 0;
}

class tunnel : public mcp::transport {
public:
    explicit tunnel(std::string server) : server_(std::move(server)) {}
    tunnel(const tunnel &) = delete;
    tunnel &operator=(const tunnel &) = delete;
    ~tunnel() override {
        std::unique_lock<std::mutex> held(lock_);
        changed_.wait(held, [this] { return tubes_ == 0; });
    }

    mcp::status open(mcp::connection to) override try {
        auto made = std::make_unique<tube>();
        int ends[2], pipe[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return mcp::status::transport;
        made->socket = descriptor(ends[0]);
        const descriptor other(ends[1]);
        if (::pipe2(pipe, O_CLOEXEC | O_NONBLOCK) != 0) return mcp::status::transport;
        made->woken = descriptor(pipe[0]);
        made->wakes = descriptor(pipe[1]);
        made->to = to;
        made->server = start(other.get());
        if (made->server == -1) return mcp::status::transport;
        // The lock lets the thread begin only when everything is in its place.
        const std::lock_guard<std::mutex> held(lock_);
        tube *const opened = made.get();
        std::thread([this, it = std::move(made)]() mutable { carry(std::move(it)); }).detach();
        open_ = opened;
        tubes_++;
        return mcp::status::ok;
    } catch (const std::system_error &) { // no thread left; the server sees the end of its input
        return mcp::status::transport;
    }

    mcp::status send(mcp::connection, std::string_view frame) override {
        const std::lock_guard<std::mutex> held(lock_);
        if (open_ == nullptr) return mcp::status::transport;
        open_->out.append(frame).push_back('\n');
        if (!flush(*open_)) return mcp::status::transport;
        if (!open_->out.empty() && ::write(open_->wakes.get(), "x", 1) < 0 && errno != EAGAIN) {
            return mcp::status::transport;
        }
        return mcp::status::ok;
    }

    void close(mcp::connection) override {
        const std::lock_guard<std::mutex> held(lock_);
        // The server sees the end of its input and ends; the thread sees the end of the socket.
        if (open_ != nullptr) ::shutdown(open_->socket.get(), SHUT_RDWR);
        open_ = nullptr;
    }

private:
    // Starts the server with one end of the socketpair as its input and output. -1 when that fails.
    pid_t start(int its_end) {
        char *arguments[] = {server_.data(), nullptr};
        posix_spawn_file_actions_t actions;
        pid_t server = -1;
        if (::posix_spawn_file_actions_init(&actions) != 0) return -1;
        ::posix_spawn_file_actions_adddup2(&actions, its_end, STDIN_FILENO);
        ::posix_spawn_file_actions_adddup2(&actions, its_end, STDOUT_FILENO);
        if (::posix_spawnp(&server, arguments[0], &actions, nullptr, arguments, environ) != 0) server = -1;
        ::posix_spawn_file_actions_destroy(&actions);
        return server;
    }

    // The thread of a connection.
    void carry(std::unique_ptr<tube> through) {
        std::string in;
        for (bool alive = true; alive;) {
            pollfd looked[2] = {{through->socket.get(), POLLIN, 0}, {through->woken.get(), POLLIN, 0}};
            {
                const std::lock_guard<std::mutex> held(lock_);
                alive = flush(*through);
                if (!through->out.empty()) looked[0].events |= POLLOUT;
            }
            if (!alive || ::poll(looked, 2, -1) < 0) continue;
            char bytes[64];
            if (looked[1].revents != 0) alive = ::read(through->woken.get(), bytes, sizeof bytes) > 0;
            if ((looked[0].revents & ~POLLOUT) != 0) alive = take(*through, in) && alive;
        }
        // If it was not the client that closed, it is told; else this does nothing. close() may still be on its way, on another
        // thread, so it must not find the tube any more.
        static_cast<void>(through->to.closed("the server closed its socket"));
        {
            const std::lock_guard<std::mutex> held(lock_);
            if (open_ == through.get()) open_ = nullptr;
        }
        through.reset();
        const std::lock_guard<std::mutex> held(lock_);
        tubes_--;
        changed_.notify_one();
    }

    std::string server_;
    std::mutex lock_;
    std::condition_variable changed_;
    tube *open_ = nullptr; // the connection that is open
    int tubes_ = 0;        // connections whose thread still runs
};

// Calls a tool and prints what it says.
mcp::status call(mcp::client &client, std::string_view name, std::string_view arguments) {
    const auto reply = client.call_tool(name, arguments);
    std::cout << name << ' ' << arguments << " -> " << (reply ? reply->text().value_or(reply->json()) : reply.error().json())
              << '\n';
    return reply ? reply->status() : reply.error().status();
}

} // namespace

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    const char *config = R"({"name": "tunnel", "reconnect": {"initial_ms": 50}, "when_unavailable": "wait"})";
    auto client = mcp::client::make(std::make_unique<tunnel>(argv[1]), config).value();
    client.connect(std::chrono::seconds(5)).value();
    const bool works = call(client, "echo", R"({"text": "through the tunnel"})") == mcp::status::ok &&
                       call(client, "add", R"({"a": 2, "b": 40})") == mcp::status::ok &&
                       // The server ends in the middle of a call, which says so; for the next one the tunnel is opened again.
                       call(client, "crash", "{}") == mcp::status::transport &&
                       call(client, "echo", R"({"text": "back again"})") == mcp::status::ok;
    return works ? 0 : 1;
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
