//! The two documents of discovery: the metadata of the MCP server as a protected resource (RFC 9728), and that of its authorization
//! server (RFC 8414, `OpenID` Connect Discovery), whose endpoints must belong to it. Credentials belong to an [`Issuer`].

use crate::auth::failure::{Failure, LoginStep, shown};
use crate::auth::token::Scopes;
use crate::auth::url_policy::{self, Policy};
use crate::protocol::address::{Address, Origin};
use serde_json::{Map, Value};

/// The grant of a device (RFC 8628).
pub(super) const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// The most names of a list that are read.
const MOST_NAMES: usize = 64;
/// The longest name of a resource or an issuer.
const LONGEST_NAME: usize = 2048;

/// What the MCP server publishes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ResourceMetadata {
    /// Its name, to be sent just as it is written.
    pub name: String,
    /// The issuers it trusts, as they are written.
    pub issuers: Vec<String>,
    pub scopes: Option<Scopes>,
    /// Whether tokens are to be, or can be, bound to a key (RFC 9728, section 2; RFC 9449).
    pub dpop: bool,
}

fn text<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    object.get(name).and_then(Value::as_str).filter(|text| !text.is_empty() && text.len() <= LONGEST_NAME)
}

/// A list of names. Some write one of them, or all with spaces between them, as a text.
fn list(object: &Map<String, Value>, name: &str) -> Option<Vec<String>> {
    let names = |names: &mut dyn Iterator<Item = &str>| names.take(MOST_NAMES).map(str::to_owned).collect();
    match object.get(name)? {
        Value::Array(array) => Some(names(&mut array.iter().filter_map(Value::as_str))),
        Value::String(_) => Some(names(&mut text(object, name)?.split_ascii_whitespace())),
        _ => None,
    }
}

fn flag(object: &Map<String, Value>, name: &str) -> bool {
    object.get(name).and_then(Value::as_bool).unwrap_or(false)
}

fn scopes(object: &Map<String, Value>) -> Option<Scopes> {
    let list = list(object, "scopes_supported")?;
    Some(Scopes::of(list.iter().map(String::as_str))).filter(|scopes| !scopes.is_empty())
}

impl ResourceMetadata {
    /// Reads the document found at `url` for the MCP server at `server`.
    pub(super) fn read(
        object: &Map<String, Value>,
        url: &str,
        server: &Address,
    ) -> Result<ResourceMetadata, Failure> {
        let wanted = url_policy::canonical(server);
        let Some(name) = text(object, "resource") else {
            return Err(Failure::new(
                LoginStep::ResourceMetadata,
                "resource",
                format!("the document at {url} has no 'resource'; it should say '{wanted}'"),
            )
            .values(&wanted, ""));
        };
        if !identifies(name, server) {
            return Err(Failure::new(
                LoginStep::ResourceMetadata,
                "resource",
                format!(
                    "the document at {url} is about '{}', not about this server, '{wanted}'; a token for the one must \
                     not go to the other. Check 'url', or have the server's operator correct the document",
                    shown(name)
                ),
            )
            .values(&wanted, name));
        }
        let dpop = flag(object, "dpop_bound_access_tokens_required")
            || list(object, "dpop_signing_alg_values_supported")
                .is_some_and(|list| list.iter().any(|a| a == "ES256"));
        Ok(ResourceMetadata {
            name: name.to_owned(),
            issuers: list(object, "authorization_servers").unwrap_or_default(),
            scopes: scopes(object),
            dpop,
        })
    }
}

