//! What a request of the modern era must have: the members of its `_meta`, and headers that repeat what the body says.

use super::caller::Caller;
use super::endpoint::HttpEndpoint;
use crate::json;
use crate::protocol::{error_code, given, meta, method};
use crate::transport::http::param;
use crate::transport::http_server::media::Accepted;
use crate::transport::http_server::refusal::Refusal;
use crate::transport::http_server::routing_headers;
use hyper::StatusCode;
use hyper::header::HeaderMap;

/// A request of the modern era, as the scan of its frame has it.
pub(super) struct ModernRequest<'a> {
    pub(super) name: &'a str,
    pub(super) params: Option<&'a str>,
    /// Of its `_meta`.
    pub(super) version: Option<&'a str>,
    /// Of its `_meta`.
    pub(super) capabilities: Option<&'a str>,
    /// The member `name` of its parameters.
    pub(super) about: Option<&'a str>,
    pub(super) arguments: Option<&'a str>,
}

impl HttpEndpoint {
    /// Checks a request of the modern era in the order of the specification.
    pub(super) fn check_modern(
        &self,
        headers: &HeaderMap,
        caller: &Caller,
        accepted: Accepted,
        asked: &ModernRequest<'_>,
    ) -> Result<(), Refusal> {
        let missing = |member: &str, what: &str| {
            let text = format!("the member '{member}' of the parameters' '_meta' must be {what}");
            Refusal::new(StatusCode::BAD_REQUEST, error_code::INVALID_PARAMS, text)
        };
        let ModernRequest { name, params, .. } = *asked;
        let serving = self.serving()?;
        let version = asked.version.and_then(json::string);
        let version = version.ok_or_else(|| missing(meta::PROTOCOL_VERSION, "a string"))?;
        if asked.capabilities.and_then(given::as_object).is_none() {
            return Err(missing(meta::CLIENT_CAPABILITIES, "an object"));
        }
        routing_headers::check_version(headers, &version)?;
        routing_headers::check_method(headers, name)?;
        let about = match method::find(name).and_then(|row| row.header_member) {
            // The scan of the frame has found it.
            Some("name") => asked.about,
            Some(member) => params.and_then(|params| json::member(params, member)),
            None => None,
        };
        let about = about.and_then(json::string);
        if let Some(about) = &about {
            routing_headers::check_name(headers, about)?;
        }
        if name == method::TOOLS_CALL
            && let Some(tool) = &about
            && let Some(schema) = serving.schema_with_headers(caller, tool)
        {
            let parameters = param::read(&schema).unwrap_or_default();
            routing_headers::check_parameters(headers, &parameters, asked.arguments)?;
        }
        if name == method::LISTEN && !accepted.events {
            let text = "Accept must have text/event-stream";
            return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, error_code::INVALID_REQUEST, text));
        }
        Ok(())
    }
}
