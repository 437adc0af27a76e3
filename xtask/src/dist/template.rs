//! Filling in the templates of `cmake/`: every `@NAME@` must have a value, and every value a place.

pub fn fill(template: &str, values: &[(&str, String)]) -> Result<String, String> {
    let mut text = template.to_owned();
    for (name, value) in values {
        text = text.replace(&format!("@{name}@"), value);
    }
    match text.split('@').nth(1) {
        Some(left) if left.chars().all(|c| c.is_ascii_uppercase() || c == '_') && !left.is_empty() => {
            Err(format!("the template has @{left}@, for which there is no value"))
        }
        _ => Ok(text),
    }
}

/// The way up from a folder below the prefix to the prefix, such as `../..` for `lib/pkgconfig`.
pub fn upwards(folder: &str) -> String {
    let parts = folder.split('/').filter(|part| !part.is_empty() && *part != ".").count();
    vec![".."; parts].join("/")
}
