//! The result of a login: tokens and the client that got them, bound to one issuer and one resource; registrations whose login has not
//! ended yet; and the text that a store keeps, with its version.

use super::credentials::{ClientIdSource, ClientRegistration};
use super::dpop::ProofKey;
use super::metadata::Issuer;
use super::settings::AuthMethod;
use crate::auth::failure::{Failure, LoginStep, shown};
use crate::auth::http::Answer;
use crate::auth::token::{Scopes, Secret};
use crate::protocol::address::Address;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The longest token that is taken: it must fit into a header.
const TOKEN_BYTES: usize = 16 * 1024;
/// How many logins of one server are kept: the present one, and those from before its authorization server moved.
const MOST_LOGINS: usize = 4;
/// How many logins that another took the place of are kept to be revoked.
const MOST_BEFORE: usize = 4;
/// How long before its end a token is renewed, at most, in seconds.
const AHEAD: u64 = 60;
/// How far clocks may be apart, at most, in seconds.
const SKEW: u64 = 10;
/// A token that lasts longer than this says nothing.
const LONGEST_SECONDS: u64 = 10 * 365 * 24 * 60 * 60;

/// What a token endpoint gave us.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tokens {
    pub access: Secret,
    /// Whether it is bound to the login's key.
    pub bound: bool,
    pub refresh: Option<Secret>,
    /// Unix seconds by our clock.
    pub obtained: u64,
    pub expires: Option<u64>,
}

impl Tokens {
    /// Reads the answer of a token endpoint (RFC 6749, section 5.1).
    pub(super) fn read(
        step: LoginStep,
        url: &Address,
        answer: &Answer,
        bind: bool,
        now: u64,
    ) -> Result<Tokens, Failure> {
        let failed = |check: &'static str, what: String| {
            Failure::new(step, check, format!("{url} answered {} {what}", answer.status))
        };
        let Some(object) = answer.fields() else {
            return Err(failed("answer", format!("with no JSON object but {}", answer.kind())));
        };
        let text = |name: &str| object.get(name).and_then(Value::as_str);
        let access = text("access_token").filter(|token| is_token(token));
        let access =
            access.ok_or_else(|| failed("access_token", "without a usable 'access_token'".to_owned()))?;
        let kind = text("token_type").filter(|kind| !kind.is_empty()).unwrap_or("Bearer");
        let bound = if kind.eq_ignore_ascii_case("dpop") && bind {
            true
        } else if kind.eq_ignore_ascii_case("bearer") {
            false
        } else {
            return Err(failed("token_type", format!("with a token of the type '{}'", shown(kind)))
                .values(if bind { "Bearer or DPoP" } else { "Bearer" }, kind));
        };
        let seconds = object.get("expires_in").and_then(seconds);
        Ok(Tokens {
            access: Secret::new(access),
            bound,
            refresh: text("refresh_token").filter(|token| is_token(token)).map(Secret::new),
            obtained: now,
            expires: seconds
                // Some write 0 for a token that lasts.
                .filter(|seconds| (1..=LONGEST_SECONDS).contains(seconds))
                .map(|seconds| now.saturating_add(seconds)),
        })
    }

    fn lifetime(&self) -> Option<u64> {
        self.expires.map(|end| end.saturating_sub(self.obtained))
    }

    /// Whether it is over, or will be by a clock that is a little ahead.
    pub(super) fn is_over(&self, now: u64) -> bool {
        let (Some(end), Some(lifetime)) = (self.expires, self.lifetime()) else { return false };
        now >= end.saturating_sub(SKEW.min(lifetime / 10))
    }

    /// Whether it may have ended on the way to a server: it is over, or lasts no longer than clocks may be apart.
    pub(super) fn may_have_ended(&self, now: u64) -> bool {
        self.is_over(now) || self.lifetime().is_some_and(|seconds| seconds <= SKEW)
    }

    /// Whether it is time to renew it. If our clock went back behind the day it is from, its age is unknown.
    pub(super) fn is_ending(&self, now: u64) -> bool {
        let (Some(end), Some(lifetime)) = (self.expires, self.lifetime()) else { return false };
        now >= end.saturating_sub(AHEAD.min(lifetime / 4)) || now.saturating_add(AHEAD) < self.obtained
    }
}

