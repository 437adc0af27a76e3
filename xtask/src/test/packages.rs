//! The libraries of others that an example needs, such as the one with its event loop: found by pkg-config, and skipped where
//! the machine has none.

use std::path::Path;
use std::process::Command;

use super::Stage;
use crate::checkout::stem;
use crate::machine::PKG_CONFIG;

/// A library that some examples need.
struct Package {
    /// The stem of the example.
    examples: &'static [&'static str],
    /// Its name for pkg-config.
    name: &'static str,
    get: &'static str,
    /// What its programs are compiled with besides.
    flags: &'static [&'static str],
}

const PACKAGES: [Package; 5] = [
    Package {
        examples: &["glib_loop", "glib_server"],
        name: "glib-2.0",
        get: "apt-get install libglib2.0-dev; Fedora: dnf install glib2-devel; macOS: brew install glib",
        flags: &[],
    },
    Package {
        examples: &["libuv_loop"],
        name: "libuv",
        get: "apt-get install libuv1-dev; Fedora: dnf install libuv-devel; macOS: brew install libuv",
        flags: &[],
    },
    Package {
        examples: &["server_in_microhttpd"],
        name: "libmicrohttpd",
        get: "apt-get install libmicrohttpd-dev; Fedora: dnf install libmicrohttpd-devel; macOS: brew install libmicrohttpd",
        flags: &[],
    },
    Package {
        examples: &["qt_loop", "qt_server"],
        name: "Qt5Core",
        get: "apt-get install qtbase5-dev; Fedora: dnf install qt5-qtbase-devel; macOS: brew install qt@5",
        flags: &["-fPIC"],
    },
    Package {
        examples: &["sdl_events", "sdl_server"],
        name: "sdl2",
        get: "apt-get install libsdl2-dev; Fedora: dnf install SDL2-devel; macOS: brew install sdl2",
        flags: &[],
    },
];

/// What an example is compiled with, for the library that it needs; nothing for most of them. `None` if the library is missing:
/// the example is then skipped, or failed in CI.
pub fn flags(stage: &mut Stage, source: &Path, what: &str) -> Option<Vec<String>> {
    let Some(package) = PACKAGES.iter().find(|package| package.examples.contains(&stem(source).as_str()))
    else {
        return Some(Vec::new());
    };
    let program = stage.tally.need(&PKG_CONFIG, what)?;
    let asked = Command::new(&program).args(["--cflags", "--libs", package.name]).output();
    match asked {
        Ok(answer) if answer.status.success() => {
            let answer = String::from_utf8_lossy(&answer.stdout).into_owned();
            // The headers of others need not be free of warnings.
            let answer = answer.split_whitespace().map(|flag| match flag.strip_prefix("-I") {
                Some(folder) => format!("-isystem{folder}"),
                None => flag.to_owned(),
            });
            Some(answer.chain(package.flags.iter().map(|flag| (*flag).to_owned())).collect())
        }
        _ => {
            let why = format!("pkg-config knows no {}. To get it: {}", package.name, package.get);
            stage.tally.lack(what, &why);
            None
        }
    }
}
