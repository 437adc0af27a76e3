//! What waits for a login that is under way, and a login for which nothing waits any more.

use super::site::{MCP, PRM, Site};
use super::world::{Person, World, address, interactive};
use crate::auth::Access;

fn access(world: &mut World) -> Access {
    world.auth.access("POST", &address(MCP), world.now)
}

#[test]
fn a_login_under_way_holds_back_only_what_the_server_refused() {
    let mut world = World::new(Site::new(), interactive());
    world.holds = Some(PRM.to_owned());
    assert_eq!(world.call("tools/call closed").expect_err("no metadata").check, "pending");
    assert_eq!(access(&mut world), Access::Open, "another tool may want no token");
    assert_eq!(world.call("tools/call closed").expect_err("refused, too").check, "pending");
    assert_eq!(world.documents().len(), 1, "one login for both");
    world.release();
    world.call("tools/call closed").expect("with its token");
    // A login that is there is renewed before anything goes out.
    world.pass(3595);
    world.holds = Some("https://as.example".to_owned());
    assert_eq!(access(&mut world), Access::Wait);
}

#[test]
fn a_login_for_which_no_call_waits_ends_and_the_next_call_begins_another() {
    let mut world = World::new(Site::new(), interactive());
    world.holds = Some(PRM.to_owned());
    world.call("tools/call").expect_err("no metadata");
    assert!(world.auth.nobody_waits(world.now));
    world.pump();
    assert_eq!(world.failures.last().map(|failure| failure.check), Some("time"));
    assert!(!world.auth.nobody_waits(world.now), "it has ended");
    assert!(world.auth.deadline().is_none());
    assert_eq!(access(&mut world), Access::Open, "what ended so is not remembered");
    world.release();
    assert!(world.prompts.is_empty(), "the late answer changes nothing");
    world.call("tools/call").expect("another login");
    assert_eq!(world.prompts.len(), 1);
}

#[test]
fn what_is_good_once_is_awaited_although_no_call_waits() {
    let mut world = World::new(Site::new(), interactive());
    world.holds = Some("https://as.example/token".to_owned());
    world.call("tools/call").expect_err("no token yet");
    assert!(!world.auth.nobody_waits(world.now), "the code of the person is on its way");
    world.release();
    world.call("tools/call").expect("with the token");
    assert_eq!(world.prompts.len(), 1);
    let mut world = World::new(Site::new(), interactive());
    world.person = Person::Ignores;
    world.call("tools/call").expect_err("the person has not logged in");
    assert!(!world.auth.nobody_waits(world.now), "a person may take longer than a call");
}
