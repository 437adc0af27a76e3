//! What the machine has: finding tools, and telling a person how to get one that is missing.

use std::path::PathBuf;

/// A program that a command of ours needs.
pub struct Tool {
    /// The names to try, the best first.
    pub names: &'static [&'static str],
    /// The variable by which a person may name another one.
    pub variable: Option<&'static str>,
    pub is: &'static str,
    pub get: &'static str,
}

pub const CC: Tool = Tool {
    names: &["cc", "gcc", "clang"],
    variable: Some("CC"),
    is: "a C compiler",
    get: "Debian, Ubuntu: apt-get install gcc; Fedora: dnf install gcc; Alpine: apk add gcc musl-dev; \
          macOS: xcode-select --install",
};

pub const GCC: Tool =
    Tool { names: &["gcc"], variable: None, is: "the GNU C compiler", get: "apt-get install gcc" };
pub const GXX: Tool =
    Tool { names: &["g++"], variable: None, is: "the GNU C++ compiler", get: "apt-get install g++" };
pub const CLANG: Tool = Tool { names: &["clang"], variable: None, is: "Clang", get: "apt-get install clang" };
pub const CLANGXX: Tool =
    Tool { names: &["clang++"], variable: None, is: "Clang for C++", get: "apt-get install clang" };

pub const NM: Tool =
    Tool { names: &["nm", "llvm-nm"], variable: Some("NM"), is: "nm", get: "apt-get install binutils" };
pub const READELF: Tool = Tool {
    names: &["readelf", "llvm-readelf"],
    variable: Some("READELF"),
    is: "readelf",
    get: "apt-get install binutils",
};
pub const STRIP: Tool = Tool {
    names: &["strip", "llvm-strip"],
    variable: Some("STRIP"),
    is: "strip",
    get: "apt-get install binutils",
};
pub const OBJCOPY: Tool = Tool {
    names: &["objcopy", "llvm-objcopy"],
    variable: Some("OBJCOPY"),
    is: "objcopy",
    get: "apt-get install binutils",
};
pub const AR: Tool =
    Tool { names: &["ar", "llvm-ar"], variable: Some("AR"), is: "ar", get: "apt-get install binutils" };
/// MinGW-w64's tools, which make files for Windows on another system.
pub const MINGW_CC: Tool = Tool {
    names: &["x86_64-w64-mingw32-gcc"],
    variable: Some("CC"),
    is: "MinGW-w64's C compiler for x86-64",
    get: "apt-get install gcc-mingw-w64-x86-64",
};
pub const MINGW_AR: Tool = Tool {
    names: &["x86_64-w64-mingw32-ar"],
    variable: Some("AR"),
    is: "MinGW-w64's ar for x86-64",
    get: "apt-get install binutils-mingw-w64-x86-64",
};
pub const MINGW_OBJCOPY: Tool = Tool {
    names: &["x86_64-w64-mingw32-objcopy"],
    variable: Some("OBJCOPY"),
    is: "MinGW-w64's objcopy for x86-64",
    get: "apt-get install binutils-mingw-w64-x86-64",
};
pub const MINGW_NM: Tool = Tool {
    names: &["x86_64-w64-mingw32-nm"],
    variable: Some("NM"),
    is: "MinGW-w64's nm for x86-64",
    get: "apt-get install binutils-mingw-w64-x86-64",
};
pub const MINGW_DLLTOOL: Tool = Tool {
    names: &["x86_64-w64-mingw32-dlltool"],
    variable: Some("DLLTOOL"),
    is: "MinGW-w64's dlltool for x86-64",
    get: "apt-get install binutils-mingw-w64-x86-64",
};

pub const TAR: Tool = Tool {
    names: &["tar", "gtar"],
    variable: None,
    is: "GNU tar (with gzip)",
    get: "apt-get install tar gzip",
};
pub const SHA256SUM: Tool =
    Tool { names: &["sha256sum"], variable: None, is: "sha256sum", get: "apt-get install coreutils" };
pub const PKG_CONFIG: Tool = Tool {
    names: &["pkg-config", "pkgconf"],
    variable: Some("PKG_CONFIG"),
    is: "pkg-config",
    get: "apt-get install pkg-config",
};
pub const CMAKE: Tool =
    Tool { names: &["cmake"], variable: None, is: "CMake 3.20 or newer", get: "apt-get install cmake" };
pub const CTEST: Tool =
    Tool { names: &["ctest"], variable: None, is: "CTest 3.21 or newer", get: "apt-get install cmake" };
pub const NINJA: Tool =
    Tool { names: &["ninja"], variable: None, is: "Ninja", get: "apt-get install ninja-build" };
pub const ABIDW: Tool = Tool {
    names: &["abidw"],
    variable: None,
    is: "libabigail's abidw",
    get: "apt-get install abigail-tools",
};
pub const ABIDIFF: Tool = Tool {
    names: &["abidiff"],
    variable: None,
    is: "libabigail's abidiff",
    get: "apt-get install abigail-tools",
};
pub const DOXYGEN: Tool =
    Tool { names: &["doxygen"], variable: None, is: "Doxygen", get: "apt-get install doxygen" };
