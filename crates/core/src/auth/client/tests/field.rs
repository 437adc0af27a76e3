//! Servers as they are in use: their documents, challenges and token endpoints, and servers over `http`.

use super::world::{World, address, interactive};
use crate::auth::client::settings::{GrantKind, Identity, Settings, Source};
use crate::auth::http::Answer;
use crate::auth::url_policy::UrlPermissions;
use crate::auth::{Access, Authorizer, Challenges, LoginStep, Refusal, Secret, Timestamp, Verdict};
use crate::testing::site::{AS, AS_DOCUMENT, MCP, PRM, Server, Site, answer, error};
use serde_json::{Value, json};
use std::time::Instant;

const ROOT: &str = "https://mcp.example/.well-known/oauth-protected-resource";
const CUSTOM: &str = "https://mcp.example/custom";

/// The document of the MCP server at a place that only the challenge can tell.
fn at_a_place_of_its_own(challenge: &str) -> Site {
    let mut site = Site::new();
    let document = site.documents.remove(PRM).expect("there");
    site.documents.insert(CUSTOM.to_owned(), document);
    site.challenge = challenge.to_owned();
    site
}

#[test]
fn challenges_as_servers_write_them_lead_to_the_document() {
    for challenge in [
        format!("Bearer resource_metadata={CUSTOM}"),
        format!("bearer realm=\"a, b\", resource_metadata=\"{CUSTOM}\", error=\"invalid_token\""),
        format!("Basic realm=\"x\", Bearer resource_metadata=\"{CUSTOM}\""),
        format!("Negotiate, Bearer error=\"x\\\"y\", resource_metadata = \"{CUSTOM}\""),
        format!("Bearer realm=\"\",,resource_metadata=\"{CUSTOM}\""),
        format!("Bearer Resource_Metadata='{CUSTOM}'"),
        format!("Bearer resource_metadata=\" {CUSTOM} \""),
        "Bearer resource_metadata=\"/custom\"".to_owned(),
        "Bearer resource_metadata=\"custom\"".to_owned(),
        format!(
            "Digest realm=\"r\", nonce=\"n=\", DPoP algs=\"ES256\", Bearer resource_metadata=\"{CUSTOM}\""
        ),
    ] {
        let mut world = World::new(at_a_place_of_its_own(&challenge), interactive());
        let result = world.call("tools/list");
        assert!(result.is_ok(), "{challenge}: {result:?}");
        assert_eq!(world.documents(), [CUSTOM, AS_DOCUMENT], "{challenge}");
    }
}

/// How a site differs from the usual one.
type Change = fn(&mut Site);

#[test]
fn every_login_that_was_reported_ends_as_the_page_says() {
    for row in crate::testing::field::rows("logins.toml") {
        let mut site = Site::new();
        for (document, key) in [(PRM, "resource"), (AS_DOCUMENT, "metadata")] {
            if let Some(text) = row.get(key) {
                site.change(document, &serde_json::from_str(text).expect("JSON"));
            }
        }
        let mut world = World::new(site, interactive());
        let result = world.call("tools/list");
        match row.get("refused") {
            None => assert!(result.is_ok(), "{}: {result:?}", row.name()),
            Some(text) => {
                let failure = result.expect_err("a refusal");
                assert!(
                    failure.message.contains(text) && world.prompts.is_empty(),
                    "{}: {failure}",
                    row.name()
                );
            }
        }
    }
}

