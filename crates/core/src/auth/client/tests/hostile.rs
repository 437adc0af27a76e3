//! Hostile servers: documents that are damaged or mixed, and an MCP server that drops its metadata and claims to be another
//! authorization server, one that we know. What belongs to that one never goes to a URL that the MCP server names (RFC 9700,
//! section 4.4; RFC 8414, section 6.2).

use super::world::{Kept, Person, World, interactive};
use crate::auth::client::settings::{ClientKey, GrantKind, Identity, KeyOf, Settings, Source};
use crate::auth::failure::Failure;
use crate::auth::jose::tests::ec_pem;
use crate::auth::jose::{self, base64};
use crate::auth::{LoginStep, Request, Secret, SigningKey};
use crate::testing::site::{AS, AS_DOCUMENT, MCP, PRM, Server, Site, form, header};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

const OWN: &str = "https://mcp.example";
const OWN_DOCUMENT: &str = "https://mcp.example/.well-known/oauth-authorization-server";

/// Drops the resource's metadata, and publishes a document of the MCP server's own: with these members it says that it is the
/// honest server, and where its endpoints are.
fn drop_metadata(site: &mut Site, members: &Value) {
    site.documents.remove(PRM);
    site.challenge = "Bearer".to_owned();
    if !site.servers.iter().any(|server| server.issuer == OWN) {
        site.servers.push(Server::new(OWN));
    }
    let mut document = Server::new(OWN).document();
    document["issuer"] = AS.into();
    document["revocation_endpoint"] = format!("{OWN}/revoke").into();
    site.documents.insert(OWN_DOCUMENT.to_owned(), document);
    site.change(OWN_DOCUMENT, members);
}

fn restore_metadata(site: &mut Site) {
    site.documents.insert(PRM.to_owned(), json!({ "resource": MCP, "authorization_servers": [AS] }));
    site.challenge = format!("Bearer resource_metadata=\"{PRM}\"");
}

/// The MCP server refuses every token that there is.
fn end_tokens(site: &mut Site) {
    let all: Vec<String> = site.tokens.keys().cloned().collect();
    site.revoked.extend(all);
}

/// What went to the MCP server's origin apart from its tools.
fn shown_to_server(world: &World) -> Vec<&Request> {
    world.requests.iter().filter(|it| it.url.origin().host == "mcp.example").collect()
}

/// Holds that nothing of the honest server's was shown to the MCP server's endpoints: none of these texts, and no assertion for
/// the honest server.
fn holds(world: &World, secrets: &[&str]) {
    for request in shown_to_server(world) {
        let body = request.body.as_ref().map(Secret::expose).unwrap_or_default();
        let headers: Vec<&str> = request.headers.iter().map(|(_, value)| value.expose()).collect();
        let all = format!("{}\n{body}\n{}", request.url, headers.join("\n"));
        for secret in secrets {
            assert!(!all.contains(secret), "{secret} went out in {all}");
            let basic = header(request, "authorization").unwrap_or_default();
            let pair = base64(format!("client:{secret}").as_bytes());
            assert!(!basic.contains(&pair), "{secret} went out in {all}");
        }
        if request.body.is_some() && request.url.target() == "/token" {
            let sent = form(request);
            for assertion in ["client_assertion", "assertion"] {
                let claims = sent.get(assertion).and_then(|text| jose::claims(text));
                assert!(claims.is_none_or(|claims| claims["aud"] != AS), "an assertion for {AS}: {all}");
            }
        }
    }
}

/// What the honest server gave: refresh tokens, registered ids and their secrets.
fn of_honest_server(world: &World) -> Vec<String> {
    let site = world.site.borrow();
    let server = &site.servers[0];
    assert_eq!(server.issuer, AS);
    let clients = server.clients.iter().flat_map(|(id, secret)| [Some(id.clone()), secret.clone()]);
    server.refreshes.keys().cloned().chain(clients.flatten()).collect()
}

/// A person's login at the honest server, as a client that has a registered secret.
fn logged_in() -> World {
    let mut site = Site::new();
    site.server().method = Some("client_secret_post".to_owned());
    site.change(AS_DOCUMENT, &json!({ "token_endpoint_auth_methods_supported": ["client_secret_post"] }));
    let mut world = World::new(site, interactive());
    world.call("tools/list").expect("a login at the honest server");
    world
}

