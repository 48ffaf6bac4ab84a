// The metrics of a server in memory that all of its processes share. Each process of the server has
// a block of cells of its own, in which it alone counts, without a lock and without a locked
// instruction; a reader adds the blocks up. A block belongs to the line of the scoreboard and not
// to the process, so what a killed process has counted stays, and its successor goes on from there.
// One more block is for all other processes (programs that the server starts, children of a
// worker), which add by locked instructions.
//
// Families and series (a family with values for its labels) are entered into tables of a fixed
// size. An entry is claimed by one atomic step and filled by each process that finds it unfilled.
// All write the same bytes, so a process that is killed in between leaves nothing to wait for.
//
// Made by the supervisor before workers are forked. Any process, never parks, never allocates.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "metrics/families.h"
#include "os/fd.h"
#include "os/mmap.h"

namespace stampede::metrics {

// The first of a series' cells in each block. Nobody reads those from kNoCell on: what has no room
// is counted there.
using Cell = uint32_t;
inline constexpr Cell kNoCell = 0;
inline constexpr Cell kFirstCell = 32;
static_assert(kFirstCell >= kMostBounds + 2);

// A counter of one process, or of several.
class Writer {
public:
    enum class Sharing : uint8_t { kAlone, kShared };
    Writer() = default;
    Writer(std::atomic<uint64_t>* cells, Sharing sharing) : cells_(cells), sharing_(sharing) {}

    bool counts() const { return cells_ != nullptr; }
    bool is_alone() const { return sharing_ == Sharing::kAlone; }
    void add(Cell cell, uint64_t delta) {
        std::atomic<uint64_t>& at = cells_[cell];
        if (sharing_ == Sharing::kAlone) {
            at.store(at.load(std::memory_order_relaxed) + delta, std::memory_order_relaxed);
        } else {
            at.fetch_add(delta, std::memory_order_relaxed);
        }
    }
    void set(Cell cell, uint64_t value) { cells_[cell].store(value, std::memory_order_relaxed); }
    // Of Unit::kReal.
    void add_real(Cell cell, double delta);
    // Of Unit::kSeconds, with the bounds kDurations.
    void observe(Cell cell, Nanos duration) {
        add(cell + duration_bucket(duration), 1);
        add(cell + kDurationBuckets, static_cast<uint64_t>(duration));
    }

private:
    std::atomic<uint64_t>* cells_ = nullptr;
    Sharing sharing_ = Sharing::kAlone;
};

// The values of labels as the text form has them: a="1",b="2".
class Labels {
public:
    static constexpr size_t kMost = 456;
    // What does not fit is cut between characters. False: not even the name fits.
    bool add(std::string_view name, std::string_view value);
    std::string_view text() const { return {text_, size_}; }

private:
    void put(std::string_view bytes) {
        std::copy(bytes.begin(), bytes.end(), text_ + size_);
        size_ += bytes.size();
    }

    char text_[kMost];
    size_t size_ = 0;
};
// Those of a family, in the order of its labels.
Labels labels_of(const Family& family, std::initializer_list<std::string_view> values);

class Board {
public:
    static constexpr uint32_t kCells = 1 << 16;  // of a block
    static constexpr uint32_t kSeries = 1 << 13;
    static constexpr uint32_t kMostSeries = kSeries / 4 * 3;
    static constexpr uint32_t kOwnFamilies = 256;  // of the application
    static constexpr uint32_t kRoutes = 512;

    static Result<std::unique_ptr<Board>> create(uint32_t blocks);
    // In a program that a process of the server has started.
    static Result<std::unique_ptr<Board>> attach(int file);
    // What attach() takes.
    int file() const { return file_.get(); }

    // Of one process, by the number of its block; shared() of all that have none.
    Writer writer(uint32_t block) { return {cells(block), Writer::Sharing::kAlone}; }
    Writer shared() { return {cells(blocks_), Writer::Sharing::kShared}; }

    // The cell of a series, which is made when there is none. kNoCell: there are too many, of this
    // family or in all; it is for the caller to count as another one (overflow).
    Cell series(Id id, std::string_view labels, uint32_t most = kMostSeries);
    Cell series(uint16_t family, std::string_view labels, uint32_t most = kMostSeries);
    // Its family has too many. True once: the caller says so in the log.
    bool note_overflow(uint16_t family);

    // A metric of the application. kConflict: it exists as something else.
    static constexpr uint16_t kNoRoom = UINT16_MAX;
    static constexpr uint16_t kConflict = UINT16_MAX - 1;
    uint16_t declare(const Family& family);
    // Of any number that series() takes.
    Family family_at(uint16_t number) const;

    // The number of a route template, at most kRoutes; kOtherRoute: there are too many.
    static constexpr uint16_t kNoRoute = 0;
    static constexpr uint16_t kOtherRoute = 1;
    uint16_t route(std::string_view text);
    std::string_view route_text(uint16_t number) const;

    // The process of a block is gone: its gauges go with it. By the supervisor.
    void bury(uint32_t block);

    // For the text form: each series of the family with its labels and cell, in their order.
    struct Shown {
        std::string_view labels;
        Cell cell;
    };
    std::vector<Shown> shown(uint16_t family) const;
    // Families of the application: numbers from kFamilies on.
    uint16_t families_end() const;
    // The sum over all blocks.
    uint64_t total(Cell cell) const;
    double total_real(Cell cell) const;

private:
    struct Head;
    struct Series;
    struct OwnFamily;
    struct Route;

    Board(os::SharedMemory memory, uint32_t blocks, os::Fd file);
    std::atomic<uint64_t>* cells(uint32_t block) const { return cells_ + size_t{block} * kCells; }
    Series* find(uint16_t family, std::string_view labels, uint32_t most);
    bool take_room(uint16_t family, uint32_t most);
    void complete(Series& series, uint16_t family, std::string_view labels);

    os::SharedMemory memory_;
    os::Fd file_;
    uint32_t blocks_;  // without the shared one
    Head* head_;
    Route* routes_;
    OwnFamily* own_;
    Series* series_;
    std::atomic<uint64_t>* cells_;
};

}  // namespace stampede::metrics
