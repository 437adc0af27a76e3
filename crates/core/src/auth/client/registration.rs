//! What to do at an authorization server: refresh, use credentials, or get a client id for the login of a user.

use super::Authorizer;
use super::credentials::{self, ClientIdSource, ClientRegistration};
use super::dpop::ProofKey;
use super::login::Login;
use super::login_run::{
    Effect, FormPurpose, Listen, LoginPhase, LoginReason, NextStep, Post, RegistrationNote, Timestamp,
    Wanted, internal,
};
use super::metadata::{Issuer, ServerMetadata};
use super::settings::{Dpop, Flow, GrantKind, Redirect};
use crate::auth::failure::{Failure, LoginStep, shown};
use crate::auth::http::{Answer, Form, Method, refusal};
use crate::auth::token::{Scopes, Secret};
use crate::auth::url_policy;
use crate::protocol::address::Address;

/// Where the library listens by default (RFC 8252, section 7.3).
const CALLBACK_HOST: &str = "127.0.0.1";
const CALLBACK_PATH: &str = "/callback";
/// How often one login may register: the first time, and with less after a refusal, or again after the id was refused.
const MOST_REGISTRATIONS: u32 = 4;

impl Authorizer {
    /// The login there is, if it is one at the server that was found for the same resource.
    fn own_login(&mut self) -> Result<Option<Login>, Failure> {
        let (issuer, resource) = (self.found_server()?.issuer, self.resource());
        let own = self.login.as_ref().filter(|login| login.issuer == issuer && login.resource == resource);
        Ok(own.or_else(|| self.record.find(&issuer, &resource)).cloned())
    }

    /// Whether what the configuration has to show who we are may be shown to an authorization server. It is for the one that gave
    /// it or knows it, which only the configuration can say: the MCP server would name one that collects it.
    pub(super) fn check_credentials(&self, issuer: &str, fallback: bool) -> Result<(), Failure> {
        let identity = &self.settings.identity;
        let is_named = identity.issuer.as_ref().is_some_and(|named| Issuer::is_same(named, issuer));
        if !self.settings.has_credentials() || is_named {
            return Ok(());
        }
        let failed = |why: &str| {
            let wanted = identity.issuer.as_deref().unwrap_or_default();
            let message = format!(
                "the client's secret, key or assertion of the configuration is not shown to '{}': {why}",
                shown(issuer)
            );
            Err(Failure::new(LoginStep::Settings, "issuer", message).values(wanted, issuer))
        };
        if let Some(other) = &identity.issuer {
            return failed(&format!("it is for '{}', by 'auth.issuer'", shown(other)));
        }
        if fallback {
            return failed(
                "the MCP server publishes no protected resource metadata, so that nothing but its own word says who \
                 that is. If it is its own authorization server and gave you the credentials, put that name into \
                 'auth.issuer'; else put the name of the server that did there",
            );
        }
        if identity.any_issuer {
            return Ok(());
        }
        failed(
            "the MCP server names it. If it is the one that gave you the credentials, put its name into 'auth.issuer'",
        )
    }

