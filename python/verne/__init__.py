"""Dynamics of robots and humans: models, motions and their prediction.

Functions of a state are methods of a model. They take one state (arrays of shape (n,)) or many (arrays of shape
(states, n)), and give results of one state or many.
"""

import csv as _csv
import html as _html
import json as _json
import os as _os
import pathlib as _pathlib
import tempfile as _tempfile
import threading as _threading
import webbrowser as _webbrowser

import numpy as _np

from ._verne import (CompiledModel, EnvironmentError, Error, InputError, Model, Solution, System, Task, __version__,
                     load, quantities, read, report)
from ._verne import _Planner, _load_task, _predict, _read_task, _simulate

__all__ = ["Columns", "CompiledModel", "Drawing", "EnvironmentError", "Error", "InputError", "Model", "Planner", "Simulation",
           "Solution", "System", "Task", "__version__", "load", "load_task", "predict", "quantities", "read", "report", "study"]


def _unpickled(text):
    """The model that was pickled as YAML, of which nothing is lost."""
    return read(text)


def _compiled(model, want):
    """Compiled code of a model that was pickled: from the cache, or compiled again."""
    return model.compile(want)


CompiledModel.__reduce__ = lambda self: (_compiled, (self.model, self.want))
for _type in (CompiledModel, Solution):  # which never change
    _type.__copy__ = lambda self: self
    _type.__deepcopy__ = lambda self, memo: self
del _type


class Columns(_np.ndarray):
    """An array with a row for each time, whose columns have names: q[:, 2] is q["elbow"], too.

    What is computed of it, and parts of it, are arrays without names.
    """

    names = ()

    def __new__(cls, values, names):
        columns = _np.asarray(values).view(cls)
        columns.names = tuple(names)
        return columns

    def __getitem__(self, index):
        if isinstance(index, str):
            try:
                index = (slice(None), self.names.index(index))
            except ValueError:
                raise InputError(f"there is no column {index!r}: expected one of {', '.join(self.names)}") from None
        found = super().__getitem__(index)
        return found.view(_np.ndarray) if isinstance(found, _np.ndarray) else found

    def __array_wrap__(self, array, context=None, *more):
        return array[()] if array.ndim == 0 else array.view(_np.ndarray)

    def __reduce__(self):
        return (Columns, (_np.array(self), self.names))


def _columns_of(name, names):
    plain = getattr(Solution, name)

    def columns(self):
        return Columns(plain.fget(self), names(self.model))

    return property(columns, doc=plain.__doc__ + " Columns have names: q[\"elbow\"].")


def _to_dataframe(self):
    """Time, q, v, a, tau and the centre of mass as a pandas.DataFrame, where pandas is installed."""
    try:
        import pandas
    except ImportError:
        raise EnvironmentError("pandas is not installed: to_dataframe needs it") from None
    columns = {"time": self.time}
    for name in ("q", "v", "a", "tau"):
        table = getattr(self, name)
        columns.update((f"{name}_{column}", table[column]) for column in table.names)
    columns.update(("com_" + axis, self.com[:, k]) for k, axis in enumerate("xyz"))
    return pandas.DataFrame(columns)