pub const GROFF: Tool = Tool { names: &["groff"], variable: None, is: "groff", get: "apt-get install groff" };
pub const DPKG: Tool = Tool { names: &["dpkg"], variable: None, is: "dpkg", get: "apt-get install dpkg" };
pub const DPKG_DEB: Tool =
    Tool { names: &["dpkg-deb"], variable: None, is: "dpkg-deb", get: "apt-get install dpkg" };
pub const NLOHMANN_JSON: Tool = Tool {
    names: &["/usr/include/nlohmann/json.hpp", "/usr/local/include/nlohmann/json.hpp"],
    variable: None,
    is: "nlohmann/json, a header",
    get: "apt-get install nlohmann-json3-dev",
};
pub const VALGRIND: Tool =
    Tool { names: &["valgrind"], variable: None, is: "Valgrind", get: "apt-get install valgrind" };

pub const HAPROXY: Tool = Tool {
    names: &["haproxy", "/usr/sbin/haproxy"],
    variable: None,
    is: "HAProxy 2.6 or newer",
    get: "apt-get install haproxy",
};

pub const GDB: Tool = Tool { names: &["gdb"], variable: None, is: "gdb", get: "apt-get install gdb" };

pub const CARGO_DENY: Tool = Tool {
    names: &["cargo-deny"],
    variable: None,
    is: "cargo-deny",
    get: "cargo install cargo-deny --locked",
};

pub const NODE: Tool = Tool {
    names: &["node"],
    variable: None,
    is: "Node.js 20 or newer",
    get: "apt-get install nodejs (Debian 13), or Node's own site",
};
pub const NPM: Tool =
    Tool { names: &["npm"], variable: None, is: "npm", get: "it comes with Node.js, or apt-get install npm" };
pub const NPX: Tool = Tool { names: &["npx"], variable: None, is: "npx", get: "it comes with npm" };
pub const CHROMIUM: Tool = Tool {
    names: &["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"],
    variable: Some("CHROMIUM"),
    is: "Chromium, or its headless shell",
    get: "Debian: apt-get install chromium-headless-shell (98 MB); others: apt-get install chromium",
};
pub const PYTHON: Tool = Tool {
    names: &["python3"],
    variable: Some("PYTHON"),
    is: "Python 3.10 or newer",
    get: "apt-get install python3 python3-venv python3-dev",
};
pub const SWIFT: Tool = Tool {
    names: &["swift"],
    variable: None,
    is: "Swift 6.0 or newer",
    get: "swift.org, or apt-get install swiftlang (Debian 13); as root on an older Debian: apt-get install mmdebstrap, and name a \
          folder in MCP_SWIFT_CHROOT, where the step then puts Debian's Swift (2 GB)",
};
pub const MMDEBSTRAP: Tool = Tool {
    names: &["mmdebstrap"],
    variable: None,
    is: "mmdebstrap, which makes a chroot with Swift",
    get: "apt-get install mmdebstrap",
};
pub const SCRIPT: Tool =
    Tool { names: &["script"], variable: None, is: "script of util-linux", get: "apt-get install bsdutils" };
pub const LUAJIT: Tool =
    Tool { names: &["luajit"], variable: None, is: "LuaJIT 2.1", get: "apt-get install luajit" };
pub const NEOVIM: Tool =
    Tool { names: &["nvim"], variable: None, is: "Neovim 0.7 or newer", get: "apt-get install neovim" };
pub const BUBBLEWRAP: Tool = Tool {
    names: &["bwrap"],
    variable: None,
    is: "bubblewrap, which makes the sandbox of mcp run",
    get: "apt-get install bubblewrap",
};
pub const MVN: Tool =
    Tool { names: &["mvn"], variable: None, is: "Maven 3.6 or newer", get: "apt-get install maven" };
pub const MCS: Tool = Tool {
    names: &["mcs"],
    variable: None,
    is: "Mono's compiler for C#",
    get: "apt-get install mono-mcs mono-runtime",
};
pub const MONO: Tool =
    Tool { names: &["mono"], variable: None, is: "Mono", get: "apt-get install mono-runtime" };
pub const GO: Tool = Tool {
    names: &["go"],
    variable: None,
    is: "Go 1.24 or newer",
    get: "apt-get install golang-go (Debian 13), or Go's own site",
};

impl Tool {
    /// The program's path, or a sentence that says what is missing and how to get it.
    pub fn find(&self) -> Result<PathBuf, String> {
        let chosen = self.variable.and_then(std::env::var_os).filter(|name| !name.is_empty());
        match &chosen {
            Some(name) => on_path(&name.to_string_lossy()),
            None => self.names.iter().find_map(|name| on_path(name)),
        }
        .ok_or_else(|| match (&chosen, self.variable) {
            (Some(name), Some(variable)) => {
                format!("{variable} names {}, which is not there", name.display())
            }
            _ => format!("{} is missing ({}). To get it: {}", self.is, self.names.join(", "), self.get),
        })
    }
}

/// True where a missing tool is a failure, because a machine that tests for everyone must have all of them.
pub fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

fn on_path(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
