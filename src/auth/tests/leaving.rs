//! Forgetting a login, and revoking its tokens (RFC 7009).

use super::site::{AS_DOCUMENT, MCP, PRM, Server, Site, form};
use super::world::{Kept, Person, World, interactive};
use crate::auth::settings::{GrantKind, Identity, Settings, Source};
use crate::auth::{Effect, Fault, LoginStep, Secret};
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;

const REVOKE: &str = "https://as.example/revoke";

fn site() -> Site {
    let mut site = Site::new();
    site.documents.get_mut(AS_DOCUMENT).expect("a document")["revocation_endpoint"] = json!(REVOKE);
    site
}

/// The forms that went to the revocation endpoint.
fn revoked(world: &World) -> Vec<std::collections::HashMap<String, String>> {
    world.requests.iter().filter(|it| it.url.to_string() == REVOKE).map(form).collect()
}

fn forget(world: &mut World) -> Result<(), crate::auth::Failure> {
    world.auth.forget(world.now);
    world.pump();
    world.forgotten.pop().expect("an end")
}

#[test]
fn a_login_is_forgotten_here_and_revoked_there() {
    let (site, kept) = (Rc::new(RefCell::new(site())), Kept::default());
    let mut world = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    world.call("tools/list").expect("a login");
    let refresh = site.borrow_mut().server().refreshes.keys().next().cloned().expect("a refresh token");
    forget(&mut world).expect("forgotten");
    let sent = revoked(&world);
    assert_eq!(sent.len(), 1);
    assert_eq!((&sent[0]["token"], sent[0]["token_type_hint"].as_str()), (&refresh, "refresh_token"));
    assert!(site.borrow_mut().server().refreshes.is_empty(), "revoked");
    let left = kept.borrow().as_ref().map(|text| text.expose().to_owned()).expect("the client is kept");
    assert!(!left.contains(&refresh) && left.contains("\"tokens\":null"));
    // The next request logs in, with the same client.
    world.call("tools/list").expect("a login");
    assert_eq!((world.prompts.len(), world.registrations().len()), (2, 1));
    // A process that shares the store can forget what another has.
    let mut other = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    forget(&mut other).expect("forgotten");
    assert_eq!(revoked(&other).len(), 1);
    forget(&mut other).expect("nothing is left to forget");
    assert_eq!(revoked(&other).len(), 1);
}

#[test]
fn what_the_server_does_not_hear_is_forgotten_here_and_told() {
    let mut world = World::new(site(), interactive());
    world.call("tools/list").expect("a login");
    world.faults.insert(REVOKE.to_owned(), Fault::TimedOut);
    let failure = forget(&mut world).expect_err("the server was not reached");
    assert_eq!(failure.step, LoginStep::Revocation);
    assert!(failure.message.ends_with("were not revoked at the authorization server"), "{}", failure.message);
    assert!(world.kept.borrow().as_ref().is_some_and(|text| text.expose().contains("\"tokens\":null")));
    world.call("tools/list").expect("a login");
    assert_eq!(world.prompts.len(), 2);
}

#[test]
fn a_login_whose_server_may_not_see_the_configured_secret_is_forgotten_here_and_told() {
    let (site, kept) = (Rc::new(RefCell::new(site())), Kept::default());
    site.borrow_mut().server().clients.insert("service".into(), None);
    let public = Identity { client_id: Some("service".into()), ..Identity::default() };
    let settings = Settings { identity: public.clone(), ..interactive() };
    World::at(MCP, Rc::clone(&site), settings, Rc::clone(&kept)).call("tools/list").expect("a login");
    // The same client id, now with a secret that is for another server.
    let issuer = Some("https://other.example".into());
    let identity = Identity { client_secret: Some(Secret::new("s3cret")), issuer, ..public };
    let mut later = World::at(MCP, site, Settings { identity, ..interactive() }, kept);
    let failure = forget(&mut later).expect_err("it was not revoked");
    assert!(failure.message.contains("the login is forgotten here"), "{}", failure.message);
    assert!(revoked(&later).is_empty(), "the secret is not for that server");
    assert_eq!(later.auth.login_name().as_deref(), Some("1"), "no login is left");
}

#[test]
fn a_server_that_cannot_revoke_needs_no_word() {
    let mut world = World::new(Site::new(), interactive());
    world.call("tools/list").expect("a login");
    forget(&mut world).expect("forgotten");
    world.call("tools/list").expect("a login");
    assert_eq!(world.prompts.len(), 2);
}

