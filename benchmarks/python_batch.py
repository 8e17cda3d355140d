"""What a batch costs from numpy, as a multiple of the same batch in C++ with the packing of its states.

PYTHONPATH=build/native/python python3 benchmarks/python_batch.py build/native/lib/libpython_batch.so [STATES [ROUNDS]]
"""

import ctypes
import os
import sys
import time

import numpy as np
import verne

CALLS = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_dynamics_derivatives")
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models")


def seconds(call, *arguments):
    begin = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - begin


def compare(library, name, states, rounds):
    """Both take turns, so that what else the machine does meets both; the least of each counts."""
    path = os.path.join(MODELS, name + ".yaml")
    model, batch = verne.load(path), library.open_batch(path.encode(), states)
    random = np.random.default_rng(1)
    q = np.array([model.random(seed=k) for k in range(states)])
    v, x = random.normal(size=(2, states, model.nv))
    pointers = [array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for array in (q, v, x)]
    for call in CALLS:
        method, arguments = getattr(model, call), (q,) if call == "mass_matrix" else (q, v, x)
        native, numpy = [], []
        for _ in range(rounds):
            native.append(library.time_call(batch, call.encode(), *pointers))
            numpy.append(seconds(method, *arguments))
        ratio = min(numpy) / min(native)
        print(f"{name:10} {call:30} {min(native) * 1e6:9.0f} us {min(numpy) * 1e6:9.0f} us {ratio:6.2f}")
    library.close_batch(batch)


def main():
    library = ctypes.CDLL(sys.argv[1])
    numbers = ctypes.POINTER(ctypes.c_double)
    library.open_batch.restype, library.open_batch.argtypes = ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_int]
    library.time_call.restype = ctypes.c_double
    library.time_call.argtypes = [ctypes.c_void_p, ctypes.c_char_p, numbers, numbers, numbers]
    library.close_batch.argtypes = [ctypes.c_void_p]
    states, rounds = (int(word) for word in (sys.argv[2:] + ["1024", "300"][len(sys.argv) - 2:]))
    print(f"{states} states{'':33}C++{'':9}numpy{'':7}ratio")
    for name in ("arm7", "humanoid"):
        compare(library, name, states, rounds)


if __name__ == "__main__":
    main()
