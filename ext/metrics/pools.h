// The connection pools of this process in its metrics, by the class of the pool. PHP thread, never
// parks.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/clock.h"

namespace stampede::metrics {

// What has become more, or less.
struct PoolChange {
    int64_t places = 0;
    int64_t connections = 0;
    int64_t waiting = 0;
};

void change_pools(std::string_view pool, const PoolChange& change);
void count_pool_wait(std::string_view pool, Nanos duration);
// The cells are those of another board.
void forget_pool_cells();

}  // namespace stampede::metrics
