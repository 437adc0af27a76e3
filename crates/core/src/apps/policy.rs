//! What the document of an app may do: the Content-Security-Policy and the permissions of its frame, from `_meta.ui` of its resource.

use crate::json::{elements, string};
use crate::protocol::lenient;
use std::borrow::Cow;

/// The permissions that an app may ask for, and what they are called in the `allow` attribute of a frame.
const PERMISSIONS: [(&str, &str); 4] = [
    ("camera", "camera"),
    ("microphone", "microphone"),
    ("geolocation", "geolocation"),
    ("clipboardWrite", "clipboard-write"),
];

/// Takes away what speaks with other hosts and no policy governs: browsers have no directive for calls between browsers, whose servers a page
/// names itself. It comes before every script of the document.
///
/// A frame with `srcdoc` has a world of its own, and no policy forbids it: the same script is put before its text. One at a `javascript:`
/// address is removed. Both load in a later turn of the browser than the one in which they are seen. What the script uses is taken before
/// a page can change it. A closed shadow root that the parser makes (`shadowrootmode`) cannot be looked into.
/// So it is a hurdle: the bound is a setting of the engine.
pub const GUARD: &str = "<script>(() => { \
    const own = '<!doctype html>' + document.currentScript.outerHTML; \
    document.currentScript.remove(); \
    for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete globalThis[name]; \
    const { apply } = Reflect, { startsWith } = String.prototype, Observer = MutationObserver, { observe } = Observer.prototype; \
    const { attachShadow, getAttribute, setAttribute, remove } = Element.prototype; \
    const source = ({ prototype }) => Object.getOwnPropertyDescriptor(prototype, 'src').get; \
    const kinds = { iframe: source(HTMLIFrameElement), frame: source(HTMLFrameElement) }; \
    const look = (root, all, kind) => { \
    const found = apply(all, root, [kind]); \
    for (let at = 0; found[at]; at++) { \
    const text = apply(getAttribute, found[at], ['srcdoc']); \
    if (apply(startsWith, apply(kinds[kind], found[at], []), ['javascript:'])) apply(remove, found[at], []); \
    else if (text !== null && !apply(startsWith, text, [own])) apply(setAttribute, found[at], ['srcdoc', own + text]); \
    } }; \
    const watch = (root, { querySelectorAll: all }) => apply(observe, new Observer(() => { look(root, all, 'iframe'); look(root, all, 'frame'); }), \
    [root, { __proto__: null, childList: true, subtree: true, attributes: true, attributeFilter: ['src', 'srcdoc'] }]); \
    const inner = { querySelectorAll: DocumentFragment.prototype.querySelectorAll }; \
    watch(document, document); \
    Element.prototype.attachShadow = function (options) { const root = apply(attachShadow, this, [options]); watch(root, inner); return root; }; \
    })();</script>";

/// What the frame of an app is given. A host may tighten it and never loosen it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Policy {
    /// The Content-Security-Policy: a header of the document or, where it has none, a `<meta>` before any script.
    pub csp: String,
    /// The `allow` attribute of the frame, for a person to consent to.
    pub allow: String,
    /// The domains that were left out, as none of them is one source.
    pub refused: Vec<String>,
}

impl Policy {
    /// What a host puts before a document that has no headers, such as one in `srcdoc`: its policy, and what [`GUARD`] takes away.
    pub fn head(&self) -> String {
        let csp = self.csp.replace('&', "&amp;").replace('"', "&quot;");
        format!("<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"{csp}\">{GUARD}")
    }

    /// The policy for `_meta.ui` of a resource, the whole object. `own` is the source of the document itself: `'self'`, or nothing where
    /// its origin is opaque.
    pub fn of(ui: &str, own: &str) -> Policy {
        let mut refused = Vec::new();
        let csp = lenient::object(ui, "csp").unwrap_or("{}");
        let mut of = |name: &str| -> Vec<String> {
            let list = lenient::list(csp, name).unwrap_or(Cow::Borrowed("[]"));
            let (good, bad): (Vec<String>, Vec<String>) =
                elements(&list).filter_map(string).map(Cow::into_owned).partition(|it| is_source(it));
            refused.extend(bad);
            good
        };
        let (connect, resource, frame, base) =
            (of("connectDomains"), of("resourceDomains"), of("frameDomains"), of("baseUriDomains"));
        let nothing: &[String] = &[];
        let directives: [(&str, &[&str], &[String]); 9] = [
            ("script-src", &[own, "'unsafe-inline'"], &resource),
            ("style-src", &[own, "'unsafe-inline'"], &resource),
            ("img-src", &[own, "data:"], &resource),
            ("font-src", if resource.is_empty() { &[] } else { &[own] }, &resource),
            ("media-src", &[own, "data:"], &resource),
            ("object-src", &[], nothing),
            ("connect-src", if connect.is_empty() { &[] } else { &[own] }, &connect),
            ("frame-src", &[], &frame),
            ("base-uri", if base.is_empty() { &[own] } else { &[] }, &base),
        ];
        let mut written = "default-src 'none'".to_owned();
        for (name, fixed, more) in directives {
            let sources: Vec<&str> = fixed
                .iter()
                .copied()
                .chain(more.iter().map(String::as_str))
                .filter(|it| !it.is_empty())
                .collect();
            let sources = if sources.is_empty() { "'none'".to_owned() } else { sources.join(" ") };
            written.extend(["; ", name, " ", &sources]);
        }
        // Few browsers have the directive; the others say that they do not know it, and follow the rest.
        written.push_str("; form-action 'none'; webrtc 'block'");
        let asked = lenient::object(ui, "permissions").unwrap_or("{}");
        let allow: Vec<&str> = PERMISSIONS
            .iter()
            .filter(|(name, _)| lenient::declares(asked, name))
            .map(|(_, written)| *written)
            .collect();
        Policy { csp: written, allow: allow.join("; "), refused }
    }
}