#[test]
fn a_server_that_drops_its_metadata_gets_no_refresh_token_client_or_secret_of_another() {
    for endpoints in [
        json!({}),
        json!({ "authorization_endpoint": format!("{AS}/authorize") }),
        json!({ "issuer": format!("{AS}/") }),
        json!({ "issuer": null }),
    ] {
        let mut world = logged_in();
        let secrets = of_honest_server(&world);
        assert!(secrets.len() >= 3, "a refresh token, an id, a secret");
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
        {
            let mut site = world.site.borrow_mut();
            drop_metadata(&mut site, &endpoints);
            end_tokens(&mut site);
        }
        // What comes of it is the MCP server's own matter.
        let _ = world.call("tools/list");
        holds(&world, &secrets);
        for prompt in world.prompts.iter().skip(1) {
            assert_eq!(prompt.issuer, OWN, "the person is told who asks");
        }
        // A token that ends is renewed where it is from, whatever the MCP server publishes.
        world.pass(3595);
        let _ = world.call("tools/list");
        holds(&world, &secrets);
    }
}

#[test]
fn no_code_goes_to_the_token_endpoint_of_a_server_that_did_not_give_it() {
    // The browser goes to the honest server, and the code would go to the other.
    let mut site = Site::new();
    drop_metadata(&mut site, &json!({ "authorization_endpoint": format!("{AS}/authorize") }));
    let mut world = World::new(site, interactive());
    let failure = world.call("tools/list").expect_err("two servers in one document");
    assert_eq!((failure.step, failure.check), (LoginStep::ServerMetadata, "endpoints"), "{failure}");
    assert!(world.prompts.is_empty(), "no person is asked");
    holds(&world, &["code-", "code_verifier"]);
    // A redirect in the browser does the same; the honest server says who it is.
    let mut site = Site::new();
    drop_metadata(&mut site, &json!({}));
    site.servers[1].iss = crate::testing::site::Iss::Is(AS.to_owned());
    let mut world = World::new(site, interactive());
    let failure = world.call("tools/list").expect_err("an answer of another server");
    assert_eq!((failure.step, failure.check), (LoginStep::Authorization, "iss"), "{failure}");
    assert_eq!(failure.values, Some((OWN.to_owned(), AS.to_owned())));
    holds(&world, &["code-", "code_verifier"]);
}

#[test]
fn an_answer_of_the_server_itself_is_taken_however_its_origin_is_written() {
    for iss in [OWN, "https://mcp.example/"] {
        let mut site = Site::new();
        drop_metadata(
            &mut site,
            &json!({ "issuer": iss, "authorization_response_iss_parameter_supported": true }),
        );
        site.servers[1].iss = crate::testing::site::Iss::Is(iss.to_owned());
        let mut world = World::new(site, interactive());
        world.call("tools/list").expect("a login");
        assert_eq!(world.prompts[0].issuer, OWN);
    }
}

#[test]
fn a_login_of_one_mode_is_not_used_in_the_other_back_and_forth() {
    let mut world = logged_in();
    for _ in 0..3 {
        for drops in [true, false] {
            let before = world.requests.len();
            let known: Vec<Vec<String>> = world
                .site
                .borrow()
                .servers
                .iter()
                .map(|server| server.refreshes.keys().chain(server.clients.keys()).cloned().collect())
                .collect();
            {
                let mut site = world.site.borrow_mut();
                if drops {
                    drop_metadata(&mut site, &json!({}));
                } else {
                    restore_metadata(&mut site);
                }
                end_tokens(&mut site);
            }
            world.call("tools/list").expect("a login");
            for request in &world.requests[before..] {
                let body = request.body.as_ref().map(Secret::expose).unwrap_or_default();
                let at_honest = request.url.origin().host == "as.example";
                assert!(at_honest != drops || request.body.is_none(), "{} is asked", request.url);
                let others = known.get(usize::from(at_honest)).into_iter().flatten();
                for text in others {
                    assert!(!body.contains(text.as_str()), "{text} of another server went out in {body}");
                }
            }
        }
    }
    // Each has its own registration, which is used again.
    assert_eq!(world.registrations().len(), 2);
}

#[test]
fn a_login_under_way_goes_on_where_it_began() {
    let mut world = World::new(Site::new(), interactive());
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("the person takes their time");
    let url = world.prompts[0].url.expose().to_owned();
    drop_metadata(&mut world.site.borrow_mut(), &json!({}));
    let callback = world.site.borrow_mut().authorize(&url);
    world.auth.complete(&callback, world.now).expect("taken");
    world.pump();
    world.call("tools/list").expect("logged in");
    let asked: Vec<String> =
        world.requests.iter().filter(|it| it.body.is_some()).map(|it| it.url.to_string()).collect();
    assert_eq!(asked, [format!("{AS}/register"), format!("{AS}/token")]);
}

