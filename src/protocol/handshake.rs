//! The legacy handshake (2025-11-25 `basic/lifecycle`) and the modern discovery result, as text in and facts out.

use super::given;
use super::revision::Revision;
use crate::json::{self, Kind};

/// What a server said of itself, whichever way the era says it. JSON text, as received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerFacts {
    /// `serverInfo`, an object.
    pub info: Option<String>,
    /// `capabilities`, an object of what is declared: see [`given::capabilities`].
    pub capabilities: Option<String>,
    /// `instructions`, decoded.
    pub instructions: Option<String>,
    /// Whether any of it was not written as it should be.
    pub tolerated: bool,
}

/// The parameters of `initialize`.
pub fn initialize_params(revision: Revision, capabilities: &str, client_info: &str) -> String {
    format!(
        "{{\"protocolVersion\":\"{}\",\"capabilities\":{capabilities},\"clientInfo\":{client_info}}}",
        revision.as_str()
    )
}

/// What the answer to `initialize` means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitializeAnswer {
    /// Both sides speak this revision.
    Agreed(Revision, ServerFacts),
    /// The server wants a revision that we do not speak or were told not to.
    OtherVersion(String),
    /// The result is no `InitializeResult`.
    Invalid(&'static str),
}

/// Reads the result of `initialize`; `allowed` are the revisions the application permits.
pub fn read_initialize(result: &str, allowed: &[Revision]) -> InitializeAnswer {
    if json::kind(result) != Some(Kind::Object) {
        return InitializeAnswer::Invalid("the result is not an object");
    }
    let Some(version) = given::member(result, "protocolVersion") else {
        // It has not refused what it was asked for, and the least is what it is most likely to know.
        let describes =
            ["capabilities", "serverInfo"].iter().any(|name| json::member(result, name).is_some());
        let is_handshake = describes && json::member(result, "supportedVersions").is_none();
        let Some(oldest) = allowed.iter().copied().min().filter(|_| is_handshake) else {
            return InitializeAnswer::Invalid("the result has no 'protocolVersion'");
        };
        let facts = facts(result, given::member(result, "serverInfo"));
        return InitializeAnswer::Agreed(oldest, ServerFacts { tolerated: true, ..facts });
    };
    let Some(version) = json::string(version) else {
        return InitializeAnswer::Invalid("the 'protocolVersion' of the result is no string");
    };
    match Revision::parse(&version) {
        Some(revision) if allowed.contains(&revision) => {
            InitializeAnswer::Agreed(revision, facts(result, given::member(result, "serverInfo")))
        }
        _ => InitializeAnswer::OtherVersion(version.into_owned()),
    }
}

/// The facts in a result that has `capabilities` and `instructions` at its top.
pub(super) fn facts(result: &str, info: Option<&str>) -> ServerFacts {
    let written = json::member(result, "capabilities");
    let (capabilities, tolerated) = given::capabilities(written.unwrap_or("{}"));
    ServerFacts {
        info: info.and_then(given::as_object).map(str::to_owned),
        capabilities: written.map(|_| capabilities),
        instructions: json::member(result, "instructions")
            .and_then(json::string)
            .map(std::borrow::Cow::into_owned),
        tolerated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_revision_that_we_speak_is_agreed() {
        let answer = read_initialize(
            r#"{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}"#,
            &Revision::ALL[..4],
        );
        let InitializeAnswer::Agreed(revision, facts) = answer else { panic!("{answer:?}") };
        assert_eq!(revision, Revision::V2024_11_05);
        assert_eq!(facts.capabilities.as_deref(), Some(r#"{"tools":{}}"#));
    }

    #[test]
    fn a_revision_outside_the_permitted_ones_is_not_agreed() {
        let result = r#"{"protocolVersion":"2024-11-05","capabilities":{}}"#;
        assert_eq!(
            read_initialize(result, &[Revision::V2025_06_18]),
            InitializeAnswer::OtherVersion("2024-11-05".to_owned())
        );
        assert!(matches!(
            read_initialize(r#"{"protocolVersion":"1999-01-01"}"#, &Revision::ALL),
            InitializeAnswer::OtherVersion(_)
        ));
    }

    #[test]
    fn a_result_of_another_shape_is_invalid() {
        assert!(matches!(read_initialize("[]", &Revision::ALL), InitializeAnswer::Invalid(_)));
        assert!(matches!(read_initialize("{}", &Revision::ALL), InitializeAnswer::Invalid(_)));
        assert!(matches!(
            read_initialize(r#"{"protocolVersion":2}"#, &Revision::ALL),
            InitializeAnswer::Invalid(_)
        ));
    }
}
