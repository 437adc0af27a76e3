//! A Swift compiler: the machine's own, or Debian's in a chroot, since most systems package none.

use std::path::Path;
use std::process::Command;

use crate::checkout::Checkout;
use crate::chroot::{Chroot, Found};
use crate::machine::SWIFT;
use crate::systems::DEBIANS_SWIFT;
use crate::tally::Tally;

/// Makes the chroot before the step, where it is wanted and this machine has no Swift.
pub fn make_chroot(checkout: &Checkout) -> Result<(), String> {
    if SWIFT.find().is_ok() { Ok(()) } else { Chroot::find(checkout, DEBIANS_SWIFT).map(drop) }
}

pub enum Toolchain {
    Own,
    Chroot(Chroot),
}

impl Toolchain {
    /// The toolchain; without one the tally says what to install.
    pub fn find(checkout: &Checkout, tally: &mut Tally, what: &str) -> Result<Option<Toolchain>, String> {
        if SWIFT.find().is_ok() {
            return Ok(Some(Toolchain::Own));
        }
        match Chroot::find(checkout, DEBIANS_SWIFT)? {
            Found::Chroot(chroot) => return Ok(Some(Toolchain::Chroot(chroot))),
            Found::NotMade => {
                tally.need(&SWIFT, what);
            }
            Found::Lacking(why) => tally.lack(what, &format!("{why}; or install Swift itself")),
        }
        Ok(None)
    }

    /// The toolchain, if there is one.
    pub fn that_is_there(checkout: &Checkout) -> Result<Option<Toolchain>, String> {
        if SWIFT.find().is_ok() {
            return Ok(Some(Toolchain::Own));
        }
        Ok(match Chroot::find(checkout, DEBIANS_SWIFT)? {
            Found::Chroot(chroot) => Some(Toolchain::Chroot(chroot)),
            Found::NotMade | Found::Lacking(_) => None,
        })
    }

    /// A script of bash, which finds these folders at their own paths.
    pub fn command(&self, script: &str, folders: &[&Path]) -> Command {
        match self {
            Toolchain::Own => {
                let mut command = Command::new("bash");
                command.args(["-c", script]);
                command
            }
            Toolchain::Chroot(chroot) => chroot.command(script, folders),
        }
    }
}