/// Whether a resource is this server: the same URL, or one above it on the same origin (RFC 9728, section 3.3).
fn identifies(name: &str, server: &Address) -> bool {
    let Ok(resource) = Address::parse(name) else { return false };
    if resource.origin() != server.origin() || name.contains('#') {
        return false;
    }
    if resource.target() == server.target() {
        return true;
    }
    let above = resource.target().trim_end_matches('/');
    let own = url_policy::path(server).trim_end_matches('/');
    !above.contains('?')
        && own.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// An authorization server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ServerMetadata {
    /// Which one it is: by the name that the resource wrote, or by the MCP server's origin.
    pub issuer: Issuer,
    pub authorization: Option<Address>,
    pub token: Option<Address>,
    pub registration: Option<Address>,
    pub revocation: Option<Address>,
    /// Where a device gets its codes (RFC 8628), as it is written: it counts where it is used.
    pub device: Option<String>,
    pub grants: Option<Vec<String>>,
    /// How clients may authenticate at the token endpoint.
    pub auth_methods: Option<Vec<String>>,
    /// The methods of PKCE.
    pub challenges: Option<Vec<String>>,
    pub scopes: Option<Scopes>,
    /// Whether answers carry `iss` (RFC 9207).
    pub says_issuer: bool,
    /// Whether a URL may be a client id (Client ID Metadata Documents).
    pub takes_documents: bool,
    /// How proofs may be signed.
    pub dpop: Option<Vec<String>>,
    /// There was no document: the endpoints are those of 2025-03-26.
    pub guessed: bool,
}

impl ServerMetadata {
    /// Reads the document found at `url` for `issuer`.
    pub(super) fn read(
        object: &Map<String, Value>,
        url: &str,
        issuer: &str,
        policy: &Policy,
    ) -> Result<ServerMetadata, Failure> {
        let said = text(object, "issuer").unwrap_or_default();
        if !Issuer::is_same(said, issuer) {
            if said.is_empty() {
                let message = format!(
                    "the document at {url} has no 'issuer'; it should say '{}', as the MCP server names it",
                    shown(issuer)
                );
                return Err(Failure::new(LoginStep::ServerMetadata, "issuer", message).values(issuer, said));
            }
            let slash = said.trim_end_matches('/') == issuer.trim_end_matches('/');
            let fix =
                if slash { " They differ in a slash at the end, and must not differ at all." } else { "" };
            return Err(Failure::new(
                LoginStep::ServerMetadata,
                "issuer",
                format!(
                    "the MCP server names the authorization server '{}', but the document at {url} is of '{}'.{fix} The \
                     operator of the MCP server must name it just as its document does",
                    shown(issuer),
                    shown(said)
                ),
            )
            .values(issuer, said));
        }
        ServerMetadata::of(object, said, false, policy)
    }

    /// Reads the document that the MCP server at `own` publishes about an authorization server, where it publishes nothing about
    /// itself as a resource (2025-03-26 `basic/authorization`, "Server Metadata Discovery"). Nothing confirms the `issuer` that it
    /// claims, so that it does not count: the server is `name`, the MCP server's own origin.
    ///
    /// The code and the client's secret go to the token endpoint. They must not come from another server, which such a document
    /// could name beside it to get them (mix-up, RFC 9700, section 4.4).
    pub(super) fn read_fallback(
        object: &Map<String, Value>,
        url: &str,
        name: &str,
        own: &Address,
        policy: &Policy,
    ) -> Result<ServerMetadata, Failure> {
        let server = ServerMetadata::of(object, name, true, policy)?;
        let token = server.need(server.token.as_ref(), "token_endpoint")?.origin();
        match server.third_party(token, Some(own.origin()), server.for_codes()) {
            None => Ok(server),
            Some((kind, origin)) => Err(Failure::new(
                LoginStep::ServerMetadata,
                "endpoints",
                format!(
                    "the document at {url} names a '{kind}' at {origin} and the 'token_endpoint' at {token}: a code or a \
                     secret of the one would be sent to the other. Where the MCP server publishes no protected resource \
                     metadata, both must be at one origin, or the former at the MCP server's own. The operator of the MCP \
                     server should publish that metadata (RFC 9728)"
                ),
            )
            .values(&token.to_string(), &origin.to_string())),
        }
    }