#[test]
fn logging_out_shows_no_token_to_a_server_that_did_not_give_it() {
    let mut world = logged_in();
    world.site.borrow_mut().change(AS_DOCUMENT, &json!({ "revocation_endpoint": format!("{AS}/revoke") }));
    let secrets = of_honest_server(&world);
    let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
    drop_metadata(&mut world.site.borrow_mut(), &json!({}));
    world.auth.forget(world.now);
    world.pump();
    assert_eq!(world.forgotten, [Ok(())]);
    holds(&world, &secrets);
    assert!(world.site.borrow_mut().server().refreshes.is_empty(), "revoked where it is from");
}

/// A document of the MCP server whose endpoints are all at the honest server, with or without metadata of the resource.
fn borrowed(published: bool) -> World {
    let mut site = Site::new();
    let mut document = Server::new(AS).document();
    document["issuer"] = OWN.into();
    drop_metadata(&mut site, &document);
    site.change(OWN_DOCUMENT, &json!({ "revocation_endpoint": null }));
    if published {
        site.documents.insert(PRM.to_owned(), json!({ "resource": MCP, "authorization_servers": [OWN] }));
    }
    let mut world = World::new(site, interactive());
    world.call("tools/list").expect("a login");
    world
}

#[test]
fn tokens_stay_at_the_origin_of_the_token_endpoint_that_gave_them() {
    for published in [false, true] {
        for ends in [false, true] {
            let mut world = borrowed(published);
            let secrets = of_honest_server(&world);
            let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
            assert_eq!(secrets.len(), 2, "a refresh token and an id");
            {
                let mut site = world.site.borrow_mut();
                let mut own = Server::new(OWN).document();
                own["revocation_endpoint"] = format!("{OWN}/revoke").into();
                site.change(OWN_DOCUMENT, &own);
                if ends {
                    end_tokens(&mut site);
                }
            }
            world.pass(if ends { 0 } else { 3550 });
            world.call("tools/list").expect("the token that there is, or a new login");
            holds(&world, &secrets);
            world.pass(3600);
            world.call("tools/list").expect("a new login");
            holds(&world, &secrets);
            assert_eq!(world.prompts.len(), 2, "published: {published}, ended: {ends}");
            world.auth.forget(world.now);
            world.pump();
            holds(&world, &secrets);
        }
    }
}

#[test]
fn a_token_is_revoked_at_the_origin_that_gave_it_only() {
    for published in [false, true] {
        let mut world = borrowed(published);
        world
            .site
            .borrow_mut()
            .change(OWN_DOCUMENT, &json!({ "revocation_endpoint": format!("{OWN}/revoke") }));
        let secrets = of_honest_server(&world);
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
        world.auth.forget(world.now);
        world.pump();
        holds(&world, &secrets);
        let told = world.forgotten.pop().expect("an end").expect_err("it was not revoked");
        assert_eq!(told.step, LoginStep::Revocation, "{told}");
        assert!(told.message.contains("not revoked"), "{told}");
    }
}

