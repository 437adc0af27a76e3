/*
 * mcp.hpp - libmcp for C++17 and later. Header-only, over mcp.h: link the same library.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef MCP_HPP
#define MCP_HPP

#if !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L) && __cplusplus < 201703L
#error "mcp.hpp needs C++17 or later: compile with -std=c++17 (MSVC: /std:c++17)"
#endif

#include <mcp.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <ratio>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

/** @def MCP_HAS_COROUTINES
 * 1 where calls can be awaited. */
#if defined(__cpp_impl_coroutine) && __cpp_impl_coroutine >= 201902L
#include <coroutine>
#define MCP_HAS_COROUTINES 1
#else
#define MCP_HAS_COROUTINES 0
#endif
/** @def MCP_HAS_EXCEPTIONS
 * 1 where value() throws if the result has no value. */
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define MCP_HAS_EXCEPTIONS 1
#else
#define MCP_HAS_EXCEPTIONS 0
#endif

/* What is returned is valid as long as the object: a compiler that knows the attribute warns. */
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define MCP_LIFETIMEBOUND [[clang::lifetimebound]]
#elif __has_cpp_attribute(msvc::lifetimebound)
#define MCP_LIFETIMEBOUND [[msvc::lifetimebound]]
#endif
#endif
#if !defined(MCP_LIFETIMEBOUND)
#define MCP_LIFETIMEBOUND
#endif

