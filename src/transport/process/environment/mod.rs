//! What a server process sees of the host's environment.
//!
//! A short list by default, so that a host's secrets do not reach every server; the config's `env` goes over it and
//! never replaces it.
//!
//! The files:
//!
//! * `unix`: the list on Linux, Android and macOS
//! * `windows`: the list on Windows, where names have no case

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::ffi::OsString;
#[cfg(unix)]
pub use unix::DEFAULT;
#[cfg(unix)]
use unix::is_same_name;
#[cfg(windows)]
pub use windows::DEFAULT;
#[cfg(windows)]
use windows::is_same_name;

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

/// The environment of a server: what is inherited from the host, with `own` over it. Reads the host's environment, which the
/// host must not change on another thread meanwhile.
pub fn of_server(inherit: Inherit, own: &[(String, String)]) -> Vec<(OsString, OsString)> {
    let inherited: Vec<(OsString, OsString)> = match inherit {
        Inherit::All => std::env::vars_os().collect(),
        Inherit::Default => {
            DEFAULT.iter().filter_map(|name| Some((OsString::from(name), std::env::var_os(name)?))).collect()
        }
        Inherit::None => Vec::new(),
    };
    merged(inherited, own)
}

fn merged(inherited: Vec<(OsString, OsString)>, own: &[(String, String)]) -> Vec<(OsString, OsString)> {
    let mut environment = inherited;
    environment.retain(|(name, _)| own.iter().all(|(mine, _)| !is_same_name(name, mine)));
    environment.extend(own.iter().map(|(name, value)| (name.into(), value.into())));
    environment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p11_the_config_goes_over_the_inherited_list_and_does_not_replace_it() {
        let host = vec![("PATH".into(), "/bin".into()), ("HOME".into(), "/root".into())];
        let own = [("PATH".to_owned(), "/opt".to_owned()), ("A".to_owned(), "1".to_owned())];
        let mut shown: Vec<String> = merged(host, &own)
            .into_iter()
            .map(|(name, value)| format!("{}={}", name.to_string_lossy(), value.to_string_lossy()))
            .collect();
        shown.sort();
        assert_eq!(shown, ["A=1", "HOME=/root", "PATH=/opt"]);
    }

    #[test]
    fn all_and_none_mean_what_they_say() {
        assert_eq!(of_server(Inherit::All, &[]).len(), std::env::vars_os().count());
        assert!(of_server(Inherit::None, &[]).is_empty());
        let default = of_server(Inherit::Default, &[]);
        assert!(default.iter().all(|(name, _)| DEFAULT.iter().any(|known| name == known)));
    }
}
