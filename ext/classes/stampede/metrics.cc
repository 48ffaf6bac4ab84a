// Stampede\Metrics, its metrics of the application, and functions for the command that serves it.
#include "ext/server/metrics.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "classes/http/response.h"
#include "ext/metrics/present.h"
#include "ext/metrics/request_record.h"
#include "ext/server/request_jobs.h"
#include "os/log.h"
#include "runtime/runtime.h"
#include "server/service.h"
#include "subsystems.h"
#include "zend/object.h"
#include "zend/throw.h"
#include "zend/view.h"

#include "stubs/metrics_arginfo.h"
#include "stubs/metrics_functions_arginfo.h"

namespace stampede::classes {

namespace {

using metrics::Board;
using metrics::Cell;
using metrics::Family;
using metrics::Labels;
using metrics::Type;
using zend::view;

constexpr uint32_t kMostSeries = 1000;  // of one metric
constexpr size_t kMostName = 120;
constexpr size_t kMostLabelName = 30;
constexpr std::string_view kTotal = "_total";

// One metric of the application, as an object of PHP holds it. The board is found again when it is
// another one: the object may have been made before the server's start.
struct Metric {
    std::string name;
    std::string help;
    std::string labels;  // separated by commas
    std::vector<double> bounds;
    Type type = Type::kCounter;
    Board* board = nullptr;
    uint16_t number = Board::kNoRoom;
    zend_object std;

