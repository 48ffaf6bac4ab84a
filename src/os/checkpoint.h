// A moment of this process to which forked children return as often as they like: memory
// (memory_image.h), what the kernel has of the process (process_baseline.h), and the place in the
// code. For requests that must not see one another: to return costs less than a hundredth of what
// a new process costs.
//
// The object, the stack it works on and all it remembers lie in a range of addresses of its own,
// which is not part of the image. One for each process, on its only thread and on the C stack that
// the process began with.
#pragma once

#include <sys/resource.h>
#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "os/memory_image.h"
#include "os/process_baseline.h"

namespace stampede::os {

enum class Arrival : uint8_t {
    kKept,      // the moment is kept; also what children forked later find on their stack
    kReturned,  // this child has called go_back()
};

class Checkpoint {
public:
    // A sentence when this build or this kernel cannot.
    static const char* obstacle();
    // Null when there is no memory for it.
    static Checkpoint* create();

    // Comes back once by itself, and once for each go_back(). After an error nothing is kept.
    // `unused`: see MemoryImage::keep().
    Result<Arrival> keep(std::span<const AddressRange> unused = {});
    // What a child finds in each life.
    struct Note {
        int connection = -1;
    };
    // In a forked child that will call go_back(): what it has now it will have again.
    Error begin_child(const Note& note);
    const Note& note() const { return note_; }
    // Does not come back but from keep(); otherwise a phrase that says what could not be restored.
    const char* go_back(LookAt looked_at);

    const MemoryImage& image() const { return image_; }

private:
    static constexpr size_t kWorkStack = 256 * 1024;
    static constexpr size_t kMostOfStack = 1024 * 1024;

    Checkpoint() = default;
    static void enter(unsigned high, unsigned low);
    void work();
    Error keep_stack();
    const char* restore();
    void spare_identity_of_thread();

    enum class Command : uint8_t { kKeep, kGoBack };

    AddressRange own_;
    std::span<const AddressRange> unused_;
    ucontext_t kept_;
    ucontext_t caller_;
    ucontext_t work_;
    Command command_ = Command::kKeep;
    LookAt looked_at_ = LookAt::kEverything;
    bool is_kept_ = false;
    Error error_;
    const char* obstacle_ = nullptr;
    Note note_;
    int32_t parent_ = 0;
    AddressRange stack_;  // the part that is kept
    MemoryImage image_;
    ProcessBaseline baseline_;
    alignas(64) std::array<char, kMostOfStack> stack_content_;
    alignas(64) std::array<char, kWorkStack> work_stack_;
};

}  // namespace stampede::os
