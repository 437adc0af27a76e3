//! Cookies of the MCP server, so that a load balancer leads each request of a client to the same backend (RFC 6265, section 5). They
//! are kept in memory as long as the client lives, and go to exactly the origin that set them: `Domain` never widens that.

use super::address::{Address, Origin};
use super::header::is_token;
use hyper::header::{DATE, HeaderMap, HeaderValue, SET_COOKIE};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::time::Instant;

/// The most cookies that are kept; the one that was set first makes room.
const MOST: usize = 32;
/// Bytes of one cookie, name and value.
const COOKIE_BYTES: usize = 4096;
/// Bytes of all of them, as they are sent: many servers take heads of 8 KiB.
const ALL_BYTES: usize = 6144;
/// The longest that a cookie is kept, as in browsers.
const LONGEST: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// The cookies of one origin.
#[derive(Debug)]
pub(super) struct Cookies {
    origin: Origin,
    jar: Mutex<Jar>,
}

#[derive(Default)]
struct Jar {
    /// In the order in which they were first set.
    kept: Vec<Cookie>,
    /// The login that they were set under.
    login: Option<String>,
    /// Goes up with each change of the login.
    epoch: u64,
}

struct Cookie {
    name: String,
    value: String,
    path: String,
    until: Option<Instant>,
}

/// Values may be secret.
impl std::fmt::Debug for Jar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jar").field("kept", &self.kept.len()).finish_non_exhaustive()
    }
}

/// What a request is sent with.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    epoch: u64,
    /// The value of `Cookie`.
    pub(super) value: Option<HeaderValue>,
}

impl Cookies {
    pub(super) fn of(origin: &Origin) -> Cookies {
        Cookies { origin: origin.clone(), jar: Mutex::default() }
    }

    /// What a request to this place is sent with, behind what the application sends itself.
    pub(super) fn sent(&self, to: &Address, own: Option<&HeaderValue>) -> Sent {
        let mut jar = self.jar();
        let epoch = jar.epoch;
        if jar.kept.is_empty() || *to.origin() != self.origin {
            return Sent { epoch, value: None };
        }
        let now = Instant::now();
        jar.kept.retain(|cookie| cookie.until.is_none_or(|until| until > now));
        // As bytes: a value of the application's may be in any encoding.
        let own = own.map_or(&b""[..], HeaderValue::as_bytes);
        let names: Vec<&[u8]> = own.split(|byte| *byte == b';').filter_map(name_of).collect();
        let mut chosen: Vec<&Cookie> = jar.kept.iter().collect();
        chosen
            .retain(|cookie| is_under(path_of(to), &cookie.path) && !names.contains(&cookie.name.as_bytes()));
        if chosen.is_empty() {
            return Sent { epoch, value: None };
        }
        // The longer path first (RFC 6265, section 5.4).
        chosen.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let pairs = chosen.iter().map(|cookie| format!("{}={}", cookie.name, cookie.value).into_bytes());
        let own = Some(own.to_owned()).filter(|own| !own.is_empty());
        let text = own.into_iter().chain(pairs).collect::<Vec<_>>().join(&b"; "[..]);
        // Each part was checked when it was kept.
        let mut value = HeaderValue::from_bytes(&text).ok();
        if let Some(value) = &mut value {
            value.set_sensitive(true);
        }
        Sent { epoch, value }
    }

    /// Keeps what an answer from this place sets; `sent` is what its request was sent with.
    pub(super) fn take(&self, from: &Address, headers: &HeaderMap, sent: &Sent) {
        if !headers.contains_key(SET_COOKIE) || *from.origin() != self.origin {
            return;
        }
        let mut jar = self.jar();
        // An answer to another login.
        if jar.epoch != sent.epoch {
            return;
        }
        let now = Now::of(headers);
        for value in headers.get_all(SET_COOKIE) {
            if let Some(cookie) = value.to_str().ok().and_then(|text| Cookie::parse(text, from, &now)) {
                jar.keep(cookie, now.at);
            }
        }
    }

