"""Sums that child processes round alike on different processors, so that simulations end alike there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType


@cache
def steady_arithmetic() -> Mapping[str, str]:
    """The environment in which a process computes as on any processor of the x86-64 family that has AVX2.

    NumPy and its linear algebra choose their loops by the processor. With AVX-512 they add in another order and have
    sines of their own, and a machine that nearly breaks may break there alone. Empty for other processors.
    """
    # NumPy takes a while to load, and whoever starts a child may not need it.
    import numpy as np

    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    if not {"AVX2", "X86_V3"} & set(found):
        return MappingProxyType({})
    newer = [name for name in found if name.startswith("AVX512") or name == "X86_V4"]
    return MappingProxyType({"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": " ".join(newer)})
