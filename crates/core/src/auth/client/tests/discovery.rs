//! From a refusal to the authorization server (conformance `auth/metadata-*`, `auth/resource-mismatch`,
//! `auth/authorization-server-migration`, `auth/2025-03-26-*`); addresses in private networks.

use super::world::{Kept, World, interactive};
use crate::auth::client::settings::{Identity, Settings};
use crate::auth::http::{Answer, Fault};
use crate::auth::{Cause, LoginStep, Secret};
use crate::testing::site::{AS, AS_DOCUMENT, MCP, PRM, Server, Site, answer};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::net::IpAddr;
use std::rc::Rc;

const ROOT: &str = "https://mcp.example/.well-known/oauth-protected-resource";

fn world(change: impl FnOnce(&mut Site)) -> World {
    let mut site = Site::new();
    change(&mut site);
    World::new(site, interactive())
}

#[test]
fn the_header_leads_to_the_resource_and_the_resource_to_its_server() {
    let mut world = world(|_| {});
    world.call("tools/list").expect("a login");
    assert_eq!(world.documents(), [PRM, AS_DOCUMENT], "nothing else is asked for");
    assert_eq!(world.registrations().len(), 1);
    assert_eq!(world.prompted("resource").as_deref(), Some(MCP));
    assert_eq!(world.tokens()[0]["resource"], MCP);
    assert_eq!(world.prompted("scope"), None, "no scopes are named, so none are asked for");
    world.call("tools/call").expect("the same token");
    assert_eq!((world.prompts.len(), world.taken.len()), (1, 2));
}

#[test]
fn without_a_header_the_path_is_tried_before_the_root_and_openid_after_oauth() {
    let mut world = world(|site| {
        site.challenge = "Bearer".to_owned();
        let document = site.documents.remove(AS_DOCUMENT).expect("there");
        site.documents.insert("https://as.example/.well-known/openid-configuration".to_owned(), document);
    });
    world.call("tools/list").expect("a login");
    let openid = "https://as.example/.well-known/openid-configuration";
    assert_eq!(world.documents(), [PRM, AS_DOCUMENT, openid]);
}

#[test]
fn a_resource_at_the_root_is_named_as_it_is_written_and_the_issuers_path_is_inserted() {
    let inserted = "https://as.example/.well-known/oauth-authorization-server/tenant1";
    let mut world = world(|site| {
        site.challenge = "Bearer".to_owned();
        site.documents.clear();
        let server = Server::new("https://as.example/tenant1");
        site.documents.insert(inserted.to_owned(), server.document());
        let issuers = json!([server.issuer]);
        let document = json!({ "resource": "https://mcp.example", "authorization_servers": issuers });
        site.documents.insert(ROOT.to_owned(), document);
        site.servers = vec![server];
    });
    world.call("tools/list").expect("a login");
    assert_eq!(world.documents(), [PRM, ROOT, inserted]);
    assert_eq!(world.prompted("resource").as_deref(), Some("https://mcp.example"), "no slash is added");
    assert_eq!(world.tokens()[0]["resource"], "https://mcp.example");
}

#[test]
fn a_document_at_a_place_of_its_own_and_openid_appended() {
    let place = "https://mcp.example/custom/metadata.json";
    let appended = "https://as.example/tenant1/.well-known/openid-configuration";
    let mut world = world(|site| {
        site.challenge = format!("Bearer resource_metadata=\"{place}\"");
        site.documents.clear();
        let server = Server::new("https://as.example/tenant1");
        site.documents.insert(appended.to_owned(), server.document());
        let document = json!({ "resource": MCP, "authorization_servers": [server.issuer] });
        site.documents.insert(place.to_owned(), document);
        site.servers = vec![server];
    });
    world.call("tools/list").expect("a login");
    assert_eq!(
        world.documents(),
        [
            place,
            "https://as.example/.well-known/oauth-authorization-server/tenant1",
            "https://as.example/.well-known/openid-configuration/tenant1",
            appended,
        ],
        "never the root"
    );
}

#[test]
fn a_resource_that_is_another_ends_the_login_before_anybody_is_asked() {
    let mut world = world(|site| site.change(PRM, &json!({ "resource": "https://evil.example/mcp" })));
    let failure = world.call("tools/list").expect_err("a refusal");
    assert_eq!((failure.step, failure.check), (LoginStep::ResourceMetadata, "resource"));
    assert_eq!(failure.values, Some((MCP.to_owned(), "https://evil.example/mcp".to_owned())));
    assert_eq!(world.documents(), [PRM]);
    assert!(world.prompts.is_empty() && world.requests.len() == 1);
}

