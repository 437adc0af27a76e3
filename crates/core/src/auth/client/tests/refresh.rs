//! Renewal: ahead of the end, once, with rotation, and what happens when it fails (A01, A03); scopes and step-up.

use super::world::{Kept, Person, World, address, interactive};
use crate::auth::client::settings::Settings;
use crate::auth::http::Fault;
use crate::auth::{Access, Challenges, Effect, LoginStep, Refusal, Scopes, StoreCommand, Verdict};
use crate::testing::site::{AS_DOCUMENT, MCP, PRM, Site, answer};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

fn logged_in(change: impl FnOnce(&mut Site)) -> World {
    let mut site = Site::new();
    change(&mut site);
    let mut world = World::new(site, interactive());
    world.call("tools/list").expect("a login");
    world
}

fn token(world: &World) -> String {
    world.taken.last().expect("a request")[0].1.expose().to_owned()
}

#[test]
fn a_token_is_renewed_ahead_of_its_end_while_requests_go_on() {
    let mut world = logged_in(|_| {});
    let first = token(&world);
    world.pass(3550);
    world.call("tools/list").expect("the old one is still good");
    assert_eq!(token(&world), first);
    world.call("tools/list").expect("the new one");
    assert_ne!(token(&world), first);
    assert_eq!(world.prompts.len(), 1);
    let refresh = &world.tokens()[1];
    assert_eq!((refresh["grant_type"].as_str(), refresh["resource"].as_str()), ("refresh_token", MCP));
}

#[test]
fn an_expired_token_is_never_sent() {
    let mut world = logged_in(|_| {});
    world.pass(3595);
    world.call("tools/list").expect("a refresh");
    assert_eq!((world.prompts.len(), world.tokens().len()), (1, 2));
    // Without a refresh token it is left out.
    let mut world = logged_in(|_| {});
    world.site.borrow_mut().server().refreshes.clear();
    world.pass(3595);
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("a person is needed");
    // What the server wants no token for goes on meanwhile, and what it refuses waits for the login.
    assert_eq!(world.auth.access("POST", &address(MCP), world.now), Access::Open);
    assert_eq!(world.warnings[0].code.as_deref(), Some("invalid_grant"));
}

#[test]
fn each_refresh_token_is_used_once_and_replaced() {
    let mut world = logged_in(|_| {});
    let mut used = Vec::new();
    for _ in 0..5 {
        world.pass(3595);
        world.call("tools/list").expect("a refresh");
        used.push(world.tokens().last().expect("one")["refresh_token"].clone());
    }
    let distinct: std::collections::HashSet<_> = used.iter().collect();
    assert_eq!((used.len(), distinct.len(), world.prompts.len()), (5, 5, 1));
    assert_eq!(world.saves, 7, "the registration, and every one before it is used");
}

#[test]
fn a_server_that_does_not_rotate_keeps_its_refresh_token() {
    let mut world = logged_in(|site| site.server().rotates = false);
    for _ in 0..3 {
        world.pass(3595);
        world.call("tools/list").expect("a refresh");
    }
    assert_eq!(world.prompts.len(), 1);
}

#[test]
fn a_hundred_refused_requests_lead_to_one_refresh() {
    let mut world = logged_in(|_| {});
    let generation = match world.auth.access("POST", &address(MCP), world.now) {
        Access::With { generation, .. } => generation,
        other => panic!("{other:?}"),
    };
    {
        let mut site = world.site.borrow_mut();
        let old: Vec<String> = site.tokens.keys().cloned().collect();
        site.revoked.extend(old);
    }
    let refuse = |world: &mut World| {
        let challenges = Challenges::parse([format!("Bearer resource_metadata=\"{PRM}\"").as_str()]);
        let operation = "tools/list";
        let refusal =
            Refusal { status: 401, challenges, nonce: None, peer: None, generation, operation, refusals: 1 };
        world.auth.refused(&refusal, world.now)
    };
    for _ in 0..50 {
        assert_eq!(refuse(&mut world), Verdict::Wait);
    }
    world.pump();
    for _ in 0..50 {
        assert_eq!(refuse(&mut world), Verdict::Again, "there is a newer one already");
    }
    let refreshes = world.tokens().iter().filter(|form| form["grant_type"] == "refresh_token").count();
    assert_eq!((refreshes, world.prompts.len()), (1, 1));
    world.call("tools/list").expect("it is good");
}

