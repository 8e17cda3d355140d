#include "eval_arrays.h"

#include <fmt/core.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>

#include "exit_status.h"
#include "interrupt.h"
#include "io/npy.h"
#include "io/number.h"
#include "quantities/lane_rows.h"
#include "state_lines.h"
#include "verne/base/error.h"
#include "verne/io/file.h"
#include "verne/io/state_io.h"
#include "verne/quantities/evaluation.h"
#include "wants.h"

namespace verne::cli {

namespace {

namespace fs = std::filesystem;

/// States that one thread computes together, and those of a chunk, which are read and written at once.
constexpr int kStatesAtOnce = 256;
constexpr std::size_t kStatesOfChunk = 2048;

/// The files of --states, each with what it is: `q=FILE`, or as the file's name says.
class StateFiles {
 public:
  StateFiles(const std::string& list, const System& system)
      : closed_(!system.model().loops().empty()),
        of_q_(shape_of(system.mechanism()).quaternions),
        of_tree_(state_shape(system.model()).quaternions) {
    for (const std::string& word : split_list(list)) add(word, system);
    for (const auto& file : files_) {
      if (file.reader.rows() == count()) continue;
      throw InputError({Diagnostic{
          file.reader.path(), 0,
          fmt::format("has {} states, but {} has {}", file.reader.rows(), files_[0].reader.path(), count())}});
    }
  }

  std::size_t count() const { return files_[0].reader.rows(); }

  /// So many states from `first` on; `numbers` is for keeping them.
  void put(std::size_t first, std::size_t count, SystemBatch& batch, std::vector<double>& numbers) const {
    for (const File& file : files_) {
      numbers.resize(count * file.reader.columns());
      file.reader.read(first, count, numbers.data());
      if (file.input == &state_inputs()[0]) normalise(of_q_, first, count, file.reader, numbers);
      if (file.input->positive) require_positive(first, file.reader, numbers);
      if (file.input->of_tree) normalise(of_tree_, first, count, file.reader, numbers);
      rows_to_lanes(numbers.data(), static_cast<int>(count), file.input->rows(batch));
    }
  }

 private:
  struct File {
    const StateInput* input;
    NpyReader reader;
  };

  void add(const std::string& word, const System& system) {
    const std::size_t equals = word.find('=');
    const std::string path = equals == std::string::npos ? word : word.substr(equals + 1);
    const std::string name = equals == std::string::npos ? fs::path(path).stem().string() : word.substr(0, equals);
    const auto known = state_inputs();
    const auto found = std::ranges::find_if(known, [&](const StateInput& i) { return name == i.name; });
    if (found == known.end()) {
      throw InputError("--states " + in_quotes(word) + ": is that q, v, a or tau? Write q=" + in_quotes(path));
    }
    const StateInput* const input = &*found;
    require_input(*input, system, "--states: ");
    for (const File& file : files_) {
      if (file.input == input) throw InputError("--states: " + name + " is given twice");
    }
    files_.push_back({input, NpyReader(path)});
    const auto wanted = static_cast<std::size_t>(input->size(system));
    const NpyReader& reader = files_.back().reader;
    if (reader.columns() == wanted) return;
    throw InputError(
        {Diagnostic{path, 0,
                    fmt::format("has shape ({}, {}): expected (states, {}), the numbers of {} of the model{}",
                                reader.rows(), reader.columns(), wanted, input->name,
                                closed_ && !input->of_tree ? ", the independent ones" : "")}});
  }

  static void require_positive(std::size_t first, const NpyReader& reader, const std::vector<double>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] > 0) continue;
      throw InputError({Diagnostic{reader.path(), 0,
                                   fmt::format("[{}, {}]: expected a positive number, found {}",
                                               first + i / reader.columns(), i % reader.columns(), numbers[i])}});
    }
  }

  static void normalise(const std::vector<StateShape::Quaternion>& quaternions, std::size_t first, std::size_t count,
                        const NpyReader& reader, std::vector<double>& numbers) {
    for (const auto& [index, joint] : quaternions) {
      for (std::size_t k = 0; k < count; ++k) {
        double* const quaternion = numbers.data() + k * reader.columns() + index;
        const auto problem = normalise_quaternion(quaternion);
        if (!problem) continue;
        throw InputError({Diagnostic{
            reader.path(), 0, fmt::format("[{}, {}], joint {}: {}", first + k, index, in_quotes(joint), *problem)}});
      }
    }
  }

  bool closed_;
  std::vector<StateShape::Quaternion> of_q_, of_tree_;
  std::vector<File> files_;
};

/// A result file, and the array that goes into it.
struct ResultFile {
  std::size_t want, place;  ///< array `place` of a quantity that is wanted
  NpyWriter writer;
};

/// `energy_kinetic`, `jacobian_tool`, `tau`.
std::string file_stem(const WantedQuantity& want, const QuantityArray& array) {
  std::string stem = want.key + (array.part.empty() ? "" : "_" + array.part);
  std::ranges::replace(stem, ':', '_');
  return file_name_for(stem);
}

