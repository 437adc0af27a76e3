//! Texts that are discussed for the revision of 2026-12-15, off unless the configuration names them (`draft`). Each may change or be
//! dropped any day, so each is a file of its own here, and what the engines and the transports do for it stands in one file of each.
//!
//! The files:
//!
//! * `digest`: digests of definitions, and the call that expects one
//! * `canonical`: the canonical text of RFC 8785, which digests are made of (server)
//! * `language`: the language that a user prefers
//! * `capabilities`: the capabilities that a tool needs
//! * `errors`: one table of errors: name, code, HTTP status, whether to try again

#[cfg(all(feature = "draft", feature = "server"))]
pub mod canonical;
#[cfg(feature = "draft")]
pub mod capabilities;
#[cfg(feature = "draft")]
pub mod digest;
#[cfg(feature = "draft")]
pub mod errors;
#[cfg(feature = "draft")]
pub mod language;

/// The drafts that are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drafts(u8);

impl Drafts {
    /// Digests of definitions, and calls that expect one.
    pub const DIGEST: Drafts = Drafts(1);
    /// Entity tags of lists and of resources over HTTP.
    pub const ETAG: Drafts = Drafts(2);
    /// HTTP statuses of errors, and what their codes mean for another attempt.
    pub const ERRORS: Drafts = Drafts(4);
    /// The language that a user prefers.
    pub const LANGUAGE: Drafts = Drafts(8);
    /// The capabilities that a tool needs.
    pub const REQUIRED_CAPABILITIES: Drafts = Drafts(16);

    /// What the configuration calls them.
    pub const NAMES: [(&'static str, Drafts); 5] = [
        ("digest", Drafts::DIGEST),
        ("errors", Drafts::ERRORS),
        ("etag", Drafts::ETAG),
        ("language", Drafts::LANGUAGE),
        ("required_capabilities", Drafts::REQUIRED_CAPABILITIES),
    ];

    /// Whether any is on.
    pub fn is_any(self) -> bool {
        self.0 != 0
    }

    /// Whether this one is on.
    pub fn has(self, one: Drafts) -> bool {
        self.0 & one.0 != 0
    }

    /// These, and those of `more`.
    #[must_use]
    pub fn and(self, more: Drafts) -> Drafts {
        Drafts(self.0 | more.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Drafts;

    #[test]
    fn each_name_is_one_draft() {
        let all = Drafts::NAMES.iter().fold(Drafts::default(), |all, (_, one)| all.and(*one));
        for (name, one) in Drafts::NAMES {
            assert!(all.has(one) && one.is_any() && !Drafts::default().has(one), "{name}");
            let others = Drafts::NAMES.iter().filter(|(other, _)| *other != name);
            assert!(!others.fold(Drafts::default(), |all, (_, one)| all.and(*one)).has(one), "{name}");
        }
        assert!(!Drafts::default().is_any());
    }
}
