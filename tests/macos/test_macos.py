"""The library for macOS, compiled and linked on Linux, and for iOS and Android looked at by the compiler, with the same tools: the Rust of this
machine with the standard libraries that rustup brings, Debian's Clang and LLVM's linker in a chroot, and Zig from Python's package index, which
has the headers of macOS and the list of what its C library exports (its own linker does not know a list of exports). Nothing of it runs:
`packaging/macos/check.sh` is for a person with a Mac. With --deep it is the optimized library, for two processors.
"""

import functools
import re
from pathlib import Path

import files
import pytest
import support
import systems
from systems import OLDEST_MACOS

LIMIT = 1500
DEEP = support.places()["deep"]
PROFILE, BUILT = ("release", "release") if DEEP else ("dev", "debug")
# The processors: as Rust calls them, and as macOS does. What differs between the two runs on Linux, on both.
PROCESSORS = {"aarch64": "arm64", "x86_64": "x86_64"}
# What a program must be able to do with the library: name every function.
PROGRAM = "examples/c/inspect.c"
# What the linker asks of macOS: text files that say which library has which names. Those of the C library are Zig's; of the others here are the
# names that the library uses. Where one is missing, the linker says which; whether macOS has it, Apple's documentation says.
SECURITY = "System/Library/Frameworks/Security.framework"
FOUNDATION = "System/Library/Frameworks/CoreFoundation.framework"
STUBS = {
    "usr/lib/libiconv.tbd": ("/usr/lib/libiconv.2.dylib", "iconv iconv_close iconv_open"),
    f"{FOUNDATION}/CoreFoundation.tbd": (
        f"/{FOUNDATION}/Versions/A/CoreFoundation",
        "CFArrayCreate CFArrayGetCount CFArrayGetValueAtIndex CFDataGetBytePtr CFDataGetLength CFDictionaryGetValueIfPresent CFEqual "
        "CFNumberGetValue CFRelease CFRetain CFStringCreateWithBytesNoCopy CFStringGetBytes CFStringGetCStringPtr CFStringGetLength "
        "kCFAllocatorDefault kCFAllocatorNull kCFTypeArrayCallBacks",
    ),
    f"{SECURITY}/Security.tbd": (
        f"/{SECURITY}/Versions/A/Security",
        "SecCertificateCopyData SecCopyErrorMessageString SecTrustSettingsCopyCertificates SecTrustSettingsCopyTrustSettings",
    ),
}
# The compiler and the linker, each under one name and told what rustc and the crate cc tell Apple's.
WORDS = """#!/bin/bash
processor=arm64
words=()
while [ $# -gt 0 ]; do
  case $1 in
    --target=x86_64*) processor=x86_64 ;;
    --target=* | -mmacosx-version-min=*) ;;
    -arch) shift; processor=$1 ;;
    -target | -isysroot) shift ;;
    *) words+=("$1") ;;
  esac
  shift
done
"""
# For iOS and Android, whose headers Zig has not: those of macOS and musl have all that *ring* asks for, and nothing is linked.
CHECK = f"""#!/bin/bash
like=aarch64-linux-musl
words=()
while [ $# -gt 0 ]; do
  case $1 in
    --target=*ios*) like=aarch64-macos.{OLDEST_MACOS} ;;
    --target=* | -miphoneos-version-min=* | -mios-version-min=*) ;;
    -arch) shift; like=aarch64-macos.{OLDEST_MACOS} ;;
    -target | -isysroot) shift ;;
    *) words+=("$1") ;;
  esac
  shift
done
"""


@functools.cache
def chroot():
    tools = support.peer("system-macos")
    rust, zig = Path(tools["rust"]), tools["zig"]
    sdk, programs = support.scratch("macos/sdk"), support.scratch("macos/bin")
    system = (Path(zig["program"]).parent / "lib/libc/darwin/libSystem.tbd").read_text()
    # What programs of Rust's target arm64 ask for is listed for arm64e, the one of Apple's own programs. The parts of the C library have names.
    system = without(system, "arm64e.x1-").replace("arm64e-", "arm64-")
    stubs = {f"usr/lib/{name}.tbd": system for name in ("libSystem", "libc", "libm")}
    for path, (library, names) in STUBS.items():
        listed = ", ".join(f"_{name}" for name in names.split())
        stubs[path] = (
            f"--- !tapi-tbd\ntbd-version: 4\ntargets: [ x86_64-macos, arm64-macos ]\ninstall-name: '{library}'\nexports:\n"
            f"  - targets: [ x86_64-macos, arm64-macos ]\n    symbols: [ {listed} ]\n...\n"
        )
    for path, text in stubs.items():
        systems.put(sdk / path, text)
    # What Zig checks at run time by itself would need its own library.
    compiles = f"exec '{zig['program']}' cc -fno-sanitize=undefined"
    processor = "[ $processor = arm64 ] && processor=aarch64\n"
    systems.put(programs / "cc-for-macos", f'{WORDS}{processor}{compiles} -target $processor-macos.{OLDEST_MACOS} "${{words[@]}}"\n')
    systems.put(programs / "cc-for-checks", f'{CHECK}{compiles} -target $like "${{words[@]}}"\n')
    systems.put(
        programs / "link-for-macos",
        f"{WORDS}exec clang -target $processor-apple-macos{OLDEST_MACOS} -fuse-ld=lld -isysroot '{sdk}' -Wno-unused-command-line-argument "
        '"${words[@]}"\n',
    )
    variables = {
        "MACOSX_DEPLOYMENT_TARGET": OLDEST_MACOS,
        "SDKROOT": sdk,
        "ZIG_GLOBAL_CACHE_DIR": f"{zig['folder']}/cache",
        "ZIG_LOCAL_CACHE_DIR": f"{zig['folder']}/cache/macos",
        "RUSTFLAGS": "-D warnings",
    }
    for system in ("apple_ios", "linux_android"):
        variables |= {f"CC_aarch64_{system}": programs / "cc-for-checks", f"AR_aarch64_{system}": "llvm-ar"}
    for processor in PROCESSORS:
        variables |= {
            f"CC_{processor}_apple_darwin": programs / "cc-for-macos",
            f"AR_{processor}_apple_darwin": "llvm-ar",
            f"CARGO_TARGET_{processor.upper()}_APPLE_DARWIN_LINKER": programs / "link-for-macos",
        }
    return systems.Chroot(tools, variables, [programs, rust / "bin"], [rust, zig["folder"]])


