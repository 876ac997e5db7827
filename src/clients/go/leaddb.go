// Package leaddb is a client of leaddb's REST API, with the standard library alone.
//
//	client := leaddb.New("http://127.0.0.1:8080", "ldb_...")
//	lead, err := client.CreateLead(ctx, leaddb.LeadInput{Name: "Ada Lovelace", Source: "web"})
package leaddb

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client sends requests with one API key. Its fields may be changed before the first request.
type Client struct {
	HTTP *http.Client
	// Tries after the first; 0 for none.
	Retries int
	// An answer that says to wait longer is returned at once.
	MaxWait time.Duration
	// For every request, such as X-Member-Role.
	Header http.Header
	base   string
	key    string
}

// New returns a client of the service at an address such as http://127.0.0.1:8080.
func New(baseURL, apiKey string) *Client {
	base := strings.TrimRight(baseURL, "/")
	if !strings.HasSuffix(base, "/api/v1") {
		base += "/api/v1"
	}
	return &Client{
		HTTP:    &http.Client{Timeout: time.Minute},
		Retries: 3,
		MaxWait: time.Minute,
		Header:  http.Header{},
		base:    base,
		key:     apiKey,
	}
}

// Error is an answer of 400 and above: programs go by Code, people by Message.
type Error struct {
	Status  int    `json:"-"`
	Code    string `json:"code"`
	Message string `json:"message"`
	// The problem of each field, when there are several.
	Details []struct {
		Field   string `json:"field"`
		Message string `json:"message"`
	} `json:"details"`
	// The name of the request in the service's log.
	RequestID string `json:"-"`
	// How long to wait before the next try; negative when the service does not say.
	RetryAfter time.Duration `json:"-"`
}

func (e *Error) Error() string {
	return fmt.Sprintf("leaddb: %d %s: %s", e.Status, e.Code, e.Message)
}

// IsCode tells whether an error is an answer with this code, such as "not_found".
func IsCode(err error, code string) bool {
	var answered *Error
	return errors.As(err, &answered) && answered.Code == code
}

// Ptr returns a pointer to a value, for optional fields.
func Ptr[T any](value T) *T { return &value }

// Do sends a request and decodes the JSON of its answer into out, or copies a file into it when it is an io.Writer.
// What the service refused for now and what got no answer is tried again; what writes has an Idempotency-Key.
func (c *Client) Do(ctx context.Context, method, path string, query url.Values, body, out any) error {
	var data []byte
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		data = encoded
	}
	target := c.base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	idempotencyKey := newKey()
	pause := 500 * time.Millisecond
	for left := c.Retries; ; left-- {
		wait, err := c.once(ctx, method, target, idempotencyKey, data, out)
		if err == nil || wait < 0 || wait > c.MaxWait || left <= 0 || ctx.Err() != nil {
			return err
		}
		if wait == 0 {
			wait = pause
		}
		pause *= 2
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// once answers with how long to wait before another try: 0 where that is not said, negative for never.
func (c *Client) once(ctx context.Context, method, target, key string, data []byte, out any) (time.Duration, error) {
	var reader io.Reader
	if data != nil {
		reader = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, target, reader)
	if err != nil {
		return -1, err
	}
	for name, values := range c.Header {
		request.Header[name] = values
	}
	request.Header.Set("X-API-Key", c.key)
	request.Header.Set("X-List-Style", "array")
	if data != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if method != http.MethodGet && c.Retries > 0 && request.Header.Get("Idempotency-Key") == "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := c.HTTP.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		refused := errorOf(response)
		if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
			return -1, refused
		}
		return max(refused.RetryAfter, 0), refused
	}
	if writer, isFile := out.(io.Writer); isFile {
		_, err = io.Copy(writer, response.Body)
		return -1, err
	}
	if out == nil || response.StatusCode == http.StatusNoContent {
		return -1, nil
	}
	return -1, json.NewDecoder(response.Body).Decode(out)
}

func max(a, b time.Duration) time.Duration {
	if a > b {
		return a
	}
	return b
}

func errorOf(response *http.Response) *Error {
	refused := &Error{}
	text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if json.Unmarshal(text, refused) != nil || refused.Code == "" {
		refused = &Error{Code: "unknown", Message: response.Status}
	}
	refused.Status = response.StatusCode
	refused.RequestID = response.Header.Get("X-Request-Id")
	refused.RetryAfter = -1
	if said := response.Header.Get("Retry-After"); said != "" {
		if seconds, err := strconv.ParseFloat(said, 64); err == nil {
			refused.RetryAfter = time.Duration(seconds * float64(time.Second))
		} else if at, err := http.ParseTime(said); err == nil {
			refused.RetryAfter = time.Until(at)
		}
	}
	return refused
}

func newKey() string {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	return hex.EncodeToString(random)
}

// LeadIterator reads all leads of a query, page after page: for it.Next(ctx) { it.Lead() }, then it.Err().
type LeadIterator struct {
	client *Client
	query  ListLeadsQuery
	page   []ListedLead
	at     int
	isLast bool
	err    error
}

// Leads reads all leads of a query; its Limit is the size of a page.
func (c *Client) Leads(query ListLeadsQuery) *LeadIterator {
	return &LeadIterator{client: c, query: query, at: -1}
}

// Next moves on to the next lead; false at the end, or after an error.
func (it *LeadIterator) Next(ctx context.Context) bool {
	it.at++
	for it.at >= len(it.page) {
		if it.isLast || it.err != nil {
			return false
		}
		answer, err := it.client.ListLeads(ctx, it.query)
		if err != nil {
			it.err = err
			return false
		}
		it.page, it.at = answer.Leads, 0
		it.query.Cursor = answer.NextCursor
		it.isLast = answer.NextCursor == nil
	}
	return true
}

// Lead is the one that Next moved to.
func (it *LeadIterator) Lead() ListedLead { return it.page[it.at] }

// Err is what ended the iteration early.
func (it *LeadIterator) Err() error { return it.err }

// ErrWebhook is why a request to a webhook's URL is not to be believed.
var ErrWebhook = errors.New("leaddb: the webhook's request is not to be believed")

// VerifyWebhook decodes the event in a request that a webhook received, once its signature holds: made with the webhook's
// secret, over these bytes, at most tolerance ago. The body is what arrived, unparsed.
func VerifyWebhook(secret string, header http.Header, body []byte, tolerance time.Duration, event any) error {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return fmt.Errorf("%w: webhook-id or webhook-timestamp is missing", ErrWebhook)
	}
	if math.Abs(float64(time.Now().Unix()-seconds)) > tolerance.Seconds() {
		return fmt.Errorf("%w: webhook-timestamp %s is too far off", ErrWebhook, timestamp)
	}
	key := []byte(secret)
	if encoded, isEncoded := cutPrefix(secret, "whsec_"); isEncoded {
		if decoded, err := base64.StdEncoding.DecodeString(encoded); err == nil && len(decoded) > 0 {
			key = decoded
		}
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		made, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(signature, "v1,"))
		if err == nil && strings.HasPrefix(signature, "v1,") && hmac.Equal(made, mac.Sum(nil)) {
			return json.Unmarshal(body, event)
		}
	}
	return fmt.Errorf("%w: the signature is not of this body and secret", ErrWebhook)
}

func cutPrefix(text, prefix string) (string, bool) {
	return strings.TrimPrefix(text, prefix), strings.HasPrefix(text, prefix)
}