/** @cond */
/* A function has the name of that in C; the older name forwards to it. */
#define MCP_OLD_NAME(kind, old, now)                                                               \
    template <class... T> [[deprecated("it is called " #now)]] kind old(T &&...with) {             \
        return now(std::forward<T>(with)...);                                                      \
    }
/** @endcond */

/**
 * The contract of mcp.h applies: threads, ownership, times, errors. C++ adds:
 *
 * Results. A function that can fail returns mcp::result, one class with the main members of
 *   `std::expected<T, mcp::error>` in every standard: files that are compiled for different ones
 *   make one program. No function reports errors in another way. No function throws, except when
 *   memory is exhausted and by `value()` on a result without a value.
 *
 * Callbacks. No exception of a callback reaches the C library, which would end the program.
 *   - One that leaves a handler of a tool fails the tool: its text is the result, with "isError",
 *     which the model sees. It must hold no secret.
 *   - One that leaves another handler of mcp::server ends that request: its client gets the
 *     internal error "handler failed: " with the text of the exception.
 *   - One that leaves transport::open() or transport::send() ends that connection, with its text as
 *     the reason.
 *   - Where no outcome can have it (the functions of queue::on_ready() and set_logger(),
 *     transport::close(), a handler that has answered), it goes to the function of
 *     set_exception_hook(). Without one, the first is kept for take_exception().
 *   - Handlers and coroutines of mcp::dispatcher are called by no C: their exceptions leave run().
 *
 * Without exceptions (`-fno-exceptions`) and without RTTI (`-fno-rtti`) everything works the same:
 *   results have the errors. Only `value()` without a value, and memory that is exhausted, end the
 *   program by abort(). All files of a program that exchange objects of this header need the same
 *   choice of exceptions; others do not link.
 *
 * Ownership. mcp::client, mcp::queue and mcp::message own their handle and free it in their
 *   destructor. They can be moved but not copied. A moved-from or default-constructed object holds
 *   nothing: its functions return status::invalid_argument. `native()` returns the C handle and
 *   keeps ownership; `release()` gives ownership to the caller.
 *
 * Strings are passed as `std::string_view` and are copied; a string that contains a NUL is
 *   status::invalid_argument. An empty view of parameters or options means none. A returned view is
 *   valid as long as its message. A temporary object gives a copy in place of a view, or the
 *   function is deleted for it.
 *
 * Times are `std::chrono` durations of every kind: see mcp::time_limit. mcp::forever waits without
 *   a limit. mcp::options describes the limits for the times of a call.
 */
namespace mcp {

/* Keeps the functions that catch exceptions apart from those that cannot. */
#if !defined(MCP_DOXYGEN) && !MCP_HAS_EXCEPTIONS
inline namespace without_exceptions {
#endif

/**
 * The result of a function: the values of MCP_OK and so on. Later versions may add values; treat
 * every negative one as an error.
 */
enum class status : std::int32_t {
    ok = MCP_OK,
    empty = MCP_EMPTY,
    woken = MCP_WOKEN,
    conflict = MCP_CONFLICT,
    invalid_argument = MCP_ERROR_INVALID_ARGUMENT,
    timeout = MCP_ERROR_TIMEOUT,
    cancelled = MCP_ERROR_CANCELLED,
    unavailable = MCP_ERROR_UNAVAILABLE,
    transport = MCP_ERROR_TRANSPORT,
    protocol = MCP_ERROR_PROTOCOL,
    server = MCP_ERROR_SERVER,
    unsupported = MCP_ERROR_UNSUPPORTED,
    backpressure = MCP_ERROR_BACKPRESSURE,
    too_large = MCP_ERROR_TOO_LARGE,
    no_memory = MCP_ERROR_NO_MEMORY,
    auth = MCP_ERROR_AUTH,
    closed = MCP_ERROR_CLOSED,
    forked = MCP_ERROR_FORKED,
    internal = MCP_ERROR_INTERNAL,
};

/** The kind of a message: the values of MCP_KIND_REPLY and so on. Later versions may add values. */
enum class kind : std::int32_t {
    reply = MCP_KIND_REPLY,
    notification = MCP_KIND_NOTIFICATION,
    request = MCP_KIND_REQUEST,
    progress = MCP_KIND_PROGRESS,
    state = MCP_KIND_STATE,
    auth = MCP_KIND_AUTH,
    stderr_line = MCP_KIND_STDERR,
    lost = MCP_KIND_LOST,
};

/** The state of a connection: the values of MCP_CLIENT_STATE_IDLE and so on. */
enum class state : std::int32_t {
    idle = MCP_CLIENT_STATE_IDLE,
    starting = MCP_CLIENT_STATE_STARTING,
    initializing = MCP_CLIENT_STATE_INITIALIZING,
    ready = MCP_CLIENT_STATE_READY,
    backoff = MCP_CLIENT_STATE_BACKOFF,
    closing = MCP_CLIENT_STATE_CLOSING,
    closed = MCP_CLIENT_STATE_CLOSED,
};

/**
 * The subject of a notification, request or progress message: the values of MCP_TOPIC_NONE and so
 * on. Later versions may add values.
 */
enum class topic : std::int32_t {
    none = MCP_TOPIC_NONE,
    unknown = MCP_TOPIC_UNKNOWN,
    tools_changed = MCP_TOPIC_TOOLS_CHANGED,
    resources_changed = MCP_TOPIC_RESOURCES_CHANGED,
    prompts_changed = MCP_TOPIC_PROMPTS_CHANGED,
    resource_updated = MCP_TOPIC_RESOURCE_UPDATED,
    log = MCP_TOPIC_LOG,
    progress = MCP_TOPIC_PROGRESS,
    cancelled = MCP_TOPIC_CANCELLED,
    task = MCP_TOPIC_TASK,
    elicitation_complete = MCP_TOPIC_ELICITATION_COMPLETE,
    subscribed = MCP_TOPIC_SUBSCRIBED,
    sampling = MCP_TOPIC_SAMPLING,
    elicitation = MCP_TOPIC_ELICITATION,
    roots = MCP_TOPIC_ROOTS,
};

/** The type of a JSON value: the values of MCP_JSON_ABSENT and so on. */
enum class json_type : std::int32_t {
    absent = MCP_JSON_ABSENT,
    null = MCP_JSON_NULL,
    boolean = MCP_JSON_BOOLEAN,
    number = MCP_JSON_NUMBER,
    string = MCP_JSON_STRING,
    array = MCP_JSON_ARRAY,
    object = MCP_JSON_OBJECT,
};

/** The level of the log: the values of MCP_LOG_ERROR and so on. */
enum class log_level : std::int32_t {
    none = 0,
    error = MCP_LOG_ERROR,
    warn = MCP_LOG_WARN,
    info = MCP_LOG_INFO,
    debug = MCP_LOG_DEBUG,
    trace = MCP_LOG_TRACE,
};

/** The name of a status, such as "timeout". */
inline std::string_view name(status of) noexcept {
    return mcp_status_name(static_cast<mcp_status_t>(of));
}

/** The name of a message's kind, such as "notification". */
inline std::string_view name(kind of) noexcept {
    return mcp_kind_name(static_cast<mcp_kind_t>(of));
}

/** The name of a state, such as "ready". */
inline std::string_view name(state of) noexcept {
    return mcp_client_state_name(static_cast<mcp_client_state_t>(of));
}

/** The name of a topic, such as "tools_changed". */
inline std::string_view name(topic of) noexcept {
    return mcp_topic_name(static_cast<mcp_topic_t>(of));
}

/** The version of the loaded library, such as "0.1.0". */
inline std::string_view version() noexcept { return mcp_version(); }

/** The ABI version of the loaded library; MCP_ABI_VERSION is that of this header. */
inline std::uint32_t abi_version() noexcept { return mcp_abi_version(); }

/**
 * True when the loaded library has the ABI of this header. Otherwise the program must not continue.
 */
inline bool abi_matches() noexcept { return MCP_ABI_MATCHES(); }

/** The optional parts of the loaded library: MCP_FEATURE_HTTP and so on. */
inline std::uint32_t features() noexcept { return mcp_features(); }

/** No time limit, or the configured value where mcp.h says so for -1. */
inline constexpr std::chrono::milliseconds forever = std::chrono::milliseconds::max();

/**
 * A time that a function takes. Every `std::chrono` duration converts to it, also one with a
 * floating-point number.
 *
 * It is rounded up to milliseconds: a time above zero never becomes zero. A negative time is zero,
 * so that a deadline that has passed does not wait; so is a time that is not a number. mcp::forever
 * and every longer time have no limit. Any other wait of 2^31 ms (24.8 days) or more ends after
 * 2^31 - 1 ms.
 */
class time_limit {
public:
    /** A duration of any kind. */
    template <class Rep, class Period>
    constexpr time_limit(std::chrono::duration<Rep, Period> time) noexcept
        : milliseconds_(rounded_up(time)) {}

    /** The rounded time; mcp::forever if there is no limit. */
    constexpr std::chrono::milliseconds milliseconds() const noexcept {
        return std::chrono::milliseconds(milliseconds_);
    }
    /** The time as a parameter of mcp.h: -1 for mcp::forever. */
    constexpr std::int32_t parameter() const noexcept {
        constexpr std::int32_t longest = (std::numeric_limits<std::int32_t>::max)();
        if (milliseconds_ == most) return -1;
        return milliseconds_ < longest ? static_cast<std::int32_t>(milliseconds_) : longest;
    }
    /** The time as an option of a call: at least a millisecond and at most a year. */
    constexpr std::int64_t option() const noexcept {
        constexpr std::int64_t year = std::int64_t{365} * 24 * 60 * 60 * 1000;
        if (milliseconds_ < 1) return 1;
        return milliseconds_ < year ? milliseconds_ : year;
    }

private:
    static constexpr std::int64_t most = (std::numeric_limits<std::int64_t>::max)();

    /*
     * With a floating-point number, because seconds::max() in milliseconds exceeds every integer
     * type, and the functions of std::chrono do not look for that.
     */
    template <class Rep, class Period>
    static constexpr std::int64_t
    rounded_up(std::chrono::duration<Rep, Period> time) noexcept {
        using number = std::conditional_t<std::is_floating_point_v<Rep>, Rep, long double>;
        if (!(time > time.zero())) return 0;
        const number exact = std::chrono::duration<number, std::milli>(time).count();
        if (!(exact < static_cast<number>(most))) return most;
        const auto whole = static_cast<std::int64_t>(exact);
        if (whole == 0) return 1;
        return static_cast<number>(whole) < exact ? whole + 1 : whole;
    }

    std::int64_t milliseconds_;
};

/**
 * The reason for a failure. It is a value that can be copied and stored, and belongs to no thread.
 */
class error {
public:
    /**
     * An error with its JSON object as in mcp.h; an empty text means that there is only a status.
     */
    explicit error(mcp::status status, std::string json = {})
        : status_(status), json_(std::move(json)) {}

    /** The kind of failure. */
    mcp::status status() const noexcept { return status_; }

    /** The error object; empty if only the status is known. */
    const std::string &json() const & noexcept MCP_LIFETIMEBOUND { return json_; }
    /** The same of a temporary error. */
    std::string json() && noexcept { return std::move(json_); }

    /**
     * The value at a JSON pointer of the error object, such as "/details/exit_status"; empty if
     * there is none.
     */
    std::string get(const char *pointer) const {
        char *value = nullptr;
        std::size_t length = 0;
        std::string text;
        if (!json_.empty() && mcp_json_get(json_.c_str(), pointer, &value, &length) == MCP_OK) {
            text.assign(value, length);
            mcp_string_free(value);
        }
        return text;
    }

    /**
     * The message for people: what was being done, what went wrong, and how to repair it if known.
     */
    std::string message() const {
        // Decoded it is shorter than the object that it is in.
        std::string text(json_.size() + 1, '\0');
        text.resize(std::strlen(mcp_error_text(json_.c_str(), &text[0], text.size())));
        return text.empty() ? std::string(name(status_)) : text;
    }

    /** True when another attempt may succeed and is not known to do harm. */
    bool retryable() const { return get("/retryable") == "true"; }

private:
    mcp::status status_;
    std::string json_;
};

/** An error that converts to a result. */
class unexpected {
public:
    /** Wraps an error. */
    explicit unexpected(mcp::error why) : why_(std::move(why)) {}
    /** The error. */
    const mcp::error &error() const & noexcept MCP_LIFETIMEBOUND { return why_; }
    /** The error, moved out. */
    mcp::error error() && noexcept { return std::move(why_); }

private:
    mcp::error why_;
};

/** The exception that `value()` throws if there is no value. */
class bad_result : public std::exception {
public:
    /** Constructed by value(). */
    explicit bad_result(mcp::error why) : why_(std::move(why)), text_(why_.message()) {}
    /** The error's message. */
    const char *what() const noexcept override { return text_.c_str(); }
    /** The error. */
    const mcp::error &error() const & noexcept MCP_LIFETIMEBOUND { return why_; }
    /** The error, moved out. */
    mcp::error error() && noexcept { return std::move(why_); }

private:
    mcp::error why_;
    std::string text_;
};

namespace detail {
[[noreturn]] inline void no_value(const mcp::error &why) {
#if MCP_HAS_EXCEPTIONS
    throw bad_result(why);
#else
    static_cast<void>(why);
    std::abort();
#endif
}
} // namespace detail

/**
 * A value or an error, with the main members of `std::expected<T, mcp::error>`. A temporary result
 * gives what it holds by value.
 */
template <class T> class [[nodiscard]] result {
public:
    /** The type of the value. */
    using value_type = T;
    /** The type of the error. */
    using error_type = mcp::error;

    /** Holds a value. */
    result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
    /** Holds an error. */
    result(unexpected why) : held_(std::in_place_index<1>, std::move(why).error()) {}
    /** Holds what a result of a derived class holds, such as that of a poll as a std::optional. */
    template <class U, class = std::enable_if_t<std::is_base_of_v<T, U> && !std::is_same_v<T, U>>>
    result(result<U> &&other)
        : result(other ? result(T(*std::move(other)))
                       : result(unexpected(std::move(other).error()))) {}

    /** True when it holds a value. */
    bool has_value() const noexcept { return held_.index() == 0; }
    /** True when it holds a value. */
    explicit operator bool() const noexcept { return has_value(); }

    /** The value; there must be one. */
    T &operator*() & noexcept MCP_LIFETIMEBOUND { return *std::get_if<0>(&held_); }
    /** The value; there must be one. */
    const T &operator*() const & noexcept MCP_LIFETIMEBOUND { return *std::get_if<0>(&held_); }
    /** The value, moved out; there must be one. */
    T operator*() && noexcept { return std::move(*std::get_if<0>(&held_)); }
    /** The value's members; there must be one. */
    T *operator->() & noexcept MCP_LIFETIMEBOUND { return std::get_if<0>(&held_); }
    /** The value's members; there must be one. */
    const T *operator->() const & noexcept MCP_LIFETIMEBOUND { return std::get_if<0>(&held_); }
    /** What it points to would end with the temporary: keep the result, or use value(). */
    const T *operator->() const && = delete;

    /** The value; throws bad_result if there is none. */
    T &value() & MCP_LIFETIMEBOUND { return check(), **this; }
    /** The value; throws bad_result if there is none. */
    const T &value() const & MCP_LIFETIMEBOUND { return check(), **this; }
    /** The value, moved out; throws bad_result if there is none. */
    T value() && { return check(), std::move(**this); }

    /** The error; there must be one. */
    const mcp::error &error() const & noexcept MCP_LIFETIMEBOUND {
        return *std::get_if<1>(&held_);
    }
    /** The error, moved out; there must be one. */
    mcp::error error() && noexcept { return std::move(*std::get_if<1>(&held_)); }

    /** The value, moved out, or `other`. */
    template <class U> T value_or(U &&other) && {
        return has_value() ? std::move(**this) : static_cast<T>(std::forward<U>(other));
    }
    /** The value, or `other`. */
    template <class U> T value_or(U &&other) const & {
        return has_value() ? **this : static_cast<T>(std::forward<U>(other));
    }

    /** Calls `next`, which returns a result, with the value; passes an error on. */
    template <class F> auto and_then(F &&next) && -> std::invoke_result_t<F, T &&> {
        if (has_value()) return std::invoke(std::forward<F>(next), std::move(**this));
        return unexpected(std::move(*this).error());
    }
    /** Calls `change` with the value and wraps what it returns in a result; passes an error on. */
    template <class F> auto transform(F &&change) && -> result<std::invoke_result_t<F, T &&>> {
        if (has_value()) return std::invoke(std::forward<F>(change), std::move(**this));
        return unexpected(std::move(*this).error());
    }

private:
    void check() const {
        if (!has_value()) detail::no_value(error());
    }
    std::variant<T, mcp::error> held_;
};

/**
 * A value or none: a std::optional whose value does not outlive it unseen. A temporary one gives
 * what it holds by value.
 */
template <class T> class [[nodiscard]] maybe : public std::optional<T> {
public:
    using std::optional<T>::optional;

    /** The value; there must be one. */
    T &operator*() & noexcept MCP_LIFETIMEBOUND { return base::operator*(); }
    /** The value; there must be one. */
    const T &operator*() const & noexcept MCP_LIFETIMEBOUND { return base::operator*(); }
    /** The value, moved out; there must be one. */
    T operator*() && noexcept { return *std::move(static_cast<base &>(*this)); }
    /** The value's members; there must be one. */
    T *operator->() & noexcept MCP_LIFETIMEBOUND { return base::operator->(); }
    /** The value's members; there must be one. */
    const T *operator->() const & noexcept MCP_LIFETIMEBOUND { return base::operator->(); }
    /** What it points to would end with the temporary: keep it, or use value(). */
    const T *operator->() const && = delete;
    /** The value; throws std::bad_optional_access if there is none. */
    T &value() & MCP_LIFETIMEBOUND { return base::value(); }
    /** The value; throws std::bad_optional_access if there is none. */
    const T &value() const & MCP_LIFETIMEBOUND { return base::value(); }
    /** The value, moved out; throws std::bad_optional_access if there is none. */
    T value() && { return std::move(static_cast<base &>(*this)).value(); }

private:
    using base = std::optional<T>;
};

/** Success or an error. */
template <> class [[nodiscard]] result<void> {
public:
    /** Success has no value. */
    using value_type = void;
    /** The type of the error. */
    using error_type = mcp::error;

    /** Success. */
    result() = default;
    /** Holds an error. */
    result(unexpected why) : why_(std::move(why).error()) {}

    /** True for success. */
    bool has_value() const noexcept { return !why_.has_value(); }
    /** True for success. */
    explicit operator bool() const noexcept { return has_value(); }
    /** Does nothing. */
    void operator*() const noexcept {}
    /** Throws bad_result if there is an error. */
    void value() const {
        if (why_) detail::no_value(*why_);
    }
    /** The error; there must be one. */
    const mcp::error &error() const & noexcept MCP_LIFETIMEBOUND { return *why_; }
    /** The error, moved out; there must be one. */
    mcp::error error() && noexcept { return std::move(*why_); }

private:
    std::optional<mcp::error> why_;
};

/**
 * The function for exceptions that left a callback and that no outcome can have. It runs on the
 * thread of the callback, whose name is `callback`.
 */
using exception_hook = void (*)(std::exception_ptr thrown, const char *callback) noexcept;

namespace detail {

inline unexpected fail(mcp_status_t status, std::string json = {}) {
    return unexpected(error(static_cast<mcp::status>(status), std::move(json)));
}

/* Takes ownership of the error object that a function of mcp.h returned. */
inline unexpected fail(mcp_status_t status, char *json) {
    std::string text(json == nullptr ? "" : json);
    mcp_string_free(json);
    return fail(status, std::move(text));
}

inline std::string taken(char *text) {
    std::string copy(text);
    mcp_string_free(text);
    return copy;
}

/* The error is read after the call that writes it: arguments are evaluated in any order. */
inline result<void> done(mcp_status_t status, char *const &json = nullptr) {
    if (status == MCP_OK) return {};
    return fail(status, json);
}

/* A text for C: NUL-terminated and without another NUL. An empty text can be passed as NULL. */
class c_text {
public:
    explicit c_text(std::string_view text) : text_(text) {}
    bool fits() const noexcept { return text_.find('\0') == std::string::npos; }
    const char *get() const noexcept { return text_.c_str(); }
    const char *or_null() const noexcept { return text_.empty() ? nullptr : text_.c_str(); }

private:
    std::string text_;
};

template <class... Texts> bool fit(const Texts &...texts) noexcept { return (texts.fits() && ...); }

inline unexpected has_nul() {
    return fail(MCP_ERROR_INVALID_ARGUMENT,
                std::string(R"({"status":"invalid_argument","message":"a text has a NUL )"
                            R"(character in it","retryable":false})"));
}

/* What becomes of exceptions that no outcome can have. */
struct exception_store {
    std::mutex lock;
    exception_hook hook = nullptr;
    std::exception_ptr first;
};

/* It is never destroyed, because threads may still run callbacks when the process ends. */
inline exception_store &exceptions() {
    static auto *const store = new exception_store;
    return *store;
}

inline void report(std::exception_ptr thrown, const char *callback) {
    auto &store = exceptions();
    exception_hook hook = nullptr;
    {
        const std::lock_guard<std::mutex> held(store.lock);
        hook = store.hook;
        if (hook == nullptr && !store.first) store.first = thrown;
    }
    if (hook != nullptr) hook(std::move(thrown), callback);
}

/*
 * Runs a function of the program, which C called. What it throws goes to `failed` as a text, which
 * is a null pointer if the exception is no std::exception.
 */
template <class Run, class Failed> auto guard(Run run, Failed failed) noexcept {
#if MCP_HAS_EXCEPTIONS
    try {
        return run();
    } catch (const std::exception &thrown) {
        return failed(thrown.what());
    } catch (...) {
        return failed(nullptr);
    }
#else
    static_cast<void>(failed);
    return run();
#endif
}

/* Runs a callback that has no outcome. */
template <class Run> void guard(Run run, const char *callback) noexcept {
    guard(std::move(run), [callback](const char *) { report(std::current_exception(), callback); });
}

/* Whether an exception says something. */
inline bool is_text(const char *text) noexcept { return text != nullptr && *text != '\0'; }

/* A text for the exception that left a function. */
inline std::string failure(const char *what_failed, const char *text) {
    std::string told(what_failed);
    return is_text(text) ? told.append(": ").append(text) : told;
}

} // namespace detail

/**
 * Sets the function for exceptions of callbacks that no outcome can have; a null pointer removes
 * it. Returns the one before. Any thread.
 */
inline exception_hook set_exception_hook(exception_hook hook) {
    auto &store = detail::exceptions();
    const std::lock_guard<std::mutex> held(store.lock);
    return std::exchange(store.hook, hook);
}

/**
 * Returns the first exception of a callback that no outcome could have and that no function of
 * set_exception_hook() got, and forgets it; a null pointer if there is none. While one is kept,
 * later ones are dropped. Any thread.
 *
 *     if (auto thrown = mcp::take_exception()) std::rethrow_exception(thrown);
 */
inline std::exception_ptr take_exception() {
    auto &store = detail::exceptions();
    const std::lock_guard<std::mutex> held(store.lock);
    return std::exchange(store.first, nullptr);
}

/**
 * Gets the value at a JSON pointer (RFC 6901): a string decoded, any other value as JSON text;
 * status::empty if there is none.
 */
inline result<std::string> json_get(std::string_view json, std::string_view pointer) {
    const detail::c_text text(json), place(pointer);
    char *value = nullptr;
    std::size_t length = 0;
    if (!detail::fit(text, place)) return detail::has_nul();
    const mcp_status_t status = mcp_json_get(text.get(), place.get(), &value, &length);
    if (status != MCP_OK) return detail::fail(status);
    std::string copy(value, length);
    mcp_string_free(value);
    return copy;
}

/** Expands a URI template (RFC 6570) with the values of a JSON object. */
inline result<std::string> uri_template_expand(std::string_view uri_template,
                                               std::string_view variables = "{}") {
    const detail::c_text pattern(uri_template), values(variables);
    char *uri = nullptr, *why = nullptr;
    if (!detail::fit(pattern, values)) return detail::has_nul();
    const mcp_status_t status = mcp_uri_template_expand(pattern.get(), values.get(), &uri, &why);
    if (status != MCP_OK) return detail::fail(status, why);
    return detail::taken(uri);
}

#if !defined(MCP_DOXYGEN)
MCP_OLD_NAME(auto, template_expand, uri_template_expand)
#endif

/** Converts a text to a JSON string with its quotes. */
inline result<std::string> json_quote(std::string_view text) {
    const detail::c_text plain(text);
    char *quoted = nullptr;
    if (!plain.fits()) return detail::has_nul();
    const mcp_status_t status = mcp_json_quote(plain.get(), &quoted);
    if (status != MCP_OK) return detail::fail(status);
    return detail::taken(quoted);
}

/**
 * Reads one server of an "mcpServers" file as configuration for mcp::client. An empty name selects
 * the only one.
 */
inline result<std::string> config_load(std::string_view path, std::string_view server_name = {}) {
    const detail::c_text file(path), server(server_name);
    char *config = nullptr, *why = nullptr;
    if (!detail::fit(file, server)) return detail::has_nul();
    const mcp_status_t status = mcp_config_load(file.get(), server.or_null(), &config, &why);
    if (status != MCP_OK) return detail::fail(status, why);
    return detail::taken(config);
}

/**
 * The servers of an "mcpServers" file in its order: a JSON array of objects with "name" and
 * "disabled".
 */
inline result<std::string> config_servers(std::string_view path) {
    const detail::c_text file(path);
    char *servers = nullptr, *why = nullptr;
    if (!file.fits()) return detail::has_nul();
    const mcp_status_t status = mcp_config_servers(file.get(), &servers, &why);
    if (status != MCP_OK) return detail::fail(status, why);
    return detail::taken(servers);
}

/**
 * A JSON value in a message or a document: a cursor that is copied like a number.
 *
 * A value that does not exist is a value too: it is false, and every function accepts it, so that a
 * chain of calls needs one check at its end. A value, and every view that it returns, is valid as
 * long as its message or document. After that the value does not exist; the library cannot detect a
 * use of a view.
 */
class value {
public:
    /** A value that does not exist. */
    value() noexcept : native_() {}
    /** A value of the C API. */
    explicit value(mcp_value_t native) noexcept : native_(native) {}

    /** True if the value exists; a JSON null exists. */
    explicit operator bool() const noexcept { return type() != json_type::absent; }
    /** The type of the value; json_type::absent if it does not exist. */
    json_type type() const noexcept { return static_cast<json_type>(mcp_value_type(native_)); }
    /** True for a JSON null. */
    bool is_null() const noexcept { return type() == json_type::null; }

    /** The member with this name; the last one of several. */
    value get(const char *name) const noexcept { return value(mcp_value_get(native_, name)); }
    /** The member with this name; the last one of several. */
    value get(std::string_view name) const {
        const detail::c_text text(name);
        return text.fits() ? get(text.get()) : value();
    }
    /** The element at an index. To visit all of them, use a range-for, which reads them once. */
    value at(std::size_t index) const noexcept { return value(mcp_value_at(native_, index)); }
    /** The number of elements or members. */
    std::size_t size() const noexcept { return mcp_value_size(native_); }

    /** The text of a string. It is copied only if the string has escapes. */
    std::optional<std::string_view> as_string() const noexcept {
        std::size_t length = 0;
        const char *text = mcp_value_view(native_, &length);
        if (text == nullptr) return std::nullopt;
        return std::string_view(text, length);
    }
    /** The text of a string, followed by a NUL; a null pointer if the value is no string. */
    const char *c_str() const noexcept { return mcp_value_string(native_, nullptr); }
    /** True if the value is a string that spells `text`. */
    bool is(const char *text) const noexcept { return mcp_value_is(native_, text); }
    /** The number if it is an integer that fits, however it is written (3, 3.0, 3e0). */
    std::optional<std::int64_t> as_int64() const noexcept {
        std::int64_t number = 0;
        if (mcp_value_int64(native_, &number) != MCP_OK) return std::nullopt;
        return number;
    }
    /** The number as the nearest double; none for a number that no double can hold. */
    std::optional<double> as_double() const noexcept {
        double number = 0;
        if (mcp_value_double(native_, &number) != MCP_OK) return std::nullopt;
        return number;
    }
    /** True or false, if the value is one of them. */
    std::optional<bool> as_bool() const noexcept {
        bool boolean = false;
        if (mcp_value_bool(native_, &boolean) != MCP_OK) return std::nullopt;
        return boolean;
    }
    /** The JSON text of the value as it is written; empty if it does not exist. */
    std::string_view json() const noexcept {
        std::size_t length = 0;
        const char *text = mcp_value_json(native_, &length);
        return text == nullptr ? std::string_view() : std::string_view(text, length);
    }

    /** The name of a member of an object, as a string; a value that does not exist otherwise. */
    value key() const noexcept { return value(mcp_value_key(native_)); }

    /** A member of an object. */
    struct member;
    /** Goes over the elements of an array or the members of an object. */
    template <class Item> class iterator;
    /** The members of an object, for a range-for. */
    class member_range;

    /** The first element of an array, or value of an object. */
    iterator<value> begin() const noexcept;
    /** The end of the elements. */
    iterator<value> end() const noexcept;
    /** The members of an object with their names. */
    member_range members() const noexcept;

    /** The value of the C API. */
    mcp_value_t native() const noexcept { return native_; }

private:
    mcp_value_t native_;
};

/** A member of an object. */
struct value::member {
    /** The decoded name. */
    std::string_view name;
    /** The value. */
    mcp::value value;
};

template <class Item> class value::iterator {
public:
    /** It can go over the values once more, but makes each item when it is asked for. */
    using iterator_category = std::input_iterator_tag;
    /** A value, or a member. */
    using value_type = Item;
    /** The distance of two iterators. */
    using difference_type = std::ptrdiff_t;
    /** Items are made when they are asked for. */
    using pointer = void;
    /** Items are made when they are asked for. */
    using reference = Item;

    /** The end. */
    iterator() noexcept : at_() {}
    /** At a value of the C API. */
    explicit iterator(mcp_value_t at) noexcept : at_(at) {}
    /** The item. */
    Item operator*() const noexcept {
        if constexpr (std::is_same_v<Item, value>) {
            return value(at_);
        } else {
            return Item{value(at_).key().as_string().value_or(std::string_view()), value(at_)};
        }
    }
    /** Goes on. */
    iterator &operator++() noexcept {
        at_ = mcp_value_next(at_);
        return *this;
    }
    /** Goes on. */
    iterator operator++(int) noexcept {
        const iterator before = *this;
        ++*this;
        return before;
    }
    /** True if both are at an end, or at the same place of one text. */
    bool operator==(const iterator &other) const noexcept {
        std::size_t length = 0;
        return mcp_value_json(at_, &length) == mcp_value_json(other.at_, &length);
    }
    /** The opposite of ==. */
    bool operator!=(const iterator &other) const noexcept { return !(*this == other); }

private:
    mcp_value_t at_;
};

/** The members of an object, for a range-for. */
class value::member_range {
public:
    /** Of a value; empty if that is no object. */
    explicit member_range(value of) noexcept : of_(of) {}
    /** The first member. */
    iterator<member> begin() const noexcept {
        if (of_.type() != json_type::object) return end();
        return iterator<member>(mcp_value_first(of_.native()));
    }
    /** The end of the members. */
    iterator<member> end() const noexcept { return iterator<member>(); }

private:
    value of_;
};

inline value::iterator<value> value::begin() const noexcept {
    return iterator<value>(mcp_value_first(native_));
}
inline value::iterator<value> value::end() const noexcept { return iterator<value>(); }
inline value::member_range value::members() const noexcept { return member_range(*this); }

/** A JSON text of the program, checked once and read through values. It owns a copy of the text. */
class document {
public:
    document() = default;

    /** Checks and copies a text. */
    static result<document> parse(std::string_view json) {
        mcp_document_t *handle = nullptr;
        char *why = nullptr;
        const char *text = json.data() == nullptr ? "" : json.data();
        const mcp_status_t status = mcp_document_new(text, json.size(), &handle, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        document made;
        made.handle_.reset(handle);
        return made;
    }

    /** The value that the text is; valid as long as the document. */
    mcp::value value() const & noexcept MCP_LIFETIMEBOUND {
        return mcp::value(mcp_document_value(handle_.get()));
    }
    /** The value would end with the temporary: keep the document. */
    mcp::value value() const && = delete;
    /** True when it holds a document. */
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    /** The C handle, borrowed. */
    mcp_document_t *native() const & noexcept MCP_LIFETIMEBOUND { return handle_.get(); }
    /** It would be freed with the temporary: keep the object, or use release(). */
    mcp_document_t *native() const && = delete;
    /** Gives the C handle to the caller, who frees it with mcp_document_free(). */
    mcp_document_t *release() noexcept { return handle_.release(); }

private:
    struct free {
        void operator()(mcp_document_t *handle) const noexcept { mcp_document_free(handle); }
    };
    std::unique_ptr<mcp_document_t, free> handle_;
};

class object;
class array;

/**
 * Writes JSON call by call. The first mistake is kept, what follows it is ignored, and finish()
 * returns it: one check at the end is enough. mcp::object and mcp::array need no calls in pairs.
 */
class builder {
public:
    /** An empty builder. */
    builder() noexcept : handle_(mcp_builder_new()) {}

    /** Begins an object. */
    builder &begin_object() & noexcept { return mcp_builder_begin_object(native()), *this; }
    /** Begins an array. */
    builder &begin_array() & noexcept { return mcp_builder_begin_array(native()), *this; }
    /** Ends the object or array that was begun last. */
    builder &end() & noexcept { return mcp_builder_end(native()), *this; }
    /** Writes the name of the next member. */
    builder &key(const char *name) & noexcept { return mcp_builder_key(native(), name), *this; }
    /** Writes the name of the next member. */
    builder &key(std::string_view name) & noexcept {
        return mcp_builder_key_view(native(), name.empty() ? "" : name.data(), name.size()), *this;
    }
    /** Writes a value that already is JSON text, after checking it. */
    builder &json(const char *text) & noexcept { return mcp_builder_json(native(), text), *this; }

    /**
     * Writes a value: a text, a number, bool, nullptr, a mcp::value, an object or an array. NaN,
     * infinity, a null `const char *` and a value that does not exist are mistakes.
     */
    template <class T> builder &add(T &&item) & {
        using type = std::decay_t<T>;
        if constexpr (std::is_same_v<type, bool>) {
            mcp_builder_bool(native(), item);
        } else if constexpr (std::is_same_v<type, std::nullptr_t>) {
            mcp_builder_null(native());
        } else if constexpr (std::is_floating_point_v<type>) {
            mcp_builder_double(native(), static_cast<double>(item));
        } else if constexpr (std::is_integral_v<type>) {
            if (item > 0 && static_cast<std::uintmax_t>(item) > INT64_MAX) {
                mcp_builder_json(native(), std::to_string(item).c_str());
            } else {
                mcp_builder_int64(native(), static_cast<std::int64_t>(item));
            }
        } else if constexpr (std::is_same_v<type, value>) {
            mcp_builder_value(native(), item.native());
        } else if constexpr (std::is_same_v<type, object> || std::is_same_v<type, array>) {
            add_nested(item.json());
        } else if constexpr (std::is_same_v<type, const char *> || std::is_same_v<type, char *>) {
            mcp_builder_string(native(), item);
        } else {
            const std::string_view text = item;
            mcp_builder_string_view(native(), text.empty() ? "" : text.data(), text.size());
        }
        return *this;
    }

    /** The same in a chain that begins with a temporary builder. */
    builder begin_object() && noexcept { return std::move(begin_object()); }
    /** As above. */
    builder begin_array() && noexcept { return std::move(begin_array()); }
    /** As above. */
    builder end() && noexcept { return std::move(end()); }
    /** As above. */
    builder key(const char *name) && noexcept { return std::move(key(name)); }
    /** As above. */
    builder key(std::string_view name) && noexcept { return std::move(key(name)); }
    /** As above. */
    builder json(const char *text) && noexcept { return std::move(json(text)); }
    /** As above. */
    template <class T> builder add(T &&item) && { return std::move(add(std::forward<T>(item))); }

    /** Finishes the text: a view, valid until take(), reset() or the end of the builder. */
    result<std::string_view> finish() & MCP_LIFETIMEBOUND {
        const char *json = nullptr;
        std::size_t length = 0;
        char *why = nullptr;
        if (nested_) return unexpected(*nested_);
        const mcp_status_t status = mcp_builder_finish(native(), &json, &length, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return std::string_view(json, length);
    }
    /** Finishes the text of a temporary builder and returns it. */
    result<std::string> finish() && { return take(); }
    /** Finishes the text, returns it and resets the builder. */
    result<std::string> take() {
        const auto text = finish();
        if (!text) return unexpected(text.error());
        std::string copy(*text);
        reset();
        return copy;
    }
    /** Discards what was written, and the mistake. */
    void reset() noexcept {
        nested_.reset();
        handle_.reset(mcp_builder_new());
    }
    /** The C handle, borrowed. */
    mcp_builder_t *native() const & noexcept MCP_LIFETIMEBOUND { return handle_.get(); }
    /** It would be freed with the temporary: keep the builder. */
    mcp_builder_t *native() const && = delete;

private:
    void add_nested(const result<std::string_view> &text) {
        if (text) {
            mcp_builder_json(native(), text->data());
        } else if (!nested_) {
            nested_ = text.error();
        }
    }
    struct free {
        void operator()(mcp_builder_t *handle) const noexcept { mcp_builder_free(handle); }
    };
    std::unique_ptr<mcp_builder_t, free> handle_;
    /* The mistake in an object or array that was added. */
    std::optional<error> nested_;
};

/**
 * The host's side of a view, the page of a tool (MCP Apps): what the page says goes in, what is to
 * be done comes out. See mcp_app_new() for the settings, and mcp_app_poll() for the actions.
 */
class app {
public:
    app() = default;

    /** Creates the host's side of a view from a JSON object of settings. */
    static result<app> make(std::string_view settings) {
        const detail::c_text text(settings);
        mcp_app_t *handle = nullptr;
        char *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_app_new(text.get(), &handle, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        app made;
        made.handle_.reset(handle);
        return made;
    }
    /** The policy for the frame of a document, from "_meta.ui" of the document; {} for none. */
    static result<std::string> policy(std::string_view ui = "{}") {
        const detail::c_text text(ui);
        char *policy = nullptr, *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_app_policy(text.get(), &policy, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return detail::taken(policy);
    }

    /** Takes a message of the page, as it came. */
    result<void> receive(std::string_view message) {
        const detail::c_text text(message);
        char *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        return detail::done(mcp_app_receive(native(), text.get(), &why), why);
    }
    /** Tells the view what happened: an object with a "type". */
    result<void> tell(std::string_view told) {
        const detail::c_text text(told);
        char *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        return detail::done(mcp_app_tell(native(), text.get(), &why), why);
    }
    /** Takes the next action; the status of the error is MCP_EMPTY when there is none. */
    result<std::string> poll() {
        char *action = nullptr;
        const mcp_status_t status = mcp_app_poll(native(), &action);
        if (status != MCP_OK) return detail::fail(status);
        return detail::taken(action);
    }
    /** True when it holds a view. */
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    /** The C handle, borrowed. */
    mcp_app_t *native() const & noexcept MCP_LIFETIMEBOUND { return handle_.get(); }
    /** It would be freed with the temporary: keep the object, or use release(). */
    mcp_app_t *native() const && = delete;
    /** Gives the C handle to the caller, who frees it with mcp_app_free(). */
    mcp_app_t *release() noexcept { return handle_.release(); }

private:
    struct free {
        void operator()(mcp_app_t *handle) const noexcept { mcp_app_free(handle); }
    };
    std::unique_ptr<mcp_app_t, free> handle_;
};

/**
 * A JSON object that a program writes:
 * `mcp::object().set("path", path).set("limit", 10).json()`.
 */
class object {
public:
    /** An object without members. */
    object() noexcept { builder_.begin_object(); }
    /** Adds a member: see builder::add(). The library does not check for names that occur twice. */
    template <class T> object &set(std::string_view name, T &&item) & {
        builder_.key(name).add(std::forward<T>(item));
        return *this;
    }
    /** Adds a member that already is JSON text. */
    object &set_json(std::string_view name, const char *json) & noexcept {
        builder_.key(name).json(json);
        return *this;
    }
    /** The same in a chain that begins with a temporary object. */
    template <class T> object set(std::string_view name, T &&item) && {
        return std::move(set(name, std::forward<T>(item)));
    }
    /** As above. */
    object set_json(std::string_view name, const char *json) && noexcept {
        return std::move(set_json(name, json));
    }
    /**
     * Ends the object and returns its text, a view that is valid as long as the object; or the
     * first mistake. Nothing can be added afterwards.
     */
    result<std::string_view> json() const & MCP_LIFETIMEBOUND {
        if (!std::exchange(ended_, true)) builder_.end();
        return builder_.finish();
    }
    /** Ends a temporary object and returns its text; or the first mistake. */
    result<std::string> json() && {
        if (!std::exchange(ended_, true)) builder_.end();
        return builder_.take();
    }

private:
    // A constant one can be ended too: nothing can be added to it.
    mutable builder builder_;
    mutable bool ended_ = false;
};

/** A JSON array that a program writes: `mcp::array().add(1).add("two").json()`. */
class array {
public:
    /** An array without elements. */
    array() noexcept { builder_.begin_array(); }
    /** Adds an element: see builder::add(). */
    template <class T> array &add(T &&item) & {
        builder_.add(std::forward<T>(item));
        return *this;
    }
    /** Adds an element that already is JSON text. */
    array &add_json(const char *json) & noexcept {
        builder_.json(json);
        return *this;
    }
    /** The same in a chain that begins with a temporary array. */
    template <class T> array add(T &&item) && { return std::move(add(std::forward<T>(item))); }
    /** As above. */
    array add_json(const char *json) && noexcept { return std::move(add_json(json)); }
    /**
     * Ends the array and returns its text, a view that is valid as long as the array; or the first
     * mistake. Nothing can be added afterwards.
     */
    result<std::string_view> json() const & MCP_LIFETIMEBOUND {
        if (!std::exchange(ended_, true)) builder_.end();
        return builder_.finish();
    }
    /** Ends a temporary array and returns its text; or the first mistake. */
    result<std::string> json() && {
        if (!std::exchange(ended_, true)) builder_.end();
        return builder_.take();
    }

private:
    // A constant one can be ended too: nothing can be added to it.
    mutable builder builder_;
    mutable bool ended_ = false;
};

/**
 * A message. The views that it returns are valid as long as it exists, also after its client is
 * freed.
 */
class message {
public:
    message() = default;
    /** Takes ownership of a message of the C API. */
    explicit message(mcp_message_t *handle) noexcept : handle_(handle) {}

    /** The kind of the message. */
    mcp::kind kind() const noexcept {
        return static_cast<mcp::kind>(mcp_message_kind(handle_.get()));
    }
    /** The outcome in a reply; ok for other kinds. */
    mcp::status status() const noexcept {
        return static_cast<mcp::status>(mcp_message_status(handle_.get()));
    }
    /** The result, the error object, the parameters, or the object that the kind defines. */
    std::string_view json() const & noexcept MCP_LIFETIMEBOUND {
        std::size_t length = 0;
        const char *text = mcp_message_json(handle_.get(), &length);
        return text == nullptr ? std::string_view() : std::string_view(text, length);
    }
    /** The same of a temporary message, copied. */
    std::string json() const && { return std::string(json()); }
    /** The same as a value; valid as long as the message. */
    mcp::value value() const & noexcept MCP_LIFETIMEBOUND {
        return mcp::value(mcp_message_value(handle_.get()));
    }
    /** The value would end with the temporary: keep the message. */
    mcp::value value() const && = delete;
    /** The text of the result of a tool, a resource or a prompt, if there is any. */
    std::optional<std::string_view> text() const & noexcept MCP_LIFETIMEBOUND {
        std::size_t length = 0;
        const char *text = mcp_message_text(handle_.get(), &length);
        if (text == nullptr) return std::nullopt;
        return std::string_view(text, length);
    }
    /** The same of a temporary message, copied. */
    std::optional<std::string> text() const && { return copied(text()); }
    /** True when a tool failed: a reply with ok whose result has "isError":true. */
    bool is_tool_error() const noexcept { return mcp_message_is_tool_error(handle_.get()); }
    /** The text for people of a failed reply; none for every other message. */
    std::optional<std::string_view> error_text() const & noexcept MCP_LIFETIMEBOUND {
        std::size_t length = 0;
        const char *text = mcp_message_error(handle_.get(), &length);
        if (text == nullptr) return std::nullopt;
        return std::string_view(text, length);
    }
    /** The same of a temporary message, copied. */
    std::optional<std::string> error_text() const && { return copied(error_text()); }
    /** The value at a JSON pointer of json(). */
    result<std::string> get(std::string_view pointer) const {
        const detail::c_text place(pointer);
        const char *json = mcp_message_json(handle_.get(), nullptr);
        char *value = nullptr;
        std::size_t length = 0;
        if (!place.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_json_get(json, place.get(), &value, &length);
        if (status != MCP_OK) return detail::fail(status);
        std::string copy(value, length);
        mcp_string_free(value);
        return copy;
    }
    /**
     * The method of a notification, request or progress message, or the operation that failed;
     * empty if there is none.
     */
    std::string_view method() const & noexcept MCP_LIFETIMEBOUND {
        const char *text = mcp_message_method(handle_.get());
        return text == nullptr ? std::string_view() : std::string_view(text);
    }
    /** The same of a temporary message, copied. */
    std::string method() const && { return std::string(method()); }
    /** The subject of a notification, request or progress message, for a switch statement. */
    mcp::topic topic() const noexcept {
        return static_cast<mcp::topic>(mcp_message_topic(handle_.get()));
    }
    /**
     * The number of the call that a reply, progress message, task state or request belongs to; 0
     * for none.
     */
    std::uint64_t call_id() const noexcept { return mcp_message_call_id(handle_.get()); }
    /** The tag that the application gave to that call; 0 for none. */
    std::uint64_t tag() const noexcept { return mcp_message_tag(handle_.get()); }
    /** The client of the message: compare it with client::native(). */
    mcp_client_t *client() const noexcept { return mcp_message_client(handle_.get()); }
    /** The server it is about, borrowed; see mcp_message_server(). */
    mcp_server_t *server() const noexcept { return mcp_message_server(handle_.get()); }

    /** True when it holds a message. */
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    /** The C handle, borrowed. */
    const mcp_message_t *native() const & noexcept MCP_LIFETIMEBOUND { return handle_.get(); }
    /** It would be freed with the temporary: keep the message, or use release(). */
    const mcp_message_t *native() const && = delete;
    /** Gives the C handle to the caller, who frees it with mcp_message_free(). */
    mcp_message_t *release() noexcept { return handle_.release(); }

private:
    static std::optional<std::string> copied(std::optional<std::string_view> text) {
        if (!text) return std::nullopt;
        return std::string(*text);
    }
    struct free {
        void operator()(mcp_message_t *handle) const noexcept { mcp_message_free(handle); }
    };
    std::unique_ptr<mcp_message_t, free> handle_;
};

namespace detail {

/* A reply of the C API as a result: the message, or the error in it. */
inline result<message> outcome(mcp_status_t status, message reply) {
    if (status == MCP_OK) return reply;
    return fail(status, std::string(reply.json()));
}

inline result<maybe<message>> polled(mcp_status_t status, mcp_message_t *handle) {
    if (status == MCP_OK) return maybe<message>(message(handle));
    if (status > MCP_OK) return maybe<message>();
    return fail(status);
}

} // namespace detail

class queue;

/**
 * Where messages for the program arrive: a queue that it made, or the own one of a client or a
 * server, which is valid as long as its owner.
 */
class queue_view {
public:
    /** No queue. */
    queue_view() = default;
    /** A queue of C, borrowed. */
    explicit queue_view(mcp_queue_t *handle) noexcept : handle_(handle) {}
    /** The queue would be freed with the temporary: keep it. */
    queue_view(queue &&) = delete;
    /** As above. */
    queue_view &operator=(queue &&) = delete;

    /**
     * Waits for the next message of any client; returns none after the timeout or after wake().
     *
     * The result is false for a failure alone, such as status::closed. None is a success, and
     * empty: a loop that takes what is there asks for the value.
     *
     *     while (auto next = queue.poll(std::chrono::seconds(0)).value()) show(next->json());
     */
    result<maybe<message>> poll(time_limit timeout) {
        mcp_message_t *handle = nullptr;
        const mcp_status_t status =
            mcp_queue_poll(handle_, timeout.parameter(), &handle);
        return detail::polled(status, handle);
    }
    /**
     * Ends one wait: the current one or, if no thread waits, the next one. Any thread, and
     * async-signal-safe.
     */
    result<void> wake() noexcept {
        const mcp_status_t status = mcp_queue_wake(handle_);
        if (status == MCP_OK) return {};
        return unexpected(error(static_cast<mcp::status>(status)));
    }
    /** A descriptor that is readable while messages are on the queue; it belongs to the library. */
    result<int> fd() const {
        const std::int32_t found = mcp_queue_fd(handle_);
        if (found < 0) return detail::fail(found);
        return static_cast<int>(found);
    }
    /**
     * Sets the function that is called when the empty queue receives a message. It must only wake
     * the loop of the program.
     */
    result<void> on_ready(std::function<void()> ready) {
        if (!ready) {
            return detail::done(mcp_queue_on_ready(handle_, nullptr, nullptr, nullptr));
        }
        auto user = std::make_unique<std::function<void()>>(std::move(ready));
        return detail::done(mcp_queue_on_ready(
            handle_,
            [](void *it) {
                detail::guard(std::ref(*static_cast<std::function<void()> *>(it)),
                              "queue::on_ready()");
            },
            user.release(), [](void *it) { delete static_cast<std::function<void()> *>(it); }));
    }

    /** True when it holds a queue. */
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    /** The C handle, borrowed. */
    mcp_queue_t *native() const noexcept { return handle_; }

private:
    friend class queue;
    mcp_queue_t *handle_ = nullptr;
};

/** A queue of the program, which several clients and servers can share. It owns what it holds. */
class queue : public queue_view {
public:
    queue() = default;
    /** Takes the queue of the other one. */
    queue(queue &&other) noexcept { std::swap(handle_, other.handle_); }
    /** Frees its own queue and takes that of the other one. */
    queue &operator=(queue &&other) noexcept {
        queue taken(std::move(other));
        std::swap(handle_, taken.handle_);
        return *this;
    }
    queue(const queue &) = delete;
    queue &operator=(const queue &) = delete;
    ~queue() { mcp_queue_free(handle_); }

    /** Creates a queue; `config` is the JSON of mcp_queue_new(). */
    static result<queue> make(std::string_view config = {}) {
        const detail::c_text text(config);
        mcp_queue_t *handle = nullptr;
        char *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_queue_new(text.or_null(), &handle, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        queue made;
        made.handle_ = handle;
        return made;
    }

    /** The C handle, borrowed. */
    mcp_queue_t *native() const & noexcept MCP_LIFETIMEBOUND { return handle_; }
    /** It would be freed with the temporary: keep the queue, or use release(). */
    mcp_queue_t *native() const && = delete;
    /** Gives the C handle to the caller, who frees it with mcp_queue_free(). */
    mcp_queue_t *release() noexcept { return std::exchange(handle_, nullptr); }
};

/**
 * The options of a call, with their names in docs/reference/configuration.md. An option that is
 * not set, or is empty, has its configured value.
 *
 * Times have the limits of mcp::options: mcp::forever is a year, and a time that is zero or
 *   negative is a millisecond.
 */
struct call_options {
    /** The timeout of the call. */
    std::optional<time_limit> timeout{};
    /** The longest time of the call, also when progress resets the timeout. */
    std::optional<time_limit> max_total{};
    /** Deliver kind::progress messages. */
    bool progress = false;
    /** Members for `_meta` of the request, as a JSON object. */
    std::string meta{};
    /** "never" or "safe". */
    std::string retry{};
    /** "fail" or "wait". */
    std::string when_unavailable{};
    /** True when progress resets the timeout of the call. */
    std::optional<bool> reset_on_progress{};
    /** The trace of the call (W3C Trace Context). */
    std::string traceparent{};
    /** The application's span that makes the call: the call's own span is its child. */
    std::string parent{};
    /** Vendor data of the trace (W3C Trace Context). */
    std::string tracestate{};
    /** W3C Baggage. */
    std::string baggage{};
    /** 2026-07-28: the lowest level of log messages during the call, such as "info". */
    std::string log_level{};
    /** client::call(): send the method as it is written, and hand over the result as it is. */
    bool raw = false;
    /** Lists: read only the page at this cursor. Not set: all pages. */
    std::optional<std::string> cursor{};
    /** Lists: read only the first page. */
    bool one_page = false;
    /** Features: "use", "refresh" or "bypass" the cache. */
    std::string cache{};
    /** Skills: allow files of a dynamic skill. */
    bool allow_dynamic = false;
    /** call_tool(): as a task or not. */
    std::optional<bool> task{};
    /** call_tool(), 2025-11-25: how long the server is asked to keep the task. */
    std::optional<time_limit> task_ttl{};
};

/**
 * The options of a call: JSON text, call_options, or only a timeout.
 *
 * A time is rounded up to milliseconds. The longest time is a year: mcp::forever and every other
 * longer time become a year. The shortest is a millisecond: zero and negative times become one.
 */
class options {
public:
    options() = default;
    /** JSON text. */
    options(std::string_view json) : json_(json) {}
    /** JSON text. */
    options(const std::string &json) : json_(json) {}
    /** JSON text; a null pointer means none. */
    options(const char *json) : json_(json == nullptr ? "" : json) {}
    /** The members of call_options that are set. */
    options(const call_options &chosen) {
        object members;
        set_time(members, "timeout_ms", chosen.timeout);
        set_time(members, "max_total_ms", chosen.max_total);
        if (chosen.progress) members.set("progress", true);
        set_meta(members, chosen.meta);
        set_text(members, "retry", chosen.retry);
        set_text(members, "when_unavailable", chosen.when_unavailable);
        if (chosen.reset_on_progress) members.set("reset_on_progress", *chosen.reset_on_progress);
        set_text(members, "traceparent", chosen.traceparent);
        set_text(members, "parent", chosen.parent);
        set_text(members, "tracestate", chosen.tracestate);
        set_text(members, "baggage", chosen.baggage);
        set_text(members, "log_level", chosen.log_level);
        if (chosen.raw) members.set("raw", true);
        if (chosen.cursor) members.set("cursor", *chosen.cursor);
        if (chosen.one_page) members.set("one_page", true);
        set_text(members, "cache", chosen.cache);
        if (chosen.allow_dynamic) members.set("allow_dynamic", true);
        if (chosen.task) members.set("task", *chosen.task);
        set_time(members, "task_ttl_ms", chosen.task_ttl);
        keep(members);
    }
    /** The timeout of the call. */
    options(time_limit timeout) {
        object members;
        keep(members.set("timeout_ms", timeout.option()));
    }
    /** The timeout of the call. */
    template <class Rep, class Period>
    options(std::chrono::duration<Rep, Period> timeout) : options(time_limit(timeout)) {}

    /** The JSON text for mcp_call(); empty for none. */
    const std::string &json() const & noexcept MCP_LIFETIMEBOUND { return json_; }
    /** The same of temporary options. */
    std::string json() && noexcept { return std::move(json_); }
    /** Why call_options cannot be written as JSON: a text in them is not UTF-8. */
    const std::optional<error> &mistake() const & noexcept MCP_LIFETIMEBOUND { return mistake_; }
    /** The same of temporary options. */
    std::optional<error> mistake() && noexcept { return std::move(mistake_); }

private:
    static void set_time(object &members, const char *key, const std::optional<time_limit> &time) {
        if (time) members.set(key, time->option());
    }
    static void set_text(object &members, const char *key, const std::string &text) {
        if (!text.empty()) members.set(key, text);
    }
    /* A text that is no object is written as a string, which the library refuses by its key. */
    static void set_meta(object &members, const std::string &json) {
        if (json.empty()) return;
        const auto parsed = document::parse(json);
        if (parsed && parsed->value().type() == json_type::object) {
            members.set_json("meta", json.c_str());
        } else {
            members.set("meta", json);
        }
    }
    void keep(object &members) {
        const auto text = members.json();
        if (!text) {
            mistake_ = text.error();
        } else if (*text != "{}") {
            json_ = *text;
        }
    }

    std::string json_;
    std::optional<error> mistake_;
};

/**
 * A request: a feature of MCP, the same on every revision, or any method. Create it with a function
 * below and pass it to client::call(), client::start() or a dispatcher. mcp.h describes the result
 * of each.
 */
class feature {
public:
    /** Any method with its parameters. */
    static feature method(std::string_view name, std::string_view params = {}) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_call(on, it.texts_[0].get(), it.texts_[1].or_null(), how, reply);
            },
            [](const feature &it, mcp_client_t *on, const char *how, std::uint64_t tag,
               std::uint64_t *id, char **why) {
                return mcp_call_start(on, it.texts_[0].get(), it.texts_[1].or_null(), how, tag, id,
                                      why);
            },
            name, params);
    }
    /** Lists the tools of the server, all pages as one list. */
    static feature list_tools() {
        return feature(
            [](const feature &, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_list_tools(on, how, reply);
            },
            "tools/list", std::string());
    }
    /** Lists the resources of the server. */
    static feature list_resources() { return method("resources/list"); }
    /** Lists the resource templates of the server. */
    static feature list_resource_templates() { return method("resources/templates/list"); }
    /** Lists the prompts of the server. */
    static feature list_prompts() { return method("prompts/list"); }
    /** Calls a tool; `arguments` is a JSON object. */
    static feature call_tool(std::string_view name, std::string_view arguments = {}) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_call_tool(on, it.texts_[0].get(), it.texts_[1].or_null(), how,
                                            reply);
            },
            [](const feature &it, mcp_client_t *on, const char *how, std::uint64_t tag,
               std::uint64_t *id, char **why) {
                return mcp_client_call_tool_start(on, it.texts_[0].get(), it.texts_[1].or_null(),
                                                  how, tag, id, why);
            },
            name, arguments);
    }
    /** Reads the contents of a resource. */
    static feature read_resource(std::string_view uri) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_read_resource(on, it.texts_[0].get(), how, reply);
            },
            [](const feature &it, mcp_client_t *on, const char *how, std::uint64_t tag,
               std::uint64_t *id, char **why) {
                return mcp_client_read_resource_start(on, it.texts_[0].get(), how, tag, id, why);
            },
            uri);
    }
    /** Subscribes to a resource: topic::resource_updated arrives when it changes. */
    static feature subscribe(std::string_view uri) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_subscribe_resource(on, it.texts_[0].get(), how, reply);
            },
            "resources/subscribe", object().set("uri", uri).json(), uri);
    }
    /** Ends a subscription of subscribe(). */
    static feature unsubscribe(std::string_view uri) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_unsubscribe_resource(on, it.texts_[0].get(), how, reply);
            },
            "resources/unsubscribe", object().set("uri", uri).json(), uri);
    }
    /** Gets a prompt with its arguments filled in; `arguments` is a JSON object of strings. */
    static feature get_prompt(std::string_view name, std::string_view arguments = {}) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_get_prompt(on, it.texts_[0].get(), it.texts_[1].or_null(), how,
                                             reply);
            },
            [](const feature &it, mcp_client_t *on, const char *how, std::uint64_t tag,
               std::uint64_t *id, char **why) {
                return mcp_client_get_prompt_start(on, it.texts_[0].get(), it.texts_[1].or_null(),
                                                   how, tag, id, why);
            },
            name, arguments);
    }
    /**
     * Asks for values that complete what was typed for an argument; `ref` and `settled` as for
     * mcp_client_complete().
     */
    static feature complete(std::string_view ref, std::string_view argument, std::string_view typed,
                            std::string_view settled = {}) {
        object params;
        params.set_json("ref", std::string(ref).c_str());
        params.set("argument", object().set("name", argument).set("value", typed));
        if (!settled.empty()) {
            params.set("context", object().set_json("arguments", std::string(settled).c_str()));
        }
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_complete(on, it.texts_[0].get(), it.texts_[1].get(),
                                           it.texts_[2].get(), it.texts_[3].or_null(), how, reply);
            },
            "completion/complete", std::move(params).json(), ref, argument, typed, settled);
    }
    /** Sets the lowest level of the log messages of the server, such as "warning". */
    static feature set_server_log_level(std::string_view level) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_set_server_log_level(on, it.texts_[0].get(), how, reply);
            },
            "logging/setLevel", object().set("level", level).json(), level);
    }
    /** Checks that the server answers. */
    static feature ping() { return method("ping"); }
    /** Lists the skills of the server, {"skills":[...]}, one entry each. No file is read. */
    static feature list_skills() { return method("skills/list"); }
    /**
     * Gets the entry of one skill, {"skill":{...}}; `uri` is that of its SKILL.md. No file is read.
     */
    static feature get_skill(std::string_view uri) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_call(on, it.method_, it.params_.or_null(), how, reply);
            },
            "skills/get", object().set("uri", uri).json(), uri);
    }
    /**
     * Reads the SKILL.md of a skill if it matches its entry: message::text(). `entry` is JSON from
     * list_skills() or get_skill().
     */
    static feature load_skill(std::string_view entry) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_load_skill(on, it.texts_[0].get(), how, reply);
            },
            [](const feature &it, mcp_client_t *on, const char *how, std::uint64_t tag,
               std::uint64_t *id, char **why) {
                return mcp_client_load_skill_start(on, it.texts_[0].get(), how, tag, id, why);
            },
            entry);
    }
    /**
     * Reads a file of a skill if it matches the entry; `path` is within the folder of the skill,
     * such as "references/FORMS.md".
     */
    static feature read_skill_file(std::string_view entry, std::string_view path) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_read_skill_file(on, it.texts_[0].get(), it.texts_[1].get(), how,
                                                  reply);
            },
            [](const feature &it, mcp_client_t *on, const char *how, std::uint64_t tag,
               std::uint64_t *id, char **why) {
                return mcp_client_read_skill_file_start(on, it.texts_[0].get(), it.texts_[1].get(),
                                                        how, tag, id, why);
            },
            entry, path);
    }
    /** Lists the tasks that the server keeps, {"tasks":[...]}. */
    static feature list_tasks() { return method("tasks/list"); }
    /** Gets the current state of a task; `task_id` is the "taskId" of a message of topic::task. */
    static feature get_task(std::string_view task_id) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_get_task(on, it.texts_[0].get(), how, reply);
            },
            "tasks/get", object().set("taskId", task_id).json(), task_id);
    }
    /**
     * Waits for the result of a task, in the form of the call that became the task; also in another
     * process than the caller's.
     */
    static feature get_task_result(std::string_view task_id) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_get_task_result(on, it.texts_[0].get(), how, reply);
            },
            "tasks/result", object().set("taskId", task_id).json(), task_id);
    }
    /**
     * Asks the server to cancel a task. If the task belongs to a call of this client, use
     * client::cancel() instead.
     */
    static feature cancel_task(std::string_view task_id) {
        return feature(
            [](const feature &it, mcp_client_t *on, const char *how, mcp_message_t **reply) {
                return mcp_client_cancel_task(on, it.texts_[0].get(), how, reply);
            },
            "tasks/cancel", object().set("taskId", task_id).json(), task_id);
    }

