//! How URIs of several servers are kept apart: a server could otherwise answer for another one, and supply the page of its app.
//!
//! `ui://X` becomes `ui://SERVER/X`; another URI that two servers have becomes `SERVER+URI`, whose scheme names the server. With one
//! server every URI stays as it is.

/// What stands for the servers in URIs, by their numbers; nothing with one server.
#[derive(Debug, Default)]
pub struct Labels(Vec<Label>);

#[derive(Debug)]
struct Label {
    /// The host of its pages.
    host: String,
    /// The beginning of the scheme of what others have, too.
    scheme: String,
}

/// The scheme of pages, with what is behind it.
const PAGE: &str = "ui://";

/// Whether a URI is that of a page.
pub fn is_page(uri: &str) -> bool {
    uri.get(..PAGE.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(PAGE))
}

impl Labels {
    /// Those of servers with these names, which differ in more than the case of letters: the host and the scheme of a URI have none.
    pub fn new(names: &[String]) -> Labels {
        if names.len() < 2 {
            return Labels::default();
        }
        let label = |name: &String| Label { host: name.clone(), scheme: scheme(name) };
        Labels(names.iter().map(label).collect())
    }

    /// Whether there is one server only.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The URI that always means this one of a server.
    pub fn add(&self, server: usize, uri: &str) -> String {
        match (self.0.get(server), uri.split_at_checked(PAGE.len())) {
            (Some(Label { host, .. }), Some((scheme, rest))) if is_page(uri) => {
                format!("{scheme}{host}/{rest}")
            }
            (Some(Label { scheme, .. }), _) => format!("{scheme}+{uri}"),
            (None, _) => uri.to_owned(),
        }
    }

    /// The server that a URI names, and the URI there.
    pub fn remove(&self, uri: &str) -> Option<(usize, String)> {
        let find = |is_it: &dyn Fn(&Label) -> bool| self.0.iter().position(is_it);
        if is_page(uri) {
            let (scheme, rest) = uri.split_at(PAGE.len());
            let (host, rest) = rest.split_once('/')?;
            let server = find(&|label| label.host.eq_ignore_ascii_case(host))?;
            return Some((server, format!("{scheme}{rest}")));
        }
        let (scheme, rest) = uri.split_once('+')?;
        let server = find(&|label| label.scheme.eq_ignore_ascii_case(scheme))?;
        Some((server, rest.to_owned()))
    }
}

/// A name as the beginning of a scheme, which has letters, digits, `.` and `-` and begins with a letter. No name has a `.` or `__`, so
/// that no two become the same.
fn scheme(name: &str) -> String {
    let text = name.replace('_', ".");
    if text.starts_with(|first: char| first.is_ascii_alphabetic()) { text } else { format!("s..{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(names: &[&str]) -> Labels {
        Labels::new(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_a_label_was_added_to_comes_back_and_is_of_that_server_only() {
        let labels = labels(&["a", "b_c", "1", "-"]);
        let mut seen = std::collections::HashSet::new();
        for server in 0..4 {
            for uri in ["ui://x", "ui://a/x", "UI://x/y", "docs:///x", "a+docs:///x", "ui:x", "s..1+x:y", "x"]
            {
                let shown = labels.add(server, uri);
                assert_eq!(labels.remove(&shown), Some((server, uri.to_owned())), "{shown}");
                assert!(seen.insert(shown), "{server} {uri}");
            }
        }
        assert_eq!(labels.add(0, "ui://x"), "ui://a/x");
        assert_eq!(labels.add(0, "docs:///x"), "a+docs:///x");
        assert_eq!(labels.add(1, "docs:///x"), "b.c+docs:///x", "a scheme has no '_'");
        assert_eq!(labels.add(2, "docs:///x"), "s..1+docs:///x", "and begins with a letter");
    }

    #[test]
    fn what_has_no_label_is_of_no_server() {
        let labels = labels(&["a", "b"]);
        for uri in ["ui://a", "ui://c/x", "docs:///a+x", "c+docs:///x", "docs:///x", "ui://", "ü"] {
            assert_eq!(labels.remove(uri), None, "{uri}");
        }
        assert_eq!(labels.remove("A+docs:///x"), Some((0, "docs:///x".to_owned())));
    }

    #[test]
    fn the_uris_of_one_server_stay() {
        let labels = labels(&["a"]);
        assert!(labels.is_empty());
        assert_eq!(labels.add(0, "ui://x"), "ui://x");
        assert_eq!((labels.remove("ui://a/x"), labels.remove("a+x:y")), (None, None));
    }
}
