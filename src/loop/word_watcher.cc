#include "loop/word_watcher.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "os/futex.h"
#include "os/thread.h"

namespace stampede::loop {

namespace {

struct Entry {
    const WordWatch* watch;  // to find it by; the thread does not look into it
    std::atomic<uint32_t>* word;
    uint32_t seen;
    bool changed;  // the loop has been told, and is about to take it out
};

}  // namespace

struct WordWatcher::Shared {
    std::mutex mutex;
    std::vector<Entry> entries;
    Loop* loop = nullptr;
    bool posted = false;
    std::atomic<uint32_t> revision{0};  // of the entries; the thread waits for it, too
};

WordWatcher& WordWatcher::get() {
    static WordWatcher watcher;
    return watcher;
}

bool WordWatcher::watch(Loop& loop, WordWatch& watch) {
    if (refused_) {
        return false;
    }
    if (shared_ == nullptr) {
        if (!os::can_wait_for_any()) {
            refused_ = true;
            return false;
        }
        shared_ = new Shared();
        if (os::start_thread(run, shared_)) {
            delete std::exchange(shared_, nullptr);
            return false;
        }
    }
    {
        std::lock_guard guard(shared_->mutex);
        if (shared_->entries.size() + 1 >= os::kMostWords) {
            return false;
        }
        shared_->loop = &loop;
        shared_->entries.push_back({&watch, watch.word, watch.seen, false});
        shared_->revision.fetch_add(1);
    }
    os::futex_wake(shared_->revision, 1);
    watches_.push_back(watch);
    return true;
}

void WordWatcher::unwatch(WordWatch& watch) {
    if (!watch.linked() || shared_ == nullptr) {
        return;
    }
    watch.unlink();
    std::lock_guard guard(shared_->mutex);
    std::erase_if(shared_->entries, [&](const Entry& entry) { return entry.watch == &watch; });
    // The thread may still wait for the word: a wake-up for nothing is all that comes of it.
}

void WordWatcher::abandon() {
    while (watches_.pop_front() != nullptr) {
    }
    shared_ = nullptr;  // its mutex may be held by a thread that is not there
}

// On the loop thread.
void WordWatcher::tell_changed(Shared& shared) {
    {
        std::lock_guard guard(shared.mutex);
        shared.posted = false;
        std::erase_if(shared.entries, [](const Entry& entry) { return entry.changed; });
    }
    List<WordWatch> changed;
    for (WordWatch* watch = watches_.front(); watch != nullptr;) {
        WordWatch* next = watches_.after(*watch);
        if (watch->word->load(std::memory_order_acquire) != watch->seen) {
            watch->unlink();
            changed.push_back(*watch);
        }
        watch = next;
    }
    while (WordWatch* watch = changed.pop_front()) {
        {
            std::lock_guard guard(shared.mutex);
            std::erase_if(shared.entries, [&](const Entry& entry) { return entry.watch == watch; });
        }
        watch->on_change(*watch);
    }
}

void* WordWatcher::run(void* argument) {
    auto& shared = *static_cast<Shared*>(argument);
    struct ChangePost : Post {
        Shared* shared;
    };
    std::vector<os::SeenWord> words;
    for (;;) {
        words.clear();
        words.push_back({&shared.revision, shared.revision.load()});
        {
            std::lock_guard guard(shared.mutex);
            bool any_changed = false;
            for (Entry& entry : shared.entries) {
                entry.changed = entry.changed || entry.word->load() != entry.seen;
                any_changed = any_changed || entry.changed;
                if (!entry.changed) {
                    words.push_back({entry.word, entry.seen});
                }
            }
            if (any_changed && !shared.posted) {
                shared.posted = true;
                auto* post = new ChangePost();
                post->shared = &shared;
                post->run = [](Post& base) {
                    const Shared* of = static_cast<ChangePost&>(base).shared;
                    delete &static_cast<ChangePost&>(base);
                    WordWatcher& watcher = get();
                    if (watcher.shared_ != nullptr && watcher.shared_ == of) {
                        watcher.tell_changed(*watcher.shared_);
                    }
                };
                shared.loop->post(*post);
            }
        }
        // Waits until something changes: it has no deadline, since it lives as long as the process
        // and is woken with each new entry.
        os::wait_for_any(words.data(), words.size());
    }
    return nullptr;
}

}  // namespace stampede::loop