/// Whether a domain is one source of a policy: `scheme://host[:port][/path]`, with `*.` at most as the first label; `data:`, `blob:`.
pub fn is_source(domain: &str) -> bool {
    if ["data:", "blob:"].contains(&domain) {
        return true;
    }
    let Some((scheme, rest)) = domain.split_once("://") else { return false };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (name, port) = host.split_once(':').unwrap_or((host, "0"));
    let name = name.strip_prefix("*.").unwrap_or(name);
    ["http", "https", "ws", "wss"].contains(&scheme)
        && name.split('.').all(|label| {
            !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
        && !port.is_empty()
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && path.bytes().all(|byte| byte.is_ascii_graphic() && !b";,'\"*".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_names_nothing_reaches_nothing() {
        let expected = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
                        img-src 'self' data:; font-src 'none'; media-src 'self' data:; object-src 'none'; \
                        connect-src 'none'; frame-src 'none'; base-uri 'self'; form-action 'none'; webrtc 'block'";
        for ui in [
            "{}",
            "null",
            "7",
            r#"{"csp":null}"#,
            r#"{"csp":[],"permissions":[]}"#,
            r#"{"csp":{"connectDomains":[]}}"#,
        ] {
            let policy = Policy::of(ui, "'self'");
            assert_eq!((policy.csp.as_str(), policy.allow.as_str()), (expected, ""), "{ui}");
        }
        assert!(Policy::of("{}", "").csp.contains("script-src 'unsafe-inline';"));
        let odd = Policy::of(r#"{"csp":{"connectDomains":["https://a.example/x?a=1&quot"]}}"#, "'self'");
        let head = format!(
            "<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"{}\"><script>",
            odd.csp.replace('&', "&amp;")
        );
        assert!(odd.head().starts_with(&head) && odd.csp.contains("a=1&quot"), "{}", odd.head());
    }

    #[test]
    fn a_document_reaches_what_it_names_and_one_source_a_domain() {
        let ui = r#"{"csp":{"connectDomains":["https://api.example","https://a b","https://x;script-src *"],
            "resourceDomains":["https://*.cdn.example/x","*","data:"],"frameDomains":["https://f.example:8443"],"baseUriDomains":["https://b.example"]},
            "permissions":{"camera":{},"clipboardWrite":{},"usb":{},"microphone":null,"geolocation":false}}"#;
        let policy = Policy::of(ui, "'self'");
        for part in [
            "script-src 'self' 'unsafe-inline' https://*.cdn.example/x data:;",
            "font-src 'self' https://*.cdn.example/x data:;",
            "connect-src 'self' https://api.example;",
            "frame-src https://f.example:8443;",
            "base-uri https://b.example;",
        ] {
            assert!(policy.csp.contains(part), "{part} in {}", policy.csp);
        }
        assert_eq!(policy.refused, ["https://a b", "https://x;script-src *", "*"]);
        assert_eq!(policy.allow, "camera; clipboard-write");
    }

    #[test]
    fn what_is_not_one_source_is_refused() {
        for good in
            ["https://a", "wss://a-b.example:1/p/q?r", "https://*.a.example", "http://127.0.0.1:80", "blob:"]
        {
            assert!(is_source(good), "{good}");
        }
        for bad in [
            "",
            "https://",
            "https://*",
            "https://a.*",
            "https://*.",
            "https://a..b",
            "https://a:",
            "https://a:b",
            "javascript:x",
            "'self'",
            "https://a,b",
            "https://a\"b",
            "https://a/*",
            "https://a/b c",
            "https://u@a",
            "//a",
            "a.example",
            "https://ä",
            "https:",
            "data:text/html",
            "https://a\n",
            "HTTPS://a",
            "file:///etc",
        ] {
            assert!(!is_source(bad), "{bad}");
        }
    }
}
