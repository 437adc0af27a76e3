//! Tokens without a user (conformance `auth/client-credentials-*`, `auth/enterprise-managed-authorization`,
//! `auth/wif-jwt-bearer`), tokens that the application has, and proofs of possession (RFC 9449).

use super::world::{Kept, World, address, interactive};
use crate::auth::client::settings::{
    AuthMethod, ClientKey, Dpop, Enterprise, GrantKind, Identity, KeyOf, Settings, Source, SubjectType,
};
use crate::auth::jose::tests::ec_pem;
use crate::auth::jose::{self, base64, base64url};
use crate::auth::{Access, Given, LoginStep, Secret, SigningKey, Wanted};
use crate::testing::site::{AS, AS_DOCUMENT, MCP, PRM, Server, Site, answer, header};
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

const IDP: &str = "https://idp.example";

fn given(text: &str, seconds: Option<u64>) -> Given {
    Given { text: Secret::new(text), lasts: seconds.map(Duration::from_secs) }
}

fn identity(secret: Option<&str>) -> Identity {
    Identity {
        client_id: Some("service".into()),
        client_secret: secret.map(Secret::new),
        issuer: Some(AS.into()),
        ..Identity::default()
    }
}

fn jwt(exp: u64) -> String {
    let part = |value: serde_json::Value| base64url(value.to_string().as_bytes());
    format!("{}.{}.c2ln", part(json!({ "alg": "ES256" })), part(json!({ "sub": "workload", "exp": exp })))
}

#[test]
fn client_credentials_with_a_secret() {
    let mut site = Site::new();
    site.server().clients.insert("service".into(), Some("s3cret".into()));
    site.challenge = format!("{}, scope=\"mcp:basic\"", site.challenge);
    let settings = Settings {
        grant: GrantKind::ClientCredentials,
        identity: identity(Some("s3cret")),
        ..Settings::default()
    };
    let mut world = World::new(site, settings);
    world.call("tools/list").expect("a token");
    let form = &world.tokens()[0];
    assert_eq!((form["grant_type"].as_str(), form["resource"].as_str()), ("client_credentials", MCP));
    assert_eq!(form["scope"], "mcp:basic");
    let request = world.requests.iter().find(|it| it.url.target() == "/token").expect("one");
    assert_eq!(header(request, "authorization"), Some(format!("Basic {}", base64(b"service:s3cret"))));
    assert!(world.prompts.is_empty() && world.registrations().is_empty());
    // It ends, and another one is asked for in the same way.
    world.pass(3595);
    world.call("tools/list").expect("a token");
    assert_eq!(world.tokens()[1]["grant_type"], "client_credentials");
}

