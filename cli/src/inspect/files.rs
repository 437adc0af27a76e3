//! The page's own files: modules as they are written, and one file of the libraries that they use; and all of them as one file, with a
//! trace in it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcp::client::json_text::quote;
use std::fmt::Write as _;

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

/// The lines of `index.html` in whose places one file has what they name.
const STYLE_LINE: &str = "<link rel=\"stylesheet\" href=\"/page.css\">";
const SCRIPT_LINE: &str = "<script type=\"module\" src=\"/main.js\"></script>";

/// A file of the page as text: all of those that one file has are.
fn text(path: &str) -> &'static str {
    at(path).and_then(|(_, bytes)| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// What a policy calls an inline text that may be used.
fn hash(text: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    format!("'sha256-{}'", STANDARD.encode(digest))
}

/// The page as one file with a trace in it, in the form of `recording`: it needs no program and reads nothing else. Modules are found by an
/// import map as addresses of data. The policy lets run these and what has its digest: a trace brings neither, for it is data within the
/// page, which no script may turn into an element or an address of a script.
pub fn with_trace(trace: &str) -> String {
    let mut map = String::new();
    for (path, kind, _) in FILES.iter().filter(|(_, kind, _)| *kind == SCRIPT) {
        let name = path.trim_start_matches('/');
        // `./x.js` has no meaning below an address of data, and a bare name does.
        let module = text(path).replace("from \"./", "from \"");
        let comma = if map.is_empty() { "" } else { "," };
        // Writing to a text does not fail.
        let _infallible = write!(
            map,
            "{comma}\"{name}\":\"data:{};base64,{}\"",
            kind.replace(' ', ""),
            STANDARD.encode(module)
        );
    }
    let map = format!("{{\"imports\":{{{map}}}}}");
    let (main, style) = ("import \"main.js\";", text("/page.css"));
    let policy = format!(
        "default-src 'none'; script-src {} {} data:; style-src {}; img-src data: blob:; media-src blob:; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'",
        hash(&map),
        hash(main),
        hash(style)
    );
    // Within JSON a `<` is in a text only, where it has another form: no text ends the element or begins another one.
    let data = |id: &str, json: &str| {
        format!("<script type=\"application/json\" id=\"{id}\">{}</script>\n", json.replace('<', "\\u003c"))
    };
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <style>{style}</style>"
    );
    let body = format!(
        "{}{}<script type=\"importmap\">{map}</script>\n<script type=\"module\">{main}</script>",
        data("licences", &quote(text("/licenses.txt"))),
        data("trace", trace)
    );
    text("/").replacen(STYLE_LINE, &head, 1).replacen(SCRIPT_LINE, &body, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w16_one_file_has_all_of_the_page_and_a_trace_that_stays_data() {
        let trace = "{\"trace\":1}\n{\"t\":0,\"data\":\"</script><script>alert(1)</script><!--\"}\n";
        let file = with_trace(trace);
        // The four elements that this file writes.
        assert_eq!(file.matches("<script").count(), 4);
        assert_eq!(file.matches("</script>").count(), 4);
        assert!(!file.contains("<!--") && !file.contains("src=\"/") && !file.contains("href=\"/"));
        let after = file.split("id=\"trace\">").nth(1).and_then(|rest| rest.split("</script>").next());
        let line = after.and_then(|text| text.lines().nth(1)).expect("the record");
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(record["data"], "</script><script>alert(1)</script><!--");
        let inline = file.split("<script type=\"importmap\">").nth(1).and_then(|rest| rest.split('<').next());
        let map: serde_json::Value = serde_json::from_str(inline.expect("a map")).expect("JSON");
        assert!(file.contains(&hash(inline.expect("a map"))), "the policy has the digest of the map");
        for (path, kind, _) in FILES.iter().filter(|(_, kind, _)| *kind == SCRIPT) {
            let url = map["imports"][path.trim_start_matches('/')].as_str().expect("in the map");
            let module =
                url.split_once("base64,").and_then(|(_, data)| STANDARD.decode(data).ok()).expect("Base64");
            let module = String::from_utf8(module).expect("text");
            assert!(!module.contains("from \"./"), "{path} of {kind}");
        }
    }

    /// What others wrote.
    const IS_OF_OTHERS: [&str; 2] = ["/vendor.js", "/licenses.txt"];

    #[test]
    fn w27_the_page_is_small() {
        let bytes: usize = FILES.iter().map(|(.., bytes)| bytes.len()).sum();
        assert!(bytes <= 280_000, "{bytes}");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        for (.., bytes) in FILES {
            std::io::Write::write_all(&mut packed, bytes).expect("packed");
        }
        let packed = packed.finish().expect("packed").len();
        assert!(packed <= 90_000, "{packed} packed");
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
