//! The client id, the user's part and what comes back (conformance `auth/basic-cimd`, `auth/pre-registration`,
//! `auth/token-endpoint-auth-*`, `auth/iss-*`); the code for another device (RFC 8628).

use super::world::{Kept, Person, World, interactive};
use crate::auth::client::settings::{Flow, GrantKind, Identity, Redirect, Settings};
use crate::auth::http::{Answer, Fault};
use crate::auth::{Cause, LoginStep, Secret};
use crate::testing::site::{AS, AS_DOCUMENT, Iss, MCP, Site, answer, error, header};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

const CIMD: &str = "https://conformance-test.local/client-metadata.json";

fn world(identity: Identity, change: impl FnOnce(&mut Site)) -> World {
    let mut site = Site::new();
    change(&mut site);
    World::new(site, Settings { identity, ..interactive() })
}

fn configured() -> Identity {
    Identity {
        client_id: Some("pre-registered".into()),
        client_secret: Some(Secret::new("pre secret")),
        issuer: Some(crate::testing::site::AS.into()),
        ..Identity::default()
    }
}

#[test]
fn a_document_is_the_client_id_where_the_server_takes_it() {
    let identity = || Identity { metadata_url: Some(CIMD.into()), ..Identity::default() };
    let mut with = world(identity(), |site| {
        site.change(AS_DOCUMENT, &json!({ "client_id_metadata_document_supported": true }));
    });
    with.call("tools/list").expect("a login");
    assert_eq!(with.prompted("client_id").as_deref(), Some(CIMD));
    assert!(with.registrations().is_empty());
    let mut without = world(identity(), |_| {});
    without.call("tools/list").expect("a login");
    assert_eq!(without.registrations().len(), 1, "it registers where documents are not taken");
}

#[test]
fn a_configured_client_goes_first_and_proves_itself() {
    let identity = Identity { metadata_url: Some(CIMD.into()), ..configured() };
    let mut world = world(identity, |site| {
        site.change(AS_DOCUMENT, &json!({ "client_id_metadata_document_supported": true }));
        site.server().method = Some("client_secret_basic".into());
        site.server().clients.insert("pre-registered".into(), Some("pre secret".into()));
    });
    world.call("tools/list").expect("a login");
    assert_eq!(world.prompted("client_id").as_deref(), Some("pre-registered"));
    assert!(world.registrations().is_empty());
}

#[test]
fn a_registered_client_proves_itself_as_the_server_takes_it() {
    for method in ["none", "client_secret_basic", "client_secret_post"] {
        let mut world = world(Identity::default(), |site| {
            site.change(AS_DOCUMENT, &json!({ "token_endpoint_auth_methods_supported": [method] }));
            site.server().method = Some(method.into());
        });
        world.call("tools/list").expect(method);
        let registration = &world.registrations()[0];
        assert_eq!(registration["token_endpoint_auth_method"], method);
        assert_eq!(registration["application_type"], "native");
        assert_eq!(registration["grant_types"], json!(["authorization_code", "refresh_token"]));
        let request = world.requests.iter().find(|it| it.url.target() == "/token").expect("one");
        let basic = header(request, "authorization").is_some_and(|value| value.starts_with("Basic "));
        assert_eq!(basic, method == "client_secret_basic");
    }
}

#[test]
fn a_refused_registration_is_tried_with_less_and_then_told() {
    let refused =
        || answer(400, &json!({ "error": "invalid_client_metadata", "error_description": "no refresh" }));
    let mut once = world(Identity::default(), |site| site.server().register_faults = vec![refused()]);
    once.call("tools/list").expect("a login");
    assert_eq!(once.registrations()[1]["grant_types"], json!(["authorization_code"]));
    let mut twice =
        world(Identity::default(), |site| site.server().register_faults = vec![refused(), refused()]);
    let failure = twice.call("tools/list").expect_err("a refusal");
    assert_eq!(
        (failure.step, failure.code.as_deref()),
        (LoginStep::Registration, Some("invalid_client_metadata"))
    );
    assert!(
        failure.message.contains("no refresh") && failure.message.contains("auth.client_id"),
        "{failure}"
    );
    assert!(twice.prompts.is_empty());
}

