//! The key `auth`: how to log in at an HTTP server. Secrets are never shown by an error.
//!
//! The files:
//!
//! * `keys`: the definitions of the keys
//! * `signing`: keys about signing, and where logins are kept

mod keys;
mod signing;
#[cfg(test)]
mod tests;

use crate::auth::{
    AuthMethod, Enterprise, GrantKind, Identity, Redirect, Scopes, Secret, Settings, Source, UrlPermissions,
    is_loopback,
};
use crate::config::define::{Definition, Kind, settings};
use crate::config::fields::{Fields, wrong};
use crate::engine::Error;
use crate::runtime::http::authenticator::{AuthConfig, Store};
use keys::{
    BearerKeys, EnterpriseKey, EnterpriseKeys, InteractiveKeys, LoginKeys, Type, TypeKey, WorkloadKeys,
    read_url,
};
use serde_json::{Map, Value};

/// Which keys belong to one type only.
const OWN: &[(&[&str], Type)] = &[
    (InteractiveKeys::KEYS, Type::Interactive),
    (EnterpriseKey::KEYS, Type::Enterprise),
    (WorkloadKeys::KEYS, Type::Workload),
    (BearerKeys::KEYS, Type::Bearer),
];

settings! {
    /// The key of a client's configuration.
    AuthKey {
        /// how to log in where the server wants it: docs/guide/authorization.md says which keys it needs
        auth: Option<AuthConfig> = Login, None;
    }
}

/// What the key `auth` has: which keys it may have depends on one of them.
struct Login;

impl Kind for Login {
    type Value = Option<AuthConfig>;

    fn read(&self, fields: &mut Fields<'_>, key: &'static str) -> Result<Option<Self::Value>, Error> {
        fields.object(key)?.map(parse).transpose()
    }

    #[cfg(test)]
    fn describe(&self) -> Value {
        serde_json::json!({"type": "object", "text": "object"})
    }

    #[cfg(test)]
    fn members(&self, at: &str) -> Vec<Value> {
        type Own = (InteractiveKeys, (EnterpriseKey, (WorkloadKeys, BearerKeys)));
        <(TypeKey, (LoginKeys, Own))>::describe(at)
    }
}

/// Reads the key `auth`; `None` if the library has nothing to do with authorization.
pub(super) fn read(fields: &mut Fields<'_>) -> Result<Option<AuthConfig>, Error> {
    Ok(AuthKey::read(fields)?.auth)
}

/// Reads the object under `auth`; `None` if it says that the library has nothing to do with it.
fn parse(object: &Map<String, Value>) -> Result<Option<AuthConfig>, Error> {
    let mut fields = Fields::new("auth.", object);
    let kind = TypeKey::read(&mut fields)?.r#type;
    for (own_keys, own) in OWN.iter().filter(|(_, own)| *own != kind) {
        if let Some(key) = own_keys.iter().find(|key| object.contains_key(**key)) {
            let (own, kind) = (own.as_str(), kind.as_str());
            let what = format!("it belongs to \"type\":\"{own}\", and this is \"{kind}\"");
            return Err(wrong(&format!("auth.{key}"), what));
        }
    }
    if kind == Type::None {
        fields.finish()?;
        return Ok(None);
    }
    let mut keys = LoginKeys::read(&mut fields)?;
    let mut identity = identity(&mut keys)?;
    let (mut no_login, mut flow) = (None, Settings::default().flow);
    let grant = match kind {
        Type::ClientCredentials => {
            if identity.client_secret.is_none() && identity.key.is_none() {
                return Err(wrong(
                    "auth.client_secret",
                    "client credentials need it, or 'auth.private_key', or 'auth.signer'",
                ));
            }
            GrantKind::ClientCredentials
        }
        Type::Enterprise => GrantKind::Enterprise(enterprise(EnterpriseKey::read(&mut fields)?.enterprise)?),
        Type::Workload => {
            let WorkloadKeys { assertion, assertion_file } = WorkloadKeys::read(&mut fields)?;
            GrantKind::Workload { assertion: source("auth.assertion", assertion, assertion_file)? }
        }
        Type::Bearer => {
            let BearerKeys { token, token_file } = BearerKeys::read(&mut fields)?;
            GrantKind::Bearer { token: source("auth.token", token, token_file)? }
        }
        Type::Interactive | Type::None => {
            let own = InteractiveKeys::read(&mut fields)?;
            identity.metadata_url = own.client_metadata_url;
            identity.application_type = own.application_type;
            no_login = own.no_login;
            flow = own.flow;
            GrantKind::Interactive { redirect: redirect(own.redirect_uri, own.listen)? }
        }
    };
    if matches!(grant, GrantKind::ClientCredentials | GrantKind::Enterprise(_))
        && identity.client_id.is_none()
    {
        let kind = kind.as_str();
        return Err(wrong("auth.client_id", format!("\"type\":\"{kind}\" needs it")));
    }
    let store = signing::store(&mut keys)?;
    let settings = Settings {
        grant,
        flow,
        identity,
        scopes: keys.scopes.map(|list| Scopes::of(list.iter().flat_map(|text| text.split(' ')))),
        dpop: keys.dpop,
        dpop_key: keys.dpop_key,
        legacy: keys.legacy,
        url_permissions: UrlPermissions { private: keys.allow_private_addresses, http: keys.allow_http },
        limit: keys.limit_ms,
        patience: keys.patience_ms,
        asks_for_store: store == Store::Application,
        no_login,
        step_ups: keys.step_ups,
        revision: Settings::default().revision,
    };
    fields.finish()?;
    check_issuer(object, &settings)?;
    Ok(Some(AuthConfig { settings, store }))
}

