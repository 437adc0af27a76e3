//! Private networks: who may lead us there.

use super::site::{MCP, Site};
use super::world::{Kept, World, interactive};
use std::cell::RefCell;
use std::net::IpAddr;
use std::rc::Rc;

const INSIDE: [u8; 4] = [10, 0, 0, 7];

/// Whether addresses of private networks were refused, for each request of a login since the `from`-th.
fn refused(world: &World, from: usize) -> Vec<bool> {
    let others = world.requests.iter().skip(from).filter(|it| it.url.origin().host == "as.example");
    let mut found: Vec<bool> = others.map(|it| it.refuse_private).collect();
    found.dedup();
    found
}

#[test]
fn only_a_server_that_answers_from_inside_leads_inside() {
    let mut world = World::new(Site::new(), interactive());
    world.call("tools/list").expect("a login");
    assert_eq!(refused(&world, 0), [true]);
    let mut world = World::new(Site::new(), interactive());
    world.peer = Some(IpAddr::from(INSIDE));
    world.call("tools/list").expect("a login");
    assert_eq!(refused(&world, 0), [false]);
    let mut world = World::new(Site::new(), interactive());
    world.peer = None;
    world.call("tools/list").expect("a login");
    assert_eq!(refused(&world, 0), [true], "through a proxy this is unknown");
}

#[test]
fn a_name_that_led_inside_once_does_not_permit_it_for_ever() {
    let mut world = World::new(Site::new(), interactive());
    world.peer = Some(IpAddr::from(INSIDE));
    world.call("tools/list").expect("a login");
    let before = world.requests.len();
    world.peer = "198.51.101.7".parse().ok();
    let old: Vec<String> = world.site.borrow().tokens.keys().cloned().collect();
    world.site.borrow_mut().revoked.extend(old);
    world.call("tools/list").expect("another token");
    assert_eq!(refused(&world, before), [true]);
}

#[test]
fn a_login_that_was_made_inside_is_renewed_there_by_the_next_process() {
    let (site, kept) = (Rc::new(RefCell::new(Site::new())), Kept::default());
    let mut world = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    world.peer = Some(IpAddr::from(INSIDE));
    world.call("tools/list").expect("a login");
    let now = world.now;
    let mut next = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    next.now = now;
    next.pass(3600);
    // Nothing was refused yet.
    next.call("tools/list").expect("a renewal");
    assert_eq!(next.tokens().len(), 1);
    assert_eq!(refused(&next, 0), [false]);
}
