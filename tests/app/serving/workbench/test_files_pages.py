"""Files come from the browser's machine and go there; nothing else of the server's disk does."""

import asyncio
import errno
import os

import pytest

from spatial_workbench.app.serving.workbench import exchange_folder, files_pages
from spatial_workbench.app.serving.workbench.exchange_folder import FileRefused, safe_name
from tests.app.serving.workbench.made_up import ORIGIN, URL

FILES = "/workbench/files"
MOST = 1_000_000


def put(browser, name, contents, query=""):
    return browser.post(f"{FILES}/put/{name}{query}", content=contents, headers=ORIGIN)


def names(workbench):
    return sorted(path.name for path in workbench.files.iterdir())


def test_an_upload_is_stored_as_it_came(workbench, inside):
    contents = os.urandom(300_000)
    answer = put(inside, "Gr%C3%BC%C3%9Fe%20%26%20more.json", contents)
    assert (answer.status_code, answer.text) == (200, "Grüße & more.json")
    assert (workbench.files / "Grüße & more.json").read_bytes() == contents
    assert inside.get(f"{FILES}/get/Gr%C3%BC%C3%9Fe%20%26%20more.json").content == contents


def test_uploads_may_be_larger_than_forms_and_come_in_pieces(workbench, inside):
    answer = inside.post(f"{FILES}/put/large", content=iter([bytes(400_000), bytes(400_000)]), headers=ORIGIN)
    assert answer.status_code == 200
    assert (workbench.files / "large").stat().st_size == 800_000


@pytest.mark.parametrize("contents", [bytes(MOST + 1), [bytes(MOST), b"x"]], ids=["announced", "in pieces"])
def test_an_upload_that_is_too_large_leaves_nothing_behind(workbench, inside, contents):
    answer = put(inside, "huge", contents if isinstance(contents, bytes) else iter(contents))
    assert (answer.status_code, answer.text) == (413, "It is larger than 0 MB.")
    assert names(workbench) == ["notes.txt"]


def test_nothing_is_overwritten_unless_somebody_says_so(workbench, inside):
    answer = put(inside, "notes.txt", b"new")
    assert answer.status_code == 409
    assert "notes.txt" in answer.text
    assert (workbench.files / "notes.txt").read_text() == "mine"
    assert put(inside, "notes.txt", b"new", "?replace=yes").status_code == 200
    assert (workbench.files / "notes.txt").read_text() == "new"


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_folder_or_a_link_is_never_replaced(workbench, inside, tmp_path, kind):
    if kind == "folder":
        (workbench.files / "taken").mkdir()
    else:
        (workbench.files / "taken").symlink_to(tmp_path / "secret.txt")
    assert put(inside, "taken", b"new", "?replace=yes").status_code == 409
    assert (tmp_path / "secret.txt").read_text() == "nobody's business"


@pytest.mark.parametrize(
    "name", ["", " ", ".", "..", ".bashrc", "a/b", "/etc/passwd", "a\\b", "a\nb", "a\x00b", "é" * 101]
)
def test_a_name_is_a_name_and_nothing_else(name):
    with pytest.raises(FileRefused):
        safe_name(name)


@pytest.mark.parametrize(
    ("name", "status"),
    [("..%2Fsecret.txt", 404), ("%2Fetc%2Fpasswd", 404), (".hidden", 400), ("a%5Cb", 400), ("a%0Ab", 400)],
)
def test_no_upload_leaves_the_folder(workbench, inside, tmp_path, name, status):
    assert put(inside, name, b"theirs", "?replace=yes").status_code == status
    assert names(workbench) == ["notes.txt"]
    assert (tmp_path / "secret.txt").read_text() == "nobody's business"


