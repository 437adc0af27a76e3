//! Tokens bound to a key (conformance `auth/dpop`, `auth/dpop-nonce`).

use super::site::{AS_DOCUMENT, PRM, Site, header};
use super::world::{Kept, World, interactive};
use crate::auth::jose;
use crate::auth::settings::{Dpop, Settings};
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;

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
    let mut fault = super::site::answer(400, &json!({ "error": "use_dpop_nonce" }));
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
    let mut first = World::at(super::site::MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    first.call("tools/list").expect("taken");
    let mut second = World::at(super::site::MCP, site, interactive(), kept);
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