#if !defined(MCP_DOXYGEN)
    MCP_OLD_NAME(static auto, set_log_level, set_server_log_level)
    MCP_OLD_NAME(static auto, read_skill, read_skill_file)
    MCP_OLD_NAME(static auto, task_result, get_task_result)
#endif

private:
    friend class client;
    using calls = mcp_status_t (*)(const feature &, mcp_client_t *, const char *, mcp_message_t **);
    using starts = mcp_status_t (*)(const feature &, mcp_client_t *, const char *, std::uint64_t,
                                    std::uint64_t *, char **);

    feature(calls call, starts start, std::string_view first = {}, std::string_view second = {},
            std::string_view third = {}, std::string_view fourth = {})
        : call_(call), start_(start),
          texts_{detail::c_text(first), detail::c_text(second), detail::c_text(third),
                 detail::c_text(fourth)} {}

    /* A feature that is started by its method. */
    feature(calls call, const char *method, const result<std::string> &params,
            std::string_view first = {}, std::string_view second = {}, std::string_view third = {},
            std::string_view fourth = {})
        : feature(
              call,
              [](const feature &it, mcp_client_t *on, const char *how, std::uint64_t tag,
                 std::uint64_t *id, char **why) {
                  return mcp_call_start(on, it.method_, it.params_.or_null(), how, tag, id, why);
              },
              first, second, third, fourth) {
        method_ = method;
        if (params) {
            params_ = detail::c_text(*params);
        } else {
            mistake_ = params.error();
        }
    }

    bool fits() const noexcept { return detail::fit(texts_[0], texts_[1], texts_[2], texts_[3]); }

    calls call_;
    starts start_;
    detail::c_text texts_[4];
    const char *method_ = nullptr;
    detail::c_text params_{std::string_view()};
    /* Why the parameters cannot be written: a text in them is not UTF-8, or is no JSON. */
    std::optional<error> mistake_;
};