#[test]
fn a_store_that_keeps_the_login_is_told() {
    let mut world = World::new(site(), interactive());
    world.call("tools/list").expect("a login");
    world.store_fails = true;
    let failure = forget(&mut world).expect_err("it is still kept");
    assert_eq!((failure.step, failure.check), (LoginStep::Store, "forget"));
    assert!(failure.message.contains("still kept"));
}

#[test]
fn logging_out_ends_a_login_under_way() {
    let mut world = World::new(site(), interactive());
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("no answer comes");
    forget(&mut world).expect("nothing was kept");
    assert!(world.failures.last().is_some_and(|failure| failure.message.contains("logged out")));
    assert_eq!(world.withdrawn, 1);
}

#[test]
fn a_token_of_the_configuration_is_not_ours_to_forget() {
    let token = Source::Text(Secret::new("t"));
    let settings = Settings { grant: GrantKind::Bearer { token }, ..Settings::default() };
    let mut world = World::new(Site::new(), settings);
    let failure = forget(&mut world).expect_err("it stands there");
    assert_eq!(failure.step, LoginStep::Settings);
    let given = Settings { grant: GrantKind::Bearer { token: Source::Application }, ..Settings::default() };
    forget(&mut World::new(Site::new(), given)).expect("the application's");
}

/// The tokens that were revoked, sorted.
fn tokens_revoked(world: &World) -> Vec<String> {
    let to = |it: &&crate::auth::Request| it.url.target() == "/revoke";
    let mut tokens: Vec<String> =
        world.requests.iter().filter(to).map(|it| form(it)["token"].clone()).collect();
    tokens.sort();
    tokens
}

fn refreshes(site: &Rc<RefCell<Site>>) -> Vec<String> {
    let mut all: Vec<String> =
        site.borrow().servers.iter().flat_map(|server| server.refreshes.keys().cloned()).collect();
    all.sort();
    all
}

#[test]
fn a_login_whose_place_another_took_is_revoked_with_it() {
    let (site, kept) = (Rc::new(RefCell::new(site())), Kept::default());
    site.borrow_mut().needs.insert("tools/call".to_owned(), "more".to_owned());
    let mut world = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    world.call("tools/list").expect("a login");
    world.call("tools/call").expect("another, for more scopes");
    let all = refreshes(&site);
    assert_eq!(all.len(), 2, "the first goes on at the server");
    // A process that knows only what is kept knows both.
    let mut other = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    forget(&mut other).expect("forgotten");
    assert_eq!(tokens_revoked(&other), all);
    assert!(refreshes(&site).is_empty());
    let left = kept.borrow().as_ref().map(|text| text.expose().to_owned()).expect("the client is kept");
    assert!(!left.contains("refresh-") && !left.contains("token-"), "{left}");
}

#[test]
fn a_refresh_token_that_was_replaced_is_not_revoked_once_more() {
    let mut world = World::new(site(), interactive());
    world.call("tools/list").expect("a login");
    world.pass(3595);
    world.call("tools/list").expect("a refresh");
    assert_eq!(world.tokens().len(), 2);
    let all = refreshes(&world.site);
    forget(&mut world).expect("forgotten");
    assert_eq!(tokens_revoked(&world), all);
}

#[test]
fn what_only_this_process_has_is_revoked_with_what_is_kept() {
    let (site, kept) = (Rc::new(RefCell::new(site())), Kept::default());
    let mut world = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    world.call("tools/list").expect("a login");
    // Another store was put in the place of ours, or ours could not be written.
    let mut other = World::at(MCP, Rc::clone(&site), interactive(), Kept::default());
    other.call("tools/list").expect("a login");
    *kept.borrow_mut() = other.kept.borrow().clone();
    let all = refreshes(&site);
    assert_eq!(all.len(), 2);
    forget(&mut world).expect("forgotten");
    assert_eq!(tokens_revoked(&world), all);
}

