//! Scopes and step-up (conformance `auth/scope-*`, `auth/offline-access-*`).

use super::site::{AS_DOCUMENT, MCP, PRM, Site};
use super::world::{Person, World, interactive};
use crate::auth::settings::Settings;
use crate::auth::{LoginStep, Scopes};
use serde_json::json;
use std::rc::Rc;

fn world(change: impl FnOnce(&mut Site)) -> World {
    let mut site = Site::new();
    change(&mut site);
    World::new(site, interactive())
}

fn challenged(scope: &str) -> String {
    format!("Bearer scope=\"{scope}\", resource_metadata=\"{PRM}\"")
}

#[test]
fn the_challenge_says_which_scopes_are_asked_for() {
    let mut world = world(|site| {
        site.challenge = challenged("mcp:basic");
        site.change(PRM, &json!({ "scopes_supported": ["mcp:other"] }));
    });
    world.call("tools/list").expect("a login");
    assert_eq!(world.prompted("scope").as_deref(), Some("mcp:basic"));
}

#[test]
fn else_all_that_the_resource_lists_else_what_is_configured_in_its_place() {
    let change = |site: &mut Site| {
        site.change(PRM, &json!({ "scopes_supported": ["mcp:basic", "mcp:read", "mcp:write"] }));
    };
    let mut world = world(change);
    world.call("tools/list").expect("a login");
    assert_eq!(world.prompted("scope").as_deref(), Some("mcp:basic mcp:read mcp:write"));
    let mut site = Site::new();
    change(&mut site);
    let mut configured =
        World::new(site, Settings { scopes: Some(Scopes::parse("mcp:read")), ..interactive() });
    configured.call("tools/list").expect("a login");
    assert_eq!(configured.prompted("scope").as_deref(), Some("mcp:read"));
}

#[test]
fn what_is_configured_is_asked_for_besides_and_a_login_without_it_is_made_anew() {
    let mut first = world(|site| site.challenge = challenged("mcp:basic"));
    first.call("tools/list").expect("a login");
    assert_eq!(first.prompted("scope").as_deref(), Some("mcp:basic"));
    let with = |scopes: &str| Settings { scopes: Some(Scopes::parse(scopes)), ..interactive() };
    let of = |settings: Settings| World::at(MCP, Rc::clone(&first.site), settings, Rc::clone(&first.kept));
    let mut same = of(with("mcp:basic"));
    same.call("tools/list").expect("the login that is kept");
    assert_eq!(same.prompts.len(), 0);
    let mut more = of(with("mcp:write"));
    for _ in 0..2 {
        more.call("tools/list").expect("a login with more scopes, and then that one");
        assert_eq!(more.prompted("scope").as_deref(), Some("mcp:basic mcp:write"));
        assert_eq!(more.prompts.len(), 1);
    }
}

#[test]
fn a_step_up_asks_for_what_was_asked_and_what_is_missing() {
    let mut world = world(|site| {
        site.challenge = challenged("mcp:basic");
        site.change(PRM, &json!({ "scopes_supported": ["mcp:profile"] }));
        site.needs.insert("tools/list".into(), "mcp:basic".into());
        site.needs.insert("tools/call".into(), "mcp:write".into());
    });
    world.call("tools/list").expect("a login");
    assert_eq!(world.prompted("scope").as_deref(), Some("mcp:basic"));
    world.call("tools/call").expect("a step-up");
    assert_eq!(world.prompted("scope").as_deref(), Some("mcp:basic mcp:write"));
    assert_eq!((world.prompts.len(), world.registrations().len()), (2, 1));
    world.call("tools/list").expect("the new token does for both");
    assert_eq!(world.prompts.len(), 2);
}

#[test]
fn a_login_that_another_process_has_made_meanwhile_is_used() {
    let mut one = world(|site| {
        site.challenge = challenged("mcp:basic");
        site.needs.insert("tools/list".into(), "mcp:basic".into());
        site.needs.insert("tools/call".into(), "mcp:write".into());
    });
    one.call("tools/list").expect("a login");
    one.person = Person::Denies;
    for _ in 0..4 {
        one.call("tools/call").expect_err("its person does not want it");
    }
    let prompts = one.prompts.len();
    let more = Settings { scopes: Some(Scopes::parse("mcp:write")), ..interactive() };
    let mut other = World::at(MCP, Rc::clone(&one.site), more, Rc::clone(&one.kept));
    other.pass(5);
    other.call("tools/call").expect("a login with more scopes");
    one.pass(6);
    one.call("tools/call").expect("the other login");
    one.call("tools/list").expect("the other login");
    assert_eq!(one.prompts.len(), prompts, "no person is asked");
}

#[test]
fn a_server_that_is_never_content_ends_the_operation_and_no_other() {
    let mut world = world(|site| {
        site.challenge = challenged("mcp:basic");
        site.needs.insert("tools/list".into(), "mcp:basic".into());
        site.needs.insert("tools/call".into(), "mcp:never".into());
    });
    world.call("tools/list").expect("a login");
    world.site.borrow_mut().withholds = Some("mcp:never".into());
    let failure = world.call("tools/call").expect_err("for good");
    assert_eq!((failure.step, failure.check), (LoginStep::Access, "scope"));
    assert_eq!(failure.code.as_deref(), Some("insufficient_scope"));
    assert!(failure.message.contains("tools/call") && failure.message.contains("mcp:never"), "{failure}");
    assert!(world.prompts.len() <= 3, "{} authorizations", world.prompts.len());
    let before = world.prompts.len();
    world.call("tools/call").expect_err("without asking again");
    assert_eq!(world.prompts.len(), before);
    world.call("tools/list").expect("others go on");
}

#[test]
fn a_server_that_wants_something_new_each_time_is_bounded_too() {
    let mut world = world(|_| {});
    world.call("tools/list").expect("a login");
    world.site.borrow_mut().moving_scope = Some(0);
    let failure = world.call("tools/call").expect_err("for good");
    assert_eq!(failure.check, "scope");
    assert_eq!(world.prompts.len(), 3, "the login and two step-ups");
}

#[test]
fn a_refused_scope_leaves_the_token_to_the_other_operations() {
    let mut world = world(|site| {
        site.needs.insert("tools/call".into(), "mcp:write".into());
    });
    world.call("tools/list").expect("a login");
    world.person = super::world::Person::Denies;
    world.call("tools/call").expect_err("a refusal");
    world.call("tools/list").expect("the token is still there");
}

#[test]
fn offline_access_is_asked_for_only_where_the_server_has_it() {
    for (listed, asked) in [(true, Some("mcp:basic offline_access")), (false, Some("mcp:basic"))] {
        let mut world = world(|site| {
            site.challenge = challenged("mcp:basic");
            let scopes = if listed { json!(["mcp:basic", "offline_access"]) } else { json!(["mcp:basic"]) };
            site.change(AS_DOCUMENT, &json!({ "scopes_supported": scopes }));
        });
        world.call("tools/list").expect("a login");
        assert_eq!(world.prompted("scope").as_deref(), asked);
        assert_eq!(world.prompted("prompt").as_deref(), listed.then_some("consent"));
        assert_eq!(world.registrations()[0]["grant_types"][1], "refresh_token");
    }
}
