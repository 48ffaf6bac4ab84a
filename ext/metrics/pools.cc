#include "ext/metrics/pools.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "ext/metrics/present.h"
#include "metrics/families.h"

namespace stampede::metrics {

namespace {

constexpr size_t kMostPools = 100;  // classes

// A pool may have been made before the process counts, or in the one that it was forked from: the
// numbers are kept here, and each change shows them all.
struct Pools {
    int64_t places = 0;
    int64_t connections = 0;
    int64_t waiting = 0;
    Cell cells[3] = {};
    Cell waits = kNoCell;
};

std::unordered_map<std::string, Pools> pools;

Pools* find(std::string_view pool) {
    auto found = pools.find(std::string(pool));
    if (found == pools.end() && pools.size() >= kMostPools) {
        return nullptr;
    }
    return found != pools.end() ? &found->second : &pools[std::string(pool)];
}

Cell cell_of(Cell& known, Id id, std::string_view pool) {
    if (known == kNoCell) {
        known = present_board()->series(id, labels_of(family(id), {pool}).text());
    }
    return known;
}

// Processes that share a block would overwrite each other's.
bool counts() { return present_board() != nullptr && present_writer().is_alone(); }

}  // namespace

void change_pools(std::string_view pool, const PoolChange& change) {
    Pools* all = find(pool);
    if (all == nullptr) {
        return;
    }
    all->places = std::max<int64_t>(all->places + change.places, 0);
    all->connections = std::max<int64_t>(all->connections + change.connections, 0);
    all->waiting = std::max<int64_t>(all->waiting + change.waiting, 0);
    if (counts()) {
        constexpr Id kIds[] = {Id::kPoolPlaces, Id::kPoolConnections, Id::kPoolWaiting};
        const int64_t values[] = {all->places, all->connections, all->waiting};
        for (size_t i = 0; i < std::size(kIds); i++) {
            present_writer().set(cell_of(all->cells[i], kIds[i], pool),
                                 static_cast<uint64_t>(values[i]));
        }
    }
}

void count_pool_wait(std::string_view pool, Nanos duration) {
    Pools* all = find(pool);
    if (all != nullptr && counts()) {
        present_writer().observe(cell_of(all->waits, Id::kPoolWait, pool), duration);
    }
}

void forget_pool_cells() {
    for (auto& [name, all] : pools) {
        std::fill(std::begin(all.cells), std::end(all.cells), kNoCell);
        all.waits = kNoCell;
    }
}

}  // namespace stampede::metrics
