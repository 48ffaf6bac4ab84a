#include "classes/shm/table_row.h"

#include <cstring>

#include "zend/throw.h"

namespace stampede::classes {

using Type = shm::Column::Type;

namespace {

template <typename T>
T load(const char* place) {
    T value;
    memcpy(&value, place, sizeof(T));
    return value;
}

std::string_view text_in(const shm::Column& column, const char* row) {
    return {row + column.offset + sizeof(uint32_t), load<uint32_t>(row + column.offset)};
}

}  // namespace

bool FieldValues::read(const shm::Table& table, HashTable* values) {
    const auto& columns = table.columns();
    fields_ = static_cast<Field*>(safe_emalloc(columns.size(), sizeof(Field), 0));
    for (const shm::Column& column : columns) {
        zval* value = zend_hash_str_find(values, column.name.data(), column.name.size());
        if (value == nullptr) {
            continue;
        }
        Field& field = fields_[count_];
        field.column = &column;
        switch (column.type) {
            case Type::kInt:
                field.number = zval_get_long(value);
                break;
            case Type::kFloat:
                field.real = zval_get_double(value);
                break;
            case Type::kString:
                field.text = zval_get_string(value);
                break;
        }
        count_++;
        if (UNEXPECTED(zend::exception_pending())) {
            return false;
        }
        if (column.type == Type::kString && ZSTR_LEN(field.text) > column.size) {
            zend::warning("the value of the column '%s' has %zu bytes, it holds %u",
                          column.name.c_str(), ZSTR_LEN(field.text), column.size);
            return false;
        }
    }
    return true;
}

void FieldValues::release() {
    for (uint32_t i = 0; i < count_; i++) {
        if (fields_[i].column->type == Type::kString) {
            zend_string_release(fields_[i].text);
        }
    }
    if (fields_ != nullptr) {
        efree(fields_);
    }
    fields_ = nullptr;
    count_ = 0;
}

void FieldValues::store(char* row) const {
    for (uint32_t i = 0; i < count_; i++) {
        const Field& field = fields_[i];
        char* place = row + field.column->offset;
        if (field.column->type == Type::kString) {
            auto length = static_cast<uint32_t>(ZSTR_LEN(field.text));
            memcpy(place, &length, sizeof(length));
            memcpy(place + sizeof(length), ZSTR_VAL(field.text), length);
        } else {
            memcpy(place, &field.number, sizeof(field.number));
        }
    }
}

bool FieldValues::equal(const char* row) const {
    for (uint32_t i = 0; i < count_; i++) {
        const Field& field = fields_[i];
        bool same = true;
        switch (field.column->type) {
            case Type::kInt:
                same = load<zend_long>(row + field.column->offset) == field.number;
                break;
            case Type::kFloat:
                same = load<double>(row + field.column->offset) == field.real;
                break;
            case Type::kString:
                same = text_in(*field.column, row) ==
                       std::string_view(ZSTR_VAL(field.text), ZSTR_LEN(field.text));
                break;
        }
        if (!same) {
            return false;
        }
    }
    return true;
}

void field_to_zval(const shm::Column& column, const char* row, zval* out) {
    switch (column.type) {
        case Type::kInt:
            ZVAL_LONG(out, load<zend_long>(row + column.offset));
            break;
        case Type::kFloat:
            ZVAL_DOUBLE(out, load<double>(row + column.offset));
            break;
        case Type::kString: {
            std::string_view text = text_in(column, row);
            ZVAL_STRINGL(out, text.data(), text.size());
            break;
        }
    }
}

void RowArrays::make(const shm::Table& table, const char* row, zval* out) {
    const auto& columns = table.columns();
    if (pattern_ == nullptr) {
        pattern_ = zend_new_array(static_cast<uint32_t>(columns.size()));
        zval nothing;
        ZVAL_NULL(&nothing);
        for (const shm::Column& column : columns) {
            zend_hash_str_add_new(pattern_, column.name.data(), column.name.size(), &nothing);
        }
    }
    zend_array* array = zend_array_dup(pattern_);
    ZVAL_ARR(out, array);
    Bucket* bucket = array->arData;
    for (const shm::Column& column : columns) {
        field_to_zval(column, row, &bucket->val);
        bucket++;
    }
}

void RowArrays::release() {
    if (pattern_ != nullptr) {
        zend_array_release(pattern_);
        pattern_ = nullptr;
    }
}

bool add_to_field(shm::Table& table, std::string_view key, const shm::Column& column, Increment by,
                  zval* out) {
    shm::Table::Access access(table, key);
    bool exists = access.exists();
    if (!exists && !access.insert()) {
        return false;
    }
    // One aligned store: it needs no copy of what was there.
    char* place = access.values() + column.offset;
    if (column.type == Type::kFloat) {
        double sum = load<double>(place) + by.real;
        memcpy(place, &sum, sizeof(sum));
        ZVAL_DOUBLE(out, sum);
    } else {
        auto sum = load<zend_ulong>(place) + static_cast<zend_ulong>(by.number);
        memcpy(place, &sum, sizeof(sum));
        ZVAL_LONG(out, static_cast<zend_long>(sum));
    }
    if (exists) {
        table.count_update();
    }
    return true;
}

}  // namespace stampede::classes