#[test]
fn a_refused_token_is_refreshed_then_asked_for_anew_and_then_told() {
    let mut world = logged_in(|_| {});
    world.site.borrow_mut().refuses_all = true;
    let failure = world.call("tools/list").expect_err("for good");
    assert_eq!((failure.step, failure.check), (LoginStep::Access, "token"));
    let grants: Vec<String> = world.tokens().iter().map(|form| form["grant_type"].clone()).collect();
    assert_eq!(grants, ["authorization_code", "refresh_token", "authorization_code"]);
    let again = world.call("tools/list").expect_err("at once");
    assert_eq!(again, failure);
    assert_eq!(world.prompts.len(), 2, "the person is not asked again for a while");
    world.site.borrow_mut().refuses_all = false;
    world.pass(31);
    world.call("tools/list").expect("the server has come to its senses");
}

#[test]
fn a_refresh_that_is_refused_leads_to_a_new_login() {
    let mut world = logged_in(|_| {});
    world.site.borrow_mut().server().refreshes.clear();
    {
        let mut site = world.site.borrow_mut();
        let old: Vec<String> = site.tokens.keys().cloned().collect();
        site.revoked.extend(old);
    }
    world.call("tools/list").expect("a new login");
    assert_eq!((world.prompts.len(), world.registrations().len()), (2, 1));
    assert_eq!(world.warnings.len(), 1, "and why is told");
}

#[test]
fn where_no_person_is_it_is_told_why_the_login_has_ended() {
    let mut world = logged_in(|_| {});
    world.site.borrow_mut().server().refreshes.clear();
    world.auth.settings.no_login = Some("run `login`".to_owned());
    world.pass(3600);
    let failure = world.call("tools/list").expect_err("a person is needed");
    assert_eq!(
        failure.message,
        "run `login`; the login that is kept has ended: https://as.example/token answered 400, 'invalid_grant': it is invalid_grant"
    );
    // A login since then has not ended.
    world.auth.settings.no_login = None;
    world.pass(31);
    world.call("tools/list").expect("a new login");
    assert_eq!(world.auth.ended, None);
}

#[test]
fn why_a_login_has_ended_is_not_told_of_the_next_one() {
    let (mut first, mut second) = two();
    first.auth.settings.no_login = Some("run `login`".to_owned());
    first.site.borrow_mut().server().refreshes.clear();
    first.pass(3600);
    second.pass(3600);
    let ended = first.call("tools/list").expect_err("a person is needed");
    assert!(ended.message.contains("the login that is kept has ended"), "{ended}");
    // A person logs in in another process.
    second.call("tools/list").expect("a new login");
    first.pass(31);
    first.call("tools/list").expect("the new login");
    first.site.borrow_mut().needs.insert("tools/call".to_owned(), "more".to_owned());
    let lacks = first.call("tools/call").expect_err("a person is needed");
    assert!(lacks.message.starts_with("run `login`; the login lacks the scopes"), "{lacks}");
    // The login is forgotten.
    let mut alone = logged_in(|_| {});
    alone.auth.settings.no_login = Some("run `login`".to_owned());
    alone.site.borrow_mut().server().refreshes.clear();
    alone.pass(3600);
    let ended = alone.call("tools/list").expect_err("a person is needed");
    assert!(ended.message.contains("the login that is kept has ended"), "{ended}");
    alone.auth.forget(alone.now);
    alone.pump();
    let none = alone.call("tools/list").expect_err("a person is needed");
    assert_eq!(none.message, "run `login`");
}

#[test]
fn a_server_that_forbids_what_came_without_a_token_may_want_one() {
    let bearer = format!("Bearer resource_metadata=\"{PRM}\"");
    let bearer = bearer.as_str();
    for (status, generation, challenge, wanted) in [
        (403, 0, bearer, Verdict::Wait),
        (403, 0, "DPoP algs=\"ES256\"", Verdict::Wait),
        (403, 0, "", Verdict::NotMine),
        (403, 0, "Basic realm=\"a\"", Verdict::NotMine),
        (403, 1, bearer, Verdict::NotMine),
        (400, 0, bearer, Verdict::NotMine),
    ] {
        let mut world = World::new(Site::new(), interactive());
        world.auth.access("POST", &address(MCP), world.now);
        world.pump();
        let challenges = Challenges::parse([challenge]);
        let refusal = Refusal {
            status,
            challenges,
            nonce: None,
            peer: None,
            generation,
            operation: "initialize",
            refusals: 1,
        };
        assert_eq!(world.auth.refused(&refusal, world.now), wanted, "{status} {generation} {challenge}");
        world.pump();
        assert_eq!(world.prompts.len(), usize::from(wanted == Verdict::Wait), "{status} {challenge}");
    }
}

