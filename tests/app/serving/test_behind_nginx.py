"""The example of a proxy on the page about studies in a browser, with a real nginx before a real server."""

import http.client
import re
import shutil
import ssl
import subprocess
import sys
import time

import pytest

from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.serving_state import running_server, served_folder
from spatial_workbench.engine.studies.planning.document import StudySetting
from spatial_workbench.root import ROOT
from tests.ports import free_port
from tests.studies.sittings import SECRET, study

try:
    PARTS = found_parts()
except PartsMissing:
    PARTS = None
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
OPENSSL = shutil.which("openssl")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PARTS and NGINX and OPENSSL), reason="needs Xvnc, noVNC, nginx and openssl"),
]


def example():
    """The configuration on the page, without its indentation."""
    page = (ROOT / "docs" / "studies_in_a_browser.md").read_text()
    block = page.split("### Behind nginx\n\n")[1].split("\n\nIts log")[0]
    return re.sub(r"(?m)^ {4}", "", block)


@pytest.fixture
def served(tmp_path):
    """A study behind the proxy: the port of the proxy, the links, and the folder with the logs."""
    port = free_port()
    inner = free_port()
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    pair = ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    command = [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *subject, *pair]
    subprocess.run(command, check=True, capture_output=True)
    changes = {
        "listen 443": f"listen 127.0.0.1:{port}",
        "study.example": "127.0.0.1",
        "/etc/ssl/study": str(tmp_path),
        "/var/log/nginx": str(tmp_path),
        "127.0.0.1:8420": f"127.0.0.1:{inner}",
    }
    text = example()
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    places = "".join(
        f"{name}_temp_path {tmp_path}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"daemon off; pid {tmp_path}/pid; error_log stderr emerg; events {{}}"
    (tmp_path / "nginx.conf").write_text(f"{head}\nhttp {{ {places}\n{text}\n}}\n")
    path = tmp_path / "humans.workbench"
    chosen = study(setting="browser")
    with Project.create(path) as project:
        project.studies.add(chosen)
        project.places.add_bundle(chosen.id, ["P001H"], passphrase=SECRET, setting=StudySetting.BROWSER)
    serve = ["study", "serve", str(path), chosen.id, "--listen", f"127.0.0.1:{inner}"]
    behind = ["--url", f"https://127.0.0.1:{port}", "--trusted-proxy", "127.0.0.1"]
    nothing = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen([sys.executable, "-m", "spatial_workbench", *serve, *behind], **nothing)
    proxy = subprocess.Popen([NGINX, "-c", str(tmp_path / "nginx.conf"), "-p", str(tmp_path)], **nothing)
    try:
        until = time.monotonic() + 60
        while (state := running_server(served_folder(path, chosen.id))) is None:
            assert time.monotonic() < until
            assert (server.poll(), proxy.poll()) == (None, None)
            time.sleep(0.1)
        yield port, state.links, tmp_path
    finally:
        for process in (proxy, server):
            process.terminate()
            process.wait(60)


def asked(served, method, path, body=None, **headers):
    port, _, folder = served
    context = ssl.create_default_context(cafile=folder / "fullchain.pem")
    connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=60)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer, answer.read().decode() if answer.status != http.HTTPStatus.SWITCHING_PROTOCOLS else ""


def test_people_take_part_through_the_proxy_and_its_log_tells_neither_links_nor_addresses(served):
    port, links, folder = served
    path = links["P001H"].removeprefix(f"https://127.0.0.1:{port}")
    answer, page = asked(served, "GET", f"{path}?secret=mark")
    assert answer.status == 200
    token = re.search(r'name="form" value="([^"]+)"', page)[1]
    origin = {"Origin": f"https://127.0.0.1:{port}"}
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    answer, _ = asked(served, "POST", path, f"form={token}", **origin, **form)
    assert answer.status == 303
    cookie = answer.getheader("Set-Cookie").split(";")[0]
    assert cookie.startswith("__Host-study=")
    handshake = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
    handshake |= {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Cookie": cookie, **origin}
    answer, _ = asked(served, "GET", "/take-part/picture", **handshake)
    assert answer.status == 101
    told = "".join(log.read_text() for log in folder.glob("*.log"))
    assert "GET 200" in told
    assert [word for word in ("secret", "mark", "join", "127.0.0.1", path) if word in told] == []
