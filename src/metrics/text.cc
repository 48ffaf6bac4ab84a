#include "metrics/text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>

namespace stampede::metrics {

namespace {

std::string_view type_name(Type type) {
    return type == Type::kCounter ? "counter" : type == Type::kGauge ? "gauge" : "histogram";
}

// Line feeds and backslashes would end the line; OpenMetrics escapes quotation marks as well.
void append_help(std::string& out, std::string_view help, Format format) {
    for (char c : help) {
        if (c == '\n') {
            out += "\\n";
        } else if (c == '\\' || (c == '"' && format == Format::kOpenMetrics)) {
            out += '\\';
            out += c;
        } else {
            out += c;
        }
    }
}

constexpr double kNanosInSecond = 1e9;

}  // namespace

void TextWriter::begin(const Family& family) {
    family_ = family;
    // Prometheus' own format knows counters by the name of their samples.
    std::string_view suffix =
        family.type == Type::kCounter && format_ == Format::kPrometheus ? "_total" : "";
    for (std::string_view line : {std::string_view("# HELP "), std::string_view("# TYPE ")}) {
        text_.append(line).append(family.name).append(suffix).append(" ");
        if (line == "# HELP ") {
            append_help(text_, family.help, format_);
        } else {
            text_.append(type_name(family.type));
        }
        text_ += '\n';
    }
}

void TextWriter::name(std::string_view suffix, std::string_view labels, std::string_view more) {
    text_.append(family_.name).append(suffix);
    if (!labels.empty() || !more.empty()) {
        text_ += '{';
        text_.append(labels);
        if (!labels.empty() && !more.empty()) {
            text_ += ',';
        }
        text_.append(more);
        text_ += '}';
    }
    text_ += ' ';
}

// The shortest text that is this number. Bounds need a point in OpenMetrics.
void TextWriter::number(double value) {
    if (std::isnan(value)) {
        text_ += "NaN";
    } else if (std::isinf(value)) {
        text_ += value > 0 ? "+Inf" : "-Inf";
    } else {
        char digits[32];
        char* end = std::to_chars(digits, std::end(digits), value).ptr;
        text_.append(digits, static_cast<size_t>(end - digits));
    }
}

void TextWriter::value(uint64_t cell) {
    if (family_.unit == Unit::kReal) {
        number(std::bit_cast<double>(cell));
    } else if (family_.unit == Unit::kSeconds) {
        number(static_cast<double>(cell) / kNanosInSecond);
    } else if (family_.type == Type::kGauge) {
        text_ += std::to_string(static_cast<int64_t>(cell));
    } else {
        text_ += std::to_string(cell);
    }
    text_ += '\n';
}

void TextWriter::sample(std::string_view labels, double value) {
    name(family_.type == Type::kCounter ? "_total" : "", labels, {});
    number(value);
    text_ += '\n';
}

void TextWriter::sample(std::string_view labels, uint64_t cell) {
    name(family_.type == Type::kCounter ? "_total" : "", labels, {});
    value(cell);
}

void TextWriter::family(const Board& board, uint16_t number) {
    std::vector<Board::Shown> all = board.shown(number);
    if (all.empty()) {
        return;
    }
    begin(board.family_at(number));
    for (const Board::Shown& series : all) {
        if (family_.type == Type::kHistogram) {
            histogram(board, series);
        } else if (family_.unit == Unit::kReal) {
            sample(series.labels, board.total_real(series.cell));
        } else {
            sample(series.labels, board.total(series.cell));
        }
    }
}

// Buckets are sums of those below: the number of all is that of +Inf, also while others count.
void TextWriter::histogram(const Board& board, const Board::Shown& series) {
    size_t bounds = family_.bounds.size();
    uint64_t count = 0;
    for (size_t i = 0; i <= bounds; i++) {
        count += board.total(series.cell + static_cast<Cell>(i));
        double bound = i < bounds ? family_.bounds[i] : INFINITY;
        char digits[48] = "le=\"+Inf\"";
        if (i < bounds) {
            bound /= family_.unit == Unit::kSeconds ? kNanosInSecond : 1;
            char* at = digits + 4;
            bool is_usual = bound == 0 || (std::fabs(bound) >= 1e-6 && std::fabs(bound) < 1e15);
            auto format = is_usual ? std::chars_format::fixed : std::chars_format::general;
            char* end = std::to_chars(at, std::end(digits) - 4, bound, format).ptr;
            std::string_view written(at, static_cast<size_t>(end - at));
            if (written.find_first_of(".e") == written.npos) {
                *end++ = '.';
                *end++ = '0';
            }
            *end++ = '"';
            *end = 0;
        }
        name("_bucket", series.labels, digits);
        text_.append(std::to_string(count)).append("\n");
    }
    Cell sum = series.cell + static_cast<Cell>(bounds) + 1;
    name("_sum", series.labels, {});
    if (family_.unit == Unit::kReal) {
        number(board.total_real(sum));
    } else {
        number(static_cast<double>(board.total(sum)) /
               (family_.unit == Unit::kSeconds ? kNanosInSecond : 1));
    }
    text_ += '\n';
    name("_count", series.labels, {});
    text_.append(std::to_string(count)).append("\n");
}

std::string TextWriter::finish() {
    if (format_ == Format::kOpenMetrics) {
        text_ += "# EOF\n";
    }
    return std::move(text_);
}

}  // namespace stampede::metrics
