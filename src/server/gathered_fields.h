// Fields that are gathered one by one before the response they belong to is made: their text is
// kept here, whatever becomes of the strings they were read from. Owned by the code that gathers;
// one thread, never parks.
#pragma once

#include <vector>

#include "base/buffer.h"
#include "server/exchange.h"

namespace stampede::server {

class GatheredFields {
public:
    void add(std::string_view name, std::string_view value) {
        auto at = static_cast<uint32_t>(text_.size());
        text_.append(name);
        text_.append(value);
        auto name_size = static_cast<uint32_t>(name.size());
        slices_.push_back({{at, name_size}, {at + name_size, static_cast<uint32_t>(value.size())}});
    }

    // Valid until the next change.
    FieldList list() {
        fields_.clear();
        for (const Line& line : slices_) {
            fields_.push_back({line.name.in(text_.data()), line.value.in(text_.data())});
        }
        return fields_;
    }

    void clear() {
        text_.clear();
        slices_.clear();
    }
    // Gives the text's memory back.
    void release() {
        text_.release();
        slices_.clear();
    }

private:
    struct Line {
        proto::http::Slice name;
        proto::http::Slice value;
    };

    Buffer text_;
    std::vector<Line> slices_;
    std::vector<FieldRef> fields_;
};

}  // namespace stampede::server
