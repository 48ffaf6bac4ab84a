// The metrics that this process counts in: those of the server that it belongs to, or none. PHP
// thread (counting alone: any), never parks.
#pragma once

#include <string>
#include <string_view>

#include "metrics/board.h"

namespace stampede::metrics {

// Null: there is no server, or it counts nothing.
Board* present_board();
// Counts nothing where there is no board.
Writer& present_writer();

// This process has the block of a process of the server, alone.
void count_in_block(Board& board, uint32_t block);
// It is none of those: what it counts, it shares with others.
void count_among_others(Board& board);
void count_nowhere();

// In a process that handles a request for a worker: what the request is called there, until it is
// taken to be told.
void keep_route(std::string_view route);
std::string take_route();

// Where a board is that the program's parent has left for it, as the number of its descriptor.
inline constexpr char kInherited[] = "STAMPEDE_METRICS";
// Counts there when there is one. Once in a process.
void look_for_inherited_board();

}  // namespace stampede::metrics
