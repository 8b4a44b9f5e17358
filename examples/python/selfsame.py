"""Calls to Selfsame with Python's standard library alone: links, events, faces and results."""

import base64
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.parse
import urllib.request


class Problem(Exception):
    """A refused call. `code` is stable and `request_id` finds the call in the log; `errors` points at what is wrong in a body."""

    def __init__(self, status, body):
        self.status = status
        self.code = body.get("code", "unknown")
        self.errors = body.get("errors", [])
        self.request_id = body.get("requestId")
        super().__init__(f"{status} {self.code}: {body.get('detail', '')} {self.errors or ''}".strip())


class Selfsame:
    def __init__(self, origin, api_key, timeout_in_seconds=30):
        self.origin = origin.rstrip("/")
        self.api_key = api_key
        self.timeout_in_seconds = timeout_in_seconds

    def call(self, method, path, body=None, **query):
        """One call of the API, as docs/calls.md lists it; returns its answer."""
        address = self.origin + path + ("?" + urllib.parse.urlencode(query) if query else "")
        headers = {"Authorization": f"ApiKey {self.api_key}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_in_seconds) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            text = error.read()
            try:
                problem = json.loads(text)
            except ValueError:
                problem = {"detail": "The answer is not from Selfsame: is the address right?"}
            raise Problem(error.code, problem) from None

    def create_link(self, verification_id, expires_in_seconds=3600, **parameters):
        """Signs a link that works once. Parameters of your own come back with the result."""
        query = urllib.parse.urlencode({"reVerificationId": verification_id, **parameters})
        settings = {"enableNonce": True, "expirationInSeconds": expires_in_seconds}
        signed = self.call("POST", "/v1/signature/create", {"queryString": query, "securitySettings": settings})
        return f"{self.origin}/verification/{verification_id}?{signed['signedQueryString']}"

    def result_of(self, session_id):
        return self.call("GET", "/v1/verification/get-session-result", verificationSessionId=session_id)

    def search(self, collection_id, picture, threshold=80):
        """Finds the face of a JPEG or PNG in a collection; returns the answer of face/search."""
        image = {"bytes": base64.b64encode(picture).decode()}
        body = {"collectionId": collection_id, "image": image, "faceMatchThreshold": threshold}
        return self.call("POST", "/v1/face/search", body)


def verify_event(headers, body, secret, tolerance_in_seconds=300):
    """The event of a webhook request (Standard Webhooks); raises ValueError if it is not signed with the secret, or too old.

    headers: a mapping that ignores case, as http.server has it; body: the bytes as they arrived.
    """
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance_in_seconds:
        raise ValueError("The event is too old, or has no time.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{event_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    if not any(hmac.compare_digest(one.encode(), expected.encode()) for one in signatures):
        raise ValueError("No signature of the event holds.")
    return json.loads(body)
