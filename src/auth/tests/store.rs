//! What a store that fails, or has something strange, does to a login (A03).

use super::site::{AS_DOCUMENT, MCP, Site, error};
use super::world::{Kept, Person, World, interactive};
use crate::auth::settings::{GrantKind, Identity, Settings};
use crate::auth::{Access, Authorizer, Effect, LoginStep, Secret, StoreCommand};
use crate::protocol::address::Address;
use std::cell::RefCell;
use std::rc::Rc;

#[test]
fn a_store_that_cannot_be_read_is_told_and_tried_again() {
    let mut world = World::new(Site::new(), interactive());
    world.store_fails = true;
    let failure = world.call("tools/list").expect_err("no store");
    assert_eq!((failure.step, failure.check), (LoginStep::Store, "load"));
    assert!(failure.retryable() && failure.message.contains("no disk"));
    world.store_fails = false;
    world.call("tools/list").expect("a login");
}

#[test]
fn a_login_that_cannot_be_kept_works_and_that_is_told() {
    let mut world = World::new(Site::new(), interactive());
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("no answer comes");
    world.store_fails = true;
    let callback = world.site.borrow_mut().authorize(world.prompts[0].url.expose());
    world.auth.complete(&callback, world.now).expect("ours");
    world.pump();
    assert_eq!(world.warnings.len(), 1);
    assert_eq!((world.warnings[0].step, world.warnings[0].check), (LoginStep::Store, "save"));
    world.call("tools/list").expect("the token is there");
}

#[test]
fn the_lock_goes_with_what_is_saved_and_is_not_let_go_of_again() {
    // By then it may be the lock of the next login.
    let mut world = World::new(Site::new(), interactive());
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("no answer comes");
    world.store_hangs = true;
    let callback = world.site.borrow_mut().authorize(world.prompts[0].url.expose());
    world.auth.complete(&callback, world.now).expect("ours");
    world.pump();
    assert_eq!((world.saves, world.locked), (2, false), "the registration, and the login");
    world.pass(301);
    world.auth.tick(world.now);
    world.pump();
    let failure = world.failures.last().expect("the login has ended");
    assert_eq!((failure.step, failure.check), (LoginStep::Store, "time"));
}

#[test]
fn without_the_lock_nothing_is_refreshed() {
    let mut world = World::new(Site::new(), interactive());
    world.call("tools/list").expect("a login");
    world.store_fails = true;
    world.pass(3595);
    let failure = world.call("tools/list").expect_err("no lock");
    assert_eq!((failure.step, failure.check), (LoginStep::Store, "lock"));
    assert_eq!(world.tokens().len(), 1, "another process might use the same one");
    world.store_fails = false;
    world.call("tools/list").expect("a refresh");
    assert_eq!(world.prompts.len(), 1);
}

#[test]
fn what_cannot_be_read_is_told_and_replaced() {
    let (site, kept) = (Rc::new(RefCell::new(Site::new())), Kept::default());
    *kept.borrow_mut() = Some(Secret::new("{\"version\":99}"));
    let mut world = World::at(MCP, site, interactive(), Rc::clone(&kept));
    world.call("tools/list").expect("a login");
    assert!(world.warnings.iter().all(|warning| warning.check == "form") && !world.warnings.is_empty());
    assert!(kept.borrow().as_ref().is_some_and(|text| text.expose().contains("\"logins\":[{")));
}

#[test]
fn each_server_and_identity_has_a_name_of_its_own_that_shows_no_secret() {
    let key = |url: &str, settings: Settings| {
        Authorizer::new(settings, &Address::parse(url).expect("an address")).store_key()
    };
    let with = |id: &str| {
        let identity = Identity { client_id: Some(id.into()), ..Identity::default() };
        Settings { identity, ..interactive() }
    };
    let keys = [
        key(MCP, interactive()),
        key("https://mcp.example/mcp?key=s3cret", interactive()),
        key("https://mcp.example/other", interactive()),
        key(MCP, with("a")),
        key(MCP, with("b")),
        key(MCP, Settings { grant: GrantKind::ClientCredentials, ..with("a") }),
        key("http://[::1]:8080/mcp", interactive()),
    ];
    let distinct: std::collections::HashSet<&String> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len());
    for key in &keys {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        assert!(key.chars().all(plain) && !key.contains("s3cret"), "{key}");
    }
}

