#include "metrics/board.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <thread>

#include "metrics/http.h"
#include "metrics/text.h"

namespace stampede::metrics {
namespace {

std::unique_ptr<Board> board(uint32_t blocks = 2) { return std::move(*Board::create(blocks)); }

Cell requests(Board& on, std::string_view route) {
    return on.series(Id::kRequests,
                     labels_of(family(Id::kRequests), {"GET", "2xx", route, "none"}).text());
}

TEST(MetricsBoard, ASeriesHasOneCellForAllProcesses) {
    auto shared = board();
    Cell first = requests(*shared, "/a");
    EXPECT_NE(first, kNoCell);
    EXPECT_EQ(first, requests(*shared, "/a"));
    EXPECT_NE(first, requests(*shared, "/b"));
    auto other = std::move(*Board::attach(shared->file()));
    EXPECT_EQ(first, requests(*other, "/a"));
    other->shared().add(first, 3);
    shared->writer(0).add(first, 2);
    EXPECT_EQ(5u, shared->total(first));
    EXPECT_EQ(5u, other->total(first));
}

TEST(MetricsBoard, CountersSurviveTheirProcessAndGaugesDoNot) {
    auto shared = board();
    Cell counter = requests(*shared, "/a");
    Cell gauge = shared->series(Id::kConnections, "protocol=\"http1\",tls=\"no\"");
    pid_t child = fork();
    if (child == 0) {
        shared->writer(1).add(counter, 7);
        shared->writer(1).add(gauge, 4);
        raise(SIGKILL);
    }
    waitpid(child, nullptr, 0);
    EXPECT_EQ(4u, shared->total(gauge));
    shared->bury(1);
    EXPECT_EQ(7u, shared->total(counter));
    EXPECT_EQ(0u, shared->total(gauge));
    shared->writer(1).add(counter, 1);
    EXPECT_EQ(8u, shared->total(counter));
}

TEST(MetricsBoard, ManyThreadsAgreeOnTheCellsOfNewSeries) {
    auto shared = board();
    constexpr int kThreads = 4;
    constexpr int kNames = 200;
    std::vector<Cell> found[kThreads];
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; t++) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < kNames; i++) {
                Cell cell = requests(*shared, "/" + std::to_string(i));
                shared->shared().add(cell, 1);
                found[t].push_back(cell);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::set<Cell> distinct(found[0].begin(), found[0].end());
    EXPECT_EQ(static_cast<size_t>(kNames), distinct.size());
    EXPECT_EQ(0u, distinct.count(kNoCell));
    for (int t = 1; t < kThreads; t++) {
        EXPECT_EQ(found[0], found[t]);
    }
    EXPECT_EQ(static_cast<size_t>(kNames),
              shared->shown(static_cast<uint16_t>(Id::kRequests)).size());
    for (Cell cell : distinct) {
        EXPECT_EQ(static_cast<uint64_t>(kThreads), shared->total(cell));
    }
}

TEST(MetricsBoard, BeyondItsLimitAFamilyGetsNoSeriesAndSaysSoOnce) {
    auto shared = board();
    uint16_t number = shared->declare({.name = "jobs", .help = "Jobs.", .labels = "kind"});
    for (int i = 0; i < 10; i++) {
        EXPECT_NE(kNoCell, shared->series(number, "kind=\"" + std::to_string(i) + "\"", 10));
    }
    EXPECT_EQ(kNoCell, shared->series(number, "kind=\"10\"", 10));
    EXPECT_NE(kNoCell, shared->series(number, "kind=\"3\"", 10));
    EXPECT_TRUE(shared->note_overflow(number));
    EXPECT_FALSE(shared->note_overflow(number));
    EXPECT_NE(kNoCell, shared->series(number, "kind=\"other\""));
}

TEST(MetricsBoard, ATableThatIsFullRefusesAndKeepsWhatItHas) {
    auto shared = board(1);
    uint32_t made = 0;
    for (uint32_t i = 0; i < Board::kSeries + 10; i++) {
        made += requests(*shared, "/" + std::to_string(i)) != kNoCell ? 1 : 0;
    }
    EXPECT_EQ(uint32_t{Board::kMostSeries}, made);
    EXPECT_NE(kNoCell, requests(*shared, "/0"));
}

TEST(MetricsBoard, AMetricOfTheApplicationIsOneForAllThatDeclareItAlike) {
    auto shared = board();
    const double bounds[] = {1, 2};
    const double others[] = {1, 3};
    Family sizes = {
        .name = "sizes", .type = Type::kHistogram, .unit = Unit::kReal, .bounds = bounds};
    uint16_t number = shared->declare(sizes);
    EXPECT_EQ(number, shared->declare(sizes));
    sizes.bounds = others;
    EXPECT_EQ(uint16_t{Board::kConflict}, shared->declare(sizes));
    sizes.bounds = bounds;
    sizes.labels = "kind";
    EXPECT_EQ(uint16_t{Board::kConflict}, shared->declare(sizes));
    EXPECT_EQ("sizes", shared->family_at(number).name);
    for (uint32_t i = 1; i < Board::kOwnFamilies; i++) {
        EXPECT_LT(shared->declare({.name = "m" + std::to_string(i)}), Board::kConflict);
    }
    EXPECT_EQ(uint16_t{Board::kNoRoom}, shared->declare({.name = "one_more"}));
}

TEST(MetricsBoard, RoutesAreNumberedAndLimited) {
    auto shared = board();
    EXPECT_EQ("-", shared->route_text(shared->route("")));
    uint16_t number = shared->route("/orders/{id}");
    EXPECT_EQ(number, shared->route("/orders/{id}"));
    EXPECT_EQ("/orders/{id}", shared->route_text(number));
    uint32_t others = 0;
    for (uint32_t i = 0; i < Board::kRoutes + 10; i++) {
        others += shared->route("/" + std::to_string(i)) == Board::kOtherRoute ? 1 : 0;
    }
    EXPECT_EQ(13u, others);  // two numbers are none of the table's, and one was taken before
    EXPECT_EQ("other", shared->route_text(Board::kOtherRoute));
}

TEST(MetricsLabels, ValuesAreEscapedCutAndAlwaysUtf8) {
    Labels labels;
    EXPECT_TRUE(labels.add("a", "x\"y\\z\n"));
    EXPECT_TRUE(labels.add("b", "\xc3\xa4\xff"));
    EXPECT_EQ("a=\"x\\\"y\\\\z\\n\",b=\"\xc3\xa4\xef\xbf\xbd\"", labels.text());
    Labels full;
    EXPECT_TRUE(full.add("a", std::string(1000, '"')));
    EXPECT_LE(full.text().size(), Labels::kMost);
    EXPECT_EQ('"', full.text().back());
    EXPECT_FALSE(full.add("b", "x"));
}

TEST(MetricsText, BothFormatsNameCountersAsTheyWant) {
    auto shared = board();
    shared->writer(0).add(requests(*shared, "/a"), 12);
    TextWriter plain(Format::kPrometheus);
    plain.family(*shared, static_cast<uint16_t>(Id::kRequests));
    std::string text = plain.finish();
    EXPECT_NE(text.npos, text.find("# TYPE stampede_http_requests_total counter\n"));
    EXPECT_NE(text.npos, text.find("stampede_http_requests_total{method=\"GET\",status=\"2xx\","
                                   "route=\"/a\",isolation=\"none\"} 12\n"));
    EXPECT_EQ(text.npos, text.find("# EOF"));
    TextWriter open(Format::kOpenMetrics);
    open.family(*shared, static_cast<uint16_t>(Id::kRequests));
    text = open.finish();
    EXPECT_NE(text.npos, text.find("# TYPE stampede_http_requests counter\n"));
    EXPECT_TRUE(text.ends_with("# EOF\n"));
}

TEST(MetricsText, BucketsAreSumsAndSecondsAreSeconds) {
    auto shared = board();
    Cell cell = shared->series(Id::kWaits, "kind=\"sleep\"");
    shared->writer(0).observe(cell, 700 * kMicrosecond);
    shared->writer(1).observe(cell, 2 * kSecond);
    shared->writer(1).observe(cell, 1000 * kSecond);
    TextWriter writer(Format::kOpenMetrics);
    writer.family(*shared, static_cast<uint16_t>(Id::kWaits));
    std::string text = writer.finish();
    EXPECT_NE(text.npos, text.find("_bucket{kind=\"sleep\",le=\"0.0005\"} 0\n"));
    EXPECT_NE(text.npos, text.find("_bucket{kind=\"sleep\",le=\"0.001\"} 1\n"));
    EXPECT_NE(text.npos, text.find("_bucket{kind=\"sleep\",le=\"60.0\"} 2\n"));
    EXPECT_NE(text.npos, text.find("_bucket{kind=\"sleep\",le=\"+Inf\"} 3\n"));
    EXPECT_NE(text.npos, text.find("_sum{kind=\"sleep\"} 1002.0007\n"));
    EXPECT_NE(text.npos, text.find("_count{kind=\"sleep\"} 3\n"));
}

TEST(MetricsHttp, ARequestIsCountedOnceWithItsTimes) {
    auto shared = board();
    constexpr std::string_view kMethods[] = {"GET", "HEAD", "unknown"};
    HttpMetrics http(*shared, shared->writer(0), kMethods, nullptr);
    RequestFacts facts{.route = http.route("/a"),
                       .method = 1,
                       .ending = ending_of(304),
                       .isolation = Isolation::kSequential,
                       .received_at = kSecond,
                       .handled_at = 3 * kSecond,
                       .ended_at = 4 * kSecond};
    http.ended(facts);
    http.ended(facts);
    http.ended_unread(ending_of(400));
    TextWriter writer(Format::kPrometheus);
    writer.family(*shared, static_cast<uint16_t>(Id::kRequests));
    writer.family(*shared, static_cast<uint16_t>(Id::kRequestWait));
    std::string text = writer.finish();
    EXPECT_NE(
        text.npos,
        text.find("{method=\"HEAD\",status=\"3xx\",route=\"/a\",isolation=\"sequential\"} 2\n"));
    EXPECT_NE(text.npos,
              text.find("{method=\"unknown\",status=\"4xx\",route=\"-\",isolation=\"none\"} 1\n"));
    EXPECT_NE(text.npos, text.find("stampede_http_request_wait_seconds_sum{route=\"/a\"} 4\n"));
}

}  // namespace
}  // namespace stampede::metrics
