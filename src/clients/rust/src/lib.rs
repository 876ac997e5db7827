//! Client of leaddb's REST API.
//!
//! ```no_run
//! let client = leaddb::Client::new("http://127.0.0.1:8080", "ldb_...");
//! let lead = client.create_lead(&leaddb::LeadInput {
//!     name: "Ada Lovelace".into(),
//!     source: "web".into(),
//!     ..Default::default()
//! })?;
//! # Ok::<(), leaddb::Error>(())
//! ```

mod generated;
mod webhook;

use serde::{de::DeserializeOwned, Deserialize, Serialize};
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub use generated::*;
pub use webhook::{verify_webhook, WebhookError};

/// The problem of one field.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct FieldProblem {
    pub field: String,
    pub message: String,
}

/// An answer of 400 and above: programs go by `code`, people by `message`.
#[derive(Debug, Clone)]
pub struct Refusal {
    pub status: u16,
    /// `unknown` for an answer that is not the service's, such as a proxy's page.
    pub code: String,
    pub message: String,
    /// There when several fields are wrong.
    pub details: Vec<FieldProblem>,
    /// The name of the request in the service's log.
    pub request_id: Option<String>,
    /// How long to wait before the next try, when the service says so.
    pub retry_after: Option<Duration>,
}

#[derive(Debug)]
pub enum Error {
    Refused(Box<Refusal>),
    /// No answer: the connection could not be made, or broke.
    Transport(String),
    /// The answer is not what this version of the client knows.
    Body(String),
}