#[test]
fn what_earlier_versions_kept_of_a_server_without_metadata_is_not_used() {
    let (site, kept) = (Rc::new(RefCell::new(Site::new())), Kept::default());
    let mut world = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    world.call("tools/list").expect("a login");
    let text = kept.borrow().as_ref().map(|text| text.expose().to_owned()).expect("kept");
    let mut record: Value = serde_json::from_str(&text).expect("JSON");
    let login = record["logins"][0].as_object_mut().expect("a login");
    // As they wrote it: the name that the server's own document claimed, and nothing about the token endpoint.
    login.insert("guessed".to_owned(), true.into());
    login.remove("tokens_at");
    *kept.borrow_mut() = Some(Secret::new(record.to_string()));
    drop_metadata(&mut site.borrow_mut(), &json!({}));
    let mut later = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    let secrets = of_honest_server(&world);
    later.call("tools/list").expect("a new login");
    holds(&later, &secrets.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!((later.prompts.len(), later.registrations().len()), (1, 1));
}

#[test]
fn what_earlier_versions_kept_of_a_server_with_metadata_is_used() {
    let (site, kept) = (Rc::new(RefCell::new(Site::new())), Kept::default());
    let mut world = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    world.call("tools/list").expect("a login");
    let text = kept.borrow().as_ref().map(|text| text.expose().to_owned()).expect("kept");
    let mut record: Value = serde_json::from_str(&text).expect("JSON");
    record["logins"][0].as_object_mut().expect("a login").remove("tokens_at");
    *kept.borrow_mut() = Some(Secret::new(record.to_string()));
    let mut later = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    later.pass(3595);
    later.call("tools/list").expect("a refresh");
    assert!(later.prompts.is_empty());
    assert_eq!(later.tokens()[0]["grant_type"], "refresh_token");
}

/// A client that was registered beforehand: with a secret, or else with a key.
fn service(secret: Option<&str>) -> Identity {
    let key = || KeyOf::Us(Arc::new(SigningKey::from_pem(&ec_pem()).expect("a key")));
    Identity {
        client_id: Some("service".into()),
        client_secret: secret.map(Secret::new),
        key: secret.is_none().then(|| ClientKey { key: key(), id: None }),
        ..Identity::default()
    }
}

#[test]
fn configured_credentials_are_not_shown_without_metadata() {
    let text = |text: &str| Source::Text(Secret::new(text));
    for (grant, identity) in [
        (GrantKind::ClientCredentials, service(Some("s3cret"))),
        (GrantKind::ClientCredentials, service(None)),
        (interactive().grant, service(Some("s3cret"))),
        (interactive().grant, service(None)),
        (GrantKind::Workload { assertion: text("the-workload") }, Identity::default()),
    ] {
        let mut site = Site::new();
        drop_metadata(&mut site, &json!({}));
        let shown = format!("{grant:?}");
        let mut world = World::new(site, Settings { grant, identity, ..Settings::default() });
        let failure = world.call("tools/list").expect_err(&shown);
        assert_eq!((failure.step, failure.check), (LoginStep::Settings, "issuer"), "{failure}");
        assert!(failure.message.contains("'auth.issuer'"), "{failure}");
        holds(&world, &["s3cret", "service", "assertion", "the-workload"]);
        assert!(world.prompts.is_empty());
    }
}

#[test]
fn configured_credentials_are_shown_to_the_configured_issuer_only() {
    for secret in [Some("s3cret"), None] {
        // The configuration names the honest server, which is asked at its own origin.
        let mut site = Site::new();
        site.server().clients.insert("service".into(), secret.map(str::to_owned));
        drop_metadata(&mut site, &json!({}));
        let identity = Identity { issuer: Some(AS.into()), ..service(secret) };
        let mut world = World::new(
            site,
            Settings { grant: GrantKind::ClientCredentials, identity, ..Settings::default() },
        );
        world.call("tools/list").expect("a token of the honest server");
        holds(&world, &["s3cret", "service"]);
        // The configuration names the MCP server's origin: that is who gets them, and whom an assertion is for.
        for issuer in [OWN, "https://mcp.example/"] {
            let mut site = Site::new();
            drop_metadata(&mut site, &json!({}));
            site.servers[1].clients.insert("service".into(), secret.map(str::to_owned));
            site.servers[1].issuer = issuer.to_owned();
            let identity = Identity { issuer: Some(issuer.into()), ..service(secret) };
            let settings = Settings { grant: GrantKind::ClientCredentials, identity, ..Settings::default() };
            let mut world = World::new(site, settings);
            world.call("tools/list").expect("a token of the MCP server");
            assert_eq!(world.tokens().len(), 1);
        }
    }
}

#[test]
fn a_login_that_was_kept_for_another_issuer_than_the_configured_one_is_not_used() {
    let (site, kept) = (Rc::new(RefCell::new(Site::new())), Kept::default());
    site.borrow_mut().server().clients.insert("service".into(), None);
    let public = Identity { client_id: Some("service".into()), ..Identity::default() };
    let settings = Settings { identity: public.clone(), ..interactive() };
    let mut world = World::at(MCP, Rc::clone(&site), settings, Rc::clone(&kept));
    world.call("tools/list").expect("a login");
    // The same client id, now with a secret that is for another server.
    let identity = Identity {
        client_secret: Some(Secret::new("s3cret")),
        issuer: Some("https://other.example".into()),
        ..public
    };
    let settings = Settings { identity, ..interactive() };
    let mut later = World::at(MCP, Rc::clone(&site), settings, Rc::clone(&kept));
    later.pass(3550);
    later.call("tools/list").expect_err("the MCP server does not name the configured issuer");
    for request in &later.requests {
        let header = header(request, "authorization").unwrap_or_default();
        let body = request.body.as_ref().map(Secret::expose).unwrap_or_default();
        assert!(header.is_empty() && !body.contains("s3cret"), "{} got the secret", request.url);
    }
}

#[test]
fn configured_credentials_do_not_go_to_whichever_server_is_named() {
    let hostile = "https://collects.example";
    let text = |text: &str| Source::Text(Secret::new(text));
    for any_issuer in [false, true] {
        for (grant, identity) in [
            (GrantKind::ClientCredentials, service(Some("s3cret"))),
            (GrantKind::ClientCredentials, service(None)),
            (interactive().grant, service(Some("s3cret"))),
            (GrantKind::Workload { assertion: text("the-workload") }, Identity::default()),
        ] {
            let mut site = Site::new();
            site.change(PRM, &json!({ "authorization_servers": [hostile] }));
            let server = Server::new(hostile);
            site.documents
                .insert(format!("{hostile}/.well-known/oauth-authorization-server"), server.document());
            site.servers.push(server);
            let identity = Identity { any_issuer, ..identity };
            let mut world = World::new(site, Settings { grant, identity, ..Settings::default() });
            let told = world.call("tools/list");
            let asked = world.requests.iter().filter(|it| it.body.is_some()).count();
            if any_issuer {
                assert!(
                    (1..=3).contains(&asked),
                    "it is asked, as it was permitted, in each place for a secret"
                );
                continue;
            }
            let failure = told.expect_err("a refusal");
            assert_eq!((failure.step, failure.check), (LoginStep::Settings, "issuer"), "{failure}");
            assert_eq!((asked, world.prompts.len()), (0, 0));
        }
    }
}

const OTHER: &str = "https://other.example";

/// A login where the honest server's own document has these members, by a person who never answers.
fn login(members: &Value, identity: Identity) -> (World, Result<(), Failure>) {
    let mut site = Site::new();
    site.change(AS_DOCUMENT, members);
    let mut world = World::new(site, crate::auth::client::settings::Settings { identity, ..interactive() });
    world.person = Person::Ignores;
    let outcome = world.call("tools/list");
    (world, outcome)
}

#[test]
fn a_code_of_a_third_server_is_not_asked_for_unless_its_answer_says_whose_it_is() {
    for name in ["authorization_endpoint", "registration_endpoint"] {
        let mixed = json!({ name: format!("{OTHER}/authorize") });
        let (world, outcome) = login(&mixed, Identity::default());
        let failure = outcome.expect_err("it would be sent to another");
        assert_eq!((failure.step, failure.check), (LoginStep::ServerMetadata, "endpoints"), "{name}");
        assert_eq!(failure.values, Some((AS.to_owned(), OTHER.to_owned())));
        assert!(failure.message.contains(name) && failure.message.contains("'auth.issuer'"), "{failure}");
        assert!(!failure.message.contains("  "), "{failure}");
        assert!(world.prompts.is_empty() && world.registrations().is_empty());
        // The application vouches for it.
        let named =
            Identity { issuer: Some(AS.to_owned()), client_id: Some("own".into()), ..Identity::default() };
        let (world, _) = login(&mixed, named);
        assert_eq!(world.prompts.len(), 1, "{name}");
    }
    // Where each answer names its server, the code of another is noticed before it is sent (RFC 9207).
    let says = json!({
        "authorization_endpoint": format!("{OTHER}/authorize"),
        "authorization_response_iss_parameter_supported": true,
    });
    let (mut world, _) = login(&says, Identity::default());
    assert_eq!(world.prompts.len(), 1);
    let state = world.prompted("state").expect("a state");
    for iss in ["", "&iss=https%3A%2F%2Fother.example"] {
        let _ = world.auth.complete(&format!("?code=c&state={state}{iss}"), world.now);
        world.pump();
        assert!(world.tokens().is_empty(), "{iss}");
    }
}

#[test]
fn an_issuer_may_have_its_token_endpoint_elsewhere() {
    for members in [
        json!({ "token_endpoint": format!("{OTHER}/token") }),
        json!({
            "authorization_endpoint": format!("{OTHER}/authorize"),
            "token_endpoint": format!("{OTHER}/token"),
        }),
    ] {
        let (world, _) = login(&members, Identity::default());
        assert_eq!(world.prompts.len(), 1, "{members}: {:?}", world.failures);
    }
}