def without(text, begin):
    """Takes the members that begin so out of all lists: with the comma after each, or for the last member the one before."""
    return re.sub(rf"{re.escape(begin)}\w+,|,\s*{re.escape(begin)}\w+(?=\s*\])|{re.escape(begin)}\w+", "", text)


def run(script):
    return support.run(chroot().words(script), LIMIT)


def target():
    return f"{support.peer('system-macos')['target']}/macos"


@functools.cache
def compiled(processor):
    if processor != "aarch64":
        got = support.run([support.places()["xtask"], "system", "macos", f"{processor}-apple-darwin"], 900)
        if got.code != 0:
            return got
    return run(
        f"cargo rustc --quiet --locked --package libmcp --crate-type cdylib --profile {PROFILE} --target-dir '{target()}' "
        f"--target {processor}-apple-darwin"
    )


def library(processor):
    if compiled(processor).code != 0:
        pytest.skip("it was not compiled, which another test tells")
    return f"{target()}/{processor}-apple-darwin/{BUILT}/libmcp.dylib"


each = pytest.mark.parametrize("processor", list(PROCESSORS) if DEEP else ["aarch64"])


@each
def test_the_library_is_compiled_without_a_warning_and_linked(processor):
    compiled(processor).well()


@each
def test_it_exports_exactly_what_the_list_has(processor):
    found = run(f"llvm-nm --defined-only --extern-only --just-symbol-name '{library(processor)}'").well().stdout
    # A name in a Mach-O file begins with an underscore.
    files.same({name.removeprefix("_") for name in found.split()}, files.exports())


@each
def test_it_is_found_wherever_it_is_for_the_oldest_macos_and_needs_the_systems_libraries_alone(processor):
    file = library(processor)
    name, needs, loads = (run(f"llvm-otool {option} '{file}'").well().stdout for option in ("-D", "-L", "-l"))
    assert name.split()[-1] == "@rpath/libmcp.dylib"
    assert f"minos {OLDEST_MACOS}" in loads
    known = {"@rpath/libmcp.dylib", "/usr/lib/libSystem.B.dylib", *(library for library, _ in STUBS.values())}
    found = {line.split(" (compatibility")[0].strip() for line in needs.splitlines() if " (compatibility" in line}
    assert found and not found - known


@each
def test_a_program_links_to_it(processor):
    apple, file, object_file = PROCESSORS[processor], library(processor), support.scratch("macos") / f"program-{processor}.o"
    run(
        f"cc-for-macos -arch {apple} -std=c11 -Wall -Wextra -Werror -I include -c '{PROGRAM}' -o '{object_file}'\n"
        f"link-for-macos -arch {apple} '{object_file}' '{file}' -o '{object_file}.program'\n"
        f"llvm-otool -L '{object_file}.program' | grep -F @rpath/libmcp.dylib"
    ).well()


@pytest.mark.deep
def test_both_make_one_file_a_universal_library():
    both = support.scratch("macos") / "libmcp.dylib"
    made = run(f"llvm-lipo -create {' '.join(library(processor) for processor in PROCESSORS)} -output '{both}'; llvm-lipo -archs '{both}'").well()
    assert set(made.stdout.split()) == set(PROCESSORS.values())


@pytest.mark.deep
def test_the_unit_tests_are_compiled_without_a_warning_and_linked():
    run(
        f"cargo rustc --quiet --locked --package mcp --lib --profile test --target-dir '{target()}' --target aarch64-apple-darwin"
    ).well()


@pytest.mark.parametrize("triple, parts", [("aarch64-apple-ios", "--lib --tests"), ("aarch64-linux-android", "--lib")])
def test_the_library_is_checked_for_telephones_without_a_warning(triple, parts):
    """Like macOS is the one system for which the unit tests are looked at in every run."""
    run(f"cargo check --quiet --locked --package mcp {parts} --target-dir '{target()}' --target {triple}").well()


def test_members_are_taken_out_of_lists():
    assert without("[ a-x, b-y, c-z ]", "b-") == "[ a-x,  c-z ]"
    assert without("[ a-x, b-y ]", "b-") == "[ a-x ]"