#[test]
fn a_server_where_nobody_can_register_is_told_with_what_to_configure() {
    let mut world = world(Identity::default(), |site| {
        site.change(AS_DOCUMENT, &json!({ "registration_endpoint": null }));
    });
    let failure = world.call("tools/list").expect_err("a refusal");
    assert_eq!((failure.step, failure.check), (LoginStep::Registration, "client id"));
    assert!(failure.message.contains("auth.client_id"));
}

#[test]
fn a_client_that_is_not_known_any_more_opens_no_second_page_and_the_next_login_registers() {
    let unknown = || answer(401, &json!({ "error": "invalid_client" }));
    let mut world = world(Identity::default(), |site| site.server().token_faults = vec![unknown()]);
    let failure = world.call("tools/list").expect_err("a refusal");
    assert_eq!((failure.step, failure.code.as_deref()), (LoginStep::Token, Some("invalid_client")));
    assert_eq!((world.registrations().len(), world.prompts.len()), (1, 1));
    world.pass(3600);
    world.call("tools/list").expect("a login");
    assert_eq!((world.registrations().len(), world.prompts.len()), (2, 2));
}

#[test]
fn a_secret_is_sent_in_each_other_place_once_where_the_server_does_not_see_it() {
    let unseen = answer(401, &json!({ "error": "invalid_client" }));
    for (faults, wanted) in
        [(vec![unseen.clone(); 1], 2), (vec![unseen.clone(); 2], 3), (vec![unseen.clone(); 3], 3)]
    {
        let works = faults.len() < 3;
        let identity = Identity {
            client_id: Some("app".into()),
            client_secret: Some(Secret::new("s3cret")),
            issuer: Some(AS.into()),
            ..Identity::default()
        };
        let mut world = world(identity, |site| {
            site.server().clients.insert("app".into(), Some("s3cret".into()));
            site.server().token_faults = faults;
        });
        assert_eq!(world.call("tools/list").is_ok(), works);
        assert_eq!((world.tokens().len(), world.prompts.len()), (wanted, 1), "the browser is opened once");
    }
}

/// How a login with this `iss` ends, and whether the code was sent.
fn with_iss(advertised: bool, iss: Iss) -> (Option<&'static str>, bool) {
    let mut world = world(Identity::default(), |site| {
        site.change(AS_DOCUMENT, &json!({ "authorization_response_iss_parameter_supported": advertised }));
        site.server().iss = iss;
    });
    let check = world.call("tools/list").err().map(|failure| failure.check);
    assert_eq!(world.prompts.len(), 1, "the browser was sent there");
    (check, !world.tokens().is_empty())
}

#[test]
fn an_answer_is_taken_only_from_who_was_asked() {
    for (advertised, iss, check) in [
        (true, Iss::Is(AS.into()), None),
        (false, Iss::Absent, None),
        (false, Iss::Is(AS.into()), None),
        (true, Iss::Absent, Some("iss")),
        (true, Iss::Is("https://evil.example".into()), Some("iss")),
        (false, Iss::Is("https://evil.example".into()), Some("iss")),
        (true, Iss::Is("https://as.example/".into()), Some("iss")),
        (true, Iss::Is("https://AS.example".into()), Some("iss")),
        (true, Iss::Is("https://as.example:443".into()), Some("iss")),
        (true, Iss::Twice, Some("iss")),
    ] {
        let sent = check.is_none();
        assert_eq!(with_iss(advertised, iss.clone()), (check, sent), "{advertised} {iss:?}");
    }
}

#[test]
fn an_error_of_another_server_is_not_shown() {
    let mut world = world(Identity::default(), |_| {});
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("no answer comes");
    let state = world.prompted("state").expect("a state");
    let callback =
        format!("?error=access_denied&error_description=PAY+HERE&state={state}&iss=https://evil.example");
    let failure = world.auth.complete(&callback, world.now).expect_err("a refusal");
    assert_eq!(failure.check, "iss");
    assert!(!failure.message.contains("PAY"), "{failure}");
}

