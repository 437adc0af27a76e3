//! The signature of a bundle: a block behind its archive in which a certificate vouches for the bytes (CMS, RFC 5652, detached, SHA-256).
//!
//! It says who made the bytes and whether they are still those; who that is and who may be trusted is for the person to know, so that the
//! chain above the certificate is not followed.

use ring::digest::{Context, SHA256};
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P384_SHA256_ASN1, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey,
    VerificationAlgorithm,
};

/// What a signature comes to.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It fits the bytes: whose certificate it is, the issuer unless that is the same one, and whether the certificate is of this time.
    Fits { by: String, issuer: Option<String>, is_current: bool },
    /// It is of a form that is not read here: nothing is known.
    Unread(&'static str),
    /// It does not fit the bytes.
    Broken(&'static str),
}

impl Verdict {
    /// For people.
    pub fn words(&self) -> String {
        match self {
            Verdict::Fits { by, issuer, is_current } => {
                let time = if *is_current { "" } else { "; its certificate is not one of this time" };
                match issuer {
                    Some(issuer) => {
                        format!("by {by}, whose certificate {issuer} issued (which is not checked){time}")
                    }
                    None => format!("self-signed by {by}{time}"),
                }
            }
            Verdict::Unread(why) => format!("there, and not verified: {why}"),
            Verdict::Broken(why) => format!("invalid: {why}"),
        }
    }
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const INTEGER: u8 = 0x02;
const BITS: u8 = 0x03;
const OCTETS: u8 = 0x04;
const NAME: u8 = 0x06;
const UTC_TIME: u8 = 0x17;
const TIME: u8 = 0x18;
/// `[0]` and `[1]`, with elements in them.
const FIRST: u8 = 0xa0;
const SECOND: u8 = 0xa1;

const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];
const SHA_256: &[u8] = &[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01];
const MESSAGE_DIGEST: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x04];
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
const RSA_SHA_256: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b];
const ECDSA_SHA_256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const CURVES: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const P_256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
const P_384: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x22];
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];

/// Elements of DER, one after the other.
#[derive(Clone, Copy)]
struct Der<'a>(&'a [u8]);

/// One of them: its tag, what is in it, and all of it.
#[derive(Clone, Copy)]
struct Element<'a> {
    tag: u8,
    inside: &'a [u8],
    whole: &'a [u8],
}

impl<'a> Der<'a> {
    fn next(&mut self) -> Option<Element<'a>> {
        let [tag, first, rest @ ..] = self.0 else { return None };
        let (length, head) = match first {
            0..=0x7f => (usize::from(*first), 2),
            // Up to four bytes of length; none is the form without an end, which DER has not.
            0x81..=0x84 => {
                let count = usize::from(first & 0x7f);
                let length = rest.get(..count)?.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
                (length, 2 + count)
            }
            _ => return None,
        };
        let end = head.checked_add(length)?;
        let element = Element { tag: *tag, inside: self.0.get(head..end)?, whole: self.0.get(..end)? };
        self.0 = self.0.get(end..)?;
        Some(element)
    }

    /// The next one, which has this tag.
    fn take(&mut self, tag: u8) -> Option<Element<'a>> {
        self.next().filter(|element| element.tag == tag)
    }

    /// The next one if it has this tag; else it stays.
    fn maybe(&mut self, tag: u8) -> Option<Element<'a>> {
        let next = self.clone().next().filter(|element| element.tag == tag)?;
        self.next();
        Some(next)
    }
}

impl<'a> Element<'a> {
    fn elements(self) -> Der<'a> {
        Der(self.inside)
    }
}

/// The name at the beginning of an algorithm, and what is behind it.
fn algorithm(element: Element<'_>) -> Option<(&[u8], Der<'_>)> {
    let mut parts = element.elements();
    Some((parts.take(NAME)?.inside, parts))
}

struct Certificate<'a> {
    serial: &'a [u8],
    issuer: &'a [u8],
    subject: &'a [u8],
    not_before: String,
    not_after: String,
    key: (&'static dyn VerificationAlgorithm, &'a [u8]),
}

