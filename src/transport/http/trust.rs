//! Why a connection with TLS came to nothing, in words that say what to look at.

use rustls::{AlertDescription, CertificateError, Error as Tls, InvalidMessage};
use std::error::Error;
use std::io;

/// What kept TLS from coming about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlsError {
    /// Its name, for programs.
    pub fault: &'static str,
    /// What went wrong, and what to do about it.
    pub why: String,
    /// What was wanted and what was found.
    pub values: Vec<(&'static str, String)>,
}

impl TlsError {
    /// Whether this can only come before the server looks at any request: with TLS 1.3 a client may send one before it hears
    /// that its certificate is not taken.
    pub fn is_about_the_client(&self) -> bool {
        matches!(self.fault, "certificate_required" | "certificate_refused")
    }
}

/// What HTTP/2 leaves of an alert: its text.
const ALERT: &str = "received fatal alert: ";

/// Finds what TLS says in an error, if it is TLS that failed.
pub fn find(error: &(dyn Error + 'static)) -> Option<TlsError> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(tls) = error.downcast_ref::<Tls>() {
            return Some(explain(tls));
        }
        // An I/O error names as its source what is behind what it holds, and not what it holds.
        if let Some(held) = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref)
            && let Some(found) = find(held)
        {
            return Some(found);
        }
        next = error.source();
        if next.is_none() {
            return told(&error.to_string());
        }
    }
    None
}

/// The alert that an error's text names.
fn told(text: &str) -> Option<TlsError> {
    let name = text.split_once(ALERT)?.1;
    let named = |alert: &AlertDescription| alert.as_str() == Some(name);
    (0..=u8::MAX).map(AlertDescription::from).find(named).map(alerted)
}

fn explain(error: &Tls) -> TlsError {
    let (fault, why, values) = match error {
        Tls::InvalidCertificate(why) => return certificate(why),
        Tls::AlertReceived(alert) => return alerted(*alert),
        Tls::InvalidMessage(InvalidMessage::InvalidContentType) => (
            "no_tls",
            "what answers there does not speak TLS; look at the port in 'url', or write http:// if that is meant".to_owned(),
            Vec::new(),
        ),
        Tls::PeerIncompatible(why) => {
            ("incompatible", format!("the server and this library have no way of TLS in common ({why:?})"), Vec::new())
        }
        other => ("failed", format!("TLS failed: {other}"), Vec::new()),
    };
    TlsError { fault, why, values }
}

fn certificate(error: &CertificateError) -> TlsError {
    let (fault, why, values) = match error {
        CertificateError::UnknownIssuer => (
            "unknown_issuer",
            "no authority that is trusted here has signed the server's certificate; if it is the right one, give the \
             certificate of its authority in tls.ca_file"
                .to_owned(),
            Vec::new(),
        ),
        CertificateError::NotValidForNameContext { expected, presented } => {
            let (expected, presented) = (expected.to_str().into_owned(), names(presented));
            let why = format!(
                "the server's certificate is not for '{expected}' but for {presented}; look at the host in 'url'"
            );
            ("wrong_name", why, vec![("expected", expected), ("found", presented)])
        }
        CertificateError::ExpiredContext { time, not_after } => {
            let (now, end) = (date(time.as_secs()), date(not_after.as_secs()));
            let why = format!(
                "the server's certificate ended on {end}, and here it is {now}; it must be renewed, or this machine's \
                 clock be set"
            );
            ("expired", why, vec![("not_after", end), ("now", now)])
        }
        CertificateError::NotValidYetContext { time, not_before } => {
            let (now, begin) = (date(time.as_secs()), date(not_before.as_secs()));
            let why = format!(
                "the server's certificate begins on {begin}, and here it is {now}; perhaps this machine's clock is wrong"
            );
            ("not_yet_valid", why, vec![("not_before", begin), ("now", now)])
        }
        other => ("bad_certificate", format!("the server's certificate cannot be used: {other}"), Vec::new()),
    };
    TlsError { fault, why, values }
}

fn alerted(alert: AlertDescription) -> TlsError {
    let name = alert.as_str().map_or_else(|| format!("{}", u8::from(alert)), str::to_owned);
    let (fault, why) = match alert {
        AlertDescription::CertificateRequired => (
            "certificate_required",
            "the server wants a certificate of its clients; give tls.client_certificate and tls.client_key"
                .to_owned(),
        ),
        AlertDescription::HandshakeFailure | AlertDescription::NoCertificate => (
            "refused",
            format!(
                "the server refused TLS ({name}); perhaps it wants a certificate of its clients (tls.client_certificate, \
                 tls.client_key)"
            ),
        ),
        AlertDescription::BadCertificate
        | AlertDescription::UnsupportedCertificate
        | AlertDescription::CertificateRevoked
        | AlertDescription::CertificateExpired
        | AlertDescription::CertificateUnknown
        | AlertDescription::UnknownCA
        | AlertDescription::AccessDenied
        | AlertDescription::DecryptError => (
            "certificate_refused",
            format!(
                "the server does not take this client's certificate ({name}); look at tls.client_certificate, and at who \
                 signed it"
            ),
        ),
        AlertDescription::ProtocolVersion => (
            "incompatible",
            format!("the server speaks no version of TLS that this library does, 1.2 or 1.3 ({name})"),
        ),
        _ => ("refused", format!("the server ended TLS ({name})")),
    };
    TlsError { fault, why, values: vec![("alert", name)] }
}

/// The names in a certificate, which rustls gives with their kinds around them: `DnsName("a.example")`.
fn names(presented: &[String]) -> String {
    let bare = |name: &String| {
        let inside = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(name);
        inside.trim_matches('"').to_owned()
    };
    match presented {
        [] => "no name at all".to_owned(),
        names => names.iter().map(bare).collect::<Vec<_>>().join(", "),
    }
}

/// The day, in UTC (the algorithm is Howard Hinnant's `civil_from_days`).
fn date(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_named_as_in_the_calendar() {
        for (seconds, day) in [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (1_577_836_800, "2020-01-01"),
            (4_102_444_799, "2099-12-31"),
        ] {
            assert_eq!(date(seconds), day);
        }
    }

    #[test]
    fn what_tls_says_is_found_behind_other_errors() {
        let inside = io::Error::other(Tls::AlertReceived(AlertDescription::CertificateRequired));
        let outside = io::Error::other(inside);
        assert_eq!(find(&outside).map(|found| found.fault), Some("certificate_required"));
        let told = io::Error::other("received fatal alert: CertificateRequired");
        assert_eq!(find(&told).map(|found| found.fault), Some("certificate_required"));
        assert_eq!(find(&io::Error::other("something else")), None);
    }

    #[test]
    fn names_are_told_without_their_kinds() {
        let presented = ["DnsName(\"a.example\")".to_owned(), "IpAddress(127.0.0.1)".to_owned()];
        assert_eq!(names(&presented), "a.example, 127.0.0.1");
        assert_eq!(names(&[]), "no name at all");
    }
}