#[test]
fn an_answer_for_another_login_is_put_aside_and_the_login_goes_on() {
    let mut world = world(Identity::default(), |_| {});
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("no answer comes");
    for callback in ["?code=x", "?code=x&state=", "?code=x&state=guess", "", "x", &"?state=".repeat(20_000)] {
        assert_eq!(world.auth.complete(callback, world.now).expect_err("not ours").check, "state");
    }
    // Every page in the browser can send as many as it likes.
    for _ in 0..1000 {
        world.auth.complete("?code=x&state=guess", world.now).expect_err("not ours");
    }
    let callback = world.site.borrow_mut().authorize(world.prompts[0].url.expose());
    world.auth.complete(&callback, world.now).expect("ours");
    world.pump();
    assert!(world.call("tools/list").is_ok());
    assert_eq!(world.auth.complete(&callback, world.now).expect_err("once").check, "state");
    assert_eq!(world.tokens().len(), 1);
}

#[test]
fn a_person_may_refuse_or_not_answer_and_may_be_asked_again() {
    let mut world = world(Identity::default(), |_| {});
    world.person = Person::Denies;
    let failure = world.call("tools/list").expect_err("a refusal");
    assert_eq!((failure.cause, failure.code.as_deref()), (Cause::GivenUp, Some("access_denied")));
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("no answer comes");
    assert_eq!(world.prompts.len(), 2);
    world.pass(299);
    world.auth.tick(world.now);
    assert!(world.auth.effect().is_none());
    world.pass(1);
    world.auth.tick(world.now);
    world.pump();
    let failure = world.failures.last().expect("a failure");
    assert_eq!((failure.step, failure.cause), (LoginStep::Authorization, Cause::TimedOut));
    assert_eq!(world.withdrawn, 2, "the prompt is taken back");
    world.person = Person::LogsIn;
    world.call("tools/list").expect("a login");
}

#[test]
fn giving_up_ends_the_login_with_the_reason() {
    let mut world = world(Identity::default(), |_| {});
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("no answer comes");
    world.auth.give_up("the window was closed", world.now);
    world.pump();
    let failure = world.failures.last().expect("a failure");
    assert_eq!((failure.cause, failure.check), (Cause::GivenUp, "given up"));
    assert!(failure.message.contains("the window was closed"));
    world.auth.give_up("again", world.now);
    assert!(world.auth.effect().is_none(), "there is nothing left to give up");
}

#[test]
fn the_library_listens_on_the_port_it_is_registered_with() {
    let settings =
        Settings { grant: GrantKind::Interactive { redirect: Redirect::default() }, ..Settings::default() };
    let mut world = World::new(Site::new(), settings);
    world.call("tools/list").expect("a login");
    assert_eq!(world.prompted("redirect_uri").as_deref(), Some("http://127.0.0.1:4711/callback"));
    assert!(world.prompts[0].listens);
    assert_eq!(world.registrations()[0]["redirect_uris"], json!(["http://127.0.0.1:4711/callback"]));
    // The refresh token is gone as well, so that the person is asked again.
    world.site.borrow_mut().server().refreshes.clear();
    world.pass(4000);
    world.call("tools/list").expect("a login");
    assert_eq!((world.prompts.len(), world.registrations().len()), (2, 1), "with the same client");
}

#[test]
fn another_port_needs_another_registration() {
    let settings =
        Settings { grant: GrantKind::Interactive { redirect: Redirect::default() }, ..Settings::default() };
    let mut world = World::new(Site::new(), settings);
    world.call("tools/list").expect("a login");
    world.site.borrow_mut().server().refreshes.clear();
    world.pass(4000);
    world.port = Some(5000);
    world.call("tools/list").expect("a login");
    assert_eq!((world.listened[0].preferred, world.listened[1].preferred), (None, Some(4711)));
    assert_eq!(world.registrations()[1]["redirect_uris"], json!(["http://127.0.0.1:5000/callback"]));
}

#[test]
fn where_the_library_cannot_listen_is_told() {
    for (uri, port, why) in [
        ("https://app.example/callback", 1, "this machine only"),
        ("http://10.0.0.1/callback", 1, "this machine only"),
        ("nothing", 1, "does not begin with http"),
        ("http://127.0.0.1:8080/callback", 0, "port is taken"),
    ] {
        let redirect = Redirect { uri: Some(uri.into()), listen: true };
        let mut world = World::new(
            Site::new(),
            Settings { grant: GrantKind::Interactive { redirect }, ..Settings::default() },
        );
        world.port = (port > 0).then_some(port);
        let failure = world.call("tools/list").expect_err(uri);
        assert!(failure.message.contains(why), "{failure}");
        assert!(world.prompts.is_empty());
    }
}