#[test]
fn documents_as_servers_write_them_are_read() {
    let tenant = "https://as.example/tenant";
    let cases: [(&str, Change); 15] = [
        ("texts in place of lists", |site| {
            let lists = json!({
                "code_challenge_methods_supported": "plain S256",
                "token_endpoint_auth_methods_supported": "none",
                "scopes_supported": "read write",
            });
            site.change(AS_DOCUMENT, &lists);
            site.change(PRM, &json!({ "scopes_supported": "read" }));
        }),
        ("an empty list of methods", |site| {
            site.change(AS_DOCUMENT, &json!({ "token_endpoint_auth_methods_supported": [] }));
        }),
        ("nulls in the metadata", |site| {
            let document = site.documents.get_mut(AS_DOCUMENT).expect("there");
            for name in [
                "response_types_supported",
                "scopes_supported",
                "grant_types_supported",
                "jwks_uri",
                "token_endpoint_auth_methods_supported",
                "revocation_endpoint",
                "device_authorization_endpoint",
            ] {
                document[name] = Value::Null;
            }
        }),
        ("empty texts in the metadata", |site| {
            let empty =
                json!({ "jwks_uri": "", "revocation_endpoint": "", "device_authorization_endpoint": "" });
            site.change(AS_DOCUMENT, &empty);
        }),
        ("no response types", |site| site.change(AS_DOCUMENT, &json!({ "response_types_supported": null }))),
        ("one authorization server, and no list", |site| {
            site.change(PRM, &json!({ "authorization_servers": AS }));
        }),
        ("no authorization servers", |site| {
            site.change(PRM, &json!({ "authorization_servers": null }));
            let own = Server { base: AS.to_owned(), ..Server::new("https://mcp.example") };
            let document = own.document();
            site.servers = vec![own];
            site.documents
                .insert("https://mcp.example/.well-known/oauth-authorization-server".to_owned(), document);
        }),
        ("a resource above the server", |site| {
            site.change(PRM, &json!({ "resource": "https://mcp.example/" }));
        }),
        ("a resource with a slash", |site| site.change(PRM, &json!({ "resource": format!("{MCP}/") }))),
        ("JSON for every path that is not there", |site| {
            let document = site.documents.remove(PRM).expect("there");
            site.challenge = "Bearer".to_owned();
            site.answers.insert(PRM.to_owned(), answer(200, &json!({ "message": "Not Found" })));
            site.documents.insert(ROOT.to_owned(), document);
            let document = site.documents.remove(AS_DOCUMENT).expect("there");
            site.answers.insert(AS_DOCUMENT.to_owned(), answer(200, &json!({ "message": "Not Found" })));
            site.documents.insert(format!("{AS}/.well-known/openid-configuration"), document);
        }),
        ("the root's metadata at the path of a tenant", |site| {
            let server = Server::new("https://as.example/tenant");
            site.documents.insert(format!("{AS_DOCUMENT}/tenant"), Server::new(AS).document());
            site.documents.insert(
                "https://as.example/tenant/.well-known/openid-configuration".to_owned(),
                server.document(),
            );
            site.change(PRM, &json!({ "authorization_servers": [server.issuer] }));
            site.servers = vec![server];
        }),
        ("metadata below the path of a tenant", |site| {
            let server = Server::new("https://as.example/tenant");
            let place = "https://as.example/tenant/.well-known/oauth-authorization-server";
            site.documents.insert(place.to_owned(), server.document());
            site.change(PRM, &json!({ "authorization_servers": [server.issuer] }));
            site.servers = vec![server];
        }),
        ("an issuer with a slash", |site| {
            let server = Server::new("https://as.example/tenant/");
            site.documents.insert(format!("{AS_DOCUMENT}/tenant"), server.document());
            site.change(PRM, &json!({ "authorization_servers": [server.issuer] }));
            site.servers = vec![server];
        }),
        ("a byte order mark", |site| {
            let document = site.documents.remove(AS_DOCUMENT).expect("there");
            let body = format!("\u{feff}{document}").into_bytes();
            site.answers.insert(AS_DOCUMENT.to_owned(), Answer { status: 200, headers: Vec::new(), body });
        }),
        ("the issuer in the answer", |site| {
            site.change(AS_DOCUMENT, &json!({ "authorization_response_iss_parameter_supported": true }));
            site.server().iss = crate::testing::site::Iss::Is(AS.to_owned());
        }),
    ];
    for (what, change) in cases {
        let mut site = Site::new();
        change(&mut site);
        let mut world = World::new(site, interactive());
        let result = world.call("tools/list");
        assert!(result.is_ok(), "{what}: {result:?}");
        assert_eq!(world.prompts.len(), 1, "{what}");
    }
    // Where no place has the right one, the first that was wrong is told.
    let mut site = Site::new();
    site.change(PRM, &json!({ "authorization_servers": [tenant] }));
    site.documents.insert(format!("{AS_DOCUMENT}/tenant"), Server::new(AS).document());
    let failure = World::new(site, interactive()).call("tools/list").expect_err("another issuer");
    assert_eq!((failure.step, failure.check), (LoginStep::ServerMetadata, "issuer"));
    assert!(failure.message.contains("oauth-authorization-server/tenant"), "{failure}");
}