#[test]
fn client_credentials_with_a_key_need_no_code_flow_at_the_server() {
    let mut site = Site::new();
    site.server().method = Some("private_key_jwt".into());
    let document = "https://as.example/.well-known/oauth-authorization-server";
    site.change(
        document,
        &json!({ "authorization_endpoint": null, "code_challenge_methods_supported": null }),
    );
    let key = Arc::new(SigningKey::from_pem(&ec_pem()).expect("a key"));
    let identity = Identity { key: Some(ClientKey { key: KeyOf::Us(key), id: None }), ..identity(None) };
    let mut world =
        World::new(site, Settings { grant: GrantKind::ClientCredentials, identity, ..Settings::default() });
    world.call("tools/list").expect("a token");
    let form = &world.tokens()[0];
    assert_eq!(form["client_assertion_type"], "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    let claims = jose::claims(&form["client_assertion"]).expect("claims");
    assert_eq!((claims["iss"].as_str(), claims["aud"].as_str()), (Some("service"), Some(AS)));
}

#[test]
fn client_credentials_that_are_refused_are_not_tried_again_at_once() {
    let settings = Settings {
        grant: GrantKind::ClientCredentials,
        identity: identity(Some("wrong")),
        ..Settings::default()
    };
    let mut world = World::new(Site::new(), settings);
    for _ in 0..5 {
        let failure = world.call("tools/list").expect_err("a refusal");
        assert_eq!((failure.step, failure.code.as_deref()), (LoginStep::Token, Some("invalid_client")));
        assert!(!failure.message.contains("wrong"));
    }
    assert_eq!(world.tokens().len(), 3, "the secret was sent in each place, once");
}

#[test]
fn client_credentials_may_step_up() {
    let mut site = Site::new();
    site.server().clients.insert("service".into(), Some("s3cret".into()));
    site.needs.insert("tools/call".into(), "mcp:write".into());
    let settings = Settings {
        grant: GrantKind::ClientCredentials,
        identity: identity(Some("s3cret")),
        ..Settings::default()
    };
    let mut world = World::new(site, settings);
    world.call("tools/list").expect("a token");
    world.call("tools/call").expect("a token with more");
    assert_eq!(world.tokens()[1]["scope"], "mcp:write");
}

fn enterprise(subject: Source) -> Settings {
    let enterprise = Enterprise {
        token_endpoint: format!("{IDP}/token"),
        client_id: "idp-client".into(),
        client_secret: None,
        method: AuthMethod::None,
        subject,
        subject_type: SubjectType::IdToken,
    };
    Settings {
        grant: GrantKind::Enterprise(enterprise),
        identity: identity(Some("s3cret")),
        ..Settings::default()
    }
}

fn with_idp() -> Site {
    let mut site = Site::new();
    site.server().clients.insert("service".into(), Some("s3cret".into()));
    let mut idp = Server::new(IDP);
    idp.clients.insert("idp-client".into(), None);
    site.servers.push(idp);
    site
}

#[test]
fn an_enterprise_login_is_exchanged_for_an_assertion_and_that_for_a_token() {
    let mut world = World::new(with_idp(), enterprise(Source::Text(Secret::new("id-token"))));
    world.call("tools/list").expect("a token");
    let [exchange, grant] = &world.tokens()[..] else { panic!("two requests") };
    assert_eq!(exchange["grant_type"], "urn:ietf:params:oauth:grant-type:token-exchange");
    assert_eq!(exchange["subject_token"], "id-token");
    assert_eq!(exchange["subject_token_type"], "urn:ietf:params:oauth:token-type:id_token");
    assert_eq!((exchange["audience"].as_str(), exchange["resource"].as_str()), (AS, MCP));
    assert_eq!(exchange["client_id"], "idp-client");
    assert_eq!(grant["grant_type"], "urn:ietf:params:oauth:grant-type:jwt-bearer");
    assert_eq!((grant["assertion"].as_str(), grant["resource"].as_str()), ("id-jag", MCP));
    let at_idp: Vec<_> = world.requests.iter().filter(|it| it.url.origin().host == "idp.example").collect();
    let body = at_idp[0].body.as_ref().expect("a form").expose();
    assert!(!body.contains("s3cret") && header(at_idp[0], "authorization").is_none(), "each its own secret");
    assert!(!at_idp[0].refuse_private, "it is where the application says");
}

#[test]
fn an_identity_provider_that_issues_something_else_is_told() {
    let mut site = with_idp();
    let kind = "urn:ietf:params:oauth:token-type:access_token";
    site.servers[1].token_faults =
        vec![answer(200, &json!({ "access_token": "x", "issued_token_type": kind, "token_type": "Bearer" }))];
    let mut world = World::new(site, enterprise(Source::Text(Secret::new("id-token"))));
    let failure = world.call("tools/list").expect_err("a refusal");
    assert_eq!((failure.step, failure.check), (LoginStep::Exchange, "issued_token_type"));
    assert_eq!(world.tokens().len(), 1, "it goes no further");
}

#[test]
fn the_application_is_asked_for_the_persons_login_each_time() {
    let mut world = World::new(with_idp(), enterprise(Source::Application));
    world.gives = vec![given("id-token-1", None), given("id-token-2", None)];
    world.call("tools/list").expect("a token");
    world.pass(3595);
    world.call("tools/list").expect("another");
    assert_eq!(world.asked.len(), 2);
    assert_eq!(
        (world.asked[0].wanted, world.asked[0].audience.as_str()),
        (Wanted::Subject, "https://idp.example/token")
    );
    assert_eq!(world.tokens()[2]["subject_token"], "id-token-2");
}

fn workload(assertion: Source) -> Settings {
    let identity = Identity { issuer: Some(AS.into()), ..Identity::default() };
    Settings { grant: GrantKind::Workload { assertion }, identity, ..Settings::default() }
}

#[test]
fn a_workload_shows_its_assertion_and_nothing_else() {
    let mut world = World::new(Site::new(), workload(Source::Text(Secret::new(jwt(u64::MAX)))));
    world.call("tools/list").expect("a token");
    let form = &world.tokens()[0];
    assert_eq!(form["grant_type"], "urn:ietf:params:oauth:grant-type:jwt-bearer");
    assert_eq!(form["resource"], MCP);
    assert!(!form.contains_key("client_id") && world.registrations().is_empty());
    let request = world.requests.last().expect("one");
    assert_eq!(header(request, "authorization"), None);
}

#[test]
fn a_refused_assertion_is_not_sent_again_and_nothing_else_is_tried() {
    let mut world = World::new(Site::new(), workload(Source::Text(Secret::new("wrong"))));
    for _ in 0..3 {
        let failure = world.call("tools/list").expect_err("a refusal");
        assert_eq!((failure.step, failure.code.as_deref()), (LoginStep::Token, Some("invalid_grant")));
    }
    assert_eq!(world.tokens().len(), 1);
    assert!(world.prompts.is_empty() && world.registrations().is_empty());
}

#[test]
fn an_assertion_that_has_ended_is_not_sent() {
    let now = 1_800_000_000;
    let mut world = World::new(Site::new(), workload(Source::Application));
    world.gives = vec![given(&jwt(now - 5), None)];
    let failure = world.call("tools/list").expect_err("too old");
    assert_eq!((failure.step, failure.check), (LoginStep::Application, "exp"));
    assert!(failure.message.contains("5 s ago") && world.tokens().is_empty());
}

#[test]
fn an_assertion_in_a_file_is_read_each_time() {
    let mut world = World::new(Site::new(), workload(Source::File("/run/token".into())));
    world.gives = vec![given(&format!("{}\n", jwt(u64::MAX)), None)];
    world.call("tools/list").expect("a token");
    assert_eq!(world.asked[0].file.as_deref(), Some("/run/token"));
    assert_eq!(world.asked[0].audience, AS);
}

fn bearer(token: Source) -> Settings {
    Settings { grant: GrantKind::Bearer { token }, ..Settings::default() }
}

/// A token that the MCP server takes.
fn known(site: &mut Site, token: &str) {
    let issued = crate::testing::site::Issued {
        issuer: String::new(),
        scope: String::new(),
        client: String::new(),
        resource: None,
        bound: false,
    };
    site.tokens.insert(token.to_owned(), issued);
}

#[test]
fn a_given_token_is_sent_at_once_and_told_when_it_is_refused() {
    let mut site = Site::new();
    known(&mut site, "good");
    let mut world = World::new(site, bearer(Source::Text(Secret::new("good"))));
    world.call("tools/list").expect("taken");
    let mut world = World::new(Site::new(), bearer(Source::Text(Secret::new("bad"))));
    let failure = world.call("tools/list").expect_err("refused");
    assert_eq!((failure.step, failure.check), (LoginStep::Access, "token"));
    assert!(failure.message.contains("auth.token") && world.requests.is_empty());
}

#[test]
fn the_application_is_asked_for_a_token_before_the_first_request_and_when_one_ends_or_is_refused() {
    let mut site = Site::new();
    known(&mut site, "one");
    known(&mut site, "three");
    let mut world = World::new(site, bearer(Source::Application));
    world.gives = vec![given("one", Some(100)), given("two", None), given("three", None)];
    world.call("tools/list").expect("the first");
    world.pass(200);
    world.call("tools/list").expect("the third");
    let refused: Vec<bool> = world.asked.iter().map(|ask| ask.refused).collect();
    assert_eq!(refused, [false, false, true]);
    assert_eq!(world.asked[0].audience, MCP);
}

#[test]
fn what_is_no_token_is_not_sent() {
    for text in ["", "  ", "a b", "a\r\nx: y", "é"] {
        let mut world = World::new(Site::new(), bearer(Source::Application));
        world.gives = vec![given(text, None)];
        let failure = world.call("tools/list").expect_err(text);
        assert_eq!((failure.step, failure.check), (LoginStep::Application, "credential"));
    }
}

#[test]
fn tokens_go_to_the_servers_own_origin_only() {
    let mut site = Site::new();
    known(&mut site, "good");
    let mut world = World::new(site, bearer(Source::Text(Secret::new("good"))));
    for url in ["https://evil.example/mcp", "http://mcp.example/mcp", "https://mcp.example:8443/mcp"] {
        assert_eq!(world.auth.access("POST", &address(url), world.now), Access::Open, "{url}");
    }
    let other_path = world.auth.access("DELETE", &address("https://mcp.example/other"), world.now);
    assert!(matches!(other_path, Access::With { .. }));
}

#[test]
fn a_failed_login_keeps_no_request_from_a_server_that_wants_no_token_for_it() {
    let mut world = World::new(Site::new(), interactive());
    world.site.borrow_mut().documents.clear();
    let failure = world.call("tools/call").expect_err("there is no authorization server");
    assert!(!failure.retryable());
    let asked = world.requests.len();
    assert_eq!(
        world.auth.access("POST", &address(MCP), world.now),
        Access::Open,
        "the server says whether it wants one"
    );
    assert_eq!(
        world.call("tools/call").expect_err("it does"),
        failure,
        "and then the failure is known already"
    );
    assert_eq!(world.requests.len(), asked);
}

fn site() -> Site {
    let mut site = Site::new();
    site.challenge = format!("DPoP resource_metadata=\"{PRM}\"");
    site.takes_dpop = true;
    site
}

fn scheme(world: &World) -> String {
    let value = world.taken.last().expect("a request")[0].1.expose();
    value.split(' ').next().expect("a scheme").to_owned()
}

#[test]
fn a_server_that_takes_proofs_gets_a_fresh_one_with_every_request() {
    let mut world = World::new(site(), interactive());
    for _ in 0..5 {
        // The servers check proofs, their `ath` and that no id comes twice.
        world.call("tools/list").expect("taken");
    }
    assert_eq!(scheme(&world), "DPoP");
    assert!(
        world.taken.iter().all(|headers| headers.iter().filter(|(name, _)| *name == "dpop").count() == 1)
    );
    assert_eq!(world.registrations()[0]["dpop_bound_access_tokens"], true);
    world.pass(3595);
    world.call("tools/list").expect("a refresh, with a proof");
    assert_eq!(world.tokens()[1]["grant_type"], "refresh_token");
}

#[test]
fn nonces_of_both_servers_are_sent_back() {
    let mut site = site();
    site.server().nonce = Some("as-nonce".into());
    site.resource_nonce = Some("rs-nonce".into());
    let mut world = World::new(site, interactive());
    world.call("tools/list").expect("taken");
    assert_eq!(world.tokens().len(), 2, "once without, once with");
    assert_eq!(world.tokens()[0]["code"], world.tokens()[1]["code"]);
    let taken = world.site.borrow().proofs.len();
    world.call("tools/list").expect("taken");
    assert_eq!(world.site.borrow().proofs.len(), taken + 1, "now the nonce is known");
    // A newer one comes with a refusal.
    world.site.borrow_mut().resource_nonce = Some("rs-nonce-2".into());
    world.call("tools/list").expect("taken");
    assert_eq!(world.prompts.len(), 1);
}

#[test]
fn a_server_that_never_has_enough_nonces_is_bounded() {
    let mut site = site();
    let mut fault = crate::testing::site::answer(400, &json!({ "error": "use_dpop_nonce" }));
    fault.headers.push(("DPoP-Nonce".into(), "n".into()));
    site.server().token_faults = vec![fault.clone(), fault.clone(), fault.clone(), fault];
    let mut world = World::new(site, interactive());
    let failure = world.call("tools/list").expect_err("a refusal");
    assert_eq!(failure.code.as_deref(), Some("use_dpop_nonce"));
    assert_eq!(world.tokens().len(), 3);
}

#[test]
fn a_server_that_says_nothing_of_proofs_gets_none_even_if_its_authorization_server_could() {
    let mut site = Site::new();
    site.change(AS_DOCUMENT, &json!({ "dpop_signing_alg_values_supported": ["ES256"] }));
    let mut world = World::new(site, interactive());
    world.call("tools/list").expect("taken");
    assert_eq!(scheme(&world), "Bearer");
    assert!(world.requests.iter().all(|it| header(it, "dpop").is_none()));
}

#[test]
fn the_resource_may_demand_proofs_in_its_metadata() {
    let mut site = Site::new();
    site.change(PRM, &json!({ "dpop_bound_access_tokens_required": true }));
    site.takes_dpop = true;
    let mut world = World::new(site, interactive());
    world.call("tools/list").expect("taken");
    assert_eq!(scheme(&world), "DPoP");
}

#[test]
fn what_is_configured_goes_before_what_is_offered() {
    let mut never = World::new(Site::new(), Settings { dpop: Dpop::Never, ..interactive() });
    never.site.borrow_mut().challenge = format!("DPoP resource_metadata=\"{PRM}\"");
    never.call("tools/list").expect("taken");
    assert_eq!(scheme(&never), "Bearer");
    let mut always = World::new(Site::new(), Settings { dpop: Dpop::Always, ..interactive() });
    always.site.borrow_mut().takes_dpop = true;
    always.call("tools/list").expect("taken");
    assert_eq!(scheme(&always), "DPoP");
    let mut site = Site::new();
    site.change(AS_DOCUMENT, &json!({ "dpop_signing_alg_values_supported": ["RS256"] }));
    let mut always = World::new(site, Settings { dpop: Dpop::Always, ..interactive() });
    let failure = always.call("tools/list").expect_err("cannot be");
    assert_eq!(failure.check, "dpop_signing_alg_values_supported");
    assert_eq!(failure.values, Some(("ES256".to_owned(), "RS256".to_owned())));
}

#[test]
fn the_key_is_kept_with_the_login() {
    let (site, kept) = (Rc::new(RefCell::new(site())), Kept::default());
    let mut first = World::at(crate::testing::site::MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    first.call("tools/list").expect("taken");
    let mut second = World::at(crate::testing::site::MCP, site, interactive(), kept);
    second.call("tools/list").expect("without a login");
    second.pass(3595);
    second.call("tools/list").expect("a refresh");
    assert!(second.prompts.is_empty());
    let key = |proof: &str| {
        jose::from_base64url(proof.split('.').next().expect("a header")).expect("Base64").to_vec()
    };
    let proof =
        |world: &World| world.taken[0].iter().find(|(name, _)| *name == "dpop").expect("one").1.clone();
    assert_eq!(key(proof(&first).expose()), key(proof(&second).expose()));
}
