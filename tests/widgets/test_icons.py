"""The application's own icon."""

from spatial_workbench.widgets.icons import APPLICATION_ICON_PX, application_icon


def test_the_icon_is_drawn_at_every_size(qapp):
    sizes = {size.width() for size in application_icon().availableSizes()}
    assert sizes == set(APPLICATION_ICON_PX)


def test_the_icon_fills_its_middle_and_leaves_its_corners_free(qapp):
    image = application_icon().pixmap(64, 64).toImage()
    assert (image.pixelColor(32, 32).alpha(), image.pixelColor(1, 1).alpha()) == (255, 0)