/**
 * One connection of a transport that the program implements. Deliver the messages of the server to
 * it.
 *
 * It is a value: copies identify the same connection. After transport::close() or closed() its
 * functions return an error.
 */
class connection {
public:
    connection() = default;
    /** Wraps the C handle. */
    explicit connection(mcp_transport_t *handle) noexcept : handle_(handle) {}

    /** Delivers one message from the server. Any thread, also inside transport::send(). */
    result<void> deliver(std::string_view frame) const {
        return detail::done(mcp_transport_deliver(handle_, frame.data(), frame.size()));
    }
    /** Tells the library that the connection has ended; `reason` may be empty. */
    result<void> closed(std::string_view reason = {}) const {
        const detail::c_text why(reason);
        if (!why.fits()) return detail::has_nul();
        return detail::done(mcp_transport_closed(handle_, why.or_null()));
    }

    /** The C handle. */
    mcp_transport_t *native() const noexcept { return handle_; }
    /** True if both are the same connection. */
    friend bool operator==(connection left, connection right) noexcept {
        return left.handle_ == right.handle_;
    }
    /** True if they are different connections. */
    friend bool operator!=(connection left, connection right) noexcept { return !(left == right); }

private:
    mcp_transport_t *handle_ = nullptr;
};

/**
 * A transport that the program implements: a pipe to another machine, a message bus, another part
 * of the same program.
 *
 * The library calls the functions one at a time, in order, with no lock held. They must return
 * soon, must not wait for the client and must not free it. An exception that leaves open() or
 * send() ends the connection. The client owns the transport and destroys it last, in the destructor
 * of the client.
 */
class transport {
public:
    virtual ~transport() = default;
    /**
     * Opens a connection without waiting for the other side. Any status but ok means that the
     * attempt failed.
     */
    virtual mcp::status open(connection to) = 0;
    /**
     * Sends one message, JSON without line breaks, and buffers what cannot be sent at once. Any
     * status but ok ends the connection.
     */
    virtual mcp::status send(connection to, std::string_view frame) = 0;
    /** Tells that the connection has ended. Called once for each connection that was opened. */
    virtual void close(connection gone) = 0;
};

namespace detail {
/* Ends a connection whose transport threw. */
inline mcp_status_t end(mcp_transport_t *of, const char *what_failed, const char *text) {
    const std::string reason = failure(what_failed, text);
    // The text of an exception need not be UTF-8.
    if (mcp_transport_closed(of, reason.c_str()) == MCP_ERROR_INVALID_ARGUMENT) {
        mcp_transport_closed(of, what_failed);
    }
    return MCP_ERROR_TRANSPORT;
}

/** The C functions of a transport, whose user pointer is the transport. */
inline mcp_transport_functions_t functions_of_transport() noexcept {
    mcp_transport_functions_t functions{};
    functions.size = sizeof functions;
    functions.version = MCP_TRANSPORT_VERSION;
    functions.open = [](void *user, mcp_transport_t *to) {
        auto *const over = static_cast<transport *>(user);
        return guard([=] { return static_cast<mcp_status_t>(over->open(connection(to))); },
                     [=](const char *text) { return end(to, "transport::open() failed", text); });
    };
    functions.send = [](void *user, mcp_transport_t *to, const char *frame,
                        std::size_t length) {
        const std::string_view message(frame, length);
        auto *const over = static_cast<transport *>(user);
        return guard(
            [=] { return static_cast<mcp_status_t>(over->send(connection(to), message)); },
            [=](const char *text) { return end(to, "transport::send() failed", text); });
    };
    functions.close = [](void *user, mcp_transport_t *gone) {
        auto *const over = static_cast<transport *>(user);
        guard([=] { over->close(connection(gone)); }, "transport::close()");
    };
    functions.destroy = [](void *user) { delete static_cast<transport *>(user); };
    return functions;
}
} // namespace detail

/** The bytes of a value, an entry or a message. */
inline std::string_view bytes_view(const void *data, std::size_t length) noexcept {
    if (length == 0) return {};
    return {static_cast<const char *>(data), length};
}

/**
 * One operation that a store has; see mcp_store_functions_t. It is a value: copies identify the
 * same operation. After done() its functions return an error.
 */
class store_call {
public:
    store_call() = default;
    /** Wraps the C handle. */
    explicit store_call(mcp_store_call_t *handle) noexcept : handle_(handle) {}

