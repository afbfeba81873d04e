"""Children add alike on all processors that have AVX2."""

import numpy as np
import pytest

from spatial_workbench.engine.children import steady_arithmetic


@pytest.fixture
def found(monkeypatch):
    """Has NumPy say what it finds on a processor."""

    def say(*names):
        steady_arithmetic.cache_clear()
        monkeypatch.setattr(np, "show_config", lambda mode: {"SIMD Extensions": {"found": list(names)}})

    yield say
    monkeypatch.undo()
    steady_arithmetic.cache_clear()


@pytest.mark.parametrize("newer", [["X86_V4", "AVX512_ICL"], ["AVX512F", "AVX512_SKX"]])
def test_what_newer_processors_can_do_besides_is_not_used(found, newer):
    found("X86_V3", "AVX2", *newer)
    assert steady_arithmetic() == {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": " ".join(newer)}


def test_processors_with_avx2_only_use_all_of_it(found):
    found("X86_V3")
    assert steady_arithmetic() == {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": ""}


def test_other_processors_stay_as_they_are(found):
    found("NEON", "ASIMD")
    assert steady_arithmetic() == {}
