//! Content blocks: one table of the kinds, with the revision that each came with and what each must have (S-TL-13, S-PR-03), the
//! contents of resources (S-RS-04), and URIs that the application writes.

use crate::json;
use crate::json::{Kind, pick};
use crate::protocol::Revision;
use std::borrow::Cow;

/// Where a block stands: not every kind may stand everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockPosition {
    /// In the result of a tool, or in a message of a prompt.
    Result,
    /// In a message of a question for sampling.
    Sampling,
}

struct BlockKind {
    name: &'static str,
    /// The first revision that has it in results of tools and messages of prompts.
    in_results: Option<Revision>,
    /// The first revision that has it in messages for sampling.
    in_sampling: Option<Revision>,
    check: fn(&str, Revision) -> Result<(), String>,
}

const FIRST: Option<Revision> = Some(Revision::V2024_11_05);

/// Every kind of content block (`server/tools`, `server/prompts`, `client/sampling`).
const KINDS: [BlockKind; 7] = [
    BlockKind { name: "text", in_results: FIRST, in_sampling: FIRST, check: text },
    BlockKind { name: "image", in_results: FIRST, in_sampling: FIRST, check: media },
    BlockKind {
        name: "audio",
        in_results: Some(Revision::V2025_03_26),
        in_sampling: Some(Revision::V2025_03_26),
        check: media,
    },
    BlockKind {
        name: "resource_link",
        in_results: Some(Revision::V2025_06_18),
        in_sampling: None,
        check: resource_link,
    },
    BlockKind { name: "resource", in_results: FIRST, in_sampling: None, check: embedded },
    BlockKind {
        name: "tool_use",
        in_results: None,
        in_sampling: Some(Revision::V2025_11_25),
        check: tool_use,
    },
    BlockKind {
        name: "tool_result",
        in_results: None,
        in_sampling: Some(Revision::V2025_11_25),
        check: tool_result,
    },
];

/// The name of a member as it is meant: without escapes.
pub fn spelled(name: &str) -> Cow<'_, str> {
    if !name.contains('\\') {
        return Cow::Borrowed(name);
    }
    Cow::Owned(json::string(&format!("\"{name}\"")).unwrap_or_default().into_owned())
}

/// The type of a block.
pub fn type_of(block: &str) -> Option<Cow<'_, str>> {
    pick(block, ["type"])[0].and_then(json::string)
}

/// Checks one block.
///
/// # Errors
/// What is wrong with it.
pub fn block(text: &str, place: BlockPosition, revision: Revision) -> Result<(), String> {
    if json::kind(text) != Some(Kind::Object) {
        return Err("a block of content must be an object".to_owned());
    }
    let Some(name) = type_of(text) else {
        return Err("a block of content must have a string 'type'".to_owned());
    };
    let row = KINDS.iter().find(|kind| kind.name == name);
    let since = row.and_then(|kind| match place {
        BlockPosition::Result => kind.in_results,
        BlockPosition::Sampling => kind.in_sampling,
    });
    let (Some(row), Some(since)) = (row, since) else {
        return Err(format!("there is no content of type '{name}' here"));
    };
    if revision < since {
        let (since, revision) = (since.as_str(), revision.as_str());
        return Err(format!("content of type '{name}' came with {since}, and the client speaks {revision}"));
    }
    (row.check)(text, revision).map_err(|what| format!("content of type '{name}': {what}"))
}

/// Checks an array of blocks.
///
/// # Errors
/// Which one is wrong, and what is wrong with it.
pub fn blocks(array: &str, place: BlockPosition, revision: Revision) -> Result<(), String> {
    for (index, element) in json::elements(array).enumerate() {
        block(element, place, revision).map_err(|what| format!("'content' at {index}: {what}"))?;
    }
    Ok(())
}

/// Checks what a resource holds: a URI, and a text or bytes.
///
/// # Errors
/// What is wrong.
pub fn resource_contents(contents: &str) -> Result<(), String> {
    if json::kind(contents) != Some(Kind::Object) {
        return Err("the contents of a resource must be an object".to_owned());
    }
    let [address, text, blob, mime] = pick(contents, ["uri", "text", "blob", "mimeType"]);
    absolute(address)?;
    if mime.is_some() {
        of_kind(mime, "mimeType", Kind::String)?;
    }
    match (text, blob) {
        (Some(text), None) if json::kind(text) == Some(Kind::String) => Ok(()),
        (Some(_), None) => Err("'text' must be a string".to_owned()),
        (None, Some(blob)) => base64(Some(blob), "blob"),
        (None, None) => Err("there must be a 'text' or a 'blob'".to_owned()),
        (Some(_), Some(_)) => Err("there may be a 'text' or a 'blob', not both".to_owned()),
    }
}

fn text(block: &str, _: Revision) -> Result<(), String> {
    of_kind(pick(block, ["text"])[0], "text", Kind::String)
}

fn media(block: &str, _: Revision) -> Result<(), String> {
    let [data, mime] = pick(block, ["data", "mimeType"]);
    base64(data, "data")?;
    media_type(mime)
}

fn resource_link(block: &str, _: Revision) -> Result<(), String> {
    let [address, name, mime] = pick(block, ["uri", "name", "mimeType"]);
    absolute(address)?;
    if mime.is_some() {
        of_kind(mime, "mimeType", Kind::String)?;
    }
    filled(name, "name")
}

fn embedded(block: &str, _: Revision) -> Result<(), String> {
    match pick(block, ["resource"])[0] {
        Some(resource) => resource_contents(resource),
        None => Err("'resource' is missing".to_owned()),
    }
}

