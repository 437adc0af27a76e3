//! From the MCP server to its authorization server: the documents of discovery, in their order (2026-07-28
//! `basic/authorization`, "Authorization Server Discovery").

use super::Authorizer;
use super::login_run::{Fetch, LoginPhase, LoginReason, Timestamp, internal};
use super::metadata::{Issuer, ResourceMetadata, ServerMetadata};
use crate::auth::failure::{Cause, Failure, LoginStep, shown};
use crate::auth::http::{Answer, Fault, Method};
use crate::auth::token::Secret;
use crate::auth::url_policy;
use crate::protocol::address::Address;
use serde_json::{Map, Value};
use std::collections::VecDeque;

/// How many redirects one document may take; each hop is checked like the first URL.
const MOST_REDIRECTS: u32 = 3;
/// How many authorization servers of one resource are tried.
const MOST_ISSUERS: usize = 4;

/// What was found at one of the places.
enum DiscoveryDocument {
    Resource(ResourceMetadata),
    Server(Box<ServerMetadata>),
}

impl Authorizer {
    /// Looks for what the MCP server publishes: where it said, then where it usually is.
    pub(super) fn find_resource(&mut self, now: Timestamp) -> Result<(), Failure> {
        let mut urls: VecDeque<String> = url_policy::resource_documents(&self.server).into();
        let mut trouble = None;
        if let Some(url) = self.run()?.said.metadata.clone() {
            // Some quote it as they would in a program, or write only its path.
            let url = url.trim_matches([' ', '\'']);
            let is_relative = !url.is_empty() && !url.contains("://");
            let joined = is_relative.then(|| self.server.join(url).ok()).flatten();
            let url = joined.map_or_else(|| url.to_owned(), |place| place.to_string());
            match self.policy.place(LoginStep::ResourceMetadata, "resource_metadata", &url) {
                Ok(_) => {
                    urls.retain(|own| *own != url);
                    urls.push_front(url);
                }
                Err(failure) => trouble = Some(failure),
            }
        }
        self.fetch(LoginStep::ResourceMetadata, urls, trouble, now)
    }

    /// Looks for the authorization server of the login there is: its resource was checked when it was made.
    pub(super) fn find_own_server(&mut self, now: Timestamp) -> Result<(), Failure> {
        let login = self.login.as_ref().ok_or_else(|| internal("there is no login to renew"))?;
        let issuer = login.issuer.clone();
        self.policy.goes_on(login.inside);
        self.find_server_of(issuer, now)
    }

    /// Looks for the authorization server that gave us tokens, in the way in which it was found then: what the MCP server publishes
    /// by now makes no difference.
    pub(super) fn find_server_of(&mut self, issuer: Issuer, now: Timestamp) -> Result<(), Failure> {
        let run = self.run()?;
        run.legacy = issuer.fallback;
        run.issuers.push_back(issuer.name.clone());
        run.known = Some(issuer);
        self.next_issuer(now)
    }

    fn fetch(
        &mut self,
        step: LoginStep,
        rest: VecDeque<String>,
        trouble: Option<Failure>,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let url = self.server.clone();
        self.fetch_next(Fetch { id: 0, url, step, rest, tried: Vec::new(), redirects: 0, trouble }, now)
    }

    fn fetch_next(&mut self, mut fetch: Fetch, now: Timestamp) -> Result<(), Failure> {
        let Some(url) = fetch.rest.pop_front() else {
            return match fetch.step {
                LoginStep::ResourceMetadata => self.no_resource(fetch, now),
                _ => self.no_server(fetch, now),
            };
        };
        fetch.tried.push(url.clone());
        // Our own server is where the application says it is.
        let own = Address::parse(&url).ok().filter(|place| place.origin() == self.server.origin());
        let place = match own {
            Some(place) => Ok(place),
            None => self.policy.place(fetch.step, "document's URL", &url),
        };
        match place {
            Ok(place) => {
                fetch.redirects = 0;
                self.get(Fetch { url: place, ..fetch })
            }
            Err(failure) => {
                fetch.trouble.get_or_insert(failure);
                self.fetch_next(fetch, now)
            }
        }
    }

    fn get(&mut self, fetch: Fetch) -> Result<(), Failure> {
        let mut headers = vec![("accept", Secret::new("application/json"))];
        if fetch.url.origin() == self.server.origin() {
            // 2025-03-26 `basic/authorization`: "MCP clients SHOULD include the header".
            headers.push(("mcp-protocol-version", Secret::new(self.settings.revision.clone())));
        }
        let id = self.send(fetch.step, Method::Get, &fetch.url, headers, None, None)?;
        self.phase = LoginPhase::Fetching(Fetch { id, ..fetch });
        Ok(())
    }