fn form(body: &str) -> Answer {
    let headers =
        vec![("Content-Type".to_owned(), "application/x-www-form-urlencoded; charset=utf-8".to_owned())];
    Answer { status: 200, headers, body: body.as_bytes().to_vec() }
}

/// The life of a token as servers write it: for how many seconds it is sent, at most; none for one without an end.
#[test]
fn the_life_of_a_token_is_read_however_it_is_written() {
    let cases: [(Value, Option<u64>); 18] = [
        (json!(3600), Some(3600)),
        (json!("3600"), Some(3600)),
        (json!(" 3600 "), Some(3600)),
        (json!(3600.0), Some(3600)),
        (json!("3600.5"), Some(3600)),
        (json!(1), Some(1)),
        (json!(0), None),
        (json!("0"), None),
        (json!(0.4), None),
        (json!(-1), None),
        (json!("-1"), None),
        (json!(null), None),
        (json!(""), None),
        (json!("never"), None),
        (json!(true), None),
        (json!([3600]), None),
        (json!(1e300), None),
        (json!(u64::MAX), None),
    ];
    for refreshed in [false, true] {
        for (written, life) in &cases {
            let mut site = Site::new();
            let what = format!("{written}, refreshed: {refreshed}");
            let good = |token: &str| {
                answer(
                    200,
                    &json!({ "access_token": token, "token_type": "BEARER", "expires_in": written, "refresh_token": "again" }),
                )
            };
            let known = crate::testing::site::Issued {
                issuer: AS.to_owned(),
                scope: String::new(),
                client: String::new(),
                resource: None,
                bound: false,
            };
            site.tokens.insert("mine".to_owned(), known);
            site.server().token_faults = if refreshed {
                vec![
                    answer(
                        200,
                        &json!({ "access_token": "old", "expires_in": 60, "refresh_token": "again" }),
                    ),
                    good("mine"),
                ]
            } else {
                vec![good("mine")]
            };
            if refreshed {
                let issued = site.tokens["mine"].clone();
                site.tokens.insert("old".to_owned(), issued);
            }
            let mut world = World::new(site, interactive());
            world.call("tools/list").expect(&what);
            if refreshed {
                world.pass(55);
                world.call("tools/list").expect(&what);
            }
            let requests = world.tokens().len();
            // It was sent: from now on its life counts.
            world.pass(life.map_or(10 * 365 * 86_400, |life| life / 2));
            world.call("tools/list").expect(&what);
            assert_eq!(world.tokens().len(), requests, "{what}");
            if let Some(life) = life {
                world.pass(life - life / 2);
                // Which is answered as always.
                let _renewed = world.call("tools/list");
                assert!(world.tokens().len() > requests, "{what}");
            }
        }
    }
}

#[test]
fn refreshes_in_a_row_are_bounded_though_each_token_ends_at_once() {
    let mut site = Site::new();
    site.server().expires_in = Some(1);
    let mut world = World::new(site, interactive());
    for number in 0..10 {
        // A request, or the way to it, takes longer than its token lasts.
        world.call("tools/list").expect("a token is sent once, whatever is said of its life");
        world.pass(5);
        assert_eq!(world.tokens().len(), number + 1, "one refresh for each request");
    }
    // The clock jumps a year ahead, and back before the token was made.
    for jump in [365 * 86_400_i64, -2 * 365 * 86_400] {
        world.now.unix = world.now.unix.saturating_add_signed(jump);
        let before = world.tokens().len();
        for _ in 0..5 {
            world.call("tools/list").expect("a token");
        }
        assert!(world.tokens().len() - before <= 5 && world.prompts.len() == 1, "{jump}");
    }
}