    /** Gives the value that is there; see mcp_store_found(). */
    result<void> found(std::string_view value, std::uint64_t version) const {
        return detail::done(mcp_store_found(handle_, value.data(), value.size(), version));
    }
    /** Gives the next entry of a stream; see mcp_store_entry(). */
    result<void> entry(std::uint64_t place, std::string_view data) const {
        return detail::done(mcp_store_entry(handle_, place, data.data(), data.size()));
    }
    /** Ends the operation; see mcp_store_done(). */
    result<void> done(mcp::status outcome, std::uint64_t version = 0,
                      std::int64_t unix_ms = 0) const {
        return detail::done(
            mcp_store_done(handle_, static_cast<mcp_status_t>(outcome), version, unix_ms));
    }

    /** The C handle. */
    mcp_store_call_t *native() const noexcept { return handle_; }

private:
    mcp_store_call_t *handle_ = nullptr;
};

/** A channel that is watched, until store::unwatch(). It is a value. */
class store_watch {
public:
    store_watch() = default;
    /** Wraps the C handle. */
    explicit store_watch(mcp_store_watch_t *handle) noexcept : handle_(handle) {}

    /** Gives a message of the channel; see mcp_store_event(). */
    result<void> event(std::string_view data) const {
        return detail::done(mcp_store_event(handle_, data.data(), data.size()));
    }
    /** Tells that the watch has begun, or that messages may be lost; see mcp_store_missed(). */
    result<void> missed() const { return detail::done(mcp_store_missed(handle_)); }

    /** The C handle. */
    mcp_store_watch_t *native() const noexcept { return handle_; }

private:
    mcp_store_watch_t *handle_ = nullptr;
};

/** What a store tells of itself. It is a value, valid until the store is destroyed. */
class store_link {
public:
    store_link() = default;
    /** Wraps the C handle. */
    explicit store_link(mcp_store_t *handle) noexcept : handle_(handle) {}

    /** Tells that the store can be asked, and what it is; see mcp_store_ready(). */
    result<void> ready(std::string_view generation) const {
        const detail::c_text text(generation);
        if (!text.fits()) return detail::has_nul();
        return detail::done(mcp_store_ready(handle_, text.get(), 0));
    }
    /** Tells that it cannot be asked, and why; see mcp_store_lost(). */
    result<void> lost(std::string_view why = {}) const {
        const detail::c_text text(why);
        if (!text.fits()) return detail::has_nul();
        return detail::done(mcp_store_lost(handle_, text.or_null()));
    }

    /** The C handle. */
    mcp_store_t *native() const noexcept { return handle_; }

private:
    mcp_store_t *handle_ = nullptr;
};

/**
 * A store that several processes of one server share, and that the program implements; see
 * mcp_store_functions_t. The functions must not wait. An exception that leaves one of them ends the
 * operation as one that is not done. A server owns the store and destroys it last.
 */
class store {
public:
    virtual ~store() = default;
    /** What the store tells of itself, before any other function is called. */
    virtual void opened(store_link link) = 0;
    /** Gives the value of a key. */
    virtual mcp::status get(store_call call, std::string_view key) = 0;
    /** Puts a value if the version is there that is expected; without a value it deletes. */
    virtual mcp::status put(store_call call, std::string_view key,
                            std::optional<std::string_view> value, std::uint64_t expected,
                            std::chrono::milliseconds life) = 0;
    /** Appends an entry to a stream; only the newest `most` stay. */
    virtual mcp::status append(store_call call, std::string_view stream, std::string_view entry,
                               std::uint64_t place, std::uint32_t most,
                               std::chrono::milliseconds life) = 0;
    /** Reads entries of a stream. */
    virtual mcp::status read(store_call call, std::string_view stream, std::uint64_t after,
                             std::uint32_t most, std::size_t bytes) = 0;
    /** Sends a message to all that watch a channel. */
    virtual mcp::status publish(store_call call, std::string_view channel,
                                std::string_view data) = 0;
    /** From now on messages of a channel are told. */
    virtual mcp::status watch(store_watch on, std::string_view channel) = 0;
    /** That ends. */
    virtual void unwatch(store_watch on) = 0;
    /** The time of an operation is over. */
    virtual void forget(store_call) {}
};

namespace detail {
/* What an operation of a store comes to whose function threw. */
template <class Run> mcp_status_t asked(Run run) noexcept {
    return guard([&] { return static_cast<mcp_status_t>(run()); },
                 [](const char *) -> mcp_status_t { return MCP_ERROR_UNAVAILABLE; });
}

inline store &store_of(void *user) noexcept { return *static_cast<store *>(user); }

/** The C functions of a store, whose user pointer is the store. */
inline mcp_store_functions_t functions_of_store() noexcept {
    mcp_store_functions_t functions{};
    functions.size = sizeof functions;
    functions.version = MCP_STORE_VERSION;
    functions.get = [](void *user, mcp_store_call_t *call, const char *key) {
        return asked([=] { return store_of(user).get(store_call(call), key); });
    };
    functions.put = [](void *user, mcp_store_call_t *call, const char *key, const void *value,
                       std::size_t length, std::uint64_t expected, std::int64_t life) {
        return asked([=] {
            std::optional<std::string_view> given;
            if (value != nullptr) given = bytes_view(value, length);
            return store_of(user).put(store_call(call), key, given, expected,
                                      std::chrono::milliseconds(life));
        });
    };
    functions.append = [](void *user, mcp_store_call_t *call, const char *stream,
                          const void *entry, std::size_t length, std::uint64_t place,
                          std::uint32_t most, std::int64_t life) {
        return asked([=] {
            return store_of(user).append(store_call(call), stream, bytes_view(entry, length),
                                         place, most, std::chrono::milliseconds(life));
        });
    };
    functions.read = [](void *user, mcp_store_call_t *call, const char *stream,
                        std::uint64_t after, std::uint32_t most, std::size_t bytes) {
        return asked([=] {
            return store_of(user).read(store_call(call), stream, after, most, bytes);
        });
    };
    functions.publish = [](void *user, mcp_store_call_t *call, const char *channel,
                           const void *data, std::size_t length) {
        return asked([=] {
            return store_of(user).publish(store_call(call), channel, bytes_view(data, length));
        });
    };
    functions.watch = [](void *user, mcp_store_watch_t *watch, const char *channel) {
        return asked([=] { return store_of(user).watch(store_watch(watch), channel); });
    };
    functions.unwatch = [](void *user, mcp_store_watch_t *watch) {
        guard([=] { store_of(user).unwatch(store_watch(watch)); }, "store::unwatch()");
    };
    functions.forget = [](void *user, mcp_store_call_t *call) {
        guard([=] { store_of(user).forget(store_call(call)); }, "store::forget()");
    };
    functions.destroy = [](void *user) { delete static_cast<store *>(user); };
    return functions;
}

/* Makes the C store, which owns the store whatever comes. */
inline mcp_status_t make_store(std::unique_ptr<store> of, mcp_store_t **out, char **why) {
    const mcp_store_functions_t functions = functions_of_store();
    store *const it = of.release();
    const mcp_status_t status = mcp_store_new(&functions, it, out, why);
    if (status == MCP_OK) {
        mcp_store_t *const handle = *out;
        guard([=] { it->opened(store_link(handle)); }, "store::opened()");
    }
    return status;
}
} // namespace detail

/**
 * Has the library open the URLs of one scheme with a function of the program; see
 * mcp_store_register(). The function gets the URL and gives the store; or none, and writes what is
 * wrong with the URL to `why`. An empty function removes the scheme.
 */
inline result<void>
register_store(std::string_view scheme,
               std::function<std::unique_ptr<store>(std::string_view url, std::string &why)> open) {
    using function = std::function<std::unique_ptr<store>(std::string_view, std::string &)>;
    const detail::c_text text(scheme);
    char *why = nullptr;
    if (!text.fits()) return detail::has_nul();
    if (!open) {
        const mcp_status_t status =
            mcp_store_register(text.get(), nullptr, nullptr, nullptr, &why);
        return detail::done(status, why);
    }
    auto user = std::make_unique<function>(std::move(open));
    const mcp_status_t status = mcp_store_register(
        text.get(),
        [](void *it, const char *url, mcp_store_t **out, char *told, std::size_t room) {
            std::string wrong;
            const mcp_status_t opened = detail::asked([&] {
                std::unique_ptr<store> made = (*static_cast<function *>(it))(url, wrong);
                if (made == nullptr) return mcp::status::invalid_argument;
                return static_cast<mcp::status>(detail::make_store(std::move(made), out, nullptr));
            });
            if (room > 0) told[wrong.copy(told, room - 1)] = 0;
            return opened;
        },
        user.release(), [](void *it) { delete static_cast<function *>(it); }, &why);
    return detail::done(status, why);
}

class server;

struct opened_server;
result<std::vector<opened_server>> config_open(std::string_view path, queue &on,
                                               std::string_view options = {});

/**
 * One logical connection to one server. Several threads may use it at the same time; only its
 * destructor needs exclusive access.
 */
class client {
public:
    client() = default;

    /**
     * Creates a client from a JSON configuration. It starts nothing: connect() or the first call
     * starts the connection.
     */
    static result<client> make(std::string_view config) { return make(nullptr, config); }

    /** As above, with the messages on a queue that must exist longer than the client. */
    static result<client> make(mcp::queue &on, std::string_view config) {
        return make(on.native(), config);
    }

    /**
     * Creates a client over a transport that the program implements; `config` has no command and no
     * URL.
     */
    static result<client> make(std::unique_ptr<transport> over, std::string_view config = "{}") {
        return make(nullptr, config, std::move(over));
    }
    /** As above, with the messages on a queue that must exist longer than the client. */
    static result<client> make(mcp::queue &on, std::unique_ptr<transport> over,
                               std::string_view config = "{}") {
        return make(on.native(), config, std::move(over));
    }
    /**
     * Creates a client of a server in the same process; see mcp_client_new_in_process(). The queue
     * may be that of the server.
     */
    static result<client> in_process(server &of, std::string_view config = "{}",
                                     mcp_queue_t *on = nullptr);

    friend result<std::vector<opened_server>> config_open(std::string_view path, mcp::queue &on,
                                                          std::string_view options);