#[test]
fn a_store_that_is_not_read_in_time_fails_the_calls_and_is_asked_again() {
    let mut world = World::new(Site::new(), interactive());
    world.store_hangs = true;
    world.call("tools/list").expect_err("no answer comes");
    let deadline = world.auth.deadline().expect("reading has an end");
    assert!(deadline > world.now.at);
    world.pass(60);
    world.auth.tick(world.now);
    world.pump();
    let failure = world.failures.last().expect("what waits ends");
    assert_eq!((failure.step, failure.check), (LoginStep::Store, "load"));
    assert!(failure.to_string().contains("within 60 s"), "{failure}");
    assert!(world.auth.deadline().is_none());
    world.store_hangs = false;
    world.call("tools/list").expect("the store is there again");
}

#[test]
fn a_late_answer_to_a_load_is_not_taken_for_the_lock() {
    let mut world = World::new(Site::new(), interactive());
    world.call("tools/list").expect("a login");
    let kept = world.kept.borrow().clone();
    world.pass(3595);
    // The token is about to end: the store is locked for a refresh, which an older load does not answer.
    assert!(matches!(
        world.auth.access("POST", &Address::parse(MCP).expect("a URL"), world.now),
        Access::Wait
    ));
    loop {
        match world.auth.effect().expect("more to do") {
            Effect::Http(request) => {
                let answer = world.site.borrow_mut().answer(&request);
                world.auth.answered(request.id, Ok(answer), world.now);
            }
            Effect::Store(StoreCommand::Lock) => break,
            other => panic!("{other:?}"),
        }
    }
    assert!(!world.auth.stored(false, Ok(kept.clone()), world.now), "it was not waited for");
    assert!(world.auth.effect().is_none(), "nothing is refreshed without the lock");
    assert!(world.auth.stored(true, Ok(kept), world.now));
}

/// A keychain may ask a person to open it: the application's store has the time that the application has.
#[test]
fn an_application_that_keeps_logins_has_the_applications_time() {
    let begun = |world: &mut World| {
        let at = Address::parse(MCP).expect("a URL");
        assert!(matches!(world.auth.access("POST", &at, world.now), Access::Wait));
    };
    let settings = Settings { asks_for_store: true, ..interactive() };
    let (limit, patience) = (settings.limit, settings.patience);
    let left = |world: &World| world.auth.deadline().map(|at| at - world.now.at);
    // To be read.
    let mut world = World::new(Site::new(), settings.clone());
    begun(&mut world);
    assert!(matches!(world.auth.effect(), Some(Effect::Store(StoreCommand::Load))));
    assert_eq!(left(&world), Some(patience));
    world.pass(limit.as_secs() + 1);
    world.auth.tick(world.now);
    assert!(world.auth.stored(false, Ok(None), world.now), "it is still awaited");
    // To be locked, and to be written: a minute each, though that is more than the login's own time.
    let mut world = World::new(Site::new(), settings.clone());
    world.call("tools/list").expect("a login");
    world.pass(3595);
    begun(&mut world);
    let mut stores = 0;
    while let Some(effect) = world.auth.effect() {
        match effect {
            Effect::Http(request) => {
                let answer = world.site.borrow_mut().answer(&request);
                world.auth.answered(request.id, Ok(answer), world.now);
            }
            Effect::Store(command) => {
                let kept = world.kept.borrow().clone();
                if matches!(command, StoreCommand::Unlock) {
                    continue;
                }
                stores += 1;
                assert_eq!(left(&world), Some(patience), "{command:?}");
                world.pass(limit.as_secs() + 1);
                world.auth.tick(world.now);
                match command {
                    StoreCommand::Save(_) => world.auth.saved(Ok(()), world.now),
                    _ => assert!(world.auth.stored(true, Ok(kept), world.now)),
                }
                // The servers have their own time again.
                assert!(left(&world).is_none_or(|left| left <= limit));
            }
            _ => {}
        }
    }
    assert!(stores == 2 && world.failures.is_empty(), "{stores}: {:?}", world.failures);
    // And when its time is over, the error says how long that was.
    let mut world = World::new(Site::new(), settings);
    begun(&mut world);
    world.pass(patience.as_secs());
    world.auth.tick(world.now);
    world.store_hangs = true;
    world.pump();
    let failure = world.failures.last().expect("what waits ends");
    assert!(failure.to_string().contains("within 300 s"), "{failure}");
}

