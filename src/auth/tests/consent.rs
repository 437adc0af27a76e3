//! The client id, the person's part and what comes back (conformance `auth/basic-cimd`, `auth/pre-registration`,
//! `auth/token-endpoint-auth-*`, `auth/iss-*`).

use super::site::{AS, AS_DOCUMENT, Iss, Site, answer, header};
use super::world::{Person, World, interactive};
use crate::auth::settings::{GrantKind, Identity, Redirect, Settings};
use crate::auth::{Cause, LoginStep, Secret};
use serde_json::json;

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
        issuer: Some(super::site::AS.into()),
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
        ("nothing", 1, "neither http nor https"),
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