/// A number of seconds as servers write it: a whole number, one with a fraction, or a text. What is negative, or no number, says nothing.
pub(super) fn seconds(value: &Value) -> Option<u64> {
    let with_fraction = |number: f64| Duration::try_from_secs_f64(number).ok().map(|it| it.as_secs());
    match value {
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| text.parse().ok().and_then(with_fraction))
        }
        other => other.as_u64().or_else(|| other.as_f64().and_then(with_fraction)),
    }
}

/// Whether a token can be sent in a header (RFC 6750, section 2.1, and what servers really give).
pub(super) fn is_token(token: &str) -> bool {
    !token.is_empty() && token.len() <= TOKEN_BYTES && token.bytes().all(|byte| matches!(byte, b'!'..=b'~'))
}

/// A token that is kept for one thing only: to be revoked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ExpiredLogin {
    pub token: Secret,
    /// Whether it is a refresh token.
    pub refreshes: bool,
    /// The client that it was given to: no other client can revoke it.
    pub client: ClientRegistration,
}

/// One login: never used for another issuer or resource.
#[derive(Clone, Debug)]
pub(super) struct Login {
    pub issuer: Issuer,
    pub resource: String,
    pub client: ClientRegistration,
    /// All scopes that were ever asked for.
    pub asked: Scopes,
    pub tokens: Option<Tokens>,
    pub key: Option<ProofKey>,
    /// Whether the MCP server was found in a private network when this login was made.
    pub inside: bool,
    /// Which grant its tokens came of: a refresh keeps it, and a new login gets another.
    pub grant: Secret,
    /// What is left of the grants whose place this one took: they go on at the server.
    pub before: Vec<ExpiredLogin>,
}

impl Login {
    fn is_for(&self, issuer: &Issuer, resource: &str) -> bool {
        self.issuer == *issuer && self.resource == resource
    }

    /// What would have to be revoked: a refresh token takes the tokens that came of it along (RFC 7009, section 2.1).
    pub(super) fn past(&self) -> Option<ExpiredLogin> {
        let tokens = self.tokens.as_ref()?;
        let (token, refreshes) = match &tokens.refresh {
            Some(refresh) => (refresh, true),
            None => (&tokens.access, false),
        };
        Some(ExpiredLogin { token: token.clone(), refreshes, client: self.client.clone() })
    }

    /// Remembers the grants of a login that this one takes the place of. Of its own grant it has the newest tokens.
    fn remember(&mut self, other: &Login) {
        let theirs = other.before.iter().cloned().chain(other.past().filter(|_| other.grant != self.grant));
        for past in theirs {
            if !self.before.contains(&past) {
                self.before.push(past);
            }
        }
        let surplus = self.before.len().saturating_sub(MOST_BEFORE);
        self.before.drain(..surplus);
    }
}

/// What is kept for one MCP server. The newest login comes first.
#[derive(Clone, Debug, Default)]
pub(super) struct LoginRecord {
    logins: Vec<Login>,
    clients: Registrations,
}

impl LoginRecord {
    /// All that are kept.
    pub(super) fn all(&self) -> impl Iterator<Item = &Login> {
        self.logins.iter()
    }

    pub(super) fn newest(&self) -> Option<&Login> {
        self.logins.first()
    }

    pub(super) fn find(&self, issuer: &Issuer, resource: &str) -> Option<&Login> {
        self.logins.iter().find(|login| login.is_for(issuer, resource))
    }

    /// Puts a login in the place of the one before it.
    pub(super) fn put(&mut self, mut login: Login) {
        if let Some(before) = self.find(&login.issuer, &login.resource) {
            login.remember(before);
        }
        self.logins.retain(|own| !own.is_for(&login.issuer, &login.resource));
        self.logins.insert(0, login);
        self.logins.truncate(MOST_LOGINS);
    }

    /// No login is left. The clients stay: the servers know them, and they are not secret.
    pub(super) fn forget_tokens(&mut self) {
        for login in &mut self.logins {
            (login.tokens, login.key) = (None, None);
            login.asked = Scopes::default();
            login.before = Vec::new();
        }
    }

    /// Drops tokens that are bound to a key that cannot be used any more.
    pub(super) fn keep_usable(&mut self, public: Option<&Value>) {
        for login in self.logins.iter_mut().filter(|it| it.key.as_ref().is_some_and(|key| !key.fits(public)))
        {
            login.tokens = login.tokens.take().filter(|tokens| !tokens.bound);
            login.key = None;
        }
    }

