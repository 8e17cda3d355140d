/// What studies compute: predictions, simulations, single states.
#pragma once

#include <map>
#include <memory>

#include "study/motion_curves.h"
#include "study/study_reader.h"

namespace verne {

/// Each throws InputError for parameters, results and inputs that it does not know.
std::unique_ptr<StudyWork> predict_work(const StudyFile& study, InputFiles& files);
std::unique_ptr<StudyWork> simulate_work(const StudyFile& study, InputFiles& files);
std::unique_ptr<StudyWork> eval_work(const StudyFile& study, InputFiles& files);

/// Names and values of the parameters of a point.
std::map<std::string, double> named_values(const StudySpec& spec, std::span<const double> values);

/// Reports parameters that nothing knows, with the nearest of `known`.
void require_known_parameters(const StudySpec& spec, const std::vector<std::string>& known);
/// Reports a result that is not known, with the nearest of `known`.
[[noreturn]] void refuse_result(const StudyFile& study, const std::string& name, const std::vector<std::string>& known);

/// The curves that a study asks for, or the usual ones of few joints and not too many points.
void take_curves(const StudyFile& study, MotionCurves& curves, const Model& model);

/// Words in the numbers of a tree that may be names of parameters.
std::vector<std::string> names_used_in(const YamlNode& node);

}  // namespace verne
