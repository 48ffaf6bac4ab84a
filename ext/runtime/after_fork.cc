// The runtime in a forked child: what it must not touch of its parent's, and what it goes on with.
#include "runtime/runtime.h"

namespace stampede::runtime {

namespace {

std::vector<void (*)()> fork_listeners;
bool children_return = false;  // not those of the children
// Of the parents. Never used again; known here until the very end, so that they are not taken for
// lost memory.
auto* const left_loops = new std::vector<loop::Loop*>();

}  // namespace

void Runtime::on_fork(void (*listener)()) { fork_listeners.push_back(listener); }

// Memory is returned to the kernel by the clock: here each return to this moment would do it again.
void Runtime::prepare_return() { create().memory_.stop(); }

void Runtime::expect_return() { children_return = true; }

// The child has the parent's memory, but shares its kernel objects: the epoll set and the eventfd
// of the loop are one and the same. So the loop is given up without a system call that would change
// them (abandon()), and nothing may unregister itself from it later. Of the coroutines only the one
// that has forked goes on; the stacks of the others are copies that nobody returns to.
void Runtime::after_fork_in_child() {
    if (instance_ == nullptr) {
        return;
    }
    Runtime& runtime = *instance_;
    if (children_return && !runtime.loop_->part()) {
        return;
    }
    runtime.loop_->abandon();
    loop_generation_++;
    for (auto* listener : fork_listeners) {
        listener();
    }
    auto loop = loop::Loop::create();
    if (loop) {
        // The old one stays: objects of the parent's may still be linked into its lists.
        left_loops->push_back(runtime.loop_.release());
        runtime.loop_ = std::move(*loop);
        runtime.memory_.start(*runtime.loop_);
    }
    Fiber* current = runtime.current_;
    runtime.fibers_.clear();
    if (current != nullptr) {
        runtime.fibers_.insert(current->cid, current);
    }
    runtime.run_depth_ = 0;
    runtime.in_iteration_ = false;
}

}  // namespace stampede::runtime