#[test]
fn an_issuer_that_is_another_ends_the_login_and_no_endpoint_is_used() {
    for issuer in ["https://evil.example", "https://as.example/t"] {
        let mut world = world(|site| site.change(AS_DOCUMENT, &json!({ "issuer": issuer })));
        let failure = world.call("tools/list").expect_err("a refusal");
        assert_eq!((failure.step, failure.check), (LoginStep::ServerMetadata, "issuer"));
        assert_eq!(failure.values, Some((AS.to_owned(), issuer.to_owned())));
        assert!(world.prompts.is_empty() && world.registrations().is_empty());
    }
}

#[test]
fn the_second_server_is_taken_when_the_first_cannot_be() {
    let second = "https://as2.example";
    let mut world = world(|site| {
        site.change(PRM, &json!({ "authorization_servers": [AS, second] }));
        site.change(AS_DOCUMENT, &json!({ "registration_endpoint": null }));
        let server = Server::new(second);
        let url = format!("{second}/.well-known/oauth-authorization-server");
        site.documents.insert(url, server.document());
        site.servers.push(server);
    });
    world.call("tools/list").expect("a login at the second");
    assert_eq!(world.prompts[0].issuer, second);
}

#[test]
fn when_no_server_can_be_used_the_first_reason_is_told() {
    let mut world = world(|site| {
        site.change(PRM, &json!({ "authorization_servers": [AS, "https://nowhere.example"] }));
        site.change(AS_DOCUMENT, &json!({ "code_challenge_methods_supported": ["plain"] }));
    });
    let failure = world.call("tools/list").expect_err("a refusal");
    assert_eq!(failure.check, "code_challenge_methods_supported");
    assert_eq!(failure.values, Some(("S256".to_owned(), "plain".to_owned())));
}

#[test]
fn without_a_word_about_pkce_nobody_is_asked() {
    let mut world =
        world(|site| site.change(AS_DOCUMENT, &json!({ "code_challenge_methods_supported": null })));
    let failure = world.call("tools/list").expect_err("a refusal");
    assert_eq!(failure.check, "code_challenge_methods_supported");
    assert!(world.prompts.is_empty());
}

#[test]
fn a_server_that_moved_is_registered_at_anew_and_sees_nothing_of_the_old_one() {
    let second = "https://as2.example";
    let mut world = world(|_| {});
    world.call("tools/list").expect("a login");
    let first_client = world.tokens()[0]["client_id"].clone();
    {
        let mut site = world.site.borrow_mut();
        site.change(PRM, &json!({ "authorization_servers": [second] }));
        let server = Server::new(second);
        site.documents.insert(format!("{second}/.well-known/oauth-authorization-server"), server.document());
        site.servers.push(server);
        let old: Vec<String> = site.tokens.keys().cloned().collect();
        site.revoked.extend(old);
    }
    world.call("tools/call").expect("a login at the new one");
    assert_eq!(world.registrations().len(), 2);
    assert_ne!(world.prompted("client_id"), Some(first_client.clone()));
    let at_second: Vec<_> =
        world.requests.iter().filter(|it| it.url.origin().host == "as2.example").collect();
    for request in at_second {
        let body = request.body.as_ref().map(Secret::expose).unwrap_or_default();
        assert!(!body.contains(&first_client) && !body.contains("refresh-"), "{}", request.url);
    }
    let document_reads = world.documents().iter().filter(|url| *url == PRM).count();
    assert_eq!(document_reads, 2, "the resource is read again");
    assert!(world.tokens().iter().all(|form| form["grant_type"] == "authorization_code"));
}

#[test]
fn configured_credentials_are_not_shown_to_a_server_that_is_not_theirs() {
    let second = "https://as2.example";
    let identity = Identity { client_id: Some("me".into()), ..Identity::default() };
    let settings = Settings { identity, ..interactive() };
    let mut site = Site::new();
    site.server().clients.insert("me".to_owned(), None);
    let mut world = World::new(site, settings);
    world.call("tools/list").expect("a login");
    {
        let mut site = world.site.borrow_mut();
        site.change(PRM, &json!({ "authorization_servers": [second] }));
        let server = Server::new(second);
        site.documents.insert(format!("{second}/.well-known/oauth-authorization-server"), server.document());
        site.servers.push(server);
        let old: Vec<String> = site.tokens.keys().cloned().collect();
        site.revoked.extend(old);
    }
    let failure = world.call("tools/call").expect_err("a refusal");
    assert_eq!(failure.check, "issuer of the credentials");
    assert_eq!(failure.values, Some((AS.to_owned(), second.to_owned())));
    assert_eq!(world.prompts.len(), 1);
}