fn tool_use(block: &str, _: Revision) -> Result<(), String> {
    let [id, name, input] = pick(block, ["id", "name", "input"]);
    filled(id, "id")?;
    filled(name, "name")?;
    of_kind(input, "input", Kind::Object)
}

fn tool_result(block: &str, revision: Revision) -> Result<(), String> {
    let [id, content] = pick(block, ["toolUseId", "content"]);
    filled(id, "toolUseId")?;
    of_kind(content, "content", Kind::Array)?;
    blocks(content.unwrap_or("[]"), BlockPosition::Result, revision)
}

/// Text that is not empty.
fn filled(value: Option<&str>, name: &str) -> Result<(), String> {
    match value.and_then(json::string) {
        Some(text) if !text.is_empty() => Ok(()),
        _ => Err(format!("'{name}' must be a string that is not empty")),
    }
}

fn of_kind(value: Option<&str>, name: &str, kind: Kind) -> Result<(), String> {
    match value.and_then(json::kind) {
        Some(found) if found == kind => Ok(()),
        Some(found) => Err(format!("'{name}' is {found}, and must be {kind}")),
        None => Err(format!("'{name}' is missing")),
    }
}

fn absolute(value: Option<&str>) -> Result<(), String> {
    let Some(address) = value.and_then(json::string) else {
        return Err("'uri' must be a string".to_owned());
    };
    uri_fault(&address).map_or(Ok(()), |fault| Err(format!("'uri': {fault}")))
}

/// A media type: a type and a subtype, with or without parameters (RFC 9110, section 8.3.1).
fn media_type(value: Option<&str>) -> Result<(), String> {
    let Some(text) = value.and_then(json::string) else {
        return Err("'mimeType' must be a string".to_owned());
    };
    let essence = text.split(';').next().unwrap_or_default().trim();
    let is_token = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b))
    };
    let is_media = essence.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype));
    if is_media { Ok(()) } else { Err(format!("'mimeType' is '{text}', and must be like image/png")) }
}

/// Base64 with padding (RFC 4648, section 4). Nothing is decoded: the text may be large.
fn base64(value: Option<&str>, name: &str) -> Result<(), String> {
    let Some(text) = value.and_then(json::string) else {
        return Err(format!("'{name}' must be a string"));
    };
    if text.len() % 4 != 0 {
        return Err(format!(
            "'{name}' is not valid base64: its length {} is not a multiple of 4",
            text.len()
        ));
    }
    let digits = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(&text);
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    match digits.as_bytes().iter().position(|byte| !is_digit(byte)) {
        None => Ok(()),
        Some(at) => Err(format!("'{name}' is not valid base64: invalid character at {at}")),
    }
}

/// What is wrong with an absolute URI (RFC 3986, section 3.1): it needs a scheme, and has no white space or control characters.
pub fn uri_fault(uri: &str) -> Option<String> {
    let scheme = uri.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    if !is_scheme {
        return Some(format!("'{uri}' has no scheme"));
    }
    if uri.bytes().any(|b| b <= b' ' || b == 0x7f || b"<>\"{}|\\^`".contains(&b)) {
        return Some(format!("'{uri}' has characters that a URI cannot contain"));
    }
    None
}

/// What is wrong with the address of a page that a person is to visit (S-EL-03): it begins with `https://`, or with `http://` and
/// a loopback host, and has no user information.
pub fn page_fault(url: &str) -> Option<String> {
    if let Some(fault) = uri_fault(url) {
        return Some(fault);
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return Some(format!("'{url}' must begin with https://"));
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Some(format!("'{url}' has user information before the host"));
    }
    let host = match authority.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    if host.is_empty() {
        return Some(format!("'{url}' has no host"));
    }
    let is_safe =
        scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http") && is_loopback(host);
    (!is_safe).then(|| format!("'{url}' must begin with https:// (http:// is for a loopback address only)"))
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// What is wrong with the address of an icon (S-TL-17): only `https:` and `data:` are allowed.
pub fn icon_fault(src: &str) -> Option<String> {
    let starts = |prefix: &str| src.get(..prefix.len()).is_some_and(|it| it.eq_ignore_ascii_case(prefix));
    match uri_fault(src) {
        Some(fault) => Some(fault),
        None if starts("https://") || starts("data:") => None,
        None => Some(format!("'{src}' must begin with https:// or data:")),
    }
}

#[cfg(test)]
mod tests {
    use super::{icon_fault, page_fault};

    #[test]
    fn pages_are_https_or_of_this_machine() {
        for good in [
            "https://example.com/pay?id=1",
            "HTTPS://example.com",
            "http://localhost:8080/x",
            "http://127.0.0.1",
            "http://[::1]:3/x",
        ] {
            assert_eq!(page_fault(good), None);
        }
        for bad in [
            "",
            "example.com",
            "mailto:a@b",
            "http://example.com",
            "http://127.0.0.1.example.com",
            "https://",
            "https:///path",
            "https://user:secret@example.com",
            "https://a b",
            "javascript://x",
        ] {
            assert!(page_fault(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn icons_are_https_or_data() {
        for good in ["https://example.com/i.png", "data:image/png;base64,AA=="] {
            assert_eq!(icon_fault(good), None);
        }
        for bad in
            ["", "http://example.com/i.png", "file:///i.png", "i.png", "javascript:1", "https:x", "data"]
        {
            assert!(icon_fault(bad).is_some(), "{bad}");
        }
    }
}
