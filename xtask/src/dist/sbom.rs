//! The bill of materials of a package (`CycloneDX` 1.5): every crate in the library or the program, where it comes from, with its digest
//! and licence, and what needs what. It has no time and no number of its own, so that two builds give the same file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::tree_of_crates::{Crate, tree};
use super::wish::Wish;
use crate::checkout::{Checkout, read};

/// A crate, and the crates that it needs, by their references.
#[derive(Debug, PartialEq)]
struct Component {
    name: String,
    version: String,
    licence: String,
    needs: BTreeSet<String>,
}

/// That of the library.
pub fn of_library(checkout: &Checkout, wish: &Wish) -> Result<String, String> {
    let features = wish.features.join(",");
    of_package(checkout, wish, "mcp", "library", &["--no-default-features", "--features", &features])
}

/// That of the program `mcp`.
pub fn of_program(checkout: &Checkout, wish: &Wish) -> Result<String, String> {
    of_package(checkout, wish, "mcp-cli", "application", &[])
}

fn of_package(
    checkout: &Checkout,
    wish: &Wish,
    package: &str,
    kind: &str,
    words: &[&str],
) -> Result<String, String> {
    let (root, components) = components(tree(checkout, package, wish.system(), words)?)?;
    document(&root, kind, &components, &digests(&read(&checkout.root.join("Cargo.lock"))?))
}

/// How a crate is named by others (<https://github.com/package-url/purl-spec>).
fn reference(name: &str, version: &str) -> String {
    format!("pkg:cargo/{name}@{version}")
}

/// The first crate, and all with what they need.
fn components(tree: Vec<Crate>) -> Result<(String, BTreeMap<String, Component>), String> {
    let mut found: BTreeMap<String, Component> = BTreeMap::new();
    let mut way: Vec<String> = Vec::new();
    for Crate { depth, name, version, licence, .. } in tree {
        let this = reference(&name, &version);
        way.truncate(depth);
        if let Some(parent) = way.last().and_then(|parent| found.get_mut(parent)) {
            parent.needs.insert(this.clone());
        }
        way.push(this.clone());
        let needs = BTreeSet::new();
        found.entry(this).or_insert_with(|| Component { name, version, licence, needs });
    }
    let root = way.first().cloned().ok_or("cargo tree printed nothing")?;
    Ok((root, found))
}

/// The SHA-256 of each crate's file, as Cargo.lock has them.
fn digests(lock: &str) -> BTreeMap<String, String> {
    let value = |block: &str, key: &str| {
        let rest = block.split(&format!("\n{key} = \"")).nth(1)?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    lock.split("[[package]]")
        .skip(1)
        .filter_map(|block| {
            let digest = value(block, "checksum")?;
            Some((reference(&value(block, "name")?, &value(block, "version")?), digest))
        })
        .collect()
}

fn document(
    root: &str,
    kind: &str,
    components: &BTreeMap<String, Component>,
    digests: &BTreeMap<String, String>,
) -> Result<String, String> {
    let first = components.get(root).ok_or("the package itself is not in its list")?;
    let head = entry(root, first, kind, None);
    let mut text = format!(
        "{{\n\"bomFormat\": \"CycloneDX\",\n\"specVersion\": \"1.5\",\n\"version\": 1,\n\"metadata\": {{\"component\": {head}}},\n\
         \"components\": [\n"
    );
    let mut separator = "";
    for (reference, component) in components.iter().filter(|(reference, _)| *reference != root) {
        let digest = digests.get(reference);
        // What is ours comes from no registry: the library has its core in it, the program the library.
        if digest.is_none() && !matches!(component.name.as_str(), "mcp" | "mcp-base" | "mcp-core") {
            return Err(format!("Cargo.lock has no digest of {reference}"));
        }
        let _ = write!(text, "{separator}{}", entry(reference, component, "library", digest));
        separator = ",\n";
    }
    text.push_str("\n],\n\"dependencies\": [\n");
    separator = "";
    for (reference, component) in components {
        let needs: Vec<String> = component.needs.iter().map(|need| format!("\"{need}\"")).collect();
        let _ =
            write!(text, "{separator}{{\"ref\": \"{reference}\", \"dependsOn\": [{}]}}", needs.join(", "));
        separator = ",\n";
    }
    text.push_str("\n]\n}\n");
    Ok(text)
}

/// Names, versions and licences of crates have no sign that JSON quotes.
fn entry(reference: &str, component: &Component, kind: &str, digest: Option<&String>) -> String {
    let Component { name, version, licence, .. } = component;
    let hashes = digest
        .map(|digest| format!(", \"hashes\": [{{\"alg\": \"SHA-256\", \"content\": \"{digest}\"}}]"))
        .unwrap_or_default();
    format!(
        "{{\"type\": \"{kind}\", \"bom-ref\": \"{reference}\", \"name\": \"{name}\", \"version\": \"{version}\", \
         \"purl\": \"{reference}\", \"licenses\": [{{\"expression\": \"{licence}\"}}]{hashes}}}"
    )
}

#[cfg(test)]
mod tests {
    use super::super::tree_of_crates::crates;
    use super::{components, digests, document};

    const TREE: &str =
        "0|mcp v0.1.0 (/x)|MIT OR Apache-2.0\n1|a v1.0.0|MIT/Apache-2.0\n2|b v2.0.0|MIT\n1|b v2.0.0|MIT\n";
    const LOCK: &str = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"aa\"\n\n[[package]]\nname = \"b\"\nversion = \"2.0.0\"\n\
                        checksum = \"bb\"\n\n[[package]]\nname = \"mcp\"\nversion = \"0.1.0\"\n";

    #[test]
    fn every_crate_is_there_once_with_its_digest_and_what_it_needs() {
        let (root, found) = components(crates(TREE).expect("lines")).expect("a tree");
        assert_eq!((root.as_str(), found.len()), ("pkg:cargo/mcp@0.1.0", 3));
        let text = document(&root, "library", &found, &digests(LOCK)).expect("a document");
        assert!(text.contains("{\"ref\": \"pkg:cargo/mcp@0.1.0\", \"dependsOn\": [\"pkg:cargo/a@1.0.0\", \"pkg:cargo/b@2.0.0\"]}"));
        assert!(text.contains("\"expression\": \"MIT OR Apache-2.0\"}], \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"aa\"}]"));
        assert_eq!(text.matches("\"content\": \"bb\"").count(), 1);
    }

    #[test]
    fn a_crate_without_a_digest_is_told() {
        let (root, found) = components(crates(TREE).expect("lines")).expect("a tree");
        let why = document(&root, "library", &found, &digests("")).expect_err("no digest");
        assert!(why.contains("pkg:cargo/a@1.0.0"), "{why}");
    }
}
