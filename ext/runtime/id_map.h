// Numbers that are handed out in rising order -> objects: open addressing, where such numbers
// hardly ever collide. Owned by the runtime or a class of the API, PHP thread, never parks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace stampede::runtime {

// Entries that collide are kept in the order of their distance from their own slots ("Robin Hood"):
//
//   slot        4    5    6    7         where the number belongs: number & mask
//   entry       4   68    5    -         68 belongs to 4 (64 slots), so it pushes 5 on by one
//   distance    0    1    1
//
// So erase() needs no marks of what has gone: it moves up those after the gap until one is at home
// or a slot is empty. Half of the slots stay free, so each search ends.
template <typename T>
class IdMap {
public:
    T* find(int64_t id) const {
        const Entry* entries = entries_.data();
        size_t i = slot(id);
        while (entries[i].id != id) {
            if (entries[i].id == 0) {
                return nullptr;
            }
            i = (i + 1) & mask_;
        }
        return id != 0 ? entries[i].value : nullptr;
    }

    void insert(int64_t id, T* value) {
        if ((size_ + 1) * 2 > entries_.size()) {
            grow();
        }
        place({id, value});
        size_++;
    }

    void erase(int64_t id) {
        size_t hole = slot(id);
        while (entries_[hole].id != id) {
            hole = (hole + 1) & mask_;
        }
        size_--;
        // Those after move up by one, until one is where it belongs.
        for (size_t i = (hole + 1) & mask_; entries_[i].id != 0 && distance(i) > 0;
             i = (i + 1) & mask_) {
            entries_[hole] = entries_[i];
            hole = i;
        }
        entries_[hole] = {};
    }

    size_t size() const { return size_; }

    // In no particular order; visit may not change the map.
    template <typename Visit>
    void each(Visit visit) const {
        for (const Entry& entry : entries_) {
            if (entry.id != 0) {
                visit(entry.id, *entry.value);
            }
        }
    }

    void clear() { *this = IdMap(); }

private:
    struct Entry {
        int64_t id = 0;
        T* value = nullptr;
    };

    size_t slot(int64_t id) const { return static_cast<size_t>(id) & mask_; }

    size_t distance(size_t at) const { return (at - slot(entries_[at].id)) & mask_; }

    // The entry further from its own slot gets the place; erase() relies on that order.
    void place(Entry entry) {
        size_t away = 0;
        for (size_t i = slot(entry.id);; i = (i + 1) & mask_, away++) {
            if (entries_[i].id == 0) {
                entries_[i] = entry;
                return;
            }
            size_t theirs = distance(i);
            if (theirs < away) {
                std::swap(entries_[i], entry);
                away = theirs;
            }
        }
    }

    void grow() {
        std::vector<Entry> old(entries_.size() * 2);
        old.swap(entries_);
        mask_ = entries_.size() - 1;
        for (const Entry& entry : old) {
            if (entry.id != 0) {
                place(entry);
            }
        }
    }

    static constexpr size_t kFirstSize = 64;

    std::vector<Entry> entries_ = std::vector<Entry>(kFirstSize);
    size_t size_ = 0;
    size_t mask_ = kFirstSize - 1;
};

}  // namespace stampede::runtime