#[test]
fn a_login_that_is_never_told_where_the_library_listens_says_so() {
    let settings =
        Settings { grant: GrantKind::Interactive { redirect: Redirect::default() }, ..Settings::default() };
    let mut world = World::new(Site::new(), settings);
    world.listen_hangs = true;
    world.call("tools/list").expect_err("it waits");
    let end = world.auth.deadline().expect("it has an end");
    world.pass(end.saturating_duration_since(world.now.at).as_secs());
    world.auth.tick(world.now);
    world.pump();
    let failure = world.failures.last().expect("a failure");
    assert_eq!((failure.step, failure.cause), (LoginStep::Authorization, Cause::TimedOut));
    assert!(failure.message.contains("about where to listen"), "{failure}");
}

#[test]
fn the_url_for_the_browser_keeps_what_the_endpoint_has() {
    let mut world = world(Identity::default(), |site| {
        site.change(
            AS_DOCUMENT,
            &json!({ "authorization_endpoint": "https://as.example/authorize?tenant=a%20b" }),
        );
    });
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("no answer comes");
    let url = world.prompts[0].url.expose();
    assert!(
        url.starts_with("https://as.example/authorize?tenant=a%20b&response_type=code&client_id="),
        "{url}"
    );
}

#[test]
fn nothing_secret_is_shown_by_what_is_handed_around() {
    let mut world = world(configured(), |site| {
        site.server().clients.insert("pre-registered".into(), Some("pre secret".into()));
    });
    world.call("tools/list").expect("a login");
    let shown = format!("{:?} {:?} {:?}", world.auth, world.requests, world.prompts);
    let state = world.prompted("state").expect("a state");
    for secret in ["pre secret", "pre%20secret", "token-", "refresh-", "code-", state.as_str()] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
}

const DEVICE_CODE: &str = "urn:ietf:params:oauth:grant-type:device_code";

fn settings(flow: Flow) -> Settings {
    Settings { flow, ..Settings::default() }
}

fn site() -> Site {
    let mut site = Site::new();
    site.change(AS_DOCUMENT, &json!({ "device_authorization_endpoint": "https://as.example/device" }));
    site
}

/// A login that has shown its code.
fn begun(site: Site, settings: Settings) -> World {
    let mut world = World::new(site, settings);
    assert_eq!(world.call("tools/list").expect_err("the person is asked").check, "pending");
    world
}

fn code(failure: Option<&crate::auth::Failure>) -> Option<String> {
    failure.and_then(|failure| failure.code.clone())
}

#[test]
fn a_person_enters_the_code_and_the_device_gets_its_token() {
    let mut site = site();
    let whole = "https://as.example/enter?user_code=WDJB-MJHT";
    site.device_members.insert("verification_uri_complete".to_owned(), whole.into());
    site.server().token_faults =
        vec![error(400, "authorization_pending"), error(400, "authorization_pending")];
    let mut world = begun(site, settings(Flow::Device));
    let prompt = world.prompts[0].clone();
    let device = prompt.device.as_ref().expect("a code");
    assert_eq!(
        (device.user_code.expose(), device.verification_uri.as_str()),
        ("WDJB-MJHT", "https://as.example/enter")
    );
    assert_eq!((prompt.url.expose(), prompt.listens), (whole, true));
    assert_eq!((prompt.deadline - world.now.at).as_secs(), 200, "the life of the code");
    assert!(world.listened.is_empty() && !format!("{prompt:?}").contains("WDJB"));
    assert_eq!(world.poll(), [5, 10, 15]);
    world.call("tools/list").expect("with the token");
    let form = &world.tokens()[0];
    assert_eq!((form["grant_type"].as_str(), form["resource"].as_str()), (DEVICE_CODE, MCP));
    assert!(form["client_id"].starts_with("client-") && !form.contains_key("code_verifier"));
    assert_eq!(world.registrations()[0]["grant_types"], json!([DEVICE_CODE, "refresh_token"]));
    // It is a login as any other.
    world.pass(3595);
    world.call("tools/list").expect("a refresh");
    assert_eq!((world.prompts.len(), world.tokens()[3]["grant_type"].as_str()), (1, "refresh_token"));
}