    Family family() const {
        return {.name = name,
                .help = help,
                .type = type,
                .unit = metrics::Unit::kReal,
                .labels = labels,
                .bounds = bounds};
    }
};

zend_object_handlers handlers;
zend_class_entry* counter_class;
zend_class_entry* gauge_class;
zend_class_entry* histogram_class;

zend_object* create(zend_class_entry* ce) { return zend::create_object<Metric>(ce, &handlers); }

void free_metric(zend_object* object) {
    zend::from_object<Metric>(object).~Metric();
    zend_object_std_dtor(object);
}

// ---- definitions -------------------------------------------------------------------------------

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_label_name(std::string_view name) {
    if (name.empty() || name.size() > kMostLabelName || is_digit(name[0]) ||
        name.starts_with("__")) {
        return false;
    }
    for (char c : name) {
        if (!is_letter(c) && !is_digit(c)) {
            return false;
        }
    }
    return true;
}

// Nothing: the name is good. Else why not.
const char* fault_of_name(std::string_view name) {
    if (name.empty() || name.size() > kMostName || is_digit(name[0])) {
        return "must have 1 to 120 letters, digits, \"_\" and \":\", and must not begin with a "
               "digit";
    }
    for (char c : name) {
        if (!is_letter(c) && !is_digit(c) && c != ':') {
            return "must have letters, digits, \"_\" and \":\" only";
        }
    }
    if (name.starts_with("stampede_")) {
        return "begins with \"stampede_\", which are the server's own metrics";
    }
    for (std::string_view end : {"_total", "_created", "_bucket", "_sum", "_count", "_info"}) {
        if (name.ends_with(end)) {
            return "ends in _total, _created, _bucket, _sum, _count or _info, which the text form "
                   "of metrics adds itself";
        }
    }
    return nullptr;
}

bool read_labels(HashTable* names, Metric& metric) {
    if (zend_hash_num_elements(names) > metrics::kMostLabels) {
        zend_argument_value_error(3, "must name at most 8 labels");
        return false;
    }
    zval* name;
    ZEND_HASH_FOREACH_VAL(names, name) {
        std::string_view text =
            Z_TYPE_P(name) == IS_STRING ? view(Z_STR_P(name)) : std::string_view();
        bool is_bound = text == "le" && metric.type == Type::kHistogram;
        if (!is_label_name(text) || is_bound) {
            zend_argument_value_error(3,
                                      "must be a list of names of labels: each at most 30 letters, "
                                      "digits and \"_\", not beginning with a digit or \"__\"%s",
                                      is_bound ? ", and not \"le\"" : "");
            return false;
        }
        metric.labels.append(metric.labels.empty() ? "" : ",").append(text);
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

bool read_bounds(HashTable* bounds, Metric& metric) {
    if (zend_hash_num_elements(bounds) == 0) {
        for (double bound : metrics::kDurations) {
            if (bound >= 1e6) {
                metric.bounds.push_back(bound / 1e9);
            }
        }
        return true;
    }
    zval* bound;
    ZEND_HASH_FOREACH_VAL(bounds, bound) {
        double value = zval_get_double(bound);
        bool good = (Z_TYPE_P(bound) == IS_LONG || Z_TYPE_P(bound) == IS_DOUBLE) &&
                    std::isfinite(value) &&
                    (metric.bounds.empty() || value > metric.bounds.back()) &&
                    metric.bounds.size() < metrics::kMostBounds;
        if (!good) {
            zend_argument_value_error(
                4, "must be at most 24 numbers, each larger than the one before");
            return false;
        }
        metric.bounds.push_back(value);
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

// Enters it into the board of this process. False: it counts nothing, or an exception is thrown.
bool enter(Metric& metric) {
    Board* board = metrics::present_board();
    if (board == metric.board) {
        return board != nullptr && metric.number < Board::kConflict;
    }
    metric.board = board;
    if (board == nullptr) {
        return false;
    }
    metric.number = board->declare(metric.family());
    if (metric.number == Board::kConflict) {
        zend_value_error(
            "the metric \"%s\" exists already with another type, other labels or other bounds",
            metric.name.c_str());
        return false;
    }
    if (metric.number == Board::kNoRoom) {
        os::Log::get().write(os::LogLevel::kWarning,
                             "the metric \"%s\" counts nothing: there are %u metrics already",
                             metric.name.c_str(), Board::kOwnFamilies);
        return false;
    }
    return true;
}

struct Definition {
    zend_string* name;
    zend_string* help;
    HashTable* labels;
    HashTable* bounds;
};

void make_metric(zval* out, zend_class_entry* ce, Type type, const Definition& given) {
    object_init_ex(out, ce);
    auto& metric = zend::from_object<Metric>(Z_OBJ_P(out));
    metric.type = type;
    std::string_view name = view(given.name);
    if (type == Type::kCounter && name.ends_with(kTotal)) {
        name.remove_suffix(kTotal.size());
    }
    if (const char* fault = fault_of_name(name)) {
        zend_argument_value_error(1, "is no name of a metric: \"%s\" %s", ZSTR_VAL(given.name),
                                  fault);
    } else if (read_labels(given.labels, metric) &&
               (type != Type::kHistogram || read_bounds(given.bounds, metric))) {
        metric.name = name;
        metric.help = view(given.help);
        (void)enter(metric);
    }
    if (zend::exception_pending()) {
        zval_ptr_dtor(out);
        ZVAL_UNDEF(out);
    }
}

// ---- values ------------------------------------------------------------------------------------

// The text of the values in the order of the names. False: an exception is thrown.
bool label_text(const Metric& metric, HashTable* values, Labels& out) {
    std::string_view names = metric.labels;
    uint32_t count = 0;
    bool by_order = zend_array_is_list(values);
    while (!names.empty()) {
        std::string_view name = names.substr(0, names.find(','));
        names.remove_prefix(std::min(names.size(), name.size() + 1));
        zval* value = by_order ? zend_hash_index_find(values, count)
                               : zend_hash_str_find(values, name.data(), name.size());
        count++;
        if (value == nullptr) {
            zend_value_error("the metric \"%s\" has the labels %s: there is no value for \"%.*s\"",
                             metric.name.c_str(), metric.labels.c_str(),
                             static_cast<int>(name.size()), name.data());
            return false;
        }
        zend_string* text = zval_try_get_string(value);
        if (text == nullptr) {
            return false;
        }
        (void)out.add(name, view(text));
        zend_string_release(text);
    }
    if (count != zend_hash_num_elements(values)) {
        zend_value_error("the metric \"%s\" has %u labels, not %u", metric.name.c_str(), count,
                         zend_hash_num_elements(values));
        return false;
    }
    return true;
}

Cell other_cell(Metric& metric) {
    if (metric.board->note_overflow(metric.number)) {
        os::Log::get().write(os::LogLevel::kWarning,
                             "the metric \"%s\" has no room for further values of its labels: "
                             "they count as \"other\"",
                             metric.name.c_str());
    }
    Labels labels;
    std::string_view names = metric.labels;
    while (!names.empty()) {
        std::string_view name = names.substr(0, names.find(','));
        names.remove_prefix(std::min(names.size(), name.size() + 1));
        (void)labels.add(name, "other");
    }
    return metric.board->series(metric.number, labels.text());
}

// The cell for these values; kNoCell when nothing is counted (an exception may be thrown).
Cell cell_of(Metric& metric, HashTable* values) {
    Labels labels;
    if (!label_text(metric, values, labels) || !enter(metric)) {
        return metrics::kNoCell;
    }
    Cell cell = metric.board->series(metric.number, labels.text(), kMostSeries);
    return cell != metrics::kNoCell ? cell : other_cell(metric);
}

bool check_number(double number) {
    if (!std::isfinite(number)) {
        zend_value_error("the value of a metric must be a finite number");
        return false;
    }
    return true;
}

void change_gauge(Metric& metric, HashTable* values, double by) {
    Cell cell = check_number(by) ? cell_of(metric, values) : metrics::kNoCell;
    if (cell != metrics::kNoCell) {
        metric.board->shared().add_real(cell, by);
    }
}

// ---- requests ----------------------------------------------------------------------------------

// The request that the running coroutine handles, or one that has started it; null: none.
server::Exchange* request_under_way() {
    runtime::Runtime* runtime = runtime::Runtime::peek();
    runtime::Fiber* fiber = runtime != nullptr ? runtime->current() : nullptr;
    while (fiber != nullptr) {
        if (server::Exchange* exchange = RequestJobs::exchange_of(fiber->job)) {
            return exchange;
        }
        fiber = fiber->parent_cid > 0 ? runtime->find(fiber->parent_cid) : nullptr;
    }
    return nullptr;
}

void note_route(std::string_view route) {
    metrics::RequestRecord* record = runtime::Runtime::get().current_side().inheritance.record;
    if (record != nullptr && !route.empty()) {
        record->route = route;
    }
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

namespace {

void define(INTERNAL_FUNCTION_PARAMETERS, zend_class_entry* ce, metrics::Type type) {
    HashTable* none = const_cast<HashTable*>(&zend_empty_array);
    Definition given = {nullptr, ZSTR_EMPTY_ALLOC(), none, none};
    uint32_t most = type == metrics::Type::kHistogram ? 4 : 3;
    ZEND_PARSE_PARAMETERS_START(1, most)
        Z_PARAM_STR(given.name)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(given.help)
        Z_PARAM_ARRAY_HT(given.labels)
        Z_PARAM_ARRAY_HT(given.bounds)
    ZEND_PARSE_PARAMETERS_END();
    make_metric(return_value, ce, type, given);
}

}  // namespace

ZEND_METHOD(Stampede_Metrics, counter) {
    define(INTERNAL_FUNCTION_PARAM_PASSTHRU, counter_class, metrics::Type::kCounter);
}

ZEND_METHOD(Stampede_Metrics, gauge) {
    define(INTERNAL_FUNCTION_PARAM_PASSTHRU, gauge_class, metrics::Type::kGauge);
}

ZEND_METHOD(Stampede_Metrics, histogram) {
    define(INTERNAL_FUNCTION_PARAM_PASSTHRU, histogram_class, metrics::Type::kHistogram);
}

ZEND_METHOD(Stampede_Metrics, route) {
    zend_string* template_text;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(template_text)
    ZEND_PARSE_PARAMETERS_END();
    server::Exchange* exchange = request_under_way();
    if (ZSTR_LEN(template_text) == 0) {
        return;
    }
    note_route(view(template_text));
    if (exchange == nullptr) {
        metrics::keep_route(view(template_text));
    } else if (metrics::HttpMetrics* counts = exchange->service().metrics()) {
        exchange->route = counts->route(view(template_text));
    }
}

ZEND_METHOD(Stampede_Metrics_Counter, __construct) { STAMPEDE_PARSE_NO_PARAMETERS(); }
ZEND_METHOD(Stampede_Metrics_Gauge, __construct) { STAMPEDE_PARSE_NO_PARAMETERS(); }
ZEND_METHOD(Stampede_Metrics_Histogram, __construct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Stampede_Metrics_Counter, inc) {
    HashTable* labels = const_cast<HashTable*>(&zend_empty_array);
    double by = 1;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_ARRAY_HT(labels)
        Z_PARAM_DOUBLE(by)
    ZEND_PARSE_PARAMETERS_END();
    if (by < 0) {
        zend_argument_value_error(2, "must not be below 0: a counter only grows");
        RETURN_THROWS();
    }
    auto& metric = zend::from_this<Metric>(ZEND_THIS);
    Cell cell = check_number(by) ? cell_of(metric, labels) : metrics::kNoCell;
    if (cell != metrics::kNoCell) {
        metrics::present_writer().add_real(cell, by);
    }
}

ZEND_METHOD(Stampede_Metrics_Gauge, set) {
    double value;
    HashTable* labels = const_cast<HashTable*>(&zend_empty_array);
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_DOUBLE(value)
        Z_PARAM_OPTIONAL
        Z_PARAM_ARRAY_HT(labels)
    ZEND_PARSE_PARAMETERS_END();
    auto& metric = zend::from_this<Metric>(ZEND_THIS);
    Cell cell = check_number(value) ? cell_of(metric, labels) : metrics::kNoCell;
    if (cell != metrics::kNoCell) {
        metric.board->shared().set(cell, std::bit_cast<uint64_t>(value));
    }
}

ZEND_METHOD(Stampede_Metrics_Gauge, inc) {
    HashTable* labels = const_cast<HashTable*>(&zend_empty_array);
    double by = 1;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_ARRAY_HT(labels)
        Z_PARAM_DOUBLE(by)
    ZEND_PARSE_PARAMETERS_END();
    change_gauge(zend::from_this<Metric>(ZEND_THIS), labels, by);
}

ZEND_METHOD(Stampede_Metrics_Gauge, dec) {
    HashTable* labels = const_cast<HashTable*>(&zend_empty_array);
    double by = 1;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_ARRAY_HT(labels)
        Z_PARAM_DOUBLE(by)
    ZEND_PARSE_PARAMETERS_END();
    change_gauge(zend::from_this<Metric>(ZEND_THIS), labels, -by);
}

// The bucket last: the number of all values is the sum of the buckets.
ZEND_METHOD(Stampede_Metrics_Histogram, observe) {
    double value;
    HashTable* labels = const_cast<HashTable*>(&zend_empty_array);
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_DOUBLE(value)
        Z_PARAM_OPTIONAL
        Z_PARAM_ARRAY_HT(labels)
    ZEND_PARSE_PARAMETERS_END();
    auto& metric = zend::from_this<Metric>(ZEND_THIS);
    Cell cell = check_number(value) ? cell_of(metric, labels) : metrics::kNoCell;
    if (cell == metrics::kNoCell) {
        return;
    }
    Cell bucket = 0;
    while (bucket < metric.bounds.size() && value > metric.bounds[bucket]) {
        bucket++;
    }
    metrics::Writer& writer = metrics::present_writer();
    writer.add_real(cell + static_cast<Cell>(metric.bounds.size()) + 1, value);
    writer.add(cell + bucket, 1);
}

ZEND_FUNCTION(Stampede_metrics_text) {
    bool is_open_metrics = false;
    HashTable* more = nullptr;
    ZEND_PARSE_PARAMETERS_START(0, 2)
        Z_PARAM_OPTIONAL
        Z_PARAM_BOOL(is_open_metrics)
        Z_PARAM_ARRAY_HT(more)
    ZEND_PARSE_PARAMETERS_END();
    ServerState* state = running_server();
    if (state == nullptr || state->metrics == nullptr || state->in_worker) {
        RETURN_NULL();
    }
    std::string text = metrics_text(
        *state, is_open_metrics ? metrics::Format::kOpenMetrics : metrics::Format::kPrometheus,
        more);
    RETURN_STRINGL(text.data(), text.size());
}

ZEND_FUNCTION(Stampede_metric_families) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    constexpr const char* kTypes[] = {"counter", "gauge", "histogram"};
    array_init(return_value);
    for (const Family& family : metrics::families()) {
        zval entry;
        zval labels;
        array_init(&entry);
        std::string name(family.name);
        name += family.type == Type::kCounter ? kTotal : "";
        add_assoc_stringl(&entry, "name", name.data(), name.size());
        add_assoc_string(&entry, "type", kTypes[static_cast<size_t>(family.type)]);
        array_init(&labels);
        std::string_view names = family.labels;
        while (!names.empty()) {
            std::string_view label = names.substr(0, names.find(','));
            names.remove_prefix(std::min(names.size(), label.size() + 1));
            add_next_index_stringl(&labels, label.data(), label.size());
        }
        add_assoc_zval(&entry, "labels", &labels);
        add_assoc_stringl(&entry, "help", family.help.data(), family.help.size());
        add_next_index_zval(return_value, &entry);
    }
}

ZEND_FUNCTION(Stampede_metrics_file) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    Board* board = metrics::present_board();
    RETURN_LONG(board != nullptr ? board->file() : -1);
}

ZEND_FUNCTION(Stampede_describe_request) {
    zval* response;
    zend_string* route;
    zend_string* isolation = ZSTR_EMPTY_ALLOC();
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_OBJECT_OF_CLASS(response, response_class)
        Z_PARAM_STR(route)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR(isolation)
    ZEND_PARSE_PARAMETERS_END();
    note_route(view(route));
    server::Exchange* exchange = response_of(Z_OBJ_P(response))->exchange;
    metrics::HttpMetrics* counts = exchange != nullptr ? exchange->service().metrics() : nullptr;
    if (counts == nullptr) {
        return;
    }
    if (ZSTR_LEN(route) > 0) {
        exchange->route = counts->route(view(route));
    }
    if (ZSTR_LEN(isolation) > 0) {
        exchange->isolation = metrics::isolation_of(view(isolation));
        exchange->handled_at = monotonic_now();
    }
}

ZEND_FUNCTION(Stampede_take_route) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    std::string route = metrics::take_route();
    RETURN_STRINGL(route.data(), route.size());
}

namespace stampede::ext {

zend_result metrics_minit(int, int) {
    counter_class = register_class_Stampede_Metrics_Counter();
    gauge_class = register_class_Stampede_Metrics_Gauge();
    histogram_class = register_class_Stampede_Metrics_Histogram();
    register_class_Stampede_Metrics();
    for (zend_class_entry* ce : {counter_class, gauge_class, histogram_class}) {
        ce->create_object = create;
        ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE | ZEND_ACC_NO_DYNAMIC_PROPERTIES;
    }
    zend::init_handlers<Metric>(handlers, free_metric);
    // A child of a worker is none: it must not count in the worker's block.
    runtime::Runtime::on_fork([] {
        if (Board* board = metrics::present_board()) {
            metrics::count_among_others(*board);
        }
    });
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

zend_result metrics_rinit(int, int) {
    metrics::look_for_inherited_board();
    return SUCCESS;
}

}  // namespace stampede::ext
