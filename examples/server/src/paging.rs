//! Cuts a list into pages. Only this server reads the cursor; a client only hands it back.

use serde_json::{Map, Value};

use crate::protocol::RpcError;

/// The page that `params.cursor` asks for, as the member `key` of a list result.
pub fn page(
    key: &str,
    entries: Vec<Value>,
    params: &Map<String, Value>,
    page_size: Option<usize>,
) -> Result<Map<String, Value>, RpcError> {
    let start = match params.get("cursor") {
        None => 0,
        Some(cursor) => cursor
            .as_str()
            .and_then(|cursor| cursor.strip_prefix("after-"))
            .and_then(|start| start.parse::<usize>().ok())
            .filter(|start| *start < entries.len())
            .ok_or_else(|| RpcError::invalid_params("No such cursor"))?,
    };
    let end = page_size.map_or(entries.len(), |size| entries.len().min(start.saturating_add(size)));
    let mut result = Map::new();
    if end < entries.len() {
        result.insert("nextCursor".to_owned(), format!("after-{end}").into());
    }
    result.insert(key.to_owned(), Value::Array(entries.into_iter().take(end).skip(start).collect()));
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(text: &str) -> Map<String, Value> {
        Map::from_iter([("cursor".to_owned(), Value::from(text))])
    }

    fn list() -> Vec<Value> {
        (0..5).map(Value::from).collect()
    }

    #[test]
    fn pages_join_to_the_whole_list() {
        let (mut params, mut all) = (Map::new(), Vec::new());
        loop {
            let page = page("n", list(), &params, Some(2)).unwrap();
            all.extend(page["n"].as_array().unwrap().clone());
            match page.get("nextCursor") {
                Some(next) => params = cursor(next.as_str().unwrap()),
                None => break,
            }
        }
        assert_eq!(all, list());
    }

    #[test]
    fn without_a_page_size_there_is_one_page() {
        let page = page("n", list(), &Map::new(), None).unwrap();
        assert_eq!(page["n"].as_array().unwrap().len(), 5);
        assert!(!page.contains_key("nextCursor"));
    }

    #[test]
    fn a_cursor_we_never_gave_is_refused() {
        for text in ["", "after-", "after-5", "after-x", "2"] {
            assert_eq!(page("n", list(), &cursor(text), Some(2)).unwrap_err().code, -32602, "{text}");
        }
    }
}