#[test]
fn token_answers_as_servers_write_them_are_taken() {
    for (what, said) in [
        ("no type", answer(200, &json!({ "access_token": "mine" }))),
        ("an empty type", answer(200, &json!({ "access_token": "mine", "token_type": "" }))),
        (
            "no type but null",
            answer(
                200,
                &json!({ "access_token": "mine", "token_type": null, "scope": null, "refresh_token": null }),
            ),
        ),
        (
            "another case",
            answer(201, &json!({ "access_token": "mine", "token_type": "bEARER", "refresh_token": "" })),
        ),
        ("no error", answer(200, &json!({ "access_token": "mine", "error": null }))),
        ("a form", form("access_token=mine&scope=repo%2Cgist&token_type=bearer&expires_in=28800")),
    ] {
        let mut site = Site::new();
        let issued = crate::testing::site::Issued {
            issuer: AS.to_owned(),
            scope: String::new(),
            client: String::new(),
            resource: None,
            bound: false,
        };
        site.tokens.insert("mine".to_owned(), issued);
        site.server().token_faults = vec![said];
        let mut world = World::new(site, interactive());
        let result = world.call("tools/list");
        assert!(result.is_ok(), "{what}: {result:?}");
    }
    for (said, code, told) in [
        (
            answer(200, &json!({ "error": "bad_verification_code", "error_description": "it is over" })),
            Some("bad_verification_code"),
            "it is over",
        ),
        (
            form("error=incorrect_client_credentials&error_description=The+client+is+wrong."),
            Some("incorrect_client_credentials"),
            "The client is wrong.",
        ),
        (answer(400, &json!({ "error": { "code": 7, "message": "closed" } })), None, "closed"),
        (answer(400, &json!({ "message": "the cashier is closed" })), None, "the cashier is closed"),
    ] {
        let mut site = Site::new();
        site.server().token_faults = vec![said];
        let failure = World::new(site, interactive()).call("tools/list").expect_err(told);
        assert_eq!((failure.step, failure.code.as_deref()), (LoginStep::Token, code), "{told}");
        assert!(failure.message.contains(told), "{failure}");
    }
}

/// How a server wants its clients to prove themselves, and what its metadata says of that.
#[test]
fn a_client_proves_itself_where_the_server_looks() {
    let basic = "client_secret_basic";
    let with_id = "client_secret_basic and client_id";
    let post = "client_secret_post";
    for (offered, wanted, requests) in [
        (None, basic, 1),
        (Some(json!([basic])), basic, 1),
        (Some(json!([post])), post, 1),
        (Some(json!([post, basic])), basic, 1),
        (Some(json!([])), basic, 1),
        (Some(json!([])), post, 2),
        (Some(json!(["tls_client_auth"])), basic, 0),
        (None, post, 2),
        (None, with_id, 3),
        (Some(json!([basic])), with_id, 3),
        (Some(json!([post])), basic, 2),
        (Some(json!([post])), with_id, 3),
    ] {
        let what = format!("{offered:?} is offered, {wanted} is wanted");
        let mut site = Site::new();
        // What a form has to encode, on both sides of the colon.
        site.server().clients.insert("my:app".into(), Some("p@ss w+rd%".into()));
        site.server().method = Some(wanted.into());
        site.change(AS_DOCUMENT, &json!({ "token_endpoint_auth_methods_supported": offered }));
        let identity = Identity {
            client_id: Some("my:app".into()),
            client_secret: Some(Secret::new("p@ss w+rd%")),
            issuer: Some(AS.into()),
            ..Identity::default()
        };
        let settings = Settings { grant: GrantKind::ClientCredentials, identity, ..Settings::default() };
        let mut world = World::new(site, settings);
        let result = world.call("tools/list");
        assert_eq!((result.is_ok(), world.tokens().len()), (requests > 0, requests), "{what}: {result:?}");
    }
    // What servers call a client that they look for elsewhere.
    let incomplete = json!({ "error": "invalid_request", "error_description": "client_id: Field required" });
    for (unproven, requests) in [
        (error(401, "unauthorized_client"), 2),
        (error(401, "server_error"), 2),
        (error(400, "invalid_client"), 2),
        (answer(400, &incomplete), 2),
        (error(400, "invalid_request"), 1),
        (error(400, "unauthorized_client"), 1),
        (error(401, "invalid_grant"), 1),
    ] {
        let mut site = Site::new();
        site.server().clients.insert("mine".into(), Some("s3cret".into()));
        site.server().method = Some(post.into());
        site.server().unproven = unproven.clone();
        let identity = Identity {
            client_id: Some("mine".into()),
            client_secret: Some(Secret::new("s3cret")),
            issuer: Some(AS.into()),
            ..Identity::default()
        };
        let mut world = World::new(site, Settings { identity, ..interactive() });
        let result = world.call("tools/list");
        assert_eq!(
            (result.is_ok(), world.tokens().len()),
            (requests == 2, requests),
            "{unproven:?}: {result:?}"
        );
        assert_eq!(world.prompts.len(), 1, "{unproven:?}");
        if result.is_ok() {
            // From now on it goes where it was taken.
            world.pass(3595);
            world.call("tools/list").expect("renewed");
            assert_eq!(world.tokens().len(), requests + 1, "{unproven:?}");
        }
    }
    // A registration that has a secret and says that it needs none.
    let mut site = Site::new();
    site.server().clients.insert("odd".into(), Some("s3cret".into()));
    site.server().method = Some(post.into());
    let registered =
        json!({ "client_id": "odd", "client_secret": "s3cret", "token_endpoint_auth_method": "none" });
    site.server().register_faults = vec![answer(201, &registered)];
    let mut world = World::new(site, interactive());
    world.call("tools/list").expect("with its secret");
    assert_eq!((world.tokens().len(), world.prompts.len()), (2, 1));
}

