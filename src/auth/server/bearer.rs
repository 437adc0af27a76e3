//! The token of a request: in the header `Authorization` and nowhere else (RFC 6750, section 2.1; RFC 9449, section 7.1; S-AU-07).

use super::denial::Denial;
use crate::auth::Secret;

/// The longest token that is looked at.
const LONGEST: usize = 16 * 1024;

/// The token of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Presented {
    /// The token.
    pub token: Secret,
    /// Whether it is bound to a key that a proof must show.
    pub is_dpop: bool,
}

/// The token of a request, of all its `Authorization` headers and its query.
///
/// # Errors
/// There is no token, or more than one, or it stands in the query, where logs show it.
pub fn presented<'a>(
    mut headers: impl Iterator<Item = &'a [u8]>,
    query: Option<&str>,
) -> Result<Presented, Denial> {
    let in_query = query
        .unwrap_or_default()
        .split('&')
        .any(|pair| pair.split('=').next().is_some_and(|name| name.eq_ignore_ascii_case("access_token")));
    if in_query {
        return Err(Denial::Malformed("a token belongs into the header Authorization, never into the URL"));
    }
    let Some(header) = headers.next() else { return Err(Denial::Missing) };
    if headers.next().is_some() {
        return Err(Denial::Malformed("the header Authorization stands there twice"));
    }
    let unreadable = || Denial::Malformed("the header Authorization must be 'Bearer TOKEN'");
    let text = std::str::from_utf8(header).map_err(|_| unreadable())?;
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    let is_dpop = scheme.eq_ignore_ascii_case("DPoP");
    if !is_dpop && !scheme.eq_ignore_ascii_case("Bearer") {
        // Another scheme says nothing about a token.
        return Err(Denial::Missing);
    }
    let token = token.trim_matches(' ');
    // The grammar of tokens: RFC 6750, section 2.1.
    let letters = token.trim_end_matches('=');
    let is_token = !letters.is_empty()
        && letters.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte));
    if !is_token {
        return Err(unreadable());
    }
    if token.len() > LONGEST {
        return Err(Denial::Invalid("the token is longer than 16 KiB"));
    }
    Ok(Presented { token: Secret::new(token), is_dpop })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(headers: &[&str], query: Option<&str>) -> Result<(String, bool), Denial> {
        presented(headers.iter().map(|header| header.as_bytes()), query)
            .map(|found| (found.token.expose().to_owned(), found.is_dpop))
    }

    #[test]
    fn a_token_comes_in_one_header_and_never_in_the_query() {
        assert_eq!(read(&["Bearer abc.d-_~+/=="], None), Ok(("abc.d-_~+/==".to_owned(), false)));
        assert_eq!(read(&["bearer   x"], Some("a=b")), Ok(("x".to_owned(), false)));
        assert_eq!(read(&["DPoP x"], None), Ok(("x".to_owned(), true)));
        for headers in [&[][..], &["Basic abc"], &["Negotiate"]] {
            assert_eq!(read(headers, None), Err(Denial::Missing), "{headers:?}");
        }
        for headers in [
            &["Bearer"][..],
            &["Bearer "],
            &["Bearer a b"],
            &["Bearer a,b"],
            &["Bearer ="],
            &["Bearer a", "Bearer a"],
        ] {
            assert!(matches!(read(headers, None), Err(Denial::Malformed(_))), "{headers:?}");
        }
        for query in ["access_token=x", "a=b&Access_Token=x", "access_token"] {
            assert!(matches!(read(&["Bearer x"], Some(query)), Err(Denial::Malformed(_))), "{query}");
        }
        let long = format!("Bearer {}", "x".repeat(LONGEST + 1));
        assert!(matches!(read(&[&long], None), Err(Denial::Invalid(_))));
    }
}
