#!/usr/bin/env python3
"""Writes toolchain/include/warpfork/random/xorwow_jumps.def: what 2^i and 3 * 2^i steps of XORWOW are.

A step is linear over GF(2). n steps are the polynomial x^n, modulo the step's characteristic polynomial, of the step
(Haramoto and others, "Efficient Jump Ahead for F2-Linear Random Number Generators", 2008).

    scripts/xorwow_jumps.py >toolchain/include/warpfork/random/xorwow_jumps.def
"""

WORDS, BITS = 5, 160
ROWS = 67 + 64  # a sequence has 2^67 steps, and its number 64 bits


def step(state):
    """Marsaglia, "Xorshift RNGs", 2003: xorwow without its counter."""
    t = state[0] ^ state[0] >> 2
    new = state[4] ^ state[4] << 4 ^ t ^ t << 1
    return state[1:] + [new & 0xFFFFFFFF]


def characteristic_polynomial():
    """By the algorithm of Berlekamp and Massey, from one bit of twice as many states; bit i is the coefficient of x^i."""
    state, bits = [123456789, 362436069, 521288629, 88675123, 5783321], []
    for _ in range(2 * BITS):
        bits.append(state[0] & 1)
        state = step(state)
    connection, before, length, distance = 1, 1, 0, 1
    for n in range(len(bits)):
        if sum((connection >> i & 1) & bits[n - i] for i in range(length + 1)) % 2 == 0:
            distance += 1
        elif 2 * length <= n:
            connection, before, length, distance = connection ^ before << distance, connection, n + 1 - length, 1
        else:
            connection, distance = connection ^ before << distance, distance + 1
    assert length == BITS
    return sum((connection >> i & 1) << (BITS - i) for i in range(BITS + 1))


def product(a, b, modulus):
    result = 0
    for i in reversed(range(BITS)):
        result <<= 1
        if result >> BITS:
            result ^= modulus
        if b >> i & 1:
            result ^= a
    return result


def text(polynomial):
    return "{%s}" % ", ".join("0x%08x" % (polynomial >> 32 * word & 0xFFFFFFFF) for word in range(WORDS))


def main():
    modulus, power = characteristic_polynomial(), 2
    print("/* Written by scripts/xorwow_jumps.py. Row i: x^(2^i) and x^(3 * 2^i), modulo the characteristic polynomial of a")
    print("   step; bit b of word w is the coefficient of x^(32 w + b). */")
    for _ in range(ROWS):
        square = product(power, power, modulus)
        print("{%s, %s}," % (text(power), text(product(square, power, modulus))))
        power = square


if __name__ == "__main__":
    main()