std::vector<ResultFile> result_files(const Evaluation& evaluation, const std::string& output, std::size_t count) {
  const bool one_file = fs::path(output).extension() == ".npy";
  std::size_t arrays = 0;
  for (std::size_t w = 0; w < evaluation.wants().size(); ++w) arrays += evaluation.arrays(w).size();
  if (one_file && arrays > 1) {
    throw InputError(
        fmt::format("--output {}: there are {} arrays to write: name a folder", in_quotes(output), arrays));
  }
  if (!one_file) {
    std::error_code error;
    fs::create_directories(output, error);
    if (error) throw EnvironmentError(fmt::format("{}: {}", output, error.message()));
  }
  std::vector<ResultFile> files;
  for (std::size_t w = 0; w < evaluation.wants().size(); ++w) {
    for (std::size_t k = 0; k < evaluation.arrays(w).size(); ++k) {
      const QuantityArray& array = evaluation.arrays(w)[k];
      std::vector<std::size_t> shape{count};
      for (const int axis : array.shape) shape.push_back(static_cast<std::size_t>(axis));
      const std::string path =
          one_file ? output : (fs::path(output) / (file_stem(evaluation.wants()[w], array) + ".npy")).string();
      files.push_back({w, k, NpyWriter(path, shape)});
    }
  }
  return files;
}

/// What goes from one end of the pipeline to the other: some states, then their results, a vector for each file.
struct Chunk {
  std::size_t first = 0, count = 0;
  std::vector<std::vector<double>> results;
};

class ArrayPipeline {
 public:
  ArrayPipeline(const System& system, const ArrayOptions& options)
      : system_(system),
        states_(options.states, system_),
        wants_(split_list(options.want)),
        threads_(options.threads),
        arena_(options.threads),
        workers_([&] { return Worker(system_, wants_); }),
        files_(result_files(Evaluation(system_, wants_, 1), options.output, states_.count())) {}

  void run() {
    arena_.execute([&] { run_pipeline(); });
    check_interrupt();
    for (ResultFile& file : files_) file.writer.finish();
    if (other_branches_ > 0) {
      complain(fmt::format("warning: {} of the states: {}", other_branches_.load(), kNotConnected));
    }
    if (not_finite_ == 0) return;
    throw NotAchieved{fmt::format("{} of the results are not finite numbers", not_finite_.load())};
  }

 private:
  struct Worker {
    Worker(const System& system, const std::vector<std::string>& wants) : evaluation(system, wants, kStatesAtOnce) {}
    Evaluation evaluation;
    std::vector<double> numbers;
  };

  void run_pipeline() {
    std::size_t next = 0;
    const auto begin = [&](tbb::flow_control& flow) {
      check_interrupt();
      if (next == states_.count()) flow.stop();
      Chunk chunk{next, std::min(kStatesOfChunk, states_.count() - next), {}};
      next += chunk.count;
      return chunk;
    };
    tbb::parallel_pipeline(
        static_cast<std::size_t>(2 * threads_),
        tbb::make_filter<void, Chunk>(tbb::filter_mode::serial_in_order, begin) &
            tbb::make_filter<Chunk, Chunk>(tbb::filter_mode::parallel, [&](Chunk chunk) { return computed(chunk); }) &
            tbb::make_filter<Chunk, void>(tbb::filter_mode::serial_in_order,
                                          [&](const Chunk& chunk) { write(chunk); }));
  }

  Chunk computed(Chunk chunk) {
    Worker& worker = workers_.local();
    chunk.results.resize(files_.size());
    for (std::size_t done = 0; done < chunk.count; done += kStatesAtOnce) {
      const std::size_t count = std::min<std::size_t>(kStatesAtOnce, chunk.count - done);
      states_.put(chunk.first + done, count, worker.evaluation.states(), worker.numbers);
      compute(worker.evaluation, chunk.first + done, count);
      for (std::size_t f = 0; f < files_.size(); ++f) {
        const QuantityArray& array = worker.evaluation.arrays(files_[f].want)[files_[f].place];
        const auto size = static_cast<std::size_t>(array.size());
        chunk.results[f].resize(chunk.count * size);
        array.copy(0, static_cast<int>(count), chunk.results[f].data() + done * size);
      }
    }
    count_not_finite(chunk);
    return chunk;
  }

  /// Places in the rest of the batch have states that were computed before, or home.
  void compute(Evaluation& evaluation, std::size_t first, std::size_t count) {
    evaluation.states().count_from(first);
    evaluation.compute();
    const auto connected = evaluation.states().connected().first(count);
    other_branches_ += static_cast<long>(std::ranges::count(connected, char{0}));
  }

  void count_not_finite(const Chunk& chunk) {
    for (const std::vector<double>& numbers : chunk.results) {
      double sum = 0;
      for (const double number : numbers) sum += number * 0.0;
      if (sum == 0) continue;
      not_finite_ += std::ranges::count_if(numbers, [](double number) { return number * 0.0 != 0.0; });
    }
  }

  void write(const Chunk& chunk) {
    for (std::size_t f = 0; f < files_.size(); ++f) files_[f].writer.write(chunk.results[f]);
  }

  System system_;
  StateFiles states_;
  std::vector<std::string> wants_;
  int threads_;
  tbb::task_arena arena_;
  tbb::enumerable_thread_specific<Worker> workers_;
  std::vector<ResultFile> files_;
  std::atomic<long> not_finite_ = 0, other_branches_ = 0;
};

}  // namespace

void evaluate_arrays(const System& system, const ArrayOptions& options) {
  if (options.output.empty() || options.output == "-") {
    throw InputError("--states: results are arrays, too: name their file or folder, as in -o tau.npy");
  }
  ArrayPipeline(system, options).run();
}

}  // namespace verne::cli
