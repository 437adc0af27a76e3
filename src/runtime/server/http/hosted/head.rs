//! The head of an answer, as C takes it.

use super::super::body::ServerBody;
use hyper::Response;
use hyper::body::Body as _;
use std::ffi::CString;

/// The head of an answer.
#[derive(Debug)]
pub(crate) struct HostedHead {
    pub(crate) status: u16,
    /// The bytes of the body, where that is no stream.
    pub(crate) length: Option<u64>,
    /// Names and values.
    pub(crate) headers: Vec<(CString, CString)>,
}

impl HostedHead {
    /// Takes an answer apart.
    pub(super) fn of(response: Response<ServerBody>) -> (HostedHead, ServerBody) {
        let (parts, body) = response.into_parts();
        // Both are without NUL, as HTTP has it.
        let text = |bytes: &[u8]| CString::new(bytes).ok();
        let headers = parts
            .headers
            .iter()
            .filter_map(|(name, value)| Some((text(name.as_ref())?, text(value.as_bytes())?)))
            .collect();
        (HostedHead { status: parts.status.as_u16(), length: body.size_hint().exact(), headers }, body)
    }
}
