//! Proofs that the sender of a token has the key to which it is bound (RFC 9449, section 4.3; S-AU-13). Each is accepted once.

use super::bearer::Denial;
use super::keys::{Algorithm, VerificationKey, thumbprint};
use super::principal::seconds;
use crate::auth::Secret;
use crate::auth::jose::{from_base64url, same, sha256};
use crate::protocol::address::Address;
use crate::shares::{Denied, Lending, Shares};
use crate::sorted::{SortedMap, SortedSet};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::time::Duration;

/// The longest proof that is looked at.
const LONGEST: usize = 8 * 1024;
/// The longest id of a proof.
const ID_BYTES: usize = 256;

/// What a proof is about.
#[derive(Clone, Copy, Debug)]
pub struct ProofOf<'a> {
    /// The method of the request.
    pub method: &'a str,
    /// Its URL, as clients see it.
    pub url: &'a Address,
    /// The token.
    pub token: &'a Secret,
    /// The thumbprint of the key that the token is bound to.
    pub key: &'a str,
    /// Who the token speaks for.
    pub principal: &'a str,
}

/// A good proof, which may have been used before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proven {
    /// What is used once: the key that signed it, and its own id.
    pub id: String,
    /// When it was made, in seconds since 1970.
    pub made: u64,
    /// The nonce that its maker was given.
    pub nonce: Option<String>,
}

impl Proven {
    /// A name for it that says nothing of it.
    pub fn digest(&self) -> String {
        sha256(&self.id)
    }
}

/// The proofs of one principal that are remembered.
#[derive(Debug, Default)]
struct Used {
    /// By when each can be used no more.
    ends: SortedSet<(u64, String)>,
    ids: HashSet<String>,
    /// Those that end up to then may have been forgotten.
    forgotten: Option<u64>,
}

/// The proofs that were used, as long as they could be used again. Where there are as many as may be, the principal that has used
/// most forgets its oldest one, and can use no other that is as old.
#[derive(Debug)]
pub struct Proofs {
    /// How many seconds a proof may be old, or from the future.
    window: u64,
    shares: Shares<Box<str>>,
    used: SortedMap<Box<str>, Used>,
    /// Whose proofs end next.
    ends: SortedSet<(u64, Box<str>)>,
}

impl Proofs {
    /// No proof was used yet; `most` are remembered.
    pub fn new(window: u64, most: usize) -> Proofs {
        let shares = Shares::new(most, 1, Lending::All);
        Proofs { window, shares, used: SortedMap::new(), ends: SortedSet::new() }
    }

    /// Checks a proof, which is then used.
    ///
    /// # Errors
    /// What is wrong with it, or that no more can be remembered.
    pub fn take(&mut self, proof: &str, of: ProofOf<'_>, now: u64) -> Result<(), Denial> {
        let Proven { id, made, .. } = self.check(proof, of, now)?;
        self.forget_old(now);
        let end = made.saturating_add(self.window);
        if let Some(used) = self.used.get(of.principal) {
            if used.ids.contains(&id) {
                return Err(Denial::Proof("the proof was used before"));
            }
            if used.forgotten.is_some_and(|forgotten| end <= forgotten) {
                let text = "auth.dpop_proofs proofs are remembered, and whether this one was used is not known any more";
                return Err(Denial::Unavailable(text.to_owned()));
            }
        }
        let principal: Box<str> = of.principal.into();
        while let Err(denied) = self.shares.take(&principal, 1) {
            let Denied::Cut { holder, .. } = denied else {
                let text =
                    "auth.dpop_proofs proofs are remembered already, and no principal has more of them";
                return Err(Denial::Unavailable(text.to_owned()));
            };
            self.forget_first(&holder, true);
        }
        self.change(&principal, |used| {
            used.ends.insert((end, id.clone()));
            used.ids.insert(id);
        });
        Ok(())
    }

    /// Forgets the proofs that can be used no more.
    fn forget_old(&mut self, now: u64) {
        while let Some((_, principal)) = self.ends.first().filter(|(end, _)| *end < now).cloned() {
            self.forget_first(&principal, false);
        }
    }

    /// Forgets the proof of a principal that ends next. `can_be_used`: it could be used again, and so must be refused.
    fn forget_first(&mut self, principal: &str, can_be_used: bool) {
        let gone = self.change(principal, |used| {
            let (end, id) = used.ends.pop_first()?;
            used.ids.remove(&id);
            if can_be_used {
                used.forgotten = Some(end);
            }
            Some(end)
        });
        if gone.is_some() {
            self.shares.give(&principal.into(), 1);
        }
    }