fn bearer() -> Settings {
    Settings { grant: GrantKind::Bearer { token: Source::Text(Secret::new("t")) }, ..Settings::default() }
}

fn now() -> Timestamp {
    Timestamp { at: Instant::now(), unix: 1_800_000_000 }
}

fn refused(auth: &mut Authorizer) -> Verdict {
    let challenges = Challenges::parse([format!("Bearer resource_metadata=\"{PRM}\"").as_str()]);
    let refusal = Refusal {
        status: 401,
        challenges,
        nonce: None,
        peer: None,
        generation: 0,
        operation: "tools/list",
        refusals: 1,
    };
    auth.refused(&refusal, now())
}

#[test]
fn no_token_goes_over_plain_http_to_another_machine() {
    for url in [
        "http://mcp.example/mcp",
        "http://10.0.0.5:8080/mcp",
        "http://192.168.1.5/mcp",
        "http://[2001:db8::1]/mcp",
        "http://127.0.0.1.mcp.example/mcp",
        "http://localhost.mcp.example/mcp",
    ] {
        let place = address(url);
        let mut auth = Authorizer::new(bearer(), &place);
        let Access::Failed(failure) = auth.access("POST", &place, now()) else {
            panic!("{url} gets the token")
        };
        assert_eq!((failure.step, failure.check), (LoginStep::Access, "https"));
        assert!(
            failure.message.contains("'auth.allow_http'") && failure.message.contains("https"),
            "{failure}"
        );
        for grant in [
            GrantKind::Bearer { token: Source::Application },
            GrantKind::Bearer { token: Source::File("/run/token".to_owned()) },
        ] {
            let mut auth = Authorizer::new(Settings { grant, ..Settings::default() }, &place);
            assert!(matches!(auth.access("POST", &place, now()), Access::Failed(_)), "{url}");
            assert!(auth.effect().is_none(), "the application is asked for a token that may not be sent");
        }
        // A server that wants no token can be used; one that does leads to no login, and no kept login is read for it.
        let mut auth = Authorizer::new(interactive(), &place);
        assert_eq!(auth.access("POST", &place, now()), Access::Open, "{url}");
        let Verdict::Fail(failure) = refused(&mut auth) else { panic!("a login begins at {url}") };
        assert_eq!((failure.step, failure.check), (LoginStep::Access, "https"));
        assert!(auth.effect().is_none() && auth.deadline().is_none());
    }
}

#[test]
fn on_this_machine_and_where_it_is_permitted_plain_http_is_used() {
    let free = || UrlPermissions { private: false, http: true };
    for (url, url_permissions) in [
        ("http://127.0.0.1:8080/mcp", UrlPermissions::default()),
        ("http://localhost/mcp", UrlPermissions::default()),
        ("http://[::1]:80/mcp", UrlPermissions::default()),
        ("http://mcp.example/mcp", free()),
        ("http://10.0.0.5:8080/mcp", free()),
        (MCP, UrlPermissions::default()),
    ] {
        let place = address(url);
        let mut auth = Authorizer::new(Settings { url_permissions, ..bearer() }, &place);
        assert!(matches!(auth.access("POST", &place, now()), Access::With { .. }), "{url}");
        let mut auth = Authorizer::new(Settings { url_permissions, ..interactive() }, &place);
        assert_eq!(auth.access("POST", &place, now()), Access::Wait, "{url}: what is kept is read");
        assert_eq!(refused(&mut auth), Verdict::Wait, "{url}");
    }
}
