//! A store that fails, or has invalid content (A03); logout.

use super::world::{Kept, Person, World, interactive};
use crate::auth::client::settings::{GrantKind, Identity, Settings, Source};
use crate::auth::{Access, Authorizer, Effect, Fault, LoginStep, Secret, StoreCommand};
use crate::protocol::address::Address;
use crate::testing::site::{AS_DOCUMENT, MCP, PRM, Server, Site, answer, error, form};
use serde_json::json;
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
    assert_eq!(tries(&kept), [0, 1, 0, 0, 1, 0, 0]);
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
        || crate::auth::client::settings::Settings { no_login: Some("run `login`".into()), ..interactive() };
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
fn a_client_without_a_secret_shows_an_empty_one_where_the_server_wants_to_see_it() {
    let said = json!({ "error": "invalid_request", "error_description": "client_secret: Field required" });
    let refused = || answer(400, &said);
    for (refusals, sent) in [(0, [None].as_slice()), (1, &[None, Some("")]), (2, &[None, Some("")])] {
        let mut world = World::new(site(), interactive());
        world.call("tools/list").expect("a login");
        world.site.borrow_mut().server().revoke_faults = (0..refusals).map(|_| refused()).collect();
        assert_eq!(forget(&mut world).is_ok(), refusals < 2, "{refusals}");
        let secrets: Vec<_> = revoked(&world).iter().map(|form| form.get("client_secret").cloned()).collect();
        assert_eq!(secrets.iter().map(Option::as_deref).collect::<Vec<_>>(), sent, "{refusals}");
    }
}

#[test]
fn a_token_that_the_server_does_not_know_any_more_needs_no_revocation() {
    for (refused, is_done) in [
        (error(200, "invalid_token"), true),
        (error(400, "invalid_token"), true),
        (error(400, "invalid_grant"), true),
        (error(200, "server_error"), false),
        (error(400, "unsupported_token_type"), false),
    ] {
        let mut world = World::new(site(), interactive());
        world.call("tools/list").expect("a login");
        world.site.borrow_mut().server().revoke_faults = vec![refused.clone()];
        assert_eq!(forget(&mut world).is_ok(), is_done, "{refused:?}");
        assert_eq!(revoked(&world).len(), 1, "{refused:?}");
    }
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