#[test]
fn a_pinned_issuer_is_the_only_one() {
    let identity = Identity {
        client_id: Some("me".into()),
        issuer: Some("https://other.example".into()),
        ..Identity::default()
    };
    let mut world = World::new(Site::new(), Settings { identity, ..interactive() });
    let failure = world.call("tools/list").expect_err("a refusal");
    assert_eq!(failure.check, "authorization_servers");
    assert_eq!(failure.values, Some(("https://other.example".to_owned(), AS.to_owned())));
    assert!(world.prompts.is_empty());
}

#[test]
fn a_server_of_2025_03_26_is_its_own_authorization_server() {
    let document = "https://mcp.example/.well-known/oauth-authorization-server";
    let mut world = world(|site| {
        site.challenge = "Bearer".to_owned();
        site.documents.clear();
        let mut server = Server::new("https://mcp.example");
        server.base = "https://mcp.example/oauth".to_owned();
        site.documents.insert(document.to_owned(), server.document());
        site.servers = vec![server];
    });
    world.call("tools/list").expect("a login");
    assert_eq!(world.documents(), [PRM, ROOT, document]);
    let versions =
        world.requests.iter().filter(|it| it.headers.iter().any(|(name, _)| *name == "mcp-protocol-version"));
    assert_eq!(versions.count(), 3);
}

#[test]
fn without_a_word_about_pkce_nobody_is_asked_at_a_server_of_2025_03_26_either() {
    let document = "https://mcp.example/.well-known/oauth-authorization-server";
    for methods in [Value::Null, json!([]), json!(["plain"])] {
        let mut world = world(|site| {
            site.challenge = "Bearer".to_owned();
            site.documents.clear();
            let server = Server::new("https://mcp.example");
            site.documents.insert(document.to_owned(), server.document());
            site.change(document, &json!({ "code_challenge_methods_supported": methods }));
            site.servers = vec![server];
        });
        let failure = world.call("tools/list").expect_err("a refusal");
        assert_eq!(failure.check, "code_challenge_methods_supported", "{methods}");
        assert!(world.prompts.is_empty() && world.registrations().is_empty());
    }
}

#[test]
fn a_server_of_2025_03_26_that_publishes_nothing_has_the_usual_endpoints() {
    let mut world = world(|site| {
        site.challenge = "Bearer".to_owned();
        site.documents.clear();
        site.servers = vec![Server::new("https://mcp.example")];
    });
    world.call("tools/list").expect("a login");
    assert!(world.prompts[0].url.expose().starts_with("https://mcp.example/authorize?"));
    assert_eq!(world.tokens().len(), 1);
    assert_eq!(world.registrations().len(), 1);
    // The token is renewed at the same place.
    world.pass(3595);
    world.call("tools/list").expect("a refresh");
    assert_eq!(world.tokens()[1]["grant_type"], "refresh_token");
}

#[test]
fn the_fallback_of_2025_03_26_can_be_turned_off() {
    let mut site = Site::new();
    site.challenge = "Bearer".to_owned();
    site.documents.clear();
    let mut world = World::new(site, Settings { legacy: false, ..interactive() });
    let failure = world.call("tools/list").expect_err("a refusal");
    assert_eq!((failure.step, failure.check), (LoginStep::ResourceMetadata, "document"));
    assert!(failure.message.contains(PRM) && failure.message.contains("auth.issuer"));
}

#[test]
fn a_server_in_trouble_is_not_taken_for_an_old_one() {
    let trouble = |change: &dyn Fn(&mut World)| {
        let mut world = world(|site| site.documents.clear());
        change(&mut world);
        let failure = world.call("tools/list").expect_err("trouble");
        assert!(world.prompts.is_empty());
        failure
    };
    let failure = trouble(&|world| {
        drop(world.site.borrow_mut().answers.insert(ROOT.into(), answer(503, &Value::Null)));
    });
    assert!(failure.retryable() && failure.message.contains("answered 503"), "{failure}");
    let down = Fault::Unreachable("connection refused".into());
    let failure = trouble(&move |world| drop(world.faults.insert(ROOT.into(), down.clone())));
    assert!(failure.retryable() && failure.message.contains("connection refused"), "{failure}");
    let failure = trouble(&|world| drop(world.faults.insert(ROOT.into(), Fault::TimedOut)));
    assert_eq!(failure.cause, Cause::TimedOut);
}

#[test]
fn a_page_for_everything_is_no_document() {
    let page =
        Answer { status: 200, headers: Vec::new(), body: b"<!doctype html><title>App</title>".to_vec() };
    let mut world = world(|site| {
        site.challenge = "Bearer".to_owned();
        let document = site.documents.remove(PRM).expect("there");
        site.documents.insert(ROOT.to_owned(), document);
        site.answers.insert(PRM.to_owned(), page);
    });
    world.call("tools/list").expect("a login");
    assert_eq!(world.documents(), [PRM, ROOT, AS_DOCUMENT]);
}

