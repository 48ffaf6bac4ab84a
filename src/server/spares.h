// Objects that are not needed now and are kept for the next use, up to a number. They are linked by
// their member `next_spare`. Loop thread; never parks.
#pragma once

#include <cstddef>

namespace stampede::server {

template <typename T>
class Spares {
public:
    explicit Spares(size_t most) : most_(most) {}
    ~Spares() {
        while (T* spare = take()) {
            delete spare;
        }
    }
    Spares(const Spares&) = delete;
    Spares& operator=(const Spares&) = delete;

    bool full() const { return count_ >= most_; }
    void keep(T& object) {
        object.next_spare = first_;
        first_ = &object;
        count_++;
    }
    // Null: there is none.
    T* take() {
        T* spare = first_;
        if (spare != nullptr) {
            first_ = spare->next_spare;
            count_--;
        }
        return spare;
    }

private:
    size_t most_;
    size_t count_ = 0;
    T* first_ = nullptr;
};

}  // namespace stampede::server
