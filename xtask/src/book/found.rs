//! The links of the finished book that lead nowhere: to a page that is not there, or to a place that its page does not have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::links::resolve;
use crate::checkout::{files_below, read};

/// The links between the pages of a folder. What the reference links to in itself Doxygen has checked.
pub fn dead_links(html: &Path, reference: &str) -> Result<Vec<String>, String> {
    let mut pages = BTreeMap::new();
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files_below(html)? {
        let path = file.strip_prefix(html).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        if file.extension().is_none_or(|extension| extension != "html") {
            places.insert(path, BTreeSet::new());
            continue;
        }
        let text = read(&file)?;
        places.insert(path.clone(), values(&text, "id=\"").into_iter().collect());
        // The page for what is not found has links from the root of wherever it is published.
        if !path.starts_with(&format!("{reference}/")) && path != "404.html" && path != "toc.html" {
            pages.insert(path, text);
        }
    }
    let mut dead = Vec::new();
    for (page, text) in &pages {
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        for link in ["href=\"", "src=\""].iter().flat_map(|name| values(text, name)) {
            if link.contains(':') || link.is_empty() {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let place = if path.is_empty() { page.clone() } else { resolve(folder, path) };
            match places.get(&place) {
                None => dead.push(format!("{page} links to {link}, which is not there")),
                Some(ids) if !anchor.is_empty() && !ids.contains(anchor) => {
                    dead.push(format!("{page} links to {link}, but {place} has no #{anchor}"));
                }
                Some(_) => {}
            }
        }
    }
    Ok(dead)
}

/// The values of an attribute.
fn values(text: &str, attribute: &str) -> Vec<String> {
    text.split(attribute)
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('"')?.0.replace("&amp;", "&").replace("&#39;", "'")))
        .collect()
}