    /// The issuer that a configured client id has been used with.
    pub(super) fn issuer_of(&self, client_id: &str) -> Option<&Issuer> {
        let configured = |login: &&Login| {
            login.client.source == ClientIdSource::Configured && login.client.id == client_id
        };
        self.logins.iter().find(configured).map(|login| &login.issuer)
    }

    /// The client that a login for a resource can begin with, if one was registered that is as wanted: not one that has led to no login
    /// too often, unless that is the only one there can be.
    pub(super) fn registered<'a>(
        &'a self,
        issuer: &'a Issuer,
        resource: &str,
        is_the_only: bool,
        is_wanted: impl Fn(&ClientRegistration) -> bool,
    ) -> Option<&'a ClientRegistration> {
        let own = self.find(issuer, resource).map(|login| &login.client);
        // One that a login was made with, and that now leads to none, is likely one that the server has forgotten: it then shows the person
        // an error instead of a page.
        let most = |client: &ClientRegistration| {
            if own.is_some_and(|own| own.id == client.id) { 1 } else { MOST_USES }
        };
        let is_usable = |client: &ClientRegistration| {
            is_the_only || !self.clients.is_given_up(issuer, client, most(client))
        };
        own.into_iter().chain(self.clients.clients(issuer)).find(|it| is_usable(it) && is_wanted(it))
    }

    /// Puts a login that has just got its tokens: the server knows its client.
    pub(super) fn put_new(&mut self, login: Login) {
        self.clients.ends(&login.issuer, &login.client);
        self.put(login);
    }

    /// A login begins with a client that was registered.
    pub(super) fn begins(&mut self, issuer: &Issuer, client: &ClientRegistration) {
        self.clients.begins(issuer, client);
    }

    /// The clients registered at an issuer are not known there any more.
    pub(super) fn forget_client(&mut self, issuer: &Issuer) {
        self.clients.forget(issuer);
        for login in self.logins.iter_mut().filter(|login| login.issuer == *issuer) {
            login.client.expires = Some(0);
        }
    }
}

/// How many are kept for one MCP server.
const MOST: usize = 4;
/// How many logins may begin with one and not end.
const MOST_USES: u64 = 3;

#[derive(Clone, Debug)]
struct Registration {
    pub issuer: Issuer,
    pub client: ClientRegistration,
    /// How many logins began with it.
    pub uses: u64,
}

/// All of one MCP server, the newest first.
#[derive(Clone, Debug, Default)]
struct Registrations(pub Vec<Registration>);

impl Registrations {
    fn of<'a>(&'a self, issuer: &'a Issuer) -> impl Iterator<Item = &'a Registration> {
        self.0.iter().filter(move |own| own.issuer == *issuer)
    }

    pub fn clients<'a>(&'a self, issuer: &'a Issuer) -> impl Iterator<Item = &'a ClientRegistration> {
        self.of(issuer).map(|own| &own.client)
    }

    /// Whether a client has led to no login so often.
    pub fn is_given_up(&self, issuer: &Issuer, client: &ClientRegistration, most: u64) -> bool {
        self.of(issuer).any(|own| own.client.id == client.id && own.uses >= most)
    }

    /// A login begins with a client.
    pub fn begins(&mut self, issuer: &Issuer, client: &ClientRegistration) {
        let uses = self.of(issuer).find(|own| own.client.id == client.id).map_or(0, |own| own.uses);
        self.ends(issuer, client);
        self.0.insert(0, Registration { issuer: issuer.clone(), client: client.clone(), uses: uses + 1 });
        self.0.truncate(MOST);
    }

    /// A login with this client has ended well: it is kept with that.
    pub fn ends(&mut self, issuer: &Issuer, client: &ClientRegistration) {
        self.0.retain(|own| own.issuer != *issuer || own.client.id != client.id);
    }

    /// The server knows none of them any more.
    pub fn forget(&mut self, issuer: &Issuer) {
        self.0.retain(|own| own.issuer != *issuer);
    }
}

impl LoginRecord {
    pub(in crate::auth) fn write(&self) -> Secret {
        let logins: Vec<Value> = self.logins.iter().map(write).collect();
        let clients: Vec<Value> = self.clients.0.iter().map(write_registration).collect();
        Secret::new(json!({ "version": 1, "logins": logins, "clients": clients }).to_string())
    }

