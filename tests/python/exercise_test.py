"""Exercises: every solution passes, every initial code fails with its hint, and hints are questions about runs."""
import sys
import unittest

try:
    import numpy  # noqa: F401, checks use it
except ImportError:
    print("skipped: needs numpy: apt-get install python3-numpy")
    sys.exit(77)

import flashscope as fs
from flashscope.exercise import EXERCISES


def solution_of(exercise):
    return fs.program(f"solution-{exercise.number}", [exercise._reference], tiles=(128, 128))


class Exercises(unittest.TestCase):
    def test_every_solution_passes(self):
        for exercise in EXERCISES:
            with self.subTest(exercise.title):
                verdict = exercise.check(solution_of(exercise))
                self.assertTrue(verdict, verdict)
                self.assertEqual(verdict.bytes, verdict.needed_bytes)
                self.assertEqual(verdict.hint, "")
                self.assertLess(len(verdict._repr_html_()), 30_000)

    def test_every_start_fails_with_its_hint(self):
        for exercise in EXERCISES:
            with self.subTest(exercise.title):
                verdict = exercise.check(exercise.program())
                self.assertFalse(verdict)
                self.assertTrue(verdict.hint.endswith("?"), verdict)
                self.assertEqual(verdict.wrong.any(), exercise.number > 3)
                if exercise.number <= 3:
                    self.assertGreater(verdict.bytes, verdict.needed_bytes)
                    self.assertIn("needed", verdict.text)
                self.assertIn(f"Hint: {verdict.hint}", verdict.text)
                print(f"{exercise}\n{verdict}\n")

    def test_each_step_starts_from_the_previous_solution(self):
        for one, two in zip(EXERCISES[:2], EXERCISES[1:3]):
            self.assertIs(one._reference, two._begins)

    def test_a_rescale_that_is_forgotten_leaves_rows_right_that_met_their_maximum_early(self):
        verdict = fs.exercise(4).check(fs.exercise(4).program())
        self.assertIn("met their maximum in the first block of keys", verdict.text)

    def test_other_tiles_than_the_reference_are_compared_with_their_own(self):
        program = fs.program("small", [EXERCISES[1]._reference], tiles=(64, 32))
        self.assertTrue(fs.exercise(2).check(program))

    def test_wrong_numbers_and_types_are_refused(self):
        for number in (0, 7, "1", None):
            with self.assertRaisesRegex(fs.Error, "not a number from 1 to 6"):
                fs.exercise(number)
        with self.assertRaisesRegex(fs.Error, "check takes a program"):
            fs.exercise(1).check("flash2")


if __name__ == "__main__":
    unittest.main()
