"""Predictions from files and dicts, their results and files; the examples of docs/python.md and docs/how-do-i.md."""

import ast
import base64
import gzip
import html.parser
import inspect
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

import numpy as np
import verne

SOURCE = os.environ["VERNE_SOURCE"]
TASK = {
    "model": "models/two_link.yaml",
    "duration": 1,
    "minimize": [{"effort": 1}],
    "subject_to": {"start": {"position": 0}, "end": {"position": {"shoulder": 1, "elbow": -0.5}}},
}


def payload_of(page):
    """What a page shows."""
    data = re.search(r'type="application/gzip">([^<]*)<', page).group(1)
    return json.loads(gzip.decompress(base64.b64decode(data)))


class Motion(unittest.TestCase):
    def test_a_dict_is_a_task(self):
        solution = verne.predict(TASK, folder=SOURCE)
        self.assertTrue(solution.success, solution.message)
        np.testing.assert_allclose(solution.q[[0, -1]], [[0, 0], [1, -0.5]], atol=1e-9)
        model = solution.model
        np.testing.assert_allclose(model.inverse_dynamics(solution.q, solution.v, solution.a), solution.tau, atol=1e-12)
        # The cost is the integral of the squared torques.
        integral = np.trapz((solution.tau ** 2).sum(axis=1), solution.time)
        self.assertAlmostEqual(solution.cost, integral, delta=1e-3 * integral)
        self.assertEqual(set(solution.joint_wrenches), set(model.joint_names))

    def test_a_file_with_parameters(self):
        path = os.path.join(SOURCE, "tasks", "prismatic_revolute.yaml")
        solutions = [verne.predict(path, parameters={"u": u}) for u in (0.01, 0.0102)]
        self.assertAlmostEqual(solutions[0].cost, 0.853063, delta=1e-5)
        slope = (solutions[1].cost - solutions[0].cost) / 0.0002
        self.assertAlmostEqual(solutions[0].slopes["u"], slope, delta=0.02 * abs(slope))
        self.assertEqual(solutions[0].design, {})

    def test_a_parameter_is_designed(self):
        solution = verne.predict(os.path.join(SOURCE, "tasks", "counterweight.yaml"))
        self.assertAlmostEqual(solution.design["counterweight"], 16.95, delta=0.01)
        self.assertAlmostEqual(solution.slopes["counterweight"], 0, delta=1e-6)

    def test_progress_stops_and_raises(self):
        seen = []
        stopped = verne.predict(TASK, folder=SOURCE, progress=lambda iteration, cost: seen.append(iteration) or len(seen) < 3)
        self.assertEqual(stopped.status, "interrupted")
        self.assertEqual(len(seen), 3)

        def fail(iteration, cost):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            verne.predict(TASK, folder=SOURCE, progress=fail)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            solution = verne.predict(TASK, folder=SOURCE)
            solution.write(folder, report=False)
            self.assertEqual(sorted(os.listdir(folder)), ["motion.csv", "motion.sto", "solution.json", "summary.txt"])
            self.assertIn("cost", solution.summary())

    def test_pages_and_figures(self):
        solution = verne.predict(TASK, folder=SOURCE)
        figure = solution.plot("velocities", joints=["elbow"], width=84)
        drawing = xml.etree.ElementTree.fromstring(figure.svg)
        self.assertEqual(drawing.get("width"), "84mm")
        self.assertEqual(figure._repr_svg_(), figure.svg)
        self.assertEqual(solution.plot("velocities", joints="elbow", width=84).svg, figure.svg)
        for wrong in ("velocity", "front"):
            with self.assertRaises(verne.InputError):
                solution.plot(wrong)
        shown = solution._repr_html_()
        if shown.startswith("<pre>"):
            self.skipTest("built without the web page")
        frames = []
        parser = html.parser.HTMLParser()
        parser.handle_starttag = lambda tag, attributes: frames.append((tag, dict(attributes)))
        parser.feed(shown)
        (tag, attributes), = frames
        self.assertEqual(tag, "iframe")
        self.assertNotIn("allow-same-origin", attributes["sandbox"])
        payload = payload_of(attributes["srcdoc"])
        self.assertEqual(payload["wishes"], "embed")
        np.testing.assert_allclose(payload["solutions"][0]["solution"]["q"], solution.q, atol=1e-12)
        with unittest.mock.patch("webbrowser.open", return_value=True) as opened:
            path = solution.show()
        opened.assert_called_once_with(pathlib.Path(path).as_uri())
        self.assertNotIn("wishes", payload_of(pathlib.Path(path).read_text()))
        shutil.rmtree(os.path.dirname(path))

    def test_what_programs_put_into_dicts(self):
        plain = verne.predict({**TASK, "refine": "off"}, folder=SOURCE)
        task = {
            **TASK,
            "duration": np.float64(1),
            "minimize": ({"effort": np.int64(1)},),
            "subject_to": {"start": {"position": np.zeros(2)}, "end": {"position": np.array([1, -0.5])},
                           "periodic": np.bool_(False)},
            "refine": False,  # what YAML readers make of `off`
        }
        self.assertEqual(verne.predict(task, folder=SOURCE.encode()).cost, plain.cost)

    def test_bad_folders(self):
        solution = verne.predict({**TASK, "refine": "off"}, folder=SOURCE)
        for folder in ("/dev/null/x", ""):
            with self.assertRaises(verne.EnvironmentError):
                solution.write(folder, report=False)
        for folder in (3, None):
            with self.assertRaises(TypeError):
                solution.write(folder, report=False)
        with self.assertRaises(verne.InputError):
            verne.predict(TASK, folder="/nowhere")
        with self.assertRaises(TypeError):
            verne.predict(TASK, folder=SOURCE, parameters={b"u": 1})

    def test_bad_tasks(self):
        with self.assertRaises(verne.InputError) as caught:
            verne.predict({**TASK, "minimise": []}, folder=SOURCE)
        self.assertIn("did you mean 'minimize'", str(caught.exception))
        with self.assertRaises(verne.InputError):
            verne.predict({**TASK, "duration": float("nan")}, folder=SOURCE)
        with self.assertRaises(verne.InputError):
            verne.predict({**TASK, "duration": {1, 2}}, folder=SOURCE)


