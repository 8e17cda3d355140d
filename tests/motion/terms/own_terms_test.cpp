// Costs and limits from code: those that the task format has, too, are their oracles.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "motion/task_text.h"
#include "verne/motion/predict.h"
#include "verne/motion/write_solution.h"

namespace verne {
namespace {

using Factory = TermFactory;

Task own_reach(const std::string& cost, const std::string& rest = "") {
  return test::read("format: verne-task/1\nmodel: two_link.yaml\nduration: 1\nminimize:\n" + cost +
                    "subject_to:\n  start: {position: 0, velocity: 0}\n  end: {position: [0.8, -0.6], velocity: 0}\n" +
                    rest + "refine: off\n");
}

Factory square_of_efforts() {
  return [](Channels& c) {
    return make_term({c.effort("shoulder"), c.effort("elbow")},
                     [](const auto* u) { return u[0] * u[0] + u[1] * u[1]; });
  };
}

/// A term by hand: u² with whatever derivatives one likes.
class Square : public Term {
 public:
  Square(Channel channel, double slope, double bend) : Term({std::move(channel)}), slope_(slope), bend_(bend) {}
  double value(const double* u) const override { return u[0] * u[0]; }
  void gradient(const double* u, double* gradient) const override { gradient[0] = slope_ * u[0]; }
  void hessian(const double*, double* hessian) const override { hessian[0] = bend_; }

