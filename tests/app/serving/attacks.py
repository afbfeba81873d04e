"""Requests that must fail, as a list: what strangers and people who take part might try against a server."""

import base64
import os
import re
import secrets
import socket
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.app.serving.confinement import confined, program_folders
from spatial_workbench.app.serving.links import JoinLinks, kept_secret
from spatial_workbench.engine.sandbox.bubblewrap import ENVIRONMENT

WAIT_S = 10
OPENING_S = 60
"""A busy machine may need so long to open a window."""
GREETING = b"RFB 003.008\n\x01\x01"
MARK = "PROLIFIC_PID=5f3c-secret-mark"
"""Stands in the query of requests; nothing that the server says may hold it."""
PIXEL_FORMAT = bytes([32, 24, 0, 1, 0, 255, 0, 255, 0, 255])
"""The format of pixels, with which a screen answers to a whole greeting."""
CLOSES = re.compile(rb"\x88[\x02-\x7d]\x03")
"""The beginning of a frame that closes a socket, with a number between 768 and 1023."""
CODES = ("P001H", "P002Q", "P003X")


@dataclass
class Answer:
    """What a server says to a request.

    Attributes:
        status: The number of the status line; 0 if the connection ended without one.
        head: Status line and headers.
        body: What follows them, as far as it came.
    """

    status: int
    head: str
    body: bytes

    @property
    def cookie(self):
        """The cookie that is set."""
        line = next(line for line in self.head.splitlines() if line.lower().startswith("set-cookie:"))
        return line.split(":", 1)[1].split(";")[0].strip()


