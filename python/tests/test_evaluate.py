"""Quantities by name, code that is generated and compiled, columns by name, pickling, and the stubs."""

import copy
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import verne

SOURCE = os.environ["VERNE_SOURCE"]
TASK = {
    "model": "models/two_link.yaml",
    "duration": 1,
    "minimize": [{"effort": 1}],
    "refine": "off",
    "subject_to": {"start": {"position": 0}, "end": {"position": {"shoulder": 1, "elbow": -0.5}}},
}


def model_of(name, **options):
    return verne.load(os.path.join(SOURCE, "models", name + ".yaml"), **options)


def states(model, count, seed=1):
    random = np.random.default_rng(seed)
    q = np.array([model.random(seed=k) for k in range(count)])
    return q, random.normal(size=(count, model.nv)), random.normal(size=(count, model.nv))


class Evaluate(unittest.TestCase):
    def test_is_what_methods_give(self):
        for name in ("arm7", "humanoid"):
            model = model_of(name)
            q, v, x = states(model, 300)
            link = model.link_names[-1]
            of = model.evaluate(["tau", "bias", "gravity", "mass_matrix", "inverse_mass_matrix", "coriolis_matrix",
                                 "centroidal_momentum_matrix", "regressor", "jacobian:" + link, "pose:" + link, "d_tau",
                                 "energy", "joint_wrenches"], q=q, v=v, a=x)
            tau, wrenches = model.inverse_dynamics(q, v, x, wrenches=True)
            expected = {
                "tau": tau, "bias": model.bias_torques(q, v), "gravity": model.gravity_torques(q),
                "mass_matrix": model.mass_matrix(q), "inverse_mass_matrix": model.inverse_mass_matrix(q),
                "coriolis_matrix": model.coriolis_matrix(q, v),
                "centroidal_momentum_matrix": model.centroidal_momentum_matrix(q), "regressor": model.regressor(q, v, x),
                "jacobian:" + link: model.jacobian(q, link), "joint_wrenches": wrenches.transpose(0, 2, 1)}
            for key, array in expected.items():
                np.testing.assert_array_equal(of[key], array, err_msg=key)
            position, rotation = model.pose(q, link)
            np.testing.assert_array_equal(of["pose:" + link]["position"], position)
            np.testing.assert_array_equal(of["pose:" + link]["rotation"], rotation)
            slopes = model.inverse_dynamics_derivatives(q, v, x)
            np.testing.assert_array_equal(of["d_tau"]["v"], slopes["dv"])
            np.testing.assert_array_equal(of["energy"]["kinetic"], model.whole_body_state(q, v, x)["kinetic_energy"])
            a = model.evaluate("acceleration", q=q, v=v, tau=x)
            np.testing.assert_array_equal(a, model.forward_dynamics(q, v, x))
            np.testing.assert_array_equal(model.evaluate("acceleration", q=q[3], v=v[3], tau=x[3]), a[3])

    def test_every_quantity(self):
        model = model_of("arm7")
        q, v, a = states(model, 3)
        link = model.link_names[2]
        count = 0
        for quantity in verne.quantities():
            self.assertEqual(set(quantity), {"name", "shape", "unit", "inputs", "meaning", "of_frame", "known"})
            if not {"trees", "arrays"} <= set(quantity["known"]):
                continue
            count += 1
            found = model.evaluate(quantity["name"] + (":" + link if quantity["of_frame"] else ""), q=q, v=v, a=a)
            for array in found.values() if isinstance(found, dict) else [found]:
                self.assertEqual(array.shape[0], 3)
                self.assertTrue(np.isfinite(array).all())
        self.assertGreater(count, 25)

    def test_loads(self):
        model = model_of("arm7")
        q, v, a = states(model, 2)
        pull = [{"frame": "tool", "force": [0, 0, -20]}]
        np.testing.assert_array_equal(model.evaluate("tau", q, v, a, loads=pull),
                                      model.inverse_dynamics(q, v, a, loads=[{"link": "tool", "force": [0, 0, -20]}]))

    def test_what_is_wrong(self):
        model = model_of("arm7")
        for call, text in ((lambda: model.evaluate("tua", q=model.neutral()), "unknown quantity 'tua'"),
                           (lambda: model.evaluate("pose", q=model.neutral()), "which link or frame"),
                           (lambda: model.evaluate("tree", q=model.neutral()), "no loops"),
                           (lambda: model.evaluate("tau"), "there are no states"),
                           (lambda: model.evaluate([], q=model.neutral()), "nothing is wanted"),
                           (lambda: model.evaluate("tau", q=np.zeros(6)), "q: expected shape"),
                           (lambda: model.evaluate("tau", q=np.full(7, np.nan)), "is not finite"),
                           (lambda: model.inverse_dynamics(np.zeros(7), np.zeros(7), np.zeros(8)), "a: expected shape"),
                           (lambda: model.codegen("energy"), "unknown quantity 'energy'"),
                           (lambda: model.codegen(target="rust"), "expected c, lanes or cuda")):
            with self.assertRaises(verne.InputError) as caught:
                call()
            self.assertIn(text, str(caught.exception))
            self.assertIsInstance(caught.exception, ValueError)


