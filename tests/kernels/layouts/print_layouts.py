#!/usr/bin/env python3
"""Prints the layouts of Hopper's matrix instructions from the notation of CuTe, apart from kernels/dev/descriptor.h.

A CuTe layout (shape):(stride) maps a coordinate to the sum of coordinate times stride. Swizzle<3,4,3> then exclusive-ors
bits 4 to 6 of a byte address with bits 7 to 9. The layouts below are facts of include/cute/atom/mma_traits_sm90_gmma.hpp
(CUTLASS 3.5) and of the figures "register fragment layout" of the PTX manual, chapter wgmma.

print_layouts.py [--check]: writes the tables beside it, or fails if one of them differs.
"""
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).parent


def split(number, shape):
    """Returns the digits of a number, the first dimension first, as CuTe orders a nested mode."""
    digits = []
    for size in shape:
        digits.append(number % size)
        number //= size
    return digits


def at(number, shape, stride):
    return sum(digit * step for digit, step in zip(split(number, shape), stride))


def fragment(columns):
    """Thread and value of each element of 64 x columns: ((4,8,4),(2,2,columns/8)):((128,1,16),(64,8,512)).

    The layout maps (thread, value) to row + 64 column. A of registers has columns = 16, an accumulator 8 to 256."""
    table = [[""] * columns for _ in range(64)]
    for thread, value in itertools.product(range(128), range(columns // 2)):
        place = at(thread, (4, 8, 4), (128, 1, 16)) + at(value, (2, 2, columns // 8), (64, 8, 512))
        assert table[place % 64][place // 64] == ""
        table[place % 64][place // 64] = f"{thread}.{value}"
    return table


def swizzle_128(byte):
    return byte ^ ((byte >> 3) & 0x70)


def k_major(rows, columns, stride_offset):
    """Byte of each 2-byte element: ((8,m),(T,2)):((8T,SBO),(1,T)) in elements, T = 8, over a whole row of 128 bytes."""
    return [[swizzle_128(at(row, (8, rows // 8), (128, stride_offset)) + 2 * column) for column in range(columns)]
            for row in range(rows)]


def mn_major(rows, columns, leading_offset, stride_offset):
    """Byte of each 2-byte element, a line for each k: ((T,8,m),(8,k)):((1,T,LBO),(8T,SBO)) in elements, T = 8."""
    return [[swizzle_128(at(k, (8, rows // 8), (128, stride_offset)) +
                         at(mn, (64, columns // 64), (2, leading_offset))) for mn in range(columns)]
            for k in range(rows)]


def matrix_of_warp(transposed):
    """Lane and half of each element of an 8 x 8 matrix of 2 bytes, as ldmatrix and stmatrix hold it in a register."""
    table = [["" for _ in range(8)] for _ in range(8)]
    for lane, half in itertools.product(range(32), range(2)):
        row, column = lane // 4, 2 * (lane % 4) + half
        if transposed:
            row, column = column, row
        table[row][column] = f"{lane}.{half}"
    return table


TABLES = {
    "accumulator_m64n16": fragment(16),
    "accumulator_m64n80": fragment(80),
    "a_registers_m64k16": fragment(16),
    "k_major_16x64_sbo1024": k_major(16, 64, 1024),
    "mn_major_16x128_lbo8192_sbo1024": mn_major(16, 128, 8192, 1024),
    "matrix_8x8": matrix_of_warp(False),
    "matrix_8x8_transposed": matrix_of_warp(True),
}


def main():
    differ = []
    for name, table in TABLES.items():
        text = "".join(",".join(str(cell) for cell in line) + "\n" for line in table)
        path = HERE / f"{name}.csv"
        if "--check" not in sys.argv:
            path.write_text(text)
        elif path.read_text() != text:
            differ.append(path.name)
    if differ:
        sys.exit("these tables are not what their layouts print: " + ", ".join(differ))


if __name__ == "__main__":
    main()
