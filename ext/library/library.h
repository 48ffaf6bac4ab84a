// Classes of the API that are written in PHP: ext/library/*.php, compiled into the module and
// loaded when first named. They are here and not in C++ where nothing but the API's own public
// classes is used and no request pays for them. PHP thread; loading compiles and runs PHP code.
#pragma once

#include <string_view>

namespace stampede::library {

struct Source {
    std::string_view class_name;  // lower case, as the engine looks it up
    const char* file;             // as traces show it
    const char* begin;            // the whole file
    const char* end;
};

}  // namespace stampede::library