#[test]
fn trouble_at_the_server_loses_nothing() {
    let mut world = logged_in(|_| {});
    let trouble = answer(503, &Value::Null);
    world.site.borrow_mut().server().token_faults = vec![trouble];
    world.pass(3595);
    let failure = world.call("tools/list").expect_err("later");
    assert!(failure.retryable() && failure.step == LoginStep::Refresh, "{failure}");
    world.call("tools/list").expect("it works again");
    assert_eq!(world.prompts.len(), 1);
    // While the token is good no call notices, and it is not tried again at once.
    world.faults.insert("https://as.example".into(), Fault::Unreachable("no route".into()));
    world.pass(3550);
    for _ in 0..20 {
        world.call("tools/list").expect("the old one is good");
    }
    assert_eq!(world.failures.len(), 2);
}

#[test]
fn a_person_is_asked_where_a_server_renews_without_a_token() {
    let mut world = logged_in(|_| {});
    world.site.borrow_mut().server().token_faults = vec![answer(200, &json!({ "token_type": "Bearer" }))];
    world.pass(3595);
    world.call("tools/list").expect("a new login");
    assert_eq!((world.prompts.len(), world.warnings.len()), (2, 1));
    assert_eq!(world.warnings[0].step, LoginStep::Refresh);
}

#[test]
fn a_person_is_asked_where_a_server_cannot_renew_and_no_token_does() {
    let broken =
        || answer(500, &json!({ "error": "server_error", "error_description": "Internal Server Error" }));
    let mut world = logged_in(|_| {});
    let pages = |world: &World| world.prompts.len();
    // While the token is good, and where the trouble is another one, no person is asked.
    world.site.borrow_mut().server().token_faults = vec![broken(), answer(503, &Value::Null)];
    world.pass(3550);
    world.call("tools/list").expect("the old one is good");
    world.pass(45);
    world.call("tools/list").expect_err("unavailable");
    assert_eq!(pages(&world), 1);
    // Over and over, which costs the refresh token nothing. Once is no reason to ask a person.
    world.site.borrow_mut().server().token_faults = vec![broken()];
    world.call("tools/list").expect("renewed at the second try");
    assert_eq!(pages(&world), 1);
    world.pass(3595);
    world.site.borrow_mut().server().token_faults = vec![broken(), broken()];
    world.call("tools/list").expect("a new login");
    assert_eq!((pages(&world), world.registrations().len()), (2, 1));
    assert!(world.warnings.last().is_some_and(|it| it.step == LoginStep::Refresh), "{:?}", world.warnings);
    world.site.borrow_mut().server().token_faults = vec![broken(), broken()];
    world.pass(3595);
    world.person = Person::Denies;
    world.call("tools/list").expect_err("the person does not want to");
    world.pass(31);
    world.call("tools/list").expect("renewed after all");
    assert_eq!(pages(&world), 3);
    // Where no person is, it is told how to get one.
    let kept = Rc::clone(&world.kept);
    let site = Rc::clone(&world.site);
    site.borrow_mut().server().token_faults = vec![broken()];
    let settings = Settings { no_login: Some("run `login`".to_owned()), ..interactive() };
    let mut alone = World::at(MCP, site, settings, kept);
    alone.now = world.now;
    alone.pass(3595);
    let failure = alone.call("tools/list").expect_err("no person");
    assert!(
        failure.message.contains("answered 500") && failure.message.ends_with("run `login`"),
        "{failure}"
    );
}

/// A client that is closed while it renews: what the server has been sent is awaited, and else the next client renews.
#[test]
fn a_refresh_under_way_is_awaited_when_the_client_is_closed_and_else_given_up() {
    let refreshes =
        |world: &World| world.tokens().iter().filter(|form| form["grant_type"] == "refresh_token").count();
    for (held, awaits) in [(AS_DOCUMENT, false), ("https://as.example/token", true)] {
        let (mut first, mut second) = two();
        assert!(!first.auth.closes(), "no login is under way");
        first.pass(3550);
        second.pass(3550);
        first.holds = Some(held.to_owned());
        first.call("tools/list").expect("the token is good");
        assert_eq!((first.auth.closes(), first.auth.closes()), (awaits, awaits), "{held}");
        first.release();
        assert_eq!((refreshes(&first), first.locked), (usize::from(awaits), false), "{held}");
        second.pass(45);
        second.call("tools/list").expect("a token");
        assert_eq!(refreshes(&second), usize::from(!awaits), "{held}");
        assert_eq!(first.prompts.len() + second.prompts.len(), 1, "{held}");
    }
}

