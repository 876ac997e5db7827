"""Client of leaddb's REST API. It needs Python 3.9 and nothing else.

    from leaddb import Leaddb, LeaddbError

    leaddb = Leaddb("http://127.0.0.1:8080", "ldb_...")
    lead = leaddb.create_lead({"name": "Ada Lovelace", "source": "web", "email": "ada@example.com"})
    for lead in leaddb.leads(filter=["and.gte.rating.4"]):
        print(lead["name"])
"""

from __future__ import annotations

import base64
import binascii
import email.utils
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Dict, Iterator, List, Mapping, Optional, TypedDict, Union

__all__ = ["Leaddb", "LeaddbError", "WebhookVerificationError", "verify_webhook"]

_WRITES = {"POST", "PUT", "PATCH", "DELETE"}


class LeaddbError(Exception):
    """An answer of 400 and above: programs go by ``code``, people by the message.

    ``code`` is ``unknown`` for an answer that is not the service's, such as a proxy's page.
    """

    def __init__(self, status: int, body: Any, headers: Mapping[str, str]):
        told = body if isinstance(body, dict) and "code" in body and "message" in body else {}
        super().__init__(told.get("message", "the service answered %d" % status))
        self.status = status
        self.code: str = told.get("code", "unknown")
        #: The problem of each field, when there are several.
        self.details: List[Dict[str, str]] = told.get("details", [])
        #: The name of the request in the service's log.
        self.request_id: Optional[str] = headers.get("X-Request-Id")
        #: Seconds to wait before the next try, when the service says so.
        self.retry_after: Optional[float] = _seconds(headers.get("Retry-After"))


class WebhookVerificationError(Exception):
    """A request to a webhook's URL that is not to be believed."""


def _seconds(text: Optional[str]) -> Optional[float]:
    if text is None:
        return None
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


