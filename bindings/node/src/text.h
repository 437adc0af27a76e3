// Strings between JavaScript and mcp.h, and errors on their way to JavaScript. Knows neither clients nor messages.
#pragma once

#include <mcp.h>
#include <napi.h>

#include <cstdint>
#include <memory>
#include <string>

struct FreeString {
    void operator()(char *text) const { mcp_string_free(text); }
};
/// A string that mcp.h gave out.
using GivenString = std::unique_ptr<char, FreeString>;

/// Receives a `char **` out-parameter.
class Receive {
  public:
    explicit Receive(GivenString &into) : into_(into) {}
    ~Receive() { into_.reset(text_); }
    Receive(const Receive &) = delete;
    Receive &operator=(const Receive &) = delete;
    operator char **() { return &text_; }

  private:
    GivenString &into_;
    char *text_ = nullptr;
};

/// A string argument. One with a NUL character cannot be a C string, and cutting it would change its meaning.
inline std::string text_of(const Napi::Value &value, const char *what) {
    if (!value.IsString()) {
        throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a string");
    }
    std::string text = value.As<Napi::String>().Utf8Value();
    if (text.find('\0') != std::string::npos) {
        throw Napi::TypeError::New(value.Env(), std::string(what) + " must not hold a NUL character");
    }
    return text;
}

/// A string argument that may be left out, for a parameter that may be NULL.
class OptionalText {
  public:
    OptionalText(const Napi::Value &value, const char *what) : given_(!value.IsUndefined() && !value.IsNull()) {
        if (given_) text_ = text_of(value, what);
    }
    const char *get() const { return given_ ? text_.c_str() : nullptr; }

  private:
    bool given_;
    std::string text_;
};

inline double number_of(const Napi::Value &value, const char *what) {
    if (!value.IsNumber()) {
        throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a number");
    }
    return value.As<Napi::Number>().DoubleValue();
}

/// A number as C's. Converting one that does not fit, such as Infinity, is undefined.
inline int32_t int32_of(const Napi::Value &value, const char *what) {
    double number = number_of(value, what);
    if (!(number >= INT32_MIN && number <= INT32_MAX)) {
        throw Napi::TypeError::New(value.Env(), std::string(what) + " must be a whole number of 32 bits");
    }
    return static_cast<int32_t>(number);
}

/// A failed status with its error object, as a plain error that the JavaScript side turns into its own class.
inline Napi::Error failure(Napi::Env env, mcp_status_t status, const char *error_json) {
    Napi::Error error = Napi::Error::New(env, error_json != nullptr ? error_json : mcp_status_name(status));
    error.Value().Set("mcpStatus", Napi::Number::New(env, status));
    error.Value().Set("mcpJson", error_json != nullptr ? Napi::Value(Napi::String::New(env, error_json)) : env.Null());
    return error;
}