/// A time as the digits of a year with four, a month, a day, an hour, a minute and a second.
fn time(element: Element<'_>) -> Option<String> {
    let digits = std::str::from_utf8(element.inside).ok()?.strip_suffix('Z')?;
    match element.tag {
        TIME => Some(digits.to_owned()),
        UTC_TIME => Some(format!("{}{digits}", if digits < "50" { "20" } else { "19" })),
        _ => None,
    }
}

/// A certificate, if its key is of a kind that is known.
fn certificate(element: Element<'_>) -> Option<Certificate<'_>> {
    let mut parts = element.elements().take(SEQUENCE)?.elements();
    parts.maybe(FIRST);
    let serial = parts.take(INTEGER)?.inside;
    parts.take(SEQUENCE)?;
    let issuer = parts.take(SEQUENCE)?.whole;
    let mut times = parts.take(SEQUENCE)?.elements();
    let (not_before, not_after) = (time(times.next()?)?, time(times.next()?)?);
    let subject = parts.take(SEQUENCE)?.whole;
    let mut key = parts.take(SEQUENCE)?.elements();
    let (kind, mut curve) = algorithm(key.take(SEQUENCE)?)?;
    // The first byte counts bits that are not used.
    let bytes = key.take(BITS)?.inside.strip_prefix(&[0])?;
    let algorithm: &dyn VerificationAlgorithm = match kind {
        RSA => &RSA_PKCS1_2048_8192_SHA256,
        CURVES => match curve.take(NAME)?.inside {
            P_256 => &ECDSA_P256_SHA256_ASN1,
            P_384 => &ECDSA_P384_SHA256_ASN1,
            _ => return None,
        },
        _ => return None,
    };
    Some(Certificate { serial, issuer, subject, not_before, not_after, key: (algorithm, bytes) })
}

/// The common name in a name, or the bytes of it as they are.
fn name(whole: &[u8]) -> String {
    let mut sets = Der(whole).next().map_or(Der(&[]), Element::elements);
    while let Some(set) = sets.take(SET) {
        let mut parts = set.elements().take(SEQUENCE).map_or(Der(&[]), Element::elements);
        if parts.take(NAME).is_some_and(|kind| kind.inside == COMMON_NAME)
            && let Some(text) = parts.next()
        {
            return String::from_utf8_lossy(text.inside).into_owned();
        }
    }
    "a certificate without a name".to_owned()
}

/// What a block says of the bytes before it. `now` is a time as the digits of a certificate.
///
/// The length of the comment at the end of an archive may have been set after it was signed: both are tried.
pub fn verdict(block: &[u8], zip: &[u8], now: &str) -> Verdict {
    const FORM: &str = "it is no signature of the form CMS";
    read(block).map_or(Verdict::Unread(FORM), |parts| {
        parts.and_then(|parts| checked(&parts, zip, now)).unwrap_or_else(|verdict| verdict)
    })
}

/// The parts of a block that count.
struct Parts<'a> {
    signer: Certificate<'a>,
    /// What is signed beside the bytes: the set, and the digest in it.
    attributes: Option<(&'a [u8], &'a [u8])>,
    signature: &'a [u8],
}