class Drawing:
    """A figure as SVG (svg), which notebooks show."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes the SVG file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def _plot(self, what="torques", *, joints=(), width=0, height=0):
    """A figure for a paper: a Drawing, which notebooks show.

    what: as of `verne plot` (docs/report.md), over time or "stride". joints: only these. width, height: mm.
    """
    return Drawing(self._drawing(what, [joints] if isinstance(joints, str) else list(joints), width, height))


def _show(self, *, browser=True):
    """Opens the report in the web browser, and returns the path of its page, in a new folder for temporary files."""
    path = _pathlib.Path(_tempfile.mkdtemp(prefix="verne-")) / "report.html"
    path.write_text(self._page(""), encoding="utf-8")
    if browser and not _webbrowser.open(path.as_uri()):
        print(f"no browser could be opened: open {path} in one")
    return str(path)


def _repr_html_(self):
    """The moving picture, for notebooks."""
    try:
        page = self._page("embed")
    except EnvironmentError:  # built without the page
        return f"<pre>{_html.escape(self.summary())}</pre>"
    return (f'<iframe srcdoc="{_html.escape(page)}" title="{_html.escape(repr(self))}" '
            'sandbox="allow-scripts allow-downloads" style="width: 100%; height: 480px; border: 0"></iframe>')


Solution.q = _columns_of("q", lambda model: model.position_names)
for _name in ("v", "a", "tau"):
    setattr(Solution, _name, _columns_of(_name, lambda model: model.dof_names))
Solution.to_dataframe = _to_dataframe
Solution.plot = _plot
Solution.show = _show
Solution._repr_html_ = _repr_html_
del _name


def _assemble(self, q, v=None, a=None, *, guess=None):
    """All coordinates of the tree as a dict of q, v and a: with loops closed ones, from home or from a guess."""
    if self.model.loop_names:
        return self.evaluate("tree", q=q, v=v, a=a, guess=guess)
    shape = _np.shape(q)[:-1] + (self.nv,)
    return {"q": _np.array(q, float), "v": _np.zeros(shape) if v is None else _np.array(v, float),
            "a": _np.zeros(shape) if a is None else _np.array(a, float)}


def _wrench_names(self):
    return ["joint_wrenches", "loop_wrenches"] if self.closure_names else ["joint_wrenches"]


def _inverse_dynamics(self, q, v, a, *, loads=None, wrenches=False, guess=None, weights=None):
    """Torques of a motion, the least sum of weights * tau**2 where it does not need all.

    With wrenches=True those and a dict of wrenches.
    """
    if self.given:
        raise InputError("inverse_dynamics: accelerations are given: use forward_dynamics")
    wants = ["tau"] + (_wrench_names(self) if wrenches else [])
    found = self.evaluate(wants, q=q, v=v, a=a, loads=loads, guess=guess, weights=weights)
    tau = found.pop("tau")
    return (tau, found) if wrenches else tau


def _require_given(self, name, a):
    if (a is None) == bool(self.given):
        raise InputError(f"{name}: " + ("accelerations are given: pass a, too" if self.given else
                                        "a is for systems with given accelerations"))


def _forward_dynamics(self, q, v, tau, a=None, *, loads=None, wrenches=False, guess=None):
    """Accelerations under torques; with wrenches=True those and a dict of wrenches.

    Where accelerations are given, `a` has them, and both are found: a pair of accelerations and torques.
    """
    _require_given(self, "forward_dynamics", a)
    wants = ["acceleration"] + (["tau"] if self.given else []) + (_wrench_names(self) if wrenches else [])
    found = self.evaluate(wants, q=q, v=v, a=a, tau=tau, loads=loads, guess=guess)
    answer = found.pop("acceleration")
    if self.given:
        answer = (answer, found.pop("tau"))
    return (answer, found) if wrenches else answer


def _mass_matrix(self, q, *, guess=None):
    """The mass matrix along the system's coordinates, (nv, nv)."""
    return self.evaluate("mass_matrix", q=q, guess=guess)


def _inverse_mass_matrix(self, q, *, guess=None):
    """Its inverse, (nv, nv)."""
    return self.evaluate("inverse_mass_matrix", q=q, guess=guess)


def _bias_torques(self, q, v, *, guess=None):
    """Forces along the system's coordinates at zero acceleration."""
    return self.evaluate("bias", q=q, v=v, guess=guess)


def _gravity_torques(self, q, *, guess=None):
    """The same at rest."""
    return self.evaluate("gravity", q=q, guess=guess)


