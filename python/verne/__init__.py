"""Dynamics of robots and humans: models, motions and their prediction.

Functions of a state are methods of a model. They take one state (arrays of shape (n,)) or many (arrays of shape
(states, n)), and give results of one state or many.
"""

import csv as _csv
import json as _json
import os as _os

import numpy as _np

from ._verne import EnvironmentError, Error, InputError, Model, Solution, __version__, load, read, report
from ._verne import _predict_file, _predict_text

__all__ = ["EnvironmentError", "Error", "InputError", "Model", "Solution", "__version__", "load", "predict", "read",
           "report", "study"]


def _plain(value):
    """What JSON cannot say by itself: numbers and arrays of numpy."""
    if isinstance(value, (_np.ndarray, _np.generic)):
        return value.tolist()
    raise TypeError(f"expected words, numbers, lists and dicts, found {type(value).__name__}")


def predict(task, *, folder=".", parameters=None, starts=0, threads=0, progress=None):
    """The optimal motion of a task: the path of a task file, or a dict with the same keys.

    folder: where the model's path of a dict starts. parameters: values in place of the file's. starts, threads: how
    many first guesses, and how many are solved side by side. progress(iteration, cost): called once an iteration;
    returns False to stop with the best motion so far.
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
        return _predict_text(text, folder, parameters, starts, threads, progress)
    return _predict_file(task, parameters, starts, threads, progress)


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
