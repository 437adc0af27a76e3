//! The key `auth`: how to log in at an HTTP server. Secrets are never shown by an error.

mod keys;
#[cfg(test)]
mod tests;

use super::fields::{Fields, saturating_u32, wrong};
use crate::auth::{
    AuthMethod, Dpop, Enterprise, Identity, Redirect, Scopes, Settings, Source, SubjectType, UrlPermissions,
    Way, is_loopback,
};
use crate::engine::Error;
use crate::protocol::address::Address;
use crate::runtime::http::authenticator::{AuthConfig, Store};
use keys::{read_key, read_proof_key, read_store, secret};
use serde_json::{Map, Value};

const METHODS: [&str; 4] = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"];
/// Which keys belong to one type only.
const OWN: [(&str, &str); 9] = [
    ("redirect_uri", "interactive"),
    ("listen", "interactive"),
    ("client_metadata_url", "interactive"),
    ("application_type", "interactive"),
    ("enterprise", "enterprise"),
    ("assertion", "workload"),
    ("assertion_file", "workload"),
    ("token", "bearer"),
    ("token_file", "bearer"),
];

/// Reads the object under `auth`; none if it says that the library has nothing to do with it.
///
/// # Errors
/// `INVALID_ARGUMENT`, naming the key that is wrong.
pub fn parse(object: &Map<String, Value>) -> Result<Option<AuthConfig>, Error> {
    let mut fields = Fields::new("auth.", object);
    let kinds = ["interactive", "client_credentials", "enterprise", "workload", "bearer", "none"];
    let kind = fields.choice("type", &kinds)?.unwrap_or("interactive");
    if let Some((key, own)) = OWN.iter().find(|(key, own)| *own != kind && object.contains_key(*key)) {
        return Err(wrong(
            &format!("auth.{key}"),
            format!("it belongs to \"type\":\"{own}\", and this is \"{kind}\""),
        ));
    }
    if kind == "none" {
        fields.finish()?;
        return Ok(None);
    }
    let identity = read_identity(&mut fields)?;
    let way = match kind {
        "client_credentials" => {
            if identity.client_secret.is_none() && identity.key.is_none() {
                return Err(wrong(
                    "auth.client_secret",
                    "client credentials need it, or 'auth.private_key', or 'auth.signer'",
                ));
            }
            Way::ClientCredentials
        }
        "enterprise" => Way::Enterprise(read_enterprise(&mut fields)?),
        "workload" => {
            Way::Workload { assertion: source(&mut fields, "auth.", "assertion", "assertion_file")? }
        }
        "bearer" => Way::Bearer { token: source(&mut fields, "auth.", "token", "token_file")? },
        _ => Way::Interactive { redirect: read_redirect(&mut fields)? },
    };
    if matches!(way, Way::ClientCredentials | Way::Enterprise(_)) && identity.client_id.is_none() {
        return Err(wrong("auth.client_id", format!("\"type\":\"{kind}\" needs it")));
    }
    let default = Settings::default();
    let store = read_store(&mut fields)?;
    let settings = Settings {
        way,
        identity,
        scopes: fields
            .strings("scopes")?
            .map(|list| Scopes::of(list.iter().flat_map(|text| text.split(' ')))),
        dpop: match fields.choice("dpop", &["auto", "always", "never"])? {
            Some("always") => Dpop::Always,
            Some("never") => Dpop::Never,
            _ => Dpop::Auto,
        },
        dpop_key: read_proof_key(&mut fields)?,
        legacy: fields.boolean("legacy")?.unwrap_or(default.legacy),
        latitude: UrlPermissions {
            private: fields.boolean("allow_private_addresses")?.unwrap_or(false),
            http: fields.boolean("allow_http")?.unwrap_or(false),
        },
        limit: fields.millis("limit_ms")?.unwrap_or(default.limit),
        patience: fields.millis("patience_ms")?.unwrap_or(default.patience),
        asks_for_store: store == Store::Application,
        step_ups: fields.integer("step_ups", 0, 10)?.map_or(default.step_ups, saturating_u32),
        revision: default.revision,
    };
    fields.finish()?;
    check_issuer(object, &settings)?;
    Ok(Some(AuthConfig { settings, store }))
}