/// What the token endpoint answers, one after the other, and when it is asked.
#[test]
fn the_token_endpoint_is_asked_at_the_intervals_that_it_wants() {
    let pending = || error(400, "authorization_pending");
    let said = |status, body: Value| answer(status, &body);
    let page = || Answer { status: 502, headers: Vec::new(), body: b"<html>".to_vec() };
    let cases: [(Value, Vec<Answer>, &[u64]); 9] = [
        (json!({}), vec![pending(), pending()], &[5, 10, 15]),
        (json!({ "interval": 1 }), vec![pending()], &[1, 2]),
        (json!({ "interval": "7" }), vec![pending()], &[7, 14]),
        (json!({ "interval": 0 }), vec![], &[1]),
        (json!({ "interval": null }), vec![], &[5]),
        (json!({ "interval": 86400 }), vec![pending()], &[60, 120]),
        (json!({}), vec![error(400, "slow_down"), pending(), error(400, "slow_down")], &[5, 15, 25, 40]),
        // GitHub says it with 200, and how long it is to be.
        (
            json!({}),
            vec![
                said(200, json!({ "error": "slow_down", "interval": 20 })),
                said(200, json!({ "error": "authorization_pending" })),
            ],
            &[5, 25, 45],
        ),
        // A server that is in trouble is asked less often, and what it then says counts as before.
        (
            json!({}),
            vec![page(), pending(), said(503, json!({ "error": "temporarily_unavailable" }))],
            &[5, 15, 25, 45],
        ),
    ];
    for (members, answers, wanted) in cases {
        let mut site = site();
        let shown = format!("{members} {answers:?}");
        site.device_members = members.as_object().expect("members").clone();
        site.server().token_faults = answers;
        let mut world = begun(site, settings(Flow::Device));
        assert_eq!(world.poll(), wanted, "{shown}");
        world.call("tools/list").expect(&shown);
    }
}

#[test]
fn a_connection_that_breaks_doubles_the_interval_and_the_code_ends_in_its_time() {
    let mut site = site();
    site.device_members.insert("expires_in".to_owned(), "130".into());
    let mut world = begun(site, settings(Flow::Device));
    world.faults.insert(format!("{AS}/token"), Fault::TimedOut);
    assert_eq!(world.poll(), [5, 15, 35, 75], "at most a minute, and not after the end");
    let failure = world.failures.last().expect("an end");
    assert_eq!(
        (failure.step, failure.check, failure.cause),
        (LoginStep::Authorization, "time", Cause::TimedOut)
    );
    assert!(failure.message.contains("did not enter the code within 130 s"), "{failure}");
    assert!(world.auth.deadline().is_none());
}

#[test]
fn the_polls_of_a_login_are_bounded_by_the_persons_time_too() {
    let mut site = site();
    site.device_members.insert("expires_in".to_owned(), 1_000_000.into());
    let mut world = World::new(site, settings(Flow::Device));
    world.person = Person::Ignores;
    world.call("tools/list").expect_err("the person is asked");
    let polls = world.poll();
    assert_eq!((polls.len(), polls.last()), (59, Some(&295)), "more than the requests of another login");
    assert!(world.failures.last().is_some_and(|failure| failure.message.contains("within 300 s")));
}

#[test]
fn what_ends_the_login_ends_it_at_once() {
    let cases = [
        ("access_denied", LoginStep::Authorization, Cause::GivenUp),
        ("expired_token", LoginStep::Authorization, Cause::TimedOut),
        ("invalid_grant", LoginStep::Token, Cause::Refused),
        ("invalid_client", LoginStep::Token, Cause::Refused),
    ];
    for (error_code, step, cause) in cases {
        let mut site = site();
        site.server().token_faults = vec![error(400, error_code)];
        let mut world = begun(site, settings(Flow::Device));
        assert_eq!(world.poll(), [5]);
        let failure = world.failures.last();
        assert_eq!(failure.map(|failure| (failure.step, failure.cause)), Some((step, cause)), "{error_code}");
        assert_eq!(code(failure).as_deref(), Some(error_code));
        assert!(world.auth.deadline().is_none(), "{error_code}");
    }
    // So do the application and the person, also while a request is under way.
    for holds in [None, Some(format!("{AS}/token"))] {
        let mut world = begun(site(), settings(Flow::Device));
        world.holds = holds;
        world.pass(5);
        world.auth.tick(world.now);
        if world.holds.is_some() {
            world.pump();
            assert!(!world.auth.nobody_waits(world.now) && !world.auth.waits_for_servers());
        }
        world.auth.give_up("enough", world.now);
        world.pump();
        assert_eq!(world.failures.last().map(|failure| failure.cause), Some(Cause::GivenUp));
        world.release();
        assert!(world.auth.deadline().is_none(), "a late answer begins nothing");
    }
}

