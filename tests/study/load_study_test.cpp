#include <gtest/gtest.h>

#include "cli/program.h"
#include "study/warm_start.h"
#include "verne/dynamics/dynamics.h"
#include "verne/io/model_io.h"
#include "verne/motion/predict.h"
#include "verne/structures/system.h"
#include "verne/study/study.h"

namespace verne {
namespace {

using test::Folder;

constexpr char kPendulum[] = R"(format: verne-model/1
name: pendulum
parameters: {length: 1, bob: 2}
convention: tree
links:
  - name: arm
    joint: {name: hinge, type: revolute, axis: [0, 1, 0], limits: {effort: 10}}
    mass: bob
    com: [0, 0, -length]
    inertia: [0.1, 0.1, 0.1]
)";

/// A study of the pendulum's state; its lines beyond the first two.
std::string eval_study(const std::string& more) {
  return "format: verne-study/1\neval: {model: pendulum.yaml, state: {q: [angle]}, want: [tau]}\n" + more;
}
constexpr char kAngle[] = "parameters: {angle: {between: [0, 1]}}\n";

std::string problem_of(const std::string& text) {
  const Folder folder;
  folder.write("pendulum.yaml", kPendulum);
  folder.write("points.csv", "angle\n0.5\n");
  try {
    load_study(folder.write("s.yaml", text));
    return "";
  } catch (const InputError& error) {
    std::string what = error.what();
    const std::size_t at = what.find("s.yaml");
    return at == std::string::npos ? what : what.substr(at);
  }
}

PointResult result_of(Study& study, int point) {
  return study.work->compute({point, study.points.point(point)});
}

TEST(LoadStudy, BadFilesAreNamedWithLineAndKey) {
  const std::string angle = kAngle, sample = "sample: {sobol: 8}\n";
  const std::pair<std::string, const char*> cases[] = {
      {eval_study(angle + sample), ""},
      {eval_study(angle + "sample: {file: points.csv}\n"), ""},
      {eval_study(angle), "s.yaml:1: error: sample is missing"},
      {eval_study(sample), "parameters is missing"},
      {eval_study("parameters: {angl: {between: [0, 1]}}\n" + sample),
       "s.yaml:3: error: parameters: there is no parameter 'angl' (did you mean 'angle'?)"},
      {eval_study("parameters: {model.arm.mas: {between: [1, 2]}}\n" + sample), "(did you mean 'model.arm.mass'?)"},
      {eval_study("parameters: {angle: {between: [1, 1]}}\n" + sample), "angle: between: expected [lower, upper] with"},
      {eval_study("parameters: {angle: {betwen: [0, 1]}}\n" + sample), "(did you mean 'between'?)"},
      {eval_study("parameters: {angle: {normal: [0, 0]}}\n" + sample), "with a deviation above 0"},
      {eval_study("parameters: {angle: {normal: [0, 1], between: [50, 60]}}\n" + sample),
       "angle: normal: nothing of the distribution lies between 50 and 60"},
      {eval_study("parameters: {angle: {values: []}}\n" + sample), "values: expected a list of numbers"},
      {eval_study("parameters: {angle: {log_between: [0, 1]}}\n" + sample), "log_between: expected bounds above 0"},
      {eval_study("parameters: {angle: {values: [1], between: [0, 1]}}\n" + sample), "give one of between"},
      {eval_study("parameters: {angle: {between: [0, 1]}, length: {between: [1, 2]}}\nsample: {grid: 1000000}\n"),
       "s.yaml:4: error: sample: asks for 1e+12 points; at most 1e7 are computed"},
      {eval_study(angle + "sample: {sobol: 1e12}\n"), "sobol: expected a whole number from 1 to 1e+07, found '1e12'"},
      {eval_study(angle + "sample: {sobol: 8, grid: 3}\n"), "sample: expected one of"},
      {eval_study(angle + "sample: {file: nothing.csv}\n"), "nothing.csv"},
      {eval_study(angle + sample + "keep: {solutions: worst 3}\n"), "expected all, none or 'best'"},
      {eval_study(angle + sample + "limits: {tries: 0}\n"), "tries: expected a whole number from 1 to 100"},
      {eval_study(angle + sample + "tasks: x\n"), "unknown key 'tasks' (did you mean 'task'?)"},
      {eval_study(angle + sample + "curves: [effort.hinge]\n"), "s.yaml:5: error: curves: states have none"},
      {"format: verne-study/1\nsimulate: {model: pendulum.yaml}\ncurves: [effort.hing]\nparameters: {bob: 1}\n" +
           sample,
       "s.yaml:3: error: curves: there is no curve 'effort.hing' (did you mean 'effort.hinge'?)"},
      {"format: verne-study/1\nsimulate: {model: pendulum.yaml}\ncurves: [effort.*]\nparameters: {bob: {between: [1, "
       "2]}}\n"
       "sample: {sobol: 1000000}\n",
       "curves: these are 1.01e+08 numbers; at most 1e8 are kept"},
      {"format: verne-study/2\n" + angle + sample, "expected 'verne-study/1'"},
      {"format: verne-task/1\nmodel: arm.yaml\n",
       "s.yaml:1: error: expected a study ('verne-study/1'), found a task: `verne predict` takes tasks"},
      {"format: verne-study/1\n" + angle + sample, "expected one of task, simulate and eval"},
      {"format: verne-study/1\nsimulate: {time: 1}\n" + angle + sample, "simulate: model is missing"},
      {"format: verne-study/1\neval: {model: pendulum.yaml, want: [taw]}\nparameters: {bob: 1}\n" + sample,
       "eval: want: unknown quantity 'taw' (did you mean 'tau'?)"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string found = problem_of(text);
    EXPECT_TRUE(*expected ? found.find(expected) != std::string::npos : found.empty()) << text << found;
  }
}

TEST(LoadStudy, ShippedOnesAreSound) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() + "/studies")) {
    const Study study = load_study(entry.path().string());
    EXPECT_GT(study.points.count(), 1) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 3);
}