def _inverse_dynamics_derivatives(self, q, v, a, *, loads=None, guess=None, weights=None):
    """Derivatives of torques by q, v and a, as a dict of these; with loads by these, too: (loads, torques, 9)."""
    return self.evaluate("d_tau", q=q, v=v, a=a, loads=loads, guess=guess, weights=weights)


def _forward_dynamics_derivatives(self, q, v, tau, a=None, *, loads=None, guess=None):
    """Derivatives of accelerations by q, v and tau, as a dict of these; with loads by these, too: (loads, nv, 9).

    Where accelerations are given, `a` has them, and derivatives are by them, too.
    """
    _require_given(self, "forward_dynamics_derivatives", a)
    return self.evaluate("d_acceleration", q=q, v=v, a=a, tau=tau, loads=loads, guess=guess)


class Simulation:
    """A motion as it follows from torques: a row for each time, with columns by name as those of a Solution.

    end: "finished", "limit", "failed" or "interrupted"; message: why it ended early. loop_wrenches has (times, loops
    and contacts, 6), joint_wrenches (times, joints, 6). energy_drift, of energy_scale: by how much energy and work
    differ, J; loop_drift: by how much a loop is open at most.
    """

    def __init__(self, system, found):
        self.system = system
        self.__dict__.update(found)
        model = system.model
        self.q = Columns(self.q, model.position_names)
        self.v, self.a, self.tau = (Columns(rows, model.dof_names) for rows in (self.v, self.a, self.tau))

    def __repr__(self):
        return (f"<verne.Simulation {self.system.model.name!r}: {self.end}, {self.time[-1] if len(self.time) else 0:g} s"
                + (f", {self.message}" if self.message else "") + ">")


def _simulate_system(self, duration, q=None, v=None, tau=None, *, samples=201, tolerance=1e-9, loads=None, guess=None,
                     stop_at_limits=False):
    """How the system moves from a state under torques: a Simulation.

    tau: None, numbers that stay, or a function of (time, q, v) that returns them; q and v are those of the tree. Held
    contacts stay where they are at the start.
    """
    if tau is None:
        tau = _np.zeros(len(self.torque_names))
    return Simulation(self, _simulate(self, duration, q, v, tau, samples, tolerance, loads, guess, stop_at_limits))


System.simulate = _simulate_system
System.assemble = _assemble
System.inverse_dynamics = _inverse_dynamics
System.forward_dynamics = _forward_dynamics
System.mass_matrix = _mass_matrix
System.inverse_mass_matrix = _inverse_mass_matrix
System.bias_torques = _bias_torques
System.gravity_torques = _gravity_torques
System.inverse_dynamics_derivatives = _inverse_dynamics_derivatives
System.forward_dynamics_derivatives = _forward_dynamics_derivatives
System.__reduce__ = lambda self: (System, (self.model, self.contacts or None, self.given or None))
System.__repr__ = lambda self: "<verne.System {!r}: {}{}>".format(
    self.model.name, self.method, ", accelerations of " + ", ".join(self.given) + " given" if self.given else "")


def _plain(value):
    """What JSON cannot say by itself: numbers and arrays of numpy."""
    if isinstance(value, (_np.ndarray, _np.generic)):
        return value.tolist()
    raise TypeError(f"expected words, numbers, lists and dicts, found {type(value).__name__}")


def load_task(task, *, folder=".", parameters=None):
    """A task to which costs and limits can be added: from the path of a task file, or a dict with the same keys.

    folder: where the model's path of a dict starts. parameters: values in place of the file's.
    """
    parameters = dict({} if parameters is None else parameters)
    for name, value in parameters.items():
        if not isinstance(name, str):
            raise TypeError(f"parameters: expected names, found {name!r}")
        parameters[name] = float(value)
    if isinstance(task, dict):
        try:
            text = _json.dumps({"format": "verne-task/1", **task}, allow_nan=False, default=_plain)
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(f"task: {error}") from None
        return _read_task(text, folder, parameters)
    return _load_task(task, parameters)


