//! What an application configures about the login.

use crate::auth::jose::{Algorithm, SigningKey};
use crate::auth::token::{Scopes, Secret};
use crate::auth::url_policy::UrlPermissions;
use std::sync::Arc;
use std::time::Duration;

/// Everything that a login depends on.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How tokens are got.
    pub grant: GrantKind,
    /// Where the person of an interactive login says yes.
    pub flow: Flow,
    /// Who the application is to authorization servers.
    pub identity: Identity,
    /// Scopes to ask for besides those that a server asks for.
    pub scopes: Option<Scopes>,
    /// Whether tokens are bound to a key.
    pub dpop: Dpop,
    /// The public half of the key that the application signs proofs with (RFC 7517); without one the key is ours.
    pub dpop_key: Option<serde_json::Value>,
    /// Whether a server that publishes nothing is taken for one of 2025-03-26.
    pub legacy: bool,
    /// What is permitted beyond the usual.
    pub url_permissions: UrlPermissions,
    /// How long everything but the person and the application may take, for one login.
    pub limit: Duration,
    /// How long the person or the application may take.
    pub patience: Duration,
    /// Whether the application keeps the logins, which may have to ask a person before it can.
    pub asks_for_store: bool,
    /// Why there is no person for a login: what needs one fails with this text.
    pub no_login: Option<String>,
    /// How often one operation may ask for more scopes.
    pub step_ups: u32,
    /// The revision that is named where an MCP server is asked for metadata.
    pub revision: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            grant: GrantKind::Interactive { redirect: Redirect::default() },
            flow: Flow::Browser,
            identity: Identity::default(),
            scopes: None,
            dpop: Dpop::Auto,
            dpop_key: None,
            legacy: true,
            url_permissions: UrlPermissions::default(),
            limit: Duration::from_secs(60),
            patience: Duration::from_secs(300),
            asks_for_store: false,
            no_login: None,
            step_ups: 2,
            revision: "2025-11-25".to_owned(),
        }
    }
}

impl Settings {
    /// Whether the configuration has something that shows who the application is, and that a program that gets it may misuse or ask for
    /// in its name: a secret, a key to sign assertions with, or an assertion.
    pub fn has_credentials(&self) -> bool {
        let assertion = matches!(&self.grant, GrantKind::Workload { assertion } if !matches!(assertion, Source::Application));
        assertion || self.identity.client_secret.is_some() || self.identity.key.is_some()
    }

    /// What the application is called where it registers itself, by its `clientInfo`, if nothing was said.
    pub fn name(&mut self, client_info: &str) {
        if self.identity.name.is_empty() {
            let name = crate::json::member(client_info, "name").and_then(crate::json::string);
            self.identity.name = name.map(std::borrow::Cow::into_owned).unwrap_or_default();
        }
    }
}

/// How tokens are got.
#[derive(Clone, Debug)]
pub enum GrantKind {
    /// A person agrees in a browser (authorization code, with PKCE).
    Interactive {
        /// Where the browser goes afterwards.
        redirect: Redirect,
    },
    /// With the application's own credentials (`io.modelcontextprotocol/oauth-client-credentials`).
    ClientCredentials,
    /// With the person's login at an identity provider (enterprise-managed authorization).
    Enterprise(Enterprise),
    /// With a signed statement about the workload that runs (workload identity federation).
    Workload {
        /// Where the statement comes from.
        assertion: Source,
    },
    /// The application has the token and renews it.
    Bearer {
        /// Where the token comes from.
        token: Source,
    },
}

/// Where the person of an interactive login says yes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// In a browser that is sent back to the application (authorization code).
    Browser,
    /// In a browser of any device, with a code that the application shows (RFC 8628).
    Device,
    /// With such a code where the authorization server offers that, else in a browser.
    Auto,
}

/// Where a credential comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// The configuration.
    Text(Secret),
    /// A file, read again each time.
    File(String),
    /// The application, asked each time.
    Application,
}

/// Where the browser goes with the answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Redirect {
    /// The redirect URI; without one the library listens on `http://127.0.0.1` and a free port, at `/callback`.
    pub uri: Option<String>,
    /// Whether the library listens at `uri` (a loopback URI; without a port, a free one is taken).
    pub listen: bool,
}

