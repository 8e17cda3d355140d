/// The file in which a study's results are kept as they come: records that are only ever appended, each with a
/// checksum.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace verne {

/// A header, then records. Whoever has it open is the only one.
class Journal {
 public:
  /// Opens the file, or makes it with this header. Throws InputError for a file that is no journal, EnvironmentError
  /// when it cannot be written or is in use.
  Journal(const std::string& path, const std::string& header);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Of the file: that of who made it.
  const std::string& header() const { return header_; }
  /// Records that were there when it was opened, in their order.
  const std::vector<std::string>& records() const { return records_; }
  void forget_records() { records_ = {}; }
  /// Bytes behind the last whole record that were dropped: somebody was cut off while writing.
  std::size_t dropped() const { return dropped_; }

  void append(std::string_view record);
  /// Puts what was appended on the disk when that has not been done for kFlushSeconds.
  void flush_in_time();
  void flush();

 private:
  void begin(const std::string& header);
  void load(const std::string& contents);

  std::string path_, header_, buffer_;
  std::vector<std::string> records_;
  std::size_t dropped_ = 0;
  int file_ = -1;
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
};

/// All of a journal: its header, and its whole records in their order.
struct JournalContents {
  std::string header;
  std::vector<std::string> records;
  std::size_t end = 0;  ///< behind the last whole record
};
/// What is on the disk, whoever may be writing. Throws InputError for a file that is no journal.
JournalContents read_journal(const std::string& path);
/// The header of a journal; nothing where there is no file. Throws InputError for a file that is no journal.
std::optional<std::string> journal_header(const std::string& path);

/// Whether a process of this machine has it open as a Journal.
bool is_being_written(const std::string& path);

}  // namespace verne
