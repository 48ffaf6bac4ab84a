// Headers of the system that many files of src/ include, parsed once by `make build`
// (Makefile.frag). No file includes this one: each includes what it uses, and plain phpize builds
// without it. Headers of ours do not belong here: a change of one would compile every file anew.

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