 private:
  double slope_, bend_;
};

Factory square_of_position(double slope, double bend) {
  return [=](Channels& c) { return std::make_unique<Square>(c.position("elbow"), slope, bend); };
}

TEST(OwnTerms, AnEffortFromCodeIsThatOfTheFormat) {
  Task own = own_reach("  - effort: {weight: 0}\n");
  own.add_cost({.name = "squares"}, square_of_efforts());
  const Solution mine = predict(own), theirs = predict(own_reach("  - effort: 1\n"));
  ASSERT_EQ(mine.status, nlp::Status::solved) << mine.message;
  EXPECT_NEAR(mine.cost, theirs.cost, 1e-7 * theirs.cost);
  EXPECT_EQ(mine.costs.back().term, "squares");
  EXPECT_NEAR(mine.costs.back().value, theirs.cost, 1e-7 * theirs.cost);
}

TEST(OwnTerms, ALimitFromCodeIsThatOfTheFormatAndIsRefined) {
  const std::string rest = "  limits: {velocity: none, effort: ";
  const auto fastest = [&](const std::string& efforts) {
    return test::read(
        "format: verne-task/1\nmodel: two_link.yaml\nduration: free\nminimize: [time: 1]\nsubject_to:\n"
        "  start: {position: 0, velocity: 0}\n  end: {position: [0.8, -0.6], velocity: 0}\n" +
        rest + efforts + "}\n");
  };
  Task own = fastest("{shoulder: 50, elbow: 1}");
  own.add_limit({.name = "shoulder_only", .bounds = {-4, 3}, .scale = 4, .unit = "N·m"},
                [](Channels& c) { return make_term({c.effort("shoulder")}, [](const auto* u) { return u[0]; }); });
  const Solution mine = predict(own), theirs = predict(fastest("{shoulder: [-4, 3], elbow: 1}"));
  ASSERT_EQ(theirs.status, nlp::Status::solved) << theirs.message;
  ASSERT_EQ(mine.status, nlp::Status::solved) << mine.message;
  EXPECT_LE(mine.verification.limit_excess, 1e-6);
  EXPECT_NEAR(mine.trajectory.duration(), theirs.trajectory.duration(), 5e-3 * theirs.trajectory.duration());
  const auto use = std::find_if(mine.limits.begin(), mine.limits.end(),
                                [](const LimitUse& limit) { return limit.kind == "shoulder_only"; });
  ASSERT_NE(use, mine.limits.end());
  EXPECT_EQ(use->of, "effort of shoulder");
  EXPECT_EQ(use->unit, "N·m");
  EXPECT_NEAR(use->utilisation, 1, 1e-3);
}

TEST(OwnTerms, TheDurationIsAChannel) {
  const auto quickest = [](const std::string& weight) {
    return test::read(
        "format: verne-task/1\nmodel: two_link.yaml\nduration: free\nminimize: [time: " + weight +
        "]\nsubject_to:\n  start: {position: 0, velocity: 0}\n  end: {position: [0.8, -0.6], velocity: 0}\n"
        "  limits: {velocity: none, effort: {shoulder: 5, elbow: 1}}\nrefine: {knots: 0, switches: false}\n");
  };
  Task own = quickest("0.25");
  own.add_cost({.name = "haste", .weight = 0.75, .over = Over::end},
               [](Channels& c) { return make_term({c.duration()}, [](const auto* u) { return u[0]; }); });
  const Solution mine = predict(own), theirs = predict(quickest("1"));
  ASSERT_EQ(mine.status, nlp::Status::solved) << mine.message;
  EXPECT_NEAR(mine.cost, theirs.cost, 1e-7 * theirs.cost);
  EXPECT_NEAR(mine.costs.back().value, mine.trajectory.duration(), 1e-12);
}

TEST(OwnTerms, CostsAndLimitsAtTheEnds) {
  Task task = test::read(
      "format: verne-task/1\nmodel: two_link.yaml\nduration: 1\nminimize: [smoothness: 1e-6]\n"
      "subject_to:\n  start: {position: 0, velocity: 0}\n  end: {velocity: 0}\nrefine: off\n");
  task.add_cost({.name = "far_out", .weight = 2, .over = Over::end}, [](Channels& c) {
    return make_term({c.position("shoulder")}, [](const auto* u) { return (u[0] - 0.7) * (u[0] - 0.7); });
  });
  task.add_limit({.name = "tool_height", .bounds = {0.2, 0.2}, .when = When::end}, [](Channels& c) {
    return make_term({c.position("shoulder"), c.position("elbow")}, [](const auto* u) { return sin(u[0] + u[1]); });
  });
  const Solution solution = predict(task);
  ASSERT_EQ(solution.status, nlp::Status::solved) << solution.message;
  const SampledMotion motion = sample_motion(task, solution, 2);
  EXPECT_NEAR(motion.q.eigen()(0, 1), 0.7, 1e-3);
  EXPECT_NEAR(std::sin(motion.q.eigen()(0, 1) + motion.q.eigen()(1, 1)), 0.2, 1e-7);
  EXPECT_LT(solution.costs.back().value, 1e-6);
}

TEST(OwnTerms, ALimitOfAPhaseHoldsThereAlone) {
  Task task = test::read(
      "format: verne-task/1\nmodel: two_link.yaml\nminimize: [effort: 1]\n"
      "phases:\n  - {name: out, duration: 1, end: {position: [0.5, 0.5]}}\n  - {name: back, duration: 1}\n"
      "subject_to:\n  start: {position: 0, velocity: 0}\n  end: {position: 0, velocity: 0}\n");
  task.add_limit({.name = "slowly", .bounds = {-0.7, 0.7}, .phase = "back"},
                 [](Channels& c) { return make_term({c.velocity("elbow")}, [](const auto* u) { return u[0]; }); });
  const Solution solution = predict(task);
  ASSERT_EQ(solution.status, nlp::Status::solved) << solution.message;
  const SampledMotion motion = sample_motion(task, solution, 401);
  const auto speed = motion.v.eigen().row(1).cwiseAbs();
  EXPECT_GT(speed.head(200).maxCoeff(), 0.75);
  EXPECT_LT(speed.tail(200).maxCoeff(), 0.7 * (1 + 1e-5));
}

TEST(OwnTerms, AllChannelsHaveDerivativesThatHold) {
  Task task = own_reach("  - effort: 1\n");
  task.add_cost({.name = "everything", .weight = 1e-3}, [](Channels& c) {
    return make_term(
        {c.position("elbow"), c.velocity("elbow"), c.acceleration("shoulder"), c.jerk("shoulder"), c.effort("elbow"),
         c.wrench("elbow"), c.point("link2", {0.1, 0, 0}), c.point_velocity("link2"), c.axis("link2", {1, 0, 0})},
        [](const auto* u) {
          auto sum = sin(u[0]) * exp(u[1] * 0.1) + atan(u[2]) * tanh(u[3] / 100) + u[4] * u[4];
          for (int k = 5; k < 20; ++k) sum += pow(u[k], 2) / (1 + k);
          return sum + sqrt(1 + u[11] * u[14] * u[14]) + log(4 + cos(u[17]));
        });
  });
  const Solution solution = predict(task);
  EXPECT_EQ(solution.status, nlp::Status::solved) << solution.message;
}

std::string complaint_of(const std::string& name, const Factory& factory, double weight = 1) {
  return test::complaint<InputError>([&] {
    Task task = own_reach("  - effort: 1\n");
    task.add_cost({.name = name, .weight = weight}, factory);
    predict(task);
  });
}

TEST(OwnTerms, WrongDerivativesAreToldBeforeSolving) {
  EXPECT_EQ(complaint_of("fine", square_of_position(2, 2)), "none");
  EXPECT_NE(complaint_of("bad", square_of_position(2.1, 2)).find("term 'bad': its derivative by position of elbow is"),
            std::string::npos);
  EXPECT_NE(
      complaint_of("bad", square_of_position(2, 3)).find("its second derivative by position of elbow and position"),
      std::string::npos);
}

TEST(OwnTerms, BadTermsAreNamed) {
  const auto of_elbow = [](auto function) -> Factory {
    return [=](Channels& c) { return make_term({c.position("elbow")}, function); };
  };
  EXPECT_NE(complaint_of("nan", of_elbow([](const auto* u) { return log(-1.0 - u[0] * u[0]); }))
                .find("term 'nan': its value is not a number"),
            std::string::npos);
  EXPECT_NE(complaint_of("thrower", of_elbow([](const auto* u) {
                           if (u[0] > -10) throw std::runtime_error("no table there");
                           return u[0];
                         }))
                .find("term 'thrower': no table there"),
            std::string::npos);
  EXPECT_NE(
      complaint_of("lost",
                   [](Channels& c) { return make_term({c.position("ellbow")}, [](const auto* u) { return u[0]; }); })
          .find("there is no coordinate 'ellbow' (did you mean 'elbow'?)"),
      std::string::npos);
  EXPECT_NE(complaint_of("none", [](Channels&) -> std::unique_ptr<Term> { return nullptr; })
                .find("term 'none': its factory made none"),
            std::string::npos);
  int calls = 0;
  EXPECT_NE(complaint_of("growing",
                         [&](Channels& c) {
                           std::vector<Channel> channels{c.position("elbow")};
                           if (++calls > 1) channels.push_back(c.position("shoulder"));
                           return make_term(std::move(channels), [](const auto* u) { return u[0] * u[0]; });
                         })
                .find("term 'growing': it read 1 number when it was added, and reads 2 now"),
            std::string::npos);
}

TEST(OwnTerms, ChannelsHaveShortNames) {
  const auto complaint = [](const std::string& name) {
    return complaint_of(
        "short", [=](Channels& c) { return make_term({c.by_name(name)}, [](const auto* u) { return u[0] * u[0]; }); });
  };
  for (const char* name : {"q:elbow", "v:elbow", "a:elbow", "jerk:elbow", "tau:elbow", "wrench:elbow", "point:link2",
                           "point_velocity:link2", "axis_z:link2", "duration"}) {
    EXPECT_EQ(complaint(name), "none") << name;
  }
  EXPECT_NE(complaint("q:ellbow").find("term 'short': there is no coordinate 'ellbow' (did you mean 'elbow'?)"),
            std::string::npos);
  EXPECT_NE(complaint("taau:elbow").find("there is no channel 'taau:elbow' (did you mean 'tau:'?)"), std::string::npos)
      << complaint("taau:elbow");
  EXPECT_NE(complaint("tau").find("expected 'tau:NAME', found 'tau'"), std::string::npos);
  EXPECT_NE(complaint("duration:elbow").find("expected 'duration', found 'duration:elbow'"), std::string::npos);
  EXPECT_NE(complaint("ground_force").find("there is no force of the ground"), std::string::npos);
}

TEST(OwnTerms, AValueThatIsNoNumberAtAnEndIsTold) {
  const std::string complaint = complaint_of("log_of_start", [](Channels& c) {
    return make_term({c.position("elbow")}, [](const auto* u) { return log(-u[0]); });
  });
  EXPECT_NE(complaint.find("term 'log_of_start': its value is not a number on the way"), std::string::npos)
      << complaint;
}

TEST(OwnTerms, ANumberThatIsNoneInTheMidstOfASolveNamesTheTerm) {
  const auto failing = []() -> Factory {
    return [calls = std::make_shared<int>(0)](Channels& c) {
      return make_term({c.position("elbow")}, [=](const auto* u) {
        const auto square = u[0] * u[0];
        return ++*calls > 400 ? square * kInfinity - square * kInfinity : square;
      });
    };
  };
  Task with_cost = own_reach("  - effort: 1\n"), with_limit = with_cost;
  with_cost.add_cost({.name = "moody"}, failing());
  const Solution solution = predict(with_cost);
  EXPECT_EQ(solution.status, nlp::Status::failed);
  EXPECT_NE(solution.message.find("moody is not a finite number"), std::string::npos) << solution.message;
  with_limit.add_limit({.name = "moody", .bounds = {-9, 9}}, failing());
  EXPECT_NE(predict(with_limit).message.find("moody of position of elbow"), std::string::npos);
}

TEST(OwnTerms, NamesBoundsAndPhasesAreChecked) {
  Task task = own_reach("  - effort: 1\n");
  const Factory term = square_of_position(2, 2);
  task.add_cost({.name = "one"}, term);
  const auto refused = [&](LimitTermSpec spec) {
    return test::complaint<InputError>([&] { task.add_limit(spec, term); });
  };
  EXPECT_NE(refused({.name = "one", .bounds = {0, 1}}).find("there is one of this name"), std::string::npos);
  EXPECT_NE(refused({.name = "two", .bounds = {}}).find("expected bounds"), std::string::npos);
  EXPECT_NE(refused({.name = "two", .bounds = {1, 0}}).find("expected bounds"), std::string::npos);
  EXPECT_NE(refused({.name = "two", .bounds = {0, 1}, .phase = "go"}).find("there is no phase 'go'"),
            std::string::npos);
  EXPECT_NE(refused({.name = "", .bounds = {0, 1}}).find("has no name"), std::string::npos);
  for (const char* known : {"effort", "joint_force", "time"}) {
    EXPECT_NE(refused({.name = known, .bounds = {0, 1}}).find("tasks have a cost or limit of this name"),
              std::string::npos);
  }
  EXPECT_NE(test::complaint<InputError>([&] { task.add_cost({.name = "two"}, {}); }).find("no function that makes it"),
            std::string::npos);
}

TEST(OwnTerms, AFileThatLacksTheCodeIsRefused) {
  Task task = own_reach("  - effort: 1\n");
  task.add_cost({.name = "elbow_comfort"}, square_of_position(2, 2));
  const Solution solution = predict(task);
  const std::string json = solution_json(task, solution, sample_motion(task, solution, 3), "test", "");
  EXPECT_NE(json.find("terms_from_code: [\\\"elbow_comfort\\\"]"), std::string::npos);
  EXPECT_NE(test::problems(task.text + "terms_from_code: [elbow_comfort]\n").find("'elbow_comfort' is code"),
            std::string::npos);
}

}  // namespace
}  // namespace verne
