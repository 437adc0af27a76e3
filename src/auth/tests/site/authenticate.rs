//! How a client shows at the token endpoint who it is.

use super::*;

/// Who asks; only the one way that the server takes is good.
pub(super) fn authenticate(
    server: &Server,
    request: &Request,
    form: &HashMap<String, String>,
) -> Result<String, Answer> {
    let basic = header(request, "authorization");
    let method = match (&basic, form.get("client_secret"), form.get("client_assertion")) {
        (Some(_), None, None) if form.contains_key("client_id") => "client_secret_basic and client_id",
        (Some(_), None, None) => "client_secret_basic",
        (None, Some(_), None) => "client_secret_post",
        (None, None, Some(_)) => "private_key_jwt",
        (None, None, None) => "none",
        _ => panic!("two ways at once"),
    };
    if let Some(only) = &server.method
        && only != method
    {
        return Err(error(401, "invalid_client"));
    }
    let grant = form.get("grant_type").map_or("", String::as_str);
    if grant.ends_with("jwt-bearer") && method == "none" && !form.contains_key("client_id") {
        return Ok(String::new());
    }
    if method == "private_key_jwt" {
        let claims = jose::claims(&form["client_assertion"]).expect("claims");
        assert_eq!(claims["aud"], server.issuer.as_str());
        assert_eq!(claims["iss"], claims["sub"]);
        return Ok(claims["sub"].as_str().expect("a subject").to_owned());
    }
    if let Some(id) = form.get("client_id").filter(|_| basic.is_none()) {
        let known = server.clients.get(id);
        let good = id.starts_with("https://")
            || known.is_some_and(|secret| secret.as_ref() == form.get("client_secret"));
        return if good { Ok(id.clone()) } else { Err(error(401, "invalid_client")) };
    }
    let header = basic.unwrap_or_default();
    let found = server.clients.iter().find(|(id, secret)| {
        let encode = crate::auth::form::encode;
        let pair = format!("{}:{}", encode(id), encode(secret.as_deref().unwrap_or_default()));
        header == format!("Basic {}", base64(pair.as_bytes()))
    });
    found.map(|(id, _)| id.clone()).ok_or_else(|| error(401, "invalid_client"))
}