    /// A document came, or something else.
    pub(super) fn fetched(
        &mut self,
        mut fetch: Fetch,
        answer: Result<Answer, Fault>,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let answer = match answer {
            Ok(answer) => answer,
            Err(fault) => {
                fetch.trouble.get_or_insert(fault.at(fetch.step, &fetch.url));
                return self.fetch_next(fetch, now);
            }
        };
        if matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
            return match self.redirected(&fetch, &answer) {
                Ok(url) => self.get(Fetch { url, redirects: fetch.redirects + 1, ..fetch }),
                Err(failure) => {
                    fetch.trouble.get_or_insert(failure);
                    self.fetch_next(fetch, now)
                }
            };
        }
        if answer.is_success()
            && let Some(object) = answer.object()
        {
            // A server that answers every path may have the document at the next place all the same.
            return match self.read_document(&fetch, &object) {
                Ok(DiscoveryDocument::Resource(resource)) => self.found_resource(resource, &fetch.url, now),
                Ok(DiscoveryDocument::Server(server)) => self.found_server_document(*server, now),
                Err(failure)
                    if fetch.rest.is_empty()
                        || failure.check == "resource" && object.contains_key("resource") =>
                {
                    self.no_document(fetch.trouble.take().unwrap_or(failure), fetch.step, now)
                }
                Err(failure) => {
                    fetch.trouble.get_or_insert(failure);
                    self.fetch_next(fetch, now)
                }
            };
        }
        if answer.is_trouble() {
            let message = format!("{} answered {}", fetch.url, answer.status);
            fetch
                .trouble
                .get_or_insert(Failure::new(fetch.step, "answer", message).because(Cause::Unreachable));
        } else if answer.status != 404
            && let Some(place) = fetch.tried.last_mut()
        {
            // A status other than 404 does not mean that the document is missing.
            *place = format!("{place} (which answered {})", answer.status);
        }
        self.fetch_next(fetch, now)
    }

    fn redirected(&self, fetch: &Fetch, answer: &Answer) -> Result<Address, Failure> {
        let failed = |what: String| Failure::new(fetch.step, "redirect", format!("{} {what}", fetch.url));
        if fetch.redirects >= MOST_REDIRECTS {
            return Err(failed(format!("is reached only over more than {MOST_REDIRECTS} redirects")));
        }
        let location = answer.header("location").ok_or_else(|| failed("redirects to nowhere".to_owned()))?;
        let to = fetch
            .url
            .join(location)
            .map_err(|error| failed(format!("redirects to no usable place: {error}")))?;
        if fetch.url.origin().tls && !to.origin().tls {
            return Err(failed(format!("redirects away from https, to {}", to.origin())));
        }
        if to.origin() == self.server.origin() {
            return Ok(to);
        }
        self.policy.place(fetch.step, "redirect", &to.to_string())
    }

    /// Reads what is at one of the places.
    fn read_document(
        &mut self,
        fetch: &Fetch,
        object: &Map<String, Value>,
    ) -> Result<DiscoveryDocument, Failure> {
        let url = fetch.url.to_string();
        if fetch.step == LoginStep::ResourceMetadata {
            return ResourceMetadata::read(object, &url, &self.server).map(DiscoveryDocument::Resource);
        }
        let run = self.run()?;
        let (legacy, issuer) = (run.legacy, run.issuer.clone());
        let server = if legacy {
            ServerMetadata::read_fallback(object, &url, &issuer, &self.server, &self.policy)
        } else {
            ServerMetadata::read(object, &url, &issuer, &self.policy)
        };
        server.map(|server| DiscoveryDocument::Server(Box::new(server)))
    }

    /// None of the places has it.
    fn no_document(&mut self, failure: Failure, step: LoginStep, now: Timestamp) -> Result<(), Failure> {
        if step == LoginStep::ResourceMetadata { Err(failure) } else { self.issuer_failed(failure, now) }
    }

    fn found_resource(
        &mut self,
        resource: ResourceMetadata,
        url: &Address,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let mut issuers: Vec<String> = resource.issuers.iter().take(MOST_ISSUERS).cloned().collect();
        if issuers.is_empty() {
            issuers.push(self.server.origin().to_string());
        }
        if let Some(pinned) = &self.settings.identity.issuer {
            if !issuers.iter().any(|issuer| Issuer::is_same(issuer, pinned)) {
                let named = issuers.join("', '");
                return Err(Failure::new(
                    LoginStep::ResourceMetadata,
                    "authorization_servers",
                    format!(
                        "{url} names '{}' as authorization server, and 'auth.issuer' says that the credentials are for \
                         '{}': they are not shown to anybody else. Correct 'auth.issuer' if the server has moved",
                        shown(&named),
                        shown(pinned)
                    ),
                )
                .values(pinned, &named));
            }
            issuers = vec![pinned.clone()];
        } else if let Some(known) = self.record.newest().map(|login| &login.issuer).filter(|it| !it.fallback)
        {
            // One that we are known at goes first.
            let (mut first, others): (Vec<_>, Vec<_>) =
                issuers.into_iter().partition(|issuer| Issuer::is_same(issuer, &known.name));
            first.extend(others);
            issuers = first;
        }
        let run = self.run()?;
        run.resource = Some(resource);
        run.issuers = issuers.into();
        self.next_issuer(now)
    }

    /// Nothing is published: a server of 2025-03-26 is its own authorization server (`basic/authorization`,
    /// "Authorization Base URL").
    fn no_resource(&mut self, fetch: Fetch, now: Timestamp) -> Result<(), Failure> {
        if let Some(trouble) = fetch.trouble {
            return Err(trouble);
        }
        if let Some(pinned) = self.settings.identity.issuer.clone() {
            let own = self.settings.legacy && Issuer::is_origin(&pinned, self.server.origin());
            let run = self.run()?;
            run.legacy = own;
            run.issuers.push_back(pinned);
        } else if self.settings.legacy {
            let origin = self.server.origin().to_string();
            let run = self.run()?;
            run.legacy = true;
            run.issuers.push_back(origin);
        } else {
            return Err(Failure::new(
                LoginStep::ResourceMetadata,
                "document",
                format!(
                    "the server wants authorization but publishes nothing about it at {}; 'auth.issuer' can name its \
                     authorization server",
                    fetch.tried.join(", ")
                ),
            ));
        }
        self.next_issuer(now)
    }

    /// Tries the next authorization server.
    fn next_issuer(&mut self, now: Timestamp) -> Result<(), Failure> {
        let run = self.run()?;
        let Some(issuer) = run.issuers.pop_front() else {
            return Err(run
                .first_failure
                .take()
                .unwrap_or_else(|| internal("there is no authorization server to try")));
        };
        run.issuer.clone_from(&issuer);
        // What was found out at the one before is not for this one.
        (run.client, run.key, run.verifier) = (None, None, None);
        let (legacy, leaves) = (run.legacy, run.why == LoginReason::Logout);
        if !leaves {
            self.check_credentials(&issuer, legacy)?;
        }
        let place = if legacy && Issuer::is_origin(&issuer, self.server.origin()) {
            Ok(self.server.clone())
        } else if legacy {
            Err(internal("a login without metadata is at another origin than the MCP server"))
        } else if issuer.contains(['?', '#']) {
            Err(Failure::new(
                LoginStep::ServerMetadata,
                "issuer",
                format!("the authorization server's name '{}' has a query or a fragment", shown(&issuer)),
            ))
        } else {
            self.policy.place(LoginStep::ServerMetadata, "authorization server's name", &issuer)
        };
        match place {
            // It is its origin that counts there.
            Ok(place) if legacy => {
                let root = place.join("/").map_err(|_| internal("the server has no root"))?;
                self.fetch(LoginStep::ServerMetadata, url_policy::server_documents(&root).into(), None, now)
            }
            Ok(place) => {
                self.fetch(LoginStep::ServerMetadata, url_policy::server_documents(&place).into(), None, now)
            }
            Err(failure) => self.issuer_failed(failure, now),
        }
    }

    /// This authorization server cannot be used; the next one may be.
    fn issuer_failed(&mut self, failure: Failure, now: Timestamp) -> Result<(), Failure> {
        let run = self.run()?;
        run.first_failure.get_or_insert(failure);
        self.next_issuer(now)
    }

    fn no_server(&mut self, fetch: Fetch, now: Timestamp) -> Result<(), Failure> {
        if let Some(trouble) = fetch.trouble {
            return self.issuer_failed(trouble, now);
        }
        let run = self.run()?;
        if run.legacy {
            let name = run.issuer.clone();
            let server = ServerMetadata::guessed(&name, &self.server, &self.policy)?;
            return self.found_server_document(server, now);
        }
        let failure = Failure::new(
            LoginStep::ServerMetadata,
            "document",
            format!(
                "the authorization server '{}' publishes no metadata at {}",
                shown(&run.issuer),
                fetch.tried.join(", ")
            ),
        );
        self.issuer_failed(failure, now)
    }

    fn found_server_document(&mut self, server: ServerMetadata, now: Timestamp) -> Result<(), Failure> {
        let run = self.run()?;
        if let Some(known) = run.known.as_ref().filter(|known| **known != server.issuer) {
            let failure = moved(known, &server.issuer);
            // The next request without a token begins a new login, which asks what the MCP server publishes now.
            return if run.why == LoginReason::Renewal {
                self.refresh_failed(failure, None, now)
            } else {
                Err(failure)
            };
        }
        run.server = Some(server);
        match self.proceed(now) {
            // A refresh that failed has nothing to do with which server is asked.
            Err(failure) if matches!(self.run()?.why, LoginReason::Renewal | LoginReason::Logout) => {
                Err(failure)
            }
            Err(failure) => self.issuer_failed(failure, now),
            Ok(()) => Ok(()),
        }
    }
}

/// The token endpoint is no longer where the tokens are from.
fn moved(known: &Issuer, found: &Issuer) -> Failure {
    let at = |issuer: &Issuer| {
        if issuer.tokens_at.is_empty() { "none".to_owned() } else { shown(&issuer.tokens_at) }
    };
    let message = format!(
        "the login at '{}' is from a token endpoint at {}, and the metadata names one at {}: tokens of the one are not shown to the \
         other, and a new login is needed",
        shown(&known.name),
        at(known),
        at(found)
    );
    Failure::new(LoginStep::ServerMetadata, "token_endpoint", message)
        .values(&known.tokens_at, &found.tokens_at)
}