fn source(fields: &mut Fields<'_>, path: &str, text: &str, file: &str) -> Result<Source, Error> {
    match (secret(fields, path, text)?, fields.string(file)?) {
        (Some(_), Some(_)) => Err(wrong(
            &format!("{path}{file}"),
            format!("'{path}{text}' is there as well; one of them must go"),
        )),
        (Some(text), None) => Ok(Source::Text(text)),
        (None, Some(path)) => Ok(Source::File(path)),
        (None, None) => Ok(Source::Application),
    }
}

fn method(fields: &mut Fields<'_>) -> Result<Option<AuthMethod>, Error> {
    Ok(fields.choice("token_endpoint_auth_method", &METHODS)?.and_then(AuthMethod::parse))
}

fn url(key: &str, text: &str) -> Result<Address, Error> {
    Address::parse(text).map_err(|error| wrong(key, format!("it is no usable URL: {error}")))
}

fn read_identity(fields: &mut Fields<'_>) -> Result<Identity, Error> {
    let key = read_key(fields)?;
    let identity = Identity {
        client_id: fields.string("client_id")?,
        client_secret: secret(fields, "auth.", "client_secret")?,
        key,
        method: method(fields)?,
        issuer: fields.string("issuer")?,
        any_issuer: fields.boolean("allow_any_issuer")?.unwrap_or(false),
        metadata_url: fields.string("client_metadata_url")?,
        name: fields.string("client_name")?.unwrap_or_default(),
        application_type: fields.choice("application_type", &["native", "web"])?,
    };
    if let Some(issuer) = &identity.issuer {
        url("auth.issuer", issuer)?;
    }
    if let Some(text) = &identity.metadata_url {
        let place = url("auth.client_metadata_url", text)?;
        if !place.origin().tls || place.target() == "/" {
            return Err(wrong("auth.client_metadata_url", "it must be an https URL with a path"));
        }
    }
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
    let Settings { way, identity, .. } = settings;
    if identity.issuer.is_some() && identity.any_issuer {
        return Err(wrong("auth.allow_any_issuer", "'auth.issuer' is there as well; one of them must go"));
    }
    if identity.issuer.is_some() || identity.any_issuer {
        return Ok(());
    }
    let own = match way {
        Way::Bearer { .. } => return Ok(()),
        Way::Workload { .. } => {
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

fn read_redirect(fields: &mut Fields<'_>) -> Result<Redirect, Error> {
    const KEY: &str = "auth.redirect_uri";
    let uri = fields.string("redirect_uri")?;
    let listen = fields.boolean("listen")?.unwrap_or(uri.is_none());
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
        let place = url(KEY, text)?;
        let here = is_loopback(&place.origin().host);
        if !place.origin().tls && !here {
            return Err(wrong(KEY, "http is for this machine only; use https"));
        }
        if listen && (place.origin().tls || !here) {
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

fn read_enterprise(fields: &mut Fields<'_>) -> Result<Enterprise, Error> {
    const PATH: &str = "auth.enterprise.";
    let object = fields.object("enterprise")?.unwrap_or_default();
    let mut inner = Fields::new(PATH, &object);
    let mut need = |key: &str| {
        let text = inner.string(key)?.filter(|text| !text.is_empty());
        text.ok_or_else(|| wrong(&format!("{PATH}{key}"), "enterprise-managed authorization needs it"))
    };
    let (token_endpoint, client_id) = (need("token_endpoint")?, need("client_id")?);
    url("auth.enterprise.token_endpoint", &token_endpoint)?;
    let client_secret = secret(&mut inner, PATH, "client_secret")?;
    let usual = if client_secret.is_some() { AuthMethod::Basic } else { AuthMethod::None };
    let method = method(&mut inner)?.unwrap_or(usual);
    if client_secret.is_none() && matches!(method, AuthMethod::Basic | AuthMethod::Post) {
        return Err(wrong("auth.enterprise.token_endpoint_auth_method", "this one needs a client_secret"));
    }
    let enterprise = Enterprise {
        token_endpoint,
        client_id,
        client_secret,
        method,
        subject: source(&mut inner, PATH, "subject", "subject_file")?,
        subject_type: match inner.choice("subject_type", &["id_token", "refresh_token", "saml2"])? {
            Some("refresh_token") => SubjectType::RefreshToken,
            Some("saml2") => SubjectType::Saml2,
            _ => SubjectType::IdToken,
        },
    };
    inner.finish()?;
    Ok(enterprise)
}
