#include "proto/http/mime.h"

#include <gtest/gtest.h>

namespace stampede::proto::http {
namespace {

TEST(Mime, ByExtension) {
    EXPECT_EQ(mime_type("html"), "text/html");
    EXPECT_EQ(mime_type("HTML"), "text/html");
    EXPECT_EQ(mime_type("7z"), "application/x-7z-compressed");
    EXPECT_EQ(mime_type("zst"), "application/zstd");
    EXPECT_EQ(mime_type(""), "");
    EXPECT_EQ(mime_type("nonsense"), "");
    EXPECT_EQ(mime_type("anextensionthatisverylong"), "");
}

TEST(Mime, ByPath) {
    EXPECT_EQ(mime_type_of_path("/a/b.tar.gz"), "application/gzip");
    EXPECT_EQ(mime_type_of_path("style.CSS"), "text/css");
    EXPECT_EQ(mime_type_of_path("/a.css/b"), "");
    EXPECT_EQ(mime_type_of_path("/a."), "");
    EXPECT_EQ(mime_type_of_path(""), "");
}

TEST(Mime, EveryEntryIsFound) {
    size_t count = 0;
    const MimeType* table = mime_table(count);
    EXPECT_GE(count, 150u);
    for (size_t i = 0; i < count; i++) {
        EXPECT_EQ(mime_type(table[i].extension), table[i].type);
        EXPECT_NE(table[i].type.find('/'), std::string_view::npos);
    }
}

}  // namespace
}  // namespace stampede::proto::http