class Docs(unittest.TestCase):
    def test_every_public_name_has_a_docstring(self):
        stubs = ast.parse(pathlib.Path(SOURCE, "python", "verne", "__init__.pyi").read_text(encoding="utf-8"))
        names = []
        for node in stubs.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and hasattr(verne, node.name):
                names.append((verne, node.name))
            if isinstance(node, ast.ClassDef) and hasattr(verne, node.name):
                names += [(getattr(verne, node.name), item.name) for item in node.body if isinstance(item, ast.FunctionDef)]
        missing = []
        for owner, name in names:
            lines = (inspect.getdoc(getattr(owner, name)) or "").split("\n")
            if not "".join(lines[2:] if lines[0].startswith(name + "(") else lines):  # pybind11 begins with the signature
                missing.append(name)
        self.assertGreater(len(names), 50)
        self.assertEqual(missing, [])

    def test_every_example_runs(self):
        for page in ("python.md", "how-do-i.md"):
            with self.subTest(page):
                self.run_examples(page)

    def run_examples(self, page):
        with open(os.path.join(SOURCE, "docs", page), encoding="utf-8") as file:
            examples = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)
        self.assertGreater(len(examples), 3)
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.join(SOURCE, "models"), os.path.join(folder, "models"))
            os.symlink(os.path.join(SOURCE, "tasks"), os.path.join(folder, "tasks"))
            os.chdir(folder)
            names = {}
            try:
                for example in examples:
                    exec(compile(example, "docs/" + page, "exec"), names)  # one session from top to bottom
            finally:
                os.chdir(here)


if __name__ == "__main__":
    unittest.main()
