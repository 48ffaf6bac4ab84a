#include "ext/metrics/present.h"

#include <cstdlib>
#include <utility>

#include "ext/metrics/pools.h"
#include "ext/metrics/waits.h"

namespace stampede::metrics {

namespace {

Board* board;
Writer writer;

void use(Board& next, Writer next_writer) {
    if (&next != board) {
        forget_wait_cells();
        forget_pool_cells();
    }
    board = &next;
    writer = next_writer;
}

}  // namespace

Board* present_board() { return board; }

Writer& present_writer() { return writer; }

void count_in_block(Board& of_server, uint32_t block) { use(of_server, of_server.writer(block)); }

void count_among_others(Board& of_server) { use(of_server, of_server.shared()); }

void count_nowhere() {
    board = nullptr;
    writer = Writer();
}

namespace {

std::string kept_route;

}  // namespace

void keep_route(std::string_view route) { kept_route = route; }

std::string take_route() { return std::exchange(kept_route, {}); }

// The memory stays mapped as long as the process is there.
void look_for_inherited_board() {
    const char* file = std::getenv(kInherited);
    if (board != nullptr || file == nullptr) {
        return;
    }
    if (auto inherited = Board::attach(std::atoi(file))) {
        count_among_others(*inherited->release());
    }
}

}  // namespace stampede::metrics
