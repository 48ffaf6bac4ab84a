#include "runtime/collector.h"

#include <utility>

#include "runtime/runtime.h"
#include "zend/throw.h"

namespace stampede::runtime {

namespace {

int (*collect)();  // null while ours is not there

// Of the coroutine that has started it until it is over; of its own coroutine once a destructor has
// waited and the other one has gone on.
struct Collection final : Job {
    int count = 0;
    bool over = false;
    bool left = false;
    zend_object* exception = nullptr;  // a reference
};

void run_collection(Job& job) { static_cast<Collection&>(job).count = collect(); }

bool is_worth_a_word(zend_object* exception) {
    return exception != nullptr && !zend_is_unwind_exit(exception) &&
           !zend_is_graceful_exit(exception) && !zend::is_exit_exception(exception);
}

// What a destructor throws after it has waited can reach nobody.
void end_collection(Job& job, Outcome outcome, zend_object* exception) {
    auto& collection = static_cast<Collection&>(job);
    collection.over = true;
    if (!collection.left) {
        if (exception != nullptr) {
            GC_ADDREF(exception);
        }
        collection.exception = exception;
        return;
    }
    if (outcome != Outcome::kBailed && is_worth_a_word(exception)) {
        GC_ADDREF(exception);
        zend_exception_error(exception, E_WARNING);
    }
    delete &collection;
}

// gc_collect_cycles() of the script waits for the destructors: it is a place where code may.
bool asked_by_script() {
    const zend_execute_data* frame = EG(current_execute_data);
    return frame != nullptr && frame->func != nullptr &&
           frame->func->type == ZEND_INTERNAL_FUNCTION && frame->func->common.scope == nullptr &&
           frame->func->common.function_name != nullptr &&
           zend_string_equals_literal(frame->func->common.function_name, "gc_collect_cycles");
}

// 0 as long as it is not over, as the engine says of a collection in a collection.
int collect_beside() {
    Runtime* runtime = Runtime::peek();
    if (runtime == nullptr || !runtime->can_park() || asked_by_script()) {
        return collect();
    }
    auto* collection = new Collection();
    collection->run = run_collection;
    collection->finished = end_collection;
    if (runtime->spawn(*collection) < 0) {
        delete collection;
        return collect();
    }
    if (!collection->over) {
        collection->left = true;
        return 0;
    }
    int count = collection->count;
    zend_object* exception = collection->exception;
    delete collection;
    if (exception != nullptr) {
        // In place of an instruction or in a function, as if the destructor had been called here.
        zend_throw_exception_internal(exception);
    }
    return count;
}

}  // namespace

void install_collector() {
    if (gc_collect_cycles != collect_beside) {
        collect = std::exchange(gc_collect_cycles, collect_beside);
    }
}

void remove_collector() {
    if (gc_collect_cycles == collect_beside) {
        gc_collect_cycles = collect;
    }
}

}  // namespace stampede::runtime
