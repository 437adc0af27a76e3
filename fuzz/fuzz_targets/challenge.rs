//! `WWW-Authenticate`: several headers, one a line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::auth::{Challenges, Scopes};
use mcp_fuzz::text;

fuzz_target!(|bytes: &[u8]| {
    let all = text(bytes);
    let challenges = Challenges::parse(all.split('\n'));
    if let Some(place) = challenges.resource_metadata() {
        assert!(!place.is_empty() && all.len() >= place.len());
    }
    if let Some(scopes) = challenges.scopes() {
        assert!(!scopes.is_empty());
        assert_eq!(Scopes::parse(&scopes.text()), scopes, "scopes read as they are written");
        assert!(scopes.has_all(&scopes) && scopes.with(&scopes) == scopes);
    }
    let _ = (challenges.error(), challenges.has("bearer"), challenges.has("dpop"));
    // A header is read by itself: what comes after it changes nothing of it.
    let more = Challenges::parse(all.split('\n').chain(["Basic realm=\"x\""]));
    if challenges.error().is_some() {
        assert_eq!(challenges.error(), more.error());
    }
});
