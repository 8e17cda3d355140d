"""One state and many agree with each other, with identities of mechanics and with central differences."""

import copy
import os
import pathlib
import threading
import unittest

import numpy as np
import verne

MODELS = os.path.join(os.environ["VERNE_SOURCE"], "models")


def model_of(name, **options):
    return verne.load(os.path.join(MODELS, name + ".yaml"), **options)


def states(model, count, seed=1):
    random = np.random.default_rng(seed)
    q = np.array([model.random(seed=k) for k in range(count)])
    return q, random.normal(size=(count, model.nv)), random.normal(size=(count, model.nv))


class Dynamics(unittest.TestCase):
    def test_one_state_is_a_row_of_many(self):
        for name in ("arm7", "humanoid", "puma560"):
            model = model_of(name)
            q, v, x = states(model, 5)
            for call, arguments in (("inverse_dynamics", (q, v, x)), ("forward_dynamics", (q, v, x)),
                                    ("bias_torques", (q, v)), ("gravity_torques", (q,)), ("mass_matrix", (q,)),
                                    ("inverse_mass_matrix", (q,)), ("coriolis_matrix", (q, v)),
                                    ("centroidal_momentum_matrix", (q,)), ("regressor", (q, v, x)),
                                    ("integrate", (q, v))):
                many = getattr(model, call)(*arguments)
                for k in range(5):
                    one = getattr(model, call)(*(argument[k] for argument in arguments))
                    np.testing.assert_array_equal(one, many[k], err_msg=f"{name} {call}")

    def test_more_states_than_are_computed_at_a_time(self):
        for name, count in (("arm7", 523), ("humanoid", 21)):
            model = model_of(name)
            q, v, a = states(model, count)
            tau, wrenches = model.inverse_dynamics(q, v, a, wrenches=True)
            slopes = model.inverse_dynamics_derivatives(q, v, a)
            position, rotation = model.pose(q, 3)
            for k in (0, 7, 8, 15, 16, count // 2, count - 1):
                one, through = model.inverse_dynamics(q[k], v[k], a[k], wrenches=True)
                np.testing.assert_array_equal(one, tau[k])
                np.testing.assert_array_equal(through, wrenches[k])
                np.testing.assert_array_equal(model.pose(q[k], 3)[1], rotation[k])
                for by, slope in model.inverse_dynamics_derivatives(q[k], v[k], a[k]).items():
                    np.testing.assert_array_equal(slope, slopes[by][k])

    def test_formats(self):
        model = model_of("puma560")
        q, v, a = states(model, 3)
        tau = model.inverse_dynamics(q, v, a)
        for text in (model.to_yaml(), model.to_mjcf()):
            np.testing.assert_allclose(verne.read(text).inverse_dynamics(q, v, a), tau, rtol=1e-9, atol=1e-9)

    def test_equation_of_motion(self):
        model = model_of("humanoid")
        q, v, a = states(model, 7)
        tau = model.inverse_dynamics(q, v, a)
        M, bias = model.mass_matrix(q), model.bias_torques(q, v)
        np.testing.assert_allclose(np.einsum("kij,kj->ki", M, a) + bias, tau, atol=1e-8)
        np.testing.assert_allclose(model.forward_dynamics(q, v, tau), a, atol=1e-6)
        np.testing.assert_allclose(M @ model.inverse_mass_matrix(q), np.broadcast_to(np.eye(model.nv), M.shape), atol=1e-8)
        np.testing.assert_allclose(np.einsum("kip,p->ki", model.regressor(q, v, a), model.parameters), tau, atol=1e-8)

    def test_matrices_are_not_transposed(self):
        model = model_of("arm7")
        q, v, a = (x[0] for x in states(model, 1))
        np.testing.assert_allclose(model.coriolis_matrix(q, v) @ v,
                                   model.bias_torques(q, v) - model.bias_torques(q, np.zeros(7)), atol=1e-10)
        derivatives = model.inverse_dynamics_derivatives(q, v, a)
        step = 1e-6
        for k in range(7):
            e = step * np.eye(7)[k]
            for name, plus, minus in (("dq", (q + e, v, a), (q - e, v, a)), ("dv", (q, v + e, a), (q, v - e, a))):
                slope = (model.inverse_dynamics(*plus) - model.inverse_dynamics(*minus)) / (2 * step)
                np.testing.assert_allclose(derivatives[name][:, k], slope, atol=1e-6)
            moved = (model.pose(q + e, "tool")[0] - model.pose(q - e, "tool")[0]) / (2 * step)
            np.testing.assert_allclose(model.jacobian(q, "tool")[:3, k], moved, atol=1e-8)
        position, rotation = model.pose(q, "tool")
        np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-12)
        # Turning: dR/dt = [w] R
        e = step * v
        w = model.jacobian(q, "tool")[3:] @ v
        turned = (model.pose(q + e, "tool")[1] - model.pose(q - e, "tool")[1]) / (2 * step)
        np.testing.assert_allclose(np.cross(w, rotation.T).T, turned, atol=1e-7)

    def test_forward_derivatives(self):
        model = model_of("puma560")
        q, v, tau = states(model, 3)
        derivatives = model.forward_dynamics_derivatives(q, v, tau)
        np.testing.assert_allclose(derivatives["a"], model.forward_dynamics(q, v, tau), rtol=1e-9)
        np.testing.assert_allclose(derivatives["dtau"], model.inverse_mass_matrix(q), rtol=1e-8, atol=1e-12)

    def test_loads_and_wrenches(self):
        model = model_of("arm7")
        q, v, a = (x[0] for x in states(model, 1))
        force, moment = np.array([1.0, -2.0, 3.0]), np.array([0.5, 0.0, -0.2])
        loads = [{"frame": "tool", "force": force, "moment": moment}]
        tau, wrenches = model.inverse_dynamics(q, v, a, loads=loads, wrenches=True)
        expected = model.inverse_dynamics(q, v, a) - model.jacobian(q, "tool").T @ np.hstack([force, moment])
        np.testing.assert_allclose(tau, expected, atol=1e-10)
        self.assertEqual(wrenches.shape, (6, len(model.joint_names)))
        # A call without loads does not remember those of the one before.
        np.testing.assert_array_equal(model.inverse_dynamics(q, v, a), model.inverse_dynamics(q, v, a, loads=[]))

    def test_configurations(self):
        model = model_of("humanoid")
        q, v, _ = states(model, 4)
        np.testing.assert_allclose(model.difference(q, model.integrate(q, 0.1 * v)), 0.1 * v, atol=1e-10)
        state = model.whole_body_state(q, v, v)
        self.assertEqual(state["com"].shape, (4, 3))
        self.assertEqual(state["kinetic_energy"].shape, (4,))
        np.testing.assert_allclose(state["kinetic_energy"], 0.5 * np.einsum("ki,kij,kj->k", v, model.mass_matrix(q), v))

    def test_threads(self):
        model = model_of("arm7")
        q, v, a = states(model, 64)
        expected, wrong = model.inverse_dynamics(q, v, a), []

        def work():
            for _ in range(50):
                if not np.array_equal(model.inverse_dynamics(q, v, a), expected):
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Loops(unittest.TestCase):
    """Functions of the tree alone are not those of a mechanism."""

    def test_dynamics_are_refused(self):
        for name, loops in (("four_bar", ["closing"]), ("gough_stewart", ["ball%d" % k for k in range(1, 7)])):
            model = model_of(name)
            self.assertEqual(model.loop_names, loops)
            self.assertIn("loop", repr(model))
            q, x = model.neutral(), np.zeros(model.nv)
            for call, arguments in (("inverse_dynamics", (q, x, x)), ("forward_dynamics", (q, x, x)),
                                    ("bias_torques", (q, x)), ("gravity_torques", (q,)), ("mass_matrix", (q,)),
                                    ("inverse_mass_matrix", (q,)), ("coriolis_matrix", (q, x)),
                                    ("centroidal_momentum_matrix", (q,)), ("regressor", (q, x, x)),
                                    ("inverse_dynamics_derivatives", (q, x, x)),
                                    ("forward_dynamics_derivatives", (q, x, x))):
                with self.assertRaises(verne.InputError) as caught:
                    getattr(model, call)(*arguments)
                for text in (call, *loops, "verne.System"):
                    self.assertIn(text, str(caught.exception))
            self.assertEqual(model.pose(q, model.link_names[0])[0].shape, (3,))  # where a configuration puts things
        self.assertEqual(model_of("arm7").loop_names, [])