    fn of(
        object: &Map<String, Value>,
        issuer: &str,
        fallback: bool,
        policy: &Policy,
    ) -> Result<ServerMetadata, Failure> {
        let endpoint = |name: &'static str| {
            let url = text(object, name);
            url.map(|url| policy.place(LoginStep::ServerMetadata, name, url)).transpose()
        };
        let token = endpoint("token_endpoint")?;
        Ok(ServerMetadata {
            issuer: Issuer::new(issuer, fallback, token.as_ref()),
            authorization: endpoint("authorization_endpoint")?,
            token,
            registration: endpoint("registration_endpoint")?,
            revocation: endpoint("revocation_endpoint")?,
            device: text(object, "device_authorization_endpoint").map(str::to_owned),
            grants: list(object, "grant_types_supported"),
            // An empty one says nothing.
            auth_methods: list(object, "token_endpoint_auth_methods_supported")
                .filter(|list| !list.is_empty()),
            challenges: list(object, "code_challenge_methods_supported"),
            scopes: scopes(object),
            says_issuer: flag(object, "authorization_response_iss_parameter_supported"),
            takes_documents: flag(object, "client_id_metadata_document_supported"),
            dpop: list(object, "dpop_signing_alg_values_supported"),
            guessed: false,
        })
    }

    /// The endpoints of 2025-03-26 where nothing is published (`basic/authorization`, "Fallbacks for Servers without
    /// Metadata Discovery").
    pub(super) fn guessed(name: &str, server: &Address, policy: &Policy) -> Result<ServerMetadata, Failure> {
        let origin = server.origin();
        let endpoint = |name: &'static str, path: &str| {
            policy.place(LoginStep::ServerMetadata, name, &format!("{origin}{path}")).map(Some)
        };
        let token = endpoint("token_endpoint", "/token")?;
        Ok(ServerMetadata {
            issuer: Issuer::new(name, true, token.as_ref()),
            authorization: endpoint("authorization_endpoint", "/authorize")?,
            token,
            registration: endpoint("registration_endpoint", "/register")?,
            revocation: None,
            device: None,
            grants: None,
            auth_methods: None,
            challenges: None,
            scopes: None,
            says_issuer: false,
            takes_documents: false,
            dpop: None,
            guessed: true,
        })
    }

    /// Whether the code flow is safe there (2026-07-28 `basic/authorization`, "Authorization Code Protection"): a server
    /// that does not say that it knows PKCE with S256 might ignore it.
    pub(super) fn check_challenge(&self) -> Result<(), Failure> {
        let known = self.challenges.clone().unwrap_or_default();
        if self.guessed || known.iter().any(|method| method == "S256") {
            return Ok(());
        }
        let found = if known.is_empty() { "nothing".to_owned() } else { shown(&known.join(", ")) };
        Err(Failure::new(
            LoginStep::ServerMetadata,
            "code_challenge_methods_supported",
            format!(
                "'{}' does not say that it supports PKCE with S256 (it lists {found}), so that a stolen code could be \
                 used; its operator must enable it and publish 'code_challenge_methods_supported'",
                shown(&self.issuer.name)
            ),
        )
        .values("S256", &found))
    }

    /// An endpoint that must be there.
    pub(super) fn need<'a>(
        &self,
        endpoint: Option<&'a Address>,
        name: &'static str,
    ) -> Result<&'a Address, Failure> {
        endpoint.ok_or_else(|| {
            Failure::new(
                LoginStep::ServerMetadata,
                name,
                format!("the metadata of '{}' has no '{name}'", shown(&self.issuer.name)),
            )
        })
    }

    /// Whether proofs signed with ES256 are not ruled out.
    pub(super) fn may_bind(&self) -> bool {
        self.dpop.as_ref().is_none_or(|list| list.iter().any(|algorithm| algorithm == "ES256"))
    }
}

const DEVICE_ENDPOINT: &str = "device_authorization_endpoint";

/// The endpoint that a person's login begins at, with its name in the metadata.
type Begins<'a> = (&'static str, Option<&'a Address>);

impl ServerMetadata {
    /// Whether the code flow may use these endpoints. The issuer's own document names them, so that it decides where its codes and
    /// secrets go. But a hostile issuer that names the authorization or the registration endpoint of an honest server gets the code
    /// of that one at its own token endpoint (mix-up, RFC 9700, section 4.4). That is noticed where each answer names its server
    /// (RFC 9207), and permitted where the application itself names the issuer. The same holds for the codes of a device, whose answers
    /// name no server.
    pub(in crate::auth) fn check_endpoints(
        &self,
        named_by_application: bool,
        device: Option<&Address>,
    ) -> Result<(), Failure> {
        let begins = device.map_or(self.for_codes(), |url| (DEVICE_ENDPOINT, Some(url)));
        let Some(token) = self
            .token
            .as_ref()
            .map(Address::origin)
            .filter(|_| !named_by_application || self.issuer.fallback)
        else {
            return Ok(());
        };
        let own = Address::parse(&self.issuer.name).ok();
        match self.third_party(token, own.as_ref().map(Address::origin), begins) {
            None => Ok(()),
            Some(("authorization_endpoint", _)) if self.says_issuer => Ok(()),
            Some((kind, origin)) => Err(Failure::new(
                LoginStep::ServerMetadata,
                "endpoints",
                format!(
                    "the metadata of '{issuer}' names a '{kind}' at {origin} and the 'token_endpoint' at {token}: a code or a \
                     secret of the one would be sent to the other. If you trust '{issuer}' with that, put its name into \
                     'auth.issuer'; its operator can set 'authorization_response_iss_parameter_supported' (RFC 9207), or have \
                     the endpoint at the origin of the issuer or of the token endpoint",
                    issuer = shown(&self.issuer.name)
                ),
            )
            .values(&token.to_string(), &origin.to_string())),
        }
    }

