"""Programs written in Python are forward only: a backward pass or kernel is rejected with that reason."""
import unittest
import warnings

import flashscope as fs


@fs.kernel(inputs=["Q", "K", "V"], outputs=["O"])
def forward(cta, p):
    i = cta.row()
    O = cta.zeros("O", i)
    cta.store(O, p.O[i])


class ForwardOnly(unittest.TestCase):
    def test_a_backward_pass_of_a_program_is_rejected(self):
        mine = fs.program("mine", [forward], tiles=(64, 64))
        for pass_ in ("backward", "forward+backward"):
            for run in (lambda: mine.simulate(pass_=pass_), lambda: fs.simulate(algorithm=mine, pass_=pass_),
                        lambda: mine.why("time.microseconds", pass_=pass_), lambda: fs.compare([mine], pass_=pass_)):
                with self.assertRaisesRegex(fs.Error, "mine is a recorded program, which is forward only"):
                    run()
        self.assertIn("forward only", fs.Program.__doc__)
        self.assertIn("forward only", fs.program.__doc__)

    def refused(self, words, inputs, outputs, before=()):
        @fs.kernel(inputs=inputs, outputs=outputs)
        def backward(cta, p):
            cta.row()

        with warnings.catch_warnings(), self.assertRaisesRegex(fs.Error, words):
            warnings.simplefilter("ignore")
            fs.program("both", [*before, backward], tiles=(64, 64))

    def test_a_kernel_of_a_backward_pass_is_rejected_with_the_cause(self):
        why, inputs = r"\. A recorded program is forward only: ", ["Q", "K", "V", "O", "L", "dO"]
        self.refused(f"backward: inputs: O is written by no kernel before{why}", inputs, ["dQ"])
        self.refused(f"backward: inputs: dO is written by no kernel before{why}", ["Q", "O", "dO"], ["dQ"], [forward])
        self.refused(f"backward: dQ cannot be written by a forward pass{why}", ["Q"], ["dQ"], [forward])
        self.refused("backward: inputs: S is written by no kernel before$", ["Q", "S"], ["O"])


if __name__ == "__main__":
    unittest.main()