/// A page that no person is to be sent to, and a code that would change what a terminal shows.
#[test]
fn what_a_device_shows_is_checked() {
    let cases = [
        (json!({ "verification_uri": "http://as.example/enter" }), "verification_uri"),
        (json!({ "verification_uri": "javascript:alert(1)" }), "verification_uri"),
        (json!({ "verification_uri": "https://good.example@evil.example/" }), "verification_uri"),
        (json!({ "verification_uri": null }), "verification_uri"),
        (json!({ "user_code": "\u{1b}[2JA" }), "user_code"),
        (json!({ "user_code": "A\u{202e}B" }), "user_code"),
        (json!({ "user_code": "A".repeat(65) }), "user_code"),
        (json!({ "user_code": null }), "user_code"),
        (json!({ "device_code": "a b" }), "device_code"),
        (json!({ "device_code": null }), "device_code"),
    ];
    for (members, check) in cases {
        let mut site = site();
        site.device_members = members.as_object().expect("members").clone();
        let mut world = World::new(site, settings(Flow::Device));
        let failure = world.call("tools/list").expect_err(check);
        assert_eq!((failure.step, failure.check), (LoginStep::Authorization, check), "{members}");
        assert!(world.prompts.is_empty());
    }
    // The page with the code in it is only a convenience.
    for whole in ["https://evil.example/enter?c=1", "http://as.example/enter?c=1", "x"] {
        let mut site = site();
        site.device_members.insert("verification_uri_complete".to_owned(), whole.into());
        let world = begun(site, settings(Flow::Device));
        assert_eq!(world.prompts[0].url.expose(), "https://as.example/enter", "{whole}");
    }
    let mut site = site();
    site.device_members =
        json!({ "verification_uri": null, "verification_url": "https://x.example/a;$(id)" })
            .as_object()
            .expect("members")
            .clone();
    assert_eq!(
        begun(site, settings(Flow::Device)).prompts[0].url.expose(),
        "https://x.example/a%3B%24%28id%29"
    );
}

/// Which endpoint counts, and where it may be.
#[test]
fn a_device_logs_in_only_where_the_metadata_says_so() {
    let device = |members: Value| {
        let mut site = site();
        site.change(AS_DOCUMENT, &members);
        site
    };
    let here = "https://as.example/device";
    let failed = |members: Value| {
        let mut world = World::new(device(members), settings(Flow::Device));
        let failure = world.call("tools/list").expect_err("no device logs in");
        assert!(world.prompts.is_empty() && world.registrations().is_empty(), "{failure}");
        failure.check
    };
    assert_eq!(failed(json!({ "device_authorization_endpoint": null })), "device_authorization_endpoint");
    let code_only =
        json!({ "device_authorization_endpoint": here, "grant_types_supported": ["authorization_code"] });
    assert_eq!(failed(code_only.clone()), "grant_types_supported");
    assert_eq!(failed(json!({ "device_authorization_endpoint": "http://as.example/device" })), "https");
    // A code of an honest server would be redeemed at another one's token endpoint.
    assert_eq!(
        failed(json!({ "device_authorization_endpoint": "https://honest.example/device" })),
        "endpoints"
    );
    let iss = json!({ "device_authorization_endpoint": "https://honest.example/device", "authorization_response_iss_parameter_supported": true });
    assert_eq!(failed(iss), "endpoints", "no answer of a device names its server");
    // It needs no browser that comes back.
    let alone = json!({ "authorization_endpoint": null, "code_challenge_methods_supported": null });
    let mut world = begun(device(alone), settings(Flow::Device));
    assert_eq!(world.poll(), [5]);
    // By itself a login takes the way that there is.
    for (flow, members, is_device) in [
        (Flow::Auto, json!({}), true),
        (Flow::Auto, json!({ "device_authorization_endpoint": null }), false),
        (Flow::Auto, code_only, false),
        (Flow::Browser, json!({}), false),
        (Flow::Browser, json!({ "device_authorization_endpoint": "https://honest.example/device" }), false),
    ] {
        let mut world = World::new(device(members.clone()), settings(flow));
        assert_eq!(world.call("tools/list").is_err(), is_device, "{flow:?} {members}");
        assert_eq!(world.prompts[0].device.is_some(), is_device, "{flow:?} {members}");
    }
}