/// Who the application is.
#[derive(Clone, Debug, Default)]
pub struct Identity {
    /// The client id that it was given beforehand.
    pub client_id: Option<String>,
    /// The secret that goes with it.
    pub client_secret: Option<Secret>,
    /// The key that goes with it.
    pub key: Option<ClientKey>,
    /// How it proves itself at the token endpoint; decided by what there is and what the server takes if absent.
    pub method: Option<AuthMethod>,
    /// The authorization server that these credentials are for; only this one is used.
    pub issuer: Option<String>,
    /// Whether they may be shown to any authorization server that the MCP server's metadata names.
    pub any_issuer: bool,
    /// The URL of its Client ID Metadata Document.
    pub metadata_url: Option<String>,
    /// What it is called where it registers itself.
    pub name: String,
    /// `native` or `web`; by the redirect URI if absent.
    pub application_type: Option<&'static str>,
}

/// A key to sign assertions with.
#[derive(Clone, Debug)]
pub struct ClientKey {
    /// The key.
    pub key: KeyOf,
    /// Its id at the authorization server.
    pub id: Option<String>,
}

/// Who has the private half of a key.
#[derive(Clone, Debug)]
pub enum KeyOf {
    /// We do.
    Us(Arc<SigningKey>),
    /// The application, which signs in this way when it is asked.
    Application(Algorithm),
}

/// How a client proves itself at the token endpoint (`OpenID` Connect Core, section 9).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuthMethod {
    /// Not at all.
    None,
    /// Id and secret in the `Authorization` header.
    Basic,
    /// The same, and the id in the form as well, which some servers want though no document has a name for it.
    BasicAndId,
    /// Id and secret in the form.
    Post,
    /// A signed assertion in the form.
    PrivateKeyJwt,
}

impl AuthMethod {
    /// Every method.
    pub const ALL: [AuthMethod; 5] = [
        AuthMethod::None,
        AuthMethod::Basic,
        AuthMethod::BasicAndId,
        AuthMethod::Post,
        AuthMethod::PrivateKeyJwt,
    ];

    /// The name in metadata, and where logins are kept.
    pub fn as_str(self) -> &'static str {
        match self {
            AuthMethod::None => "none",
            AuthMethod::Basic => "client_secret_basic",
            AuthMethod::BasicAndId => "client_secret_basic and client_id",
            AuthMethod::Post => "client_secret_post",
            AuthMethod::PrivateKeyJwt => "private_key_jwt",
        }
    }

    /// Whether it is a secret that is sent, in one place or another.
    pub(super) fn sends_secret(self) -> bool {
        matches!(self, AuthMethod::Basic | AuthMethod::BasicAndId | AuthMethod::Post)
    }

    /// The method of this name.
    pub fn parse(name: &str) -> Option<AuthMethod> {
        AuthMethod::ALL.into_iter().find(|method| method.as_str() == name)
    }
}

/// Whether tokens are bound to a key (RFC 9449).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dpop {
    /// Where the MCP server says that it takes such tokens.
    Auto,
    /// Always; a server that does not take them cannot be used.
    Always,
    /// Never.
    Never,
}

/// The identity provider of enterprise-managed authorization.
#[derive(Clone, Debug)]
pub struct Enterprise {
    /// Its token endpoint.
    pub token_endpoint: String,
    /// The application's id there.
    pub client_id: String,
    /// The application's secret there.
    pub client_secret: Option<Secret>,
    /// How it proves itself there.
    pub method: AuthMethod,
    /// What shows who the person is.
    pub subject: Source,
    /// What kind of thing that is.
    pub subject_type: SubjectType,
}

/// What shows who the person is (RFC 8693, section 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubjectType {
    /// An ID token of `OpenID` Connect.
    IdToken,
    /// A refresh token of the identity provider's.
    RefreshToken,
    /// A SAML 2.0 assertion.
    Saml2,
}

impl SubjectType {
    /// The name in a request.
    pub fn urn(self) -> &'static str {
        match self {
            SubjectType::IdToken => "urn:ietf:params:oauth:token-type:id_token",
            SubjectType::RefreshToken => "urn:ietf:params:oauth:token-type:refresh_token",
            SubjectType::Saml2 => "urn:ietf:params:oauth:token-type:saml2",
        }
    }
}