/// A command that logs in, and how often it registered a client.
fn command(site: &Rc<RefCell<Site>>, kept: &Kept, person: Person) -> usize {
    let mut world = World::at(MCP, Rc::clone(site), interactive(), Rc::clone(kept));
    world.person = person;
    // How it ends is the person's part.
    let _ended = world.call("tools/list");
    assert_eq!(world.prompts.len(), 1);
    world.registrations().len()
}

#[test]
fn a_registration_is_kept_before_the_person_is_asked_and_the_next_login_uses_it() {
    for unfinished in [Person::Ignores, Person::Denies] {
        let (site, kept) = (Rc::new(RefCell::new(Site::new())), Kept::default());
        assert_eq!(command(&site, &kept, unfinished), 1, "{unfinished:?}");
        assert_eq!(command(&site, &kept, unfinished), 0, "{unfinished:?}");
        assert_eq!(command(&site, &kept, Person::LogsIn), 0, "{unfinished:?}");
        let text = kept.borrow().as_ref().map(|kept| kept.expose().to_owned()).expect("kept");
        assert!(text.contains("\"clients\":[]"), "it is in the login: {text}");
    }
}

/// The browser says that the server does not know the client, which is not seen here.
#[test]
fn a_registration_that_leads_to_no_login_is_given_up() {
    let (site, kept) = (Rc::new(RefCell::new(Site::new())), Kept::default());
    let tries = |kept: &Kept| (0..7).map(|_| command(&site, kept, Person::Ignores)).collect::<Vec<_>>();
    assert_eq!(tries(&kept), [1, 0, 0, 1, 0, 0, 1]);
    // So is that of a login that is over, which the server may have dropped meanwhile.
    assert_eq!(command(&site, &kept, Person::LogsIn), 0);
    site.borrow_mut().refuses_all = true;
    site.borrow_mut().server().refreshes.clear();
    assert_eq!(tries(&kept), [0, 0, 0, 1, 0, 0, 1]);
    // Where no client can be registered it is the only one.
    site.borrow_mut().change(AS_DOCUMENT, &serde_json::json!({ "registration_endpoint": null }));
    assert_eq!(tries(&kept), [0; 7]);
}

#[test]
fn a_client_that_the_token_endpoint_does_not_know_is_dropped_and_the_next_login_registers_once() {
    for refusal in ["invalid_client", "unauthorized_client"] {
        let (site, kept) = (Rc::new(RefCell::new(Site::new())), Kept::default());
        site.borrow_mut().server().token_faults = vec![error(401, refusal)];
        assert_eq!(command(&site, &kept, Person::LogsIn), 1);
        assert_eq!(command(&site, &kept, Person::LogsIn), 1, "{refusal}: the first is dropped");
        assert_eq!(command(&site, &Kept::default(), Person::LogsIn), 1, "another person has another");
    }
}

#[test]
fn where_no_person_logs_in_no_client_is_registered() {
    let settings =
        || super::super::settings::Settings { no_login: Some("run `login`".into()), ..interactive() };
    let kept = Kept::default();
    let mut world = World::at(MCP, Rc::new(RefCell::new(Site::new())), settings(), Rc::clone(&kept));
    for _ in 0..2 {
        let failure = world.call("tools/list").expect_err("no login");
        assert_eq!((failure.step, failure.check), (LoginStep::Authorization, "person"));
        world.pass(31);
    }
    assert!(world.registrations().is_empty() && kept.borrow().is_none());
}

#[test]
fn a_registration_that_cannot_be_kept_is_used_and_that_is_told() {
    let mut world = World::new(Site::new(), interactive());
    world.holds = Some("https://as.example/register".to_owned());
    world.call("tools/list").expect_err("the client is not registered yet");
    world.store_fails = true;
    world.release();
    assert_eq!(world.prompts.len(), 1);
    assert_eq!((world.warnings[0].step, world.warnings[0].check), (LoginStep::Store, "register"));
}
