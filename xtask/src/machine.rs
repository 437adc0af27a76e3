//! What the machine has: finding tools, and telling a person how to get one that is missing.

use std::path::{Path, PathBuf};

/// A program that a command of ours needs.
pub struct Tool {
    /// The names to try, the best first.
    pub names: &'static [&'static str],
    /// The variable by which a person may name another one.
    pub variable: Option<&'static str>,
    pub is: &'static str,
    pub get: &'static str,
}

macro_rules! tools {
    ($($tool:ident: $($name:literal)+ $(as $variable:literal)? => $is:literal, $get:literal;)*) => {
        $(pub const $tool: Tool =
            Tool { names: &[$($name),+], variable: [$(Some($variable),)? None][0], is: $is, get: $get };)*
        const ALL: &[&Tool] = &[$(&$tool),*];
    };
}

// A tool: the names to try, the variable that may name another one, what it is, and how to get it.
tools! {
    CC: "cc" "gcc" "clang" as "CC" => "a C compiler",
        "Debian, Ubuntu: apt-get install gcc; Fedora: dnf install gcc; Alpine: apk add gcc musl-dev; macOS: xcode-select --install";
    GCC: "gcc" => "the GNU C compiler", "apt-get install gcc";
    GXX: "g++" => "the GNU C++ compiler", "apt-get install g++";
    CLANG: "clang" => "Clang", "apt-get install clang";
    CLANGXX: "clang++" => "Clang for C++", "apt-get install clang";
    NM: "nm" "llvm-nm" as "NM" => "nm", "apt-get install binutils";
    READELF: "readelf" "llvm-readelf" as "READELF" => "readelf", "apt-get install binutils";
    STRIP: "strip" "llvm-strip" as "STRIP" => "strip", "apt-get install binutils";
    OBJCOPY: "objcopy" "llvm-objcopy" as "OBJCOPY" => "objcopy", "apt-get install binutils";
    AR: "ar" "llvm-ar" as "AR" => "ar", "apt-get install binutils";
    // MinGW-w64's tools, which make files for Windows on another system.
    MINGW_CC: "x86_64-w64-mingw32-gcc" as "CC" => "MinGW-w64's C compiler for x86-64", "apt-get install gcc-mingw-w64-x86-64";
    MINGW_AR: "x86_64-w64-mingw32-ar" as "AR" => "MinGW-w64's ar for x86-64", "apt-get install binutils-mingw-w64-x86-64";
    MINGW_OBJCOPY: "x86_64-w64-mingw32-objcopy" as "OBJCOPY" => "MinGW-w64's objcopy for x86-64",
        "apt-get install binutils-mingw-w64-x86-64";
    MINGW_NM: "x86_64-w64-mingw32-nm" as "NM" => "MinGW-w64's nm for x86-64", "apt-get install binutils-mingw-w64-x86-64";
    MINGW_DLLTOOL: "x86_64-w64-mingw32-dlltool" as "DLLTOOL" => "MinGW-w64's dlltool for x86-64",
        "apt-get install binutils-mingw-w64-x86-64";
    TAR: "tar" "gtar" => "GNU tar (with gzip)", "apt-get install tar gzip";
    SHA256SUM: "sha256sum" => "sha256sum", "apt-get install coreutils";
    PKG_CONFIG: "pkg-config" "pkgconf" as "PKG_CONFIG" => "pkg-config", "apt-get install pkg-config";
    CMAKE: "cmake" => "CMake 3.20 or newer", "apt-get install cmake";
    CTEST: "ctest" => "CTest 3.21 or newer", "apt-get install cmake";
    NINJA: "ninja" => "Ninja", "apt-get install ninja-build";
    ABIDW: "abidw" => "libabigail's abidw", "apt-get install abigail-tools";
    ABIDIFF: "abidiff" => "libabigail's abidiff", "apt-get install abigail-tools";
    DOXYGEN: "doxygen" => "Doxygen", "apt-get install doxygen";
    GROFF: "groff" => "groff", "apt-get install groff";
    DPKG: "dpkg" => "dpkg", "apt-get install dpkg";
    DPKG_DEB: "dpkg-deb" => "dpkg-deb", "apt-get install dpkg";
    NLOHMANN_JSON: "/usr/include/nlohmann/json.hpp" "/usr/local/include/nlohmann/json.hpp" => "nlohmann/json, a header",
        "apt-get install nlohmann-json3-dev";
    VALGRIND: "valgrind" => "Valgrind", "apt-get install valgrind";
    HAPROXY: "haproxy" "/usr/sbin/haproxy" => "HAProxy 2.6 or newer", "apt-get install haproxy";
    NGINX: "nginx" "/usr/sbin/nginx" => "nginx 1.18 or newer", "apt-get install nginx-light";
    REDIS: "redis-server" "valkey-server" => "Redis 6.2 or newer, or Valkey", "apt-get install redis-server";
    POSTGRES: "/usr/lib/postgresql/*/bin/postgres" => "PostgreSQL's server", "apt-get install postgresql";
    LIBPQ: "/usr/include/postgresql/libpq-fe.h" => "libpq, PostgreSQL's library", "apt-get install libpq-dev";
    SQLITE: "/usr/include/sqlite3.h" => "SQLite, the library", "apt-get install libsqlite3-dev";
    NATS_SERVER: "nats-server" "/usr/sbin/nats-server" => "the server of NATS, 2.9 or newer", "apt-get install nats-server";
    LIBNATS: "/usr/include/nats/nats.h" => "nats.c, the library of NATS", "apt-get install libnats-dev";
    OPENSSL: "openssl" => "the program of OpenSSL", "apt-get install openssl";
    GDB: "gdb" => "gdb", "apt-get install gdb";
    CARGO_DENY: "cargo-deny" => "cargo-deny", "cargo install cargo-deny --locked";
    NODE: "node" => "Node.js 20 or newer", "apt-get install nodejs (Debian 13), or Node's own site";
    NPM: "npm" => "npm", "it comes with Node.js, or apt-get install npm";
    NPX: "npx" => "npx", "it comes with npm";
    CHROMIUM: "chromium-headless-shell" "chromium" "chromium-browser" "google-chrome" as "CHROMIUM" => "Chromium, or its headless shell",
        "Debian: apt-get install chromium-headless-shell (98 MB); others: apt-get install chromium";
    PYTHON: "python3" as "PYTHON" => "Python 3.10 or newer", "apt-get install python3 python3-venv python3-dev";
    SWIFT: "swift" => "Swift 6.0 or newer",
        "swift.org, or apt-get install swiftlang (Debian 13); as root on an older Debian: apt-get install mmdebstrap, and name a folder in MCP_SWIFT_CHROOT, where the step then puts Debian's Swift (2 GB)";
    MMDEBSTRAP: "mmdebstrap" => "mmdebstrap, which makes a chroot with Swift", "apt-get install mmdebstrap";
    LUAJIT: "luajit" => "LuaJIT 2.1", "apt-get install luajit";
    NEOVIM: "nvim" => "Neovim 0.7 or newer", "apt-get install neovim";
    MVN: "mvn" => "Maven 3.6 or newer", "apt-get install maven";
    JAVA_21: "/usr/lib/jvm/java-21-openjdk-amd64/bin/java" "/usr/lib/jvm/java-21-openjdk-arm64/bin/java"
        "/usr/lib/jvm/temurin-21-jdk-amd64/bin/java" as "JAVA_21" => "Java 21",
        "apt-get install openjdk-21-jre-headless (Debian 13), or adoptium.net; JAVA_21 names its program java";
    MCS: "mcs" => "Mono's compiler for C#", "apt-get install mono-mcs mono-runtime";
    MONO: "mono" => "Mono", "apt-get install mono-runtime";
    GO: "go" => "Go 1.24 or newer", "apt-get install golang-go (Debian 13), or Go's own site";
}

