//! What `auth` may say, and what it may not.

use super::*;
use crate::auth::{Algorithm, Dpop, KeyOf, SubjectType};
use crate::runtime::http::authenticator::Store;
use serde_json::json;

const ISSUER: &str = "https://as.example";

fn read(value: &Value) -> Result<Option<AuthConfig>, Error> {
    parse(value.as_object().expect("an object"))
}

fn settings(value: &Value) -> Settings {
    read(value).expect("valid").expect("some").settings
}

fn refusal(value: &Value) -> String {
    read(value).expect_err("a refusal").message
}

#[test]
fn nothing_means_a_person_and_a_listener_of_the_library() {
    let GrantKind::Interactive { redirect } = settings(&json!({})).grant else { panic!("another grant") };
    assert_eq!(redirect, Redirect { uri: None, listen: true });
    assert!(read(&json!({ "type": "none" })).expect("valid").is_none());
    let directory = std::env::temp_dir().join("tokens");
    let config = read(&json!({ "store_directory": directory.to_str() })).expect("valid").expect("some");
    assert_eq!(config.store, Store::Directory(directory));
    let config = read(&json!({ "store": "application" })).expect("valid").expect("some");
    assert_eq!(config.store, Store::Application);
}

#[test]
fn every_way_is_read() {
    let credentials = settings(
        &json!({ "type": "client_credentials", "client_id": "a", "client_secret": "s", "issuer": ISSUER }),
    );
    assert!(matches!(credentials.grant, GrantKind::ClientCredentials));
    let enterprise = settings(&json!({
        "type": "enterprise", "client_id": "a", "client_secret": "s", "issuer": ISSUER,
        "enterprise": { "token_endpoint": "https://idp/token", "client_id": "b", "subject": "id-token" },
    }));
    let GrantKind::Enterprise(enterprise) = enterprise.grant else { panic!("another grant") };
    assert_eq!((enterprise.method, enterprise.subject_type), (AuthMethod::None, SubjectType::IdToken));
    let workload = settings(&json!({ "type": "workload", "assertion_file": "/run/token", "issuer": ISSUER }));
    assert!(
        matches!(workload.grant, GrantKind::Workload { assertion: Source::File(path) } if path == "/run/token")
    );
    let signed = settings(&json!({
        "type": "client_credentials", "client_id": "a", "signer": "application", "signing_algorithm": "RS256",
        "key_id": "k", "issuer": ISSUER,
    }));
    let key = signed.identity.key.expect("a key");
    assert!(matches!(key.key, KeyOf::Application(Algorithm::Rs256)) && key.id.as_deref() == Some("k"));
    let bearer = settings(&json!({ "type": "bearer" }));
    assert!(matches!(bearer.grant, GrantKind::Bearer { token: Source::Application }));
}

#[test]
fn limits_and_permissions_are_read() {
    let read = settings(&json!({
        "scopes": ["a b", "c"], "dpop": "always", "legacy": false, "allow_private_addresses": true,
        "allow_http": true, "limit_ms": 1000, "patience_ms": 2000, "step_ups": 0,
    }));
    assert_eq!(read.scopes.map(|scopes| scopes.text()).as_deref(), Some("a b c"));
    assert_eq!((read.dpop, read.legacy, read.step_ups), (Dpop::Always, false, 0));
    assert!(read.url_permissions.private && read.url_permissions.http);
    assert_eq!((read.limit.as_secs(), read.patience.as_secs()), (1, 2));
}

#[test]
fn what_does_not_fit_is_told_with_its_key() {
    for (value, told) in [
        (json!({ "token": "t" }), "'auth.token': it belongs to \"type\":\"bearer\""),
        (json!({ "client_idd": "a" }), "did you mean 'auth.client_id'?"),
        (json!({ "type": "client_credentials", "client_id": "a" }), "'auth.client_secret'"),
        (json!({ "type": "client_credentials", "client_secret": "a" }), "'auth.client_id'"),
        (json!({ "type": "enterprise", "client_id": "a" }), "'auth.enterprise.token_endpoint'"),
        (json!({ "client_metadata_url": "https://a.example" }), "https URL with a path"),
        (json!({ "redirect_uri": "javascript:alert(1)" }), "'auth.redirect_uri'"),
        (json!({ "redirect_uri": "http://a.example/x" }), "http is for this machine only"),
        (json!({ "redirect_uri": "https://a.example/x", "listen": true }), "listens at http://127.0.0.1"),
        (json!({ "redirect_uri": "com.example.app:/x", "listen": true }), "no library can listen"),
        (json!({ "listen": false }), "'auth.redirect_uri'"),
        (json!({ "issuer": "nothing" }), "'auth.issuer'"),
        (json!({ "store_directory": "tokens" }), "absolute"),
        (json!({ "store_directory": "/tokens", "store": "application" }), "one of them must go"),
        (json!({ "dpop_key": { "kty": "EC", "d": "AAAA" } }), "private half"),
        (json!({ "token_endpoint_auth_method": "private_key_jwt" }), "'auth.private_key'"),
        (json!({ "private_key": "x", "private_key_file": "y" }), "one of them must go"),
        (json!({ "signer": "application" }), "'auth.signing_algorithm'"),
        (json!({ "signer": "application", "signing_algorithm": "PS256" }), "'auth.signing_algorithm'"),
        (json!({ "signer": "me", "signing_algorithm": "ES256" }), "'auth.signer'"),
        (json!({ "signer": "application", "private_key": "x" }), "a private key is there as well"),
        (json!({ "private_key_file": "/nothing/there" }), "cannot be read"),
        (json!({ "type": "bearer", "token": "a", "token_file": "b" }), "one of them must go"),
    ] {
        let message = refusal(&value);
        assert!(message.contains(told), "{value}: {message}");
    }
}