def _task_of(task, folder, parameters):
    if not isinstance(task, Task):
        return load_task(task, folder=folder, parameters=parameters)
    if parameters:
        raise TypeError("parameters: load_task takes them")
    return task


def predict(task, *, folder=".", parameters=None, starts=0, threads=0, progress=None):
    """The optimal motion of a task: of load_task, the path of a task file, or a dict with the same keys.

    folder: where the model's path of a dict starts. parameters: values in place of the file's. starts, threads: how
    many first guesses, and how many are solved side by side. progress(iteration, cost): called once an iteration;
    returns False to stop with the best motion so far.
    """
    return _predict(_task_of(task, folder, parameters), starts, threads, progress)


class Planner:
    """One cell, many motions: what stands around and what a motion has to keep are read once.

    task: of load_task, the path of a task file, or a dict with the same keys, without phases; its start and its end are
    those of the calls, postures with a number for each of model.dof_names. progress: as of predict. Calls from several
    threads wait for each other.
    """

    def __init__(self, task, *, folder=".", parameters=None, progress=None):
        self._planner = _Planner(_task_of(task, folder, parameters), progress)
        self._lock = _threading.Lock()

    @property
    def model(self):
        """The model as it is solved: free joints are chains of joints."""
        return self._planner.model

    def plan(self, start, goal, deadline=None):
        """A Solution from rest to rest. deadline: seconds after which the best motion so far is the answer."""
        with self._lock:
            return self._planner.plan(start, goal, deadline)

    def replan(self, start, goal, deadline=None):
        """The same, from the latest motion: with a short deadline that one, moved to these ends and verified."""
        with self._lock:
            return self._planner.replan(start, goal, deadline)

    def change_scene(self, task, *, folder=".", parameters=None):
        """Other things stand around from now on: those of this task, whose model is the same."""
        with self._lock:
            self._planner.change_scene(_task_of(task, folder, parameters))

    def move_object(self, name, xyz=(0, 0, 0), rpy=(0, 0, 0)):
        """Moves an object of the scene from where it is along the world's axes (m), and turns it about where its first
        shape is (rad)."""
        with self._lock:
            self._planner.move_object(name, xyz, rpy)

    def stop(self, motion, time, along=False):
        """A Solution to rest that begins with the state of a motion at a time, in limits and clear of what stands around
        now: the first of ever longer ones that is certified; None where none is. along: it stays on the way of the
        motion; else joints may brake off it, where that is sooner at rest, as message says."""
        with self._lock:
            return self._planner.stop(motion, time, along)

    def __repr__(self):
        return f"<verne.Planner of {self.model.name!r}>"


def study(path, folder, *, threads=0, progress=None):
    """Computes a study (docs/study.md) or continues it, and returns its table, a row for each point that is done.

    folder: where the results go; with those that are there, only the rest is computed. threads: points that are computed
    at once, 0 for one a processor. progress(done, points): called after each point; returns False to stop. The table is
    a pandas.DataFrame where pandas is installed, else a dict of columns: arrays of numbers, lists of words.
    """
    try:
        from ._verne import _study
    except ImportError:
        raise EnvironmentError("this build has no studies: build with -DVERNE_STUDY=ON") from None
    _study(path, folder, threads, progress)
    table = _os.path.join(_os.fsdecode(folder), "table.csv")
    try:
        import pandas
    except ImportError:
        return _columns(table)
    return pandas.read_csv(table)


def _columns(table):
    """A CSV file as a dict: numbers where a column has nothing else, NaN for empty cells."""
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(_csv.reader(file))
    columns = {}
    for k, name in enumerate(rows[0]):
        cells = [row[k] for row in rows[1:]]
        try:
            columns[name] = _np.array([float(cell) if cell else _np.nan for cell in cells])
        except ValueError:
            columns[name] = cells
    return columns
