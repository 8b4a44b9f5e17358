"""Signs a link, receives the webhook and prints the result. Needs SELFSAME_API_KEY and SELFSAME_WEBHOOK_SECRET."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from selfsame import Selfsame, verify_event

port = int(os.environ.get("PORT", "9000"))
here = f"http://127.0.0.1:{port}"
selfsame = Selfsame(os.environ.get("SELFSAME_URL", "http://127.0.0.1:8080"), os.environ["SELFSAME_API_KEY"])
secret = os.environ["SELFSAME_WEBHOOK_SECRET"]

verification = selfsame.call(
    "POST",
    "/v1/verification/create-or-update",
    {
        "name": "sign-up",
        "verificationConfig": {
            "verifierConfigs": {"liveness": {"type": "Verification", "challengeType": "Balanced"}},
            "redirectConfig": {"passedUrl": f"{here}/done", "failedUrl": f"{here}/done"},
        },
    },
)


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            event = verify_event(self.headers, body, secret)
        except ValueError as error:
            print(error, flush=True)
            return self.answer(401)
        self.answer(204)
        if event["event"] == "VerificationCompleted":
            result = selfsame.result_of(event["verificationSessionId"])
            order = result["customInputParameters"].get("order")
            print(order, result["verificationResult"], result["verificationFailedReasons"], flush=True)

    def do_GET(self):
        self.answer(200, b"Thank you. The result is in the terminal.")

    def answer(self, status, text=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", port), Hook)
print("Open", selfsame.create_link(verification["verificationId"], order="7"), flush=True)
server.serve_forever()
