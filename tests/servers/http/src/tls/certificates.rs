//! Certificates, made again by each server: an authority, what the server shows, and what a client may show. Their keys never
//! leave the folder of one test.

use std::path::Path;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    SanType, date_time_ymd,
};

pub const GOOD: &str = "good";
/// What a server can show.
pub const NAMES: &[&str] = &[GOOD, "other-name", "expired", "not-yet", "other-issuer", "self-signed"];

/// As DER.
pub struct Made {
    pub certificate: Vec<u8>,
    pub key: Vec<u8>,
    pub issuer: Vec<u8>,
}

/// Makes everything, and writes what a client needs into the folder: `ca.pem`, `other-ca.pem`, `client.pem`, `client.key`,
/// `other-client.pem` and `other-client.key`, which no server takes; and what the server shows, `server.pem` and `server.key`, for
/// servers of others.
///
/// # Errors
/// Why that cannot be done.
pub fn make(kind: &str, folder: &Path) -> Result<Made, String> {
    let wrong = |error: rcgen::Error| error.to_string();
    let put = |name: &str, text: String| {
        std::fs::write(folder.join(name), text)
            .map_err(|error| format!("{name} in {}: {error}", folder.display()))
    };
    let issuer = authority("libmcp test authority")?;
    let other = authority("another libmcp test authority")?;
    put("ca.pem", issuer.pem())?;
    put("other-ca.pem", other.pem())?;
    for (issuer, name) in [(&issuer, "client"), (&other, "other-client")] {
        let mut client = CertificateParams::new(vec!["client.example".to_owned()]).map_err(wrong)?;
        client.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let key = KeyPair::generate().map_err(wrong)?;
        put(&format!("{name}.pem"), client.signed_by(&key, issuer).map_err(wrong)?.pem())?;
        put(&format!("{name}.key"), key.serialize_pem())?;
    }
    let name = if kind == "other-name" { "other.example" } else { "localhost" };
    let mut shown = CertificateParams::new(vec![name.to_owned()]).map_err(wrong)?;
    if kind != "other-name" {
        shown.subject_alt_names.push(SanType::IpAddress([127, 0, 0, 1].into()));
    }
    shown.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    match kind {
        "expired" => shown.not_after = date_time_ymd(2020, 1, 1),
        "not-yet" => shown.not_before = date_time_ymd(2090, 1, 1),
        _ => {}
    }
    let key = KeyPair::generate().map_err(wrong)?;
    let certificate = match kind {
        "self-signed" => shown.self_signed(&key),
        "other-issuer" => shown.signed_by(&key, &other),
        _ => shown.signed_by(&key, &issuer),
    };
    let certificate = certificate.map_err(wrong)?;
    put("server.pem", certificate.pem())?;
    put("server.key", key.serialize_pem())?;
    let certificate = certificate.der().to_vec();
    Ok(Made { certificate, key: key.serialize_der(), issuer: issuer.der().to_vec() })
}

fn authority(name: &str) -> Result<CertifiedIssuer<'static, KeyPair>, String> {
    let wrong = |error: rcgen::Error| error.to_string();
    let mut params = CertificateParams::new(Vec::<String>::new()).map_err(wrong)?;
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().map_err(wrong)?).map_err(wrong)
}