/// The tool of the machine that tests ask for by this name: the first of its names, but for some. `npm` are packages.
pub fn named(name: &str) -> Option<&'static Tool> {
    match name {
        "chromium" => Some(&CHROMIUM),
        "java-21" => Some(&JAVA_21),
        "libnats" => Some(&LIBNATS),
        "libpq" => Some(&LIBPQ),
        "neovim" => Some(&NEOVIM),
        "nlohmann-json" => Some(&NLOHMANN_JSON),
        "npm-program" => Some(&NPM),
        "postgres" => Some(&POSTGRES),
        "sqlite" => Some(&SQLITE),
        "npm" => None,
        _ => ALL.iter().find(|tool| tool.names[0] == name).copied(),
    }
}

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
    if let Some((folder, rest)) = name.split_once("/*/") {
        return newest(folder.as_ref(), rest);
    }
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The file of a folder with one folder for each version, in the newest one that has it.
fn newest(folder: &Path, rest: &str) -> Option<PathBuf> {
    let number = |name: &str| name.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>();
    std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| (number(&entry.file_name().to_string_lossy()), entry.path().join(rest)))
        .filter(|(_, file)| file.is_file())
        .max()
        .map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_that_has_the_file_is_found() {
        let root = std::env::temp_dir().join(format!("mcp-xtask-versions-{}", std::process::id()));
        for file in ["9.6/bin/postgres", "17/bin/postgres", "18/bin/psql"] {
            let file = root.join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        let found = on_path(&format!("{}/*/bin/postgres", root.display()));
        let missing = [
            on_path(&format!("{}/*/bin/initdb", root.display())),
            on_path(&format!("{}/none/*/x", root.display())),
        ];
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(found, Some(root.join("17/bin/postgres")));
        assert_eq!(missing, [None, None]);
    }
}
