//! Pages of servers (MCP Apps, SEP-1865): what the document of one may do, and under which address a frame gets it.
//!
//! A document has an origin of its own (`localhost`, where nothing else answers) and, being sandboxed without `allow-same-origin`, not even
//! that: it reaches neither the page nor its token. Which hosts it may load from is the header that is made here.

use mcp::client::json_text::{elements, member, string};
use std::collections::VecDeque;

/// The extension, and the type of its documents.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";
pub const TYPE: &str = "text/html;profile=mcp-app";
/// The most documents that are kept for frames, and their bytes.
const MOST: usize = 50;
const MOST_BYTES: usize = 64 << 20;

/// Documents that frames may ask for, each under a name that only the page knows.
#[derive(Debug, Default)]
pub struct Apps {
    documents: VecDeque<(String, String, Vec<u8>)>,
}

impl Apps {
    /// Keeps a document under a name.
    pub fn add(&mut self, name: &str, policy: String, document: Vec<u8>) {
        self.documents.push_back((name.to_owned(), policy, document));
        let bytes =
            |all: &VecDeque<(String, String, Vec<u8>)>| all.iter().map(|it| it.2.len()).sum::<usize>();
        while self.documents.len() > MOST || (bytes(&self.documents) > MOST_BYTES && self.documents.len() > 1)
        {
            self.documents.pop_front();
        }
    }

    /// The header and the document of a name.
    pub fn get(&self, name: &str) -> Option<(String, Vec<u8>)> {
        let found = self.documents.iter().find(|(own, ..)| own == name);
        found.map(|(_, policy, document)| (policy.clone(), document.clone()))
    }
}

/// The Content-Security-Policy of a document whose `_meta.ui.csp` this is, and the domains that were left out because they are no single
/// sources.
pub fn policy(csp: Option<&str>, page: &str) -> (String, Vec<String>) {
    let mut refused = Vec::new();
    let mut of = |name: &str| -> Vec<String> {
        let all = elements(csp.and_then(|csp| member(csp, name)).unwrap_or("[]")).filter_map(string);
        let (good, bad): (Vec<_>, Vec<_>) =
            all.map(std::borrow::Cow::into_owned).partition(|it| is_source(it));
        refused.extend(bad);
        good
    };
    let (connect, resource, frame, base) =
        (of("connectDomains"), of("resourceDomains"), of("frameDomains"), of("baseUriDomains"));
    let with = |own: &str, more: &[String]| {
        std::iter::once(own).chain(more.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
    };
    let or_none = |more: &[String]| if more.is_empty() { "'none'".to_owned() } else { more.join(" ") };
    // The sandbox gives the document an opaque origin, which `'self'` is not: it is left out where only that would stand.
    let connect = if csp.is_some() { or_none(&connect) } else { "'none'".to_owned() };
    let policy = [
        "default-src 'none'".to_owned(),
        format!("script-src {}", with("'unsafe-inline'", &resource)),
        format!("style-src {}", with("'unsafe-inline'", &resource)),
        format!("img-src {}", with("data:", &resource)),
        format!("font-src {}", with("data:", &resource)),
        format!("media-src {}", with("data:", &resource)),
        format!("connect-src {connect}"),
        format!("frame-src {}", or_none(&frame)),
        "object-src 'none'".to_owned(),
        format!("base-uri {}", or_none(&base)),
        "form-action 'none'".to_owned(),
        format!("frame-ancestors {page}"),
        "sandbox allow-scripts allow-forms".to_owned(),
    ];
    (policy.join("; "), refused)
}

/// Whether a domain is one source of a policy: `scheme://host[:port][/path]`, with `*.` at most as the first label; `data:`, `blob:`.
fn is_source(domain: &str) -> bool {
    if ["data:", "blob:"].contains(&domain) {
        return true;
    }
    let Some((scheme, rest)) = domain.split_once("://") else { return false };
    let host = rest.split('/').next().unwrap_or_default();
    let name = host.strip_prefix("*.").unwrap_or(host);
    ["http", "https", "ws", "wss"].contains(&scheme)
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:".contains(&byte))
        && name.bytes().any(|byte| byte.is_ascii_alphanumeric())
        && rest.bytes().all(|byte| byte.is_ascii_graphic() && !b";,'\"*".contains(&byte) || byte == b'*')
        && !name.contains('*')
        && !rest[host.len()..].contains('*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w12_a_document_may_do_what_it_names_and_nothing_else() {
        let page = "http://127.0.0.1:8000";
        let (none, _) = policy(None, page);
        for part in [
            "default-src 'none'",
            "connect-src 'none'",
            "frame-src 'none'",
            "sandbox allow-scripts allow-forms",
            "frame-ancestors http://127.0.0.1:8000",
        ] {
            assert!(none.contains(part), "{none}");
        }
        let csp = r#"{"connectDomains":["https://api.example","https://a b","https://x;script-src *"],"resourceDomains":["https://*.cdn.example/x","*","data:"]}"#;
        let (some, refused) = policy(Some(csp), page);
        assert!(some.contains("connect-src https://api.example;"), "{some}");
        assert!(some.contains("script-src 'unsafe-inline' https://*.cdn.example/x data:;"), "{some}");
        assert_eq!(refused, ["https://a b", "https://x;script-src *", "*"]);
        for bad in [
            "",
            "https://",
            "https://*",
            "https://a.*",
            "javascript:x",
            "'self'",
            "https://a,b",
            "https://a\"b",
            "https://a/*",
        ] {
            assert!(!is_source(bad), "{bad}");
        }
    }

    #[test]
    fn documents_have_a_bound() {
        let mut apps = Apps::default();
        for number in 0..100 {
            apps.add(&number.to_string(), String::new(), vec![0; 1 << 20]);
        }
        assert_eq!(apps.documents.len(), MOST);
        assert!(apps.get("0").is_none() && apps.get("99").is_some());
    }
}
