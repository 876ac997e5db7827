//! Verifies requests of webhooks: HMAC with SHA-256 (FIPS 180-4, RFC 2104), so that no further crate is needed.

use serde::de::DeserializeOwned;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Why a request to a webhook's URL is not to be believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookError {
    Missing(&'static str),
    Late,
    Signature,
    Body(String),
}

impl std::fmt::Display for WebhookError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WebhookError::Missing(name) => write!(f, "{name} is missing"),
            WebhookError::Late => f.write_str("webhook-timestamp is too far off"),
            WebhookError::Signature => f.write_str("the signature is not of this body and secret"),
            WebhookError::Body(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for WebhookError {}

/// The event in a request that a webhook received, once its signature holds: made with the webhook's secret, over these
/// bytes, at most `tolerance` ago. `header` gives the value of a header by its lower-case name; `body` is what arrived.
pub fn verify_webhook<'a, T: DeserializeOwned>(
    secret: &str,
    header: impl Fn(&str) -> Option<&'a str>,
    body: &[u8],
    tolerance: Duration,
) -> Result<T, WebhookError> {
    let id = header("webhook-id").ok_or(WebhookError::Missing("webhook-id"))?;
    let timestamp = header("webhook-timestamp").ok_or(WebhookError::Missing("webhook-timestamp"))?;
    let signatures = header("webhook-signature").ok_or(WebhookError::Missing("webhook-signature"))?;
    let sent: i64 = timestamp.parse().map_err(|_| WebhookError::Late)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() as i64;
    if (now - sent).unsigned_abs() > tolerance.as_secs() {
        return Err(WebhookError::Late);
    }
    let signed = [format!("{id}.{timestamp}.").as_bytes(), body].concat();
    let made = hmac(&key_of(secret), &signed);
    let holds = signatures.split(' ').filter_map(|one| one.strip_prefix("v1,")).filter_map(from_base64).any(|one| same(&one, &made));
    if !holds {
        return Err(WebhookError::Signature);
    }
    serde_json::from_slice(body).map_err(|error| WebhookError::Body(error.to_string()))
}

/// A secret of the form `whsec_<base64>` is those bytes, any other its own text.
fn key_of(secret: &str) -> Vec<u8> {
    let decoded = secret.strip_prefix("whsec_").and_then(from_base64).filter(|bytes| !bytes.is_empty());
    decoded.unwrap_or_else(|| secret.as_bytes().to_vec())
}

/// Compares in constant time.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differs, (x, y)| differs | (x ^ y)) == 0
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if text.len() % 4 != 0 {
        return None;
    }
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        bits = (bits << 6) | LETTERS.iter().position(|one| *one == letter)? as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

fn hmac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0u8; 64];
    let short = if key.len() > 64 { sha256(key).to_vec() } else { key.to_vec() };
    block[..short.len()].copy_from_slice(&short);
    let inner: Vec<u8> = block.iter().map(|byte| byte ^ 0x36).chain(message.iter().copied()).collect();
    let outer: Vec<u8> = block.iter().map(|byte| byte ^ 0x5c).chain(sha256(&inner)).collect();
    sha256(&outer)
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const ROUNDS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

fn sha256(message: &[u8]) -> [u8; 32] {
    let mut state: [u32; 8] = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ];
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend(((message.len() as u64) * 8).to_be_bytes());
    for block in padded.chunks(64) {
        let mut words = [0u32; 64];
        for (word, bytes) in words.iter_mut().zip(block.chunks(4)) {
            *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        for i in 16..64 {
            let (a, b) = (words[i - 15], words[i - 2]);
            let small = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let large = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            words[i] = words[i - 16].wrapping_add(small).wrapping_add(words[i - 7]).wrapping_add(large);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (round, word) in ROUNDS.iter().zip(words) {
            let large = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let first = h.wrapping_add(large).wrapping_add(choice).wrapping_add(*round).wrapping_add(word);
            let small = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let second = small.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
        }
        for (sum, one) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *sum = sum.wrapping_add(one);
        }
    }
    let mut out = [0u8; 32];
    for (bytes, word) in out.chunks_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    out
}
