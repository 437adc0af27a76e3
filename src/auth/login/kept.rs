//! Logins as they are written down, and read again.

use super::clients::{self, Registration, Registrations};
use super::{Login, MOST_BEFORE, MOST_LOGINS, Past, Record, Tokens, is_token};
use crate::auth::client::{Client, Source};
use crate::auth::dpop::ProofKey;
use crate::auth::issuer::Issuer;
use crate::auth::scope::Scopes;
use crate::auth::secret::Secret;
use crate::auth::settings::AuthMethod;
use serde_json::{Map, Value, json};

impl Record {
    pub(in crate::auth) fn write(&self) -> Secret {
        let logins: Vec<Value> = self.logins.iter().map(write).collect();
        let clients: Vec<Value> = self.clients.0.iter().map(write_registration).collect();
        Secret::new(json!({ "version": 1, "logins": logins, "clients": clients }).to_string())
    }

    /// Reads what [`write`](Record::write) wrote; a login that cannot be read is left out.
    pub(in crate::auth) fn read(text: &str) -> Option<Record> {
        let Ok(Value::Object(object)) = serde_json::from_str(text) else { return None };
        if object.get("version")? != 1 {
            return None;
        }
        let logins = object.get("logins")?.as_array()?;
        // Earlier versions kept none.
        let clients = object.get("clients").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Some(Record {
            logins: logins.iter().filter_map(read).take(MOST_LOGINS).collect(),
            clients: Registrations(
                clients.iter().filter_map(read_registration).take(clients::MOST).collect(),
            ),
        })
    }
}

fn write(login: &Login) -> Value {
    let secret = |secret: &Secret| Value::from(secret.expose());
    json!({
        "issuer": login.issuer.name,
        "resource": login.resource,
        // The name of earlier versions.
        "guessed": login.issuer.fallback,
        "tokens_at": login.issuer.tokens_at,
        "inside": login.inside,
        "asked": login.asked.text(),
        "grant": secret(&login.grant),
        "before": login.before.iter().map(write_past).collect::<Vec<_>>(),
        "key": login.key.as_ref().map(|key| secret(&key.stored)),
        "client": write_client(&login.client),
        "tokens": login.tokens.as_ref().map(|tokens| json!({
            "access": secret(&tokens.access),
            "bound": tokens.bound,
            "refresh": tokens.refresh.as_ref().map(secret),
            "obtained": tokens.obtained,
            "expires": tokens.expires,
        })),
    })
}

fn write_past(past: &Past) -> Value {
    json!({ "token": past.token.expose(), "refreshes": past.refreshes, "client": write_client(&past.client) })
}

fn write_client(client: &Client) -> Value {
    let secret = client.secret.as_ref().filter(|_| client.source == Source::Registered);
    json!({
        "id": client.id,
        // What is configured is in the configuration, and does not stay here when it is taken out there.
        "secret": secret.map(Secret::expose),
        "expires": client.expires,
        "method": client.method.as_str(),
        "source": source_name(client.source),
        "redirect_uri": client.redirect_uri,
    })
}

fn write_registration(it: &Registration) -> Value {
    json!({
        "issuer": it.issuer.name,
        "guessed": it.issuer.fallback,
        "tokens_at": it.issuer.tokens_at,
        "client": write_client(&it.client),
        "uses": it.uses,
    })
}

fn source_name(source: Source) -> &'static str {
    match source {
        Source::Configured => "configured",
        Source::Document => "document",
        Source::Registered => "registered",
    }
}

fn text(object: &Map<String, Value>, name: &str) -> Option<String> {
    object.get(name)?.as_str().map(str::to_owned)
}

fn secret(object: &Map<String, Value>, name: &str) -> Option<Secret> {
    object.get(name)?.as_str().map(Secret::new)
}

fn read_client(value: &Value) -> Option<Client> {
    let client = value.as_object()?;
    let source = text(client, "source")?;
    let sources = [Source::Configured, Source::Document, Source::Registered];
    Some(Client {
        id: text(client, "id")?,
        secret: secret(client, "secret"),
        expires: client.get("expires").and_then(Value::as_u64),
        method: AuthMethod::parse(&text(client, "method")?)?,
        source: sources.into_iter().find(|own| source_name(*own) == source)?,
        redirect_uri: text(client, "redirect_uri"),
    })
}

fn read_registration(value: &Value) -> Option<Registration> {
    let object = value.as_object()?;
    Some(Registration {
        issuer: read_issuer(object)?,
        client: read_client(object.get("client")?).filter(|client| client.source == Source::Registered)?,
        uses: object.get("uses")?.as_u64()?,
    })
}

fn read_past(value: &Value) -> Option<Past> {
    let object = value.as_object()?;
    Some(Past {
        token: secret(object, "token").filter(|token| is_token(token.expose()))?,
        refreshes: object.get("refreshes")?.as_bool()?,
        client: read_client(object.get("client")?)?,
    })
}

/// Which authorization server a login is of. Earlier versions did not write down the origin of the token endpoint. What they kept of
/// the fallback has the name that the MCP server's document claimed, which may be any: it is not read.
fn read_issuer(object: &Map<String, Value>) -> Option<Issuer> {
    let name = text(object, "issuer")?;
    let fallback = object.get("guessed").and_then(Value::as_bool).unwrap_or(false);
    match text(object, "tokens_at") {
        Some(tokens_at) => Some(Issuer { name, fallback, tokens_at }),
        None if fallback => None,
        None => Some(Issuer::at_its_origin(&name)),
    }
}

fn read(value: &Value) -> Option<Login> {
    let object = value.as_object()?;
    let key = match object.get("key").and_then(Value::as_str) {
        Some(stored) => Some(ProofKey::restore(stored)?),
        None => None,
    };
    let tokens = object.get("tokens").and_then(Value::as_object).and_then(|tokens| {
        let access = secret(tokens, "access").filter(|token| is_token(token.expose()))?;
        let bound = tokens.get("bound")?.as_bool()?;
        Some(Tokens {
            access,
            bound,
            refresh: secret(tokens, "refresh"),
            obtained: tokens.get("obtained")?.as_u64()?,
            expires: tokens.get("expires").and_then(Value::as_u64),
        })
    });
    Some(Login {
        issuer: read_issuer(object)?,
        resource: text(object, "resource")?,
        client: read_client(object.get("client")?)?,
        asked: Scopes::parse(&text(object, "asked").unwrap_or_default()),
        // A token that is bound to a key is nothing without it.
        tokens: tokens.filter(|tokens| !tokens.bound || key.is_some()),
        key,
        inside: object.get("inside").and_then(Value::as_bool).unwrap_or(false),
        // Earlier versions wrote neither.
        grant: secret(object, "grant").unwrap_or_default(),
        before: object
            .get("before")
            .and_then(Value::as_array)
            .map_or_else(Vec::new, |list| list.iter().filter_map(read_past).take(MOST_BEFORE).collect()),
    })
}
