//! The numbers of a release: the library's version, which is the workspace's, and the number in the SONAME, which is its
//! own counter (docs/reference/abi.md).

use std::fmt;

use crate::checkout::Checkout;

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
        let package = checkout.package()?;
        let text = package["version"].as_str().unwrap_or_default();
        let wrong = || format!("Cargo.toml: {text} is not a version of three numbers");
        let mut numbers = text.split('.').map(|part| part.parse::<u32>().map_err(|_| wrong()));
        let mut next = || numbers.next().ok_or_else(wrong)?;
        let (major, minor, patch) = (next()?, next()?, next()?);
        let soname = package["metadata"]["abi"]["soname"].as_u64().and_then(|it| u32::try_from(it).ok());
        let soname = soname.ok_or("Cargo.toml has no soname = … in [package.metadata.abi]")?;
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
