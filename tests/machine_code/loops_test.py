#!/usr/bin/env python3
"""Tests the counts of loops.py and the checks of bounds.py without nvcc: on two stored listings of real kernels, shortened
to a few instructions of each block, and with stand-ins for cuobjdump and nvdisasm that print them.
"""
import contextlib
import io
import os
import pathlib
import shutil
import tempfile
import unittest
import unittest.mock

import bounds
import compiled
import loops

HERE = pathlib.Path(__file__).resolve().parent
FORWARD = (HERE / "forward_sm_90.sass").read_text(encoding="utf-8")
BACKWARD = (HERE / "backward_sm_80.sass").read_text(encoding="utf-8")
PRODUCT = "HMMA.16816.F32 R96, R80, R56.reuse, R96 ;\n"
KERNEL = "flash2_mma_kernel<Flash2Mma<half, 128, 128, 64, 0>, false, false>"
MANGLED = loops.SECTION.split(FORWARD)[1]
TABLE = f'# said of the table\nobject,kernel,sm_90\nflash2_mma_d128,"{KERNEL}",%s\n'


def code_of(listing: str) -> str:
    return loops.SECTION.split(listing)[2]


RESOURCES = f"printf ' Function {MANGLED}:\\n  REG:178 STACK:0\\n'"  # as cuobjdump -res-usage prints them


class Loops(unittest.TestCase):
    def test_the_path_of_an_ordinary_iteration_is_counted(self) -> None:
        # a forward kernel: with both prefetches, by the shorter path to each, without masks and short blocks
        self.assertEqual(loops.main_loop(code_of(FORWARD)), {
            "HMMA": 2, "all": 30, "MOV": 4, "LDSM": 2, "LDS": 2, "STS": 0, "MUFU": 1, "LDGSTS": 2, "RED": 0, "BAR": 2,
            "spills": 0})

    def test_a_nested_loop_counts_times_its_trip_count(self) -> None:
        # a backward kernel: five loops of 8, 8, 2, 2 and 2 iterations with a product each, and all atomics
        self.assertEqual(loops.main_loop(code_of(BACKWARD)), {
            "HMMA": 22, "all": 213, "MOV": 26, "LDSM": 22, "LDS": 3, "STS": 3, "MUFU": 1, "LDGSTS": 1, "RED": 4,
            "BAR": 5, "spills": 0})

    def test_the_path_with_all_atomics_is_counted(self) -> None:
        fewer = "".join(line for line in code_of(BACKWARD).splitlines(keepends=True) if "[R2.64+0x1" not in line)
        way = loops.main_loop(fewer) or {}
        self.assertEqual((way["RED"], way["all"]), (4, 225))

    def test_an_added_instruction_raises_the_count_by_one(self) -> None:
        before = loops.main_loop(code_of(FORWARD)) or {}
        for kind, text in (("MOV", "IMAD.MOV.U32 R1, RZ, RZ, R2 ;"), ("MOV", "IADD3 R1, R2, RZ, RZ ;"),
                           ("HMMA", PRODUCT), ("LDSM", "LDSM.16.M88.4 R156, [R230] ;"),
                           ("MUFU", "@P3 MUFU.EX2 R217, R217 ;"),
                           ("BAR", "BAR.SYNC.DEFER_BLOCKING 0x0 ;"), ("spills", "STL.64 [R1+0x8], R2 ;"),
                           ("spills", "LDL R2, [R1] ;"), ("all", "FADD R1, R2, R3 ;")):
            guard, text = text.split(" ", 1) if text.startswith("@") else ("", text)
            added = f"        /*67ff*/ {guard:>17} {text.strip()}\n"
            place = code_of(FORWARD).index("        /*6800*/")
            after = loops.main_loop(code_of(FORWARD)[:place] + added + code_of(FORWARD)[place:]) or {}
            changed = {key: after[key] - before[key] for key in after if after[key] != before[key]}
            self.assertEqual(changed, {"all": 1, kind: 1}, text)

    def test_a_long_branch_leaves_a_loop(self) -> None:
        within = [".L_x_900:", "FADD R1, R2, R3 ;", "@P0 CALL.REL.NOINC `(.L_x_901) ;", "BRA `(.L_x_900) ;", ".L_x_901:"]
        lines = [f"        /*67ff*/ {line}\n" if line[0] != "." else f"{line}\n" for line in within]
        place = code_of(FORWARD).index("        /*6800*/")
        way = loops.main_loop(code_of(FORWARD)[:place] + "".join(lines) + code_of(FORWARD)[place:]) or {}
        self.assertEqual((way.get("HMMA"), way.get("all")), (2, 32))  # two more: once through the loop

    def test_register_copies_are_distinguished_from_arithmetic(self) -> None:
        for text, copies in (("UMOV UR4, 0x400", True), ("IMAD.U32 R6, RZ, RZ, UR4", True), ("MOV R1, R2", True),
                             ("IMAD.SHL.U32 R8, R3, 0x8, RZ", False), ("IADD3 R7, R7, 0x1, RZ", False),
                             ("VIADD R3, R3, 0x3f", False), ("IMAD.IADD R2, R3, 0x1, R4", False)):
            self.assertEqual(loops.Instruction("", *text.split(" ", 1)).counts_as("MOV"), copies, text)

    def test_a_kernel_without_a_loop_of_products_has_no_counts(self) -> None:
        self.assertIsNone(loops.main_loop(""))
        self.assertIsNone(loops.main_loop("a listing in an unknown form\n"))
        self.assertIsNone(loops.main_loop(code_of(FORWARD).replace("HMMA", "HFMA")))
        self.assertIsNone(loops.main_loop(code_of(FORWARD).replace(".L_x_", ".loop_")))


