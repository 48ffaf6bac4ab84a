// Rows that processes share, over shm::Table. A row is locked for plain copies only: whatever may
// run PHP code or need the engine's memory happens before or after.
#include "classes/shm/table_row.h"
#include "subsystems.h"
#include "zend/class_alias.h"
#include "zend/object.h"
#include "zend/object_guards.h"
#include "zend/throw.h"
#include "zend/view.h"

#include "stubs/table_arginfo.h"

namespace stampede::classes {
namespace {

constexpr uint32_t kSizeSlot = 0;
constexpr uint32_t kMemorySlot = 1;
constexpr zend_long kMaxRows = 1 << 28;
constexpr zend_long kMaxString = 64 << 20;
constexpr size_t kSmallRow = 512;  // is copied to the stack

struct TableObject {
    zend_long rows = 0;
    double conflicts = 0;
    std::vector<shm::Column>* declared = nullptr;  // until it is created
    shm::Table* table = nullptr;
    uint32_t place = shm::Table::kNone;  // of the iteration
    std::string* key = nullptr;
    std::string* values = nullptr;
    RowArrays arrays;
    zend_object std;
};

zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) {
    return zend::create_object<TableObject>(ce, &handlers);
}

void drop(TableObject& self) {
    delete self.table;
    delete self.declared;
    delete self.key;
    delete self.values;
    self.table = nullptr;
    self.declared = nullptr;
    self.key = self.values = nullptr;
    self.place = shm::Table::kNone;
    self.arrays.release();
}

void destroy(zend_object* object) {
    drop(zend::from_object<TableObject>(object));
    zend_object_std_dtor(object);
}

shm::Table* usable(zval* value) {
    shm::Table* table = zend::from_this<TableObject>(value).table;
    if (UNEXPECTED(table == nullptr)) {
        zend::throw_error(zend::error_classes.error, 0,
                          "table is not created or has been destroyed: call create() first");
    }
    return table;
}

bool valid_key(const zend_string* key) {
    if (ZSTR_LEN(key) > 0 && ZSTR_LEN(key) <= shm::Table::kMaxKey) {
        return true;
    }
    zend::warning("a key has 1 to %zu bytes, this one has %zu", shm::Table::kMaxKey, ZSTR_LEN(key));
    return false;
}

using zend::view;

enum class Presence : uint8_t { kAny, kMissing, kThere };
enum class Written : uint8_t { kYes, kNo, kFull };

// All of it in one step: whether the row is as it should be, then the change.
Written write_row(shm::Table& table, std::string_view key, Presence presence,
                  const FieldValues* expected, const FieldValues& wanted) {
    shm::Table::Access access(table, key);
    bool exists = access.exists();
    if ((presence == Presence::kMissing && exists) || (presence == Presence::kThere && !exists)) {
        return Written::kNo;
    }
    if (expected != nullptr && (!exists || !expected->equal(access.values()))) {
        return Written::kNo;
    }
    if (!exists && !access.insert()) {
        return Written::kFull;
    }
    access.begin_change();
    wanted.store(access.values());
    if (exists) {
        table.count_update();
    }
    return Written::kYes;
}

struct Change {
    zend_string* key;
    Presence presence;
    HashTable* expected;  // null: whatever it is
    HashTable* values;
};

bool write(zval* self, const Change& change) {
    shm::Table* table = usable(self);
    if (table == nullptr || !valid_key(change.key)) {
        return false;
    }
    FieldValues wanted, before;
    Written outcome = Written::kNo;
    if (wanted.read(*table, change.values) &&
        (change.expected == nullptr || before.read(*table, change.expected))) {
        outcome = write_row(*table, view(change.key), change.presence,
                            change.expected != nullptr ? &before : nullptr, wanted);
    }
    wanted.release();
    before.release();
    if (outcome == Written::kFull) {
        zend::warning("failed to set('%s'): the table is full, unable to allocate memory",
                      ZSTR_VAL(change.key));
    }
    return outcome == Written::kYes;
}

// A comparison with nothing would hold for every row.
bool compares_something(HashTable* expected) {
    if (zend_hash_num_elements(expected) == 0) {
        zend::warning("the values to compare with must not be empty");
        return false;
    }
    return true;
}

bool copy_row(shm::Table& table, std::string_view key, char* out, bool remove) {
    shm::Table::Access access(table, key);
    if (!access.exists()) {
        return false;
    }
    memcpy(out, access.values(), table.values_size());
    if (remove) {
        access.remove();
    }
    return true;
}

void read(INTERNAL_FUNCTION_PARAMETERS, bool remove) {
    zend_string* key;
    zend_string* field = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_STR(key)
        Z_PARAM_OPTIONAL
        Z_PARAM_STR_OR_NULL(field)
    ZEND_PARSE_PARAMETERS_END();
    shm::Table* table = usable(ZEND_THIS);
    if (table == nullptr) {
        RETURN_THROWS();
    }
    const shm::Column* column = nullptr;
    if (field != nullptr && (column = table->find_column(view(field))) == nullptr) {
        RETURN_FALSE;  // without a word, as for a row that is not there
    }
    RETVAL_FALSE;
    char small[kSmallRow];
    bool large = table->values_size() > sizeof(small);
    char* values = large ? static_cast<char*>(emalloc(table->values_size())) : small;
    if (copy_row(*table, view(key), values, remove)) {
        if (column != nullptr) {
            field_to_zval(*column, values, return_value);
        } else {
            zend::from_this<TableObject>(ZEND_THIS).arrays.make(*table, values, return_value);
        }
    }
    if (large) {
        efree(values);
    }
}

void step_by(INTERNAL_FUNCTION_PARAMETERS, int sign) {
    zend_string* key;
    zend_string* name;
    zval* by = nullptr;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_STR(key)
        Z_PARAM_STR(name)
        Z_PARAM_OPTIONAL
        Z_PARAM_NUMBER(by)
    ZEND_PARSE_PARAMETERS_END();
    shm::Table* table = usable(ZEND_THIS);
    if (table == nullptr) {
        RETURN_THROWS();
    }
    const shm::Column* column = table->find_column(view(name));
    if (column == nullptr || column->type == shm::Column::Type::kString) {
        zend::warning(column == nullptr ? "the table has no column '%s'"
                                        : "the column '%s' holds strings, which cannot be counted",
                      ZSTR_VAL(name));
        RETURN_FALSE;
    }
    if (!valid_key(key)) {
        RETURN_FALSE;
    }
    Increment change = {sign, static_cast<double>(sign)};
    if (by != nullptr) {  // unsigned: negating the smallest number is no fault
        auto number = static_cast<zend_ulong>(zval_get_long(by));
        change = {static_cast<zend_long>(sign > 0 ? number : 0 - number),
                  sign * zval_get_double(by)};
    }
    bool done = add_to_field(*table, view(key), *column, change, return_value);
    if (!done) {
        zend::warning("failed to set('%s'): the table is full, unable to allocate memory",
                      ZSTR_VAL(key));
        RETURN_FALSE;
    }
}

void move_to(TableObject& self, uint32_t place) {
    if (self.key == nullptr) {
        self.key = new std::string();
        self.values = new std::string();
    }
    self.place = self.table->copy_from(place, *self.key, *self.values);
}

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Swoole_Table, __construct) {
    zend_long rows;
    double conflicts = 0.2;
    ZEND_PARSE_PARAMETERS_START(1, 2)
        Z_PARAM_LONG(rows)
        Z_PARAM_OPTIONAL
        Z_PARAM_DOUBLE(conflicts)
    ZEND_PARSE_PARAMETERS_END();
    if (rows < 1 || rows > kMaxRows) {
        zend_argument_value_error(1, "must be between 1 and " ZEND_LONG_FMT, kMaxRows);
        RETURN_THROWS();
    }
    auto& self = zend::from_this<TableObject>(ZEND_THIS);
    drop(self);
    self.rows = rows;
    self.conflicts = conflicts > 1 ? 1 : conflicts;
    self.declared = new std::vector<shm::Column>();
}

