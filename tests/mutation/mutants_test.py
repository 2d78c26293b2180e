#!/usr/bin/env python3
"""Tests which parts of a source mutants.py changes and which it leaves."""
import unittest

from mutants import mutants
from mutate import sample

SOURCE = '''#include <a+b>
// 1 + 2
std::vector<int*> f(const T& x, T&& y, bool z = true) {
  const auto text = "1 < 2" + R"(3)";
  for (int n = 0; n < 10; ++n) a->b += *y * -2.5e-3;
  return !z && x1 ? std::min(n, 1'000) : '7';
}
'''


class Mutants(unittest.TestCase):
    def test_operators_and_constants_are_changed_one_at_a_time(self):
        changed = [(mutant.before, mutant.after) for mutant in mutants(SOURCE)]
        self.assertEqual(changed, [
            ("true", "false"), ("+", "-"), ("0", "1"), ("<", "<="), ("10", "11"), ("++", "--"), ("+=", "-="), ("*", "/"),
            ("2.5e-3", "(2.5e-3 * 1.5)"), ("!", ""), ("&&", "||"), ("std::min", "std::max"), ("1'000", "1001")])

    def test_the_rest_of_the_text_is_unchanged(self):
        for mutant in mutants(SOURCE):
            text = mutant.applied(SOURCE)
            self.assertEqual(text[:mutant.start], SOURCE[:mutant.start])
            self.assertEqual(text[mutant.start + len(mutant.after):], SOURCE[mutant.start + len(mutant.before):])

    def test_a_position_is_line_and_column(self):
        self.assertEqual(mutants(SOURCE)[0].place(SOURCE), "3:49")

    def test_a_sample_keeps_its_mutants_when_a_source_changes(self):
        jobs = [("a.cpp", SOURCE, mutant) for mutant in mutants(SOURCE)]
        first, second, *others = sample(jobs, 16)
        changed = [job for job in jobs if job is not first]
        self.assertEqual(sample(changed, 16)[:2], [second, others[0]])
        self.assertNotEqual(sample(jobs, 17), [first, second, *others])


if __name__ == "__main__":
    unittest.main()
