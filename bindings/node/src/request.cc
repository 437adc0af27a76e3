#include "request.h"

#include <string>

#include "text.h"

namespace {

struct Request {
    Message message;
};

}  // namespace

mcp_message_t *unanswered(const Napi::Value &value) {
    if (!value.IsExternal()) throw Napi::TypeError::New(value.Env(), "request must be a request");
    mcp_message_t *message = value.As<Napi::External<Request>>().Data()->message.get();
    if (message == nullptr) throw Napi::TypeError::New(value.Env(), "the request was answered already");
    return message;
}

void forget(const Napi::Value &value) { value.As<Napi::External<Request>>().Data()->message.reset(); }

namespace {

// An answer that is invalid leaves the request open, to be answered in another way.
Napi::Value answered(const Napi::CallbackInfo &info, mcp_status_t status, const GivenString &error) {
    if (status != MCP_ERROR_INVALID_ARGUMENT) forget(info[0]);
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// A number for the statuses that are no failure.
Napi::Value done(const Napi::CallbackInfo &info, mcp_status_t status, const GivenString &error) {
    if (status < MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::Number::New(info.Env(), status);
}

Napi::Value text_or_null(Napi::Env env, const GivenString &text) {
    return text ? Napi::Value(Napi::String::New(env, text.get())) : env.Null();
}

// respond(request, result)
Napi::Value respond(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    std::string result = text_of(info[1], "result");
    GivenString error;
    mcp_status_t status = mcp_request_respond(request, result.c_str(), Receive(error));
    return answered(info, status, error);
}

// respondText(request, text, isError): the result of a tool with one block of text
Napi::Value respond_text(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    std::string text = text_of(info[1], "text");
    GivenString error;
    mcp_status_t status =
        mcp_request_respond_text(request, text.c_str(), info[2].ToBoolean().Value(), Receive(error));
    return answered(info, status, error);
}

// respondError(request, code, message, data)
Napi::Value respond_error(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    auto code = int32_of(info[1], "code");
    std::string text = text_of(info[2], "message");
    OptionalText data(info[3], "data");
    GivenString error;
    mcp_status_t status = mcp_request_respond_error(request, code, text.c_str(), data.get(), Receive(error));
    return answered(info, status, error);
}

// respondNotFound(request)
Napi::Value respond_not_found(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    GivenString error;
    mcp_status_t status = mcp_request_respond_error(request, MCP_CODE_NOT_FOUND, nullptr, nullptr, Receive(error));
    return answered(info, status, error);
}

// respondToForm(request, action, content): "accept", "decline" or "cancel"
Napi::Value respond_to_form(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    std::string action = text_of(info[1], "action");
    OptionalText content(info[2], "content");
    GivenString error;
    mcp_status_t status = mcp_request_respond_elicitation(request, action.c_str(), content.get(), Receive(error));
    return answered(info, status, error);
}

// release(request): gives the request up without an answer. The library answers, unless the handler has asked something.
Napi::Value release(const Napi::CallbackInfo &info) {
    if (!info[0].IsExternal()) throw Napi::TypeError::New(info.Env(), "request must be a request");
    forget(info[0]);
    return info.Env().Undefined();
}

// progress(request, progress, total, message): whether it was sent, as a status
Napi::Value progress(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    double value = number_of(info[1], "progress");
    double total = info[2].IsUndefined() ? 0 : number_of(info[2], "total");
    OptionalText message(info[3], "message");
    return done(info, mcp_request_progress(request, value, total, message.get()), nullptr);
}

// log(request, level, logger, data)
Napi::Value log(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    std::string level = text_of(info[1], "level");
    OptionalText logger(info[2], "logger");
    std::string data = text_of(info[3], "data");
    return done(info, mcp_request_log(request, level.c_str(), logger.get(), data.c_str()), nullptr);
}

// ask(request, key, method, params): the answer, or null if it was asked for now
Napi::Value ask(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    std::string key = text_of(info[1], "key");
    std::string method = text_of(info[2], "method");
    std::string params = text_of(info[3], "params");
    GivenString answer, error;
    mcp_status_t status =
        mcp_request_ask(request, key.c_str(), method.c_str(), params.c_str(), Receive(answer), Receive(error));
    if (status < MCP_OK) throw failure(info.Env(), status, error.get());
    return text_or_null(info.Env(), answer);
}

// state(request): the text, or null
Napi::Value state(const Napi::CallbackInfo &info) {
    GivenString text, error;
    mcp_status_t status = mcp_request_state(unanswered(info[0]), Receive(text), Receive(error));
    if (status < MCP_OK) throw failure(info.Env(), status, error.get());
    return text_or_null(info.Env(), text);
}

// setState(request, text)
Napi::Value set_state(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    std::string text = text_of(info[1], "state");
    GivenString error;
    mcp_status_t status = mcp_request_set_state(request, text.c_str(), Receive(error));
    return done(info, status, error);
}

// startTask(request, options)
Napi::Value start_task(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    OptionalText options(info[1], "options");
    GivenString error;
    mcp_status_t status = mcp_request_start_task(request, options.get(), Receive(error));
    return done(info, status, error);
}

// closeStream(request, retryMs): a status
Napi::Value close_stream(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    auto retry = int32_of(info[1], "retryMs");
    GivenString error;
    mcp_status_t status = mcp_request_close_stream(request, retry, Receive(error));
    return done(info, status, error);
}

// context(request): JSON
Napi::Value context(const Napi::CallbackInfo &info) {
    GivenString json, error;
    mcp_status_t status = mcp_request_context(unanswered(info[0]), Receive(json), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::String::New(info.Env(), json.get());
}

// isCancelled(request): whether an answer is no longer wanted
Napi::Value is_cancelled(const Napi::CallbackInfo &info) {
    if (!info[0].IsExternal()) throw Napi::TypeError::New(info.Env(), "request must be a request");
    mcp_message_t *message = info[0].As<Napi::External<Request>>().Data()->message.get();
    return Napi::Boolean::New(info.Env(), message == nullptr || mcp_request_cancelled(message));
}

}  // namespace

Napi::Value request_value(Napi::Env env, Message message) {
    return Napi::External<Request>::New(env, new Request{std::move(message)},
                                        [](Napi::Env, Request *request) { delete request; });
}

void define_requests(Napi::Env env, Napi::Object exports) {
    exports.Set("respond", Napi::Function::New<respond>(env));
    exports.Set("respondText", Napi::Function::New<respond_text>(env));
    exports.Set("respondError", Napi::Function::New<respond_error>(env));
    exports.Set("respondNotFound", Napi::Function::New<respond_not_found>(env));
    exports.Set("respondToForm", Napi::Function::New<respond_to_form>(env));
    exports.Set("releaseRequest", Napi::Function::New<release>(env));
    exports.Set("progress", Napi::Function::New<progress>(env));
    exports.Set("log", Napi::Function::New<log>(env));
    exports.Set("ask", Napi::Function::New<ask>(env));
    exports.Set("state", Napi::Function::New<state>(env));
    exports.Set("setState", Napi::Function::New<set_state>(env));
    exports.Set("startTask", Napi::Function::New<start_task>(env));
    exports.Set("closeStream", Napi::Function::New<close_stream>(env));
    exports.Set("context", Napi::Function::New<context>(env));
    exports.Set("isCancelled", Napi::Function::New<is_cancelled>(env));
}
