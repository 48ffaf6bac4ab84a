#include "metrics/board.h"

#include <algorithm>
#include <bit>

#include "os/log_object.h"

namespace stampede::metrics {

namespace {

constexpr uint64_t kMagic = 0x73746d6574726931;
constexpr size_t kPage = 4096;

// FNV-1a, never 0. Texts are compared as well: equal hashes of different ones do no harm.
uint64_t hash_of(uint16_t family, std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325 ^ (uint64_t{family} * 0x9e3779b97f4a7c15);
    for (char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    hash ^= hash >> 29;
    return hash | 1;
}

// Of nothing, too.
void copy(char* to, std::string_view bytes) { std::copy(bytes.begin(), bytes.end(), to); }

constexpr size_t whole_pages(size_t size) { return (size + kPage - 1) / kPage * kPage; }

}  // namespace

// `claim` is the hash of the text; 0: free. `ready` is set when the rest is there.
struct Board::Route {
    static constexpr size_t kText = 112;
    std::atomic<uint64_t> claim;
    std::atomic<uint32_t> ready;
    uint32_t length;
    char text[kText];
};

struct Board::Series {
    std::atomic<uint64_t> claim;
    std::atomic<uint32_t> cell;  // 0: none yet; kNone: there was no room
    std::atomic<uint32_t> ready;
    uint16_t family;
    uint16_t length;
    char labels[Labels::kMost];

