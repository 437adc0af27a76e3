//! The systems, and what is needed to make and run programs for each.

/// Where the standard library comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rust {
    /// Debian's, in the chroot.
    Debian,
    /// The one that rustup brings: Debian has none for musl. Its cargo runs in the chroot.
    Rustup,
}

/// A system.
pub struct Target {
    pub triple: &'static str,
    /// The C compiler for it.
    pub cc: &'static str,
    /// What runs its programs on x86-64, if the kernel cannot.
    pub emulator: Option<&'static str>,
    pub rust: Rust,
    /// Words by which the table of programs says where one does not run.
    pub marks: &'static [&'static str],
    /// The platform of the Go module's archive, and what Go calls the processor.
    pub go: Option<(&'static str, &'static str)>,
    /// Whether a few programs run on it with every test, and not with `--deep` alone.
    pub is_always_run: bool,
}

impl Target {
    pub fn is_musl(&self) -> bool {
        self.rust == Rust::Rustup
    }

    /// The end of the name of a variable of cargo's, or of the crate cc's.
    pub fn variable(&self) -> String {
        self.triple.replace('-', "_")
    }
}

/// How a program is linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linked {
    /// With libmcp.so.
    Shared,
    /// With libmcp.a; for musl, static throughout.
    Static,
}

impl Linked {
    pub fn word(self) -> &'static str {
        match self {
            Linked::Shared => "shared",
            Linked::Static => "static",
        }
    }
}

pub const TARGETS: [Target; 5] = [
    Target {
        triple: "aarch64-unknown-linux-gnu",
        cc: "aarch64-linux-gnu-gcc",
        emulator: Some("qemu-aarch64"),
        rust: Rust::Debian,
        marks: &["qemu", "aarch64"],
        go: Some(("linux_arm64", "arm64")),
        is_always_run: true,
    },
    Target {
        triple: "armv7-unknown-linux-gnueabihf",
        cc: "arm-linux-gnueabihf-gcc",
        emulator: Some("qemu-arm"),
        rust: Rust::Debian,
        marks: &["qemu", "armv7"],
        go: None,
        is_always_run: false,
    },
    Target {
        triple: "i686-unknown-linux-gnu",
        cc: "i686-linux-gnu-gcc",
        emulator: None,
        rust: Rust::Debian,
        marks: &["i686"],
        go: None,
        is_always_run: false,
    },
    Target {
        triple: "x86_64-unknown-linux-musl",
        cc: "x86_64-linux-musl-gcc",
        emulator: None,
        rust: Rust::Rustup,
        marks: &["musl"],
        go: Some(("linux_amd64_musl", "amd64")),
        is_always_run: true,
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        cc: "aarch64-linux-musl-gcc",
        emulator: Some("qemu-aarch64"),
        rust: Rust::Rustup,
        marks: &["qemu", "aarch64", "musl"],
        go: Some(("linux_arm64_musl", "arm64")),
        is_always_run: false,
    },
];
