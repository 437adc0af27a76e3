//! What a server process sees of the host's environment.
//!
//! A short list by default, so that a host's secrets do not reach every server; the config's `env` goes over it and
//! never replaces it.

use std::ffi::OsString;

/// What is inherited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Inherit {
    /// The variables of [`DEFAULT`].
    #[default]
    Default,
    /// Everything.
    All,
    /// Nothing.
    None,
}

/// The variables that a server inherits by default.
pub const DEFAULT: [&str; 18] = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
];

/// The environment of a server: what is inherited from `host`, with `own` over it.
pub fn merged(
    inherit: Inherit,
    own: &[(String, String)],
    host: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let mut environment: Vec<(OsString, OsString)> = match inherit {
        Inherit::All => host.collect(),
        Inherit::Default => host.filter(|(name, _)| DEFAULT.iter().any(|known| name == known)).collect(),
        Inherit::None => Vec::new(),
    };
    environment.retain(|(name, _)| own.iter().all(|(mine, _)| name != mine.as_str()));
    environment.extend(own.iter().map(|(name, value)| (name.into(), value.into())));
    environment
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host() -> impl Iterator<Item = (OsString, OsString)> {
        [("PATH", "/bin"), ("HOME", "/root"), ("TOKEN", "secret")]
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
    }

    fn names(inherit: Inherit, own: &[(String, String)]) -> Vec<String> {
        let mut names: Vec<String> = merged(inherit, own, host())
            .into_iter()
            .map(|(name, value)| format!("{}={}", name.to_string_lossy(), value.to_string_lossy()))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn p11_the_config_goes_over_the_inherited_list_and_does_not_replace_it() {
        let own = [("PATH".to_owned(), "/opt".to_owned()), ("A".to_owned(), "1".to_owned())];
        assert_eq!(names(Inherit::Default, &own), ["A=1", "HOME=/root", "PATH=/opt"]);
    }

    #[test]
    fn all_and_none_mean_what_they_say() {
        assert_eq!(names(Inherit::All, &[]), ["HOME=/root", "PATH=/bin", "TOKEN=secret"]);
        assert!(names(Inherit::None, &[]).is_empty());
    }
}
