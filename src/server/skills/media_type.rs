//! Media types of files, by the end of their names.

const TYPES: &[(&str, &str)] = &[
    ("bash", "application/x-sh"),
    ("c", "text/x-c"),
    ("cpp", "text/x-c++"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("gif", "image/gif"),
    ("go", "text/x-go"),
    ("gz", "application/gzip"),
    ("h", "text/x-c"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("java", "text/x-java"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("py", "text/x-python"),
    ("rs", "text/x-rust"),
    ("sh", "application/x-sh"),
    ("svg", "image/svg+xml"),
    ("toml", "application/toml"),
    ("ts", "text/x-typescript"),
    ("txt", "text/plain"),
    ("wasm", "application/wasm"),
    ("webp", "image/webp"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("zip", "application/zip"),
];

/// The media type of a file; without a known end of its name, what its bytes are.
pub(super) fn of(name: &str, is_text: bool) -> &'static str {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    let found = TYPES.binary_search_by(|(known, _)| (*known).cmp(end.as_str())).ok();
    let known = found.and_then(|at| TYPES.get(at)).map(|(_, name)| *name);
    known.unwrap_or(if is_text { "text/plain" } else { "application/octet-stream" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found() {
        for (end, name) in TYPES {
            assert_eq!(of(&format!("x.{end}"), true), *name);
        }
        assert_eq!(of("README.MD", true), "text/markdown");
        assert_eq!(of("LICENSE", true), "text/plain");
        assert_eq!(of("x.bin", false), "application/octet-stream");
    }
}
