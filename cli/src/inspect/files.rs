//! The page's own files: modules as they are written, and one file of the libraries that they use.

/// A file: its path, its type, and what it is.
type File = (&'static str, &'static str, &'static [u8]);

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PLAIN: &str = "text/plain; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! files {
    ($($path:literal $kind:ident $file:literal;)*) => {
        &[$(($path, $kind, include_bytes!(concat!("../../page/", $file)))),*]
    };
}

const FILES: &[File] = files! {
    "/" HTML "index.html";
    "/page.css" STYLE "page.css";
    "/main.js" SCRIPT "main.js";
    "/apps.js" SCRIPT "apps.js";
    "/form.js" SCRIPT "form.js";
    "/json.js" SCRIPT "json.js";
    "/state.js" SCRIPT "state.js";
    "/traffic.js" SCRIPT "traffic.js";
    "/view.js" SCRIPT "view.js";
    "/views.js" SCRIPT "views.js";
    "/vendor.js" SCRIPT "vendor.js";
    "/licenses.txt" PLAIN "vendor.licenses.txt";
};

/// The file at a path: its type and its bytes.
pub fn at(path: &str) -> Option<(&'static str, &'static [u8])> {
    FILES.iter().find(|(own, ..)| *own == path).map(|(_, kind, bytes)| (*kind, *bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What others wrote.
    const IS_OF_OTHERS: [&str; 2] = ["/vendor.js", "/licenses.txt"];

    #[test]
    fn w27_the_page_is_small() {
        let bytes: usize = FILES.iter().map(|(.., bytes)| bytes.len()).sum();
        assert!(bytes <= 280_000, "{bytes}");
    }

    #[test]
    fn w24_nothing_of_the_page_is_elsewhere() {
        for (path, _, bytes) in FILES.iter().filter(|(path, ..)| !IS_OF_OTHERS.contains(path)) {
            let text = std::str::from_utf8(bytes).expect("text");
            for (number, line) in text.lines().enumerate() {
                let is_remote =
                    ["src=\"http", "href=\"http", "url(http", "@import", "from \"http", "import(\"http"]
                        .iter()
                        .any(|what| line.contains(what));
                assert!(!is_remote, "{path}:{}: {line}", number + 1);
                assert!(
                    !line.contains("innerHTML") && !line.contains("dangerouslySetInnerHTML"),
                    "{path}: {line}"
                );
            }
        }
    }

    #[test]
    fn w26_the_file_of_libraries_is_the_one_whose_digest_is_written_down() {
        let lock = include_str!("../../page/vendor.sha256");
        let (_, bytes) = at("/vendor.js").expect("there");
        assert_eq!(lock.split_whitespace().next(), Some(&*crate::folders::sha256(bytes)));
    }

    #[test]
    fn w24_modules_import_files_that_are_there() {
        for (path, kind, bytes) in FILES.iter().filter(|(path, ..)| !IS_OF_OTHERS.contains(path)) {
            let text = std::str::from_utf8(bytes).expect("text");
            for part in text.split("from \"./").skip(1) {
                let name = part.split('"').next().unwrap_or_default();
                assert!(at(&format!("/{name}")).is_some(), "{path} imports {name}");
            }
            assert!(*kind != HTML || text.contains("<script type=\"module\" src=\"/main.js\">"));
        }
    }
}
