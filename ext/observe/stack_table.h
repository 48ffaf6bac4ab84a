// Stacks of PHP code with what was seen of each: the memory of the profiler between two looks of
// its client. What does not fit any more counts as "[other]". PHP thread, never parks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "zend/php.h"

namespace stampede::observe {

// Computing, and all time that has passed: a wait has the second alone.
struct Weight {
    Nanos cpu = 0;
    Nanos wall = 0;

    Weight& operator+=(const Weight& other) {
        cpu += other.cpu;
        wall += other.wall;
        return *this;
    }
};

class StackTable {
public:
    static constexpr size_t kMostStacks = 4096;
    static constexpr size_t kMostFrames = 8192;  // different lines
    static constexpr size_t kMostDepth = 100;    // the innermost frames of a stack

    // The frame and its callers; null: no PHP code. The text, if there is one, stands for what the
    // innermost frame does: a function of an extension, a wait.
    void add(const zend_execute_data* frame, std::string_view leaf, Weight weight);
    // The members "frames": [["name", "file", line], ...] and "stacks": [[cpu, wall, [frame, ...]],
    // ...], the outermost frame first. The table is empty then.
    std::string take_json();
    // Gives back what belongs to the script.
    void clear();

private:
    // The engine's own strings, which are held meanwhile: two of one address are the same.
    struct FrameKey {
        const zend_class_entry* of_class;
        const zend_string* function;
        const zend_string* file;
        uint32_t line;
        bool operator==(const FrameKey&) const = default;
    };
    struct FrameHash {
        size_t operator()(const FrameKey& key) const;
    };
    struct Stack {
        uint32_t begin;
        uint32_t depth;
        Weight weight;
    };

    uint32_t frame_of(const zend_execute_data* frame);
    uint32_t text_frame(std::string_view text);
    uint32_t new_frame(std::string_view name, std::string_view file, uint32_t line);
    void add_stack(Weight weight);
    bool is_present(const Stack& stack) const;

    std::unordered_map<FrameKey, uint32_t, FrameHash> frames_;
    std::unordered_map<std::string, uint32_t> texts_;
    std::vector<std::string> names_;  // JSON, by the number of the frame
    std::unordered_map<uint64_t, uint32_t> by_hash_;
    std::vector<Stack> stacks_;
    std::vector<uint32_t> numbers_;  // of the frames of all stacks
    std::vector<uint32_t> present_;  // the stack that is being added, the innermost frame first
};

}  // namespace stampede::observe
