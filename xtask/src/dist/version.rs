//! The numbers of a release: the library's version, which is the workspace's, and the number in the SONAME, which is its
//! own counter (docs/reference/abi.md).

use std::fmt;

use crate::checkout::{Checkout, read};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
    /// The number in `libmcp.so.0`.
    pub soname: u32,
}

impl Version {
    pub fn read(checkout: &Checkout) -> Result<Self, String> {
        Self::parse(&read(&checkout.root.join("Cargo.toml"))?)
    }

    fn parse(manifest: &str) -> Result<Self, String> {
        let text = value(manifest, "version").ok_or("Cargo.toml has no version = \"…\"")?;
        let soname =
            value(manifest, "soname").ok_or("Cargo.toml has no soname = … in [package.metadata.abi]")?;
        let wrong = || format!("Cargo.toml: {text} is not a version of three numbers");
        let mut numbers = text.split('.').map(|part| part.parse::<u32>().map_err(|_| wrong()));
        let mut next = || numbers.next().ok_or_else(wrong)?;
        let (major, minor, patch) = (next()?, next()?, next()?);
        let soname = soname.parse().map_err(|_| format!("Cargo.toml: soname = {soname} is not a number"))?;
        Ok(Self { major, minor, patch, soname })
    }

    /// The version in which a symbol that is new now was added, such as `0.1`.
    pub fn line(&self) -> String {
        format!("{}.{}", self.major, self.minor)
    }

    pub fn soname(&self) -> String {
        format!("libmcp.so.{}", self.soname)
    }

    /// The shared library's own name. The links to it are the SONAME and `libmcp.so`.
    pub fn file(&self) -> String {
        format!("libmcp.so.{}.{}.{}", self.soname, self.minor, self.patch)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// What the first line `key = …` gives, without quotes.
fn value<'a>(manifest: &'a str, key: &str) -> Option<&'a str> {
    manifest.lines().find_map(|line| {
        let rest = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
        Some(rest.trim().trim_matches('"'))
    })
}