    /// The endpoint, and its origin, that is neither at the origin of the token endpoint nor at the server's own. The one that
    /// registers clients comes first: nothing makes up for it.
    fn third_party<'a>(
        &'a self,
        token: &Origin,
        own: Option<&Origin>,
        begins: Begins<'a>,
    ) -> Option<(&'static str, &'a Origin)> {
        let endpoints = [("registration_endpoint", self.registration.as_ref()), begins];
        let mut origins = endpoints.into_iter().filter_map(|(kind, url)| Some((kind, url?.origin())));
        origins.find(|(_, origin)| *origin != token && Some(*origin) != own)
    }

    /// Where the code flow begins.
    fn for_codes(&self) -> Begins<'_> {
        ("authorization_endpoint", self.authorization.as_ref())
    }

    /// Whether a device may log in there.
    pub(in crate::auth) fn offers_device(&self) -> bool {
        self.device.is_some() && self.takes_device_codes()
    }

    fn takes_device_codes(&self) -> bool {
        self.grants.as_ref().is_none_or(|grants| grants.iter().any(|grant| grant == DEVICE_CODE))
    }

    /// Where a device gets its codes (RFC 8628, section 4). It is never guessed.
    pub(in crate::auth) fn device_endpoint(&self, policy: &Policy) -> Result<Address, Failure> {
        let failed = |check: &'static str, what: &str| {
            let message = format!(
                "'{}' logs no devices in: {what}. \"flow\":\"browser\" in 'auth' logs in with a browser that is sent back to the \
                 application",
                shown(&self.issuer.name)
            );
            Failure::new(LoginStep::ServerMetadata, check, message)
        };
        let Some(url) = &self.device else {
            return Err(failed(DEVICE_ENDPOINT, "its metadata has no 'device_authorization_endpoint'"));
        };
        if !self.takes_device_codes() {
            let listed = self.grants.clone().unwrap_or_default().join(", ");
            let what = format!("its 'grant_types_supported' lacks '{DEVICE_CODE}'");
            return Err(failed("grant_types_supported", &what).values(DEVICE_CODE, &listed));
        }
        policy.place(LoginStep::ServerMetadata, DEVICE_ENDPOINT, url)
    }
}

/// An authorization server, as everything that is kept is bound to it: tokens, registrations, and client ids. Two of them are the
/// same server only if all three members are equal, the name but for the slash of [`Issuer::is_same`].
///
/// The name alone does not say it. A server that publishes protected resource metadata names issuers, and each issuer's name is
/// confirmed by a document at the issuer's own origin (RFC 8414, section 3.3). Without that metadata (the fallback of 2025-03-26)
/// nothing confirms a name, so that the MCP server's origin is the only one that can be given.
#[derive(Clone, Eq, Debug)]
pub(super) struct Issuer {
    /// The issuer identifier (RFC 8414, section 2); in the fallback the MCP server's origin, whatever its document says.
    pub name: String,
    /// Whether it was found by the fallback of 2025-03-26, without protected resource metadata.
    pub fallback: bool,
    /// The origin of its token endpoint. Who writes the document decides where that is, but not where tokens go that another place
    /// gave: they are sent to this origin only. Its path does not count: who can answer at one path of an origin is trusted with
    /// all of it, as everywhere with TLS, and a server may move its endpoints.
    pub tokens_at: String,
}

