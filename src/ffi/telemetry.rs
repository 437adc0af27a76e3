//! OpenTelemetry: spans to a function of the program, and metrics.

use super::convert::{give, guard_out, guard_taking};
use super::guard::null;
use super::panics::of_program;
use super::pointer::{UserData, text};
use super::status::mcp_status_t;
use crate::client::config::telemetry::read;
use crate::client::{metrics, set_telemetry};
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

/// Sets the function that receives the spans of OpenTelemetry, of the clients and servers that are
/// created from now on. It replaces the previous one.
///
/// options_json: a JSON object with "sample_rate" (0 to 1, default 1: the share of requests
///   without a parent that become spans; a request with a parent is recorded if its parent is),
///   "metrics" (default false: counts how long each request took, see mcp_telemetry_metrics()) and
///   "measurements" (default false: `span` gets {"span":...,"measurement":...}, each if there is
///   one, for programs that count themselves: of every request, recorded or not, a measurement with
///   the "name" of the histogram, the "value" in seconds and "attributes"); NULL for the defaults.
/// span: called with `user` and a span that has ended, a JSON object as OTLP has it
///   (opentelemetry.proto.trace.v1.Span in the JSON of Protocol Buffers): a client tells of each
///   request that it sent, a server of each that it answered. The text is valid until `span`
///   returns. NULL records nothing from now on.
/// user: passed to `span` and `destroy`; may be NULL.
/// destroy: called exactly once with `user`, after the last call of `span`, on any thread, also when
///   the function fails; may be NULL.
/// error_json: receives an error object if the function fails; may be NULL. Free it with
///   mcp_string_free().
///
/// A client puts the context of the span into `_meta` of the request ("traceparent"), unless the
/// call has one of its own (option "traceparent"): then that is the parent of the span, and goes
/// out as it is. The option "parent" names a parent, too, but the context of the span goes out. A
/// server takes the parent from there; the header of HTTP becomes a link. A handler finds the
/// context of its span in mcp_request_context() ("traceparent").
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for wrong options; then nothing changes.
///
/// Threads: any thread. `span` runs on one thread of the library, one span after another, with no
///   lock held, and may call every function of this library. It is called only while a client or a
///   server exists, and not in a child of fork(). If `span` is too slow, spans are dropped.
///
/// Example:
///
///     static void print(void *user, const char *span_json) {
///         fprintf(user, "%s\n", span_json);
///     }
///
///     mcp_telemetry_set("{\"sample_rate\":0.01}", print, stderr, NULL, NULL);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_telemetry_set(
    options_json: *const c_char,
    span: Option<unsafe extern "C" fn(user: *mut c_void, span_json: *const c_char)>,
    user: *mut c_void,
    destroy: Option<unsafe extern "C" fn(user: *mut c_void)>,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_taking(
        (),
        error_json,
        || Ok(UserData::new(user, destroy)),
        |user| {
            let listener = Arc::new(move |told: &str| {
                let (Some(span), Ok(told)) = (span, CString::new(told)) else { return };
                // SAFETY: the contract says that `span` may be called with `user` until `destroy` is.
                of_program(|| unsafe { span(user.get(), told.as_ptr()) });
            });
            let settings = read(text(options_json, "options_json")?.unwrap_or("{}"), listener)?;
            set_telemetry(span.is_some().then_some(settings));
            Ok(())
        },
    )
}

/// How long requests and sessions took since telemetry was set with "metrics": the histograms
/// mcp.client.operation.duration, mcp.server.operation.duration, mcp.client.session.duration and
/// mcp.server.session.duration of all clients and servers.
///
/// metrics_json: receives a JSON array of metrics as OTLP has them
///   (opentelemetry.proto.metrics.v1.Metric), cumulative; "[]" while nothing was counted. Free it
///   with mcp_string_free().
/// error_json: receives an error object if the function fails; may be NULL. Free it with
///   mcp_string_free().
///
/// Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT if `metrics_json` is NULL.
///
/// Threads: any thread.
///
/// Example:
///
///     if (mcp_telemetry_metrics(&value, &error) == MCP_OK)
///         printf("%s\n", value);
///     mcp_string_free(value);
#[unsafe(no_mangle)]
pub extern "C" fn mcp_telemetry_metrics(
    metrics_json: *mut *mut c_char,
    error_json: *mut *mut c_char,
) -> mcp_status_t {
    guard_out(metrics_json, error_json, || {
        if metrics_json.is_null() {
            return Err(null("metrics_json"));
        }
        give(&metrics(), metrics_json, "telemetry_metrics")
    })
}
