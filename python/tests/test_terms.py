"""Costs and limits by functions of Python; those that the task format has, too, are their oracles."""

import json
import os
import tempfile
import unittest

import numpy as np
import verne

SOURCE = os.environ["VERNE_SOURCE"]


def reach(**more):
    return {
        "model": "models/two_link.yaml",
        "duration": 1,
        "minimize": [{"effort": 1}],
        "subject_to": {"start": {"position": 0}, "end": {"position": [0.8, -0.6]}},
        "refine": "off",
        **more,
    }


def load(**more):
    return verne.load_task(reach(**more), folder=SOURCE)


def write_task(test, text):
    """A file for as long as the test runs."""
    file = tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8")
    test.addCleanup(file.close)
    file.write(text)
    file.flush()
    return file.name


class Terms(unittest.TestCase):
    def test_an_effort_by_a_function_is_that_of_the_format(self):
        theirs = verne.predict(reach(), folder=SOURCE)
        gradient = lambda a, b: (2 * a, 2 * b)
        for given in (None, gradient):
            task = load(minimize=[{"effort": {"weight": 0}}])
            task.add_cost("squares", 1, ["tau:shoulder", "tau:elbow"], lambda a, b: a * a + b ** 2, gradient=given)
            mine = verne.predict(task)
            self.assertTrue(mine.success, mine.message)
            self.assertAlmostEqual(mine.cost, theirs.cost, delta=1e-7 * theirs.cost)
            self.assertIn("squares", mine.summary())

    def test_a_limit_by_a_function_holds_where_it_is_to_hold(self):
        task = verne.load_task(reach(subject_to={"start": {"position": 0}}), folder=SOURCE)
        free = verne.predict(task)
        task.add_limit("slow", (None, 0.5), ["v:elbow"], lambda v: v * v, scale=0.5)
        task.add_limit("far", (0.7, 0.7), ["q:shoulder"], np.sin, when="end")
        slow = verne.predict(task)
        self.assertTrue(slow.success, slow.message)
        self.assertLess(np.abs(free.q["shoulder"][-1]), 0.1)
        self.assertAlmostEqual(np.sin(slow.q["shoulder"][-1]), 0.7, delta=1e-6)
        self.assertIn("slow", slow.summary())

    def test_functions_get_all_places_at_once(self):
        calls = []

        def of_everything(q, w, p, length):
            calls.append((q.shape, w.shape, p.shape, length.shape))
            return 1e-3 * (q ** 2 + (w ** 2).sum(axis=1) * length + p[:, 0])

        task = load()
        task.add_cost("all", 1, ["q:elbow", "wrench:elbow", ("point:link2", (0.1, 0, 0)), "duration"], of_everything)
        solution = verne.predict(task)
        self.assertTrue(solution.success, solution.message)
        many = [shapes for shapes in calls if shapes[0][0] > 50]
        self.assertGreater(len(many), solution.iterations)  # values, slopes and curvatures of each iteration
        self.assertLess(len(many), 30 * (solution.iterations + 1))
        for q, w, p, length in many:
            self.assertEqual((w, p, length), ((q[0], 6), (q[0], 3), q))

    def test_several_threads_call_one_function(self):
        task = load(starts={"count": 3, "threads": 2})
        task.add_cost("comfort", 0.3, ["q:elbow"], lambda q: (q - 0.5) ** 2)
        self.assertTrue(verne.predict(task).success)

    def complaint(self, function, channels=("q:elbow",), **more):
        task = load()
        with self.assertRaises(verne.InputError) as caught:
            task.add_cost("mine", 1, channels, function, **more)
            verne.predict(task)
        self.assertIn("term 'mine': ", str(caught.exception))
        return caught.exception

    def test_what_functions_do_wrong_names_them(self):
        def fails(q):
            raise KeyError("no table")

        error = self.complaint(fails)
        self.assertRegex(str(error), r"KeyError: 'no table' \(line \d+ of test_terms.py\)")
        self.assertIsInstance(error.__cause__, KeyError)
        self.assertIn("not a number", str(self.complaint(lambda q: q * np.nan)))
        self.assertRegex(str(self.complaint(lambda q: q.sum())), r"an array of shape \(\), expected \(\d+,\)")
        self.assertIn("expected one for each of 2", str(self.complaint(
            lambda q, v: q * v, ["q:elbow", "v:elbow"], gradient=lambda q, v: (v,))))
        self.assertIn("derivative by position of elbow", str(self.complaint(lambda q: np.abs(q))))
        self.assertIn("derivative by position of elbow", str(self.complaint(
            lambda q: q * q, gradient=lambda q: 3 * q)))
        sizes = iter((1, 1, 1, 1, 1))
        self.assertIn("an array of shape (3,)", str(self.complaint(
            lambda q: q if next(sizes, None) else np.zeros(3))))

    def test_a_file_is_not_solved_again_without_the_code(self):
        task = load()
        task.add_cost("comfort: of elbow", 0.3, ["q:elbow"], lambda q: (q - 0.5) ** 2)
        with tempfile.TemporaryDirectory() as folder:
            verne.predict(task).write(folder, report=False)
            with open(os.path.join(folder, "solution.json"), encoding="utf-8") as file:
                kept = json.load(file)
        self.assertIn("comfort: of elbow", [cost["term"] for cost in kept["costs"]])
        again = os.path.join(SOURCE, "models", "two_link.yaml").join(
            kept["task"]["text"].split("models/two_link.yaml"))
        with self.assertRaises(verne.InputError) as caught:
            verne.predict(write_task(self, again))
        self.assertIn("'comfort: of elbow' is code", str(caught.exception))

    def test_what_is_wrong_is_told_when_it_is_added(self):
        task = load()
        square = lambda q: q * q
        task.add_cost("one", 1, ["q:elbow"], square)
        for wrong, said in (
                (lambda: task.add_cost("one", 1, ["q:elbow"], square), "there is one of this name"),
                (lambda: task.add_cost("two", 1, ["q:ellbow"], square), "did you mean 'elbow'"),
                (lambda: task.add_cost("two", 1, ["position:elbow"], square), "no channel 'position:elbow'"),
                (lambda: task.add_cost("two", 1, [], square), "reads no channel"),
                (lambda: task.add_cost("two", 1, ["q:elbow"], square, over="path"), "expected time, start or end"),
                (lambda: task.add_limit("two", (None, None), ["q:elbow"], square), "expected bounds"),
                (lambda: task.add_limit("two", (0, 1), ["q:elbow"], square, phase="swing"), "no phase 'swing'")):
            with self.assertRaises(verne.InputError) as caught:
                wrong()
            self.assertIn(said, str(caught.exception))
        for wrong in (lambda: task.add_cost("two", 1, "q:elbow", square), lambda: task.add_cost("two", 1, [3], square),
                      lambda: task.add_cost("two", 1, ["q:elbow"], 3), lambda: verne.predict(task, parameters={"u": 1}),
                      lambda: verne.Task()):
            with self.assertRaises(TypeError):
                wrong()
        self.assertEqual(repr(task), "<verne.Task 'task'>")


if __name__ == "__main__":
    unittest.main()