/// A client that is closed: what waits for the lock to refresh ends, whatever it is for, and no person is asked any more.
#[test]
fn no_login_for_a_person_begins_when_the_client_is_closed() {
    for (is_refused, waits) in [(false, true), (true, true), (false, false), (true, false)] {
        let what = format!("refused: {is_refused}, waits for the lock: {waits}");
        let (mut first, _second) = two();
        if is_refused {
            let mut site = first.site.borrow_mut();
            let old: Vec<String> = site.tokens.keys().cloned().collect();
            site.revoked.extend(old);
        } else {
            first.pass(3595);
        }
        first.lock_hangs = waits;
        first.holds = (!waits).then(|| "https://as.example/token".to_owned());
        first.site.borrow_mut().server().refreshes.clear();
        first.call("tools/list").expect_err("it is under way");
        assert_eq!(first.auth.closes(), !waits, "{what}");
        first.release();
        assert_eq!((first.prompts.len(), first.auth.closes(), first.locked), (1, false, false), "{what}");
        assert_eq!(first.failures.is_empty(), waits || !is_refused, "{what}: {:?}", first.failures);
    }
}

#[test]
fn a_login_that_is_worth_nothing_is_not_taken_from_the_store_again() {
    let (mut first, _) = two();
    first.site.borrow_mut().server().refreshes.clear();
    first.person = Person::Denies;
    first.pass(3595);
    // A server whose answers take longer than the time between two looks into the store.
    first.slow = 2;
    first.call("tools/list").expect_err("the person does not want to");
    let refreshes = first.tokens().iter().filter(|form| form["grant_type"] == "refresh_token").count();
    assert_eq!((refreshes, first.prompts.len()), (1, 2));
}

#[test]
fn no_person_is_asked_twice_for_a_token_that_the_server_refuses() {
    let mut site = Site::new();
    site.refuses_all = true;
    let mut world = World::new(site, interactive());
    let failure = world.call("tools/list").expect_err("refused");
    assert_eq!((failure.step, failure.check), (LoginStep::Access, "token"));
    assert!(failure.message.contains("do not agree"), "{failure}");
    assert_eq!((world.prompts.len(), world.tokens().len()), (1, 1));
}

#[test]
fn an_answer_that_comes_too_late_changes_nothing() {
    let mut world = logged_in(|_| {});
    world.pass(3595);
    assert!(matches!(world.auth.access("POST", &address(MCP), world.now), Access::Wait));
    let Some(Effect::Http(request)) = world.auth.effect() else { panic!("a request") };
    world.pass(61);
    world.auth.tick(world.now);
    world.pump();
    assert_eq!(world.failures.last().map(|failure| failure.check), Some("time"));
    let late = world.site.borrow_mut().answer(&request);
    world.auth.answered(request.id, Ok(late), world.now);
    assert!(world.auth.effect().is_none());
}

/// Two processes with one store.
fn two() -> (World, World) {
    let (site, kept) = (Rc::new(RefCell::new(Site::new())), Kept::default());
    let mut first = World::at(MCP, Rc::clone(&site), interactive(), Rc::clone(&kept));
    first.call("tools/list").expect("a login");
    let second = World::at(MCP, site, interactive(), kept);
    (first, second)
}

#[test]
fn a_login_is_there_for_the_next_process() {
    let (first, mut second) = two();
    second.call("tools/list").expect("without a login");
    assert!(second.requests.is_empty() && second.prompts.is_empty());
    assert_eq!(token(&first), token(&second));
    assert_eq!(first.auth.store_key(), second.auth.store_key());
}

#[test]
fn two_processes_never_use_the_same_refresh_token() {
    let (mut first, mut second) = two();
    second.call("tools/list").expect("without a login");
    for _ in 0..3 {
        first.pass(3595);
        second.pass(3595);
        first.call("tools/list").expect("a refresh");
        second.call("tools/list").expect("what the first one left");
        assert_eq!(token(&first), token(&second));
    }
    let refreshes =
        |world: &World| world.tokens().iter().filter(|form| form["grant_type"] == "refresh_token").count();
    assert_eq!((refreshes(&first), refreshes(&second)), (3, 0));
    assert_eq!((first.prompts.len(), second.prompts.len()), (1, 0));
}

#[test]
fn a_refresh_token_that_somebody_else_replaced_is_not_used_even_if_their_token_has_ended() {
    let (mut first, mut second) = two();
    second.call("tools/list").expect("without a login");
    first.pass(3595);
    first.call("tools/list").expect("a refresh");
    second.pass(10_000);
    second.call("tools/list").expect("a refresh with the newer one");
    assert_eq!(second.prompts.len(), 0);
}

