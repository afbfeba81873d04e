"""What goes between this program and its child processes is read without running anything, whatever came."""

import io
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_workbench.engine.children import BadMessage, Message
from spatial_workbench.engine.children.messages import receive, send


def sent(data, arrays=None, content=b""):
    stream = io.BytesIO()
    send(stream, Message(data, arrays or {}, content))
    return stream.getvalue()


def test_numbers_and_arrays_come_as_they_were_sent():
    tracks = np.array([[[0.1, np.nan, -0.0]]])
    message = receive(io.BytesIO(sent({"lost": 0.1}, {"gains": np.zeros((0, 2)), "tracks": tracks}, b"\n rest")))
    assert (message.data, message.arrays["gains"].shape) == ({"lost": 0.1}, (0, 2))
    assert message.arrays["tracks"].tobytes() == tracks.tobytes()
    assert message.content == b"\n rest"


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