class Systems(unittest.TestCase):
    """Loops, contacts and given accelerations, one state and many."""

    @staticmethod
    def states(system, count, size=0.02):
        random = np.random.default_rng(3)
        q = system.home + size * random.uniform(-1, 1, size=(count, system.nq))
        return q, random.normal(size=(count, system.nv)), random.normal(size=(count, system.nv))

    def test_loops(self):
        for name in ("four_bar", "gough_stewart", "sr400"):
            system = verne.System(model_of(name))
            q, v, a = self.states(system, 300)
            tree = system.assemble(q, v, a)
            self.assertEqual(tree["q"].shape, (300, system.model.nq))
            tau, wrenches = system.inverse_dynamics(q, v, a, wrenches=True)
            self.assertEqual(tau.shape, (300, len(system.torque_names)))
            self.assertEqual(wrenches["loop_wrenches"].shape, (300, len(system.closure_names), 6))
            np.testing.assert_allclose(system.inverse_dynamics(q, v, a), tau, rtol=1e-8, atol=1e-8)
            np.testing.assert_allclose(system.forward_dynamics(q, v, tau), a, rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(system.inverse_dynamics(q[7], v[7], a[7]), tau[7], rtol=1e-8, atol=1e-8)
            slopes = system.inverse_dynamics_derivatives(q[7], v[7], a[7])
            step = 1e-6
            along = (system.inverse_dynamics(q[7] + step, v[7], a[7])
                     - system.inverse_dynamics(q[7] - step, v[7], a[7])) / (2 * step)
            np.testing.assert_allclose(slopes["q"].sum(axis=1), along, rtol=1e-5, atol=1e-4)
            forces = np.einsum("kij,kj->ki", system.mass_matrix(q), a) + system.bias_torques(q, v)
            self.assertEqual(forces.shape, a.shape)
            # Of a model alone the same is computed.
            np.testing.assert_array_equal(system.model.evaluate("tau", q=q, v=v, a=a), system.inverse_dynamics(q, v, a))

    def test_guesses_choose_the_branch(self):
        system = verne.System(model_of("four_bar"))
        home = system.assemble(system.home)["q"]
        other = system.assemble(system.home, guess=-home)["q"]
        self.assertGreater(np.abs(other - home).max(), 0.1)
        both = system.evaluate("tree", q=np.tile(system.home, (2, 1)), guess=np.array([home, other]))["q"]
        np.testing.assert_allclose(both, [home, other], atol=1e-9)

    def test_contacts(self):
        model = model_of("humanoid")
        names = [f"{part}_{side}_{leg}" for leg in "lr" for part in ("heel", "toe") for side in ("outer", "inner")]
        system = verne.System(model, contacts=names)
        q, v, a = model.neutral(), np.zeros(model.nv), np.zeros(model.nv)
        tau, wrenches = system.inverse_dynamics(q, v, a, wrenches=True)
        self.assertEqual(system.closure_names, names)
        weight = wrenches["loop_wrenches"][:, :3].sum(axis=0)
        self.assertAlmostEqual(np.linalg.norm(weight), model.mass * 9.81, delta=0.01 * model.mass * 9.81)
        found = system.forward_dynamics(q, v, tau)
        np.testing.assert_allclose(found, a, atol=1e-6)

    def test_weights_and_stresses(self):
        model = model_of("humanoid")
        system = verne.System(model, contacts=["stance_l", "stance_r"])
        q, still = model.neutral(), np.zeros(model.nv)
        weights = 1 + np.arange(model.nv) % 5
        plain = system.inverse_dynamics(q, still, still)
        dear, wrenches = system.inverse_dynamics(q, still, still, weights=weights, wrenches=True)
        basis = system.null_space_torques(q)
        self.assertGreater(basis.shape[1], 0)
        np.testing.assert_allclose(basis.T @ basis, np.eye(basis.shape[1]), atol=1e-12)
        np.testing.assert_allclose(basis.T @ plain, 0, atol=1e-9)
        np.testing.assert_allclose(basis.T @ (weights * dear), 0, atol=1e-9)
        self.assertGreater(np.abs(plain - dear).max(), 1e-3)
        self.assertEqual(wrenches["loop_wrenches"].shape, (2, 6))
        many = system.evaluate("tau", q=np.tile(q, (3, 1)), weights=np.array([weights, weights * 2, np.ones(model.nv)]))
        np.testing.assert_allclose(many, [dear, dear, plain], atol=1e-9)
        bars = verne.System(model_of("four_bar"))
        self.assertEqual(bars.undetermined(bars.home)["loop_wrenches"], {"closing": ["fz", "mx", "my"]})
        np.testing.assert_allclose(bars.inverse_mass_matrix(q=bars.home) * bars.mass_matrix(q=bars.home), 1)
        for text, call in {
            "weights: expected positive numbers": lambda: system.evaluate("tau", q=q, weights=0 * weights),
            "weights: expected shape": lambda: system.evaluate("tau", q=q, weights=[1]),
            "weights are for models with": lambda: verne.System(model).evaluate("tau", q=q, weights=weights),
            "q: expected one state": lambda: bars.undetermined(np.tile(bars.home, (2, 1))),
        }.items():
            with self.assertRaises(verne.InputError, msg=text) as caught:
                call()
            self.assertIn(text, str(caught.exception))

    def test_derivatives_by_loads(self):
        for system in (verne.System(model_of("four_bar")), verne.System(model_of("arm7"))):
            link = system.model.link_names[-1]
            q, v, a = (x[0] for x in self.states(system, 1))
            load = {"frame": link, "force": np.array([1.0, 2, 3]), "point": np.array([0.1, 0, 0.2]), "at": "world"}
            slopes = system.inverse_dynamics_derivatives(q, v, a, loads=[load])["loads"]
            self.assertEqual(slopes.shape, (1, len(system.torque_names), 9))
            for part, first in (("force", 0), ("point", 6)):
                step = np.array([0, 1e-6, 0])
                ahead, behind = ({**load, part: load[part] + sign * step} for sign in (1, -1))
                difference = (system.inverse_dynamics(q, v, a, loads=[ahead])
                              - system.inverse_dynamics(q, v, a, loads=[behind])) / 2e-6
                np.testing.assert_allclose(slopes[0, :, first + 1], difference, atol=1e-6)

    def test_given_accelerations(self):
        model = model_of("arm7")
        system = verne.System(model, given=[model.joint_names[-1]])
        q, v, x = states(model, 40)
        a, tau = system.forward_dynamics(q, v, x, a=x)
        np.testing.assert_array_equal(a[:, -1], x[:, -1])
        np.testing.assert_array_equal(tau[:, :-1], x[:, :-1])
        np.testing.assert_allclose(model.inverse_dynamics(q, v, a), tau, atol=1e-9)
        self.assertIn("given", repr(system))
        slopes = system.forward_dynamics_derivatives(q, v, x, x)
        step = 1e-6 * np.eye(7)[3]
        difference = (system.forward_dynamics(q, v, x + step, a=x)[0]
                      - system.forward_dynamics(q, v, x - step, a=x)[0]) / 2e-6
        np.testing.assert_allclose(slopes["tau"][:, :, 3], difference, rtol=1e-5, atol=1e-5)

    def test_simulate(self):
        pendulum = verne.System(model_of("two_link"))
        free = pendulum.simulate(1.0, q=[0.3, -0.2], v=[1, 0], samples=11)
        self.assertEqual((free.end, free.q.shape), ("finished", (11, 2)))
        self.assertLess(free.energy_drift, 1e-6)
        np.testing.assert_allclose(
            pendulum.inverse_dynamics(np.asarray(free.q), np.asarray(free.v), np.asarray(free.a)), free.tau, atol=1e-8)
        calls = []
        damped = pendulum.simulate(1.0, v=[1, 0], tau=lambda t, q, v: (calls.append(t), -5 * v)[1], samples=11)
        self.assertGreater(len(calls), 10)
        np.testing.assert_allclose(damped.tau["elbow"], -5 * damped.v["elbow"], atol=1e-9)
        bars = verne.System(model_of("four_bar"))
        turned = bars.simulate(0.5, v=np.ones(bars.nv), samples=6)
        self.assertEqual(turned.loop_wrenches.shape, (6, 1, 6))
        self.assertLess(turned.loop_drift, 1e-9)

        def fails(t, q, v):
            raise KeyError("gains")
        with self.assertRaises(KeyError):
            pendulum.simulate(1.0, tau=fails)
        with self.assertRaisesRegex(verne.InputError, r"tau: expected shape \(2,\)"):
            pendulum.simulate(1.0, tau=lambda t, q, v: [1])
        with self.assertRaisesRegex(verne.InputError, "v: expected shape"):
            pendulum.simulate(1.0, v=[1])

    def test_are_pickled(self):
        system = verne.System(model_of("gough_stewart"))
        q, v, a = self.states(system, 5)
        other = pickle.loads(pickle.dumps(system))
        np.testing.assert_array_equal(other.inverse_dynamics(q, v, a), system.inverse_dynamics(q, v, a))
        self.assertIn("leg by leg", repr(other))

    def test_bad_input(self):
        system = verne.System(model_of("gough_stewart"))
        q = system.home
        far = np.tile(q, (400, 1))
        far[300, 0] = 100
        for text, call in {
            "contacts: there is no contact 'toe'": lambda: verne.System(model_of("arm7"), contacts=["toe"]),
            "q: expected shape (6,)": lambda: system.evaluate("tau", q=q[:5]),
            "q: entry 2 is not finite": lambda: system.evaluate("tau", q=[0, 0, np.nan, 0, 0, 0]),
            "state 300: loop '": lambda: system.evaluate("tau", q=far),
            "guess is for models with closed loops": lambda: verne.System(model_of("arm7")).evaluate(
                "tau", guess=np.zeros(7)),
            "is not known for a model with closed loops": lambda: system.evaluate("coriolis_matrix", q=q),
            "forward_dynamics: a is for systems": lambda: system.forward_dynamics(q, q, q, a=q),
            "not known together with given accelerations": lambda: verne.System(
                model_of("four_bar"), given="crank_joint").evaluate("d_tau", q=[0.5]),
        }.items():
            with self.assertRaises(verne.InputError, msg=text) as caught:
                call()
            self.assertIn(text, str(caught.exception))


class Code(unittest.TestCase):
    def test_codegen(self):
        files = model_of("two_link").codegen(["tau", "mass_matrix"], name="arm")
        self.assertIn("arm.c", files)
        self.assertIn("arm_tau", files["arm.h"])

    def test_compiled(self):
        if shutil.which(os.environ.get("CC", "cc")) is None:
            self.skipTest("there is no C compiler")
        model = model_of("two_link")
        wants = [quantity["name"] for quantity in verne.quantities() if "compiled" in quantity["known"]]
        code = model.compile(wants)
        q, v, x = states(model, 20)
        np.testing.assert_allclose(code.inverse_dynamics(q, v, x), model.inverse_dynamics(q, v, x), atol=1e-12)
        np.testing.assert_allclose(code.forward_dynamics(q, v, x), model.forward_dynamics(q, v, x), rtol=1e-10)
        np.testing.assert_allclose(code.bias_torques(q, v), model.bias_torques(q, v), atol=1e-12)
        np.testing.assert_allclose(code.gravity_torques(q[0]), model.gravity_torques(q[0]), atol=1e-12)
        np.testing.assert_allclose(code.mass_matrix(q), model.mass_matrix(q), atol=1e-12)
        for found, expected in ((code.inverse_dynamics_derivatives(q, v, x), model.inverse_dynamics_derivatives(q, v, x)),
                                (code.forward_dynamics_derivatives(q[0], v[0], x[0]),
                                 model.forward_dynamics_derivatives(q[0], v[0], x[0]))):
            for key, slopes in found.items():
                np.testing.assert_allclose(slopes, expected[key], rtol=1e-9, atol=1e-9)
        self.assertIn("two_link", repr(code))
        again = pickle.loads(pickle.dumps(code))
        np.testing.assert_array_equal(again.mass_matrix(q), code.mass_matrix(q))
        with self.assertRaisesRegex(verne.InputError, "mass_matrix was not compiled"):
            model.compile("tau").mass_matrix(q)


class Objects(unittest.TestCase):
    def test_models_are_pickled_and_copied(self):
        for name in ("arm7", "humanoid", "gough_stewart"):
            model = model_of(name)
            for other in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model)):
                self.assertEqual(other.to_yaml(), model.to_yaml())
                self.assertEqual(repr(other), repr(model))

    def test_columns_have_names(self):
        solution = verne.predict(TASK, folder=SOURCE)
        self.assertEqual(solution.q.names, ("shoulder", "elbow"))
        np.testing.assert_array_equal(solution.q["elbow"], solution.q[:, 1])
        np.testing.assert_array_equal(solution.tau["shoulder"], np.asarray(solution.tau)[:, 0])
        self.assertIs(type(solution.q + 1), np.ndarray)
        self.assertIs(type(solution.q["elbow"]), np.ndarray)
        self.assertIs(type(solution.q[1:]), np.ndarray)
        self.assertIsInstance(solution.q.max(), float)
        with self.assertRaises(verne.InputError) as caught:
            solution.q["elbwo"]
        self.assertIn("expected one of shoulder, elbow", str(caught.exception))
        self.assertIs(copy.deepcopy(solution), solution)
        again = pickle.loads(pickle.dumps(solution.v))
        self.assertEqual(again.names, solution.v.names)
        np.testing.assert_array_equal(again, solution.v)
        self.assertEqual(model_of("humanoid").position_names[:7],
                         [f"{model_of('humanoid').joint_names[0]}.{end}" for end in ("x", "y", "z", "qx", "qy", "qz", "qw")])

    def test_data_frames(self):
        solution = verne.predict(TASK, folder=SOURCE)
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaises(verne.EnvironmentError):
                solution.to_dataframe()
            self.skipTest("pandas is not installed")
        frame = solution.to_dataframe()
        np.testing.assert_array_equal(frame["q_elbow"], solution.q["elbow"])
        self.assertEqual(len(frame), len(solution.time))


