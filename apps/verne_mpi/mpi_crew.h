/// Ranks of MPI that compute points. Only this file's source knows MPI.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "study/crew.h"

namespace verne {

/// MPI from its beginning to its end.
class MpiWorld {
 public:
  MpiWorld(int* argc, char*** argv);
  ~MpiWorld();
  MpiWorld(const MpiWorld&) = delete;
  MpiWorld& operator=(const MpiWorld&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// What rank 0 has goes to all others, which get it as the result.
  std::string shared(std::string text) const;
  /// Ends all ranks at once.
  [[noreturn]] void abort(int status) const;

 private:
  int rank_ = 0, size_ = 1;
};

/// All ranks but 0, seen from rank 0. A rank that says nothing for `silence` seconds beyond its turn counts as gone.
class MpiCrew : public Crew {
 public:
  MpiCrew(const MpiWorld& world, double silence);
  ~MpiCrew() override;

  int workers() const override;
  bool alive(int worker) const override;
  void give(int worker, int point, std::string order) override;
  std::optional<CrewAnswer> next(double seconds) override;
  /// Sends the ranks home.
  void dismiss();

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

/// What the other ranks do: hand orders to `crew`, which has one worker, until they are sent home.
void serve(Crew& crew);

}  // namespace verne
