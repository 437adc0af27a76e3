//! Keycloak, from Maven Central, with the JDK that runs it.

use std::path::PathBuf;
use std::process::Command;

use super::{folder, once};
use crate::checkout::Checkout;
use crate::machine::PYTHON;
use crate::process;

const VERSION: &str = "26.7.3";
const SHA256: &str = "27a6535553c3cdcd083872ba40629efafb3475e3b758e0c6f691395561dd0f1f";

/// Its folder.
pub fn keycloak(checkout: &Checkout) -> Result<PathBuf, String> {
    let folder = folder(checkout, "keycloak");
    let python = PYTHON.find()?;
    once(&folder, SHA256, || {
        let make = || {
            let mut command = Command::new(&python);
            command.arg(checkout.root.join("tests/login/others/unpacked.py"));
            let path = "org/keycloak/keycloak-quarkus-dist";
            command.arg(format!("{path}/{VERSION}/keycloak-quarkus-dist-{VERSION}.zip"));
            command.arg(SHA256).arg(&folder);
            command
        };
        process::download(make, process::LIMIT, &checkout.scratch("peers")?.join("keycloak"))
    })?;
    Ok(folder.join(format!("keycloak-{VERSION}")))
}
