//! References inside a schema document: just enough of RFC 3986 to join a reference to its base.

/// A reference joined to its base: the address of a schema resource, and the fragment in it, decoded.
pub(super) fn join(base: &str, reference: &str) -> (String, String) {
    let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let address = if address.is_empty() { base.to_owned() } else { absolute(base, address) };
    (address, percent_decoded(fragment))
}

fn absolute(base: &str, reference: &str) -> String {
    if has_scheme(reference) {
        return reference.to_owned();
    }
    let scheme_end = base.find(':').map_or(0, |colon| colon + 1);
    if reference.starts_with("//") {
        return format!("{}{reference}", &base[..scheme_end]);
    }
    let authority_end = match base[scheme_end..].strip_prefix("//") {
        Some(rest) => base.len() - rest.len() + rest.find('/').unwrap_or(rest.len()),
        None => scheme_end,
    };
    let (root, path) = base.split_at(authority_end);
    let path = if reference.starts_with('/') {
        reference.to_owned()
    } else {
        let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
        let folder = if folder.is_empty() && authority_end > scheme_end { "/" } else { folder };
        format!("{folder}{reference}")
    };
    format!("{root}{}", without_dots(&path))
}

fn has_scheme(reference: &str) -> bool {
    reference.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    })
}

/// Section 5.2.4: `.` is here, `..` is one up.
fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." && parts.len() > 1 {
                    parts.pop();
                }
                if last {
                    parts.push("");
                }
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let pair = tail.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_joined_to_their_base() {
        for (base, reference, address, fragment) in [
            ("http://a/b/c", "#/x%25y", "http://a/b/c", "/x%y"),
            ("http://a/b/c", "d.json#e", "http://a/b/d.json", "e"),
            ("http://a/b/c", "/d", "http://a/d", ""),
            ("http://a/b/c/", "../d", "http://a/b/d", ""),
            ("http://a", "d", "http://a/d", ""),
            ("http://a/b", "urn:x:y", "urn:x:y", ""),
            ("http://a/b", "//c/d", "http://c/d", ""),
            ("", "d", "d", ""),
        ] {
            assert_eq!(
                join(base, reference),
                (address.to_owned(), fragment.to_owned()),
                "{base} {reference}"
            );
        }
    }
}
