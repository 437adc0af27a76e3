//! The systems, and what is needed to make and run programs for each.

/// Where the standard library comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rust {
    /// Debian's, in the chroot.
    Debian,
    /// The one that rustup brings: Debian has none for musl. Its cargo runs in the chroot.
    Rustup,
}

/// What runs programs for another processor.
pub struct Emulator {
    pub command: &'static str,
    /// Whether the processor has 64 bits (2) or 32 (1), and its number, as the head of a program says.
    pub class: u8,
    pub machine: u8,
}

impl Emulator {
    /// How the kernel knows such programs: by the head of the file, without the version of its format and the kind of program.
    pub fn line(&self) -> String {
        let Self { command, class, machine } = self;
        format!(
            ":{command}:M::\\x7fELF\\x{class:02x}\\x01\\x01{}\\x02\\x00\\x{machine:02x}\\x00:{}\\x00{}\\xfe{}:/usr/bin/{command}:",
            "\\x00".repeat(9),
            "\\xff".repeat(7),
            "\\xff".repeat(8),
            "\\xff".repeat(3)
        )
    }
}

const QEMU_AARCH64: Emulator = Emulator { command: "qemu-aarch64", class: 2, machine: 0xb7 };
const QEMU_ARM: Emulator = Emulator { command: "qemu-arm", class: 1, machine: 0x28 };

/// What a system is called in the packages of the bindings.
pub struct Packages {
    /// The platform of the Go module's archive, and what Go calls the processor.
    pub go: (&'static str, &'static str),
    /// The platform of the wheel.
    pub wheel: &'static str,
    /// The platform of the package with the addon for Node.js.
    pub npm: &'static str,
}

/// A system.
pub struct Target {
    pub triple: &'static str,
    /// The C compiler for it.
    pub cc: &'static str,
    /// What runs its programs on x86-64, if the kernel cannot.
    pub emulator: Option<Emulator>,
    pub rust: Rust,
    /// Words by which the table of programs says where one does not run.
    pub marks: &'static [&'static str],
    /// What the packages of the bindings call it, if there are such.
    pub packages: Option<Packages>,
    /// Whether a few programs run on it with every test, and not with `--deep` alone.
    pub is_always_run: bool,
}

impl Target {
    /// The command before a program of this system.
    pub fn runner(&self) -> &'static str {
        self.emulator.as_ref().map_or("", |it| it.command)
    }

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
        emulator: Some(QEMU_AARCH64),
        rust: Rust::Debian,
        marks: &["qemu", "aarch64"],
        packages: Some(Packages {
            go: ("linux_arm64", "arm64"),
            wheel: "linux-aarch64",
            npm: "linux-arm64-gnu",
        }),
        is_always_run: true,
    },
    Target {
        triple: "armv7-unknown-linux-gnueabihf",
        cc: "arm-linux-gnueabihf-gcc",
        emulator: Some(QEMU_ARM),
        rust: Rust::Debian,
        marks: &["qemu", "armv7"],
        packages: None,
        is_always_run: false,
    },
    Target {
        triple: "i686-unknown-linux-gnu",
        cc: "i686-linux-gnu-gcc",
        emulator: None,
        rust: Rust::Debian,
        marks: &["i686"],
        packages: None,
        is_always_run: false,
    },
    Target {
        triple: "x86_64-unknown-linux-musl",
        cc: "x86_64-linux-musl-gcc",
        emulator: None,
        rust: Rust::Rustup,
        marks: &["musl"],
        packages: Some(Packages {
            go: ("linux_amd64_musl", "amd64"),
            wheel: "linux-x86_64-musl",
            npm: "linux-x64-musl",
        }),
        is_always_run: true,
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        cc: "aarch64-linux-musl-gcc",
        emulator: Some(QEMU_AARCH64),
        rust: Rust::Rustup,
        marks: &["qemu", "aarch64", "musl"],
        packages: Some(Packages {
            go: ("linux_arm64_musl", "arm64"),
            wheel: "linux-aarch64-musl",
            npm: "linux-arm64-musl",
        }),
        is_always_run: false,
    },
];
