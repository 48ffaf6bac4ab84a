#include "server/access_line.h"

#include <gtest/gtest.h>

#include <string>

namespace stampede::server {
namespace {

LogEntry example() {
    LogEntry entry;
    entry.time = "now";
    entry.address = "192.0.2.1";
    entry.method = "GET";
    entry.target = "/a?token=x";
    entry.path = "/a";
    entry.query = "token=x";
    entry.duration = 12'345 * kMicrosecond;
    return entry;
}

std::string json(const LogEntry& entry, std::initializer_list<LogField> fields) {
    Buffer out;
    append_json(out, entry, {fields.begin(), fields.size()});
    return std::string(out.view());
}

std::string text(const LogEntry& entry, bool coloured = false) {
    Buffer out;
    append_text(out, entry, {}, coloured);
    return std::string(out.view());
}

TEST(AccessLine, AnObjectHasTheFieldsThatAreAskedFor) {
    EXPECT_EQ(json(example(), {LogField::kStatus, LogField::kPath, LogField::kMilliseconds,
                               LogField::kHttps, LogField::kLevel}),
              "{\"status\":200,\"path\":\"/a\",\"ms\":12.34,\"https\":false,\"level\":\"info\"}\n");
    EXPECT_EQ(json(example(), {}), "{}\n");
}

TEST(AccessLine, FieldsWithoutAValueAreLeftOut) {
    EXPECT_EQ(json(example(),
                   {LogField::kTraceId, LogField::kWorker, LogField::kRequestId, LogField::kBytes}),
              "{\"bytes\":0}\n");
}

TEST(AccessLine, SecretsOfAQueryAreHidden) {
    EXPECT_EQ(json(example(), {LogField::kQuery}), "{\"query\":\"token=(hidden)\"}\n");
}

TEST(AccessLine, LongValuesAreCutSoThatALineStaysShort) {
    LogEntry entry = example();
    std::string hostile(20000, '"');
    entry.path = entry.query = entry.host = entry.referer = entry.user_agent = entry.method =
        entry.request_id = hostile;
    std::string line = json(
        entry, {LogField::kTime, LogField::kMethod, LogField::kPath, LogField::kQuery,
                LogField::kHost, LogField::kReferer, LogField::kUserAgent, LogField::kRequestId});
    EXPECT_LT(line.size(), 4096U);
}

TEST(AccessLine, LinesForPeopleAreAligned) {
    EXPECT_EQ(text(example()), "now 200 GET    /a 12.3 ms\n");
    LogEntry slow = example();
    slow.method = "DELETE";
    slow.duration = 15 * kSecond;
    EXPECT_EQ(text(slow), "now 200 DELETE /a 15.0 s\n");
    slow.duration = 600 * kSecond;
    EXPECT_EQ(text(slow), "now 200 DELETE /a 10 min\n");
    EXPECT_EQ(text(example(), true),
              "\x1b[2mnow\x1b[0m \x1b[32m200\x1b[0m GET    /a \x1b[2m12.3 ms\x1b[0m\n");
}

TEST(AccessLine, NoByteOfAClientSteersATerminal) {
    LogEntry entry = example();
    entry.path = "/\x1b[31m\n\xc2\x9b";
    EXPECT_EQ(text(entry), "now 200 GET    /\\x1b[31m\\x0a\\xc2\\x9b 12.3 ms\n");
}

}  // namespace
}  // namespace stampede::server