TEST(LoadStudy, EvalIsThatOfTheDynamics) {
  const Folder folder;
  folder.write("pendulum.yaml", kPendulum);
  Study study = load_study(folder.write(
      "s.yaml",
      eval_study("parameters: {angle: {between: [-1, 1]}, length: {between: [0.5, 2]}, bob: {normal: [2, 0.1]}}\n"
                 "sample: {sobol: 16}\n")));
  ASSERT_EQ(study.work->columns(), std::vector<std::string>{"tau.hinge"});
  for (int k = 0; k < study.points.count(); ++k) {
    const auto x = study.points.point(k);
    const double torque = x[2] * 9.81 * x[1] * std::sin(x[0]);
    EXPECT_NEAR(std::abs(result_of(study, k).results[0]), std::abs(torque), 1e-12 * std::abs(torque) + 1e-13);
  }
}

TEST(LoadStudy, FieldsOfModelsInEveryFormat) {
  const Folder folder;
  const ModelSpec spec = load_spec(test::shipped("two_link"));
  folder.write("m.yaml", write_yaml(spec)), folder.write("m.urdf", write_urdf(spec));
  folder.write("m.xml", write_mjcf(spec));
  for (const char* file : {"m.yaml", "m.urdf", "m.xml"}) {
    Study study = load_study(folder.write(
        "s.yaml", std::string("format: verne-study/1\neval: {model: ") + file +
                      ", state: {q: [0.3, 0.4], v: [1, 2], a: [3, 4]}, want: [tau]}\n"
                      "parameters: {model.link2.mass: 2, model.elbow.viscous: 0.7, model.gravity.z: -1.6}\n"
                      "sample: {sobol: 1}\n"));
    ModelSpec changed = spec;
    changed.gravity.z = -1.6;
    for (LinkSpec& link : changed.links) {
      if (link.name != "link2") continue;
      const double ratio = 2 / link.mass;
      link.mass = 2;
      for (double* x : {&link.inertia.xx, &link.inertia.xy, &link.inertia.xz, &link.inertia.yy, &link.inertia.yz,
                        &link.inertia.zz}) {
        *x *= ratio;
      }
      link.joint.dofs[0].viscous = 0.7;
    }
    const Model model = build_model(changed);
    Data<double> data(model);
    const Eigen::VectorXd tau =
        inverse_dynamics<double>(model, data, Eigen::Vector2d(0.3, 0.4), Eigen::Vector2d(1, 2), Eigen::Vector2d(3, 4));
    const std::vector<double> found = result_of(study, 0).results;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(found[static_cast<std::size_t>(i)], tau[i], 1e-9) << file;
  }
}

