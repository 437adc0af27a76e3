//! What the linker asks of macOS: text files that say which library has which names. Those of the C library are Zig's; of the others
//! this file has the names that the library uses. Where one is missing, the linker says which; whether macOS has it, Apple's
//! documentation says.

use std::path::{Path, PathBuf};

use crate::checkout::{folder_at, read, update};

/// A library of macOS: its path in the folder of files for the linker, its name at run time, and what it is asked for.
type Stub = (&'static str, &'static str, &'static [&'static str]);

const STUBS: [Stub; 3] = [
    ("usr/lib/libiconv.tbd", "/usr/lib/libiconv.2.dylib", &["iconv", "iconv_close", "iconv_open"]),
    (
        "System/Library/Frameworks/CoreFoundation.framework/CoreFoundation.tbd",
        "/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation",
        &[
            "CFArrayCreate",
            "CFArrayGetCount",
            "CFArrayGetValueAtIndex",
            "CFDataGetBytePtr",
            "CFDataGetLength",
            "CFDictionaryGetValueIfPresent",
            "CFEqual",
            "CFNumberGetValue",
            "CFRelease",
            "CFRetain",
            "CFStringCreateWithBytesNoCopy",
            "CFStringGetBytes",
            "CFStringGetCStringPtr",
            "CFStringGetLength",
            "kCFAllocatorDefault",
            "kCFAllocatorNull",
            "kCFTypeArrayCallBacks",
        ],
    ),
    (
        "System/Library/Frameworks/Security.framework/Security.tbd",
        "/System/Library/Frameworks/Security.framework/Versions/A/Security",
        &[
            "SecCertificateCopyData",
            "SecCopyErrorMessageString",
            "SecTrustSettingsCopyCertificates",
            "SecTrustSettingsCopyTrustSettings",
        ],
    ),
];

/// What the library may ask for when it is loaded.
pub fn libraries() -> Vec<&'static str> {
    let others = STUBS.iter().map(|(_, name, _)| *name);
    std::iter::once("/usr/lib/libSystem.B.dylib").chain(others).collect()
}

/// Writes the files, with those of the C library from `zig`.
pub fn write_to(folder: &Path, zig: &Path) -> Result<(), String> {
    let system = read(&zig.join("lib/libc/darwin/libSystem.tbd"))?;
    // What programs of Rust's target arm64 ask for is listed for arm64e, the one of Apple's own programs.
    let system = without(&system, "arm64e.x1-").replace("arm64e-", "arm64-");
    // The parts of the C library that programs name apart from it.
    for name in ["libSystem", "libc", "libm"] {
        put(&folder.join("usr/lib").join(name).with_extension("tbd"), &system)?;
    }
    for (path, library, names) in STUBS {
        let symbols: Vec<String> = names.iter().map(|name| format!("_{name}")).collect();
        let text = format!(
            "--- !tapi-tbd\ntbd-version: 4\ntargets: [ x86_64-macos, arm64-macos ]\ninstall-name: '{library}'\nexports:\n  \
             - targets: [ x86_64-macos, arm64-macos ]\n    symbols: [ {} ]\n...\n",
            symbols.join(", ")
        );
        put(&folder.join(path), &text)?;
    }
    Ok(())
}

/// Takes the members that begin so out of all lists.
fn without(text: &str, begin: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut parts = text.split(begin);
    kept.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_alphanumeric());
        match rest.strip_prefix(',') {
            Some(rest) => kept.push_str(rest),
            // The last member of a list: the comma before it goes.
            None => {
                kept.truncate(kept.trim_end().trim_end_matches(',').len());
                kept.push_str(rest);
            }
        }
    }
    kept
}

fn put(file: &Path, text: &str) -> Result<(), String> {
    let folder = file.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    folder_at(&folder)?;
    update(file, text)
}
