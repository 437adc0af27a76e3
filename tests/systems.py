"""Other systems on this machine: scripts of bash in the chroots in which the library is made for them. `cargo xtask system NAME` gets the tools
and says where they are. Tests and `packaging/release/others.py` use this, so that it needs Python alone.
"""

import shlex
from pathlib import Path

WINDOWS = "x86_64-pc-windows-gnu"
MSVC = "x86_64-pc-windows-msvc"
# The first macOS for aarch64; Rust's own for x86-64 is older.
OLDEST_MACOS = "11.0"

# Runs a script where the kernel may be told which emulator runs programs for another processor, for the programs in a namespace of its own
# alone. The processes are those of the machine: a list of its own would need more. The words: the line for the kernel, the chroot, the script
# and the folders that are there at their own paths.
ENTER_EMULATED = (
    'set -eu; line=$1; root=$2; script=$3; shift 3; mount --make-rprivate /; mount --rbind /proc "$root/proc"; '
    'mount --rbind /dev "$root/dev"; for folder in "$@"; do mkdir -p "$root$folder"; mount --bind "$folder" "$root$folder"; done; '
    'mount -t binfmt_misc binfmt_misc "$root/mnt"; printf %s "$line" >"$root/mnt/register"; exec chroot "$root" bash -c "$script"'
)


class Chroot:
    """A chroot in which cargo knows the tools for a system."""

    def __init__(self, tools, variables, path=(), folders=(), emulator=""):
        self.tools, self.path, self.emulator = tools, path, emulator
        self.folders = [tools["checkout"], tools["target"], tools["crates"], *folders]
        self.variables = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LANG": "C.UTF-8",
            "CARGO_HOME": tools["crates"],
            # There is no network; the crates were fetched before.
            "CARGO_NET_OFFLINE": "true",
            "CARGO_TERM_COLOR": "never",
            # No debugger looks at what is compiled there, and hardly anything is built a second time with a few lines changed.
            "CARGO_PROFILE_DEV_DEBUG": "false",
            "CARGO_INCREMENTAL": "0",
            **variables,
        }

    def words(self, script, folders=(), kept=(), is_emulated=False):
        """The command that runs a script, with more folders of this machine. `kept` names variables of its caller that it is given, as far as
        they are set: then this is for a shell, and `$ARGUMENT` of the script is `$1` of that."""
        path = "".join(f"{shlex.quote(str(folder))}:" for folder in self.path)
        script = f"set -euo pipefail; cd {shlex.quote(self.tools['checkout'])}; export PATH={path}$PATH\n{script}"
        enter = [*self.tools["enter"], script]
        if is_emulated and self.emulator:
            # A program there may start itself. It has fewer rights than otherwise.
            enter = ["unshare", "-U", "-r", "-m", "bash", "-c", ENTER_EMULATED, "enter", self.emulator, self.tools["root"], script]
        words = ["env", "-i", *(f"{name}={value}" for name, value in self.variables.items())]
        inside = [*enter, *map(str, self.folders), *map(str, folders)]
        if kept:
            given = [*(f'${{{name}+"{name}=${name}"}}' for name in kept), '"ARGUMENT=$1"']
            return f"#!/bin/sh\nexec {shlex.join(words)} {' '.join(given)} {shlex.join(inside)}\n"
        return words + inside

    def dist(self, triple, profile, target, to, more=""):
        """The script that makes an install tree there."""
        words = [self.tools["xtask"], "dist", "--target", triple, "--profile", profile, "--target-dir", target, "--to", to]
        return f"{shlex.join(map(str, words))} {more}"


def windows(tools):
    """MinGW-w64, and wine."""
    rust = Path(tools["rust"])
    variables = {
        # `dist` has cargo take warnings for errors, which a stable one does not know yet.
        "RUSTC_BOOTSTRAP": 1,
        "CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER": "x86_64-w64-mingw32-gcc",
        # Those that a package is made with: with others everything would be compiled twice. The build script of *ring* asks for the time of
        # the files in a package.
        "CARGO_ENCODED_RUSTFLAGS": tools["flags"],
        "SOURCE_DATE_EPOCH": tools["time"],
        "CC": "/usr/bin/x86_64-w64-mingw32-gcc",
        "AR": "/usr/bin/x86_64-w64-mingw32-ar",
        # What wine says of itself, such as that there is no display.
        "WINEDEBUG": "-all",
        # Times and loads as for slow machines: of a build without optimization, with every call of the system emulated.
        "MCP_TEST_SCALE": 4,
    }
    return Chroot(tools, variables, [rust / "bin"], [rust])