    /// Requests are made under this login from now on: cookies of another one are dropped.
    #[cfg(feature = "auth")]
    pub(super) fn belong_to(&self, login: Option<String>) {
        let mut jar = self.jar();
        if jar.login == login {
            return;
        }
        // What was set before the first login says nothing of a principal.
        if jar.login.is_some() {
            jar.kept.clear();
            jar.epoch += 1;
        }
        jar.login = login;
    }

    fn jar(&self) -> MutexGuard<'_, Jar> {
        self.jar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Jar {
    fn keep(&mut self, cookie: Cookie, now: Instant) {
        let is_over = cookie.until.is_some_and(|until| until <= now);
        let same = |old: &Cookie| old.name == cookie.name && old.path == cookie.path;
        match self.kept.iter().position(same) {
            Some(at) if is_over => drop(self.kept.remove(at)),
            Some(at) => self.kept[at] = cookie,
            None if is_over => {}
            None => self.kept.push(cookie),
        }
        self.kept.retain(|cookie| cookie.until.is_none_or(|until| until > now));
        while self.kept.len() > MOST || self.kept.iter().map(Cookie::bytes).sum::<usize>() > ALL_BYTES {
            self.kept.remove(0);
        }
    }
}

/// The time, and what the server takes for it: dates are told by its clock.
struct Now {
    at: Instant,
    server: SystemTime,
}

impl Now {
    fn of(headers: &HeaderMap) -> Now {
        let date = headers.get(DATE).and_then(|date| date.to_str().ok());
        let server = date.and_then(|date| httpdate::parse_http_date(date.trim_ascii()).ok());
        Now { at: Instant::now(), server: server.unwrap_or_else(SystemTime::now) }
    }

    fn after(&self, time: Duration) -> Instant {
        self.at.checked_add(time.min(LONGEST)).unwrap_or(self.at)
    }

    /// What a date says; many servers write it with dashes, as none of the three forms of HTTP.
    fn until(&self, date: &str) -> Option<Instant> {
        let parsed =
            httpdate::parse_http_date(date).or_else(|_| httpdate::parse_http_date(&date.replace('-', " ")));
        Some(self.after(parsed.ok()?.duration_since(self.server).unwrap_or_default()))
    }
}

impl Cookie {
    /// What a value of `Set-Cookie` says; none where it is malformed, or not for this origin.
    fn parse(text: &str, from: &Address, now: &Now) -> Option<Cookie> {
        let mut parts = text.split(';').map(str::trim_ascii);
        let (name, value) = parts.next()?.split_once('=')?;
        let (name, value) = (name.trim_ascii(), value.trim_ascii());
        let is_text = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        if !is_token(name) || !is_text || name.len() + value.len() > COOKIE_BYTES {
            return None;
        }
        let (mut is_secure, mut names_domain) = (false, false);
        let (mut path, mut expires, mut age) = (None, None, None);
        for attribute in parts {
            let (key, value) = attribute.split_once('=').unwrap_or((attribute, ""));
            let value = value.trim_ascii();
            match key.trim_ascii().to_ascii_lowercase().as_str() {
                "secure" => is_secure = true,
                "domain" if value.is_empty() => {}
                "domain" if !is_domain_of(value, &from.origin().host) => return None,
                "domain" => names_domain = true,
                "path" => path = Some(value).filter(|path| path.starts_with('/')),
                "expires" => expires = now.until(value).or(expires),
                "max-age" => age = seconds(value).map(|time| now.after(time)).or(age),
                // `HttpOnly` and `SameSite` are about pages and their scripts.
                _ => {}
            }
        }
        let lower = name.to_ascii_lowercase();
        let is_refused = is_secure && !from.origin().tls
            || lower.starts_with("__secure-") && !is_secure
            || lower.starts_with("__host-") && (!is_secure || names_domain || path != Some("/"));
        let path = path.unwrap_or_else(|| default_path(path_of(from))).to_owned();
        if is_refused || path.len() > COOKIE_BYTES {
            return None;
        }
        Some(Cookie { name: name.to_owned(), value: value.to_owned(), path, until: age.or(expires) })
    }

