"""Pictures in other formats than PNG: their pages, upright and in colour."""

from io import BytesIO

import pytest
from PIL import Image

from spatial_workbench.engine.puzzles.sets.other_pictures import count_picture_pages, png_pages
from spatial_workbench.engine.puzzles.sets.pages import PictureError

ORIENTATION = 0x0112
SUBFILE_TYPE = 254


def tiff(path, pages=1, size=(300, 200)):
    """A TIFF file whose n-th page has the grey n."""
    first, *others = (Image.new("L", size, n) for n in range(1, pages + 1))
    first.save(path, save_all=True, append_images=others)
    return path


def greys(pages):
    return [Image.open(BytesIO(page)).convert("L").getpixel((0, 0)) for page in pages]


def test_each_page_of_a_tiff_file_becomes_a_picture(tmp_path):
    path = tiff(tmp_path / "tide.tiff", 3)
    assert count_picture_pages(path, "tide.tiff") == 3
    assert greys(png_pages(path, "tide.tiff")) == [1, 2, 3]
    assert greys(png_pages(path.read_bytes(), "tide.tiff", (3, 1))) == [3, 1]


def test_a_page_that_a_tiff_file_does_not_have_is_refused(tmp_path):
    with pytest.raises(PictureError, match=r"tide\.tiff has no page 4"):
        list(png_pages(tiff(tmp_path / "tide.tiff", 3), "tide.tiff", (4,)))


def test_reduced_copies_and_masks_beside_a_page_are_no_pages(tmp_path):
    path = tmp_path / "pyramid.tiff"
    frames = [Image.new("L", (300 // n, 200 // n), n) for n in (1, 2, 3)]
    for frame, kind in zip(frames, (0, 1, 4), strict=True):
        frame.encoderinfo = {"tiffinfo": {SUBFILE_TYPE: kind}}
    frames[0].save(path, save_all=True, append_images=frames[1:], tiffinfo={SUBFILE_TYPE: 0})
    assert count_picture_pages(path, "pyramid.tiff") == 1
    assert greys(png_pages(path, "pyramid.tiff")) == [1]


def test_an_animation_has_one_page(tmp_path):
    path = tmp_path / "waves.gif"
    Image.new("RGB", (300, 200)).save(path, save_all=True, append_images=[Image.new("RGB", (300, 200), "white")])
    assert count_picture_pages(path, "waves.gif") == 1
    assert greys(png_pages(path, "waves.gif")) == [0]


def test_a_scan_in_greys_stays_grey_and_one_in_colours_coloured(tmp_path):
    for mode, colour, kept in (("1", 1, "L"), ("L", 7, "L"), ("RGB", (1, 2, 3), "RGB"), ("CMYK", 0, "RGB")):
        path = tmp_path / f"{mode}.tiff"
        Image.new(mode, (300, 200), colour).save(path)
        (page,) = png_pages(path, path.name)
        assert Image.open(BytesIO(page)).mode == kept


def test_greys_of_16_bits_stay_greys(tmp_path):
    path = tmp_path / "scan.tiff"
    Image.new("I;16", (300, 200), 128 * 256).save(path)
    assert greys(png_pages(path, "scan.tiff")) == [128]


@pytest.mark.parametrize("compression", [None, "tiff_lzw"])
def test_each_page_is_turned_upright(tmp_path, compression):
    path = tmp_path / "turned.tiff"
    page = Image.new("L", (300, 200))
    page.paste(255, (0, 0, 300, 10))
    others = [Image.new("L", (400, 200))]
    page.save(path, save_all=True, append_images=others, tiffinfo={ORIENTATION: 6}, compression=compression)
    first, second = (Image.open(BytesIO(content)) for content in png_pages(path, "turned.tiff"))
    assert (first.size, second.size) == ((200, 300), (200, 400))
    assert first.convert("L").getbbox() == (190, 0, 200, 300)


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_a_damaged_page_is_named(tmp_path):
    path = tiff(tmp_path / "tide.tiff", 3)
    path.write_bytes(path.read_bytes()[:-70_000])
    with pytest.raises(PictureError, match="tide"):
        list(png_pages(path, "tide.tiff"))


def test_what_is_no_picture_is_refused(tmp_path):
    path = tmp_path / "a.jpg"
    path.write_bytes(b"nothing")
    with pytest.raises(PictureError, match="is not a picture that can be opened"):
        count_picture_pages(path, "a.jpg")
