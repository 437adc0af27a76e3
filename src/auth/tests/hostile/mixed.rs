//! A metadata document with the endpoints of two servers (mix-up, RFC 9700, section 4.4): a code or a secret of the one would go to
//! the other.

use super::*;
use crate::auth::failure::Failure;
use crate::auth::settings::Identity;

const OTHER: &str = "https://other.example";

/// A login where the honest server's own document has these members, by a person who never answers.
fn login(members: &Value, identity: Identity) -> (World, Result<(), Failure>) {
    let mut site = Site::new();
    site.change(AS_DOCUMENT, members);
    let mut world = World::new(site, crate::auth::settings::Settings { identity, ..interactive() });
    world.person = Person::Ignores;
    let outcome = world.call("tools/list");
    (world, outcome)
}

#[test]
fn a_code_of_a_third_server_is_not_asked_for_unless_its_answer_says_whose_it_is() {
    for name in ["authorization_endpoint", "registration_endpoint"] {
        let mixed = json!({ name: format!("{OTHER}/authorize") });
        let (world, outcome) = login(&mixed, Identity::default());
        let failure = outcome.expect_err("it would be sent to another");
        assert_eq!((failure.step, failure.check), (LoginStep::ServerMetadata, "endpoints"), "{name}");
        assert_eq!(failure.values, Some((AS.to_owned(), OTHER.to_owned())));
        assert!(failure.message.contains(name) && failure.message.contains("'auth.issuer'"), "{failure}");
        assert!(!failure.message.contains("  "), "{failure}");
        assert!(world.prompts.is_empty() && world.registrations().is_empty());
        // The application vouches for it.
        let named =
            Identity { issuer: Some(AS.to_owned()), client_id: Some("own".into()), ..Identity::default() };
        let (world, _) = login(&mixed, named);
        assert_eq!(world.prompts.len(), 1, "{name}");
    }
    // Where each answer names its server, the code of another is noticed before it is sent (RFC 9207).
    let says = json!({
        "authorization_endpoint": format!("{OTHER}/authorize"),
        "authorization_response_iss_parameter_supported": true,
    });
    let (mut world, _) = login(&says, Identity::default());
    assert_eq!(world.prompts.len(), 1);
    let state = world.prompted("state").expect("a state");
    for iss in ["", "&iss=https%3A%2F%2Fother.example"] {
        let _ = world.auth.complete(&format!("?code=c&state={state}{iss}"), world.now);
        world.pump();
        assert!(world.tokens().is_empty(), "{iss}");
    }
}

#[test]
fn an_issuer_may_have_its_token_endpoint_elsewhere() {
    for members in [
        json!({ "token_endpoint": format!("{OTHER}/token") }),
        json!({
            "authorization_endpoint": format!("{OTHER}/authorize"),
            "token_endpoint": format!("{OTHER}/token"),
        }),
    ] {
        let (world, _) = login(&members, Identity::default());
        assert_eq!(world.prompts.len(), 1, "{members}: {:?}", world.failures);
    }
}
