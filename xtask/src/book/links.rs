//! Where the links of a page lead in the book: pages keep their places to each other, headers become their reference, and what the
//! book does not have is shown where the project is published.

use std::path::Path;

const PUBLISHED: &str = "https://github.com/libmcp/libmcp";

/// What of the repository has another place in the book: a page of Doxygen's.
const REFERENCES: [(&str, &str); 3] = [
    ("docs/reference/functions.md", "index.html"),
    ("include/mcp.h", "mcp_8h.html"),
    ("include/mcp.hpp", "mcp_8hpp.html"),
];

pub struct Links<'a> {
    /// The pages of the book, by their paths in the repository.
    pub pages: &'a [String],
    pub root: &'a Path,
    /// The folder of the reference.
    pub reference: &'a str,
}

impl Links<'_> {
    /// The text of a page with its links as they are in the book.
    pub fn in_page(&self, page: &str, text: &str) -> String {
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        let up = "../".repeat(folder.split('/').filter(|part| !part.is_empty()).count());
        changed(text, |link| self.to(folder, &up, link))
    }

    /// Where a link leads, if that is another place than in the repository.
    fn to(&self, folder: &str, up: &str, link: &str) -> Option<String> {
        if link.contains(':') || link.starts_with('#') {
            return None;
        }
        let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
        let place = resolve(folder, path);
        if self.pages.contains(&place) {
            return Some(in_book(link));
        }
        if Path::new(path).extension().is_some_and(|extension| extension == "svg") {
            return None;
        }
        if let Some((_, page)) = REFERENCES.iter().find(|(file, _)| *file == place) {
            return Some(format!("{up}{}/{page}", self.reference));
        }
        let kind = if self.root.join(&place).is_dir() { "tree" } else { "blob" };
        let anchor = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
        Some(format!("{PUBLISHED}/{kind}/main/{place}{anchor}"))
    }
}

/// The list of the pages, from a file in `folder`, with links from the root of the book.
pub fn in_summary(folder: &str, text: &str) -> String {
    changed(text, |link| Some(in_book(&resolve(folder, link))))
}

/// The first page of a folder has the name that browsers and servers look for; a table is a page.
pub fn in_book(path: &str) -> String {
    path.replace("README.md", "index.md").replace(".toml", ".toml.md")
}

/// A path from a folder, both with slashes; the root is the empty path.
pub fn resolve(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// What stands in `](…)`, outside of code.
pub fn targets(text: &str) -> Vec<String> {
    let found = std::cell::RefCell::new(Vec::new());
    changed(text, |link| {
        found.borrow_mut().push(link.to_owned());
        None
    });
    found.into_inner()
}

/// The text with other targets of links, outside of code.
fn changed(text: &str, to: impl Fn(&str) -> Option<String>) -> String {
    let mut is_code = false;
    let mut page = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence {
            page.push_str(line);
            continue;
        }
        for (number, part) in line.split('`').enumerate() {
            if number > 0 {
                page.push('`');
            }
            if number % 2 == 1 && !part.starts_with("](") {
                page.push_str(part);
                continue;
            }
            let mut rest = part;
            while let Some((before, after)) = rest.split_once("](") {
                let end = after.find([')', ' ', '\n']).unwrap_or(after.len());
                let (link, after) = after.split_at(end);
                page.push_str(before);
                page.push_str("](");
                page.push_str(&to(link).unwrap_or_else(|| link.to_owned()));
                rest = after;
            }
            page.push_str(rest);
        }
    }
    page
}