ZEND_METHOD(Swoole_Table, column) {
    zend_string* name;
    zend_long type;
    zend_long size = 0;
    ZEND_PARSE_PARAMETERS_START(2, 3)
        Z_PARAM_STR(name)
        Z_PARAM_LONG(type)
        Z_PARAM_OPTIONAL
        Z_PARAM_LONG(size)
    ZEND_PARSE_PARAMETERS_END();
    auto& self = zend::from_this<TableObject>(ZEND_THIS);
    if (self.declared == nullptr) {
        zend::warning("unable to add column after table has been created");
        RETURN_FALSE;
    }
    bool is_string = type == static_cast<zend_long>(shm::Column::Type::kString);
    if (type < 1 || type > 3 || (is_string && (size < 1 || size > kMaxString))) {
        zend::warning(is_string ? "the length of the string column '%s' must be 1 to 67108864"
                                : "the type of the column '%s' is not one of Table::TYPE_*",
                      ZSTR_VAL(name));
        RETURN_FALSE;
    }
    for (const shm::Column& column : *self.declared) {
        if (column.name == view(name)) {
            zend::warning("the table has a column '%s' already", ZSTR_VAL(name));
            RETURN_FALSE;
        }
    }
    shm::Column& column = self.declared->emplace_back();
    column.name.assign(view(name));
    column.type = static_cast<shm::Column::Type>(type);
    column.size = is_string ? static_cast<uint32_t>(size) : 8;
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Table, create) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<TableObject>(ZEND_THIS);
    if (self.declared == nullptr || self.declared->empty()) {
        zend::warning(self.declared == nullptr ? "the table has been created already"
                                               : "the table needs a column");
        RETURN_FALSE;
    }
    Result<shm::Table> table =
        shm::Table::create(*self.declared, static_cast<uint32_t>(self.rows), self.conflicts);
    if (!table) {
        zend::warning("unable to allocate memory for the table: %s",
                      strerror(static_cast<int>(table.error().code())));
        RETURN_FALSE;
    }
    self.table = new shm::Table(std::move(*table));
    delete self.declared;
    self.declared = nullptr;
    ZVAL_LONG(OBJ_PROP_NUM(&self.std, kSizeSlot), self.table->capacity());
    ZVAL_LONG(OBJ_PROP_NUM(&self.std, kMemorySlot),
              static_cast<zend_long>(self.table->memory_size()));
    RETURN_TRUE;
}