impl PartialEq for Issuer {
    fn eq(&self, other: &Issuer) -> bool {
        self.has_clients_of(other) && self.tokens_at == other.tokens_at
    }
}

impl Issuer {
    /// Whether two names are of one authorization server. They are compared as they are written (RFC 8414, section 3.3), but for one
    /// thing: a URL without a path is the same with a slash at its end and without one (RFC 3986, section 6.2.3). Many MCP servers
    /// name theirs in the other form than its own document. A name with a path is compared with its slash.
    pub(super) fn is_same(one: &str, other: &str) -> bool {
        let is_origin = |name: &&str| {
            name.split_once("://")
                .is_some_and(|(_, host)| !host.is_empty() && !host.contains(['/', '?', '#']))
        };
        let bare = |name| str::strip_suffix(name, '/').filter(is_origin).unwrap_or(name);
        bare(one) == bare(other)
    }

    /// One that has a token endpoint, or none.
    pub(super) fn new(name: &str, fallback: bool, token: Option<&Address>) -> Issuer {
        let tokens_at = token.map(|url| url.origin().to_string()).unwrap_or_default();
        Issuer { name: name.to_owned(), fallback, tokens_at }
    }

    /// One that an earlier version kept, which did not write down where the token endpoint is: it is taken for the issuer's own.
    pub(super) fn at_its_origin(name: &str) -> Issuer {
        Issuer::new(name, false, Address::parse(name).ok().as_ref())
    }

    /// No authorization server: the application gives the token.
    pub(super) fn none() -> Issuer {
        Issuer::new("", false, None)
    }

    /// Whether a client id that is known at one of them is known at the other.
    pub(super) fn has_clients_of(&self, other: &Issuer) -> bool {
        self.fallback == other.fallback && Issuer::is_same(&self.name, &other.name)
    }

    /// Whether the `iss` of an answer (RFC 9207) is this server. It is compared as it is written: a server says it as in its document,
    /// whose name this is. In the fallback no document tells with or without a slash.
    pub(super) fn answers_as(&self, said: &str) -> bool {
        said == self.name || (self.fallback && Issuer::is_same(said, &self.name))
    }

