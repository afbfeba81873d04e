"""What goes between this program and its physics process is read as numbers, whatever came."""

import io
import pickle
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.physics import client
from engine.physics.messages import BadMessage, receive, send


def sent(data, arrays=None):
    stream = io.BytesIO()
    send(stream, data, arrays)
    return stream.getvalue()


def test_numbers_and_arrays_come_as_they_were_sent():
    tracks = np.array([[[0.1, np.nan, -0.0]]])
    data, arrays = receive(io.BytesIO(sent({"lost": 0.1}, {"gains": np.zeros((0, 2)), "tracks": tracks})))
    assert (data, arrays["gains"].shape) == ({"lost": 0.1}, (0, 2))
    assert arrays["tracks"].tobytes() == tracks.tobytes()


class Trap:
    """A pickle that would run something."""

    def __reduce__(self):
        return (pytest.fail, ("a pickle was read",))


def test_a_pickle_is_refused_unread():
    body = pickle.dumps(Trap())
    with pytest.raises(BadMessage):
        receive(io.BytesIO(len(body).to_bytes(8, "little") + body))


@given(st.binary(max_size=60))
def test_no_bytes_do_anything_but_read_or_be_refused(body):
    for data in (body, len(body).to_bytes(8, "little") + body):
        try:
            receive(io.BytesIO(data))
        except BadMessage:
            continue


def test_what_is_printed_before_the_physics_process_is_ready_is_passed_over(monkeypatch):
    noisy = "import sys; print('hello'); print(sys.argv[1]); sys.stdout.write('rest')"
    monkeypatch.setattr(client, "python_command", lambda *words: [sys.executable, "-c", noisy, words[-1]])
    process = client._started()
    with process:
        assert process.stdout.read() == b"rest"
