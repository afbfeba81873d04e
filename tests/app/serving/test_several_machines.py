"""The example of several machines on the page about studies in a browser, with a real nginx before real servers."""

import re
import shutil
import ssl
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.files.serving_state import running_server
from spatial_workbench.engine.studies.planning.document import StudySetting
from spatial_workbench.root import ROOT
from tests.app.serving.recruiting.recruited import field
from tests.app.serving.recruiting.recruiter import query, recruiters_file
from tests.ports import free_port
from tests.studies.sittings import SECRET, study

try:
    PARTS = found_parts()
except PartsMissing:
    PARTS = None
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
OPENSSL = shutil.which("openssl")
HOSTS = ("127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5")
"""The entrance and the three servers."""
NAMES = ("study.example", "a.study.example", "b.study.example", "c.study.example")
PLACES = ("P001", "P002", "P003")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (PARTS and NGINX and OPENSSL), reason="needs Xvnc, noVNC, nginx and openssl"),
]


def example():
    """The configuration on the page, without its indentation."""
    page = (ROOT / "docs" / "studies_in_a_browser.md").read_text()
    block = page.split("behind one proxy:\n\n")[1].split("\n\n### Under systemd")[0]
    return re.sub(r"(?m)^ {4}", "", block)


def configuration(folder, port, inner):
    """The example with the addresses and folders of this test."""
    changes = {"listen 443": f"listen {port}", "/etc/ssl/study": str(folder), "/var/log/nginx": str(folder)}
    changes |= {f"{8420 + number};": f"{inner_port};" for number, inner_port in enumerate(inner)}
    text = example()
    for name, host in sorted(zip(NAMES, HOSTS, strict=True), key=lambda pair: -len(pair[0])):
        assert name in text
        text = text.replace(name, host)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    places = "".join(
        f"{name}_temp_path {folder}/{name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    head = f"daemon off; pid {folder}/pid; error_log stderr emerg; events {{}}"
    return f"{head}\nhttp {{ {places}\n{text}\n}}\n"


@contextmanager
def process(*words, environment=None):
    nothing = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = subprocess.Popen(list(map(str, words)), env=environment, **nothing)
    try:
        yield started
    finally:
        started.terminate()
        started.wait(60)


def test_three_servers_behind_one_proxy_share_an_entrance_and_the_people(tmp_path, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "fullchain.pem"))
    port = free_port()
    inner = [free_port() for _ in HOSTS]
    urls = [f"https://{host}:{port}" for host in HOSTS]
    names = ",".join(f"IP:{host}" for host in HOSTS)
    pair = ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    subject = ["-subj", "/CN=study", "-addext", f"subjectAltName={names}"]
    request = [OPENSSL, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *subject, *pair]
    subprocess.run(request, check=True, capture_output=True)
    (tmp_path / "nginx.conf").write_text(configuration(tmp_path, port, inner))
    recruiter = recruiters_file(tmp_path, entrance_key="the key of the entrance")
    (tmp_path / "servers.toml").write_text(f"servers = {urls[1:]}".replace("'", '"'))
    path = tmp_path / "humans.workbench"
    chosen = study(setting="browser")
    with Project.create(path) as project:
        project.studies.add(chosen)
        project.places.add_bundle(chosen.id, ["P001H"], passphrase=SECRET, setting=StudySetting.BROWSER)
    serve = [sys.executable, "-m", "spatial_workbench", "study", "serve"]
    with ExitStack() as running:
        started = [running.enter_context(process(NGINX, "-c", tmp_path / "nginx.conf", "-p", tmp_path))]
        for number, (place, url) in enumerate(zip(PLACES, urls[1:], strict=True)):
            bundle = tmp_path / f"{number}.study"
            words = ["study", "bundle", str(path), chosen.id, "--setting", "browser", "--codes", place]
            assert main([*words, "-o", str(bundle)]) == 0
            at = ["--listen", f"127.0.0.1:{inner[number + 1]}", "--url", url, "--trusted-proxy", "127.0.0.1"]
            started.append(running.enter_context(process(*serve, bundle, *at, "--recruit", recruiter)))
        at = ["--listen", f"127.0.0.1:{inner[0]}", "--url", urls[0], "--trusted-proxy", "127.0.0.1"]
        entrance = [path, chosen.id, "--servers", tmp_path / "servers.toml", "--recruit", recruiter]
        started.append(running.enter_context(process(*serve, *entrance, *at)))
        client = running.enter_context(httpx.Client(verify=ssl.create_default_context(), timeout=60, trust_env=False))
        until = time.monotonic() + 60
        while not all(running_server(tmp_path / f"{number}.served") for number in range(3)) or not is_there(
            client, urls[0]
        ):
            assert time.monotonic() < until
            assert [one.poll() for one in started] == [None] * len(started)
            time.sleep(0.1)
        where = [begun_at(client, urls[0], f"person{number}") for number in range(3)]
        assert sorted(where) == sorted(urls[1:])
        assert [begun_at(client, urls[0], f"person{number}") for number in range(3)] == where
        assert "All places of this study are taken" in client.get(f"{urls[0]}/study?{query('person4')}").text
    told = "".join(log.read_text() for log in tmp_path.glob("*.log"))
    assert "GET 303" in told
    assert [word for word in ("person", "PROLIFIC", "127.0.0") if word in told] == []


def is_there(client, url):
    try:
        return client.get(f"{url}/").status_code == 404
    except httpx.HTTPError:
        return False


def begun_at(client, entrance, person):
    """Somebody comes by the entrance, is sent on, and begins; returns the address of the server."""
    sent = client.get(f"{entrance}/study?{query(person)}")
    assert sent.status_code == 303, sent.text
    server = sent.headers["location"].partition("/study?")[0]
    notice = client.get(sent.headers["location"])
    own = {"Origin": server}
    entry = client.post(f"{server}/study/begin", data={"arrival": field(notice, "arrival")}, headers=own)
    begun = client.post(f"{server}/study/begin", data={"form": field(entry, "form")}, headers=own)
    assert (begun.status_code, begun.headers["location"]) == (303, "/take-part")
    return server