    /// Whether this is the name of an origin, which `auth.issuer` may give for the fallback.
    pub(super) fn is_origin(name: &str, origin: &Origin) -> bool {
        Address::parse(name).is_ok_and(|place| place.origin() == origin && place.target() == "/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::url_policy::UrlPermissions;
    use serde_json::json;

    fn address(url: &str) -> Address {
        Address::parse(url).expect("an address")
    }

    fn resource(document: &Value, server: &str) -> Result<ResourceMetadata, Failure> {
        ResourceMetadata::read(
            document.as_object().expect("an object"),
            "https://a.example/doc",
            &address(server),
        )
    }

    fn server(document: &Value, issuer: &str) -> Result<ServerMetadata, Failure> {
        let policy = Policy::new(&address("https://mcp.example/mcp"), UrlPermissions::default());
        ServerMetadata::read(
            document.as_object().expect("an object"),
            "https://as.example/doc",
            issuer,
            &policy,
        )
    }

    #[test]
    fn a_resource_is_this_server_or_above_it() {
        for (name, url, same) in [
            ("https://a.example/mcp", "https://a.example/mcp", true),
            ("https://a.example", "https://a.example/mcp", true),
            ("https://A.example:443/", "https://a.example/mcp", true),
            ("https://a.example/mcp", "https://a.example/mcp?key=1", true),
            ("https://a.example/mcp/", "https://a.example/mcp", true),
            ("https://a.example/t", "https://a.example/t/mcp", true),
            ("https://a.example/t", "https://a.example/tt", false),
            ("https://a.example/mcp/x", "https://a.example/mcp", false),
            ("https://a.example/?q", "https://a.example/mcp", false),
            ("https://a.example/mcp#x", "https://a.example/mcp", false),
            ("http://a.example/mcp", "https://a.example/mcp", false),
            ("https://evil.example/mcp", "https://a.example/mcp", false),
            ("https://a.example.evil.example/mcp", "https://a.example/mcp", false),
            ("mcp", "https://a.example/mcp", false),
        ] {
            assert_eq!(resource(&json!({ "resource": name }), url).is_ok(), same, "{name} for {url}");
        }
    }

    #[test]
    fn a_name_is_kept_as_it_is_written() {
        let found = resource(&json!({ "resource": "https://A.example:443" }), "https://a.example/mcp");
        assert_eq!(found.expect("the same").name, "https://A.example:443");
    }

    #[test]
    fn a_resource_that_is_another_is_told_with_both_names() {
        let failure = resource(&json!({ "resource": "https://evil.example/mcp" }), "https://a.example/mcp");
        let failure = failure.expect_err("another");
        assert_eq!((failure.step, failure.check), (LoginStep::ResourceMetadata, "resource"));
        assert_eq!(
            failure.values,
            Some(("https://a.example/mcp".to_owned(), "https://evil.example/mcp".to_owned()))
        );
        assert!(resource(&json!({}), "https://a.example").is_err());
    }

    #[test]
    fn the_issuer_must_be_the_same_to_the_letter() {
        for other in ["https://as.example//", "https://AS.example", "https://as.example:443", "/", ""] {
            let failure = server(&json!({ "issuer": other }), "https://as.example").expect_err("another");
            assert_eq!(failure.check, "issuer");
            assert_eq!(failure.values, Some(("https://as.example".to_owned(), other.to_owned())));
        }
        let failure = server(&json!({ "issuer": "https://as.example/t/" }), "https://as.example/t");
        assert!(failure.expect_err("another").message.contains("differ in a slash"));
        for (named, said) in
            [("https://as.example", "https://as.example/"), ("https://as.example/", "https://as.example")]
        {
            let found = server(&json!({ "issuer": said }), named).expect("the same").issuer;
            assert_eq!((found.name.as_str(), &found), (said, &issuer(named, false)));
            assert_ne!(found, issuer(named, true));
        }
    }

    #[test]
    fn endpoints_must_be_safe_places() {
        for url in ["http://as.example/authorize", "javascript:alert(1)", "https://127.0.0.1/authorize"] {
            let document = json!({ "issuer": "https://as.example", "authorization_endpoint": url });
            assert!(server(&document, "https://as.example").is_err(), "{url}");
        }
    }

    #[test]
    fn without_s256_there_is_no_code_flow_unless_nothing_is_published() {
        let with = |methods: Value| {
            let document =
                json!({ "issuer": "https://as.example", "code_challenge_methods_supported": methods });
            server(&document, "https://as.example").expect("read").check_challenge().is_ok()
        };
        assert!(with(json!(["plain", "S256"])));
        assert!(!with(json!(["plain"])) && !with(json!([])) && !with(Value::Null));
        let at = address("https://mcp.example/a/mcp");
        let policy = Policy::new(&at, UrlPermissions::default());
        let guessed = ServerMetadata::guessed("https://mcp.example", &at, &policy).expect("safe");
        assert!(guessed.check_challenge().is_ok());
        let endpoint = guessed.authorization.expect("an endpoint").to_string();
        assert_eq!(endpoint, "https://mcp.example/authorize");
    }

    fn issuer(name: &str, fallback: bool) -> Issuer {
        Issuer::new(name, fallback, None)
    }

    #[test]
    fn an_answer_is_of_the_issuer_whose_name_it_has() {
        let published = issuer("https://as.example", false);
        assert!(published.answers_as("https://as.example"));
        for other in ["https://as.example/", "https://as.example:443", "https://as2.example", ""] {
            assert!(!published.answers_as(other), "{other}");
        }
        let fallback = issuer("https://mcp.example", true);
        assert!(fallback.answers_as("https://mcp.example") && fallback.answers_as("https://mcp.example/"));
        for other in ["https://mcp.example//", "https://mcp.example/a", "https://as.example", "", "/"] {
            assert!(!fallback.answers_as(other), "{other}");
        }
    }

    #[test]
    fn an_origin_has_no_path() {
        let server = Address::parse("https://mcp.example/mcp").expect("an address");
        for (name, same) in [
            ("https://mcp.example", true),
            ("https://mcp.example/", true),
            ("https://mcp.example/mcp", false),
            ("http://mcp.example", false),
            ("https://mcp.example:8443", false),
            ("nothing", false),
        ] {
            assert_eq!(Issuer::is_origin(name, server.origin()), same, "{name}");
        }
    }
}
