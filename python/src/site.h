/// Links and named frames, as arguments name them.
#pragma once

#include <pybind11/pybind11.h>

#include "verne/model/model.h"

namespace verne::python {

/// Of a name or an index: Model::site. Throws InputError, TypeError or IndexError.
int site_of(const Model& model, const pybind11::object& frame);

}  // namespace verne::python
