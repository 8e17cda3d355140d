"""Studies from Python."""

import os
import tempfile
import unittest

import numpy as np
import verne

SOURCE = os.environ["VERNE_SOURCE"]
STUDY = f"""format: verne-study/1
eval: {{model: {SOURCE}/models/two_link.yaml, state: {{q: [0, bend], v: [1, 1]}}, want: [tau]}}
parameters: {{bend: {{between: [0, 1]}}}}
sample: {{sobol: 32}}
"""


@unittest.skipUnless(hasattr(verne._verne, "_study"), "this build has no studies")
class Study(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "s.yaml")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(STUDY)
        self.out = os.path.join(self.folder.name, "out")

    def test_its_table_is_that_of_the_dynamics(self):
        table = verne.study(self.path, self.out, threads=2)
        model = verne.load(os.path.join(SOURCE, "models/two_link.yaml"))
        bend = np.asarray(table["bend"])
        self.assertEqual(len(bend), 32)
        ones = np.ones((32, 2))
        tau = model.inverse_dynamics(np.column_stack([0 * bend, bend]), ones, 0 * ones)
        np.testing.assert_allclose(np.column_stack([table["tau.shoulder"], table["tau.elbow"]]), tau, atol=1e-12)
        self.assertEqual(list(table["status"]), ["computed"] * 32)

    def test_it_stops_and_continues(self):
        some = verne.study(self.path, self.out, threads=1, progress=lambda done, points: done < 5)
        self.assertTrue(5 <= len(some["bend"]))
        self.assertEqual(len(verne.study(self.path, self.out)["bend"]), 32)

    def test_what_is_wrong_is_raised(self):
        with self.assertRaises(verne.InputError):
            verne.study(self.path + ".none", self.out)

        def fail(done, points):
            raise KeyError(done)
        with self.assertRaises(KeyError):
            verne.study(self.path, self.out, progress=fail)


if __name__ == "__main__":
    unittest.main()