/// A site whose MCP server has moved to another authorization server, and a client that has a login at both.
fn moved() -> World {
    let second = "https://as2.example";
    let mut world = World::new(site(), interactive());
    world.call("tools/list").expect("a login");
    {
        let mut site = world.site.borrow_mut();
        site.change(PRM, &json!({ "authorization_servers": [second] }));
        let server = Server::new(second);
        let mut document = server.document();
        document["revocation_endpoint"] = json!(format!("{second}/revoke"));
        site.documents.insert(format!("{second}/.well-known/oauth-authorization-server"), document);
        site.servers.push(server);
        let old: Vec<String> = site.tokens.keys().cloned().collect();
        site.revoked.extend(old);
    }
    world.call("tools/list").expect("a login at the new one");
    world
}

#[test]
fn logins_at_every_authorization_server_are_revoked_each_at_its_own() {
    let mut world = moved();
    let all = refreshes(&world.site);
    assert_eq!(all.len(), 2);
    forget(&mut world).expect("forgotten");
    assert_eq!(tokens_revoked(&world), all);
    assert!(refreshes(&world.site).is_empty(), "each was known where it was revoked");
}

#[test]
fn one_server_that_cannot_be_reached_keeps_no_other_login_from_being_revoked() {
    let mut world = moved();
    world.faults.insert("https://as2.example/".to_owned(), Fault::TimedOut);
    let failure = forget(&mut world).expect_err("one of them heard nothing");
    assert!(failure.message.contains("as2.example") && failure.message.contains("not revoked"), "{failure}");
    assert!(world.site.borrow_mut().server().refreshes.is_empty(), "the other one did");
    assert_eq!(world.forgotten.len(), 0, "told once");
}

#[test]
fn tokens_that_are_on_their_way_are_waited_for_and_revoked() {
    for begun_by_refresh in [false, true] {
        let mut world = World::new(site(), interactive());
        if begun_by_refresh {
            world.call("tools/list").expect("a login");
            world.pass(3595);
        }
        world.holds = Some("https://as.example/token".to_owned());
        world.call("tools/list").expect_err("the answer is on its way");
        world.auth.forget(world.now);
        world.pump();
        assert!(world.forgotten.is_empty() && revoked(&world).is_empty());
        world.release();
        assert_eq!(world.forgotten.len(), 1);
        assert!(world.forgotten[0].is_ok());
        assert_eq!(tokens_revoked(&world).len(), 1);
        assert!(refreshes(&world.site).is_empty(), "the new one is revoked, which no other process has");
        let kept = world.kept.borrow().as_ref().map(|text| text.expose().to_owned()).expect("the client");
        assert!(kept.contains("\"tokens\":null"));
    }
}

#[test]
fn tokens_that_never_come_hold_nobody_up() {
    let mut world = World::new(site(), interactive());
    world.holds = Some("https://as.example/token".to_owned());
    world.call("tools/list").expect_err("the answer is on its way");
    world.auth.forget(world.now);
    world.pass(61);
    world.auth.tick(world.now);
    world.pump();
    assert_eq!(world.forgotten.len(), 1);
}

#[test]
fn a_logout_that_waits_for_tokens_ends_within_its_own_limit_after_theirs() {
    let mut world = World::new(site(), interactive());
    world.holds = Some("https://as.example/token".to_owned());
    world.call("tools/list").expect_err("the answer is on its way");
    let begun = world.now.at;
    let limit = Settings::default().limit;
    world.auth.forget(world.now);
    assert_eq!(world.auth.deadline(), Some(begun + limit), "the tokens' own");
    world.pass(limit.as_secs());
    world.auth.tick(world.now);
    assert_eq!(world.auth.deadline(), Some(begun + 2 * limit), "the logout's");
    // The store, which is asked now, does not answer.
    world.pass(limit.as_secs());
    world.auth.tick(world.now);
    assert_eq!(world.auth.deadline(), None);
    let told = std::iter::from_fn(|| world.auth.effect()).find_map(|effect| match effect {
        Effect::Forgotten(result) => Some(result),
        _ => None,
    });
    let failure = told.expect("an end").expect_err("the store has not answered");
    assert_eq!((failure.step, failure.check), (LoginStep::Store, "time"));
}

#[test]
fn whoever_logs_out_twice_at_once_revokes_once() {
    let mut world = World::new(site(), interactive());
    world.call("tools/list").expect("a login");
    world.holds = Some(REVOKE.to_owned());
    world.auth.forget(world.now);
    world.pump();
    world.auth.forget(world.now);
    world.pump();
    assert!(world.forgotten.is_empty(), "the first goes on");
    world.release();
    assert_eq!(world.forgotten, [Ok(())]);
    assert_eq!(revoked(&world).len(), 1);
}