#[test]
fn a_process_that_ends_between_refresh_and_save_leaves_the_old_login() {
    let (mut first, mut second) = two();
    first.site.borrow_mut().server().rotates = false;
    first.pass(3595);
    assert!(matches!(first.auth.access("POST", &address(MCP), first.now), Access::Wait));
    // It gets as far as the save, which never happens.
    loop {
        match first.auth.effect().expect("more to do") {
            Effect::Http(request) => {
                let answer = first.site.borrow_mut().answer(&request);
                first.auth.answered(request.id, Ok(answer), first.now);
            }
            Effect::Store(StoreCommand::Lock) => {
                let kept = first.kept.borrow().clone();
                assert!(first.auth.stored(true, Ok(kept), first.now));
            }
            Effect::Store(StoreCommand::Save(_)) => break,
            other => panic!("{other:?}"),
        }
    }
    assert!(
        matches!(first.auth.access("POST", &address(MCP), first.now), Access::Wait),
        "not before it is kept"
    );
    second.pass(3595);
    second.call("tools/list").expect("a refresh with the old one");
    assert_eq!(second.prompts.len(), 0);
}

#[test]
fn the_end_of_a_token_without_a_word_about_it_is_found_by_the_refusal() {
    let mut world = logged_in(|site| site.server().expires_in = None);
    world.pass(1_000_000);
    world.call("tools/list").expect("its end is not known");
    {
        let mut site = world.site.borrow_mut();
        site.change(PRM, &json!({}));
        let old: Vec<String> = site.tokens.keys().cloned().collect();
        site.revoked.extend(old);
    }
    world.call("tools/list").expect("a refresh");
    assert_eq!(world.prompts.len(), 1);
}

#[test]
fn a_fresh_token_is_used_once_whatever_is_said_of_its_life() {
    for (life, tokens) in [(0, 1), (1, 2)] {
        let mut world = logged_in(|site| site.server().expires_in = Some(life));
        world.pass(5);
        world.call("tools/list").expect("an answer");
        assert_eq!((world.tokens().len(), world.prompts.len()), (tokens, 1), "0 says nothing of it: {life}");
    }
}

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
fn a_server_that_does_not_say_which_scope_is_missing_is_asked_for_what_it_lists() {
    for (listed, configured, asked) in [
        (Some("mcp:basic mcp:write"), None, Ok("mcp:basic mcp:write")),
        (Some("mcp:basic mcp:write"), Some("mcp:own"), Ok("mcp:basic mcp:own mcp:write")),
        (Some("mcp:basic"), None, Err("'mcp:basic'")),
        (None, None, Err("'mcp:basic'")),
    ] {
        let scopes = configured.map(Scopes::parse);
        let mut site = Site::new();
        site.challenge = challenged("mcp:basic");
        site.needs.insert("tools/call".into(), "mcp:write".into());
        site.hides_scopes = true;
        if let Some(listed) = listed {
            site.change(PRM, &json!({ "scopes_supported": listed.split(' ').collect::<Vec<_>>() }));
        }
        let mut world = World::new(site, Settings { scopes, ..interactive() });
        world.call("tools/list").expect("a login");
        let result = world.call("tools/call").map_err(|failure| failure.to_string());
        match asked {
            Ok(asked) => {
                let mut words: Vec<String> =
                    world.prompted("scope").unwrap_or_default().split(' ').map(str::to_owned).collect();
                words.sort();
                assert_eq!((result, words.join(" ").as_str()), (Ok(()), asked), "{listed:?}");
            }
            Err(told) => {
                let why = result.expect_err("nothing else can be asked for");
                assert!(why.contains(told) && why.contains("does not say which"), "{why}");
                assert_eq!(world.prompts.len(), 1, "{listed:?}");
            }
        }
    }
}

#[test]
fn where_no_person_is_it_is_told_which_scopes_the_login_lacks() {
    let mut one = world(|site| {
        site.needs.insert("tools/call".into(), "mcp:write".into());
    });
    one.call("tools/list").expect("a login");
    let settings = Settings { no_login: Some("run `login`".to_owned()), ..interactive() };
    let mut alone = World::at(MCP, Rc::clone(&one.site), settings, Rc::clone(&one.kept));
    let failure = alone.call("tools/call").expect_err("no person");
    assert_eq!(failure.message, "run `login`; the login lacks the scopes 'mcp:write'");
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
    assert_eq!(world.prompts.len(), 2, "the login, and once for what is missing");
    world.call("tools/call").expect_err("without asking again");
    assert_eq!(world.prompts.len(), 2);
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
