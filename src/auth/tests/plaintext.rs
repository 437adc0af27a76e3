//! A server over plain http on another machine: everyone on the way would read a token, and could answer in the server's name.

use super::site::{MCP, PRM};
use super::world::{address, interactive};
use crate::auth::settings::{GrantKind, Settings, Source};
use crate::auth::url_policy::UrlPermissions;
use crate::auth::{Access, Authorizer, Challenges, LoginStep, Refusal, Secret, Timestamp, Verdict};
use std::time::Instant;

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