    /// The authorization server is known.
    pub(super) fn proceed(&mut self, now: Timestamp) -> Result<(), Failure> {
        let server = self.found_server()?;
        if self.run()?.why == LoginReason::Logout {
            return self.revoke(&server, now);
        }
        server.need(server.token.as_ref(), "token_endpoint")?;
        let own = self.own_login()?;
        let scopes = self.choose_scopes(&server, own.as_ref())?;
        let key = self.choose_key(&server, own.as_ref())?;
        let unproven = self.unproven;
        let run = self.run()?;
        run.scopes = scopes;
        run.key = key;
        let tokens = own.as_ref().and_then(|login| login.tokens.as_ref());
        let has_refresh = tokens.is_some_and(|tokens| tokens.refresh.is_some());
        // A token that was just issued and refused is not made better by another of the same kind, unless it ended on the way.
        let ended = unproven == 1 && tokens.is_some_and(|tokens| tokens.may_have_ended(now.unix));
        let refresh = match run.why {
            LoginReason::Renewal => true,
            LoginReason::Refused => has_refresh && (unproven == 0 || ended) && !run.refreshed,
            LoginReason::First | LoginReason::StepUp | LoginReason::Logout => false,
        };
        match self.settings.grant.clone() {
            GrantKind::Interactive { .. } if refresh => {
                let Some(own) = own else {
                    return Err(internal("there is no login at this authorization server to refresh"));
                };
                self.login = Some(own);
                self.lock(NextStep::Refresh, now);
                Ok(())
            }
            GrantKind::Interactive { .. } => self.identify(&server, now),
            GrantKind::ClientCredentials => {
                let client = self.configured_client(&server)?.ok_or_else(|| {
                    Failure::new(LoginStep::Settings, "client_id", "client credentials need 'auth.client_id'")
                })?;
                let client = self.as_before(client, own.as_ref().map(|login| &login.client));
                self.run()?.client = Some(client);
                self.request_with_credentials(now)
            }
            GrantKind::Enterprise(enterprise) => {
                let client = self.configured_client(&server)?.ok_or_else(|| {
                    Failure::new(
                        LoginStep::Settings,
                        "client_id",
                        "enterprise-managed authorization needs the client id at the MCP server's own authorization \
                         server, 'auth.client_id'",
                    )
                })?;
                self.run()?.client = Some(client);
                let again = self.run()?.why == LoginReason::Refused;
                self.ask(Wanted::Subject, &enterprise.subject, again, now)
            }
            GrantKind::Workload { assertion } => {
                let again = self.run()?.why == LoginReason::Refused;
                self.ask(Wanted::WorkloadAssertion, &assertion, again, now)
            }
            GrantKind::Bearer { .. } => Err(internal("a given token needs no authorization server")),
        }
    }

    /// Which scopes to ask for (2026-07-28 `basic/authorization`, "Scope Selection Strategy").
    fn choose_scopes(&mut self, server: &ServerMetadata, own: Option<&Login>) -> Result<Scopes, Failure> {
        let interactive = matches!(self.settings.grant, GrantKind::Interactive { .. });
        let configured = self.settings.scopes.clone();
        let run = self.run()?;
        let published = run.resource.as_ref().and_then(|resource| resource.scopes.clone());
        let more = run.why == LoginReason::StepUp;
        // Some say that a token lacks scopes, and not which: what they list is all that can be asked for.
        let said = run.said.scopes.clone().or_else(|| published.clone().filter(|_| more));
        // What a server asks for is needed; what the application asks for is wanted besides.
        let wanted = match (said, configured) {
            (Some(said), Some(configured)) => said.with(&configured),
            (Some(scopes), None) | (None, Some(scopes)) => scopes,
            (None, None) => published.unwrap_or_default(),
        };
        if let Some(own) = own.filter(|own| more && run.said.scopes.is_none() && own.asked.has_all(&wanted)) {
            let asked = own.asked.text();
            let message = format!(
                "the server needs more scopes than '{asked}', does not say which, and lists none besides; 'auth.scopes' can name them"
            );
            return Err(Failure::new(LoginStep::Access, "scope", message)
                .values("", &asked)
                .code(Some("insufficient_scope")));
        }
        let mut scopes = own.map(|login| login.asked.clone()).unwrap_or_default().with(&wanted);
        let offline = Scopes::parse("offline_access");
        let known = server.scopes.as_ref().is_some_and(|scopes| scopes.has_all(&offline));
        // Alone it would be a scope parameter where none was wanted.
        if interactive && known && !scopes.is_empty() {
            scopes = scopes.with(&offline);
        }
        Ok(scopes)
    }