/// A credential that stands at `key`, or in the file that stands at the key with `_file`.
fn source(key: &str, text: Option<Secret>, file: Option<String>) -> Result<Source, Error> {
    match (text, file) {
        (Some(_), Some(_)) => {
            Err(wrong(&format!("{key}_file"), format!("'{key}' is there as well; one of them must go")))
        }
        (Some(text), None) => Ok(Source::Text(text)),
        (None, Some(path)) => Ok(Source::File(path)),
        (None, None) => Ok(Source::Application),
    }
}

/// Who the application is, but for what one type says of it.
fn identity(keys: &mut LoginKeys) -> Result<Identity, Error> {
    let identity = Identity {
        key: signing::client_key(keys)?,
        client_id: keys.client_id.take(),
        client_secret: keys.client_secret.take(),
        method: keys.token_endpoint_auth_method,
        issuer: keys.issuer.take(),
        any_issuer: keys.allow_any_issuer,
        metadata_url: None,
        name: keys.client_name.take().unwrap_or_default(),
        application_type: None,
    };
    match identity.method {
        Some(AuthMethod::Basic | AuthMethod::Post) if identity.client_secret.is_none() => {
            Err(wrong("auth.token_endpoint_auth_method", "this one needs 'auth.client_secret'"))
        }
        Some(AuthMethod::PrivateKeyJwt) if identity.key.is_none() => Err(wrong(
            "auth.token_endpoint_auth_method",
            "this one needs 'auth.private_key' or 'auth.signer'",
        )),
        _ if identity.client_id.is_none() && identity.client_secret.is_some() => {
            Err(wrong("auth.client_id", "there is a secret but no id"))
        }
        _ => Ok(identity),
    }
}

/// What shows who the application is goes to the authorization server that it is for. The MCP server names one, and a hostile one
/// names its own.
fn check_issuer(object: &Map<String, Value>, settings: &Settings) -> Result<(), Error> {
    let Settings { grant, identity, .. } = settings;
    if identity.issuer.is_some() && identity.any_issuer {
        return Err(wrong("auth.allow_any_issuer", "'auth.issuer' is there as well; one of them must go"));
    }
    if identity.issuer.is_some() || identity.any_issuer {
        return Ok(());
    }
    let own = match grant {
        GrantKind::Bearer { .. } => return Ok(()),
        GrantKind::Workload { .. } => {
            &["assertion", "assertion_file", "client_secret", "private_key", "private_key_file", "signer"][..]
        }
        _ => &["client_secret", "private_key", "private_key_file", "signer"],
    };
    let Some(key) = own.iter().find(|key| object.get(**key).is_some_and(|value| !value.is_null())) else {
        return Ok(());
    };
    Err(wrong(
        "auth.issuer",
        format!(
            "it is missing, and 'auth.{key}' would be used at whichever authorization server the MCP server names. Write the \
             name of the one that it is for, as its metadata gives it in 'issuer', for example \
             \"issuer\":\"https://login.example.com\". \"allow_any_issuer\":true permits every one that the MCP server's \
             metadata names"
        ),
    ))
}

fn redirect(uri: Option<String>, listen: Option<bool>) -> Result<Redirect, Error> {
    const KEY: &str = "auth.redirect_uri";
    let listen = listen.unwrap_or(uri.is_none());
    let Some(text) = &uri else {
        if !listen {
            return Err(wrong(
                "auth.listen",
                "false needs 'auth.redirect_uri', where the application takes the answer",
            ));
        }
        return Ok(Redirect { uri, listen });
    };
    let scheme = text.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if matches!(scheme.as_str(), "javascript" | "data" | "file" | "vbscript" | "about" | "blob")
        || text.contains('#')
    {
        return Err(wrong(
            KEY,
            "it must have no fragment, and lead to this machine, to an https place or to an app",
        ));
    }
    if matches!(scheme.as_str(), "http" | "https") {
        let (_, target) = read_url(KEY, &text.as_str().into())?;
        let here = is_loopback(&target.origin().host);
        if !target.origin().tls && !here {
            return Err(wrong(KEY, "http is for this machine only; use https"));
        }
        if listen && (target.origin().tls || !here) {
            return Err(wrong(
                KEY,
                "the library listens at http://127.0.0.1, http://[::1] or http://localhost only",
            ));
        }
    } else if listen || !text.contains(':') {
        return Err(wrong(KEY, "it is no http or https URL, and no library can listen there"));
    }
    Ok(Redirect { uri, listen })
}

fn enterprise(keys: EnterpriseKeys) -> Result<Enterprise, Error> {
    let need = |key: &str, value: Option<String>| {
        let text = value.filter(|text| !text.is_empty());
        let key = format!("auth.enterprise.{key}");
        text.ok_or_else(|| wrong(&key, "enterprise-managed authorization needs it"))
    };
    let token_endpoint = need("token_endpoint", keys.token_endpoint)?;
    let client_id = need("client_id", keys.client_id)?;
    let usual = if keys.client_secret.is_some() { AuthMethod::Basic } else { AuthMethod::None };
    let method = keys.token_endpoint_auth_method.unwrap_or(usual);
    if keys.client_secret.is_none() && matches!(method, AuthMethod::Basic | AuthMethod::Post) {
        return Err(wrong("auth.enterprise.token_endpoint_auth_method", "this one needs a client_secret"));
    }
    Ok(Enterprise {
        token_endpoint,
        client_id,
        client_secret: keys.client_secret,
        method,
        subject: source("auth.enterprise.subject", keys.subject, keys.subject_file)?,
        subject_type: keys.subject_type,
    })
}
