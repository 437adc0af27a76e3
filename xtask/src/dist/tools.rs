//! The C compiler and the tools of binutils for the system that a package is for: this machine's own, or those that Debian, Alpine and
//! others have for another one. `CC`, `AR`, `OBJCOPY` and `STRIP` name others.

use crate::machine::{AR, CC, MINGW_AR, MINGW_CC, MINGW_OBJCOPY, OBJCOPY, STRIP, Tool};

use super::wish::{WINDOWS, Wish};

/// What makes the libraries out of what cargo has built.
pub struct Tools {
    pub cc: Tool,
    pub ar: Tool,
    pub objcopy: Tool,
    pub strip: Tool,
}

/// The names of the tools for a Linux that is not this machine's, the best first.
struct Cross {
    triple: &'static str,
    cc: &'static [&'static str],
    ar: &'static [&'static str],
    objcopy: &'static [&'static str],
    strip: &'static [&'static str],
    get: &'static str,
}

macro_rules! cross {
    ($($triple:literal: $($compiler:literal)+, $($binutils:literal)+, $get:literal;)*) => {
        [$(Cross {
            triple: $triple,
            cc: &[$(concat!($compiler, "gcc")),+],
            ar: &[$(concat!($binutils, "ar")),+],
            objcopy: &[$(concat!($binutils, "objcopy")),+],
            strip: &[$(concat!($binutils, "strip")),+],
            get: $get,
        }),*]
    };
}

/// A system in a row: what stands before the names of its compiler, and before those of its other tools, and how to get them. An object for
/// musl is one for that processor: the tools for its files are those of any Linux on it.
const CROSS: [Cross; 5] = cross! {
    "aarch64-unknown-linux-gnu": "aarch64-linux-gnu-", "aarch64-linux-gnu-",
        "Debian, Ubuntu: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross";
    "armv7-unknown-linux-gnueabihf": "arm-linux-gnueabihf-", "arm-linux-gnueabihf-",
        "Debian, Ubuntu: apt-get install gcc-arm-linux-gnueabihf libc6-dev-armhf-cross";
    "i686-unknown-linux-gnu": "i686-linux-gnu-", "i686-linux-gnu-",
        "Debian, Ubuntu: apt-get install gcc-i686-linux-gnu libc6-dev-i386-cross";
    "x86_64-unknown-linux-musl": "x86_64-linux-musl-" "musl-", "x86_64-linux-musl-" "x86_64-linux-gnu-" "",
        "Debian, Ubuntu: apt-get install musl-tools";
    "aarch64-unknown-linux-musl": "aarch64-linux-musl-", "aarch64-linux-musl-" "aarch64-linux-gnu-",
        "Debian: docs/guide/packaging.md says how gcc-aarch64-linux-gnu and musl-dev:arm64 make one";
};

/// The tools for a package.
pub fn of(wish: &Wish) -> Tools {
    let system = wish.system();
    if system == WINDOWS {
        return Tools { cc: MINGW_CC, ar: MINGW_AR, objcopy: MINGW_OBJCOPY, strip: STRIP };
    }
    match CROSS.iter().find(|it| it.triple == system && system != wish.host) {
        Some(cross) => Tools {
            cc: Tool { names: cross.cc, is: "a C compiler for that system", get: cross.get, ..CC },
            ar: Tool { names: cross.ar, is: "ar for that system", get: cross.get, ..AR },
            objcopy: Tool { names: cross.objcopy, is: "objcopy for that system", get: cross.get, ..OBJCOPY },
            strip: Tool { names: cross.strip, is: "strip for that system", get: cross.get, ..STRIP },
        },
        None => Tools { cc: CC, ar: AR, objcopy: OBJCOPY, strip: STRIP },
    }
}