    /// Whether tokens are bound to a key, and to which.
    fn choose_key(
        &mut self,
        server: &ServerMetadata,
        own: Option<&Login>,
    ) -> Result<Option<ProofKey>, Failure> {
        let kept = own.and_then(|login| login.key.clone());
        let run = self.run()?;
        let offered = run.said.dpop || run.resource.as_ref().is_some_and(|resource| resource.dpop);
        let renewal = run.why == LoginReason::Renewal && kept.is_some();
        let wanted = match self.settings.dpop {
            Dpop::Never => false,
            Dpop::Always if !server.may_bind() => {
                return Err(Failure::new(
                    LoginStep::ServerMetadata,
                    "dpop_signing_alg_values_supported",
                    format!(
                        "'{}' takes no proofs signed with ES256, and 'auth.dpop' demands them",
                        shown(&server.issuer.name)
                    ),
                )
                .values("ES256", &server.dpop.clone().unwrap_or_default().join(", ")));
            }
            Dpop::Always => true,
            Dpop::Auto => renewal || (offered && server.may_bind()),
        };
        let theirs = self.settings.dpop_key.as_ref();
        match (wanted, kept, theirs) {
            (false, _, _) => Ok(None),
            (true, Some(key), _) if key.fits(theirs) => Ok(Some(key)),
            (true, _, Some(public)) => Ok(Some(ProofKey::of_application(public))),
            (true, _, None) => ProofKey::generate().map(Some),
        }
    }

    /// The configured client, unless it has been used at another authorization server.
    pub(super) fn configured_client(
        &mut self,
        server: &ServerMetadata,
    ) -> Result<Option<ClientRegistration>, Failure> {
        let identity = &self.settings.identity;
        let Some(client) = ClientRegistration::configured(identity, server)? else { return Ok(None) };
        let known = self.record.issuer_of(&client.id).filter(|known| !known.has_clients_of(&server.issuer));
        if let Some(known) = known.filter(|_| identity.issuer.is_none()) {
            let how = |issuer: &Issuer| {
                if issuer.fallback { " (found without protected resource metadata)" } else { "" }
            };
            return Err(Failure::new(
                LoginStep::ResourceMetadata,
                "issuer of the credentials",
                format!(
                    "the client id in 'auth.client_id' has been used at '{}'{}, and the MCP server now names '{}'{}: \
                     credentials of the one are not shown to the other. If the move is real, put new credentials into the \
                     configuration and '{}' into 'auth.issuer'",
                    shown(&known.name),
                    how(known),
                    shown(&server.issuer.name),
                    how(&server.issuer),
                    shown(&server.issuer.name)
                ),
            )
            .values(&known.name, &server.issuer.name));
        }
        Ok(Some(client))
    }

    /// The client of a login that is kept. Of the configured one it has what is configured by now, and how it proved itself before,
    /// where that is not configured: what a server takes and what it says differ at some, and each failed attempt may be counted there.
    pub(super) fn client_of(
        &mut self,
        server: &ServerMetadata,
        kept: ClientRegistration,
    ) -> Result<ClientRegistration, Failure> {
        if kept.source != ClientIdSource::Configured {
            return Ok(kept);
        }
        let Some(client) = self.configured_client(server)? else { return Ok(kept) };
        Ok(self.as_before(client, Some(&kept)))
    }

    fn as_before(&self, client: ClientRegistration, kept: Option<&ClientRegistration>) -> ClientRegistration {
        let is_open = self.settings.identity.method.is_none() && client.method.sends_secret();
        match kept.filter(|kept| is_open && kept.id == client.id && kept.method.sends_secret()) {
            Some(kept) => ClientRegistration { method: kept.method, ..client },
            None => client,
        }
    }

