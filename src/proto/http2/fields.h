// The fields of a head that is to be sent, in the form in which nghttp2 takes them, so that nothing
// is converted on the way. Names and values are only pointed to: they must stay until the head was
// submitted, which copies them and makes names lower-case. One thread; never parks.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "proto/http2/types.h"

namespace stampede::proto::http2 {

struct NativeField;

class HeadFields {
public:
    HeadFields();
    explicit HeadFields(std::span<const Field> fields);
    ~HeadFields();
    HeadFields(const HeadFields&) = delete;
    HeadFields& operator=(const HeadFields&) = delete;

    void add(std::string_view name, std::string_view value);
    // Its memory is kept.
    void clear();

private:
    friend class Session;

    std::vector<NativeField> list_;
};

}  // namespace stampede::proto::http2