    /// What it takes in a request, with what parts it from others.
    fn bytes(&self) -> usize {
        self.name.len() + self.value.len() + 3
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let (is_past, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| {
        if is_past { Duration::ZERO } else { Duration::from_secs(digits.parse().unwrap_or(u64::MAX)) }
    })
}

/// Whether a host is in this domain (RFC 6265, section 5.1.3).
fn is_domain_of(domain: &str, host: &str) -> bool {
    let domain = domain.strip_prefix('.').unwrap_or(domain).to_ascii_lowercase();
    let is_name = !host.starts_with('[') && host.parse::<std::net::Ipv4Addr>().is_err();
    let is_below = || host.strip_suffix(&*domain).is_some_and(|rest| rest.ends_with('.'));
    !domain.is_empty() && (host == domain || is_name && is_below())
}

/// The name of a cookie, as it is sent.
fn name_of(pair: &[u8]) -> Option<&[u8]> {
    let mut parts = pair.splitn(2, |byte| *byte == b'=');
    let name = parts.next()?;
    parts.next().map(|_| name.trim_ascii())
}

fn path_of(address: &Address) -> &str {
    address.target().split('?').next().unwrap_or("/")
}

/// The path of a cookie that names none (RFC 6265, section 5.1.4).
fn default_path(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some((folder, _)) if !folder.is_empty() => folder,
        _ => "/",
    }
}

/// Whether a request for `path` is under the path of a cookie (RFC 6265, section 5.1.4).
fn is_under(path: &str, of_cookie: &str) -> bool {
    let rest = path.strip_prefix(of_cookie);
    rest.is_some_and(|rest| rest.is_empty() || of_cookie.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(url: &str) -> Address {
        Address::parse(url).expect("an address")
    }

    fn answer(lines: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(DATE, HeaderValue::from_static("Sun, 06 Nov 1994 08:49:37 GMT"));
        for line in lines {
            headers.append(SET_COOKIE, HeaderValue::from_str(line).expect("a value"));
        }
        headers
    }

    fn take(cookies: &Cookies, from: &str, lines: &[&str]) {
        let sent = cookies.sent(&at(from), None);
        cookies.take(&at(from), &answer(lines), &sent);
    }

    fn sent(cookies: &Cookies, to: &str) -> Option<String> {
        let value = cookies.sent(&at(to), None).value?;
        assert!(value.is_sensitive());
        Some(value.to_str().expect("a text").to_owned())
    }

    /// What a request to `to` has after an answer from `from` with these values of `Set-Cookie`.
    fn after(from: &str, lines: &[&str], to: &str) -> Option<String> {
        let cookies = Cookies::of(at(from).origin());
        take(&cookies, from, lines);
        sent(&cookies, to)
    }

    #[test]
    fn a_cookie_goes_back_to_where_it_came_from() {
        const URL: &str = "https://a.example/api/mcp?x=/y";
        for (line, to, back) in [
            ("lb=1", URL, Some("lb=1")),
            (" lb = \"a b\" ; HttpOnly; SameSite=None; Partitioned; what", URL, Some("lb=\"a b\"")),
            ("lb=", URL, Some("lb=")),
            ("lb=a=b", "https://a.example/api", Some("lb=a=b")),
            ("lb=1", "https://a.example/api/", Some("lb=1")),
            ("lb=1", "https://a.example/apis", None),
            ("lb=1", "https://a.example/", None),
            ("lb=1; Path=/", "https://a.example/", Some("lb=1")),
            ("lb=1; path=/api/", URL, Some("lb=1")),
            ("lb=1; Path=/api/", "https://a.example/api", None),
            ("lb=1; Path=/other", URL, None),
            ("lb=1; Path=api", URL, Some("lb=1")),
            // The exact origin.
            ("lb=1; Path=/", "https://a.example:8443/api/mcp", None),
            ("lb=1; Path=/", "http://a.example/api/mcp", None),
            ("lb=1; Path=/", "https://b.a.example/api/mcp", None),
            ("lb=1; Path=/; Domain=.EXAMPLE", URL, Some("lb=1")),
            ("lb=1; Path=/; Domain=a.example", "https://b.a.example/api/mcp", None),
            ("lb=1; Domain=", URL, Some("lb=1")),
            ("lb=1; Domain=b.example", URL, None),
            ("lb=1; Domain=.a.exampl", URL, None),
            ("lb=1; Domain=xample", URL, None),
            // Times.
            ("lb=1; Max-Age=60", URL, Some("lb=1")),
            ("lb=1; Max-Age=99999999999999999999", URL, Some("lb=1")),
            ("lb=1; Max-Age=0", URL, None),
            ("lb=1; Max-Age=-5", URL, None),
            ("lb=1; Max-Age=x", URL, Some("lb=1")),
            ("lb=1; Expires=Sun, 06 Nov 1994 08:49:38 GMT", URL, Some("lb=1")),
            ("lb=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT", URL, None),
            ("lb=1; Expires=Thu, 01-Jan-1970 00:00:00 GMT", URL, None),
            ("lb=1; Expires=Thu, 01-Jan-1970 00:00:00 GMT; Max-Age=9", URL, Some("lb=1")),
            ("lb=1; Expires=soon", URL, Some("lb=1")),
            // Prefixes.
            ("__Secure-lb=1; Secure", URL, Some("__Secure-lb=1")),
            ("__Secure-lb=1", URL, None),
            ("__Host-lb=1; Secure; Path=/", URL, Some("__Host-lb=1")),
            ("__host-lb=1; Secure; Path=/; Domain=a.example", URL, None),
            ("__Host-lb=1; Secure", URL, None),
            // What is not a cookie.
            ("", URL, None),
            ("lb", URL, None),
            ("=1", URL, None),
            ("l b=1", URL, None),
            ("l,b=1", URL, None),
            ("lb=a\tb", URL, None),
        ] {
            assert_eq!(after(URL, &[line], to).as_deref(), back, "{line} to {to}");
        }
        let plain = "http://127.0.0.1:8080/mcp";
        assert_eq!(after(plain, &["lb=1; Secure"], plain), None, "without TLS");
        assert_eq!(after(plain, &["lb=1; Domain=127.0.0.1"], plain).as_deref(), Some("lb=1"));
        assert_eq!(after(plain, &["lb=1; Domain=0.0.1"], plain), None, "an address has no domains above it");
    }

    #[test]
    fn a_cookie_is_replaced_and_ended_by_its_name_and_path() {
        let url = "https://a.example/api/mcp";
        let lines = ["a=1; Path=/", "b=1", "a=2; Path=/", "a=3; Path=/api/mcp"];
        assert_eq!(after(url, &lines, url).as_deref(), Some("a=3; b=1; a=2"), "the longer path first");
        let ended = ["a=1", "b=1", "a=; Max-Age=0"];
        assert_eq!(after(url, &ended, url).as_deref(), Some("b=1"));
    }

    #[test]
    fn what_the_application_sends_itself_comes_first_and_wins() {
        let cookies = Cookies::of(at("https://a.example/").origin());
        take(&cookies, "https://a.example/mcp", &["lb=1", "theme=dark"]);
        for (own, all) in [
            (&b"theme=light; key=k"[..], &b"theme=light; key=k; lb=1"[..]),
            ("name=Zo\u{eb};theme = x".as_bytes(), "name=Zo\u{eb};theme = x; lb=1".as_bytes()),
            (b"name=Zo\xeb; lb=own", b"name=Zo\xeb; lb=own; theme=dark"),
            (b"theme; \xeb=1", b"theme; \xeb=1; lb=1; theme=dark"),
            (b"", b"lb=1; theme=dark"),
        ] {
            let own = HeaderValue::from_bytes(own).expect("a value");
            let value = cookies.sent(&at("https://a.example/mcp"), Some(&own)).value.expect("one");
            assert_eq!(value.as_bytes(), all, "{own:?}");
        }
    }

    #[test]
    fn a_cookie_ends_with_its_time() {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().start_paused(true).build().expect("a runtime");
        runtime.block_on(async {
            let url = "https://a.example/mcp";
            let cookies = Cookies::of(at(url).origin());
            take(&cookies, url, &["a=1; Max-Age=60", "b=1"]);
            tokio::time::advance(Duration::from_secs(59)).await;
            assert_eq!(sent(&cookies, url).as_deref(), Some("a=1; b=1"));
            tokio::time::advance(Duration::from_secs(1)).await;
            assert_eq!(sent(&cookies, url).as_deref(), Some("b=1"));
        });
    }

    #[cfg(feature = "auth")]
    #[test]
    fn cookies_of_one_login_go_with_no_other() {
        let url = "https://a.example/mcp";
        let cookies = Cookies::of(at(url).origin());
        take(&cookies, url, &["lb=1"]);
        cookies.belong_to(Some("first".to_owned()));
        assert_eq!(sent(&cookies, url).as_deref(), Some("lb=1"), "it was there before any login");
        cookies.belong_to(Some("first".to_owned()));
        assert_eq!(sent(&cookies, url).as_deref(), Some("lb=1"), "a refresh");
        let late = cookies.sent(&at(url), None);
        cookies.belong_to(Some("second".to_owned()));
        cookies.take(&at(url), &answer(&["session=of-the-first"]), &late);
        assert_eq!(sent(&cookies, url), None);
        take(&cookies, url, &["lb=2"]);
        cookies.belong_to(None);
        assert_eq!(sent(&cookies, url), None, "a logout");
    }

    proptest! {
        #[test]
        fn what_a_server_sets_has_a_bound_and_is_safe_on_the_wire(
            lines in prop::collection::vec(("[ -~]{0,12}|[a-z]{1,2}=[ -~]{0,4}", 0..4200_usize, "(; (Path=/[a-z]?|Max-Age=[0-9]|Secure|Domain=[a-z.]{0,9}))?"), 0..60)
        ) {
            let lines: Vec<String> = lines.iter().map(|(pair, more, rest)| format!("{pair}{}{rest}", "x".repeat(*more))).collect();
            let url = "https://a.example/a/mcp";
            let cookies = Cookies::of(at(url).origin());
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            for part in lines.chunks(7) {
                take(&cookies, url, part);
                let value = sent(&cookies, url).unwrap_or_default();
                prop_assert!(value.len() <= ALL_BYTES, "{}", value.len());
                prop_assert!(value.split("; ").count() <= MOST);
                prop_assert!(value.bytes().all(|byte| matches!(byte, b' '..=b'~')));
            }
            prop_assert_eq!(sent(&cookies, "https://b.example/a/mcp"), None);
        }
    }

    #[test]
    fn the_cookie_that_was_set_first_makes_room() {
        let url = "https://a.example/mcp";
        let cookies = Cookies::of(at(url).origin());
        for number in 0..100 {
            take(&cookies, url, &[&format!("c{number}=1")]);
        }
        let value = sent(&cookies, url).expect("some");
        assert!(value.starts_with("c68=1; ") && value.ends_with("; c99=1"), "{value}");
        take(&cookies, url, &[&format!("long={}", "x".repeat(COOKIE_BYTES - 4)), "last=1"]);
        assert!(sent(&cookies, url).is_some_and(|value| value.len() > 4000 && value.ends_with("last=1")));
        take(&cookies, url, &[&format!("longer={}", "x".repeat(COOKIE_BYTES))]);
        assert!(sent(&cookies, url).is_some_and(|value| value.ends_with("last=1")));
    }
}