    /// Gets ready for a person's login: where to listen, and who we are.
    pub(super) fn identify(&mut self, server: &ServerMetadata, now: Timestamp) -> Result<(), Failure> {
        let GrantKind::Interactive { redirect } = self.settings.grant.clone() else {
            return Err(internal("only a person logs in"));
        };
        if let Some(why) = self.settings.no_login.clone() {
            let ended =
                self.ended.as_ref().map(|said| format!("{why}; the login that is kept has ended: {said}"));
            let why = ended.unwrap_or(why);
            let run = self.run()?;
            let lacks = format!("{why}; the login lacks the scopes '{}'", run.scopes.text());
            let message = if run.why == LoginReason::StepUp { lacks } else { why };
            return Err(Failure::new(LoginStep::Authorization, "person", message));
        }
        let on_device = match self.settings.flow {
            Flow::Browser => false,
            Flow::Device => true,
            Flow::Auto => server.offers_device() && !self.run()?.refuses_device,
        };
        let device = on_device.then(|| server.device_endpoint(&self.policy)).transpose()?;
        let named = self.settings.identity.issuer.as_ref();
        let is_named = named.is_some_and(|named| Issuer::is_same(named, &server.issuer.name));
        server.check_endpoints(is_named, device.as_ref())?;
        if device.is_none() {
            server.check_challenge()?;
            server.need(server.authorization.as_ref(), "authorization_endpoint")?;
        }
        let identity = &self.settings.identity;
        let possible = identity.client_id.is_some()
            || (server.takes_documents && identity.metadata_url.is_some())
            || server.registration.is_some();
        if !possible && self.kept_client(|client| client.source == ClientIdSource::Registered)?.is_none() {
            return Err(Failure::new(
                LoginStep::Registration,
                "client id",
                format!(
                    "'{}' lets no client register itself ('registration_endpoint' is missing){}; register the \
                     application there and give its id as 'auth.client_id'",
                    shown(&server.issuer.name),
                    if server.takes_documents {
                        ", but takes the URL of a document ('auth.client_metadata_url')"
                    } else {
                        ""
                    }
                ),
            ));
        }
        let run = self.run()?;
        run.device_endpoint = device;
        if run.device_endpoint.is_some() {
            run.redirect_uri = None;
        }
        if run.device_endpoint.is_some() || run.redirect_uri.is_some() {
            return self.choose_client(now);
        }
        if let Some(uri) = redirect.uri.as_ref().filter(|_| !redirect.listen) {
            self.run()?.redirect_uri = Some(uri.clone());
            return self.choose_client(now);
        }
        let listen = self.where_to_listen(&redirect)?;
        self.phase = LoginPhase::Listening;
        self.effects.push_back(Effect::Listen(listen));
        Ok(())
    }

    fn where_to_listen(&mut self, redirect: &Redirect) -> Result<Listen, Failure> {
        let registered = self.kept_client(|client| client.redirect_uri.is_some())?;
        let registered = registered.and_then(|client| client.redirect_uri);
        let registered = registered.and_then(|uri| Address::parse(&uri).ok());
        let preferred = registered.map(|place| place.origin().port);
        let Some(uri) = &redirect.uri else {
            let (host, path) = (CALLBACK_HOST.to_owned(), CALLBACK_PATH.to_owned());
            return Ok(Listen { host, port: None, preferred, path });
        };
        let bad = |what: &str| {
            let message = format!("'auth.redirect_uri' is '{}': {what}", shown(uri));
            Failure::new(LoginStep::Settings, "redirect_uri", message)
        };
        let place = Address::parse(uri).map_err(|error| bad(&error.to_string()))?;
        if place.origin().tls || !url_policy::is_loopback(&place.origin().host) {
            return Err(bad(
                "the library listens on this machine only, at http://127.0.0.1, http://[::1] or http://localhost",
            ));
        }
        let named = uri
            .rsplit_once(']')
            .map_or(uri.as_str(), |(_, rest)| rest)
            .trim_start_matches("http:")
            .contains(':');
        let port = named.then_some(place.origin().port);
        let path = url_policy::path(&place).to_owned();
        Ok(Listen { host: place.origin().host.clone(), port, preferred: port.or(preferred), path })
    }

    /// The library listens at this port; or why it does not.
    pub fn listening(&mut self, port: Result<u16, String>, now: Timestamp) {
        if !matches!(self.phase, LoginPhase::Listening) {
            return;
        }
        let result = self.listens(port, now);
        self.settle(result, now);
    }

    fn listens(&mut self, port: Result<u16, String>, now: Timestamp) -> Result<(), Failure> {
        let GrantKind::Interactive { redirect } = self.settings.grant.clone() else {
            return Err(internal("only a person's login listens"));
        };
        let listen = self.where_to_listen(&redirect)?;
        let port = port.map_err(|why| {
            let message = format!(
                "the library cannot listen at http://{}{} for the browser's answer: {}; 'auth.redirect_uri' names another place",
                listen.host,
                listen.path,
                shown(&why)
            );
            Failure::new(LoginStep::Authorization, "listener", message)
        })?;
        self.run()?.redirect_uri = Some(format!("http://{}:{port}{}", listen.host, listen.path));
        self.allow_limit(now);
        self.choose_client(now)
    }

