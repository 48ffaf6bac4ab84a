// Metrics as text, for Prometheus and its likes: in its own format 0.0.4, or as OpenMetrics 1.0.
// Families come one after another, each with all of its samples. Any process, never parks.
#pragma once

#include <string>
#include <string_view>

#include "metrics/board.h"

namespace stampede::metrics {

enum class Format : uint8_t { kPrometheus, kOpenMetrics };

class TextWriter {
public:
    explicit TextWriter(Format format) : format_(format) {}

    // The lines before the samples of a family.
    void begin(const Family& family);
    // A sample of the family that was begun. `labels` as Labels has them.
    void sample(std::string_view labels, double value);
    void sample(std::string_view labels, uint64_t value);
    // All series of a family that the board has; its lines before them only when there are any.
    void family(const Board& board, uint16_t number);
    // The end of the text. Nothing may follow.
    std::string finish();

private:
    void name(std::string_view suffix, std::string_view labels, std::string_view more);
    void histogram(const Board& board, const Board::Shown& series);
    void number(double value);
    void value(uint64_t cell);

    Format format_;
    Family family_;
    std::string text_;
};

}  // namespace stampede::metrics