    /** Starts the connection if necessary and waits until it is ready. */
    result<void> connect(time_limit timeout) {
        char *why = nullptr;
        const mcp_status_t status =
            mcp_client_connect(handle_.get(), timeout.parameter(), &why);
        return detail::done(status, why);
    }
    /** Starts the connection and waits until the attempt has succeeded or failed. */
    result<void> connect() { return connect(forever); }
    /**
     * connect() as a started call: the outcome arrives on the queue with `tag`. Returns the number
     * for cancel().
     */
    result<std::uint64_t> connect_start(time_limit timeout,
                                        std::uint64_t tag = 0) {
        std::uint64_t id = 0;
        char *why = nullptr;
        const mcp_status_t status =
            mcp_client_connect_start(handle_.get(), timeout.parameter(), tag, &id, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return id;
    }
    /** The state of the connection. */
    result<mcp::state> state() const {
        const mcp_client_state_t found = mcp_client_state(handle_.get());
        if (found < 0) return detail::fail(found);
        return static_cast<mcp::state>(found);
    }
    /** Describes the connection as JSON; see mcp_client_info(). */
    result<std::string> info() const {
        char *info = nullptr, *why = nullptr;
        const mcp_status_t status = mcp_client_info(handle_.get(), &info, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return detail::taken(info);
    }
    /**
     * Closes the connection: pending calls end as status::closed, and the library ends the server.
     */
    result<void> close(time_limit timeout) {
        return detail::done(mcp_client_close(handle_.get(), timeout.parameter()));
    }
    /** Closes the connection within the configured time. */
    result<void> close() { return close(forever); }

    /** Calls a method and waits for the outcome: the reply or the error. */
    result<message> call(std::string_view method, std::string_view params = {},
                         const options &how = {}) {
        const detail::c_text name(method), given(params), chosen(how.json());
        mcp_message_t *reply = nullptr;
        if (how.mistake()) return unexpected(*how.mistake());
        if (!detail::fit(name, given, chosen)) return detail::has_nul();
        const mcp_status_t status =
            mcp_call(handle_.get(), name.get(), given.or_null(), chosen.or_null(), &reply);
        return detail::outcome(status, message(reply));
    }
    /** Sends the request of a feature and waits for the outcome. */
    result<message> call(const feature &what, const options &how = {}) {
        const detail::c_text chosen(how.json());
        mcp_message_t *reply = nullptr;
        if (how.mistake()) return unexpected(*how.mistake());
        if (!what.fits() || !chosen.fits()) return detail::has_nul();
        const mcp_status_t status = what.call_(what, handle_.get(), chosen.or_null(), &reply);
        return detail::outcome(status, message(reply));
    }
    /** Starts the request of a feature: its outcome arrives on the queue with `tag`. */
    result<std::uint64_t> start(const feature &what, const options &how = {},
                                std::uint64_t tag = 0) {
        const detail::c_text chosen(how.json());
        std::uint64_t id = 0;
        char *why = nullptr;
        if (how.mistake()) return unexpected(*how.mistake());
        if (!what.fits() || !chosen.fits()) return detail::has_nul();
        if (what.mistake_) return unexpected(*what.mistake_);
        const mcp_status_t status =
            what.start_(what, handle_.get(), chosen.or_null(), tag, &id, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return id;
    }

    /**
     * Calls a tool; `arguments` is a JSON object. message::text() returns the text of the result.
     */
    result<message> call_tool(std::string_view name, std::string_view arguments = {},
                              const options &how = {}) {
        return call(feature::call_tool(name, arguments), how);
    }
    /** Lists the tools of the server, all pages as one list. */
    result<message> list_tools(const options &how = {}) { return call(feature::list_tools(), how); }
    /** Lists the resources of the server. */
    result<message> list_resources(const options &how = {}) {
        return call(feature::list_resources(), how);
    }
    /** Lists the resource templates of the server. */
    result<message> list_resource_templates(const options &how = {}) {
        return call(feature::list_resource_templates(), how);
    }
    /** Lists the prompts of the server. */
    result<message> list_prompts(const options &how = {}) {
        return call(feature::list_prompts(), how);
    }
    /** Reads the contents of a resource. */
    result<message> read_resource(std::string_view uri, const options &how = {}) {
        return call(feature::read_resource(uri), how);
    }
    /**
     * Subscribes to a resource: topic::resource_updated arrives when it changes, on every revision.
     */
    result<message> subscribe(std::string_view uri, const options &how = {}) {
        return call(feature::subscribe(uri), how);
    }
    /** Ends a subscription of subscribe(). */
    result<message> unsubscribe(std::string_view uri, const options &how = {}) {
        return call(feature::unsubscribe(uri), how);
    }
    /** Gets a prompt with its arguments filled in. */
    result<message> get_prompt(std::string_view name, std::string_view arguments = {},
                               const options &how = {}) {
        return call(feature::get_prompt(name, arguments), how);
    }
    /** Asks for values that complete what was typed for an argument. */
    result<message> complete(std::string_view ref, std::string_view argument,
                             std::string_view typed,
                             std::string_view settled = {}, const options &how = {}) {
        return call(feature::complete(ref, argument, typed, settled), how);
    }
    /** Sets the lowest level of the log messages of the server. */
    result<message> set_server_log_level(std::string_view level, const options &how = {}) {
        return call(feature::set_server_log_level(level), how);
    }
    /** Checks that the server answers. */
    result<message> ping(const options &how = {}) { return call(feature::ping(), how); }
    /** Lists the skills of the server, one entry each. No file is read. */
    result<message> list_skills(const options &how = {}) {
        return call(feature::list_skills(), how);
    }
    /** Gets the entry of one skill, listed or not; `uri` is that of its SKILL.md. */
    result<message> get_skill(std::string_view uri, const options &how = {}) {
        return call(feature::get_skill(uri), how);
    }
    /**
     * Reads the SKILL.md of a skill and checks it against the entry: message::text().
     * docs/guide/skills.md says what the program must check.
     */
    result<message> load_skill(std::string_view entry, const options &how = {}) {
        return call(feature::load_skill(entry), how);
    }
    /** Reads a file of a skill and checks it against the entry with which the skill was loaded. */
    result<message> read_skill_file(std::string_view entry, std::string_view path,
                                    const options &how = {}) {
        return call(feature::read_skill_file(entry, path), how);
    }
    /** Lists the tasks that the server keeps; only 2025-11-25 has this list. */
    result<message> list_tasks(const options &how = {}) { return call(feature::list_tasks(), how); }
    /** Gets the current state of a task. */
    result<message> get_task(std::string_view task_id, const options &how = {}) {
        return call(feature::get_task(task_id), how);
    }
    /** Waits for the result of a task, in the form of the call that became the task. */
    result<message> get_task_result(std::string_view task_id, const options &how = {}) {
        return call(feature::get_task_result(task_id), how);
    }
    /** Asks the server to cancel a task. */
    result<message> cancel_task(std::string_view task_id, const options &how = {}) {
        return call(feature::cancel_task(task_id), how);
    }
    /**
     * Sets the roots that the client returns to servers: a JSON array of URIs, or of objects with
     * "uri". Never waits.
     */
    result<void> set_roots(std::string_view roots_json) {
        const detail::c_text roots(roots_json);
        char *why = nullptr;
        if (!roots.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_client_set_roots(handle_.get(), roots.get(), &why);
        return detail::done(status, why);
    }
    /** Drops all cached results of the client. */
    result<void> clear_cache() { return detail::done(mcp_client_clear_cache(handle_.get())); }

    /**
     * Starts a call: its outcome arrives on the queue with `tag`. Returns the number of the call
     * for cancel().
     */
    result<std::uint64_t> start(std::string_view method, std::string_view params = {},
                                const options &how = {},
                                std::uint64_t tag = 0) {
        const detail::c_text name(method), given(params), chosen(how.json());
        std::uint64_t id = 0;
        char *why = nullptr;
        if (how.mistake()) return unexpected(*how.mistake());
        if (!detail::fit(name, given, chosen)) return detail::has_nul();
        const mcp_status_t status = mcp_call_start(handle_.get(), name.get(), given.or_null(),
                                                   chosen.or_null(), tag, &id, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return id;
    }
    /**
     * Waits for the outcome of a call that was started and takes it from the queue. No message when
     * the time is over: the call continues.
     */
    result<maybe<message>> wait(std::uint64_t call_id, time_limit timeout) {
        mcp_message_t *reply = nullptr;
        const mcp_status_t status =
            mcp_call_wait(handle_.get(), call_id, timeout.parameter(), &reply);
        if (status == MCP_EMPTY) return maybe<message>();
        auto outcome = detail::outcome(status, message(reply));
        if (!outcome) return unexpected(outcome.error());
        return maybe<message>(std::move(*outcome));
    }
    /** Waits until the call ends. */
    result<maybe<message>> wait(std::uint64_t call_id) { return wait(call_id, forever); }
    /** Cancels a call; false if no such call is pending. */
    result<bool> cancel(std::uint64_t call_id, std::string_view reason = {}) {
        const detail::c_text why(reason);
        if (!why.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_call_cancel(handle_.get(), call_id, why.or_null());
        if (status < MCP_OK) return detail::fail(status);
        return status == MCP_OK;
    }
    /** Sends a notification. */
    result<void> notify(std::string_view method, std::string_view params = {}) {
        const detail::c_text name(method), given(params);
        char *why = nullptr;
        if (!detail::fit(name, given)) return detail::has_nul();
        const mcp_status_t status =
            mcp_client_notify(handle_.get(), name.get(), given.or_null(), &why);
        return detail::done(status, why);
    }
    /** Answers a request of the server. */
    result<void> respond(const message &request, std::string_view result_json) {
        const detail::c_text given(result_json);
        char *why = nullptr;
        if (!given.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_request_respond(request.native(), given.get(), &why);
        return detail::done(status, why);
    }
    /** Answers a request of the server with an error. */
    result<void> respond_error(const message &request, std::int32_t code, std::string_view text,
                               std::string_view data_json = {}) {
        const detail::c_text words(text), data(data_json);
        char *why = nullptr;
        if (!detail::fit(words, data)) return detail::has_nul();
        const mcp_status_t status =
            mcp_request_respond_error(request.native(), code, words.get(), data.or_null(), &why);
        return detail::done(status, why);
    }

    /**
     * Accepts an elicitation with what the person entered. The library adds the defaults of the
     * form and checks the content.
     */
    result<void> accept_elicitation(const message &request, std::string_view content_json = {}) {
        const detail::c_text content(content_json);
        char *why = nullptr;
        if (!content.fits()) return detail::has_nul();
        const mcp_status_t status =
            mcp_request_respond_elicitation(request.native(), "accept", content.or_null(), &why);
        return detail::done(status, why);
    }
    /** Answers an elicitation: the person declines. */
    result<void> decline_elicitation(const message &request) {
        char *why = nullptr;
        const mcp_status_t status =
            mcp_request_respond_elicitation(request.native(), "decline", nullptr, &why);
        return detail::done(status, why);
    }
    /** Answers an elicitation: the person closed it without a choice. */
    result<void> cancel_elicitation(const message &request) {
        char *why = nullptr;
        const mcp_status_t status =
            mcp_request_respond_elicitation(request.native(), "cancel", nullptr, &why);
        return detail::done(status, why);
    }

    /**
     * Passes on the URL to which the browser was redirected, after a kind::auth message with
     * "kind":"authorize" and "listens":false.
     */
    result<void> complete_login(std::string_view callback_url) {
        const detail::c_text url(callback_url);
        char *why = nullptr;
        if (!url.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_client_complete_login(handle_.get(), url.get(), &why);
        return detail::done(status, why);
    }
    /**
     * Supplies the credential that a kind::auth message asked for; `lasts` is how long it is valid.
     */
    result<void> supply_credential(std::string_view credential, time_limit lasts) {
        const detail::c_text text(credential);
        char *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        const mcp_status_t status =
            mcp_client_supply_credential(handle_.get(), text.get(), lasts.parameter(),
                                         &why);
        return detail::done(status, why);
    }
    /** Supplies a credential whose lifetime is unknown. */
    result<void> supply_credential(std::string_view credential) {
        return supply_credential(credential, forever);
    }
    /** Aborts the current login: calls that wait for it end as status::auth. */
    result<void> abort_login(std::string_view reason = {}) {
        const detail::c_text text(reason);
        char *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_client_abort_login(handle_.get(), text.or_null(), &why);
        return detail::done(status, why);
    }
    /**
     * Answers a kind::auth message with "kind":"load", "save" or "sign": the stored text or the
     * signature; no value after a save and if nothing is stored.
     */
    result<void> answer_auth(const message &request,
                             std::optional<std::string_view> answer = std::nullopt) {
        const detail::c_text text(answer.value_or(std::string_view()));
        char *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        const mcp_status_t status =
            mcp_client_answer_auth(handle_.get(), request.native(), answer ? text.get() : nullptr,
                                   nullptr, &why);
        return detail::done(status, why);
    }
    /**
     * Answers such a message with the reason why there is no answer; the operation that waits for
     * it fails with this reason.
     */
    result<void> answer_auth_error(const message &request, std::string_view reason) {
        const detail::c_text text(reason);
        char *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        const mcp_status_t status =
            mcp_client_answer_auth(handle_.get(), request.native(), nullptr, text.get(), &why);
        return detail::done(status, why);
    }
    /**
     * Logs out: deletes the stored logins for this server and revokes their tokens where possible.
     */
    result<void> logout(time_limit timeout) {
        char *why = nullptr;
        const mcp_status_t status =
            mcp_client_logout(handle_.get(), timeout.parameter(), &why);
        return detail::done(status, why);
    }
    /** Logs out and waits until the end; the configuration limits the time. */
    result<void> logout() { return logout(forever); }

    /**
     * Waits for the next message of any kind; returns none after the timeout. None is a success, as
     * for queue_view::poll().
     */
    result<maybe<message>> poll(time_limit timeout) {
        mcp_message_t *handle = nullptr;
        const mcp_status_t status =
            mcp_client_poll(handle_.get(), timeout.parameter(), &handle);
        return detail::polled(status, handle);
    }
    /**
     * Waits for the next notification; returns none after the timeout. Messages of other kinds stay
     * on the queue.
     */
    result<maybe<message>> poll_notification(time_limit timeout) {
        mcp_message_t *handle = nullptr;
        const mcp_status_t status =
            mcp_poll_notification(handle_.get(), timeout.parameter(), &handle);
        return detail::polled(status, handle);
    }
    /** A descriptor that is readable while messages are on the queue; it belongs to the library. */
    result<int> fd() const {
        const std::int32_t found = mcp_client_fd(handle_.get());
        if (found < 0) return detail::fail(found);
        return static_cast<int>(found);
    }

    /** True when it holds a client. */
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    /** The C handle, borrowed. */
    mcp_client_t *native() const & noexcept MCP_LIFETIMEBOUND { return handle_.get(); }
    /** It would be freed with the temporary: keep the object, or use release(). */
    mcp_client_t *native() const && = delete;
    /** Ends the calls that threads wait for; see mcp_client_interrupt(). */
    status interrupt() noexcept { return static_cast<status>(mcp_client_interrupt(handle_.get())); }
    /** The queue to which the client delivers; its own one is valid as long as the client. */
    queue_view queue() const & noexcept MCP_LIFETIMEBOUND {
        return queue_view(mcp_client_queue(handle_.get()));
    }
    /** The queue would end with the temporary: keep the client. */
    queue_view queue() const && = delete;
    /** Ends one wait on the own queue of the client; see mcp_client_wake(). */
    status wake() noexcept { return static_cast<status>(mcp_client_wake(handle_.get())); }
    /** Attaches a pointer of the application; see mcp_client_set_user(). */
    status set_user(void *user) noexcept {
        return static_cast<status>(mcp_client_set_user(handle_.get(), user));
    }
    /** The pointer that set_user() attached. */
    void *user() const noexcept { return mcp_client_user(handle_.get()); }
    /** Gives the C handle to the caller, who frees it with mcp_client_free(). */
    mcp_client_t *release() noexcept { return handle_.release(); }

#if !defined(MCP_DOXYGEN)
    MCP_OLD_NAME(auto, set_log_level, set_server_log_level)
    MCP_OLD_NAME(auto, read_skill, read_skill_file)
    MCP_OLD_NAME(auto, task_result, get_task_result)
    MCP_OLD_NAME(auto, start_connect, connect_start)
    MCP_OLD_NAME(auto, cache_clear, clear_cache)
    MCP_OLD_NAME(auto, elicitation_accept, accept_elicitation)
    MCP_OLD_NAME(auto, elicitation_decline, decline_elicitation)
    MCP_OLD_NAME(auto, elicitation_cancel, cancel_elicitation)
    MCP_OLD_NAME(auto, auth_complete, complete_login)
    MCP_OLD_NAME(auto, auth_give, supply_credential)
    MCP_OLD_NAME(auto, auth_give_up, abort_login)
    MCP_OLD_NAME(auto, auth_answer, answer_auth)
    MCP_OLD_NAME(auto, auth_fail, answer_auth_error)
    MCP_OLD_NAME(auto, auth_forget, logout)
#endif

private:
    static result<client> make(mcp_queue_t *on, std::string_view config,
                               std::unique_ptr<transport> over) {
        const detail::c_text text(config);
        mcp_client_t *handle = nullptr;
        char *why = nullptr;
        if (!abi_matches()) return other_abi();
        if (!text.fits()) return detail::has_nul();
        if (over == nullptr) return detail::fail(MCP_ERROR_INVALID_ARGUMENT);
        const mcp_transport_functions_t functions = detail::functions_of_transport();
        // The library destroys the transport, also when it creates no client.
        const mcp_status_t status =
            mcp_client_new_with_transport(text.get(), on, &functions, over.release(), &handle,
                                          &why);
        if (status != MCP_OK) return detail::fail(status, why);
        client made;
        made.handle_.reset(handle);
        return made;
    }
    static unexpected other_abi() {
        constexpr char json[] = R"({"status":"unsupported","retryable":false,"message":)"
                                R"("the loaded library has another ABI than mcp.h: )"
                                R"(compile the program again"})";
        return detail::fail(MCP_ERROR_UNSUPPORTED, std::string(json));
    }
    static result<client> make(mcp_queue_t *on, std::string_view config) {
        const detail::c_text text(config);
        mcp_client_t *handle = nullptr;
        char *why = nullptr;
        if (!abi_matches()) return other_abi();
        if (!text.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_client_new(text.get(), on, &handle, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        client made;
        made.handle_.reset(handle);
        return made;
    }

    struct free {
        void operator()(mcp_client_t *handle) const noexcept { mcp_client_free(handle); }
    };
    std::unique_ptr<mcp_client_t, free> handle_;
};

/**
 * A request of a client to a server of this process. It owns the message: a request that is
 * destroyed without an answer gets an error, unless it asked its client something. If its handler
 * still runs, this happens when the handler has returned.
 *
 * Every function may be called from any thread. A function that answers returns status::cancelled
 * when no answer is wanted any more, which does no harm.
 */
class request {
public:
    request() = default;
    /** Takes a message of kind::request. */
    explicit request(mcp::message from)
        : message_(std::make_shared<mcp::message>(std::move(from))) {}
    /** Moves the request: the other one is empty then. */
    request(request &&) noexcept = default;
    /** Moves the request: the other one is empty then. */
    request &operator=(request &&) noexcept = default;

    /** The method, such as "tools/call". */
    std::string_view method() const & noexcept MCP_LIFETIMEBOUND { return message().method(); }
    /** The parameters, JSON text. */
    std::string_view params() const & noexcept MCP_LIFETIMEBOUND { return message().json(); }
    /** The parameters as a value; valid as long as the request. */
    mcp::value value() const & noexcept MCP_LIFETIMEBOUND { return message().value(); }
    /** The arguments of a tool or a prompt; valid as long as the request. */
    mcp::value arguments() const & noexcept MCP_LIFETIMEBOUND {
        return message().value().get("arguments");
    }

    /** Answers with a result, a JSON object. */
    result<void> respond(std::string_view result_json) {
        const detail::c_text text(result_json);
        char *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_request_respond(native(), text.get(), &why);
        return detail::done(status, why);
    }
    /** Answers a call of a tool with one block of text; `is_error`: the tool failed. */
    result<void> respond_text(std::string_view text, bool is_error = false) {
        const detail::c_text block(text);
        char *why = nullptr;
        if (!block.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_request_respond_text(native(), block.get(), is_error, &why);
        return detail::done(status, why);
    }
    /** Answers that the tool has failed, with a text for the model. */
    result<void> fail(std::string_view text) { return respond_text(text, true); }
    /** Answers with a JSON-RPC error; `data` is JSON or empty. */
    result<void> respond_error(std::int32_t code, std::string_view text,
                               std::string_view data = {}) {
        const detail::c_text message(text), more(data);
        char *why = nullptr;
        if (!detail::fit(message, more)) return detail::has_nul();
        const mcp_status_t status =
            mcp_request_respond_error(native(), code, message.get(), more.or_null(), &why);
        return detail::done(status, why);
    }
    /** Answers that what was asked for does not exist. */
    result<void> respond_not_found() {
        char *why = nullptr;
        const mcp_status_t status =
            mcp_request_respond_error(native(), MCP_CODE_NOT_FOUND, nullptr, nullptr, &why);
        return detail::done(status, why);
    }
    /** Reports progress; status::empty when nothing was sent. A total of 0 is not known. */
    mcp::status progress(double value, double total = 0, std::string_view text = {}) {
        const detail::c_text message(text);
        if (!message.fits()) return mcp::status::invalid_argument;
        return static_cast<mcp::status>(
            mcp_request_progress(native(), value, total, message.or_null()));
    }
    /** Sends a log message of a level such as "info"; status::empty when nothing was sent. */
    mcp::status log(std::string_view level, std::string_view data_json,
                    std::string_view logger = {}) {
        const detail::c_text how(level), data(data_json), who(logger);
        if (!detail::fit(how, data, who)) return mcp::status::invalid_argument;
        return static_cast<mcp::status>(
            mcp_request_log(native(), how.get(), who.or_null(), data.get()));
    }
    /** True when no answer is wanted any more. */
    bool cancelled() const noexcept { return mcp_request_cancelled(native()); }
    /**
     * Asks the client. Without a value, the question goes out when the handler has returned, and
     * the handler runs again: return at once.
     */
    result<std::optional<std::string>> ask(std::string_view key, std::string_view method,
                                           std::string_view params_json) {
        const detail::c_text name(key), what(method), params(params_json);
        char *answer = nullptr, *why = nullptr;
        if (!detail::fit(name, what, params)) return detail::has_nul();
        const mcp_status_t status = mcp_request_ask(native(), name.get(), what.get(),
                                                    params.or_null(), &answer, &why);
        if (status == MCP_EMPTY) {
            mcp_string_free(why);
            return std::optional<std::string>();
        }
        if (status != MCP_OK) return detail::fail(status, why);
        return std::optional<std::string>(detail::taken(answer));
    }
    /** What an earlier run of the handler kept. */
    std::optional<std::string> state() const {
        char *text = nullptr;
        if (mcp_request_state(native(), &text, nullptr) != MCP_OK) return std::nullopt;
        return detail::taken(text);
    }
    /** Keeps text for the next run of the handler. */
    result<void> set_state(std::string_view text) {
        const detail::c_text kept(text);
        char *why = nullptr;
        if (!kept.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_request_set_state(native(), kept.get(), &why);
        return detail::done(status, why);
    }
    /**
     * Makes a task of a call, or says how the task is; see mcp_request_start_task(). The options
     * are JSON or empty. status::unsupported when the call cannot become a task.
     */
    result<void> start_task(std::string_view options_json = {}) {
        const detail::c_text options(options_json);
        char *why = nullptr;
        if (!options.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_request_start_task(native(), options.or_null(), &why);
        return detail::done(status, why);
    }
    /**
     * Ends the event stream of the request before its answer: the client comes back after a time;
     * see mcp_request_close_stream(). Whether there was a stream that could end.
     */
    result<bool> close_stream(int32_t retry_ms = -1) {
        char *why = nullptr;
        const mcp_status_t status = mcp_request_close_stream(native(), retry_ms, &why);
        if (status != MCP_OK && status != MCP_EMPTY) return detail::fail(status, why);
        mcp_string_free(why);
        return status == MCP_OK;
    }
    /**
     * Whether the client has a capability, such as "elicitation.url", or an extension, such as
     * "io.modelcontextprotocol/ui"; see mcp_request_client_has().
     */
    bool client_has(std::string_view capability) const noexcept {
        const detail::c_text name(capability);
        return name.fits() && mcp_request_client_has(native(), name.get());
    }
    /** Who sent it, as JSON text. */
    result<std::string> context() const {
        char *text = nullptr, *why = nullptr;
        const mcp_status_t status = mcp_request_context(native(), &text, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return detail::taken(text);
    }

    /** The message. */
    const mcp::message &message() const & noexcept MCP_LIFETIMEBOUND {
        static const mcp::message none;
        return message_ ? *message_ : none;
    }
    /** What these return would end with the temporary: keep the request. */
    std::string_view method() const && = delete;
    /** As above. */
    std::string_view params() const && = delete;
    /** As above. */
    mcp::value value() const && = delete;
    /** As above. */
    mcp::value arguments() const && = delete;
    /** As above. */
    const mcp::message &message() const && = delete;
    /** The C handle, borrowed. */
    const mcp_message_t *native() const & noexcept MCP_LIFETIMEBOUND {
        return message().native();
    }
    /** As above. */
    const mcp_message_t *native() const && = delete;

#if !defined(MCP_DOXYGEN)
    MCP_OLD_NAME(auto, not_found, respond_not_found)
#endif

private:
    friend class server;

    /* One more owner of the message, so that it can be answered when a handler has thrown. */
    explicit request(std::shared_ptr<mcp::message> owned) noexcept : message_(std::move(owned)) {}

    /* Answers for a handler that threw; `text` is that of the exception, or none. */
    void handler_failed(const char *text) {
        constexpr char what_failed[] = "handler failed";
        const bool is_tool = method() == "tools/call";
        const auto answer = [&](const char *told) {
            return is_tool ? mcp_request_respond_text(native(), told, true, nullptr)
                           : mcp_request_respond_error(native(), -32603, told, nullptr, nullptr);
        };
        const std::string told =
            is_tool && detail::is_text(text) ? text : detail::failure(what_failed, text);
        mcp_status_t status = answer(told.c_str());
        // The text of an exception need not be UTF-8.
        if (status == MCP_ERROR_INVALID_ARGUMENT) status = answer(what_failed);
        if (status != MCP_OK) detail::report(std::current_exception(), "a handler of mcp::server");
    }

    std::shared_ptr<mcp::message> message_;
};

/**
 * One request that an HTTP server of the program has taken, and its answer; see server::http().
 * Its destructor frees it, which tells the library that its client has everything, or is gone.
 */
class exchange {
public:
    /** The head of an answer. */
    struct start {
        /** The status of HTTP. */
        int status = 0;
        /** The bytes of the body; none for an event stream. */
        std::optional<std::uint64_t> length;
    };

    exchange() = default;

    /**
     * How many bytes of the body may be read from the client and written; see
     * mcp_exchange_permit(). 0 when no more of it is wanted; none if that is not known in time.
     */
    result<std::optional<std::size_t>> permit(time_limit timeout) {
        std::size_t most = 0;
        const mcp_status_t status = mcp_exchange_permit(native(), timeout.parameter(), &most);
        if (status < MCP_OK) return detail::fail(status);
        if (status != MCP_OK) return std::optional<std::size_t>();
        return std::optional<std::size_t>(most);
    }
    /** Gives a part of the body that permit() asked for; see mcp_exchange_write(). */
    result<void> write(std::string_view part, bool is_last) {
        return detail::done(mcp_exchange_write(native(), part.data(), part.size(), is_last));
    }
    /** The head; none if it is not there in time. */
    result<std::optional<start>> head(time_limit timeout) {
        std::int32_t found = 0;
        std::int64_t length = -1;
        const mcp_status_t status =
            mcp_exchange_head(native(), timeout.parameter(), &found, &length);
        if (status < MCP_OK) return detail::fail(status);
        if (status != MCP_OK) return std::optional<start>();
        start got;
        got.status = found;
        if (length >= 0) got.length = static_cast<std::uint64_t>(length);
        return std::optional<start>(got);
    }
    /** The headers, once head() has given the head. */
    std::vector<std::pair<std::string_view, std::string_view>> headers() const & MCP_LIFETIMEBOUND {
        std::vector<std::pair<std::string_view, std::string_view>> all;
        const char *value = nullptr;
        while (const char *name = mcp_exchange_header(native(), all.size(), &value)) {
            all.emplace_back(name, value);
        }
        return all;
    }
    /** The views would end with the temporary: keep the exchange. */
    std::vector<std::pair<std::string_view, std::string_view>> headers() const && = delete;
    /** Reads into `bytes`: how many came, 0 at the end; none if nothing comes in time. */
    result<std::optional<std::size_t>> read(char *bytes, std::size_t size, time_limit timeout) {
        std::size_t length = 0;
        const mcp_status_t status =
            mcp_exchange_read(native(), timeout.parameter(), bytes, size, &length);
        if (status < MCP_OK) return detail::fail(status);
        if (status != MCP_OK) return std::optional<std::size_t>();
        return std::optional<std::size_t>(length);
    }

    /** True when it holds an exchange. */
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    /** The C handle, borrowed. */
    mcp_exchange_t *native() const & noexcept MCP_LIFETIMEBOUND { return handle_.get(); }
    /** It would be freed with the temporary: keep the object, or use release(). */
    mcp_exchange_t *native() const && = delete;
    /** Gives the C handle to the caller, who frees it with mcp_exchange_free(). */
    mcp_exchange_t *release() noexcept { return handle_.release(); }

private:
    friend class server;

    explicit exchange(mcp_exchange_t *handle) noexcept : handle_(handle) {}

    struct free {
        void operator()(mcp_exchange_t *handle) const noexcept { mcp_exchange_free(handle); }
    };
    std::unique_ptr<mcp_exchange_t, free> handle_;
};

/**
 * A server: what this program offers to clients. Handlers are functions that take an mcp::request;
 * they run on threads in run() and poll(). A handler may keep the request and answer later, on any
 * thread. What the handler of a tool throws is a result of that tool with "isError"; for other
 * requests it is an internal error. Without a handler, requests arrive in poll().
 *
 * Example:
 *
 *     auto server = mcp::server::make(R"({"name":"editor"})").value();
 *     server.add_tool(R"({"name":"beep","inputSchema":{"type":"object"}})",
 *                 [](mcp::request request) { (void)request.respond_text("beep"); }).value();
 *     server.serve(R"({"stdio":true})").value();
 *     server.run();
 */
class server {
public:
    /** A function that handles requests. */
    using handler = std::function<void(request)>;

    server() = default;

    /** Creates a server from the configuration of docs/reference/server-configuration.md. */
    static result<server> make(std::string_view config, mcp_queue_t *queue = nullptr) {
        const detail::c_text text(config);
        mcp_server_t *handle = nullptr;
        char *why = nullptr;
        if (!text.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_server_new(text.get(), queue, &handle, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        server made;
        made.handle_.reset(handle);
        return made;
    }

    /** Adds a tool. */
    result<void> add_tool(std::string_view definition, handler run = {}) {
        return add(mcp_server_add_tool, definition, std::move(run));
    }
    /** Adds a resource that a handler reads. */
    result<void> add_resource(std::string_view definition, handler run = {}) {
        return add(mcp_server_add_resource, definition, std::move(run));
    }
    /** Adds a resource template. */
    result<void> add_resource_template(std::string_view definition, handler run = {}) {
        return add(mcp_server_add_resource_template, definition, std::move(run));
    }
    /** Adds the files below a folder as resources; see mcp_server_add_folder(). */
    result<void> add_folder(std::string_view definition, std::string_view path) {
        const detail::c_text what(definition), where(path);
        char *why = nullptr;
        if (!detail::fit(what, where)) return detail::has_nul();
        return detail::done(mcp_server_add_folder(native(), what.get(), where.get(), &why), why);
    }
    /** Publishes the skills below a folder; see mcp_server_add_skills(). */
    result<void> add_skills(std::string_view path, std::string_view options = {}) {
        const detail::c_text where(path), how(options);
        char *why = nullptr;
        if (!detail::fit(where, how)) return detail::has_nul();
        const mcp_status_t status =
            mcp_server_add_skills(native(), where.get(), how.or_null(), &why);
        return detail::done(status, why);
    }
    /** Adds a prompt. */
    result<void> add_prompt(std::string_view definition, handler run = {}) {
        return add(mcp_server_add_prompt, definition, std::move(run));
    }
    /** Adds a resource whose text is always the same. */
    result<void> add_text(std::string_view definition, std::string_view content) {
        const detail::c_text what(definition), copy(content);
        char *why = nullptr;
        if (!detail::fit(what, copy)) return detail::has_nul();
        const mcp_status_t status = mcp_server_add_text(native(), what.get(), copy.get(), &why);
        return detail::done(status, why);
    }
    /** Adds a resource whose bytes are always the same. */
    result<void> add_blob(std::string_view definition, std::string_view bytes) {
        const detail::c_text what(definition);
        char *why = nullptr;
        if (!what.fits()) return detail::has_nul();
        const mcp_status_t status =
            mcp_server_add_blob(native(), what.get(), bytes.data(), bytes.size(), &why);
        return detail::done(status, why);
    }
    /** Completes an argument of a prompt or a template from a JSON array of strings. */
    result<void> add_completion(std::string_view reference, std::string_view argument,
                                std::string_view values_json) {
        const detail::c_text of(reference), which(argument), values(values_json);
        char *why = nullptr;
        if (!detail::fit(of, which, values)) return detail::has_nul();
        const mcp_status_t status =
            mcp_server_add_completion(native(), of.get(), which.get(), values.get(), nullptr,
                                      nullptr, nullptr, &why);
        return detail::done(status, why);
    }
    /** Completes an argument of a prompt or a template by a handler. */
    result<void> add_completion(std::string_view reference, std::string_view argument,
                                handler run) {
        const detail::c_text of(reference), which(argument);
        char *why = nullptr;
        if (!detail::fit(of, which)) return detail::has_nul();
        owned function = own(std::move(run));
        const mcp_status_t status = mcp_server_add_completion(
            native(), of.get(), which.get(), nullptr, function.run, function.user, function.destroy,
            &why);
        return detail::done(status, why);
    }
    /** Adds a method of an extension. */
    result<void> add_method(std::string_view name, handler run, std::string_view capability = {},
                            std::string_view settings_json = {}) {
        const detail::c_text called(name), extension(capability), settings(settings_json);
        char *why = nullptr;
        if (!detail::fit(called, extension, settings)) return detail::has_nul();
        owned function = own(std::move(run));
        const mcp_status_t status = mcp_server_add_method(
            native(), called.get(), extension.or_null(), settings.or_null(), function.run,
            function.user, function.destroy, &why);
        return detail::done(status, why);
    }
    /** Removes a "tool", "resource", "template" or "prompt"; false if there is none. */
    result<bool> remove(std::string_view kind, std::string_view name) {
        const detail::c_text what(kind), which(name);
        char *why = nullptr;
        if (!detail::fit(what, which)) return detail::has_nul();
        const mcp_status_t status = mcp_server_remove(native(), what.get(), which.get(), &why);
        if (status < 0) return detail::fail(status, why);
        return status == MCP_OK;
    }

    /** Begins to serve at an endpoint; returns where. */
    result<std::string> serve(std::string_view endpoint) {
        const detail::c_text where(endpoint);
        char *bound = nullptr, *why = nullptr;
        if (!where.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_server_serve(native(), where.get(), &bound, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return detail::taken(bound);
    }
    /** Serves one client over a transport of the application; see mcp_server_attach(). */
    result<void> attach(std::unique_ptr<transport> over) {
        char *why = nullptr;
        if (over == nullptr) return detail::fail(MCP_ERROR_INVALID_ARGUMENT);
        const mcp_transport_functions_t functions = detail::functions_of_transport();
        // The library destroys the transport, also when it does not serve it.
        const mcp_status_t status = mcp_server_attach(native(), &functions, over.release(), &why);
        return detail::done(status, why);
    }
    /** Has the processes of the server share a store; see mcp_server_set_store(). */
    result<void> set_store(std::unique_ptr<store> of) {
        char *why = nullptr;
        mcp_store_t *made = nullptr;
        if (of == nullptr) return detail::fail(MCP_ERROR_INVALID_ARGUMENT);
        mcp_status_t status = detail::make_store(std::move(of), &made, &why);
        if (status == MCP_OK) {
            status = mcp_server_set_store(native(), made, &why);
            if (status != MCP_OK) mcp_store_free(made);
        }
        return detail::done(status, why);
    }
    /**
     * Serves a request that an HTTP server of the program has taken, with its whole body; see
     * mcp_server_http(). `ready` is called once after each read that gave nothing; it must only
     * wake the reader.
     */
    result<exchange> http(std::string_view method, std::string_view target,
                          const std::vector<std::pair<std::string, std::string>> &headers,
                          std::string_view body, std::function<void()> ready = {}) {
        return taken(method, target, headers, std::move(ready),
                     [&](auto how, auto where, auto all, auto... rest) {
                         return mcp_server_http(native(), how, where, all, body.data(),
                                                body.size(), rest...);
                     });
    }
    /**
     * Judges the head of a request before its body is read; see mcp_server_http_begin(). The body
     * goes in through exchange::permit() and exchange::write(). An empty `peer` is not known.
     */
    result<exchange> http_begin(std::string_view method, std::string_view target,
                                const std::vector<std::pair<std::string, std::string>> &headers,
                                std::string_view peer, std::function<void()> ready = {}) {
        const detail::c_text who(peer);
        if (!who.fits()) return detail::has_nul();
        return taken(method, target, headers, std::move(ready),
                     [&](auto how, auto where, auto all, auto... rest) {
                         return mcp_server_http_begin(native(), how, where, all, who.or_null(),
                                                      rest...);
                     });
    }
    /** Serves on this thread until everything has ended: then status::closed. */
    mcp::status run() { return static_cast<mcp::status>(mcp_server_run(native(), -1)); }
    /** The same for a time at most: then status::empty. */
    mcp::status run(time_limit timeout) {
        return static_cast<mcp::status>(mcp_server_run(native(), timeout.parameter()));
    }
    /** The queue to which the server delivers; its own one is valid as long as the server. */
    queue_view queue() const & noexcept MCP_LIFETIMEBOUND {
        return queue_view(mcp_server_queue(native()));
    }
    /** The queue would end with the temporary: keep the server. */
    queue_view queue() const && = delete;
    /** Ends one such wait with status::woken, also from a signal handler; see mcp_server_wake(). */
    mcp::status wake() noexcept { return static_cast<mcp::status>(mcp_server_wake(native())); }
    /**
     * The next message that has no handler; handlers run meanwhile. None, after the timeout or
     * after wake(), is a success, as for queue_view::poll(). A program with a loop of its own that
     * is to end sets a flag before it calls wake().
     */
    result<maybe<message>> poll(time_limit timeout) {
        mcp_message_t *handle = nullptr;
        const mcp_status_t status =
            mcp_server_poll(native(), timeout.parameter(), &handle);
        return detail::polled(status, handle);
    }
    /** A descriptor that is readable while there is something to poll. */
    result<int> fd() const {
        const std::int32_t found = mcp_server_fd(native());
        if (found < 0) return detail::fail(found);
        return static_cast<int>(found);
    }
    /** Tells subscribers that a resource has changed. */
    result<void> resource_updated(std::string_view uri) {
        const detail::c_text which(uri);
        char *why = nullptr;
        if (!which.fits()) return detail::has_nul();
        const mcp_status_t status = mcp_server_resource_updated(native(), which.get(), &why);
        return detail::done(status, why);
    }
    /** Sends a log message to the clients that want it (legacy era). */
    result<void> log(std::string_view level, std::string_view data_json,
                     std::string_view logger = {}) {
        const detail::c_text how(level), data(data_json), who(logger);
        char *why = nullptr;
        if (!detail::fit(how, data, who)) return detail::has_nul();
        const mcp_status_t status =
            mcp_server_log(native(), how.get(), who.or_null(), data.get(), &why);
        return detail::done(status, why);
    }
    /** Notifies clients of the legacy era, or one session; see mcp_server_notify(). */
    result<void> notify(std::string_view method, std::string_view params_json = "{}",
                        std::uint64_t session = 0) {
        const detail::c_text what(method), with(params_json);
        char *why = nullptr;
        if (!detail::fit(what, with)) return detail::has_nul();
        const mcp_status_t status =
            mcp_server_notify(native(), session, what.get(), with.get(), &why);
        return detail::done(status, why);
    }
    /**
     * Calls a client of the legacy era; see mcp_server_call_start(). The only option is the
     * timeout. Returns the call's number.
     */
    result<std::uint64_t> call_start(std::uint64_t session, std::string_view method,
                                     std::string_view params_json = "{}", std::uint64_t tag = 0,
                                     const options &how = {}) {
        const detail::c_text what(method), with(params_json), chosen(how.json());
        std::uint64_t call = 0;
        char *why = nullptr;
        if (how.mistake()) return unexpected(*how.mistake());
        if (!detail::fit(what, with, chosen)) return detail::has_nul();
        const mcp_status_t status =
            mcp_server_call_start(native(), session, what.get(), with.get(), chosen.or_null(), tag,
                                  &call, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return call;
    }
    /** What there is to know about the server, as JSON text. */
    result<std::string> info() const {
        char *text = nullptr, *why = nullptr;
        const mcp_status_t status = mcp_server_info(native(), &text, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return detail::taken(text);
    }
    /** Closes; mcp::forever takes the configured time. */
    mcp::status close(time_limit timeout) {
        return static_cast<mcp::status>(mcp_server_close(native(), timeout.parameter()));
    }
    /** Closes within the configured time. */
    mcp::status close() { return close(forever); }

    /** True when it holds a server. */
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    /** The C handle, borrowed. */
    mcp_server_t *native() const & noexcept MCP_LIFETIMEBOUND { return handle_.get(); }
    /** It would be freed with the temporary: keep the object, or use release(). */
    mcp_server_t *native() const && = delete;
    /** Gives the C handle to the caller, who frees it with mcp_server_free(). */
    mcp_server_t *release() noexcept { return handle_.release(); }

#if !defined(MCP_DOXYGEN)
    MCP_OLD_NAME(auto, tool, add_tool)
    MCP_OLD_NAME(auto, resource, add_resource)
    MCP_OLD_NAME(auto, resource_template, add_resource_template)
    MCP_OLD_NAME(auto, folder, add_folder)
    MCP_OLD_NAME(auto, skills, add_skills)
    MCP_OLD_NAME(auto, prompt, add_prompt)
    MCP_OLD_NAME(auto, text, add_text)
    MCP_OLD_NAME(auto, blob, add_blob)
    MCP_OLD_NAME(auto, completion, add_completion)
    MCP_OLD_NAME(auto, method, add_method)
    MCP_OLD_NAME(auto, start_call, call_start)
#endif

private:
    struct free {
        void operator()(mcp_server_t *handle) const noexcept { mcp_server_free(handle); }
    };
    struct owned {
        mcp_handler_t run;
        void *user;
        void (*destroy)(void *);
    };
    using adder = mcp_status_t(mcp_server_t *, const char *, mcp_handler_t, void *,
                               void (*)(void *), char **);

    /** The library calls `destroy` whatever comes. */
    static owned own(handler run) {
        if (!run) return owned{nullptr, nullptr, nullptr};
        auto *kept = new handler(std::move(run));
        return owned{[](void *it, mcp_message_t *from) {
                         request answered;
                         detail::guard(
                             [&] {
                                 answered = request(mcp::message(from));
                                 (*static_cast<handler *>(it))(request(answered.message_));
                             },
                             [&](const char *text) { answered.handler_failed(text); });
                     },
                     kept, [](void *it) { delete static_cast<handler *>(it); }};
    }
    /** Gives a request to `call`, which gets what mcp_server_http() takes besides the body. */
    template <class Call>
    result<exchange> taken(std::string_view method, std::string_view target,
                           const std::vector<std::pair<std::string, std::string>> &headers,
                           std::function<void()> ready, Call call) {
        const detail::c_text how(method), where(target);
        if (!detail::fit(how, where)) return detail::has_nul();
        std::vector<const char *> all;
        for (const auto &[name, value] : headers) {
            for (const std::string *part : {&name, &value}) {
                if (part->find('\0') != std::string::npos) return detail::has_nul();
                all.push_back(part->c_str());
            }
        }
        all.push_back(nullptr);
        using function = std::function<void()>;
        const bool is_called = static_cast<bool>(ready);
        auto user = is_called ? std::make_unique<function>(std::move(ready)) : nullptr;
        mcp_exchange_t *handle = nullptr;
        char *why = nullptr;
        const auto ring = [](void *it) {
            detail::guard(std::ref(*static_cast<function *>(it)), "server::http()");
        };
        const auto destroy = [](void *it) { delete static_cast<function *>(it); };
        // The library destroys the function, also when it does not take the request.
        const mcp_status_t status =
            call(how.get(), where.get(), static_cast<const char *const *>(all.data()),
                 is_called ? +ring : nullptr, static_cast<void *>(user.release()),
                 is_called ? +destroy : nullptr, &handle, &why);
        if (status != MCP_OK) return detail::fail(status, why);
        return exchange(handle);
    }
    result<void> add(adder *to, std::string_view definition, handler run) {
        const detail::c_text what(definition);
        char *why = nullptr;
        if (!what.fits()) return detail::has_nul();
        owned function = own(std::move(run));
        const mcp_status_t status =
            to(native(), what.get(), function.run, function.user, function.destroy, &why);
        return detail::done(status, why);
    }

    std::unique_ptr<mcp_server_t, free> handle_;
};

/** A server of mcp::config_open(): its name in the file, and its client or why there is none. */
struct opened_server {
    /** Its name in the file. */
    std::string name;
    /** The client, or why there is none. */
    result<client> connection;
};

/**
 * A client for each server of an "mcpServers" file that the file does not disable; see
 * mcp_config_open(). The queue must exist longer than the clients. The list is empty if the file
 * enables no server.
 */
inline result<std::vector<opened_server>> config_open(std::string_view path, queue &on,
                                                      std::string_view options) {
    const detail::c_text file(path), how(options);
    char *why = nullptr;
    if (!abi_matches()) return client::other_abi();
    if (!detail::fit(file, how)) return detail::has_nul();
    std::vector<opened_server> all;
    // Without memory the program ends here: an exception may not go through the C function.
    const auto add = [](void *user, const char *name, mcp_client_t *handle, mcp_status_t failed,
                        const char *error) noexcept {
        auto &servers = *static_cast<std::vector<opened_server> *>(user);
        if (handle == nullptr) {
            servers.push_back({name, detail::fail(failed, std::string(error))});
            return;
        }
        client made;
        made.handle_.reset(handle);
        servers.push_back({name, std::move(made)});
    };
    const mcp_status_t status =
        mcp_config_open(file.get(), on.native(), how.or_null(), add, &all, &why);
    if (status != MCP_OK && status != MCP_EMPTY) return detail::fail(status, why);
    return all;
}

inline result<client> client::in_process(server &of, std::string_view config, mcp_queue_t *on) {
    const detail::c_text text(config);
    mcp_client_t *handle = nullptr;
    char *why = nullptr;
    if (!abi_matches()) return other_abi();
    if (!text.fits()) return detail::has_nul();
    const mcp_status_t status =
        mcp_client_new_in_process(text.get(), on, of.native(), &handle, &why);
    if (status != MCP_OK) return detail::fail(status, why);
    client made;
    made.handle_.reset(handle);
    return made;
}

/**
 * Passes the outcomes of started calls to the function, future or coroutine that waits for them. It
 * has a queue but no thread: a thread of the program runs it.
 *
 * Handlers, coroutines and on_message() run on the thread in run(), one after another. They may
 * start more calls. What they throw leaves run() and the like; call it again to go on. It leaves
 * close() when the handlers of all calls of that client have run. Close a client with close() of
 * the dispatcher, so that each of its calls has an outcome. Calls that are pending when the
 * dispatcher is destroyed end as status::closed, and what their handlers throw goes to the function
 * of set_exception_hook(). Destroy the clients before the dispatcher.
 */
class dispatcher {
public:
    /** The function that receives an outcome; called exactly once. */
    using handler = std::function<void(result<message>)>;

    /** Creates a dispatcher; `config` is the configuration of its queue. */
    static result<std::unique_ptr<dispatcher>> make(std::string_view config = {}) {
        auto on = mcp::queue::make(config);
        if (!on) return unexpected(std::move(on).error());
        return std::unique_ptr<dispatcher>(new dispatcher(std::move(*on)));
    }

    dispatcher(const dispatcher &) = delete;
    dispatcher &operator=(const dispatcher &) = delete;
    ~dispatcher() {
        std::exception_ptr thrown = end_all([](const waiting &) { return true; });
        if (thrown) detail::report(std::move(thrown), "a handler of mcp::dispatcher");
    }

    /** Creates a client whose messages arrive here. */
    result<client> make_client(std::string_view config) { return client::make(queue_, config); }

    /**
     * Sets the function that receives every message except the outcomes of calls started here. Set
     * it before run().
     */
    void on_message(std::function<void(message)> take) { other_ = std::move(take); }

    /**
     * Starts a call. On success `done` is called exactly once, with the outcome; on failure it is
     * not called.
     */
    result<std::uint64_t> start(client &on, std::string_view method, std::string_view params,
                                const options &how,
                                handler done) {
        return start(on, feature::method(method, params), how, std::move(done));
    }
    /** As above, for a feature. */
    result<std::uint64_t> start(client &on, const feature &what, const options &how, handler done) {
        std::uint64_t tag = 0;
        {
            const std::lock_guard<std::mutex> held(lock_);
            tag = next_++;
            waiting_.emplace(tag, waiting{on.native(), std::move(done)});
        }
        auto started = on.start(what, how, tag);
        if (!started) static_cast<void>(take(tag));
        return started;
    }
    /**
     * Starts a call and returns its outcome as a future, for a thread other than the one in run().
     */
    std::future<result<message>> call(client &on, std::string_view method,
                                      std::string_view params = {},
                                      const options &how = {}) {
        return call(on, feature::method(method, params), how);
    }
    /** As above, for a feature. */
    std::future<result<message>> call(client &on, const feature &what, const options &how = {}) {
        auto promise = std::make_shared<std::promise<result<message>>>();
        auto future = promise->get_future();
        auto started =
            start(on, what, how,
                  [promise](result<message> it) { promise->set_value(std::move(it)); });
        if (!started) promise->set_value(unexpected(std::move(started).error()));
        return future;
    }

    /** Closes and frees a client, and ends its pending calls as status::closed. */
    result<void> close(client gone, time_limit timeout) {
        mcp_client_t *const was = gone.native();
        auto closed = gone.close(timeout);
        gone = client();
        const std::exception_ptr thrown =
            end_all([was](const waiting &it) { return it.of == was; });
        // One of them may be what run_until() of another thread waits for.
        static_cast<void>(queue_.wake());
#if MCP_HAS_EXCEPTIONS
        if (thrown) std::rethrow_exception(thrown);
#else
        static_cast<void>(thrown);
#endif
        return closed;
    }
    /** Closes a client within the configured time. */
    result<void> close(client gone) { return close(std::move(gone), forever); }

    /** Processes messages until stop() is called or the queue fails. */
    result<void> run() {
        for (;;) {
            const auto going = step(forever);
            if (!going) return unexpected(going.error());
            if (!*going) return {};
        }
    }
    /** Processes messages for a time. Returns false if stop() ended it before. */
    result<bool> run_for(time_limit time) {
        // So that the sum is a time that the clock can say.
        constexpr std::chrono::milliseconds most = std::chrono::hours(24 * 365 * 100);
        const auto wait = time.milliseconds() < most ? time.milliseconds() : most;
        return run_until(std::chrono::steady_clock::now() + wait);
    }
    /**
     * Processes messages until a point of time; at least one, if there is one. Returns false if
     * stop() ended it before.
     */
    template <class Clock, class Duration>
    result<bool> run_until(std::chrono::time_point<Clock, Duration> when) {
        for (;;) {
            const auto now = Clock::now();
            const bool is_last = !(now < when);
            const auto going = is_last ? step(std::chrono::milliseconds(0)) : step(when - now);
            if (!going || !*going || is_last) return going;
        }
    }
    /**
     * Processes messages until a future of call() has its outcome. Returns false if stop() ended it
     * before.
     */
    template <class T> result<bool> run_until(const std::future<T> &outcome) {
        while (outcome.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
            const auto going = step(forever);
            if (!going || !*going) return going;
        }
        return true;
    }
    /**
     * Processes the messages that are on the queue now; for programs with their own event loop,
     * together with shared_queue().fd().
     */
    result<void> run_once() {
        for (;;) {
            auto next = queue_.poll(std::chrono::milliseconds(0));
            if (!next) return unexpected(std::move(next).error());
            if (!*next) return {};
            give(std::move(**next));
        }
    }
    /**
     * Ends run(), run_for() or run_until(), the current one or the next, after it has processed the
     * messages on the queue. Any thread, and async-signal-safe: also in a signal handler.
     */
    result<void> stop() noexcept {
        static_assert(std::atomic<bool>::is_always_lock_free);
        stopped_ = true;
        return queue_.wake();
    }

    /** The queue of the clients that make_client() creates. */
    mcp::queue &shared_queue() noexcept { return queue_; }

    /** A call for co_await: `auto reply = co_await dispatcher.await(client, "tools/list");`. */
    class awaitable {
    public:
        /** Constructed by await(). */
        awaitable(dispatcher &through, client &on, feature what, options how)
            : through_(through), on_(on), what_(std::move(what)), how_(std::move(how)) {}
        /** Returns false: the call starts when it is awaited. */
        bool await_ready() const noexcept { return false; }
        /** Starts the call; the coroutine continues at once if that fails. */
        template <class Waiter> bool await_suspend(Waiter waiter) {
            auto started = through_.start(on_, what_, how_, [this, waiter](result<message> it) {
                outcome_.emplace(std::move(it));
                waiter.resume();
            });
            // The coroutine may already have continued on the other thread and ended: do not
            // access this object after a successful start.
            if (started) return true;
            outcome_.emplace(unexpected(std::move(started).error()));
            return false;
        }
        /** The outcome. */
        result<message> await_resume() { return std::move(*outcome_); }

    private:
        dispatcher &through_;
        client &on_;
        feature what_;
        options how_;
        std::optional<result<message>> outcome_;
    };

    /**
     * Calls from a coroutine. The coroutine continues on the thread in run() with the reply or the
     * error.
     */
    awaitable await(client &on, std::string_view method, std::string_view params = {},
                    options how = {}) {
        return awaitable(*this, on, feature::method(method, params), std::move(how));
    }
    /** As above, for a feature. */
    awaitable await(client &on, feature what, options how = {}) {
        return awaitable(*this, on, std::move(what), std::move(how));
    }

private:
    struct waiting {
        mcp_client_t *of;
        handler done;
    };

    explicit dispatcher(mcp::queue on) : queue_(std::move(on)) {}

    void give(message it) {
        if (it.kind() == kind::reply) {
            if (handler done = take(it.tag())) {
                const auto status = static_cast<mcp_status_t>(it.status());
                done(detail::outcome(status, std::move(it)));
                return;
            }
        }
        if (other_) other_(std::move(it));
    }

    handler take(std::uint64_t tag) {
        const std::lock_guard<std::mutex> held(lock_);
        auto found = waiting_.find(tag);
        if (found == waiting_.end()) return {};
        handler done = std::move(found->second.done);
        waiting_.erase(found);
        return done;
    }

    /* Returns the first exception of a handler; every handler has run. */
    template <class Which> std::exception_ptr end_all(Which which) {
        std::unordered_map<std::uint64_t, waiting> ended;
        {
            const std::lock_guard<std::mutex> held(lock_);
            for (auto it = waiting_.begin(); it != waiting_.end();) {
                auto next = std::next(it);
                if (which(it->second)) ended.insert(waiting_.extract(it));
                it = next;
            }
        }
        // Called with no lock held, because the handlers may start more calls.
        std::exception_ptr first;
        for (auto &one : ended) {
            detail::guard([&] { one.second.done(detail::fail(MCP_ERROR_CLOSED)); },
                          [&](const char *) {
                              if (!first) first = std::current_exception();
                          });
        }
        return first;
    }

    /* Waits for one message and gives it to its handler; false after stop(). */
    result<bool> step(time_limit wait) {
        // run_once() may have taken the wakeup of a stop().
        auto next = queue_.poll(stopped_ ? std::chrono::milliseconds(0) : wait);
        if (!next) return unexpected(std::move(next).error());
        if (!*next) return !stopped_.exchange(false);
        give(std::move(**next));
        return true;
    }

    std::mutex lock_;
    mcp::queue queue_;
    std::function<void(message)> other_;
    std::unordered_map<std::uint64_t, waiting> waiting_;
    /*
     * The upper half of the numbers, so that they differ from the tags of calls that the program
     * itself starts on this queue.
     */
    std::uint64_t next_ = std::uint64_t{1} << 63;
    std::atomic<bool> stopped_{false};
};

/**
 * Sets the function that receives the log records of all clients, in place of the previous one. An
 * empty function removes it.
 */
inline result<void> set_logger(log_level level,
                               std::function<void(log_level, std::string_view)> log) {
    using function = std::function<void(log_level, std::string_view)>;
    const auto number = static_cast<std::int32_t>(level);
    if (!log) return detail::done(mcp_log_set_logger(nullptr, number, nullptr, nullptr));
    auto user = std::make_unique<function>(std::move(log));
    return detail::done(mcp_log_set_logger(
        [](void *it, std::int32_t at, const char *record) {
            detail::guard(
                [=] { (*static_cast<function *>(it))(static_cast<log_level>(at), record); },
                "the logger");
        },
        number, user.release(), [](void *it) { delete static_cast<function *>(it); }));
}

/**
 * Sets the function that receives the spans of OpenTelemetry, each as a JSON object of OTLP, of the
 * clients and servers that are created from now on. An empty function records nothing from now on.
 * `options` is the JSON of mcp_telemetry_set().
 */
inline result<void> set_telemetry(const std::string &options,
                                  std::function<void(std::string_view)> span) {
    using function = std::function<void(std::string_view)>;
    char *error = nullptr;
    if (!span) {
        const auto status = mcp_telemetry_set(options.c_str(), nullptr, nullptr, nullptr, &error);
        return detail::done(status, error);
    }
    auto user = std::make_unique<function>(std::move(span));
    const auto status = mcp_telemetry_set(
        options.c_str(),
        [](void *it, const char *json) {
            detail::guard([=] { (*static_cast<function *>(it))(json); }, "the function for spans");
        },
        user.release(), [](void *it) { delete static_cast<function *>(it); }, &error);
    return detail::done(status, error);
}

/** How long requests took, a JSON array of metrics of OTLP; see mcp_telemetry_metrics(). */
inline result<std::string> telemetry_metrics() {
    char *text = nullptr, *error = nullptr;
    const auto status = mcp_telemetry_metrics(&text, &error);
    if (status != MCP_OK) return unexpected(detail::done(status, error).error());
    std::string metrics(text);
    mcp_string_free(text);
    return metrics;
}

#if !defined(MCP_DOXYGEN) && !MCP_HAS_EXCEPTIONS
} // the inline namespace
#endif

#ifdef NLOHMANN_JSON_VERSION_MAJOR
/** Calls with values of <nlohmann/json.hpp>, for programs that include it before this header. */
namespace json {

/** Parses the JSON of a message. */
inline result<nlohmann::json> parse(const message &from) {
    auto value = nlohmann::json::parse(from.json(), nullptr, false);
    if (value.is_discarded()) return detail::fail(MCP_ERROR_INVALID_ARGUMENT);
    return value;
}

/** Writes a value as JSON text; status::invalid_argument if a string in it is not UTF-8. */
inline result<std::string> text(const nlohmann::json &value) {
#if MCP_HAS_EXCEPTIONS
    try {
        return value.dump();
    } catch (const nlohmann::json::exception &wrong) {
        object why;
        why.set("status", "invalid_argument").set("message", wrong.what()).set("retryable", false);
        return detail::fail(MCP_ERROR_INVALID_ARGUMENT, std::string(why.json().value_or("")));
    }
#else
    return value.dump();
#endif
}

/** Calls a method and returns the result as a value. */
inline result<nlohmann::json> call(client &on, std::string_view method,
                                   const nlohmann::json &params = nlohmann::json::object(),
                                   const options &how = {}) {
    const auto written = text(params);
    if (!written) return unexpected(written.error());
    auto reply = on.call(method, *written, how);
    if (!reply) return unexpected(std::move(reply).error());
    return parse(*reply);
}

/** Creates a client from a configuration value. */
inline result<client> make_client(const nlohmann::json &config) {
    const auto written = text(config);
    if (!written) return unexpected(written.error());
    return client::make(*written);
}

} // namespace json
#endif

} // namespace mcp

#undef MCP_OLD_NAME

#endif /* MCP_HPP */