    /// 2026-07-28 `basic/authorization`, "Client Registration Approaches", in this order.
    fn choose_client(&mut self, now: Timestamp) -> Result<(), Failure> {
        let server = self.found_server()?;
        let redirect_uri = self.run()?.redirect_uri.clone();
        let configured = self.configured_client(&server)?;
        let document = ClientRegistration::document(&self.settings.identity, &server);
        if let Some(client) = configured.or(document) {
            self.run()?.client = Some(client);
            return self.ask_person(now);
        }
        // One that was registered with another redirect URI may be refused with this one.
        match self.kept_client(|client| client.is_good(redirect_uri.as_deref(), now.unix))? {
            Some(client) => {
                self.run()?.client = Some(client);
                self.note(RegistrationNote::Begins, now);
                Ok(())
            }
            None => self.register(&server, false),
        }
    }

    /// A client that an earlier login registered at the server that was found: of the login there is, or kept without one.
    fn kept_client(
        &mut self,
        is_wanted: impl Fn(&ClientRegistration) -> bool,
    ) -> Result<Option<ClientRegistration>, Failure> {
        let ServerMetadata { issuer, registration, .. } = self.found_server()?;
        let resource = self.resource();
        // The newest word of what the server knows is ours.
        let own = self.login.as_ref().filter(|login| login.issuer == issuer && login.resource == resource);
        let gone = own.filter(|own| own.client.expires == Some(0)).map(|own| own.client.id.clone());
        let is_wanted = |client: &ClientRegistration| gone.as_ref() != Some(&client.id) && is_wanted(client);
        Ok(self.record.registered(&issuer, &resource, registration.is_none(), is_wanted).cloned())
    }

    /// Who we are is known: the person is next.
    pub(super) fn ask_person(&mut self, now: Timestamp) -> Result<(), Failure> {
        match self.run()?.device_endpoint.clone() {
            Some(url) => self.request_codes(url, now),
            None => self.prompt(now),
        }
    }

    pub(super) fn register(&mut self, server: &ServerMetadata, least: bool) -> Result<(), Failure> {
        let url = server.need(server.registration.as_ref(), "registration_endpoint")?.clone();
        let run = self.run()?;
        run.registrations += 1;
        if run.registrations > MOST_REGISTRATIONS {
            let message =
                format!("{url} registered clients that it then did not know, {MOST_REGISTRATIONS} times");
            return Err(Failure::new(LoginStep::Registration, "number of registrations", message));
        }
        let redirect_uri = run.redirect_uri.clone();
        let bound = run.key.is_some();
        let body = credentials::registration(
            &self.settings.identity,
            server,
            redirect_uri.as_deref(),
            bound,
            least,
        )?;
        let headers = vec![
            ("content-type", Secret::new("application/json")),
            ("accept", Secret::new("application/json")),
        ];
        let body = Some(Secret::new(body.to_string()));
        let id = self.send(LoginStep::Registration, Method::Post, &url, headers, body, None)?;
        let (form, secrets) = (Form::default(), Form::default());
        self.phase = LoginPhase::Posting(Post {
            id,
            url,
            purpose: FormPurpose::Register { least },
            form,
            secrets,
            signs: false,
        });
        Ok(())
    }

    pub(super) fn registered(
        &mut self,
        post: &Post,
        answer: &Answer,
        least: bool,
        now: Timestamp,
    ) -> Result<(), Failure> {
        if answer.is_success() {
            let redirect_uri = self.run()?.redirect_uri.clone();
            let client = credentials::registered(&post.url, answer, redirect_uri)?;
            self.run()?.client = Some(client);
            // It is kept before the person is asked, who may not finish.
            self.note(RegistrationNote::Begins, now);
            return Ok(());
        }
        let mut failure = refusal(LoginStep::Registration, &post.url, answer, &post.secrets);
        let about_us = match failure.code.as_deref() {
            Some("invalid_client_metadata") => true,
            // Some register no client without one.
            Some("invalid_redirect_uri") => self.run()?.device_endpoint.is_some(),
            _ => false,
        };
        if about_us && !least {
            let server = self.found_server()?;
            return self.register(&server, true);
        }
        if !failure.retryable() {
            failure.message.push_str("; the operator may give you an id: 'auth.client_id'");
        }
        Err(failure)
    }
}