    /// Changes what a principal has used, and where it stands among those whose proofs end.
    fn change<R>(&mut self, principal: &str, change: impl FnOnce(&mut Used) -> R) -> R {
        let used = self.used.entry(principal.into()).or_default();
        let before = used.ends.first().map(|(end, _)| *end);
        let result = change(used);
        let after = used.ends.first().map(|(end, _)| *end);
        if before != after
            && let Some(end) = before
        {
            self.ends.remove(&(end, principal.into()));
        }
        match after {
            Some(end) if before != after => {
                self.ends.insert((end, principal.into()));
            }
            Some(_) => {}
            // What was forgotten has ended before the last one did.
            None => {
                self.used.remove(principal);
            }
        }
        result
    }

    /// How long a proof may be used: from as long before it was made as after.
    pub fn window(&self) -> Duration {
        Duration::from_secs(self.window)
    }

    /// Checks a proof, and leaves to the caller whether it was used before.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, proof: &str, of: ProofOf<'_>, now: u64) -> Result<Proven, Denial> {
        self.read(proof, of, now).map_err(Denial::Proof)
    }

    fn read(&self, proof: &str, of: ProofOf<'_>, now: u64) -> Result<Proven, &'static str> {
        const UNREADABLE: &str = "the proof cannot be read";
        if proof.len() > LONGEST {
            return Err("the proof is longer than 8 KiB");
        }
        let parts: Vec<&str> = proof.split('.').collect();
        let [header_part, claims_part, signature] = parts[..] else { return Err(UNREADABLE) };
        let object = |part: &str| match serde_json::from_slice(&from_base64url(part)?) {
            Ok(Value::Object(object)) => Some(object),
            _ => None,
        };
        let header: Map<String, Value> = object(header_part).ok_or(UNREADABLE)?;
        let claims: Map<String, Value> = object(claims_part).ok_or(UNREADABLE)?;
        let text = |object: &Map<String, Value>, name: &str| {
            object.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        if !text(&header, "typ").eq_ignore_ascii_case("dpop+jwt") || header.contains_key("crit") {
            return Err("the type of the proof is not 'dpop+jwt'");
        }
        let algorithm = Algorithm::parse(&text(&header, "alg"))
            .filter(|it| Algorithm::OF_PROOFS.contains(it))
            .ok_or("the algorithm of the proof is not one that is allowed here")?;
        let jwk = header.get("jwk").and_then(Value::as_object).ok_or("the proof has no key")?;
        if jwk.contains_key("d") {
            return Err("the key of the proof is a private one");
        }
        let is_bound = thumbprint(jwk).is_some_and(|thumbprint| same(&thumbprint, of.key));
        if !is_bound {
            return Err("the token is bound to another key");
        }
        if text(&claims, "htm") != of.method {
            return Err("the proof is for another method");
        }
        if !is_url(&text(&claims, "htu"), of.url) {
            return Err("the proof is for another URL");
        }
        if !same(&text(&claims, "ath"), &sha256(of.token.expose())) {
            return Err("the proof is for another token");
        }
        let made = seconds(claims.get("iat")).ok_or("the proof does not say when it was made")?;
        if made.saturating_add(self.window) < now || made > now.saturating_add(self.window) {
            return Err("the proof is too old, or from the future");
        }
        let id = text(&claims, "jti");
        if id.is_empty() || id.len() > ID_BYTES {
            return Err("the id of the proof is empty or longer than 256 bytes");
        }
        let signed = format!("{header_part}.{claims_part}");
        let signature = from_base64url(signature).ok_or(UNREADABLE)?;
        let key = VerificationKey::read(jwk).ok_or("the key of the proof cannot be used")?;
        if !key.verifies(algorithm, signed.as_bytes(), &signature) {
            return Err("the signature of the proof is wrong");
        }
        let nonce = claims.get("nonce").and_then(Value::as_str).map(str::to_owned);
        Ok(Proven { id: format!("{} {id}", of.key), made, nonce })
    }
}

/// Whether a URL is ours, without query and fragment, and in whatever way its host and port are written. A slash behind it is the same
/// place, as it is where requests are taken.
fn is_url(url: &str, own: &Address) -> bool {
    let path = own.target().split('?').next().unwrap_or_default();
    let bare = url.split(['?', '#']).next().unwrap_or_default();
    let is_path = |written: &str| written == path || written.strip_suffix('/') == Some(path);
    Address::parse(bare).is_ok_and(|it| it.origin() == own.origin() && is_path(it.target()))
}
