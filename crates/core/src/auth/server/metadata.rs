//! The metadata of the protected resource (RFC 9728): the document, and the paths where clients look for it (S-AU-01, S-AU-02).

use super::bearer::DpopUse;
use super::keys::Algorithm;
use crate::auth::Scopes;
use crate::auth::url_policy::resource_documents;
use crate::protocol::address::Address;
use serde_json::{Map, Value, json};

/// What the document says.
#[derive(Clone, Debug)]
pub struct ResourceDocument {
    /// The resource, as tokens name it.
    pub resource: String,
    /// The authorization servers whose tokens are good here.
    pub authorization_servers: Vec<String>,
    /// What every request needs: what a client asks for at first (S-AU-14).
    pub scopes: Scopes,
    /// A name for people.
    pub name: Option<String>,
    /// Whether proofs of possession are taken.
    pub dpop: DpopUse,
}

impl ResourceDocument {
    /// The document as JSON text.
    pub fn text(&self) -> String {
        let mut document = Map::new();
        document.insert("resource".to_owned(), json!(self.resource));
        document.insert("authorization_servers".to_owned(), json!(self.authorization_servers));
        document.insert("bearer_methods_supported".to_owned(), json!(["header"]));
        if !self.scopes.is_empty() {
            let scopes: Vec<String> = self.scopes.text().split(' ').map(str::to_owned).collect();
            document.insert("scopes_supported".to_owned(), json!(scopes));
        }
        if let Some(name) = &self.name {
            document.insert("resource_name".to_owned(), json!(name));
        }
        if self.dpop != DpopUse::Off {
            let names: Vec<&str> = Algorithm::OF_PROOFS.iter().map(|it| it.as_str()).collect();
            document.insert("dpop_signing_alg_values_supported".to_owned(), json!(names));
        }
        if self.dpop == DpopUse::Required {
            document.insert("dpop_bound_access_tokens_required".to_owned(), json!(true));
        }
        Value::Object(document).to_string()
    }
}

/// The URL of the document that challenges name: with the path of the resource inserted.
pub fn document_url(resource: &Address) -> String {
    resource_documents(resource).swap_remove(0)
}

/// The paths at which the document is served: those of the public URL, and those of the path that the server itself has, which
/// differ where a proxy changes paths.
pub fn document_paths(resource: &Address, path: &str) -> Vec<String> {
    let origin = resource.origin().to_string();
    let mut urls = resource_documents(resource);
    if let Ok(own) = Address::parse(&format!("{origin}{path}")) {
        urls.extend(resource_documents(&own));
    }
    let mut paths: Vec<String> =
        urls.iter().filter_map(|url| url.strip_prefix(&origin)).map(str::to_owned).collect();
    crate::sorted::order(&mut paths);
    paths.dedup();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: &str) -> Address {
        Address::parse(url).expect("an address")
    }

    #[test]
    fn the_document_is_found_at_the_root_and_with_the_path_inserted() {
        const ROOT: &str = "/.well-known/oauth-protected-resource";
        let found = |url, path| document_paths(&address(url), path);
        assert_eq!(found("https://m.example/mcp", "/mcp"), [ROOT.to_owned(), format!("{ROOT}/mcp")]);
        assert_eq!(
            found("https://m.example/a/mcp/", "/mcp"),
            [ROOT.to_owned(), format!("{ROOT}/a/mcp"), format!("{ROOT}/a/mcp/"), format!("{ROOT}/mcp")]
        );
        assert_eq!(found("https://m.example", "/"), [ROOT]);
        assert_eq!(
            document_url(&address("https://m.example:8443/mcp")),
            format!("https://m.example:8443{ROOT}/mcp")
        );
        assert_eq!(document_url(&address("https://m.example/")), format!("https://m.example{ROOT}"));
    }

    #[test]
    fn the_document_names_the_resource_and_who_gives_tokens_for_it() {
        let mut document = ResourceDocument {
            resource: "https://m.example/mcp".to_owned(),
            authorization_servers: vec!["https://as.example".to_owned()],
            scopes: Scopes::parse("read"),
            name: Some("Files".to_owned()),
            dpop: DpopUse::Off,
        };
        let read =
            |document: &ResourceDocument| serde_json::from_str::<Value>(&document.text()).expect("JSON");
        assert_eq!(
            read(&document),
            json!({"resource": "https://m.example/mcp", "authorization_servers": ["https://as.example"],
                   "bearer_methods_supported": ["header"], "scopes_supported": ["read"], "resource_name": "Files"})
        );
        document.dpop = DpopUse::Required;
        assert_eq!(read(&document)["dpop_bound_access_tokens_required"], true);
        assert_eq!(read(&document)["dpop_signing_alg_values_supported"][0], "ES256");
    }
}