class Stubs(unittest.TestCase):
    PROGRAM = """
import numpy as np
import verne

model = verne.load("arm.yaml")
tau: verne.Array = model.inverse_dynamics(model.neutral(), np.zeros(7), [0.0] * 7)
both: dict[str, verne.Quantity] = model.evaluate(["tau", "energy"], q=model.neutral())
solution = verne.predict({"model": "arm.yaml"})
elbow = solution.q["elbow"]
code: dict[str, str] = model.codegen("tau", target="lanes")
system = verne.System(model, given=["wrist"])
closed: dict[str, verne.Array] = system.assemble(system.home)
pull: verne.Load = {"frame": "tool", "force": [0, 0, 1], "at": "world"}
torques = system.evaluate("tau", q=system.home, loads=[pull], weights=np.ones(7))
stresses: verne.Array = system.null_space_torques(system.home)
slopes: dict[str, verne.Array] = model.compile(["d_tau"]).inverse_dynamics_derivatives([0.0] * 7, [0.0] * 7, [0.0] * 7)
task = verne.load_task({"model": "arm.yaml"}, folder=".")
task.add_cost("mine", 1, ["q:elbow", ("point:tool", (0, 0, 0.1))], lambda q, p: q * p[:, 0], over="end")
task.add_limit("other", (None, 3.0), ["duration"], np.sqrt, unit="s")
again: verne.Solution = verne.predict(task)
"""

    def test_mypy_accepts_them(self):
        if subprocess.run([sys.executable, "-m", "mypy", "--version"], capture_output=True).returncode != 0:
            self.skipTest("mypy is not installed")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program.py")
            program.write_text(self.PROGRAM, encoding="utf-8")
            environment = {**os.environ, "MYPYPATH": os.path.join(SOURCE, "python")}
            result = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder, str(program),
                                     os.path.join(SOURCE, "python", "verne", "__init__.pyi")],
                                    capture_output=True, text=True, env=environment)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_they_name_what_there_is(self):
        stubs = pathlib.Path(SOURCE, "python", "verne", "__init__.pyi").read_text(encoding="utf-8")
        for name in verne.__all__:
            self.assertIn(name, stubs)


if __name__ == "__main__":
    unittest.main()
