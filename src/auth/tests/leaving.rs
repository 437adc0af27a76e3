//! Forgetting a login, and revoking its tokens (RFC 7009).

use super::site::{AS_DOCUMENT, MCP, Site, form};
use super::world::{Kept, Person, World, interactive};
use crate::auth::settings::{Settings, Source, Way};
use crate::auth::{Fault, Secret, Step};
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
    let failure = forget(&mut world).expect_err("nobody heard it");
    assert_eq!(failure.step, Step::Revocation);
    assert!(failure.message.ends_with("were not revoked at the authorization server"), "{}", failure.message);
    assert!(world.kept.borrow().as_ref().is_some_and(|text| text.expose().contains("\"tokens\":null")));
    world.call("tools/list").expect("a login");
    assert_eq!(world.prompts.len(), 2);
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
    assert_eq!((failure.step, failure.check), (Step::Store, "forget"));
    assert!(failure.message.contains("still kept"));
}

#[test]
fn logging_out_ends_a_login_under_way() {
    let mut world = World::new(site(), interactive());
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("nobody answers");
    forget(&mut world).expect("nothing was kept");
    assert!(world.failures.last().is_some_and(|failure| failure.message.contains("logged out")));
    assert_eq!(world.withdrawn, 1);
}

#[test]
fn a_token_of_the_configuration_is_not_ours_to_forget() {
    let token = Source::Text(Secret::new("t"));
    let settings = Settings { way: Way::Bearer { token }, ..Settings::default() };
    let mut world = World::new(Site::new(), settings);
    let failure = forget(&mut world).expect_err("it stands there");
    assert_eq!(failure.step, Step::Settings);
    let given = Settings { way: Way::Bearer { token: Source::Application }, ..Settings::default() };
    forget(&mut World::new(Site::new(), given)).expect("the application's");
}
