// Between PHP values and the bytes of a table's row. PHP thread; reading values may run PHP code,
// storing and comparing never does.
#pragma once

#include <string_view>

#include "shm/table.h"
#include "zend/php.h"

namespace stampede::classes {

// The columns that an array of the caller's names, with their values, ready to be stored. Without
// a destructor: a fatal error skips those. release() belongs after read(), whatever it returned.
class FieldValues {
public:
    // False after a warning or exception: a string is longer than its column. Names that are no
    // column are passed over.
    bool read(const shm::Table& table, HashTable* values);
    void store(char* row) const;
    bool equal(const char* row) const;
    void release();

private:
    struct Field {
        const shm::Column* column;
        union {
            zend_long number;
            double real;
            zend_string* text;
        };
    };
    Field* fields_ = nullptr;
    uint32_t count_ = 0;
};

void field_to_zval(const shm::Column& column, const char* row, zval* out);

// Makes arrays of rows: each is a copy of one that has the columns already, which costs less than
// adding them one by one. Without a destructor, as above.
class RowArrays {
public:
    void make(const shm::Table& table, const char* row, zval* out);
    void release();

private:
    zend_array* pattern_ = nullptr;  // the columns with no values, when it was needed
};

// Adds to a number under its key, the row being made when missing; the new value into out. False
// when the table is full.
struct Increment {
    zend_long number;
    double real;
};
bool add_to_field(shm::Table& table, std::string_view key, const shm::Column& column, Increment by,
                  zval* out);

}  // namespace stampede::classes