TEST(LoadStudy, AnyQuantityHasColumnsByName) {
  const Folder folder;
  folder.write("m.yaml", write_yaml(load_spec(test::shipped("two_link"))));
  folder.write("states.jsonl", "{\"q\": [0, 0.5]}\n\n{\"q\": [0, 1], \"v\": [1, 0]}\n");
  Study study = load_study(folder.write("s.yaml",
                                        "format: verne-study/1\neval: {model: m.yaml, states: states.jsonl,"
                                        " want: [mass_matrix, energy, com, joint_wrenches, jacobian:tool]}\n"
                                        "parameters: {model.link2.mass: 2}\nsample: {sobol: 1}\n"));
  const std::vector<std::string>& columns = study.work->columns();
  const std::vector<double> results = result_of(study, 0).results;
  ASSERT_EQ(results.size(), columns.size());
  const auto at = [&](const std::string& name) {
    const auto found = std::find(columns.begin(), columns.end(), name);
    EXPECT_NE(found, columns.end()) << name;
    return found == columns.end() ? NAN : results[static_cast<std::size_t>(found - columns.begin())];
  };
  // Two links of 0.4 m, centres in their middles: I1 = 0.1, m1 = 0.5, and of the second the mass and inertia times
  // four.
  const auto coupling = [](double elbow) { return 0.4 + 2 * (0.04 + 0.08 * std::cos(elbow)); };
  EXPECT_NEAR(at("mass_matrix.shoulder.elbow.1"), coupling(0.5), 1e-12);
  EXPECT_NEAR(at("mass_matrix.elbow.elbow.1"), 0.4 + 2 * 0.04, 1e-12);
  EXPECT_NEAR(at("mass_matrix.shoulder.elbow.2"), coupling(1), 1e-12);
  const double inertia = 0.1 + 0.5 * 0.04 + 0.4 + 2 * (0.16 + 0.04 + 0.16 * std::cos(1));
  EXPECT_NEAR(at("energy.kinetic.2"), inertia / 2, 1e-12);
  EXPECT_NEAR(at("com.position.x.1"), (0.5 * 0.2 + 2 * (0.4 + 0.2 * std::cos(0.5))) / 2.5, 1e-12);
  EXPECT_NEAR(at("jacobian:tool.2.elbow.1"), 0.4 * std::cos(0.5), 1e-12);
  EXPECT_EQ(at("joint_wrenches.elbow.6.1"), 0);
}

/// A four-bar closes its loop at every point, and has the torque of virtual work against the tree with the same motion.
TEST(LoadStudy, LoopsAreClosedAtEveryPoint) {
  const Folder folder;
  std::filesystem::copy_file(test::shipped("four_bar"), folder.file("m.yaml"));
  const std::string parameters = "parameters: {angle: {values: [0.2, 0.6]}}\nsample: {grid: 1}\n";
  Study study = load_study(folder.write("s.yaml",
                                        "format: verne-study/1\neval: {model: m.yaml, want: [tau],"
                                        " state: {q: [angle], v: [1], a: [2]}}\n" +
                                            parameters));
  ASSERT_EQ(study.work->columns(), std::vector<std::string>{"tau.crank_joint"});
  Study moved = load_study(folder.write("d.yaml",
                                        "format: verne-study/1\nsimulate: {model: m.yaml, time: 0.001,"
                                        " state: {q: [angle], v: [1]}, samples: 2}\n" +
                                            parameters));
  const System system(load_model(folder.file("m.yaml")));
  SystemData data(system);
  const Eigen::VectorXd v = Eigen::VectorXd::Constant(1, 1), a = Eigen::VectorXd::Constant(1, 2);
  for (int k = 0; k < 2; ++k) {
    const Eigen::VectorXd q = Eigen::VectorXd::Constant(1, study.points.point(k)[0]);
    const TreeState state = assemble(system, data, q, v, a);
    const Eigen::MatrixXd J = closed_jacobian(system, data, state.q);
    Data<double> of_tree(system.model());
    const Eigen::VectorXd tree = inverse_dynamics<double>(system.model(), of_tree, state.q, state.v, state.a);
    EXPECT_NEAR(result_of(study, k).results[0], J.col(0).dot(tree), 1e-12);
    const PointResult result = result_of(moved, k);
    ASSERT_EQ(result.status, "simulated") << result.reason;
    const Eigen::VectorXd falls = forward_dynamics(system, data, state.q, state.v, Eigen::VectorXd::Zero(1)).a;
    EXPECT_NEAR(result.results[2], q[0] + 0.001 + falls[0] * 1e-6 / 2, 1e-6) << "of the crank";
    const auto values = std::span(result.results).subspan(2, 3);
    const TreeState end = assemble(system, data, Eigen::VectorXd::Constant(1, values[0]), v, a);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(values[static_cast<std::size_t>(i)], end.q[i], 1e-6);
  }
}