#[test]
fn a_server_that_gives_this_client_no_codes_is_logged_in_at_with_a_browser_where_either_will_do() {
    for (flow, prompts) in [(Flow::Auto, 1), (Flow::Device, 0)] {
        let mut site = site();
        let client = Identity { client_id: Some("mine".into()), ..Identity::default() };
        site.server().clients.insert("mine".into(), None);
        site.server().device_faults = vec![error(400, "unauthorized_client")];
        let mut world = World::new(site, Settings { identity: client, ..settings(flow) });
        assert_eq!(world.call("tools/list").is_ok(), prompts == 1, "{flow:?}");
        assert_eq!(world.prompts.len(), prompts);
        let said = world.warnings.first().or(world.failures.first());
        assert_eq!(code(said).as_deref(), Some("unauthorized_client"));
    }
}

#[test]
fn a_client_that_the_server_no_longer_lets_log_in_is_registered_again() {
    let (site, kept) = (Rc::new(RefCell::new(site())), Kept::default());
    let mut world = World::at(MCP, Rc::clone(&site), settings(Flow::Device), Rc::clone(&kept));
    world.call("tools/list").expect_err("the person is asked");
    world.poll();
    world.auth.forget(world.now);
    world.pump();
    for refusal in ["unauthorized_client", "invalid_client"] {
        site.borrow_mut().server().device_faults = vec![error(400, refusal)];
        world.call("tools/list").expect_err("the person is asked");
        world.poll();
        world.call("tools/list").expect(refusal);
        world.auth.forget(world.now);
        world.pump();
    }
    assert_eq!(world.registrations().len(), 3, "once, and once for each refusal");
    // Some register no client that names no redirect URI.
    let mut site = self::site();
    site.server().register_faults = vec![error(400, "invalid_redirect_uri")];
    let world = begun(site, settings(Flow::Device));
    let [first, second] = &world.registrations()[..] else { panic!("two registrations") };
    assert_eq!(
        (first.get("redirect_uris"), &second["redirect_uris"]),
        (None, &json!(["http://127.0.0.1/callback"]))
    );
}

#[test]
fn a_secret_of_the_configuration_goes_with_both_requests() {
    let mut site = site();
    site.server().clients.insert("mine".into(), Some("s3cret".into()));
    let identity = Identity {
        client_id: Some("mine".into()),
        client_secret: Some(Secret::new("s3cret")),
        issuer: Some(AS.into()),
        ..Identity::default()
    };
    let mut world = begun(site, Settings { identity, ..settings(Flow::Device) });
    assert_eq!(world.poll(), [5]);
    let sent = world
        .requests
        .iter()
        .filter(|request| crate::testing::site::header(request, "authorization").is_some());
    assert_eq!(sent.count(), 2);
    world.call("tools/list").expect("with the token");
}

/// What a token endpoint may say instead of a token, and the least time to the next request in seconds, of the time so far.
type Said = (Answer, fn(u64) -> u64);

fn said() -> impl Strategy<Value = Said> {
    let same: fn(u64) -> u64 = |seconds| seconds;
    let longer: fn(u64) -> u64 = |seconds| seconds + 5;
    let slow = |status, members: Value| {
        let mut body = json!({ "error": "slow_down" });
        body.as_object_mut().expect("an object").extend(members.as_object().expect("members").clone());
        answer(status, &body)
    };
    let redirect = Answer {
        status: 307,
        headers: vec![("location".to_owned(), "https://evil.example/token".to_owned())],
        body: Vec::new(),
    };
    let code = prop::sample::select(vec![
        "authorization_pending",
        "slow_down",
        "access_denied",
        "expired_token",
        "invalid_grant",
        "invalid_client",
        "server_error",
        "temporarily_unavailable",
        "use_dpop_nonce",
        "",
        "odd",
    ]);
    prop_oneof![
        6 => Just((error(400, "authorization_pending"), same)),
        2 => Just((answer(200, &json!({ "error": "authorization_pending" })), same)),
        3 => Just((slow(400, json!({})), longer)),
        2 => Just((slow(200, json!({ "interval": 1 })), longer)),
        2 => Just((slow(429, json!({ "interval": 30 })), (|seconds| (seconds + 5).max(30)) as fn(u64) -> u64)),
        1 => Just((slow(400, json!({ "interval": u64::MAX })), (|seconds| (seconds + 5).max(60)) as fn(u64) -> u64)),
        2 => Just((Answer { status: 502, headers: Vec::new(), body: b"<html>".to_vec() }, same)),
        1 => Just((redirect, same)),
        1 => (any::<u16>(), code).prop_map(move |(status, code)| (answer(status, &json!({ "error": code })), same)),
        1 => (any::<u16>(), prop::collection::vec(any::<u8>(), 0..40))
            .prop_map(move |(status, body)| (Answer { status, headers: Vec::new(), body }, same)),
    ]
}

