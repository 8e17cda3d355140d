"""Inverse kinematics, judged by forward kinematics."""

import os
import unittest

import numpy as np
import verne

SOURCE = os.environ["VERNE_SOURCE"]


def model_of(name):
    return verne.load(os.path.join(SOURCE, "models", name + ".yaml"))


class Ik(unittest.TestCase):
    def test_one_and_many(self):
        model = model_of("arm7")
        q = np.array([model.random(seed=k) for k in range(50)])
        position, rotation = model.pose(q, "tool")
        found = model.ik("tool", position, rotation)
        self.assertTrue(found["reached"].all())
        self.assertEqual(found["q"].shape, (50, 7))
        there, axes = model.pose(found["q"], "tool")
        np.testing.assert_allclose(there, position, atol=1e-8)
        np.testing.assert_allclose(axes, rotation, atol=1e-8)
        one = model.ik("tool", position[7], rotation=rotation[7])
        np.testing.assert_array_equal(one["q"], found["q"][7])
        self.assertIs(one["reached"], True)
        self.assertEqual(one["position_error"], found["position_error"][7])
        near = model.ik("tool", position, rotation, near=q)
        np.testing.assert_allclose(near["q"], q, atol=1e-8)

    def test_several(self):
        model = model_of("puma560")
        all_of = model.ik("tool", [0.5, 0.1, 0.2], rpy=[0, 3.1, 0], count=100)
        self.assertGreater(len(all_of["q"]), 1)
        self.assertLess(all_of["position_error"].max(), 1e-9)
        for q in all_of["q"]:
            np.testing.assert_allclose(model.pose(q, "tool")[0], [0.5, 0.1, 0.2], atol=1e-8)
        two = model.ik("tool", [0.5, 0.1, 0.2], rpy=[0, 3.1, 0], count=2)
        np.testing.assert_array_equal(two["q"], all_of["q"][:2])

    def test_out_of_reach(self):
        model = model_of("two_link")
        found = model.ik("tool", [[2, 0, 0], [0.4, 0.4, 0]])
        np.testing.assert_array_equal(found["reached"], [False, True])
        self.assertAlmostEqual(found["position_error"][0], 1.2, places=4)
        none = model.ik("tool", [2, 0, 0], count=3)
        self.assertEqual(none["q"].shape, (0, 2))
        self.assertIs(none["reached"], False)

    def test_bad_input(self):
        model = model_of("arm7")
        for arguments, said in ((dict(frame="tol", position=[0, 0, 0]), "did you mean 'tool'"),
                                (dict(frame="tool", position=[0, 0]), r"position: expected shape \(3,\)"),
                                (dict(frame="tool", position=np.zeros((0, 3))), "there are no goals"),
                                (dict(frame="tool", position=[0, 0, 0], rotation=np.zeros((3, 3))), "no rotation"),
                                (dict(frame="tool", position=[0, 0, 0], rotation=np.eye(2)), "rotation: expected shape"),
                                (dict(frame="tool", position=[0, 0, 0], rpy=np.zeros((2, 3))), "rpy: there are 2"),
                                (dict(frame="tool", position=[0, 0, 0], rpy=[0, 0, 0], rotation=np.eye(3)), "not both"),
                                (dict(frame="tool", position=[0, 0, 0], near=np.zeros(6)), "near: expected shape"),
                                (dict(frame="tool", position=[0, 0, np.nan]), "not finite"),
                                (dict(frame="tool", position=np.zeros((2, 3)), count=2), "count: is for one"),
                                (dict(frame="tool", position=[0, 0, 0], count=0), "count: expected a positive")):
            with self.assertRaisesRegex(verne.InputError, said):
                model.ik(**arguments)


if __name__ == "__main__":
    unittest.main()
