"""A stand-in for the recruiter: files, links, signed tokens, reports, and a server that gives credits."""

import base64
import contextlib
import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

AUDIENCE = "https://study.example"
KEY = "a key that both of them know"
WEBHOOK_SECRET = "a secret of the webhook"
PERSON = "5f0c1a2b3c4d5e6f70819203"
SESSION = "65a1b2c3d4e5f60718293a4b"
STUDY = "64aa00bb11cc22dd33ee44ff"
PRIVATE = rsa.generate_private_key(public_exponent=65537, key_size=2048)
FOREIGN = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def jwks(key=PRIVATE, kid="first"):
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))
    return json.dumps({"keys": [{**public, "kid": kid, "use": "sig", "alg": "RS256"}]})


def recruiters_file(folder, kind="prolific", **more):
    """Writes a recruiter's file, and returns its path."""
    ways = {"complete": {"code": "C0MPLETE", "link": "https://recruiter.example/complete?cc={code}"}}
    ways |= {"declined": {"code": "N0CONSENT", "link": "https://recruiter.example/complete?cc={code}"}}
    data = {"kind": kind, "ask": "Ada Example, ada@example.org", "keep_days": 30, "exits": ways, **more}
    path = folder / "recruiter.json"
    path.write_text(json.dumps(data))
    return path


def signed_file(folder, **more):
    (folder / "keys.json").write_text(jwks())
    return recruiters_file(folder, token={"audience": AUDIENCE, "keys": "keys.json"}, **more)


def query(person=PERSON, session=SESSION, study=STUDY):
    return f"PROLIFIC_PID={person}&STUDY_ID={study}&SESSION_ID={session}"


def token(person=PERSON, session=SESSION, key=PRIVATE, kid="first", algorithm="RS256", **claims):
    said = {"PROLIFIC_PID": person, "STUDY_ID": STUDY, "SESSION_ID": session}
    known = {"aud": AUDIENCE, "exp": int(time.time()) + 600, "prolific": said}
    content = {name: value for name, value in {**known, **claims}.items() if value is not None}
    return jwt.encode(content, key, algorithm=algorithm, headers={"kid": kid})


def signature(person, key=KEY):
    return hmac.new(key.encode(), person.encode(), hashlib.sha256).hexdigest()


def report(status, person=PERSON, secret=WEBHOOK_SECRET, at=None, **more):
    """The body and the headers of a report about a submission."""
    body = json.dumps({"event_type": "submission.status.change", "participant_id": person, "status": status, **more})
    moment = str(int(time.time()) if at is None else at)
    digest = hmac.digest(secret.encode(), (moment + body).encode(), hashlib.sha256)
    signed = base64.b64encode(digest).decode()
    return body, {"X-Prolific-Request-Timestamp": moment, "X-Prolific-Request-Signature": signed}


class CreditServer(ThreadingHTTPServer):
    """Gives credits as SONA does, or answers with an error."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Credits)
        self.asked = []
        self.answer = (200, "<WebstudyCreditResponse><a:credit_status>G</a:credit_status></WebstudyCreditResponse>")
        self.waits_s = 0

    @property
    def template(self):
        return f"http://127.0.0.1:{self.server_port}/WebstudyCredit?experiment_id=1&survey_code={{identity}}"


class _Credits(BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(self.server.waits_s)
        self.server.asked.append(self.path)
        status, body = self.server.answer
        with contextlib.suppress(OSError):
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def credit_server():
    server = CreditServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