COMPILED = ("# nvcc 13.0\n" + ",".join(compiled.COLUMNS) +
            "\nflash2_mma,forward,128,128,64,0,sm_90,128,178,65536,2,30,4,2,2,0,1,2,0,2\n")


class Bounds(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "flash2_mma_d128.cu.o").touch()
        self.stand_in("cuobjdump", "touch flash2_mma_d128.cu.1.sm_90.cubin; " + RESOURCES)
        self.stand_in("nvdisasm", f"cat '{HERE / 'forward_sm_90.sass'}'")

    def stand_in(self, name: str, command: str, version: str = "12.4") -> None:
        path = self.folder / name
        answer = f'[ "$1" != --version ] || {{ echo "release {version}, V{version}"; exit; }}'
        path.write_text(f"#!/bin/sh\n{answer}\n{command}\n", encoding="utf-8")
        path.chmod(0o755)

    def run_with(self, bound: str, nvcc: str = "13.0.88", table: str = TABLE, compiled_text: str = COMPILED,
                 more: tuple[str, ...] = ()) -> tuple[int, str]:
        (self.folder / "bounds.csv").write_text(table % bound, encoding="utf-8")
        if not more:
            (self.folder / "compiled.csv").write_text(compiled_text, encoding="utf-8")
        printed = io.StringIO()
        path = {"PATH": os.pathsep.join([str(self.folder), "/usr/bin", "/bin"])}
        with unittest.mock.patch.dict(os.environ, path), unittest.mock.patch.object(loops, "FOLDERS", []), \
                contextlib.redirect_stdout(printed):
            try:
                code = bounds.main([str(self.folder), nvcc, "--bounds", str(self.folder / "bounds.csv"), "--table",
                                    str(self.folder / "compiled.csv"), *more])
            except SystemExit as left:
                code = int(left.code or 0)
        return code, printed.getvalue()

    def test_a_kernel_within_its_bound_is_printed(self) -> None:
        code, printed = self.run_with("15.00")
        self.assertEqual(code, 0, printed)
        self.assertRegex(printed, r" 15\.00  15\.00   2\.000   1\.000   0\.500   1\.000   1\.000 +0  sm_90 ")
        self.assertIn(f"flash2_mma_d128: {KERNEL}", printed)

    def test_cubins_are_found_under_any_name(self) -> None:
        self.stand_in("cuobjdump", "touch flash2_mma_d128.sm_90.cubin; " + RESOURCES)  # so where the code has lines of the source
        self.assertEqual(self.run_with("15.00")[0], 0)

    def test_a_kernel_above_its_bound_fails_only_with_nvcc_13_0(self) -> None:
        self.assertEqual(self.run_with("14.996")[0], 0)
        code, printed = self.run_with("14.99")
        self.assertEqual(code, 1)
        self.assertIn("FAILED: 15.000 instructions for each HMMA, at most 14.99: sm_90  flash2_mma_d128: ", printed)
        self.assertEqual(self.run_with("14.99", "13.1.80")[0], 0)
        self.assertEqual(self.run_with("14.99", "12.4.127")[0], 0)

    def test_a_kernel_that_spills_fails(self) -> None:
        self.stand_in("nvdisasm", f"sed 's/FMNMX R43, R81/STL [R1], R81/' '{HERE / 'forward_sm_90.sass'}'")
        code, printed = self.run_with("15.00")
        self.assertEqual(code, 1)
        self.assertIn("FAILED: spills: sm_90", printed)

    def test_the_table_of_compiled_kernels_is_written_and_checked_against_the_build(self) -> None:
        self.assertEqual(self.run_with("15.00", more=("--write-table",))[0], 0)
        self.assertEqual((self.folder / "compiled.csv").read_text(encoding="utf-8"), COMPILED)
        for change, error_message in ((COMPILED.replace(",178,", ",180,"), "registers is 180, compiled 178: flash2_mma forward"),
                                  (COMPILED.replace(",128,64,", ",128,32,"), "a row without a kernel: flash2_mma forward 128"),
                                  (COMPILED.splitlines()[0] + "\n" + ",".join(compiled.COLUMNS) + "\n", "lacks a row: flash2_mma"),
                                  (COMPILED.replace(",LDSM", ",LDXM"), "has no column LDSM"),
                                  (COMPILED.replace("# nvcc", "# gcc"), 'its first line is not "# nvcc VERSION"')):
            code, printed = self.run_with("15.00", compiled_text=change)
            self.assertEqual(code, 1, printed)
            self.assertIn(error_message, printed)

    def test_a_table_of_another_nvcc_is_not_compared_but_noted(self) -> None:
        code, printed = self.run_with("15.00", compiled_text=COMPILED.replace("13.0", "12.9").replace(",178,", ",180,"))
        self.assertEqual(code, 0, printed)
        self.assertIn("compiled.csv is of nvcc 12.9, the kernels of 13.0.88: not compared", printed)

    def test_a_missing_kernel_of_the_bounds_fails_with_any_nvcc(self) -> None:
        for nvcc in ("13.0.88", "12.4.127"):
            code, printed = self.run_with("15.00", nvcc, TABLE.replace("128, 64, 0", "128, 96, 0"))
            self.assertEqual(code, 1)
            self.assertIn("FAILED: bounds.csv names a kernel without a main loop", printed)

    def test_it_is_skipped_without_a_disassembler(self) -> None:
        for name in ("nvdisasm", "cuobjdump"):
            (self.folder / name).rename(self.folder / "away")
            code, printed = self.run_with("15.00")
            self.assertEqual(code, 77)
            self.assertIn(f"skipped: there is no {name}", printed)
            (self.folder / "away").rename(self.folder / name)

    def test_an_unreadable_file_is_skipped_only_if_the_disassembler_is_too_old(self) -> None:
        self.stand_in("nvdisasm", "echo 'nvdisasm fatal: no architecture' >&2; exit 255", "11.8")
        code, printed = self.run_with("15.00")
        self.assertEqual(code, 77)
        self.assertRegex(printed, "skipped: nvdisasm 11.8 does not read .*no architecture.*12.4 reads")
        self.stand_in("nvdisasm", "exit 255", "13.0")
        self.assertEqual(self.run_with("15.00")[0], 1)

    def test_the_stored_table_has_a_bound_for_each_architecture(self) -> None:
        rows = bounds.read_bounds((HERE / "bounds.csv").read_text(encoding="utf-8"))
        self.assertEqual({kernel.architecture for kernel in rows}, {"sm_80", "sm_90"})
        self.assertGreaterEqual(len(rows), 8)


if __name__ == "__main__":
    unittest.main()
