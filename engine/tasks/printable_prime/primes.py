"""Primality: the Baillie-PSW test, and Miller-Rabin rounds with other bases to check it by."""

from math import isqrt

SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97)
OTHER_BASES = tuple(range(3, 83, 2))
"""Forty bases that Baillie-PSW does not use."""


def is_prime(n: int) -> bool:
    """Baillie-PSW: small factors, a strong test to base 2, a strong Lucas test. No composite is known to pass it."""
    for p in SMALL_PRIMES:
        if n % p == 0:
            return n == p
    return n > 1 and strong_probable_prime(n, 2) and _strong_lucas(n)


def is_prime_by_rounds(n: int) -> bool:
    """Trial division below a million, else forty strong tests to other bases."""
    if n < 1_000_000:
        return n > 1 and all(n % d for d in range(2, isqrt(n) + 1))
    return n % 2 == 1 and all(strong_probable_prime(n, base) for base in OTHER_BASES if n % base)


def smallest_factor(n: int) -> int | None:
    """The smallest prime factor below 100, which shows a person why a number is not prime."""
    return next((p for p in SMALL_PRIMES if n % p == 0 and n != p), None)


def strong_probable_prime(n: int, base: int) -> bool:
    """The strong Miller-Rabin test of an odd n > 2 to one base."""
    d = n - 1
    s = 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    x = pow(base, d, n)
    if x in (1, n - 1):
        return True
    for _ in range(s - 1):
        x = x * x % n
        if x == n - 1:
            return True
    return False


def _strong_lucas(n: int) -> bool:
    """The strong Lucas test with Selfridge's parameters."""
    if isqrt(n) ** 2 == n:
        return False
    d_parameter = _selfridge(n)
    if d_parameter is None:
        return False
    q = (1 - d_parameter) // 4
    d = n + 1
    s = 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    u, v, q_power = _lucas(n, d, d_parameter, q)
    if u == 0 or v == 0:
        return True
    for _ in range(s - 1):
        v = (v * v - 2 * q_power) % n
        q_power = q_power * q_power % n
        if v == 0:
            return True
    return False


def _selfridge(n: int) -> int | None:
    """The first of 5, -7, 9, -11, ... whose Jacobi symbol is -1; None if one of them shares a factor with n."""
    d = 5
    while True:
        symbol = _jacobi(d, n)
        if symbol == -1:
            return d
        if symbol == 0 and abs(d) % n:
            return None
        d = -(d + 2) if d > 0 else -(d - 2)


def _lucas(n: int, k: int, d: int, q: int) -> tuple[int, int, int]:
    """U_k, V_k and Q^k modulo n of the Lucas sequence with P = 1."""
    u = 1
    v = 1
    q_power = q % n
    for bit in bin(k)[3:]:
        u = u * v % n
        v = (v * v - 2 * q_power) % n
        q_power = q_power * q_power % n
        if bit == "1":
            u, v = _halved(u + v, n), _halved(v + d * u, n)
            q_power = q_power * q % n
    return u, v, q_power


def _halved(value: int, n: int) -> int:
    value %= n
    return (value if value % 2 == 0 else value + n) // 2


def _jacobi(a: int, n: int) -> int:
    a = a % n
    result = 1
    while a:
        while a % 2 == 0:
            a //= 2
            if n % 8 in (3, 5):
                result = -result
        a, n = n, a
        if a % 4 == n % 4 == 3:
            result = -result
        a %= n
    return result if n == 1 else 0