    static constexpr Cell kNone = UINT32_MAX;
    std::string_view text() const { return {labels, length}; }
};

struct Board::OwnFamily {
    static constexpr size_t kName = 128;
    static constexpr size_t kHelp = 256;
    static constexpr size_t kLabelNames = 256;
    std::atomic<uint64_t> claim;       // by the name
    std::atomic<uint64_t> definition;  // of everything: two that differ are a conflict
    std::atomic<uint32_t> ready;
    Type type;
    Unit unit;
    uint8_t bound_count;
    uint8_t name_length;
    uint16_t help_length;
    uint16_t labels_length;
    char name[kName];
    char help[kHelp];
    char labels[kLabelNames];
    double bounds[kMostBounds];
};

struct Board::Head {
    uint64_t magic;
    uint32_t blocks;
    std::atomic<uint32_t> next_cell;
    std::atomic<uint32_t> series;
    std::atomic<uint32_t> in_family[kFamilies + kOwnFamilies];
    std::atomic<uint32_t> overflows[kFamilies + kOwnFamilies];
};

namespace {

struct Layout {
    size_t routes;
    size_t own;
    size_t series;
    size_t cells;
    size_t size;
};

template <typename Head, typename Route, typename Own, typename Series>
constexpr Layout layout_of(uint32_t blocks) {
    Layout layout{};
    layout.routes = whole_pages(sizeof(Head));
    layout.own = layout.routes + whole_pages(sizeof(Route) * Board::kRoutes);
    layout.series = layout.own + whole_pages(sizeof(Own) * Board::kOwnFamilies);
    layout.cells = layout.series + whole_pages(sizeof(Series) * Board::kSeries);
    // A block is a whole number of pages: no two processes write to one cache line.
    size_t block = sizeof(std::atomic<uint64_t>) * Board::kCells;
    layout.size = layout.cells + block * (size_t{blocks} + 1);
    return layout;
}

}  // namespace

// New memory is zero, which all of it begins with, and costs nothing until it is touched.
Result<std::unique_ptr<Board>> Board::create(uint32_t blocks) {
    os::Fd file;
    size_t size = layout_of<Head, Route, OwnFamily, Series>(blocks).size;
    Result<os::SharedMemory> memory = os::SharedMemory::create(size, file);
    if (!memory) {
        return memory.error();
    }
    auto* head = static_cast<Head*>(memory->data());
    head->magic = kMagic;
    head->blocks = blocks;
    head->next_cell.store(kFirstCell);
    return std::unique_ptr<Board>(new Board(std::move(*memory), blocks, std::move(file)));
}

Result<std::unique_ptr<Board>> Board::attach(int file) {
    uint32_t blocks = 0;
    {
        Result<os::SharedMemory> head = os::SharedMemory::map(file, sizeof(Head));
        if (!head) {
            return head.error();
        }
        auto* found = static_cast<Head*>(head->data());
        if (found->magic != kMagic) {
            return Error::server(ServerError::kState);
        }
        blocks = found->blocks;
    }
    size_t size = layout_of<Head, Route, OwnFamily, Series>(blocks).size;
    Result<os::SharedMemory> memory = os::SharedMemory::map(file, size);
    if (!memory) {
        return memory.error();
    }
    return std::unique_ptr<Board>(new Board(std::move(*memory), blocks, os::Fd()));
}

Board::Board(os::SharedMemory memory, uint32_t blocks, os::Fd file)
    : memory_(std::move(memory)), file_(std::move(file)), blocks_(blocks) {
    Layout layout = layout_of<Head, Route, OwnFamily, Series>(blocks);
    auto* start = static_cast<char*>(memory_.data());
    head_ = reinterpret_cast<Head*>(start);
    routes_ = reinterpret_cast<Route*>(start + layout.routes);
    own_ = reinterpret_cast<OwnFamily*>(start + layout.own);
    series_ = reinterpret_cast<Series*>(start + layout.series);
    cells_ = reinterpret_cast<std::atomic<uint64_t>*>(start + layout.cells);
}

// ---- counting ----------------------------------------------------------------------------------

// One that is alone succeeds at once; its locked instruction is no part of a request's path.
void Writer::add_real(Cell cell, double delta) {
    std::atomic<uint64_t>& at = cells_[cell];
    uint64_t before = at.load(std::memory_order_relaxed);
    while (!at.compare_exchange_weak(before,
                                     std::bit_cast<uint64_t>(std::bit_cast<double>(before) + delta),
                                     std::memory_order_relaxed)) {
    }
}

uint64_t Board::total(Cell cell) const {
    uint64_t sum = 0;
    for (uint32_t block = 0; block <= blocks_; block++) {
        sum += cells(block)[cell].load(std::memory_order_relaxed);
    }
    return sum;
}

double Board::total_real(Cell cell) const {
    double sum = 0;
    for (uint32_t block = 0; block <= blocks_; block++) {
        sum += std::bit_cast<double>(cells(block)[cell].load(std::memory_order_relaxed));
    }
    return sum;
}

// ---- series ------------------------------------------------------------------------------------

Cell Board::series(Id id, std::string_view labels, uint32_t most) {
    return series(static_cast<uint16_t>(id), labels, most);
}

Cell Board::series(uint16_t family, std::string_view labels, uint32_t most) {
    Series* found = find(family, labels, most);
    if (found == nullptr) {
        return kNoCell;
    }
    complete(*found, family, labels);
    Cell cell = found->cell.load();
    return cell == Series::kNone ? kNoCell : cell;
}

// Open addressing; entries are never removed.
Board::Series* Board::find(uint16_t family, std::string_view labels, uint32_t most) {
    uint64_t hash = hash_of(family, labels);
    bool has_room = false;
    for (uint32_t i = 0; i < kSeries; i++) {
        Series& entry = series_[(hash + i) % kSeries];
        uint64_t claim = entry.claim.load(std::memory_order_acquire);
        if (claim == 0) {
            has_room = has_room || take_room(family, most);
            if (!has_room) {
                return nullptr;
            }
            if (entry.claim.compare_exchange_strong(claim, hash)) {
                return &entry;
            }
        }
        // `claim` is what another process has put there meanwhile.
        bool same = claim == hash && (entry.ready.load(std::memory_order_acquire) == 0 ||
                                      (entry.family == family && entry.text() == labels));
        if (same) {
            if (has_room) {  // for one that was made elsewhere in the same moment
                head_->in_family[family].fetch_sub(1);
                head_->series.fetch_sub(1);
            }
            return &entry;
        }
    }
    return nullptr;
}

bool Board::take_room(uint16_t family, uint32_t most) {
    if (head_->series.fetch_add(1) >= kMostSeries) {
        head_->series.fetch_sub(1);
        return false;
    }
    if (head_->in_family[family].fetch_add(1) >= most) {
        head_->in_family[family].fetch_sub(1);
        head_->series.fetch_sub(1);
        return false;
    }
    return true;
}

// Called by each process that finds the entry incomplete: all of them write the same bytes. Cells
// that a second process has reserved for it at the same time stay unused.
void Board::complete(Series& series, uint16_t family, std::string_view labels) {
    if (series.ready.load(std::memory_order_acquire) != 0) {
        return;
    }
    uint32_t count = family_at(family).cells();
    Cell first = head_->next_cell.load();
    do {
        if (first + count > kCells) {
            first = Series::kNone;
            break;
        }
    } while (!head_->next_cell.compare_exchange_weak(first, first + count));
    Cell none = kNoCell;
    (void)series.cell.compare_exchange_strong(none, first);
    series.family = family;
    series.length = static_cast<uint16_t>(labels.size());
    copy(series.labels, labels);
    series.ready.store(1, std::memory_order_release);
}

bool Board::note_overflow(uint16_t family) {
    if (head_->overflows[family].exchange(1) != 0) {
        return false;
    }
    Cell cell = series(Id::kSeriesOverflows, {});
    if (cell != kNoCell) {
        shared().add(cell, 1);
    }
    return true;
}

std::vector<Board::Shown> Board::shown(uint16_t family) const {
    std::vector<Shown> found;
    for (uint32_t i = 0; i < kSeries; i++) {
        const Series& entry = series_[i];
        if (entry.ready.load(std::memory_order_acquire) != 0 && entry.family == family &&
            entry.cell.load() != Series::kNone) {
            found.push_back({entry.text(), entry.cell.load()});
        }
    }
    std::sort(found.begin(), found.end(),
              [](const Shown& a, const Shown& b) { return a.labels < b.labels; });
    return found;
}

void Board::bury(uint32_t block) {
    for (uint32_t i = 0; i < kSeries; i++) {
        const Series& entry = series_[i];
        if (entry.ready.load(std::memory_order_acquire) != 0 && entry.family < kFamilies &&
            families()[entry.family].type == Type::kGauge && entry.cell.load() != Series::kNone) {
            cells(block)[entry.cell.load()].store(0, std::memory_order_relaxed);
        }
    }
}

// ---- metrics of the application ----------------------------------------------------------------

Family Board::family_at(uint16_t number) const {
    if (number < kFamilies) {
        return families()[number];
    }
    const OwnFamily& own = own_[number - kFamilies];
    return {.name = {own.name, own.name_length},
            .help = {own.help, own.help_length},
            .type = own.type,
            .unit = own.unit,
            .labels = {own.labels, own.labels_length},
            .bounds = {own.bounds, own.bound_count}};
}

uint16_t Board::declare(const Family& family) {
    uint64_t name = hash_of(0, family.name);
    uint64_t definition = hash_of(static_cast<uint16_t>(family.type), family.labels) ^
                          hash_of(1, {reinterpret_cast<const char*>(family.bounds.data()),
                                      family.bounds.size_bytes()}) *
                              3;
    definition |= 1;
    for (uint16_t i = 0; i < kOwnFamilies; i++) {
        OwnFamily& own = own_[i];
        uint64_t claim = 0;
        if (!own.claim.compare_exchange_strong(claim, name) && claim != name) {
            continue;
        }
        uint64_t before = 0;
        if (!own.definition.compare_exchange_strong(before, definition) && before != definition) {
            return kConflict;
        }
        if (own.ready.load(std::memory_order_acquire) == 0) {
            std::string_view help = family.help.substr(0, OwnFamily::kHelp);
            own.type = family.type;
            own.unit = family.unit;
            own.bound_count = static_cast<uint8_t>(family.bounds.size());
            own.name_length = static_cast<uint8_t>(family.name.size());
            own.help_length = static_cast<uint16_t>(help.size());
            own.labels_length = static_cast<uint16_t>(family.labels.size());
            copy(own.name, family.name);
            copy(own.help, help);
            copy(own.labels, family.labels);
            std::copy(family.bounds.begin(), family.bounds.end(), own.bounds);
            own.ready.store(1, std::memory_order_release);
        }
        return static_cast<uint16_t>(kFamilies + i);
    }
    return kNoRoom;
}

uint16_t Board::families_end() const {
    uint16_t count = 0;
    while (count < kOwnFamilies && own_[count].ready.load(std::memory_order_acquire) != 0) {
        count++;
    }
    return static_cast<uint16_t>(kFamilies + count);
}

// ---- routes ------------------------------------------------------------------------------------

// Numbers from 2 on are entries of the table.
uint16_t Board::route(std::string_view text) {
    constexpr uint16_t kFirst = 2;
    text = text.substr(0, Route::kText);
    if (text.empty() || text == "-") {
        return kNoRoute;
    }
    uint64_t hash = hash_of(0, text);
    for (uint32_t i = 0; i < kRoutes - kFirst; i++) {
        auto at = static_cast<uint16_t>((hash + i) % (kRoutes - kFirst));
        Route& entry = routes_[at];
        uint64_t claim = entry.claim.load(std::memory_order_acquire);
        if (claim == 0 && entry.claim.compare_exchange_strong(claim, hash)) {
            claim = hash;
        }
        if (claim != hash) {
            continue;
        }
        if (entry.ready.load(std::memory_order_acquire) == 0) {
            entry.length = static_cast<uint32_t>(text.size());
            copy(entry.text, text);
            entry.ready.store(1, std::memory_order_release);
        }
        if (std::string_view(entry.text, entry.length) == text) {
            return static_cast<uint16_t>(at + kFirst);
        }
    }
    return kOtherRoute;
}

std::string_view Board::route_text(uint16_t number) const {
    if (number < 2) {
        return number == kNoRoute ? "-" : "other";
    }
    const Route& entry = routes_[number - 2];
    return entry.ready.load(std::memory_order_acquire) != 0
               ? std::string_view(entry.text, entry.length)
               : std::string_view("-");
}

// ---- labels ------------------------------------------------------------------------------------

// Readers refuse a text that is no UTF-8 as a whole: what is none becomes U+FFFD.
bool Labels::add(std::string_view name, std::string_view value) {
    constexpr size_t kAround = 4;  // comma, equals sign, two quotation marks
    constexpr size_t kLongest = 4;
    if (size_ + name.size() + kAround > kMost) {
        return false;
    }
    if (size_ > 0) {
        put(",");
    }
    put(name);
    put("=\"");
    while (!value.empty() && size_ + kLongest + 1 <= kMost) {
        size_t size = os::character_length(value);
        std::string_view character = size == 0 ? std::string_view("\ufffd") : value.substr(0, size);
        if (character == "\n") {
            put("\\n");
        } else {
            put(character == "\"" || character == "\\" ? "\\" : "");
            put(character);
        }
        value.remove_prefix(size == 0 ? 1 : size);
    }
    put("\"");
    return true;
}

Labels labels_of(const Family& family, std::initializer_list<std::string_view> values) {
    Labels labels;
    std::string_view names = family.labels;
    for (std::string_view value : values) {
        std::string_view name = names.substr(0, names.find(','));
        names.remove_prefix(std::min(names.size(), name.size() + 1));
        (void)labels.add(name, value);
    }
    return labels;
}

}  // namespace stampede::metrics
