//! What the configuration has to show who the application is.

use super::super::site::{AS, MCP, PRM, Server, Site, header};
use super::super::world::{Kept, World, interactive};
use super::{OWN, drop_metadata, holds};
use crate::auth::jose::tests::ec_pem;
use crate::auth::settings::{ClientKey, GrantKind, Identity, KeyOf, Settings, Source};
use crate::auth::{LoginStep, Secret, SigningKey};
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A client that was registered beforehand: with a secret, or else with a key.
fn service(secret: Option<&str>) -> Identity {
    let key = || KeyOf::Us(Arc::new(SigningKey::from_pem(&ec_pem()).expect("a key")));
    Identity {
        client_id: Some("service".into()),
        client_secret: secret.map(Secret::new),
        key: secret.is_none().then(|| ClientKey { key: key(), id: None }),
        ..Identity::default()
    }
}

#[test]
fn configured_credentials_are_not_shown_without_metadata() {
    let text = |text: &str| Source::Text(Secret::new(text));
    for (grant, identity) in [
        (GrantKind::ClientCredentials, service(Some("s3cret"))),
        (GrantKind::ClientCredentials, service(None)),
        (interactive().grant, service(Some("s3cret"))),
        (interactive().grant, service(None)),
        (GrantKind::Workload { assertion: text("the-workload") }, Identity::default()),
    ] {
        let mut site = Site::new();
        drop_metadata(&mut site, &json!({}));
        let shown = format!("{grant:?}");
        let mut world = World::new(site, Settings { grant, identity, ..Settings::default() });
        let failure = world.call("tools/list").expect_err(&shown);
        assert_eq!((failure.step, failure.check), (LoginStep::Settings, "issuer"), "{failure}");
        assert!(failure.message.contains("'auth.issuer'"), "{failure}");
        holds(&world, &["s3cret", "service", "assertion", "the-workload"]);
        assert!(world.prompts.is_empty());
    }
}

#[test]
fn configured_credentials_are_shown_to_the_configured_issuer_only() {
    for secret in [Some("s3cret"), None] {
        // The configuration names the honest server, which is asked at its own origin.
        let mut site = Site::new();
        site.server().clients.insert("service".into(), secret.map(str::to_owned));
        drop_metadata(&mut site, &json!({}));
        let identity = Identity { issuer: Some(AS.into()), ..service(secret) };
        let mut world = World::new(
            site,
            Settings { grant: GrantKind::ClientCredentials, identity, ..Settings::default() },
        );
        world.call("tools/list").expect("a token of the honest server");
        holds(&world, &["s3cret", "service"]);
        // The configuration names the MCP server's origin: that is who gets them, and whom an assertion is for.
        for issuer in [OWN, "https://mcp.example/"] {
            let mut site = Site::new();
            drop_metadata(&mut site, &json!({}));
            site.servers[1].clients.insert("service".into(), secret.map(str::to_owned));
            site.servers[1].issuer = issuer.to_owned();
            let identity = Identity { issuer: Some(issuer.into()), ..service(secret) };
            let settings = Settings { grant: GrantKind::ClientCredentials, identity, ..Settings::default() };
            let mut world = World::new(site, settings);
            world.call("tools/list").expect("a token of the MCP server");
            assert_eq!(world.tokens().len(), 1);
        }
    }
}

#[test]
fn a_login_that_was_kept_for_another_issuer_than_the_configured_one_is_not_used() {
    let (site, kept) = (Rc::new(RefCell::new(Site::new())), Kept::default());
    site.borrow_mut().server().clients.insert("service".into(), None);
    let public = Identity { client_id: Some("service".into()), ..Identity::default() };
    let settings = Settings { identity: public.clone(), ..interactive() };
    let mut world = World::at(MCP, Rc::clone(&site), settings, Rc::clone(&kept));
    world.call("tools/list").expect("a login");
    // The same client id, now with a secret that is for another server.
    let identity = Identity {
        client_secret: Some(Secret::new("s3cret")),
        issuer: Some("https://other.example".into()),
        ..public
    };
    let settings = Settings { identity, ..interactive() };
    let mut later = World::at(MCP, Rc::clone(&site), settings, Rc::clone(&kept));
    later.pass(3550);
    later.call("tools/list").expect_err("the MCP server does not name the configured issuer");
    for request in &later.requests {
        let header = header(request, "authorization").unwrap_or_default();
        let body = request.body.as_ref().map(Secret::expose).unwrap_or_default();
        assert!(header.is_empty() && !body.contains("s3cret"), "{} got the secret", request.url);
    }
}

#[test]
fn configured_credentials_do_not_go_to_whichever_server_is_named() {
    let hostile = "https://collects.example";
    let text = |text: &str| Source::Text(Secret::new(text));
    for any_issuer in [false, true] {
        for (grant, identity) in [
            (GrantKind::ClientCredentials, service(Some("s3cret"))),
            (GrantKind::ClientCredentials, service(None)),
            (interactive().grant, service(Some("s3cret"))),
            (GrantKind::Workload { assertion: text("the-workload") }, Identity::default()),
        ] {
            let mut site = Site::new();
            site.change(PRM, &json!({ "authorization_servers": [hostile] }));
            let server = Server::new(hostile);
            site.documents
                .insert(format!("{hostile}/.well-known/oauth-authorization-server"), server.document());
            site.servers.push(server);
            let identity = Identity { any_issuer, ..identity };
            let mut world = World::new(site, Settings { grant, identity, ..Settings::default() });
            let told = world.call("tools/list");
            let asked = world.requests.iter().filter(|it| it.body.is_some()).count();
            if any_issuer {
                assert!(
                    (1..=3).contains(&asked),
                    "it is asked, as it was permitted, in each place for a secret"
                );
                continue;
            }
            let failure = told.expect_err("a refusal");
            assert_eq!((failure.step, failure.check), (LoginStep::Settings, "issuer"), "{failure}");
            assert_eq!((asked, world.prompts.len()), (0, 0));
        }
    }
}
