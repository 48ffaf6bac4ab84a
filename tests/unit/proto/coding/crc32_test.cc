#include "proto/coding/crc32.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace stampede::proto::coding {
namespace {

uint32_t reference(std::string_view bytes) {
    return static_cast<uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

TEST(Crc32, IsThatOfZlibForEveryLengthAndPlace) {
    std::string bytes;
    for (uint32_t i = 0; bytes.size() < 3000; i++) {
        bytes += static_cast<char>(i * 2654435761u >> 24);
    }
    EXPECT_EQ(crc32_of(0, "123456789"), 0xcbf43926u);
    EXPECT_EQ(crc32_of(0xcbf43926u, {}), 0xcbf43926u);
    for (size_t from = 0; from < 17; from++) {
        for (size_t length = 0; length < 700; length++) {
            std::string_view part = std::string_view(bytes).substr(from, length);
            ASSERT_EQ(crc32_of(0, part), reference(part)) << from << " " << length;
        }
    }
    std::string_view all = bytes;
    for (size_t cut = 0; cut <= all.size(); cut += 13) {
        ASSERT_EQ(crc32_of(crc32_of(0, all.substr(0, cut)), all.substr(cut)), reference(all))
            << cut;
    }
    for (const std::string& same : {std::string(1000, '\0'), std::string(1000, '\xff')}) {
        EXPECT_EQ(crc32_of(0, same), reference(same));
    }
}

}  // namespace
}  // namespace stampede::proto::coding