/// None is a form that is not CMS.
fn read(block: &[u8]) -> Option<Result<Parts<'_>, Verdict>> {
    let mut content = Der(block).take(SEQUENCE)?.elements();
    content.take(NAME).filter(|kind| kind.inside == SIGNED_DATA)?;
    let mut data = content.take(FIRST)?.elements().take(SEQUENCE)?.elements();
    data.take(INTEGER)?;
    data.take(SET)?;
    let mut encapsulated = data.take(SEQUENCE)?.elements();
    encapsulated.take(NAME)?;
    if encapsulated.next().is_some() {
        return Some(Err(Verdict::Unread("it has the bytes in it, and is not beside them")));
    }
    let mut certificates = data.maybe(FIRST).map_or(Der(&[]), Element::elements);
    data.maybe(SECOND);
    let mut signers = data.take(SET)?.elements();
    let mut signer = signers.take(SEQUENCE)?.elements();
    if signers.next().is_some() {
        return Some(Err(Verdict::Unread("it is of more than one signer")));
    }
    signer.take(INTEGER)?;
    let Some(id) = signer.next().filter(|id| id.tag == SEQUENCE) else {
        return Some(Err(Verdict::Unread("its certificate is named by a key, and not by issuer and number")));
    };
    let mut id = id.elements();
    let (issuer, serial) = (id.take(SEQUENCE)?.whole, id.take(INTEGER)?.inside);
    let digest = algorithm(signer.take(SEQUENCE)?)?.0;
    let attributes = match signer.maybe(FIRST) {
        None => None,
        Some(set) => {
            let mut all = set.elements();
            let mut found = None;
            while let Some(attribute) = all.take(SEQUENCE) {
                let (kind, mut values) = algorithm(attribute)?;
                if kind == MESSAGE_DIGEST {
                    found = Some(values.take(SET)?.elements().take(OCTETS)?.inside);
                }
            }
            Some((set.whole, found?))
        }
    };
    let kind = algorithm(signer.take(SEQUENCE)?)?.0;
    let signature = signer.take(OCTETS)?.inside;
    if digest != SHA_256 || ![RSA, RSA_SHA_256, ECDSA_SHA_256].contains(&kind) {
        return Some(Err(Verdict::Unread("its algorithms are not SHA-256 with RSA or ECDSA")));
    }
    while let Some(one) = certificates.take(SEQUENCE) {
        match certificate(one) {
            Some(signer) if signer.issuer == issuer && signer.serial == serial => {
                return Some(Ok(Parts { signer, attributes, signature }));
            }
            _ => {}
        }
    }
    Some(Err(Verdict::Unread("it has no certificate of its signer with a key that is known here")))
}

