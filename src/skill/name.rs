//! The rules of the Agent Skills specification for the name and the description of a skill.

use serde_json::{Map, Value};

/// The most characters of a name and of a description.
const NAME: usize = 64;
const DESCRIPTION: usize = 1024;

/// Checks `name` and `description` of front matter. Gives the name.
///
/// # Errors
/// The rule that is violated, in words.
pub(crate) fn check(front_matter: &Map<String, Value>) -> Result<&str, String> {
    let text = |field: &str| {
        let value = front_matter.get(field).ok_or_else(|| format!("the front matter has no '{field}'"))?;
        value.as_str().ok_or_else(|| format!("'{field}' of the front matter is {value} and must be text"))
    };
    let name = text("name")?;
    let is_letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let is_name = (1..=NAME).contains(&name.len())
        && name.chars().all(is_letter)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--");
    if !is_name {
        return Err(format!(
            "the name '{name}' must have 1 to {NAME} letters a to z, digits and single hyphens, with no hyphen at either end"
        ));
    }
    let description = text("description")?;
    let length = description.chars().count();
    if description.trim().is_empty() || length > DESCRIPTION {
        return Err(format!("the description has {length} characters and must have 1 to {DESCRIPTION}"));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn checked(name: &Value, description: &Value) -> Result<String, String> {
        let front_matter = json!({ "name": name, "description": description });
        check(front_matter.as_object().expect("an object")).map(str::to_owned)
    }

    #[test]
    fn a_name_has_the_form_of_the_specification() {
        let longest = "a".repeat(NAME);
        for name in ["pdf", "a", "7", "git-workflow-2", &longest] {
            assert_eq!(checked(&json!(name), &json!("d")).as_deref(), Ok(name));
        }
        let too_long = "a".repeat(NAME + 1);
        for name in ["", "-a", "a-", "a--b", "A", "a b", "a/b", "..", "\u{e4}", &too_long] {
            let why = checked(&json!(name), &json!("d")).expect_err(name);
            assert!(why.contains("hyphen"), "{why}");
        }
        assert!(checked(&json!(7), &json!("d")).is_err_and(|why| why.contains("must be text")));
        assert!(check(&Map::new()).is_err_and(|why| why.contains("no 'name'")));
    }

    #[test]
    fn a_description_says_something_and_is_short() {
        assert!(checked(&json!("a"), &json!("\u{e4}".repeat(DESCRIPTION))).is_ok());
        for text in [json!(""), json!("  \n"), json!("x".repeat(DESCRIPTION + 1)), json!(null), json!([])] {
            assert!(checked(&json!("a"), &text).is_err(), "{text}");
        }
    }
}