    /// Reads what [`write`](Record::write) wrote; a login that cannot be read is left out.
    pub(in crate::auth) fn read(text: &str) -> Option<LoginRecord> {
        let Ok(Value::Object(object)) = serde_json::from_str(text) else { return None };
        if object.get("version")? != 1 {
            return None;
        }
        let logins = object.get("logins")?.as_array()?;
        // Earlier versions kept none.
        let clients = object.get("clients").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Some(LoginRecord {
            logins: logins.iter().filter_map(read).take(MOST_LOGINS).collect(),
            clients: Registrations(clients.iter().filter_map(read_registration).take(MOST).collect()),
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

fn write_past(past: &ExpiredLogin) -> Value {
    json!({ "token": past.token.expose(), "refreshes": past.refreshes, "client": write_client(&past.client) })
}

fn write_client(client: &ClientRegistration) -> Value {
    let secret = client.secret.as_ref().filter(|_| client.source == ClientIdSource::Registered);
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

fn source_name(source: ClientIdSource) -> &'static str {
    match source {
        ClientIdSource::Configured => "configured",
        ClientIdSource::Document => "document",
        ClientIdSource::Registered => "registered",
    }
}

fn text(object: &Map<String, Value>, name: &str) -> Option<String> {
    object.get(name)?.as_str().map(str::to_owned)
}

fn secret(object: &Map<String, Value>, name: &str) -> Option<Secret> {
    object.get(name)?.as_str().map(Secret::new)
}

fn read_client(value: &Value) -> Option<ClientRegistration> {
    let client = value.as_object()?;
    let source = text(client, "source")?;
    let sources = [ClientIdSource::Configured, ClientIdSource::Document, ClientIdSource::Registered];
    Some(ClientRegistration {
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
        client: read_client(object.get("client")?)
            .filter(|client| client.source == ClientIdSource::Registered)?,
        uses: object.get("uses")?.as_u64()?,
    })
}

fn read_past(value: &Value) -> Option<ExpiredLogin> {
    let object = value.as_object()?;
    Some(ExpiredLogin {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::client::settings::AuthMethod;
    use proptest::prelude::*;

    fn registered() -> ClientRegistration {
        ClientRegistration {
            id: "me".to_owned(),
            secret: Some(Secret::new("s3cret")),
            expires: Some(7),
            method: AuthMethod::Basic,
            source: ClientIdSource::Registered,
            redirect_uri: Some("http://127.0.0.1:1/callback".to_owned()),
        }
    }

    fn login(issuer: &str, key: Option<ProofKey>) -> Login {
        Login {
            issuer: Issuer::at_its_origin(issuer),
            resource: "https://a.example/mcp".to_owned(),
            client: registered(),
            asked: Scopes::parse("a b"),
            tokens: Some(Tokens {
                access: Secret::new("access-1"),
                bound: key.is_some(),
                refresh: Some(Secret::new("refresh-1")),
                obtained: 1000,
                expires: Some(4600),
            }),
            key,
            inside: true,
            grant: Secret::new("grant-1"),
            before: vec![ExpiredLogin {
                token: Secret::new("access-0"),
                refreshes: false,
                client: registered(),
            }],
        }
    }

    fn read(body: &str, bind: bool) -> Result<Tokens, &'static str> {
        let url = Address::parse("https://as.example/token").expect("an address");
        let answer = Answer { status: 200, headers: Vec::new(), body: body.into() };
        Tokens::read(LoginStep::Token, &url, &answer, bind, 1000).map_err(|failure| failure.check)
    }

    #[test]
    fn a_record_comes_back_as_it_was() {
        let mut record = LoginRecord::default();
        record.put(login("https://one.example", None));
        record.put(login("https://two.example", Some(ProofKey::generate().expect("a key"))));
        let text = record.write();
        let back = LoginRecord::read(text.expose()).expect("readable");
        assert_eq!(back.write(), text);
        let newest = back.newest().expect("a login");
        assert_eq!(newest.issuer, Issuer::at_its_origin("https://two.example"));
        assert!(newest.key.is_some());
        assert_eq!(format!("{back:?}").matches("s3cret").count(), 0);
        assert_eq!(format!("{back:?}").matches("access-1").count(), 0);
    }

    #[test]
    fn configured_secrets_are_not_written_down() {
        let mut login = login("https://one.example", None);
        login.client.source = ClientIdSource::Configured;
        login.before[0].client.source = ClientIdSource::Configured;
        let mut record = LoginRecord::default();
        record.put(login);
        assert!(!record.write().expose().contains("s3cret"));
        assert_eq!(record.issuer_of("me"), Some(&Issuer::at_its_origin("https://one.example")));
        assert_eq!(record.issuer_of("you"), None);
    }

    #[test]
    fn a_login_is_found_by_issuer_and_resource_only_and_their_number_is_bounded() {
        let mut record = LoginRecord::default();
        for number in 0..10 {
            record.put(login(&format!("https://{number}.example"), None));
        }
        let find = |issuer: &Issuer, resource: &str| record.find(issuer, resource).is_some();
        let last = Issuer::at_its_origin("https://9.example");
        assert!(find(&last, "https://a.example/mcp") && !find(&last, "https://a.example"));
        for other in [
            Issuer::at_its_origin("https://9.example/t"),
            Issuer::at_its_origin("https://1.example"),
            Issuer { fallback: true, ..last.clone() },
            Issuer { tokens_at: "https://1.example".to_owned(), ..last.clone() },
        ] {
            assert!(!find(&other, "https://a.example/mcp"), "{other:?}");
        }
        assert_eq!(record.logins.len(), MOST_LOGINS);
    }

    #[test]
    fn a_bound_token_without_its_key_is_not_used() {
        let mut record = LoginRecord::default();
        record.put(login("https://one.example", Some(ProofKey::generate().expect("a key"))));
        let mut value: Value = serde_json::from_str(record.write().expose()).expect("JSON");
        value["logins"][0]["key"] = Value::Null;
        let back = LoginRecord::read(&value.to_string()).expect("readable");
        assert!(back.newest().is_some_and(|login| login.tokens.is_none()));
        value["version"] = 2.into();
        assert!(LoginRecord::read(&value.to_string()).is_none(), "a later version");
    }

    #[test]
    fn a_token_is_renewed_ahead_of_its_end_and_not_sent_after_it() {
        let lasting = |seconds| read(&format!(r#"{{"access_token":"t","expires_in":{seconds}}}"#), false);
        let hour = lasting(3600).expect("a token");
        for (now, ending, over) in [
            (1000, false, false),
            (4539, false, false),
            (4540, true, false),
            (4589, true, false),
            (4590, true, true),
        ] {
            assert_eq!((hour.is_ending(now), hour.is_over(now)), (ending, over), "{now}");
        }
        let short = lasting(8).expect("a token");
        assert!(
            !short.is_ending(1005) && short.is_ending(1006) && !short.is_over(1007) && short.is_over(1008)
        );
        assert!(hour.is_ending(900) && !hour.is_over(900), "the clock went back");
        let endless = read(r#"{"access_token":"t"}"#, false).expect("a token");
        assert!(!endless.is_ending(u64::MAX) && !endless.is_over(u64::MAX));
    }

    #[test]
    fn what_a_token_endpoint_answers_is_read_or_told_what_is_wrong() {
        let whole =
            r#"{"access_token":"t","token_type":"bearer","expires_in":"60","refresh_token":"r","scope":"a"}"#;
        let tokens = read(whole, false).expect("tokens");
        assert_eq!((tokens.bound, tokens.expires), (false, Some(1060)));
        assert_eq!(tokens.refresh, Some(Secret::new("r")));
        assert!(read(r#"{"access_token":"t","token_type":"DPoP"}"#, true).expect("a token").bound);
        for (body, check) in [
            (r#"{"access_token":"t","token_type":"DPoP"}"#, "token_type"),
            (r#"{"access_token":"t","token_type":"mac"}"#, "token_type"),
            (r#"{"access_token":"a b"}"#, "access_token"),
            (r#"{"access_token":"a\r\nb"}"#, "access_token"),
            (r#"{"access_token":7}"#, "access_token"),
            ("{}", "access_token"),
            ("<html>", "answer"),
        ] {
            assert_eq!(read(body, false).expect_err(body), check);
        }
        assert!(read(&format!(r#"{{"access_token":"{}"}}"#, "x".repeat(TOKEN_BYTES + 1)), false).is_err());
    }

    proptest! {
        #[test]
        fn no_stored_text_panics(text in any::<String>()) {
            let _ = LoginRecord::read(&text);
        }

        #[test]
        fn no_time_panics(now in any::<u64>(), obtained in any::<u64>(), expires in any::<Option<u64>>()) {
            let tokens = Tokens { access: Secret::new("t"), bound: false, refresh: None, obtained, expires };
            prop_assert!(!tokens.is_over(now) || tokens.is_ending(now));
        }
    }
}
