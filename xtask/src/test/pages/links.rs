//! Where the links of a page lead. The pages come as texts, so a test can show a link that leads nowhere.

use std::collections::{BTreeMap, BTreeSet};

/// The files and folders of the project, with the anchors of those that are pages.
#[derive(Default)]
pub struct Places {
    anchors: BTreeMap<String, BTreeSet<String>>,
}

impl Places {
    /// A file, with its text if it is a page, or a folder.
    pub fn add(&mut self, path: &str, page: &str) {
        self.anchors.insert(path.to_owned(), headings(page));
    }

    /// The relative links of a page that lead nowhere.
    pub fn dead(&self, page: &str, text: &str) -> Vec<String> {
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        targets(text).into_iter().filter_map(|link| self.fault(page, folder, &link)).collect()
    }

    fn fault(&self, page: &str, folder: &str, link: &str) -> Option<String> {
        if link.contains(':') {
            return None;
        }
        let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
        let place = if path.is_empty() { page.to_owned() } else { resolve(folder, path) };
        let Some(anchors) = self.anchors.get(&place) else {
            return Some(format!("{page} links to {link}, which is not there"));
        };
        let anchor = anchor.filter(|anchor| !anchors.contains(*anchor))?;
        Some(format!("{page} links to {link}, but {place} has no heading that is #{anchor}"))
    }
}

/// A path from a folder, both with slashes; the root is the empty path.
fn resolve(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            // What leads out of the project is not there.
            ".." if parts.pop().is_none() => return "..".to_owned(),
            ".." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The lines of a page that are no code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// What stands in `](…)`, outside of code.
fn targets(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(page) {
        let words: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for rest in words.split("](").skip(1) {
            let target = rest.split([')', ' ']).next().unwrap_or_default();
            found.push(target.to_owned());
        }
    }
    found
}

/// The anchors of the headings, as they are made of their words: small letters, hyphens for spaces, no signs.
fn headings(page: &str) -> BTreeSet<String> {
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let titles = prose(page).filter_map(|line| {
        let title = line.trim_start_matches('#');
        (title.len() < line.len()).then_some(title)?.strip_prefix(' ')
    });
    let mut anchors = BTreeSet::new();
    for title in titles {
        let words: String = title.trim().to_lowercase().chars().filter(is_kept).collect();
        let anchor = words.replace(' ', "-");
        // The second heading of the same words has a number.
        let number = (1..).map(|number| format!("{anchor}-{number}"));
        let mut names = std::iter::once(anchor.clone()).chain(number);
        anchors.extend(names.find(|name| !anchors.contains(name)));
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::Places;

    fn places() -> Places {
        let mut places = Places::default();
        places.add("", "");
        places.add("docs", "");
        places.add("docs/one.md", "# One thing: `a`\n\n## Same\n\n## Same\n\n```\n# no heading\n```\n");
        places.add("docs/picture.svg", "");
        places.add("README.md", "# Read me\n");
        places
    }

    #[test]
    fn links_to_files_folders_and_headings_are_followed() {
        let page = "[a](../README.md#read-me) ![b](picture.svg) [c](#one-thing-a) [d](../docs/) [e](https://example.com/x.md)\n\
                    [f](mailto:a@example.com) `[g](gone.md)` [h](./one.md#same-1 \"title\")\n```\n[i](gone.md)\n```\n[j](..)\n";
        assert_eq!(places().dead("docs/one.md", page), Vec::<String>::new());
    }

    #[test]
    fn a_link_that_leads_nowhere_is_told() {
        for (link, why) in [
            ("gone.md", "docs/one.md links to gone.md, which is not there"),
            ("../../README.md", "docs/one.md links to ../../README.md, which is not there"),
            (
                "#no-heading",
                "docs/one.md links to #no-heading, but docs/one.md has no heading that is #no-heading",
            ),
            (
                "../README.md#one",
                "docs/one.md links to ../README.md#one, but README.md has no heading that is #one",
            ),
        ] {
            assert_eq!(places().dead("docs/one.md", &format!("see [it]({link})")), [why]);
        }
    }
}
