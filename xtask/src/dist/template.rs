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

#[cfg(test)]
mod tests {
    use super::{fill, upwards};

    #[test]
    fn every_mark_is_filled_in() {
        assert_eq!(fill("a @X@ @X@\n", &[("X", "1".into())]), Ok("a 1 1\n".into()));
    }

    #[test]
    fn a_mark_without_a_value_is_an_error() {
        let error = fill("Libs: @NEEDS@\n", &[]).err().unwrap_or_default();
        assert_eq!(error, "the template has @NEEDS@, for which there is no value");
        assert!(fill("mail a@b.c and d@e.f\n", &[]).is_ok());
    }

    #[test]
    fn the_way_up_has_a_step_for_each_folder() {
        assert_eq!(upwards("lib/pkgconfig"), "../..");
        assert_eq!(upwards("lib/x86_64-linux-gnu/pkgconfig"), "../../..");
    }
}