class Objects(unittest.TestCase):
    def test_only_functions_make_them(self):
        class Heir(verne.Model):
            pass

        for kind in (verne.Model, verne.Solution, Heir):
            for make in (kind, lambda: kind.__new__(kind), lambda: object.__new__(kind)):
                with self.assertRaises(TypeError):
                    make()

    def test_copies(self):
        model = model_of("two_link")
        for same in (copy.copy(model), copy.deepcopy([model])[0]):
            np.testing.assert_array_equal(same.mass_matrix([0, 1]), model.mass_matrix([0, 1]))


class BadInput(unittest.TestCase):
    def setUp(self):
        self.model = model_of("two_link")

    def refuses(self, kind, text, *arguments):
        with self.assertRaises(kind) as caught:
            self.model.inverse_dynamics(*arguments)
        self.assertIn(text, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_arrays(self):
        good = np.zeros(2)
        self.refuses(ValueError, "q: expected shape (2,) for one state or (states, 2) for many, found (3,)",
                     np.zeros(3), good, good)
        self.refuses(ValueError, "v: has shape (4, 2), but q has (3, 2)", np.zeros((3, 2)), np.zeros((4, 2)), good)
        self.refuses(ValueError, "a: entry 1 is not finite", good, good, [0, np.nan])
        self.refuses(TypeError, "q: expected real numbers, found dtype complex128", good + 1j, good, good)
        self.refuses(TypeError, "q: expected real numbers, found dtype <U1", ["a", "b"], good, good)
        self.refuses(ValueError, "q: there are no states", np.zeros((0, 2)), good, good)
        self.refuses(ValueError, "q: expected shape", np.zeros((2, 2, 2)), good, good)
        self.refuses(ValueError, "loads: unknown key 'strength'", good, good, good, [{"frame": 0, "strength": 1}])
        np.testing.assert_array_equal(self.model.inverse_dynamics([0, 0], [0, 0], [0, 0]), good)  # integers are numbers
        slices = np.zeros((4, 4))[:, ::2]
        self.assertEqual(self.model.inverse_dynamics(slices, slices, slices).shape, (4, 2))

    def test_quaternions_have_length_one(self):
        model = model_of("humanoid")
        q, x = np.tile(model.neutral(), (3, 1)), np.zeros((3, model.nv))
        for length in (0, 0.5, 1 + 2e-6, 2):
            long = q.copy()
            long[1, 3:7] *= length
            for call in (lambda: model.inverse_dynamics(long, x, x), lambda: model.integrate(long, x),
                         lambda: model.difference(long, q), lambda: model.pose(long[1], 0)):
                with self.assertRaises(ValueError) as caught:
                    call()
                self.assertIn("the quaternion of joint 'pelvis_joint' has length", str(caught.exception))
        with self.assertRaises(ValueError) as caught:
            model.difference(q, long)
        self.assertIn("to: state 1: ", str(caught.exception))
        q[:, 3:7] *= 1 + 1e-7  # as rounding leaves them
        model.inverse_dynamics(q, x, x)

    def test_names(self):
        for frame in (b"tool", 1.5, None, True):
            with self.assertRaises(TypeError):
                self.model.pose([0, 0], frame)
        for index in (-1, 1000, 10 ** 30):
            with self.assertRaises(IndexError):
                self.model.pose([0, 0], index)
        self.model.pose([0, 0], np.int64(0))
        good = np.zeros(2)
        for loads in (3, [3], {"frame": 0}, "tool", [{"frame": b"tool"}]):
            with self.assertRaises(TypeError):
                self.model.inverse_dynamics(good, good, good, loads=loads)

    def test_paths(self):
        path = os.path.join(MODELS, "two_link.yaml")
        for same in (path.encode(), pathlib.Path(path)):
            self.assertEqual(verne.load(same).nv, 2)
        with self.assertRaises(TypeError):
            verne.load(3)
        with self.assertRaises(verne.InputError):
            verne.load(path + "\0")

    def test_files(self):
        with self.assertRaises(verne.InputError) as caught:
            verne.load("/nowhere.yaml")
        self.assertIn("/nowhere.yaml", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)
        with self.assertRaises(verne.InputError) as caught:
            self.model.jacobian([0, 0], "tol")
        self.assertIn("did you mean 'tool'", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
