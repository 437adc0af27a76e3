//! Pages of servers (MCP Apps, SEP-1865): what the document of one may do, and under which address a frame gets it.
//!
//! A document has an origin of its own (`localhost`, where nothing else answers) and, being sandboxed without `allow-same-origin`, not even
//! that: it reaches neither the page nor its token. Which hosts it may load from is the header that is made here.

use mcp::apps::Policy;
use std::collections::VecDeque;

/// The most documents that are kept for frames, and their bytes.
const MOST: usize = 50;
const MOST_BYTES: usize = 64 << 20;

/// How many reports of a document are kept: one may try forever what its policy refuses.
const MOST_REPORTS: usize = 100;

/// Documents that frames may ask for, each under a name that only the page knows.
#[derive(Debug, Default)]
pub struct Apps {
    documents: VecDeque<Document>,
}

#[derive(Debug)]
struct Document {
    name: String,
    /// The number of its server.
    server: usize,
    policy: String,
    bytes: Vec<u8>,
    reports: usize,
}

impl Apps {
    /// Keeps a document under a name.
    pub fn add(&mut self, name: &str, server: usize, policy: String, bytes: Vec<u8>) {
        self.documents.push_back(Document { name: name.to_owned(), server, policy, bytes, reports: 0 });
        let bytes = |all: &VecDeque<Document>| all.iter().map(|it| it.bytes.len()).sum::<usize>();
        while self.documents.len() > MOST || (bytes(&self.documents) > MOST_BYTES && self.documents.len() > 1)
        {
            self.documents.pop_front();
        }
    }

    /// The header and the document of a name.
    pub fn get(&self, name: &str) -> Option<(String, Vec<u8>)> {
        let found = self.documents.iter().find(|it| it.name == name);
        found.map(|it| (it.policy.clone(), it.bytes.clone()))
    }

    /// Counts a report of a document; the number of its server, unless there were too many.
    pub fn report(&mut self, name: &str) -> Option<usize> {
        let found = self.documents.iter_mut().find(|it| it.name == name)?;
        found.reports += 1;
        (found.reports <= MOST_REPORTS).then_some(found.server)
    }
}

/// The Content-Security-Policy of a document whose `_meta.ui` this is, for a frame of the page, and the domains that were left out. The
/// sandbox gives the document an opaque origin, which `'self'` is not.
pub fn policy(ui: Option<&str>, page: &str) -> (String, Vec<String>) {
    let Policy { csp, refused, .. } = Policy::of(ui.unwrap_or("{}"), "");
    (format!("{csp}; frame-ancestors {page}; sandbox allow-scripts allow-forms"), refused)
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
        let ui = r#"{"csp":{"connectDomains":["https://api.example"],"resourceDomains":["*","data:"]}}"#;
        let (some, refused) = policy(Some(ui), page);
        assert!(some.contains("connect-src https://api.example;"), "{some}");
        assert!(some.contains("script-src 'unsafe-inline' data:;"), "{some}");
        assert_eq!(refused, ["*"]);
    }

    #[test]
    fn documents_have_a_bound() {
        let mut apps = Apps::default();
        for number in 0..100 {
            apps.add(&number.to_string(), number, String::new(), vec![0; 1 << 20]);
        }
        assert_eq!(apps.documents.len(), MOST);
        assert!(apps.get("0").is_none() && apps.get("99").is_some());
        let reports = (0..200).filter_map(|_| apps.report("99")).collect::<Vec<_>>();
        assert_eq!(reports, [99; MOST_REPORTS]);
        assert_eq!((apps.report("0"), apps.report("98")), (None, Some(98)));
    }
}