class Linux:
    """A Linux system: its C compiler, what runs its programs where the kernel cannot, and what packages of the bindings call it."""

    def __init__(self, triple, emulator="", elf="", is_always_run=False, go=None, wheel=None, npm=None):
        self.triple, self.emulator, self.is_always_run = triple, emulator, is_always_run
        self.go, self.wheel, self.npm = go, wheel, npm
        self.processor = triple.split("-")[0]
        self.is_musl = triple.endswith("-musl")
        self.cc = triple.replace("-unknown", "").replace("armv7", "arm") + "-gcc"
        # How the kernel knows its programs: by the head of the file, without the version of its format and the kind of program.
        mask = r"\xff" * 7 + r"\x00" + r"\xff" * 8 + r"\xfe" + r"\xff" * 3
        head = r"\x7fELF\x{}\x01\x01".format(elf[:2]) + r"\x00" * 9 + r"\x02\x00\x" + elf[2:] + r"\x00"
        self.line = f":{emulator}:M::{head}:{mask}:/usr/bin/{emulator}:" if emulator else ""

    @property
    def marks(self):
        """Words by which tests/targets/programs.txt says where a program does not run."""
        return {self.processor, *(["qemu"] if self.emulator else []), *(["musl"] if self.is_musl else [])}

    def target(self, tools):
        """Where cargo builds: what it compiles for the machine itself on the way is of one Rust."""
        return Path(tools["target"]) / "linux-targets" / ("rustup" if self.is_musl else "debian")

    def chroot(self, tools, scratch):
        """Debian's Rust, or for musl, of which Debian has none, that of rustup, whose cargo runs in the chroot."""
        name = self.triple.replace("-", "_")
        bin_folder = Path(scratch) / "bin"
        write_musl_tools(bin_folder)
        rust = [Path(tools["rust"])] if self.is_musl else []
        variables = {
            f"CC_{name}": self.cc,
            # rustup's standard library for musl brings its C library, which is linked by a compiler for glibc as well.
            f"CARGO_TARGET_{name.upper()}_LINKER": self.cc.replace("-musl-", "-gnu-"),
        }
        if self.emulator:
            variables[f"CARGO_TARGET_{name.upper()}_RUNNER"] = self.emulator
        return Chroot(tools, variables, [*(folder / "bin" for folder in rust), bin_folder], rust, self.line)

    def dist(self, tools, chroot, profile, to, more=""):
        """The script that makes its install tree. A warning is an error, which cargo tells of packages of ours alone."""
        deny = "export RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_WARNINGS=true CARGO_BUILD_WARNINGS=deny"
        return f"{deny}\n{chroot.dist(self.triple, profile, self.target(tools), to, more)}"


def write_musl_tools(folder):
    """The compilers for musl. Debian has one, for its own processor, under a name that does not say which; the other one is made in the same
    way, of the compiler for glibc and the files of musl, with the kernel's headers, which musl's own folder lacks."""
    kernels = {"x86_64": "/usr/include/x86_64-linux-gnu", "aarch64": "/usr/aarch64-linux-gnu/include"}
    for processor, kernel in kernels.items():
        headers = folder / f"{processor}-kernel"
        headers.mkdir(parents=True, exist_ok=True)
        # The links lead to files of the chroot.
        for name, to in {"linux": "/usr/include/linux", "asm-generic": "/usr/include/asm-generic", "asm": f"{kernel}/asm"}.items():
            if not (headers / name).is_symlink():
                (headers / name).symlink_to(to)
        specs = f"/usr/lib/{processor}-linux-musl/musl-gcc.specs"
        put(
            folder / f"{processor}-linux-musl-gcc",
            f"#!/bin/sh\nexec {processor}-linux-gnu-gcc \"$@\" -idirafter '{headers}' -specs {specs}\n",
        )


def put(file, text):
    """Writes a script, unless it is there: what is compiled by one that is new is compiled again."""
    if not file.is_file() or file.read_text() != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)


AARCH64 = {"emulator": "qemu-aarch64", "elf": "02b7"}
LINUX = [
    Linux("aarch64-unknown-linux-gnu", **AARCH64, is_always_run=True, go="linux_arm64", wheel="linux-aarch64", npm="linux-arm64-gnu"),
    Linux("armv7-unknown-linux-gnueabihf", "qemu-arm", "0128"),
    Linux("i686-unknown-linux-gnu"),
    Linux("x86_64-unknown-linux-musl", is_always_run=True, go="linux_amd64_musl", wheel="linux-x86_64-musl", npm="linux-x64-musl"),
    Linux("aarch64-unknown-linux-musl", **AARCH64, go="linux_arm64_musl", wheel="linux-aarch64-musl", npm="linux-arm64-musl"),
]