proptest! {
    /// Whatever the servers say: a secret goes to the authorization server alone, which is not asked sooner than it wants, and there is an
    /// end in the person's time.
    #[test]
    fn no_answers_make_a_device_ask_too_often_too_long_or_elsewhere(
        answers in prop::collection::vec(said(), 0..40),
        interval in prop::sample::select(vec![
            (Value::Null, 5), (json!(0), 1), (json!(1), 1), (json!("7"), 7), (json!(30), 30), (json!(u64::MAX), 60), (json!([]), 5), (json!(-3), 5),
        ]),
        life in prop::sample::select(vec![json!(0), json!(1), json!(90), json!("200"), json!(u64::MAX), Value::Null]),
        page in prop::sample::select(vec!["https://as.example/enter", "https://evil.example/enter", "http://evil.example/", "javascript:1"]),
        endpoint in prop::sample::select(vec![AS, AS, AS, "https://evil.example", "http://as.example"]),
        enters in any::<bool>(),
    ) {
        let mut site = site();
        site.change(AS_DOCUMENT, &json!({ "device_authorization_endpoint": format!("{endpoint}/device") }));
        let members = json!({ "interval": interval.0, "expires_in": life, "verification_uri": page,
            "verification_uri_complete": "https://evil.example/?user_code=x" });
        site.device_members = members.as_object().expect("members").clone();
        site.server().token_faults = answers.iter().map(|(answer, _)| answer.clone()).collect();
        let mut world = World::new(site, settings(Flow::Device));
        world.person = if enters { Person::LogsIn } else { Person::Ignores };
        let begun = world.now.at;
        let waits = world.call("tools/list").expect_err("there is no token yet").check == "pending";
        let ends = |world: &World| world.failures.len() + world.readies as usize;
        let ended = ends(&world);
        let (mut least, mut asked, mut sent, mut codes) = (interval.1, world.now.at, 0, world.prompts.len());
        while let Some(deadline) = world.auth.deadline() {
            prop_assert!(deadline <= begun + Settings::default().patience, "it goes on for {:?}", deadline - begun);
            let wait = deadline.saturating_duration_since(world.now.at).as_secs();
            prop_assert!(wait > 0, "time passes");
            world.pass(wait);
            world.auth.tick(world.now);
            world.pump();
            let more = world.tokens().len() - sent;
            prop_assert!(more <= 1, "{} at one time", more);
            if more == 1 {
                prop_assert!((world.now.at - asked).as_secs() >= least, "asked after {:?}, not {} s", world.now.at - asked, least);
                least = answers.get(sent).map_or(least, |(_, next)| next(least));
                (asked, sent) = (world.now.at, sent + 1);
            }
            if world.prompts.len() > codes {
                // Another code has its own time.
                (least, codes) = (interval.1, world.prompts.len());
            }
            if ends(&world) > ended {
                // The token has a life of its own.
                break;
            }
        }
        prop_assert_eq!(ends(&world) - ended, usize::from(waits), "{:?}", world.failures);
        let is_right = |url: &str| url == page || page.starts_with("https://evil.example/") && url.starts_with("https://evil.example/");
        prop_assert!(world.prompts.iter().all(|prompt| is_right(prompt.url.expose())), "a page of another origin is left out");
        for request in &world.requests {
            let is_secret = request.body.is_some() || request.headers.iter().any(|(name, _)| matches!(*name, "authorization" | "dpop"));
            let to = request.url.origin().to_string();
            prop_assert!(to == AS || !is_secret && to == "https://mcp.example", "{:?}", request);
        }
    }
}