TEST(LoadStudy, SimulationsFollowTheClosedForm) {
  const Folder folder;
  folder.write("pendulum.yaml", kPendulum);
  // Without gravity a joint with viscous friction slows down as exp(-c t / I).
  Study study = load_study(folder.write(
      "s.yaml",
      "format: verne-study/1\nsimulate: {model: pendulum.yaml, time: 2*half, state: {v: [speed]}}\n"
      "parameters: {half: {between: [0.1, 1]}, speed: {between: [1, 2]}, model.hinge.viscous: {between: [0.1, 1]},"
      " model.gravity.z: 0}\nsample: {sobol: 4}\nreport: [peak_velocity.hinge]\n"));
  const std::vector<std::string>& columns = study.work->columns();
  const auto at = [&](const PointResult& result, const std::string& name) {
    return result.results[static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin())];
  };
  for (int k = 0; k < 4; ++k) {
    const auto x = study.points.point(k);
    const PointResult result = result_of(study, k);
    EXPECT_EQ(result.status, "simulated");
    EXPECT_NEAR(at(result, "duration"), 2 * x[0], 1e-12);
    EXPECT_NEAR(at(result, "final_velocity.hinge"), x[1] * std::exp(-x[2] * 2 * x[0] / 2.1), 1e-6);
    EXPECT_NEAR(at(result, "peak_velocity.hinge"), x[1], 1e-9);
  }
}

TEST(LoadStudy, APointWhoseNumbersMakeNoSenseIsInvalid) {
  const Folder folder;
  folder.write("pendulum.yaml", kPendulum);
  Study study = load_study(folder.write("s.yaml",
                                        "format: verne-study/1\n"
                                        "eval: {model: pendulum.yaml, state: {q: [1/(angle - 1)]}, want: [tau]}\n"
                                        "parameters: {angle: {values: [0, 1]}}\nsample: {grid: 1}\n"));
  EXPECT_TRUE(result_of(study, 0).success);
  EXPECT_THROW(result_of(study, 1), InputError);
}

TEST(LoadStudy, PredictionsTakeParametersOfTaskAndModelAndStartFromOthers) {
  const Folder folder;
  folder.write("pendulum.yaml", kPendulum);
  folder.write("t.yaml",
               "format: verne-task/1\nmodel: pendulum.yaml\nparameters: {angle: 0.5}\n"
               "trajectory: {control_points: 8, nodes: 16}\nrefine: {rounds: 0, knots: 0, switches: false}\n"
               "duration: 1\nminimize: [{effort: 1}]\n"
               "subject_to: {start: {position: [0]}, end: {position: [angle]}}\n");
  Study study = load_study(folder.write("s.yaml",
                                        "format: verne-study/1\ntask: t.yaml\n"
                                        "parameters: {angle: {values: [0.5, 0.6]}, bob: 3}\nsample: {grid: 1}\n"
                                        "report: [peak_velocity.hinge]\n"));
  EXPECT_EQ(study.work->columns(), (std::vector<std::string>{"duration", "cost", "cost.effort", "peak_effort.hinge",
                                                             "peak_velocity.hinge", "slope.angle", "slope.bob"}));
  const PointResult first = study.work->compute({0, study.points.point(0), {}, true});
  ASSERT_TRUE(first.success) << first.status << first.reason;
  EXPECT_FALSE(first.motion.empty());
  EXPECT_FALSE(first.used_start);
  const PointResult cold = study.work->compute({1, study.points.point(1)});
  const PointResult warm = study.work->compute({1, study.points.point(1), first.motion});
  EXPECT_TRUE(warm.used_start);
  EXPECT_NEAR(warm.results[1], cold.results[1], 1e-5 * std::abs(cold.results[1]));
  const double difference = (cold.results[1] - first.results[1]) / 0.1, mean = (cold.results[5] + first.results[5]) / 2;
  EXPECT_NEAR(mean, difference, 0.05 * std::abs(difference));  // the slope, nearly straight between both
  EXPECT_NE(warm.solution.find("verne-solution/1"), std::string::npos);
}

TEST(WarmStart, GivesBackWhatWasPacked) {
  const Task task = load_task(test::source_dir() + "/tasks/two_link_min_time.yaml");
  Solution solution = predict(task);
  solution.phases = {{"swing", 0, 0.5, 0, 3}, {"land", 0.5, 1, 3, 8}};
  solution.contact_forces = {std::nullopt, solution.trajectory};
  solution.design = {{"m", 2.5, {0, 4}}};
  const std::string bytes = packed_motion(solution);
  const Solution back = unpacked_motion(bytes);
  EXPECT_EQ(packed_motion(back), bytes);
  EXPECT_EQ(back.phases[1].name, "land");
  EXPECT_EQ(back.design.at(0).value, 2.5);
  EXPECT_TRUE(back.contact_forces[1] && !back.contact_forces[0]);
  EXPECT_EQ(back.trajectory.control_points(), solution.trajectory.control_points());
  EXPECT_EQ(back.trajectory.duration(), solution.trajectory.duration());
  EXPECT_EQ(back.state.has_value(), solution.state.has_value());
}

}  // namespace
}  // namespace verne
