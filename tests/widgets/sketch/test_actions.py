"""The actions of the sketch pad."""


def test_every_tool_tells_its_key_and_its_name(open_pad):
    for action in open_pad().actions_by_name.values():
        assert action.text()
        assert all(key.toString() in action.toolTip() for key in action.shortcuts()[:1])