#[test]
fn a_place_that_refuses_is_told_with_its_status() {
    let refusal = Answer { status: 403, headers: Vec::new(), body: b"Forbidden".to_vec() };
    let mut world = world(|site| {
        site.documents.remove(AS_DOCUMENT);
        site.answers.insert(AS_DOCUMENT.to_owned(), refusal);
    });
    let failure = world.call("tools/list").expect_err("no metadata");
    assert_eq!(
        failure.message,
        "the authorization server 'https://as.example' publishes no metadata at \
         https://as.example/.well-known/oauth-authorization-server (which answered 403), \
         https://as.example/.well-known/openid-configuration"
    );
}

fn redirect(to: &str) -> Answer {
    Answer { status: 302, headers: vec![("Location".into(), to.into())], body: Vec::new() }
}

#[test]
fn documents_may_be_redirected_a_few_times_and_every_hop_is_checked() {
    let to = |hop: &'static str| {
        world(move |site| {
            site.answers.insert(PRM.to_owned(), redirect(hop));
            let document = site.documents.remove(PRM).expect("there");
            site.documents.insert("https://cdn.example/prm".to_owned(), document);
        })
    };
    to("https://cdn.example/prm").call("tools/list").expect("a login");
    for (hop, check) in [
        ("http://cdn.example/prm", "redirect"),
        ("https://10.0.0.1/prm", "public address"),
        ("https://169.254.169.254/latest/meta-data", "public address"),
        ("file:///etc/passwd", "redirect"),
    ] {
        let mut world = to(hop);
        let failure = world.call("tools/list").expect_err(hop);
        assert_eq!(failure.check, check, "{hop}");
        let host = crate::protocol::address::Address::parse(hop).map(|place| place.origin().host.clone());
        assert!(
            world.requests.iter().all(|it| Ok(&it.url.origin().host) != host.as_ref()),
            "{hop} was asked"
        );
    }
    let mut world = world(|site| {
        site.answers.insert(PRM.to_owned(), redirect("/.well-known/oauth-protected-resource/mcp"));
        site.documents.clear();
    });
    let failure = world.call("tools/list").expect_err("a circle");
    assert_eq!(failure.check, "redirect");
    assert!(world.requests.len() <= 6, "{}", world.requests.len());
}

#[test]
fn servers_that_lead_in_a_circle_are_left() {
    let issuers: Vec<String> = (0..4).map(|number| format!("https://as{number}.example/a")).collect();
    let mut world = world(|site| {
        site.change(PRM, &json!({ "authorization_servers": issuers }));
        for (number, issuer) in issuers.iter().enumerate() {
            let place = crate::protocol::address::Address::parse(issuer).expect("an address");
            for url in crate::auth::url_policy::server_documents(&place) {
                for hop in 0..3 {
                    let from =
                        if hop == 0 { url.clone() } else { format!("https://as{number}.example/{hop}") };
                    site.answers.insert(from, redirect(&format!("https://as{number}.example/{}", hop + 1)));
                }
            }
        }
    });
    let failure = world.call("tools/list").expect_err("enough");
    assert_eq!(failure.check, "number of requests");
    assert_eq!(world.requests.len(), 32);
}

#[test]
fn places_inside_are_refused_before_they_are_asked() {
    for url in
        ["http://169.254.169.254/latest", "https://localhost/x", "https://[::1]/x", "http://evil.example/x"]
    {
        let mut world = world(|site| {
            site.challenge = format!("Bearer resource_metadata=\"{url}\"");
            site.documents.clear();
        });
        let failure = world.call("tools/list").expect_err(url);
        assert_eq!(failure.step, LoginStep::ResourceMetadata, "{url}");
        assert!(world.requests.iter().all(|it| it.url.origin().host == "mcp.example"), "{url}");
    }
    let mut world =
        world(|site| site.change(PRM, &json!({ "authorization_servers": ["https://192.168.1.1"] })));
    assert_eq!(world.call("tools/list").expect_err("inside").check, "public address");
    let mut world = self::world(|_| {});
    world.call("tools/list").expect("a login");
    for request in &world.requests {
        assert_eq!(request.refuse_private, request.url.origin().host != "mcp.example", "{}", request.url);
    }
}

#[test]
fn a_name_that_leads_inside_is_told_with_its_address() {
    let mut world = world(|_| {});
    world.faults.insert(AS.to_owned(), Fault::Private("10.0.0.7".parse().expect("an address")));
    let failure = world.call("tools/list").expect_err("inside");
    assert_eq!(failure.check, "public address");
    assert!(failure.message.contains("10.0.0.7") && failure.message.contains("auth.allow_private_addresses"));
}

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