ZEND_METHOD(Swoole_Table, destroy) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<TableObject>(ZEND_THIS);
    if (self.table == nullptr) {
        RETURN_FALSE;
    }
    drop(self);
    RETURN_TRUE;
}

static void set_with(INTERNAL_FUNCTION_PARAMETERS, Presence presence) {
    zend_string* key;
    HashTable* values;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(key)
        Z_PARAM_ARRAY_HT(values)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(write(ZEND_THIS, {key, presence, nullptr, values}));
}

ZEND_METHOD(Swoole_Table, set) { set_with(INTERNAL_FUNCTION_PARAM_PASSTHRU, Presence::kAny); }
ZEND_METHOD(Swoole_Table, add) { set_with(INTERNAL_FUNCTION_PARAM_PASSTHRU, Presence::kMissing); }
ZEND_METHOD(Swoole_Table, update) { set_with(INTERNAL_FUNCTION_PARAM_PASSTHRU, Presence::kThere); }

ZEND_METHOD(Swoole_Table, cmpset) {
    zend_string* key;
    HashTable* expected;
    HashTable* values;
    ZEND_PARSE_PARAMETERS_START(3, 3)
        Z_PARAM_STR(key)
        Z_PARAM_ARRAY_HT(expected)
        Z_PARAM_ARRAY_HT(values)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(compares_something(expected) &&
                write(ZEND_THIS, {key, Presence::kThere, expected, values}));
}

ZEND_METHOD(Swoole_Table, get) { read(INTERNAL_FUNCTION_PARAM_PASSTHRU, false); }
ZEND_METHOD(Swoole_Table, getdel) { read(INTERNAL_FUNCTION_PARAM_PASSTHRU, true); }

ZEND_METHOD(Swoole_Table, count) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    shm::Table* table = usable(ZEND_THIS);
    RETURN_LONG(table != nullptr ? table->count() : 0);
}

ZEND_METHOD(Swoole_Table, del) {
    zend_string* key;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(key)
    ZEND_PARSE_PARAMETERS_END();
    shm::Table* table = usable(ZEND_THIS);
    if (table == nullptr) {
        RETURN_THROWS();
    }
    shm::Table::Access access(*table, view(key));
    bool exists = access.exists();
    if (exists) {
        access.remove();
    }
    RETURN_BOOL(exists);
}