fn checked(parts: &Parts<'_>, zip: &[u8], now: &str) -> Result<Verdict, Verdict> {
    let without_length = zip.len().saturating_sub(2);
    let (algorithm, key) = parts.signer.key;
    let key = UnparsedPublicKey::new(algorithm, key);
    let fits = |content: &[&[u8]]| match parts.attributes {
        Some((_, digest)) => {
            let mut context = Context::new(&SHA256);
            for part in content {
                context.update(part);
            }
            context.finish().as_ref() == digest
        }
        None => key.verify(&content.concat(), parts.signature).is_ok(),
    };
    if !fits(&[zip]) && !fits(&[&zip[..without_length], &[0; 2]]) {
        return Err(Verdict::Broken("the bytes are not those that were signed"));
    }
    if let Some((set, _)) = parts.attributes {
        // What is signed is the set as such, and not as a part of something.
        let signed = [&[SET], set.get(1..).unwrap_or_default()].concat();
        key.verify(&signed, parts.signature)
            .map_err(|_| Verdict::Broken("it was not made with the key of its certificate"))?;
    }
    let signer = &parts.signer;
    Ok(Verdict::Fits {
        by: name(signer.subject),
        issuer: (signer.issuer != signer.subject).then(|| name(signer.issuer)),
        is_current: *signer.not_before <= *now && *now <= *signer.not_after,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;

    const CONTENT: &[u8] = b"the bytes of an archive\0\0";
    const NOW: &str = "20270101000000";
    /// Made by OpenSSL: `cms -sign -binary -md sha256 -outform DER` of `CONTENT`.
    const WITH_RSA: &str = "\
        MIIFDAYJKoZIhvcNAQcCoIIE/TCCBPkCAQExDTALBglghkgBZQMEAgEwCwYJKoZIhvcNAQcBoIIDETCCAw0wggH1oAMCAQICFG2vARUup5GpSusgcu1oyTSy\
        XF8OMA0GCSqGSIb3DQEBCwUAMBUxEzARBgNVBAMMCkFkYSBvZiBSU0EwIBcNMjYxMTMwMDU0OTA0WhgPMjEyNjExMDYwNTQ5MDRaMBUxEzARBgNVBAMMCkFk\
        YSBvZiBSU0EwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQC229JA6sRfuiPTS6kI4L0wCfajQ3P5d+RnDvRLxHRTL3ksjZ7B9IxjgpQT94mh46EH\
        TtE960jGSqUAaBxpB5gtOZ2H4ab/KdGipjvUtA4ssiT0peMQvtZ6MMXTc2zIvvCKkGRY/xSS9TWvtsynAFmu7KvF4qDFm1SPTc6hYkc1utXOWnj5kmRkyii5\
        /l8ghluJqnhwYw3UtmNWjJfblZc+vh3o3CnxgiMZVYSUArLn0vW30HHAoCB7+qKD9zrTO82aIpKemnKfBHKjM/ErtwnsoYGKvDpi1WGgAR6JWcBuOOQ4jjim\
        6/7eJaSNwWDk6vS3VSIbvxWxPP1dK/l6/CUVAgMBAAGjUzBRMB0GA1UdDgQWBBTQWSIHT0tSLfjVrzl4C7Ce3TxGsTAfBgNVHSMEGDAWgBTQWSIHT0tSLfjV\
        rzl4C7Ce3TxGsTAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQCgIWxk49HoNKIcIhnMV1mew5AaoWhduDiWeE+6+843Z/b5nfl47MHBSAZy\
        Z+RYngMK52etrUA9SQrJfYLk9zOlUKezSKywa2GK88j1/Fbr8gMgNYUEJm0MVEH07Dq/VF/m7radBjbxbFNERJoqRyjkQ1XWvPjh3nTaeRqJHwSjrfdN0A8i\
        6j/A39xvwSnupGQ4nMyC36v4PuosGjcYKMHf8CjWQJFGAA/4ep+rZyWsjOVCncbhsm0xsebnuP2dNEZPK/wvg4v8t/XaKudAex0R7zbOKX7OblmgHfXZR0aI\
        W+UtsyYse59OCxUgdsF55R0XbIO2k9CR3+YemJYHGbNEMYIBwTCCAb0CAQEwLTAVMRMwEQYDVQQDDApBZGEgb2YgUlNBAhRtrwEVLqeRqUrrIHLtaMk0slxf\
        DjALBglghkgBZQMEAgGgaTAYBgkqhkiG9w0BCQMxCwYJKoZIhvcNAQcBMBwGCSqGSIb3DQEJBTEPFw0yNjExMzAwNTQ5MDVaMC8GCSqGSIb3DQEJBDEiBCCY\
        gBP7ybg2leV3cxt2Nrhja2wnJBHMiq39TOmOop2Q/TANBgkqhkiG9w0BAQEFAASCAQB83KDc4XGJgTFNPE/6/Y3MDRTDUf9tkOYGcV4FlqaT7HAKrd8k/YEm\
        uy3pZZpysVLv5Pyy6Ktv3rbtnUOerc7ME5zv/U9dl79GXslg6P+QHt7oVnf/rb63z9b5eZUtaNRZMDthRK1t6hVcQAYtKg3LJiZRkBnDiHSJue93yk5em9Xj\
        oAL41a7sStIeqXALpLi9DYM+pghL+C0xhuFahxsqn2v6u5T4CcOxk6QEGyxSID/u9ORgX6UPLRS8MgoP4bScIpPkBguX3Tn7RiYgS2rPtOrClfOX4HR2/TBf\
        qIYvi0iSrWojAAsMIAv+1brwtGVi0fEYMf961zeO7/ZZbrP1";
    const WITH_P_256: &str = "\
        MIICdgYJKoZIhvcNAQcCoIICZzCCAmMCAQExDTALBglghkgBZQMEAgEwCwYJKoZIhvcNAQcBoIIBPDCCATgwgd8CFBibKblzrouVxHichZ65IRfj++e0MAoG\
        CCqGSM49BAMCMBQxEjAQBgNVBAMMCUFuIGlzc3VlcjAgFw0yNjExMzAwNTQ5MDVaGA8yMTI2MTEwNjA1NDkwNVowKDEPMA0GA1UECgwGTWFrZXJzMRUwEwYD\
        VQQDDAxBZGEgb2YgUC0yNTYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQrhaYgpIdJwEcKGlU/IWD9j17Mtos2UYaz0jXbGtEkROb7Lt1IUFD82g0+sCVm\
        /pwyt/C4u5WoZUZ1DVrPUsLlMAoGCCqGSM49BAMCA0gAMEUCIDGBvxsLuDM4dENY6guToeFLoCsL7k4Xi1ScjaA51M61AiEAu+YyHEyxZUdFXTYmyV/iv1ZG\
        Y1SnyxXyCIm885PPR6cxggEAMIH9AgEBMCwwFDESMBAGA1UEAwwJQW4gaXNzdWVyAhQYmym5c66LlcR4nIWeuSEX4/vntDALBglghkgBZQMEAgGgaTAYBgkq\
        hkiG9w0BCQMxCwYJKoZIhvcNAQcBMBwGCSqGSIb3DQEJBTEPFw0yNjExMzAwNTQ5MDVaMC8GCSqGSIb3DQEJBDEiBCCYgBP7ybg2leV3cxt2Nrhja2wnJBHM\
        iq39TOmOop2Q/TAKBggqhkjOPQQDAgRGMEQCIDYr7SHK7uifEhNKA/UDo7Hv6lUbKd8ca9rW0QWLo+1gAiAHXFmeY7nUQsCHL+w8U4FUr6M31pDIxv1OTy5U\
        +g84hg==";

    fn block(text: &str) -> Vec<u8> {
        base64::engine::general_purpose::STANDARD.decode(text).expect("Base64")
    }

    #[test]
    fn mb_22_a_signature_says_whose_it_is_and_whether_the_bytes_are_those() {
        let fits = |by: &str, issuer: Option<&str>| Verdict::Fits {
            by: by.to_owned(),
            issuer: issuer.map(str::to_owned),
            is_current: true,
        };
        let (rsa, p_256) = (block(WITH_RSA), block(WITH_P_256));
        assert_eq!(verdict(&rsa, CONTENT, NOW), fits("Ada of RSA", None));
        assert_eq!(verdict(&p_256, CONTENT, NOW), fits("Ada of P-256", Some("An issuer")));
        // The length of the comment was set after signing.
        let later = [&CONTENT[..CONTENT.len() - 2], &[7, 1]].concat();
        assert_eq!(verdict(&p_256, &later, NOW), fits("Ada of P-256", Some("An issuer")));
        let old = verdict(&rsa, CONTENT, "22270101000000").words();
        assert_eq!(old, "self-signed by Ada of RSA; its certificate is not one of this time");
        let other = Verdict::Broken("the bytes are not those that were signed");
        for content in [&b"other bytes"[..], b"", b"x", &CONTENT[1..]] {
            assert_eq!(verdict(&rsa, content, NOW), other);
        }
        for (block, why) in [
            (&b"DER"[..], "no signature of the form CMS"),
            (b"", "no signature"),
            (&rsa[..100], "no signature"),
        ] {
            assert!(verdict(block, CONTENT, NOW).words().contains(why), "{block:?}");
        }
    }

    #[test]
    fn no_change_of_a_signature_makes_it_one_of_other_bytes() {
        for whole in [block(WITH_RSA), block(WITH_P_256)] {
            for at in 0..whole.len() {
                for bit in [1, 0x80] {
                    let mut changed = whole.clone();
                    changed[at] ^= bit;
                    // Names in it may be changed, for they are signed by others; the bytes that it is for may not.
                    let found = verdict(&changed, b"other bytes", NOW);
                    assert!(!matches!(found, Verdict::Fits { .. }), "{at}: {found:?}");
                    verdict(&changed[..at], CONTENT, NOW);
                }
            }
            let last = whole.len() - 1;
            let mut changed = whole.clone();
            changed[last] ^= 1;
            assert!(!matches!(verdict(&changed, CONTENT, NOW), Verdict::Fits { .. }));
        }
    }
}
