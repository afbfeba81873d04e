"""What can be chosen for a video, and what cannot."""

from pathlib import Path

import pytest

from spatial_workbench.app.video.choices import FORMATS, VideoChoices, VideoError, VideoFormat, format_of


def test_every_format_has_sizes_and_rates_that_can_be_chosen():
    for kind in FORMATS:
        for size in kind.sizes:
            for rate in kind.rates:
                assert VideoChoices(size, rate)


def test_mp4_has_sixty_pictures_a_second_unless_somebody_says_otherwise():
    assert format_of(Path("a.mp4")).rates[0] == 60


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"size": (641, 360)}, "641 × 360"),
        ({"size": (8, 8)}, "8 × 8"),
        ({"rate": 0}, "0 pictures a second"),
        ({"speed": 0.0}, "0 times as fast"),
    ],
)
def test_what_no_video_can_have_is_refused_in_a_sentence(choices, words):
    with pytest.raises(VideoError, match=words):
        VideoChoices(**choices)


def test_a_name_that_says_no_format_is_refused_with_those_that_do():
    with pytest.raises(VideoError, match=r"“a\.avi” .*\.mp4, \.webm, \.gif"):
        format_of(Path("a.avi"))


def test_without_the_library_mp4_is_refused_with_the_extra_that_installs_it(monkeypatch):
    monkeypatch.setattr("spatial_workbench.app.video.choices.find_spec", lambda name: None)
    with pytest.raises(VideoError, match=r"spatial-workbench\[video\]"):
        format_of(Path("a.mp4"))
    assert format_of(Path("a.gif")) == VideoFormat("GIF", ".gif", FORMATS[2].rates, FORMATS[2].sizes, needs_av=False)