@pytest.mark.parametrize(
    "name", ["..%2Fsecret.txt", "%2E%2E%2Fsecret.txt", "%2Fetc%2Fpasswd", "a%00b", ".hidden", "link", "folder"]
)
def test_no_download_leaves_the_folder(workbench, inside, tmp_path, name):
    (workbench.files / ".hidden").write_text("hidden")
    (workbench.files / "link").symlink_to(tmp_path / "secret.txt")
    (workbench.files / "folder").mkdir()
    for address in (f"{FILES}/get/{name}", f"{FILES}/delete/{name}"):
        assert inside.get(address).status_code == 404
    assert inside.post(f"{FILES}/delete/{name}", headers=ORIGIN).status_code == 404
    assert (workbench.files / "link").is_symlink()


def test_a_download_is_stored_and_never_shown_as_a_page_of_ours(workbench, inside):
    (workbench.files / "page.html").write_text("<script>alert(1)</script>")
    headers = inside.get(f"{FILES}/get/page.html").headers
    assert headers["content-type"] == "application/octet-stream"
    assert headers["content-disposition"] == 'attachment; filename="page.html"'


def test_deleting_asks_first(workbench, inside):
    page = inside.get(f"{FILES}/delete/notes.txt")
    assert "Delete notes.txt?" in page.text
    assert names(workbench) == ["notes.txt"]
    answer = inside.post(f"{FILES}/delete/notes.txt", headers=ORIGIN)
    assert (answer.status_code, answer.headers["location"]) == (303, FILES)
    assert names(workbench) == []


def test_the_page_lists_sizes_and_dates_and_escapes_names(workbench, inside):
    (workbench.files / "<b>.json").write_bytes(bytes(1500))
    os.utime(workbench.files / "<b>.json", (1_700_000_000, 1_700_000_000))
    page = inside.get(FILES).text
    assert "&lt;b&gt;.json" in page
    assert "<b>" not in page
    assert "1.5 kB" in page
    assert "2023-11-1" in page


def test_a_name_that_is_no_text_does_not_spoil_the_page(workbench, inside):
    (workbench.files / os.fsdecode(b"caf\xe9.txt")).write_text("of an old program")
    page = inside.get(FILES)
    assert (page.status_code, "notes.txt" in page.text, "caf" in page.text) == (200, True, False)


def test_an_empty_folder_says_what_to_do(workbench, inside):
    (workbench.files / "notes.txt").unlink()
    assert "There are no files yet. Upload" in inside.get(FILES).text


def test_a_full_disk_is_said_and_leaves_nothing_behind(workbench, inside, monkeypatch):
    async def no_room(folder, path, contents):
        path.write_bytes(b"the beginning")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(exchange_folder.ExchangeFolder, "_write", no_room)
    answer = put(inside, "answer.json", b"{}")
    assert answer.status_code == 507
    assert answer.text.startswith("The server's disk is full.")
    assert names(workbench) == ["notes.txt"]


def test_a_folder_that_is_gone_is_said(workbench, inside):
    (workbench.files / "notes.txt").unlink()
    workbench.files.rmdir()
    answer = inside.get(FILES)
    assert answer.status_code == 500
    assert "No such file or directory" in answer.text
    assert put(inside, "answer.json", b"{}").status_code == 507


async def asked(application, path, cookie, receive):
    """The status of a request whose body comes from `receive`."""
    sent = []
    headers = {"host": "127.0.0.1:8420", "origin": URL, "cookie": cookie, "content-length": "1000"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
    }

    async def send(message):
        sent.append(message)

    await application(scope, receive, send)
    return sent[0]["status"]


@pytest.mark.parametrize("ends", ["stalls", "is lost"])
def test_an_upload_that_stalls_or_is_lost_leaves_nothing_behind(workbench, monkeypatch, ends):
    monkeypatch.setattr(files_pages, "PIECE_S", 0.2)
    browser = workbench.browser()
    workbench.come_in(browser)
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    pieces = [{"type": "http.request", "body": b"the beginning", "more_body": True}]

    async def receive():
        if pieces:
            return pieces.pop()
        if ends == "stalls":
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    status = asyncio.run(asked(workbench.gate.application(), f"{FILES}/put/answer.json", cookie, receive))
    assert status == 408
    assert names(workbench) == ["notes.txt"]