#[test]
fn no_error_shows_a_secret() {
    for key in ["client_secret", "private_key"] {
        for value in [json!(["hunter2"]), json!({ "hunter2": 1 })] {
            let mut object = Map::new();
            object.insert("client_id".to_owned(), "a".into());
            object.insert(key.to_owned(), value);
            let error = parse(&object).expect_err("a refusal");
            assert!(!format!("{error:?}").contains("hunter2"));
        }
    }
    let message = refusal(&json!({ "client_id": "a", "private_key": "-----BEGIN PRIVATE KEY-----hunter2" }));
    assert!(!message.contains("hunter2"));
    let config = settings(&json!({ "client_id": "a", "client_secret": "hunter2", "issuer": ISSUER }));
    assert!(!format!("{config:?}").contains("hunter2"));
}

#[test]
fn a_key_is_of_the_kind_that_was_said() {
    let pem = include_str!("../../../auth/test_keys/rsa_pkcs8.pem");
    let with = |algorithm: &str| json!({ "client_id": "a", "issuer": ISSUER, "private_key": pem, "key_id": "k", "signing_algorithm": algorithm });
    let key = settings(&with("RS256")).identity.key.expect("a key");
    assert_eq!(key.id.as_deref(), Some("k"));
    assert!(refusal(&with("ES256")).contains("signs RS256, not ES256"));
}

#[test]
fn what_shows_who_we_are_needs_the_issuer_that_it_is_for() {
    let pem = include_str!("../../../auth/test_keys/rsa_pkcs8.pem");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/auth/test_keys/rsa_pkcs8.pem");
    for (key, value) in [
        ("client_secret", json!({ "client_id": "a", "client_secret": "hunter2" })),
        (
            "client_secret",
            json!({ "type": "client_credentials", "client_id": "a", "client_secret": "hunter2" }),
        ),
        ("private_key", json!({ "type": "client_credentials", "client_id": "a", "private_key": pem })),
        ("private_key_file", json!({ "client_id": "a", "private_key_file": file })),
        (
            "private_key",
            json!({ "client_metadata_url": "https://app.example/client.json", "private_key": pem }),
        ),
        ("signer", json!({ "client_id": "a", "signer": "application", "signing_algorithm": "ES256" })),
        (
            "client_secret",
            json!({
                "type": "enterprise", "client_id": "a", "client_secret": "hunter2",
                "enterprise": { "token_endpoint": "https://idp.example/token", "client_id": "b" },
            }),
        ),
        ("assertion", json!({ "type": "workload", "assertion": "hunter2" })),
        ("assertion_file", json!({ "type": "workload", "assertion_file": "/run/token" })),
    ] {
        let message = refusal(&value);
        for told in ["'auth.issuer': it is missing", &format!("'auth.{key}'"), "\"allow_any_issuer\":true"] {
            assert!(message.contains(told), "{value}: {message}");
        }
        assert!(!message.contains("hunter2") && !message.contains("PRIVATE"), "{message}");
        let mut with = value.clone();
        with["issuer"] = ISSUER.into();
        let found = settings(&with).identity;
        assert_eq!((found.issuer.as_deref(), found.any_issuer), (Some(ISSUER), false));
        let mut any = value.clone();
        any["allow_any_issuer"] = true.into();
        assert!(settings(&any).identity.any_issuer);
        any["allow_any_issuer"] = false.into();
        assert!(refusal(&any).contains("'auth.issuer': it is missing"));
        with["allow_any_issuer"] = true.into();
        assert!(refusal(&with).contains("one of them must go"));
    }
    // These show nothing that another could use: a public client, and what the application makes for the server that it is told.
    for value in [
        json!({ "client_id": "a" }),
        json!({ "type": "workload" }),
        json!({ "type": "bearer", "token": "t" }),
    ] {
        assert!(read(&value).is_ok(), "{value}");
    }
}
