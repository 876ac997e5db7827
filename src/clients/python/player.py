"""Makes the calls of its input, a line of JSON each, and writes their outcomes."""

import json
import sys

from leaddb import Leaddb, LeaddbError, WebhookVerificationError, verify_webhook

client = Leaddb(sys.argv[1], sys.argv[2])


def play(asked):
    if asked["call"] == "iterate_leads":
        return [lead["name"] for lead in client.leads(**asked.get("query", {}))]
    if asked["call"] == "verify_webhook":
        return verify_webhook(asked["body"]["secret"], asked["body"]["headers"], asked["body"]["text"])
    body = [asked["body"]] if "body" in asked else []
    answer = getattr(client, asked["call"])(*asked.get("path", []), *body, **asked.get("query", {}))
    return answer.decode() if isinstance(answer, bytes) else answer


for line in sys.stdin:
    try:
        outcome = {"ok": play(json.loads(line))}
    except LeaddbError as error:
        outcome = {"error": {"status": error.status, "code": error.code}}
    except WebhookVerificationError as error:
        outcome = {"failed": str(error)}
    print(json.dumps(outcome), flush=True)