class Target:
    """A server, with what an attacker may know of it, and what the test has to know.

    port: where it listens. served: its folder. runs: the folder with the folders of the windows.
    """

    def __init__(self, port, served, runs=None):
        self.port = port
        self.host = f"127.0.0.1:{port}"
        self.origin = f"http://{self.host}"
        self.served = served
        self.runs = runs
        self.links = JoinLinks(kept_secret(served / "links.secret"), CODES)
        self.cookie = ""
        self.former_cookie = ""

    def path(self, code="P001H"):
        return f"/join/{self.links.token_of(code)}"

    def form(self, code="P001H"):
        return f"form={self.links.form_token_of(self.links.token_of(code))}"

    def connect(self, source="127.0.0.3", wait_s=WAIT_S):
        """A connection from an address of this machine."""
        return socket.create_connection(("127.0.0.1", self.port), wait_s, (source, 0))

    def say(self, data, source="127.0.0.3", wait_s=WAIT_S):
        """Sends bytes, and reads until the server ends the connection, or nothing comes."""
        answer = b""
        with self.connect(source, wait_s) as connection:
            try:
                connection.sendall(data)
                while piece := connection.recv(65536):
                    answer += piece
            except OSError:
                pass
        head, _, body = answer.partition(b"\r\n\r\n")
        words = head.split(b" ", 2)
        status = int(words[1]) if head.startswith(b"HTTP/1.1 ") and words[1].isdigit() else 0
        return Answer(status, head.decode("latin-1"), body)

    def ask(self, method, path, headers=(), body=b"", source="127.0.0.3", host=None, wait_s=WAIT_S):
        """Sends a request as it is given, without correcting anything."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host if host is None else host}", "Connection: close"]
        lines += [*headers, *([f"Content-Length: {len(body)}"] if body else [])]
        return self.say("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body, source, wait_s)

    def begin(self, code="P001H", source="127.0.0.2", **changes):
        """Presses the button of a link."""
        headers = (f"Origin: {self.origin}", "Content-Type: application/x-www-form-urlencoded")
        body = changes.pop("form", self.form(code)).encode()
        headers = changes.pop("headers", headers)
        return self.ask("POST", self.path(code), headers, body, source, wait_s=OPENING_S)

    def socket(self, path, cookie=None, origin=None, extra=()):
        """A WebSocket, after the server has answered its handshake; the answer is the first line."""
        connection = self.connect()
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {self.host}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", *extra]
        lines += [f"Origin: {self.origin if origin is None else origin}"] if origin != "" else []
        lines += [f"Cookie: {self.cookie if cookie is None else cookie}"]
        connection.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n")
        head = b""
        while b"\r\n\r\n" not in head and (piece := connection.recv(1)):
            head += piece
        return connection, head.split(b"\r\n")[0].decode("latin-1")


def frame(data, opcode=2, head=None, masked=True):
    """A frame of a WebSocket."""
    first = 0x80 | opcode if head is None else head
    mask = b"\0\0\0\0" if masked else b""
    bit = 0x80 if masked else 0
    if len(data) < 126:
        length = struct.pack(">B", bit | len(data))
    elif len(data) < 65536:
        length = struct.pack(">BH", bit | 126, len(data))
    else:
        length = struct.pack(">BQ", bit | 127, len(data))
    return bytes([first]) + length + mask + data


def stays_open(connection, data):
    """Whether the server keeps a socket open after what it was sent, and neither closes it nor says that it does."""
    answer = b""
    with connection:
        try:
            connection.sendall(data)
            while not CLOSES.search(answer):
                piece = connection.recv(65536)
                if not piece:
                    return False
                answer += piece
        except TimeoutError:
            return True
        except OSError:
            return False
    return False


# The list: names, and functions that tell whether an attack was successful --------------------------------------------


def _paths():
    up = ["..", "%2e%2e", "%2E%2E", "..%00", "%252e%252e", "..;", "....", "%c0%ae%c0%ae", ".%2e", "..%5c", "%u002e"]
    files = ["etc/passwd", "links.secret", "served.study"]
    for step in up:
        for start in ("/novnc/core", "/parts"):
            for file in files:
                yield f"{start}/{'/'.join([step] * 8)}/{file}"
    yield from (
        "/novnc/vnc.html",
        "/novnc/",
        "/novnc",
        "/novnc/core",
        "/novnc/core/",
        "/novnc/core//etc/passwd",
        "/novnc//etc/passwd",
        "/novnc/%2fetc%2fpasswd",
        "/novnc/core/rfb.js%00.html",
        "/novnc/core/%00",
        "/parts/",
        "/parts/page.html",
        "/parts/viewer.html",
        "/parts/../serving/page.html",
        "/parts/%2e%2e%2fserving%2fpage.html",
        "/parts/style.css%00",
        "/served.study",
        "/links.secret",
        "/visits.json",
        "/people/P001H/P001H.session",
        "/.git/config",
        "/docs",
        "/openapi.json",
        "/static/",
        "//evil.example/",
        "/\\evil.example",
        "/%0d%0aSet-Cookie:%20study=x",
        "/join/",
        "/join/x/",
        "/join/%2e%2e",
        "/join/../take-part",
        "/take-part/../join/x",
        "/take-part/",
        "/take-part/text/../../x",
        "http://evil.example/",
        "*",
        "/" + "x" * 8000,
    )


def _path_attacks():
    for path in _paths():
        yield f"path {path[:60]}", lambda target, path=path: target.ask("GET", path).status == 200


def _host_attacks():
    hosts = ("", "evil.example", "localhost:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}.evil.example")
    hosts += (
        "127.0.0.1:{port}@evil.example",
        "0.0.0.0:{port}",
        "[::1]:{port}",
        "127.1:{port}",
        "http://127.0.0.1:{port}",
    )
    for host in hosts:
        yield (
            f"host {host}",
            lambda target, host=host: (
                target.ask("GET", target.path(), host=host.format(port=target.port)).status == 200
            ),
        )


def _origins(target_port="{port}"):
    return (
        "null",
        "https://evil.example",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "https://127.0.0.1:{port}",
        "http://localhost:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://127.0.0.1:{port}/",
        "HTTP://127.0.0.1:{port}",
        "file://",
        "*",
    )


def _origin_attacks():
    for origin in ("", *_origins()):

        def form(target, origin=origin):
            headers = [f"Origin: {origin.format(port=target.port)}"] if origin else []
            return target.begin("P003X", "127.0.0.3", headers=headers).status == 303

        yield f"form from {origin or 'nowhere'}", form
        for path in ("picture", "presence"):

            def opened(target, path=path, origin=origin):
                connection, status = target.socket(f"/take-part/{path}", origin=origin.format(port=target.port))
                connection.close()
                return " 101 " in status

            yield f"{path} from {origin or 'nowhere'}", opened


def _cookie_attacks():
    cookies = ("", "study=", "study=x", "study=P001H", "study=" + "A" * 43, "study=../visits", "__Host-study=x")
    cookies += ("study=%00", 'study="', "study=\xff", "STUDY=x", "study=x; study=y")
    for cookie in cookies:
        yield (
            f"page with {cookie!r}",
            lambda target, cookie=cookie: target.ask("GET", "/take-part", [f"Cookie: {cookie}"]).status == 200,
        )
        for path in ("picture", "presence"):

            def opened(target, path=path, cookie=cookie):
                connection, status = target.socket(f"/take-part/{path}", cookie=cookie)
                connection.close()
                return " 101 " in status

            yield f"{path} with {cookie!r}", opened

    def former(target):
        return target.ask("GET", "/take-part", [f"Cookie: {target.former_cookie}"]).status == 200

    def former_picture(target):
        connection, status = target.socket("/take-part/picture", cookie=target.former_cookie)
        connection.close()
        return " 101 " in status

    def link_as_cookie(target):
        return target.ask("GET", "/take-part", [f"Cookie: study={target.links.token_of('P001H')}"]).status == 200

    yield "a cookie from before somebody went on elsewhere", former
    yield "a picture with that cookie", former_picture
    yield "a link as cookie", link_as_cookie


def _form_attacks():
    forms = (
        "",
        "form=",
        "form=x",
        "form=%00",
        "form=" + "A" * 22,
        "x" * 64_001,
        "form[]=x",
        "form=x&form=y",
        "=",
        "&&&",
    )
    for form in forms:
        yield (
            f"form {form[:20]!r}",
            lambda target, form=form: target.begin("P003X", "127.0.0.3", form=form).status == 303,
        )
    yield (
        "the form of another link",
        lambda target: target.begin("P003X", "127.0.0.3", form=target.form("P001H")).status == 303,
    )

    def token_of_a_stranger(target):
        other = JoinLinks(os.urandom(32), CODES).token_of("P001H")
        headers = [f"Origin: {target.origin}"]
        return target.ask("POST", f"/join/{other}", headers, target.form().encode()).status == 303

    yield "a link of another study", token_of_a_stranger
    yield "a link with a letter changed", lambda target: target.ask("GET", target.path()[:-1] + "_").status == 200
    yield "a link that is cut", lambda target: target.ask("GET", target.path()[:-1]).status == 200
    for code in CODES:
        yield f"the code {code} as link", lambda target, code=code: target.ask("GET", f"/join/{code}").status == 200
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "GET\tX", "get"):
        yield (
            f"method {method}",
            lambda target, method=method: (
                target.ask(method, target.path(), [f"Origin: {target.origin}"]).status in (200, 303)
            ),
        )


def _forged_addresses(target):
    """Headers that claim another address do not open what is locked for this one."""
    forged = ("X-Forwarded-For: 203.0.113.{n}", "X-Real-IP: 203.0.113.{n}", "Forwarded: for=203.0.113.{n}")
    forged += ("X-Client-IP: 203.0.113.{n}", "True-Client-IP: 203.0.113.{n}", "X-Forwarded-For: 127.0.0.1, ::1")
    return [line.format(n=number) for number, line in enumerate(forged)]


def _guessing_attacks():
    def thousands(target):
        return any(target.ask("GET", f"/join/{number:022}", source="127.0.0.9").status == 200 for number in range(1000))

    yield "a thousand links", thousands
    yield "a link after a thousand", lambda target: target.ask("GET", target.path(), source="127.0.0.9").status == 200
    for number in range(6):
        yield (
            f"a forged address {number}",
            lambda target, number=number: (
                target.ask("GET", target.path(), [_forged_addresses(target)[number]], source="127.0.0.9").status == 200
            ),
        )
    for line in ("X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https", "X-Original-URL: /take-part"):
        yield (
            line,
            lambda target, line=line: (
                b"evil" in (answer := target.ask("GET", f"/?{MARK}", [line])).body or answer.status == 200
            ),
        )


def _malformed_attacks():
    smuggled = "GET /take-part HTTP/1.1\r\nHost: {host}\r\n\r\n"
    for name, text in {
        "two lengths": "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1\r\nContent-Length: 50\r\n\r\nx" + smuggled,
        "length and chunks": (
            "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            + smuggled
        ),
        "a negative length": "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n",
        "a huge length": "POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "two hosts": "GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        "no host": "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
        "an old version": "GET /\r\n\r\n",
        "version 2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "a space in a header": "GET / HTTP/1.1\r\nHost : {host}\r\n\r\n",
        "a bare line feed": "GET / HTTP/1.1\nHost: {host}\nX: a\n\n",
        "a null byte": "GET / HTTP/1.1\r\nHost: {host}\r\nX: a\0b\r\n\r\n",
        "a folded header": "GET / HTTP/1.1\r\nHost: {host}\r\nX: a\r\n b\r\n\r\n",
        "thousands of headers": "GET / HTTP/1.1\r\nHost: {host}\r\n" + "X: a\r\n" * 10_000 + "\r\n",
        "TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        "garbage": "\x00\x01\x02\xff" * 100 + "\r\n\r\n",
    }.items():
        yield (
            name,
            lambda target, text=text: (
                target.say(text.format(host=target.host).encode("latin-1")).status
                in (
                    200,
                    303,
                )
            ),
        )


def _frame_attacks():
    big = bytes(1_000_001)
    frames = {
        "an oversized frame": frame(big),
        "an oversized message in pieces": frame(big[:600_000], head=0x02) + frame(big[:600_000], head=0x80),
        "a frame without a mask": frame(b"x", masked=False),
        "a compressed frame": frame(b"x", head=0xC2),
        "an unknown opcode": frame(b"x", opcode=3),
        "a long ping": frame(bytes(200), opcode=9),
        "a continuation of nothing": frame(b"x", opcode=0),
        "a ping in pieces": frame(b"x", head=0x09),
        "a length of 2^63": b"\x82\xff" + b"\xff" * 8,
        "text that is none": frame(b"\xff\xfe", opcode=1),
    }
    for path in ("picture", "presence"):
        for name, data in frames.items():
            yield (
                f"{name} to {path}",
                lambda target, path=path, data=data: stays_open(target.socket(f"/take-part/{path}")[0], data),
            )


def _rfb_attacks():
    size = struct.pack(">BxHHBx", 251, 1600, 900, 0)
    said = {
        "another version": b"RFB 003.003\n",
        "a newer version": b"RFB 005.000\n",
        "HTTP": b"GET / HTTP/1.1\r\n\r\n",
        "a password": b"RFB 003.008\n\x02",
        "Tight security": b"RFB 003.008\n\x10",
        "VeNCrypt": b"RFB 003.008\n\x13",
        "the clipboard": GREETING + struct.pack(">BxxxI", 6, 4) + b"text",
        "the extended clipboard": GREETING + struct.pack(">Bxxxi", 6, -8) + bytes(8),
        "no length of a clipboard": GREETING + struct.pack(">BxxxI", 6, 0xFFFFFFFF),
        "a list of files": GREETING + bytes([130, 0, 0, 1]) + b"/",
        "a file": GREETING + bytes([7, 1, 0, 0]) + bytes(8),
        "UltraVNC's chat": GREETING + bytes([11]) + bytes(7),
        "a keyboard of QEMU": GREETING + bytes([255, 0]) + bytes(10),
        "sound": GREETING + bytes([255, 1, 0, 2]),
        "a restart of the machine": GREETING + bytes([250, 0, 1, 2]),
        "gestures": GREETING + bytes([253]) + bytes(20),
        "message 1": GREETING + bytes([1]),
        "message 252": GREETING + bytes([252]),
        "too many encodings": GREETING + struct.pack(">BxH", 2, 65535),
        "a long fence": GREETING + struct.pack(">BxxxIB", 248, 1, 255),
        "no screen": GREETING + size,
        "many screens": GREETING + size[:6] + b"\xff\x00",
        "garbage": GREETING + bytes(range(100, 140)) * 100,
        "a megabyte of keys, then the clipboard": GREETING + struct.pack(">BBxxI", 4, 1, 65) * 100_000 + b"\x06",
    }
    for name, data in said.items():
        yield (
            f"to the screen: {name}",
            lambda target, data=data: stays_open(target.socket("/take-part/picture")[0], frame(data)),
        )

    def aborted(target):
        for _ in range(20):
            connection, _ = target.socket("/take-part/picture")
            connection.sendall(frame(GREETING[:5]))
            connection.close()
        return not greets(target)

    yield "twenty aborted greetings", aborted
    said = ("", "{", "[]", "null", '"x"', "x" * 2000, '{"answer": ', '{"answer": 1, "drawn": 9}', "[" * 999)
    for text in said:
        yield (
            f"to presence: {text[:20]!r}",
            lambda target, text=text: stays_open(
                target.socket("/take-part/presence")[0], frame(text.encode(), opcode=1)
            ),
        )


def greets(target):
    """Whether the screen of the person who takes part answers a whole greeting."""
    connection, status = target.socket("/take-part/picture")
    with connection:
        if " 101 " not in status:
            return False
        connection.sendall(frame(GREETING))
        answer = b""
        while PIXEL_FORMAT not in answer:
            piece = connection.recv(65536)
            if not piece:
                return False
            answer += piece
    return b"RFB 003.008" in answer


def _sandbox_attacks():
    """From inside of where the window of P001H is: on the way to its own folders, it sees nothing else."""
    lines = {
        "the project": "cat {project}",
        "the folder of the study": "ls {served} | grep -v ^people$",
        "the secret of the links": "cat {served}/links.secret",
        "the cookies": "cat {served}/visits.json",
        "the bundle with all places": "cat {served}/served.study",
        "the people": "ls {served}/people | grep -v ^P001H$",
        "the session of another person": "cat {served}/people/P002Q/P002Q.session",
        "the bundle of another person": "cat {served}/people/P002Q/served.study",
        "a new file for another person": "echo x > {served}/people/P002Q/P002Q.results",
        "the windows": "ls {runs} | grep -v ^1$",
        "the display of another person": "ls {runs}/2/x",
        "the cookie of another display": "cat {runs}/2/authority",
        "the picture of another person": "test -S {runs}/2/rfb",
        "the control of another window": "test -S {runs}/2/control",
        "the log of another window": "cat {runs}/2/window.log",
        "another display through the root": "ls /proc/1/root/{runs}/2",
        "the processes of the machine": "ls -d /proc/{server}",
        "the users of the machine": "cat /etc/passwd",
        "a link to another person": "ln -s {served}/people/P002Q/P002Q.session {own}/l && cat {own}/l",
        "the gate": "exec 3<>/dev/tcp/127.0.0.1/{port}",
        "the root": "touch /x",
        "a mount": "mount -t tmpfs none /tmp",
        "namespaces of its own": "unshare --mount --map-root-user mount -t tmpfs none /usr",
        "a signal to the server": "kill -0 {server}",
        "the network": "cat /proc/net/tcp | grep -i :{port_hex}",
    }
    for name, line in lines.items():

        def run(target, line=line):
            own = target.served / "people" / "P001H"
            facts = {
                "project": target.served.parent / "humans.workbench",
                "served": target.served,
                "runs": target.runs,
                "own": own,
                "port": target.port,
                "port_hex": f"{target.port:04X}",
                "server": target.server,
            }
            folder = target.runs / "1"
            words = confined(
                ["/bin/bash", "-c", line.format(**facts)], {}, folder / "x", [own, folder], program_folders()
            )
            done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, timeout=30, check=False)
            (own / "l").unlink(missing_ok=True)
            return done.returncode == 0

        yield f"from a window: {name}", run


def attacks():
    """All of them, those that lock an address last."""
    parts = (
        _path_attacks,
        _host_attacks,
        _origin_attacks,
        _cookie_attacks,
        _form_attacks,
        _malformed_attacks,
        _frame_attacks,
        _rfb_attacks,
        _sandbox_attacks,
        _guessing_attacks,
    )
    return [attack for part in parts for attack in part()]


def runs_of(server):
    """The folder with the folders of the windows of a server, from the sockets that its windows have."""
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = command.read_bytes().split(b"\0")
            parent = (command.parent / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if int(parent) == server and b"-rfbunixpath" in words:
            return Path(words[words.index(b"-rfbunixpath") + 1].decode()).parents[1]
    raise AssertionError("the server has no window")