class _Transport:
    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries: int = 3,
        max_wait: float = 60.0,
        timeout: float = 60.0,
        headers: Optional[Mapping[str, str]] = None,
    ):
        """``retries`` counts tries after the first. Seconds are of ``max_wait``, past which an answer is given
        instead of waited for, and of ``timeout``."""
        url = base_url.rstrip("/")
        self._base = url if url.endswith("/api/v1") else url + "/api/v1"
        self._headers = {"X-API-Key": api_key, "X-List-Style": "array", "Accept": "application/json", **(headers or {})}
        self._retries, self._max_wait, self._timeout = retries, max_wait, timeout

    def request(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """Sends a request and returns the parsed JSON of its answer, bytes for a file, and None for no content.

        What the service refused for now (429 and 503) and what got no answer is tried again; what writes has an
        ``Idempotency-Key``, so that it is done once however often it is sent.
        """
        sent = {**self._headers, **(headers or {})}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        if method in _WRITES and self._retries > 0:
            sent.setdefault("Idempotency-Key", str(uuid.uuid4()))
        url = self._base + path + _query_text(query or {})
        pause = 0.5
        for left in range(self._retries, -1, -1):
            try:
                request = urllib.request.Request(url, data, sent, method=method)
                with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                    return _parsed(answer.read(), answer.headers.get("Content-Type", ""))
            except urllib.error.HTTPError as refused:
                text = refused.read()
                error = LeaddbError(refused.code, _json_or_none(text), refused.headers)
                wait = (pause if error.retry_after is None else error.retry_after) if refused.code in (429, 503) else None
                if wait is None or wait > self._max_wait or left == 0:
                    raise error from None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if left == 0:
                    raise
                wait = pause
            time.sleep(wait)
            pause *= 2


def _query_text(query: Mapping[str, Any]) -> str:
    pairs = []
    for name, value in query.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                pairs.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
    return "?" + urllib.parse.urlencode(pairs) if pairs else ""


def _path_part(value: Any) -> str:
    return urllib.parse.quote(str(value), safe="")


def _parsed(data: bytes, content_type: str) -> Any:
    if not data:
        return None
    return json.loads(data) if content_type.startswith("application/json") else data


def _json_or_none(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: Union[str, bytes], *, tolerance: float = 300
) -> Dict[str, Any]:
    """Returns the event in a request that a webhook received, once its signature holds.

    ``body`` is what arrived, unparsed; ``tolerance`` is in seconds. The same event may arrive more than once: the
    header ``webhook-id`` stays the same. Raises WebhookVerificationError.
    """
    known = {name.lower(): value for name, value in headers.items()}
    id_, timestamp, signatures = (known.get("webhook-" + name) for name in ("id", "timestamp", "signature"))
    if not id_ or not timestamp or not signatures:
        raise WebhookVerificationError("a request from leaddb carries webhook-id, webhook-timestamp and webhook-signature")
    try:
        is_recent = abs(time.time() - float(timestamp)) <= tolerance
    except ValueError:
        is_recent = False
    if not is_recent:
        raise WebhookVerificationError("webhook-timestamp %s is more than %s s off" % (timestamp, tolerance))
    data = body.encode() if isinstance(body, str) else body
    made = hmac.new(_webhook_key(secret), ("%s.%s." % (id_, timestamp)).encode() + data, hashlib.sha256).digest()
    for signature in signatures.split(" "):
        version, _, text = signature.partition(",")
        if version == "v1" and hmac.compare_digest(base64.b64encode(made), text.encode()):
            return json.loads(data)
    raise WebhookVerificationError("the signature is not of this body and secret: pass the body as it arrived")


def _webhook_key(secret: str) -> bytes:
    """A secret of the form ``whsec_<base64>`` is those bytes, any other its own text."""
    if secret.startswith("whsec_"):
        try:
            return base64.b64decode(secret[6:], validate=True) or secret.encode()
        except binascii.Error:
            pass
    return secret.encode()


# Generated by scripts/clients.ts from the OpenAPI document, to the end of the file.

CreateLeadQuery = TypedDict("CreateLeadQuery", {"on_duplicate": "str", "on_suppressed": "str", "dry_run": "bool"}, total=False)
LeadInput = TypedDict("LeadInput", {"name": "str", "source": "str", "email": "Optional[str]", "phone": "Optional[str]", "website": "Optional[str]", "company": "Optional[str]", "job_title": "Optional[str]", "linkedin_url": "Optional[str]", "address": "Optional[str]", "city": "Optional[str]", "state": "Optional[str]", "country": "Optional[str]", "postal_code": "Optional[str]", "category": "Optional[str]", "description": "Optional[str]", "logo_url": "Optional[str]", "source_id": "Optional[str]", "stage": "Optional[str]", "lost_reason": "Optional[str]", "owner": "Optional[str]", "next_step": "Optional[str]", "lawful_basis": "Optional[str]", "consent": "Optional[str]", "latitude": "Optional[float]", "longitude": "Optional[float]", "rating": "Optional[float]", "review_count": "Optional[int]", "value": "Optional[float]", "next_step_at": "Optional[Any]", "consent_at": "Optional[Any]", "tags": "Optional[List[str]]", "status": "Optional[str]", "emails": "Optional[List[LeadInputEmailsItem]]", "phones": "Optional[List[LeadInputPhonesItem]]", "attributes": "Optional[List[AttributeInput]]"}, total=False)
LeadInputEmailsItem = TypedDict("LeadInputEmailsItem", {"value": "str", "label": "Optional[str]", "status": "Optional[str]"}, total=False)
LeadInputPhonesItem = TypedDict("LeadInputPhonesItem", {"value": "str", "label": "Optional[str]", "status": "Optional[str]"}, total=False)
AttributeInput = TypedDict("AttributeInput", {"name": "str", "type": "str", "value": "Any"}, total=False)
PushedLead = TypedDict("PushedLead", {"id": "str", "name": "str", "source": "str", "email": "Optional[str]", "phone": "Optional[str]", "website": "Optional[str]", "company": "Optional[str]", "job_title": "Optional[str]", "linkedin_url": "Optional[str]", "address": "Optional[str]", "city": "Optional[str]", "state": "Optional[str]", "country": "Optional[str]", "postal_code": "Optional[str]", "category": "Optional[str]", "description": "Optional[str]", "logo_url": "Optional[str]", "source_id": "Optional[str]", "status": "str", "stage": "Optional[str]", "lost_reason": "Optional[str]", "owner": "Optional[str]", "next_step": "Optional[str]", "lawful_basis": "Optional[str]", "consent": "Optional[str]", "email_status": "Optional[str]", "company_id": "Optional[str]", "latitude": "Optional[float]", "longitude": "Optional[float]", "rating": "Optional[float]", "review_count": "Optional[int]", "value": "Optional[float]", "next_step_at": "Optional[int]", "consent_at": "Optional[int]", "tags": "List[str]", "created_at": "int", "updated_at": "int", "last_interaction_at": "int", "attributes": "List[Attribute]", "emails": "List[PushedLeadEmailsItem]", "phones": "List[PushedLeadPhonesItem]", "last_note_at": "Optional[int]", "note_count": "int", "last_contacted_at": "Optional[int]", "last_touched_at": "int", "score": "float", "message": "str", "duplicate": "Any", "potential_duplicate_id": "str", "replaced": "List[str]", "changed": "Dict[str, Any]", "possible_duplicates": "List[PushedLeadPossibleDuplicatesItem]", "skipped": "Any", "suppressed": "SuppressedBy", "warnings": "List[str]", "dry_run": "Any"}, total=False)
Attribute = TypedDict("Attribute", {"id": "str", "name": "str", "type": "str", "value": "Any"}, total=False)
PushedLeadEmailsItem = TypedDict("PushedLeadEmailsItem", {"value": "str", "label": "Optional[str]", "status": "str"}, total=False)
PushedLeadPhonesItem = TypedDict("PushedLeadPhonesItem", {"value": "str", "label": "Optional[str]", "status": "str"}, total=False)
PushedLeadPossibleDuplicatesItem = TypedDict("PushedLeadPossibleDuplicatesItem", {"id": "str", "name": "str", "reason": "str"}, total=False)
SuppressedBy = TypedDict("SuppressedBy", {"id": "Optional[str]", "kind": "str", "value": "str", "reason": "Optional[str]"}, total=False)
GetLeadQuery = TypedDict("GetLeadQuery", {"include": "List[str]"}, total=False)
ReadLead = TypedDict("ReadLead", {"id": "str", "name": "str", "source": "str", "email": "Optional[str]", "phone": "Optional[str]", "website": "Optional[str]", "company": "Optional[str]", "job_title": "Optional[str]", "linkedin_url": "Optional[str]", "address": "Optional[str]", "city": "Optional[str]", "state": "Optional[str]", "country": "Optional[str]", "postal_code": "Optional[str]", "category": "Optional[str]", "description": "Optional[str]", "logo_url": "Optional[str]", "source_id": "Optional[str]", "status": "str", "stage": "Optional[str]", "lost_reason": "Optional[str]", "owner": "Optional[str]", "next_step": "Optional[str]", "lawful_basis": "Optional[str]", "consent": "Optional[str]", "email_status": "Optional[str]", "company_id": "Optional[str]", "latitude": "Optional[float]", "longitude": "Optional[float]", "rating": "Optional[float]", "review_count": "Optional[int]", "value": "Optional[float]", "next_step_at": "Optional[int]", "consent_at": "Optional[int]", "tags": "List[str]", "created_at": "int", "updated_at": "int", "last_interaction_at": "int", "attributes": "List[Attribute]", "emails": "List[ReadLeadEmailsItem]", "phones": "List[ReadLeadPhonesItem]", "last_note_at": "Optional[int]", "note_count": "int", "last_contacted_at": "Optional[int]", "last_touched_at": "int", "score": "float", "origins": "Dict[str, Any]"}, total=False)
ReadLeadEmailsItem = TypedDict("ReadLeadEmailsItem", {"value": "str", "label": "Optional[str]", "status": "str"}, total=False)
ReadLeadPhonesItem = TypedDict("ReadLeadPhonesItem", {"value": "str", "label": "Optional[str]", "status": "str"}, total=False)
LeadChanges = TypedDict("LeadChanges", {"name": "str", "source": "str", "email": "Optional[str]", "phone": "Optional[str]", "website": "Optional[str]", "company": "Optional[str]", "job_title": "Optional[str]", "linkedin_url": "Optional[str]", "address": "Optional[str]", "city": "Optional[str]", "state": "Optional[str]", "country": "Optional[str]", "postal_code": "Optional[str]", "category": "Optional[str]", "description": "Optional[str]", "logo_url": "Optional[str]", "source_id": "Optional[str]", "stage": "Optional[str]", "lost_reason": "Optional[str]", "owner": "Optional[str]", "next_step": "Optional[str]", "lawful_basis": "Optional[str]", "consent": "Optional[str]", "latitude": "Optional[float]", "longitude": "Optional[float]", "rating": "Optional[float]", "review_count": "Optional[int]", "value": "Optional[float]", "next_step_at": "Optional[Any]", "consent_at": "Optional[Any]", "tags": "Optional[List[str]]", "status": "Optional[str]", "emails": "Optional[List[LeadChangesEmailsItem]]", "phones": "Optional[List[LeadChangesPhonesItem]]"}, total=False)
LeadChangesEmailsItem = TypedDict("LeadChangesEmailsItem", {"value": "str", "label": "Optional[str]", "status": "Optional[str]"}, total=False)
LeadChangesPhonesItem = TypedDict("LeadChangesPhonesItem", {"value": "str", "label": "Optional[str]", "status": "Optional[str]"}, total=False)
Lead = TypedDict("Lead", {"id": "str", "name": "str", "source": "str", "email": "Optional[str]", "phone": "Optional[str]", "website": "Optional[str]", "company": "Optional[str]", "job_title": "Optional[str]", "linkedin_url": "Optional[str]", "address": "Optional[str]", "city": "Optional[str]", "state": "Optional[str]", "country": "Optional[str]", "postal_code": "Optional[str]", "category": "Optional[str]", "description": "Optional[str]", "logo_url": "Optional[str]", "source_id": "Optional[str]", "status": "str", "stage": "Optional[str]", "lost_reason": "Optional[str]", "owner": "Optional[str]", "next_step": "Optional[str]", "lawful_basis": "Optional[str]", "consent": "Optional[str]", "email_status": "Optional[str]", "company_id": "Optional[str]", "latitude": "Optional[float]", "longitude": "Optional[float]", "rating": "Optional[float]", "review_count": "Optional[int]", "value": "Optional[float]", "next_step_at": "Optional[int]", "consent_at": "Optional[int]", "tags": "List[str]", "created_at": "int", "updated_at": "int", "last_interaction_at": "int", "attributes": "List[Attribute]", "emails": "List[LeadEmailsItem]", "phones": "List[LeadPhonesItem]", "last_note_at": "Optional[int]", "note_count": "int", "last_contacted_at": "Optional[int]", "last_touched_at": "int", "score": "float"}, total=False)
LeadEmailsItem = TypedDict("LeadEmailsItem", {"value": "str", "label": "Optional[str]", "status": "str"}, total=False)
LeadPhonesItem = TypedDict("LeadPhonesItem", {"value": "str", "label": "Optional[str]", "status": "str"}, total=False)
ListLeadsQuery = TypedDict("ListLeadsQuery", {"filter": "List[str]", "q": "str", "segment": "str", "contactable": "bool", "sort_by": "str", "sort_order": "str", "limit": "int", "cursor": "str", "fields": "List[str]", "total": "bool", "highlight": "bool"}, total=False)
LeadPage = TypedDict("LeadPage", {"leads": "List[ListedLead]", "next_cursor": "Optional[str]", "has_more": "bool", "count": "int", "total": "int", "warnings": "List[str]"}, total=False)
ListedLead = TypedDict("ListedLead", {"id": "str", "name": "str", "source": "str", "email": "Optional[str]", "phone": "Optional[str]", "website": "Optional[str]", "company": "Optional[str]", "job_title": "Optional[str]", "linkedin_url": "Optional[str]", "address": "Optional[str]", "city": "Optional[str]", "state": "Optional[str]", "country": "Optional[str]", "postal_code": "Optional[str]", "category": "Optional[str]", "description": "Optional[str]", "logo_url": "Optional[str]", "source_id": "Optional[str]", "status": "str", "stage": "Optional[str]", "lost_reason": "Optional[str]", "owner": "Optional[str]", "next_step": "Optional[str]", "lawful_basis": "Optional[str]", "consent": "Optional[str]", "email_status": "Optional[str]", "company_id": "Optional[str]", "latitude": "Optional[float]", "longitude": "Optional[float]", "rating": "Optional[float]", "review_count": "Optional[int]", "value": "Optional[float]", "next_step_at": "Optional[int]", "consent_at": "Optional[int]", "tags": "List[str]", "created_at": "int", "updated_at": "int", "last_interaction_at": "int", "attributes": "List[Attribute]", "emails": "List[ListedLeadEmailsItem]", "phones": "List[ListedLeadPhonesItem]", "last_note_at": "Optional[int]", "note_count": "int", "last_contacted_at": "Optional[int]", "last_touched_at": "int", "score": "float", "highlight": "Optional[ListedLeadHighlight]"}, total=False)
ListedLeadEmailsItem = TypedDict("ListedLeadEmailsItem", {"value": "str", "label": "Optional[str]", "status": "str"}, total=False)
ListedLeadPhonesItem = TypedDict("ListedLeadPhonesItem", {"value": "str", "label": "Optional[str]", "status": "str"}, total=False)
ListedLeadHighlight = TypedDict("ListedLeadHighlight", {"field": "str", "snippet": "str"}, total=False)
DeleteLeadQuery = TypedDict("DeleteLeadQuery", {"erase": "bool"}, total=False)
UpsertLeadByEmailBody = TypedDict("UpsertLeadByEmailBody", {"name": "str", "source": "str", "email": "str", "phone": "Optional[str]", "website": "Optional[str]", "company": "Optional[str]", "job_title": "Optional[str]", "linkedin_url": "Optional[str]", "address": "Optional[str]", "city": "Optional[str]", "state": "Optional[str]", "country": "Optional[str]", "postal_code": "Optional[str]", "category": "Optional[str]", "description": "Optional[str]", "logo_url": "Optional[str]", "source_id": "Optional[str]", "stage": "Optional[str]", "lost_reason": "Optional[str]", "owner": "Optional[str]", "next_step": "Optional[str]", "lawful_basis": "Optional[str]", "consent": "Optional[str]", "latitude": "Optional[float]", "longitude": "Optional[float]", "rating": "Optional[float]", "review_count": "Optional[int]", "value": "Optional[float]", "next_step_at": "Optional[Any]", "consent_at": "Optional[Any]", "tags": "Optional[List[str]]", "status": "Optional[str]", "emails": "Optional[List[UpsertLeadByEmailBodyEmailsItem]]", "phones": "Optional[List[UpsertLeadByEmailBodyPhonesItem]]", "attributes": "Optional[List[AttributeInput]]"}, total=False)
UpsertLeadByEmailBodyEmailsItem = TypedDict("UpsertLeadByEmailBodyEmailsItem", {"value": "str", "label": "Optional[str]", "status": "Optional[str]"}, total=False)
UpsertLeadByEmailBodyPhonesItem = TypedDict("UpsertLeadByEmailBodyPhonesItem", {"value": "str", "label": "Optional[str]", "status": "Optional[str]"}, total=False)
ListChangesQuery = TypedDict("ListChangesQuery", {"limit": "int"}, total=False)
ListChangesResult = TypedDict("ListChangesResult", {"changes": "List[Change]", "count": "int"}, total=False)
Change = TypedDict("Change", {"id": "str", "lead_id": "str", "user_id": "str", "actor_id": "str", "action": "str", "reason": "Optional[str]", "created_at": "int", "before": "Optional[Lead]", "after": "Optional[Lead]"}, total=False)
BatchCreateLeadsQuery = TypedDict("BatchCreateLeadsQuery", {"on_duplicate": "str", "on_suppressed": "str"}, total=False)
BatchCreateLeadsBody = TypedDict("BatchCreateLeadsBody", {"leads": "List[LeadInput]"}, total=False)
BatchCreateResult = TypedDict("BatchCreateResult", {"created": "List[BatchCreateResultCreatedItem]", "errors": "List[BatchCreateResultErrorsItem]", "skipped": "List[BatchCreateResultSkippedItem]", "total": "int", "success": "int", "failed": "int", "batch_id": "str"}, total=False)
BatchCreateResultCreatedItem = TypedDict("BatchCreateResultCreatedItem", {"index": "int", "id": "str", "created_at": "int", "duplicate": "Any", "potential_duplicate_id": "str", "suppressed": "SuppressedBy", "warnings": "List[str]"}, total=False)
BatchCreateResultErrorsItem = TypedDict("BatchCreateResultErrorsItem", {"index": "int", "message": "str"}, total=False)
BatchCreateResultSkippedItem = TypedDict("BatchCreateResultSkippedItem", {"index": "int", "message": "str"}, total=False)
BatchUpdateLeadsBody = TypedDict("BatchUpdateLeadsBody", {"ids": "List[str]", "data": "LeadChanges"}, total=False)
BatchResult = TypedDict("BatchResult", {"results": "List[BatchResultResultsItem]", "total": "int", "success": "int", "failed": "int", "batch_id": "str"}, total=False)
BatchResultResultsItem = TypedDict("BatchResultResultsItem", {"index": "int", "id": "str", "success": "bool", "message": "str"}, total=False)
BatchDeleteLeadsBody = TypedDict("BatchDeleteLeadsBody", {"ids": "List[str]"}, total=False)
BulkLeadsBody = TypedDict("BulkLeadsBody", {"filter": "List[str]", "q": "str", "segment": "str", "ids": "List[str]", "all": "Any", "action": "str", "data": "Dict[str, Any]", "dry_run": "bool", "expect": "int"}, total=False)
BulkLeadsResult = TypedDict("BulkLeadsResult", {"matched": "int", "sample": "List[Lead]", "preview": "List[BulkLeadsResultPreviewItem]", "tags_lost": "Dict[str, Any]", "dry_run": "Any", "success": "int", "failed": "int", "errors": "List[BulkLeadsResultErrorsItem]", "job": "str", "batch_id": "str"}, total=False)
BulkLeadsResultPreviewItem = TypedDict("BulkLeadsResultPreviewItem", {"lead_id": "str", "name": "str", "changes": "Dict[str, Any]", "message": "str"}, total=False)
BulkLeadsResultErrorsItem = TypedDict("BulkLeadsResultErrorsItem", {"lead_id": "str", "message": "str"}, total=False)
AggregateLeadsQuery = TypedDict("AggregateLeadsQuery", {"group_by": "List[str]", "metrics": "List[str]", "by": "str", "tz": "str", "step": "float", "filter": "List[str]", "q": "str", "segment": "str", "contactable": "bool", "sort": "str", "sort_order": "str", "limit": "int"}, total=False)
AggregateLeadsResult = TypedDict("AggregateLeadsResult", {"groups": "List[Dict[str, Any]]", "other": "Optional[Dict[str, Any]]", "total": "int", "warnings": "List[str]"}, total=False)
ExportLeadsQuery = TypedDict("ExportLeadsQuery", {"filter": "List[str]", "q": "str", "segment": "str", "contactable": "bool", "sort_by": "str", "sort_order": "str", "format": "str", "fields": "List[str]", "preset": "str", "dates": "str", "bom": "bool"}, total=False)
UpdateLeadScoreQuery = TypedDict("UpdateLeadScoreQuery", {"explain": "bool"}, total=False)
UpdateLeadScoreResult = TypedDict("UpdateLeadScoreResult", {"id": "str", "score": "float", "rules": "List[UpdateLeadScoreResultRulesItem]"}, total=False)
UpdateLeadScoreResultRulesItem = TypedDict("UpdateLeadScoreResultRulesItem", {"id": "str", "name": "str", "value": "float", "weight": "float", "contribution": "float"}, total=False)
UpdateAllScoresQuery = TypedDict("UpdateAllScoresQuery", {"background": "bool"}, total=False)
UpdateAttributeBody = TypedDict("UpdateAttributeBody", {"lead_id": "str", "id": "str", "value": "Any"}, total=False)
Note = TypedDict("Note", {"id": "str", "lead_id": "str", "content": "str", "author": "Optional[str]", "created_at": "int", "updated_at": "int"}, total=False)
CreateNoteBody = TypedDict("CreateNoteBody", {"content": "str"}, total=False)
UpdateNoteBody = TypedDict("UpdateNoteBody", {"content": "str"}, total=False)
ScoringRule = TypedDict("ScoringRule", {"id": "str", "name": "str", "expression": "str", "weight": "float", "priority": "int", "created_at": "int", "updated_at": "int"}, total=False)
CreateScoringRuleBody = TypedDict("CreateScoringRuleBody", {"name": "str", "expression": "str", "weight": "float", "priority": "int"}, total=False)
UpdateScoringRuleBody = TypedDict("UpdateScoringRuleBody", {"name": "str", "expression": "str", "weight": "float", "priority": "int"}, total=False)
Webhook = TypedDict("Webhook", {"id": "str", "url": "str", "events": "List[str]", "active": "bool", "disabled_reason": "str", "has_secret": "bool", "expires_at": "int", "created_at": "int", "updated_at": "int"}, total=False)
CreateWebhookBody = TypedDict("CreateWebhookBody", {"url": "str", "events": "Optional[List[str]]", "secret": "Optional[str]", "active": "bool"}, total=False)
UpdateWebhookBody = TypedDict("UpdateWebhookBody", {"url": "str", "events": "Optional[List[str]]", "secret": "Optional[str]", "active": "bool"}, total=False)
ApiKey = TypedDict("ApiKey", {"id": "str", "name": "str", "prefix": "str", "role": "str", "kind": "str", "issued_by": "Optional[str]", "created_at": "int", "last_used_at": "Optional[int]", "expires_at": "Optional[int]", "list_style": "str", "guard": "str", "segment": "str"}, total=False)
CreateApiKeyBody = TypedDict("CreateApiKeyBody", {"name": "str", "role": "str", "expires_at": "Optional[Any]", "list_style": "str", "guard": "str", "segment": "str"}, total=False)
CreateApiKeyResult = TypedDict("CreateApiKeyResult", {"id": "str", "name": "str", "prefix": "str", "role": "str", "kind": "str", "issued_by": "Optional[str]", "created_at": "int", "last_used_at": "Optional[int]", "expires_at": "Optional[int]", "list_style": "str", "guard": "str", "segment": "str", "key": "str"}, total=False)
Stats = TypedDict("Stats", {"total_leads": "int", "by_status": "StatsByStatus", "by_source": "Dict[str, Any]", "score": "StatsScore", "with_email": "int", "with_phone": "int", "created_last_7_days": "int", "created_last_30_days": "int", "plan": "StatsPlan"}, total=False)
StatsByStatus = TypedDict("StatsByStatus", {"new": "int", "contacted": "int", "qualified": "int", "disqualified": "int", "converted": "int"}, total=False)
StatsScore = TypedDict("StatsScore", {"average": "Optional[float]", "min": "Optional[float]", "max": "Optional[float]", "hot": "int", "warm": "int", "cold": "int"}, total=False)
StatsPlan = TypedDict("StatsPlan", {"name": "str", "leads_limit": "Optional[int]", "leads_used": "int", "storage_limit": "Optional[int]", "storage_used": "Optional[int]"}, total=False)
ListCategoriesQuery = TypedDict("ListCategoriesQuery", {"limit": "int"}, total=False)
ListCategoriesResultItem = TypedDict("ListCategoriesResultItem", {"category": "str", "count": "int"}, total=False)
ListCitiesQuery = TypedDict("ListCitiesQuery", {"limit": "int"}, total=False)
ListCitiesResultItem = TypedDict("ListCitiesResultItem", {"city": "str", "count": "int"}, total=False)
Account = TypedDict("Account", {"id": "str", "name": "str", "plan": "str", "limits": "AccountLimits", "default_country": "Optional[str]", "time_zone": "str", "created_at": "int"}, total=False)
AccountLimits = TypedDict("AccountLimits", {"leads": "Optional[int]", "requests": "Optional[int]", "batch": "int", "storage": "Optional[int]"}, total=False)


class Leaddb(_Transport):
    """The calls of the service. What goes wrong is a LeaddbError."""

    def create_lead(self, body: "LeadInput", **query: Any) -> PushedLead:
        """Create a lead; a duplicate is merged into the lead it repeats. Options: on_duplicate, on_suppressed, dry_run."""
        return self.request("POST", "/leads", query, body)

    def get_lead(self, id: str, **query: Any) -> ReadLead:
        """Get one lead with its attributes and score. Options: include."""
        return self.request("GET", "/leads/%s" % (_path_part(id),), query)

    def update_lead(self, id: str, body: "LeadChanges") -> Lead:
        """Change fields of a lead; null clears one."""
        return self.request("PUT", "/leads/%s" % (_path_part(id),), None, body)

    def list_leads(self, **query: Any) -> LeadPage:
        """List leads with filters, sorting and cursor pagination. Options: filter, q, segment, contactable, sort_by, sort_order, limit, cursor, fields, total, highlight."""
        return self.request("GET", "/leads", query)

    def delete_lead(self, id: str, **query: Any) -> None:
        """Delete a lead with notes and attributes. Options: erase."""
        self.request("DELETE", "/leads/%s" % (_path_part(id),), query)

    def upsert_lead_by_email(self, email: str, body: "UpsertLeadByEmailBody") -> Lead:
        """Create the lead with this email, or update it."""
        return self.request("PUT", "/leads/by/email/%s" % (_path_part(email),), None, body)

    def list_changes(self, id: str, **query: Any) -> ListChangesResult:
        """The audit trail of a lead, newest first; also of a deleted one. Options: limit."""
        return self.request("GET", "/leads/%s/changes" % (_path_part(id),), query)

    def batch_create_leads(self, body: "BatchCreateLeadsBody", **query: Any) -> BatchCreateResult:
        """Create many leads at once; each duplicate is merged. Options: on_duplicate, on_suppressed."""
        return self.request("POST", "/leads/batch", query, body)

    def batch_update_leads(self, body: "BatchUpdateLeadsBody") -> BatchResult:
        """Make the same changes to many leads."""
        return self.request("PUT", "/leads/batch", None, body)

    def batch_delete_leads(self, body: "BatchDeleteLeadsBody") -> BatchResult:
        """Delete many leads with their notes and attributes."""
        return self.request("DELETE", "/leads/batch", None, body)

    def bulk_leads(self, body: "BulkLeadsBody") -> BulkLeadsResult:
        """Change, delete, tag, note or score all leads that a filter matches."""
        return self.request("POST", "/leads/bulk", None, body)

    def aggregate_leads(self, **query: Any) -> AggregateLeadsResult:
        """Count and sum up leads in groups of up to three fields. Options: group_by, metrics, by, tz, step, filter, q, segment, contactable, sort, sort_order, limit."""
        return self.request("GET", "/leads/aggregate", query)

    def export_leads(self, **query: Any) -> Any:
        """Export all matching leads as a CSV, JSON, XLSX or vCard file. Options: filter, q, segment, contactable, sort_by, sort_order, format, fields, preset, dates, bom."""
        return self.request("GET", "/leads/export", query)

    def update_lead_score(self, id: str, **query: Any) -> UpdateLeadScoreResult:
        """Recalculate the score of one lead from the current rules. Options: explain."""
        return self.request("POST", "/leads/%s/score" % (_path_part(id),), query)

    def update_all_scores(self, **query: Any) -> Any:
        """Recalculate all scores from the current rules. Options: background."""
        return self.request("POST", "/leads/score/batch", query)

    def list_attributes(self, lead_id: str) -> List[Attribute]:
        """List the custom attributes of a lead."""
        return self.request("GET", "/leads/%s/attributes" % (_path_part(lead_id),))

    def create_attribute(self, lead_id: str, body: "AttributeInput") -> Attribute:
        """Add a custom attribute to a lead; its name must be new there."""
        return self.request("POST", "/leads/%s/attributes" % (_path_part(lead_id),), None, body)

    def update_attribute(self, lead_id: str, id: str, body: "UpdateAttributeBody") -> Attribute:
        """Change the value of a custom attribute."""
        return self.request("PUT", "/leads/%s/attributes/%s" % (_path_part(lead_id), _path_part(id),), None, body)

    def delete_attribute(self, lead_id: str, id: str) -> None:
        """Delete a custom attribute of a lead."""
        self.request("DELETE", "/leads/%s/attributes/%s" % (_path_part(lead_id), _path_part(id),))

    def list_notes(self, lead_id: str) -> List[Note]:
        """List the notes of a lead, oldest first."""
        return self.request("GET", "/leads/%s/notes" % (_path_part(lead_id),))

    def create_note(self, lead_id: str, body: "CreateNoteBody") -> Note:
        """Add a note to a lead."""
        return self.request("POST", "/leads/%s/notes" % (_path_part(lead_id),), None, body)

    def update_note(self, id: str, body: "UpdateNoteBody") -> Note:
        """Replace the content of a note."""
        return self.request("PUT", "/notes/%s" % (_path_part(id),), None, body)

    def delete_note(self, id: str) -> None:
        """Delete a note."""
        self.request("DELETE", "/notes/%s" % (_path_part(id),))

    def list_scoring_rules(self) -> List[ScoringRule]:
        """List the scoring rules by priority."""
        return self.request("GET", "/scoring-rules")

    def create_scoring_rule(self, body: "CreateScoringRuleBody") -> ScoringRule:
        """Create a scoring rule; update_all_scores applies it to all leads."""
        return self.request("POST", "/scoring-rules", None, body)

    def get_scoring_rule(self, id: str) -> ScoringRule:
        """Get one scoring rule."""
        return self.request("GET", "/scoring-rules/%s" % (_path_part(id),))

    def update_scoring_rule(self, id: str, body: "UpdateScoringRuleBody") -> ScoringRule:
        """Change the name, expression, weight or priority of a scoring rule."""
        return self.request("PUT", "/scoring-rules/%s" % (_path_part(id),), None, body)

    def delete_scoring_rule(self, id: str) -> None:
        """Delete a scoring rule; update_all_scores takes it out of all scores."""
        self.request("DELETE", "/scoring-rules/%s" % (_path_part(id),))

    def list_webhooks(self) -> List[Webhook]:
        """List the account's webhooks, without their secrets."""
        return self.request("GET", "/webhooks")

    def create_webhook(self, body: "CreateWebhookBody") -> Webhook:
        """Have events sent to a URL, signed when there is a secret."""
        return self.request("POST", "/webhooks", None, body)

    def get_webhook(self, id: str) -> Webhook:
        """Get one webhook, without its secret."""
        return self.request("GET", "/webhooks/%s" % (_path_part(id),))

    def update_webhook(self, id: str, body: "UpdateWebhookBody") -> Webhook:
        """Change a webhook; active: true turns it on again."""
        return self.request("PUT", "/webhooks/%s" % (_path_part(id),), None, body)

    def delete_webhook(self, id: str) -> None:
        """Delete a webhook with its deliveries; nothing more is sent to it."""
        self.request("DELETE", "/webhooks/%s" % (_path_part(id),))

    def list_api_keys(self) -> List[ApiKey]:
        """List the account's API keys, without the keys themselves."""
        return self.request("GET", "/api-keys")

    def create_api_key(self, body: "CreateApiKeyBody") -> CreateApiKeyResult:
        """Create a named API key; the key is shown only in this answer."""
        return self.request("POST", "/api-keys", None, body)

    def delete_api_key(self, id: str) -> None:
        """Revoke an API key at once, with the keys that it issued."""
        self.request("DELETE", "/api-keys/%s" % (_path_part(id),))

    def get_stats(self) -> Stats:
        """Counts of leads by status, source and score, and use of the plan."""
        return self.request("GET", "/stats")

    def list_categories(self, **query: Any) -> List[ListCategoriesResultItem]:
        """The categories of leads with their counts, most first. Options: limit."""
        return self.request("GET", "/stats/categories", query)

    def list_cities(self, **query: Any) -> List[ListCitiesResultItem]:
        """The cities of leads with their counts, most first. Options: limit."""
        return self.request("GET", "/stats/cities", query)

    def get_account(self) -> Account:
        """Get the account that the key belongs to, with its plan and limits."""
        return self.request("GET", "/account")

    def leads(self, **query: Any) -> Iterator[ListedLead]:
        """All leads of a query, read page after page; ``limit`` is the size of a page."""
        cursor = None
        while True:
            page = self.list_leads(**{**query, **({"cursor": cursor} if cursor else {})})
            yield from page["leads"]
            cursor = page["next_cursor"]
            if cursor is None:
                return
