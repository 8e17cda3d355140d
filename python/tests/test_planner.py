"""Motions in one cell, again and again."""

import os
import unittest

import numpy as np
import verne

SOURCE = os.environ["VERNE_SOURCE"]


def cell(height):
    return {
        "model": "models/two_link.yaml",
        "duration": "free",
        "minimize": [{"time": 1}],
        "subject_to": {"limits": {"acceleration": 60, "jerk": 4000}},
        "refine": {"knots": 0},
        "scene": {"objects": {"ball": {"sphere": {"radius": 0.06}, "pose": {"xyz": [0.2, height, 0]}}}},
    }


class Planning(unittest.TestCase):
    def test_again_and_again(self):
        planner = verne.Planner(cell(0.72), folder=SOURCE)
        self.assertEqual(repr(planner), "<verne.Planner of 'two_link'>")
        home, shelf, table = [0, 0.4], [2.2, 0.4], [2.4, 0.3]
        first = planner.plan(home, shelf)
        self.assertTrue(first.success, first.message)
        moved = planner.replan(home, table)
        np.testing.assert_allclose(moved.q[[0, -1]], [home, table], atol=1e-9)
        planner.change_scene(cell(0.7), folder=SOURCE)
        planner.move_object("ball", xyz=np.array([0, -0.02, 0]))
        quick = planner.replan(home, table, deadline=1e-9)
        self.assertIn("there was no time for a solve", quick.message)
        self.assertTrue(quick.success and quick.verification["clearance_certified"])
        around = planner.replan(home, table)
        self.assertTrue(around.success, around.message)
        self.assertTrue(around.verification["clearance_certified"])
        halt = planner.stop(around, around.duration / 2)
        middle = np.argmin(np.abs(around.time - around.duration / 2))
        np.testing.assert_allclose(halt.q[0], around.q[middle], atol=0.1)
        np.testing.assert_allclose(halt.v[-1], 0, atol=1e-9)
        self.assertTrue(halt.success)
        along = planner.stop(around, around.duration / 2, along=True)
        self.assertEqual(along.message, "stops along the way of the motion")
        self.assertLessEqual(halt.duration, along.duration + 1e-12)

    def test_bad_calls(self):
        planner = verne.Planner(cell(0.72), folder=SOURCE)
        for call, said in (
            (lambda: planner.plan([0, 0, 0], [0, 0]), "start: expected 2 numbers, one for each of dof_names"),
            (lambda: planner.plan([0, 0.4], [2.2, 0.4], deadline=0), "deadline: expected a positive number of seconds"),
            (lambda: planner.move_object("bell"), "task: error: move_object: there is no object 'bell'"),
            (lambda: planner.plan([0, 0], [1.3, 0]), "task: error: goal: 'ball' and 'link2' overlap by 0.0799 m"),
            (lambda: planner.change_scene({**cell(0.7), "model": "models/arm7.yaml"}, folder=SOURCE),
             "change_scene: the task is of another model"),
        ):
            with self.assertRaises(verne.InputError) as raised:
                call()
            self.assertIn(said, str(raised.exception))

    def test_who_watches_stops(self):
        seen = []
        planner = verne.Planner(cell(0.72), folder=SOURCE, progress=lambda iteration, cost: seen.append(iteration))
        self.assertTrue(planner.plan([0, 0.4], [2.2, 0.4]).success)  # the planner's way is verified, whatever stops
        self.assertEqual(len(seen), 1)

        def fail(iteration, cost):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            verne.Planner(cell(0.72), folder=SOURCE, progress=fail).plan([0, 0.4], [2.2, 0.4])


if __name__ == "__main__":
    unittest.main()