ZEND_METHOD(Swoole_Table, cmpdel) {
    zend_string* key;
    HashTable* expected;
    ZEND_PARSE_PARAMETERS_START(2, 2)
        Z_PARAM_STR(key)
        Z_PARAM_ARRAY_HT(expected)
    ZEND_PARSE_PARAMETERS_END();
    shm::Table* table = usable(ZEND_THIS);
    RETVAL_FALSE;
    FieldValues before;
    if (table != nullptr && compares_something(expected) && before.read(*table, expected)) {
        shm::Table::Access access(*table, view(key));
        if (access.exists() && before.equal(access.values())) {
            access.remove();
            RETVAL_TRUE;
        }
    }
    before.release();
}

ZEND_METHOD(Swoole_Table, exists) {
    zend_string* key;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_STR(key)
    ZEND_PARSE_PARAMETERS_END();
    shm::Table* table = usable(ZEND_THIS);
    if (table == nullptr) {
        RETURN_THROWS();
    }
    shm::Table::Access access(*table, view(key));
    RETURN_BOOL(access.exists());
}

ZEND_METHOD(Swoole_Table, incr) { step_by(INTERNAL_FUNCTION_PARAM_PASSTHRU, 1); }
ZEND_METHOD(Swoole_Table, decr) { step_by(INTERNAL_FUNCTION_PARAM_PASSTHRU, -1); }

ZEND_METHOD(Swoole_Table, getSize) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<TableObject>(ZEND_THIS);
    RETURN_LONG(self.table != nullptr ? self.table->capacity() : self.rows);
}

ZEND_METHOD(Swoole_Table, getMemorySize) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<TableObject>(ZEND_THIS);
    RETURN_LONG(self.table != nullptr ? static_cast<zend_long>(self.table->memory_size()) : 0);
}

ZEND_METHOD(Swoole_Table, stats) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    shm::Table* table = zend::from_this<TableObject>(ZEND_THIS).table;
    if (table == nullptr) {
        RETURN_FALSE;
    }
    shm::Table::Stats stats = table->stats();
    array_init(return_value);
    add_assoc_long(return_value, "num", table->count());
    add_assoc_long(return_value, "conflict_count", static_cast<zend_long>(stats.conflicts));
    add_assoc_long(return_value, "conflict_max_level", stats.longest_chain);
    add_assoc_long(return_value, "insert_count", static_cast<zend_long>(stats.inserts));
    add_assoc_long(return_value, "update_count", static_cast<zend_long>(stats.updates));
    add_assoc_long(return_value, "delete_count", static_cast<zend_long>(stats.deletes));
    add_assoc_long(return_value, "available_slice_num", stats.free_overflow);
    add_assoc_long(return_value, "total_slice_num", stats.overflow);
}

ZEND_METHOD(Swoole_Table, rewind) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    if (usable(ZEND_THIS) != nullptr) {
        move_to(zend::from_this<TableObject>(ZEND_THIS), 0);
    }
}

ZEND_METHOD(Swoole_Table, valid) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(zend::from_this<TableObject>(ZEND_THIS).place != shm::Table::kNone);
}

ZEND_METHOD(Swoole_Table, next) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<TableObject>(ZEND_THIS);
    if (usable(ZEND_THIS) != nullptr && self.place != shm::Table::kNone) {
        move_to(self, self.place + 1);
    }
}

ZEND_METHOD(Swoole_Table, current) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<TableObject>(ZEND_THIS);
    if (self.place != shm::Table::kNone) {
        self.arrays.make(*self.table, self.values->data(), return_value);
    }
}

ZEND_METHOD(Swoole_Table, key) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    auto& self = zend::from_this<TableObject>(ZEND_THIS);
    if (self.place != shm::Table::kNone) {
        RETURN_STRINGL(self.key->data(), self.key->size());
    }
}

namespace stampede::ext {

zend_result table_minit(int, int) {
    zend_class_entry* ce = register_class_Swoole_Table(zend_ce_iterator, zend_ce_countable);
    ce->create_object = create;
    ce->ce_flags |= ZEND_ACC_NOT_SERIALIZABLE;
    zend::init_handlers<TableObject>(handlers, destroy);
    zend::refuse_unset(handlers);
    zend::alias_class(ce, "swoole_table");
    return SUCCESS;
}

}  // namespace stampede::ext