impl Error {
    /// The code of a refusal, such as `not_found`.
    pub fn code(&self) -> Option<&str> {
        match self {
            Error::Refused(refusal) => Some(&refusal.code),
            _ => None,
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Refused(one) => write!(f, "{} {}: {}", one.status, one.code, one.message),
            Error::Transport(text) | Error::Body(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;

/// Sends requests with one API key.
pub struct Client {
    agent: ureq::Agent,
    base: String,
    key: String,
    /// Tries after the first; 0 for none.
    pub retries: u32,
    /// An answer that says to wait longer is returned at once.
    pub max_wait: Duration,
}

impl Client {
    /// A client of the service at an address such as `http://127.0.0.1:8080`.
    pub fn new(base_url: &str, api_key: &str) -> Self {
        let url = base_url.trim_end_matches('/');
        let base = if url.ends_with("/api/v1") { url.to_string() } else { format!("{url}/api/v1") };
        Client {
            agent: ureq::AgentBuilder::new().timeout(Duration::from_secs(60)).build(),
            base,
            key: api_key.to_string(),
            retries: 3,
            max_wait: Duration::from_secs(60),
        }
    }

    /// All leads of a query, read page after page; its `limit` is the size of a page.
    pub fn leads(&self, query: ListLeadsQuery) -> Leads<'_> {
        Leads { client: self, query, page: Vec::new().into_iter(), is_last: false }
    }

    pub(crate) fn json<Q: Serialize, B: Serialize, T: DeserializeOwned>(
        &self,
        method: &str,
        path: &str,
        query: Option<&Q>,
        body: Option<&B>,
    ) -> Result<T> {
        let text = self.text(method, path, query, body)?;
        serde_json::from_str(&text).map_err(|error| Error::Body(format!("{method} {path}: {error}")))
    }

    /// Sends a request. What the service refused for now and what got no answer is tried again; what writes has an
    /// `Idempotency-Key`, so that it is done once however often it is sent.
    pub(crate) fn text<Q: Serialize, B: Serialize>(
        &self,
        method: &str,
        path: &str,
        query: Option<&Q>,
        body: Option<&B>,
    ) -> Result<String> {
        let url = format!("{}{path}", self.base);
        let body = match body {
            Some(one) => Some(serde_json::to_string(one).map_err(|error| Error::Body(error.to_string()))?),
            None => None,
        };
        let idempotency_key = new_key();
        let mut pause = Duration::from_millis(500);
        let mut left = self.retries;
        loop {
            let mut request = self.agent.request(method, &url).set("X-API-Key", &self.key).set("X-List-Style", "array");
            for (name, value) in pairs_of(query)? {
                request = request.query(&name, &value);
            }
            if method != "GET" && self.retries > 0 {
                request = request.set("Idempotency-Key", &idempotency_key);
            }
            let sent = match &body {
                Some(text) => request.set("Content-Type", "application/json").send_string(text),
                None => request.call(),
            };
            let (error, wait) = match sent {
                Ok(answer) => return read(answer),
                Err(ureq::Error::Status(status, answer)) => {
                    let refusal = refusal_of(status, answer);
                    let wait = (status == 429 || status == 503).then(|| refusal.retry_after.unwrap_or(pause));
                    (Error::Refused(Box::new(refusal)), wait)
                }
                Err(error) => (Error::Transport(error.to_string()), Some(pause)),
            };
            match wait {
                Some(time) if left > 0 && time <= self.max_wait => std::thread::sleep(time),
                _ => return Err(error),
            }
            left -= 1;
            pause *= 2;
        }
    }
}

/// All leads of a query: `for lead in client.leads(query) { let lead = lead?; }`.
pub struct Leads<'a> {
    client: &'a Client,
    query: ListLeadsQuery,
    page: std::vec::IntoIter<ListedLead>,
    is_last: bool,
}

impl Iterator for Leads<'_> {
    type Item = Result<ListedLead>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(lead) = self.page.next() {
                return Some(Ok(lead));
            }
            if self.is_last {
                return None;
            }
            match self.client.list_leads(&self.query) {
                Ok(page) => {
                    self.is_last = page.next_cursor.is_none();
                    self.query.cursor = page.next_cursor;
                    self.page = page.leads.into_iter();
                }
                Err(error) => {
                    self.is_last = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

fn read(answer: ureq::Response) -> Result<String> {
    let mut text = Vec::new();
    answer.into_reader().read_to_end(&mut text).map_err(|error| Error::Transport(error.to_string()))?;
    String::from_utf8(text).map_err(|error| Error::Body(error.to_string()))
}

fn refusal_of(status: u16, answer: ureq::Response) -> Refusal {
    #[derive(Deserialize)]
    struct Told {
        code: String,
        message: String,
        #[serde(default)]
        details: Vec<FieldProblem>,
    }
    let retry_after = answer.header("Retry-After").and_then(|text| text.parse().ok()).map(Duration::from_secs);
    let request_id = answer.header("X-Request-Id").map(str::to_string);
    let unknown = Told { code: "unknown".into(), message: answer.status_text().to_string(), details: Vec::new() };
    let told = answer.into_json::<Told>().unwrap_or(unknown);
    Refusal { status, code: told.code, message: told.message, details: told.details, request_id, retry_after }
}

/// The query's fields as they stand in an address; a list is its name several times.
fn pairs_of<Q: Serialize>(query: Option<&Q>) -> Result<Vec<(String, String)>> {
    let value = serde_json::to_value(query).map_err(|error| Error::Body(error.to_string()))?;
    let mut pairs = Vec::new();
    let text = |one: &serde_json::Value| one.as_str().map_or_else(|| one.to_string(), str::to_string);
    if let serde_json::Value::Object(fields) = value {
        for (name, value) in fields {
            match value {
                serde_json::Value::Array(items) => pairs.extend(items.iter().map(|one| (name.clone(), text(one)))),
                one => pairs.push((name, text(&one))),
            }
        }
    }
    Ok(pairs)
}

pub(crate) fn escaped(part: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    part.bytes().map(|byte| if is_plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Names one request: the time, the process and a count tell it from others.
fn new_key() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let address = &COUNT as *const _ as usize;
    format!("{now:x}-{:x}-{address:x}-{:x}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}
