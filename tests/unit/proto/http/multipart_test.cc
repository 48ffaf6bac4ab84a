#include "proto/http/multipart.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>

#include "unit/proto/guarded.h"

namespace stampede::proto::http {
namespace {

using Event = MultipartParser::Event;

class MultipartLog {
public:
    explicit MultipartLog(std::string_view boundary, const MultipartLimits& limits = {})
        : parser_(boundary, limits) {}

    void feed(std::string_view input) {
        test::Guarded guarded(input);
        input = guarded.view();
        for (;;) {
            Event event = parser_.next(input);
            write(event);
            if (event == Event::kNeedMore || event == Event::kDone || event == Event::kBad) {
                EXPECT_TRUE(event == Event::kBad || input.empty());
                return;
            }
        }
    }

    std::string finish() {
        flush();
        return log_ + (ended_ ? "" : "unfinished\n");
    }

private:
    void write(Event event) {
        if (event == Event::kPartData) {
            EXPECT_FALSE(parser_.data().empty());
            data_ += parser_.data();
            return;
        }
        if (event == Event::kNeedMore || ended_) {
            return;
        }
        flush();
        if (event == Event::kPartBegin) {
            log_ += "part " + (parser_.has_name() ? std::string(parser_.name()) : "-");
            log_ += parser_.is_file() ? " file " + std::string(parser_.filename()) : "";
            log_ += parser_.content_type().empty() ? ""
                                                   : " type " + std::string(parser_.content_type());
            log_ += "\n";
        } else if (event == Event::kPartEnd) {
            log_ += "end\n";
        } else {
            log_ += event == Event::kDone ? "done\n"
                                          : "bad " + std::to_string(parser_.http_status()) + "\n";
            EXPECT_EQ(parser_.done(), event == Event::kDone);
            ended_ = true;
        }
    }

    void flush() {
        if (!data_.empty()) {
            log_ += "data " + data_ + "\n";
            data_.clear();
        }
    }

    MultipartParser parser_;
    std::string data_;
    std::string log_;
    bool ended_ = false;
};

// The same log for the whole input, for single bytes and for random pieces.
std::string log_of(const std::string& body, const std::string& boundary = "xyz",
                   const MultipartLimits& limits = {}) {
    MultipartLog whole(boundary, limits);
    whole.feed(body);
    std::string expected = whole.finish();
    std::mt19937 random(42);
    for (size_t longest : {size_t{1}, size_t{3}, size_t{17}, size_t{70}}) {
        if (body.size() > 20000 && longest < 17) {
            continue;
        }
        MultipartLog cut(boundary, limits);
        for (size_t at = 0; at < body.size();) {
            size_t length = std::min<size_t>(1 + random() % longest, body.size() - at);
            cut.feed(std::string_view(body).substr(at, length));
            at += length;
        }
        EXPECT_EQ(cut.finish(), expected) << "in pieces of up to " << longest;
    }
    return expected;
}

std::string field(const std::string& name, const std::string& value) {
    return "--xyz\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value +
           "\r\n";
}

TEST(Multipart, AFieldAndAFile) {
    EXPECT_EQ(
        log_of(field("a", "1") + "--xyz\r\ncontent-disposition: Form-Data; name=up; "
                                 "filename=\"f.txt\"\r\nContent-Type: text/plain\r\n\r\n"
                                 "line\r\nline\r\n--xyz--\r\n"),
        "part a\ndata 1\nend\npart up file f.txt type text/plain\ndata line\r\nline\nend\ndone\n");
}

TEST(Multipart, EmptyParts) {
    EXPECT_EQ(log_of(field("a", "") + "--xyz--"), "part a\nend\ndone\n");
    EXPECT_EQ(log_of("--xyz\r\nContent-Disposition: form-data; name=a\r\n\r\n--xyz--"),
              "part a\nend\ndone\n");
    EXPECT_EQ(log_of("--xyz--\r\n"), "done\n");
    EXPECT_EQ(log_of("--xyz\r\n\r\nx\r\n--xyz--\r\n"), "part -\ndata x\nend\ndone\n");
    EXPECT_EQ(log_of(field("a", "1") + "--xyz\r\nContent-Disposition: form-data; name=\"f\"; "
                                       "filename=\"\"\r\n\r\n\r\n--xyz--"),
              "part a\ndata 1\nend\npart f file \nend\ndone\n");
}

TEST(Multipart, WhatLooksLikeABoundaryIsData) {
    for (const char* data :
         {"\r", "\r\n", "\r\n-", "\r\n--", "\r\n--x", "\r\n--xy", "x--xyz", "\r--xyz", "\n--xyz",
          "\r\n--xyw", "\r\r\n--xy", "\r\n\r\n--xy\r\n", "\r\n--xyzz", "\r\n--xyz-", "\r\n--xyz-x",
          "\r\n--xyzq--", "\r\n-\r\n--", "\r\n--xy\r\n--xy", "\r\n--xyz-\r\n--xyzA"}) {
        std::string expected = std::string("part a\ndata ") + data + "\nend\ndone\n";
        EXPECT_EQ(log_of(field("a", data) + "--xyz--\r\n"), expected);
    }
}

TEST(Multipart, AroundTheBoundaries) {
    EXPECT_EQ(log_of("preamble\r\n" + field("a", "1") + "--xyz--epilogue\r\n--xyz\r\n"),
              "part a\ndata 1\nend\ndone\n");
    EXPECT_EQ(log_of("--xyzpreamble\r\n" + field("a", "1") + "--xyz--"),
              "part a\ndata 1\nend\ndone\n");
    EXPECT_EQ(log_of("\r\n" + field("a", "1") + "--xyz--"), "part a\ndata 1\nend\ndone\n");
    EXPECT_EQ(log_of("--xyz \t\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--xyz--"),
              "part a\ndata 1\nend\ndone\n");
    EXPECT_EQ(log_of("--xyz x\r\n"), "bad 400\n");
    EXPECT_EQ(log_of("--xyz\rx\r\n"), "bad 400\n");
}

TEST(Multipart, CutBodies) {
    EXPECT_EQ(log_of(field("a", "1")), "part a\ndata 1\nunfinished\n");
    EXPECT_EQ(log_of(field("a", "1") + "--xyz-"), "part a\ndata 1\nunfinished\n");
    EXPECT_EQ(log_of("--xyz\r\nContent-Dispo"), "unfinished\n");
    EXPECT_EQ(log_of("nothing"), "unfinished\n");
    EXPECT_EQ(log_of(""), "unfinished\n");
}

std::string head(const std::string& lines) {
    return log_of("--xyz\r\n" + lines + "\r\n\r\nx\r\n--xyz--");
}

TEST(Multipart, FileNamesAreBaseNames) {
    auto file = [](const std::string& name) {
        return head("Content-Disposition: form-data; name=f; filename=\"" + name + "\"");
    };
    EXPECT_EQ(file("../../etc/passwd"), "part f file passwd\ndata x\nend\ndone\n");
    EXPECT_EQ(file("C:\\temp\\a.txt"), "part f file a.txt\ndata x\nend\ndone\n");
    EXPECT_EQ(file("a\\\"b.txt"), "part f file a\"b.txt\ndata x\nend\ndone\n");
    EXPECT_EQ(file("dir/"), "part f file \ndata x\nend\ndone\n");
    EXPECT_EQ(file(std::string("a\0b", 3)), "bad 400\n");
}

TEST(Multipart, MalformedHeads) {
    for (const char* lines :
         {"no colon", ": x", "A b: x", "Content-Disposition: form-data; name=\"a",
          "Content-Disposition: form-data; name", "Content-Disposition: form-data; name=\"a\"x",
          "Content-Disposition: form-data; name=a; name=b",
          "Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b",
          "A: b\r\n folded", "A: b\nB: c", "A: b\rB: c", "Content-Disposition: form-data; =a",
          "A: \x01"}) {
        EXPECT_EQ(head(lines), "bad 400\n") << lines;
    }
}

TEST(Multipart, HeadsThatAreFine) {
    EXPECT_EQ(head("Content-Disposition: form-data; filename*=utf-8''x; name=\"a;b\"; filename=c"),
              "part a;b file c\ndata x\nend\ndone\n");
    EXPECT_EQ(head("Content-Disposition:form-data;name=a;"), "part a\ndata x\nend\ndone\n");
    EXPECT_EQ(head("Content-Disposition: attachment; name=a"), "part -\ndata x\nend\ndone\n");
    EXPECT_EQ(head("X: y"), "part -\ndata x\nend\ndone\n");
    EXPECT_EQ(head("Content-Disposition: form-data; name=\"\xc3\xa9\""),
              "part \xc3\xa9\ndata x\nend\ndone\n");
}

TEST(Multipart, Limits) {
    MultipartLimits limits;
    limits.parts = 2;
    EXPECT_EQ(
        log_of(field("a", "1") + field("b", "2") + field("c", "3") + "--xyz--", "xyz", limits),
        "part a\ndata 1\nend\npart b\ndata 2\nend\nbad 413\n");
    EXPECT_EQ(head("X: " + std::string(20000, 'x')), "bad 413\n");
    EXPECT_EQ(head("Content-Disposition: form-data; name=" + std::string(5000, 'x')), "bad 413\n");
    std::string lines = "X: y";
    for (int i = 0; i < 40; i++) {
        lines += "\r\nX: y";
    }
    EXPECT_EQ(head(lines), "bad 413\n");
    EXPECT_EQ(log_of(std::string(5000, 'p')), "bad 400\n");
    std::string lines_of_preamble;
    for (int i = 0; i < 3000; i++) {
        lines_of_preamble += "\r\n";
    }
    EXPECT_EQ(log_of(lines_of_preamble), "bad 400\n");
}

// Data made to look as much like boundaries as possible.
TEST(Multipart, HostileDataTakesLinearTime) {
    std::string boundary(70, '-');
    std::string data;
    while (data.size() < 4000000) {
        data += "\r\n" + std::string(71, '-') + "\r\r\r\n--";
    }
    data += "x";  // what may begin a boundary is held back
    std::string body =
        "--" + boundary + "\r\nContent-Disposition: form-data; name=a\r\n\r\n" + data;
    auto start = std::chrono::steady_clock::now();
    MultipartLog log(boundary);
    for (size_t at = 0; at < body.size(); at += 65536) {
        log.feed(std::string_view(body).substr(at, 65536));
    }
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 2.0);
    // Not EXPECT_EQ, which would look for the differences.
    EXPECT_TRUE(log.finish() == "part a\ndata " + data + "\nunfinished\n");
}

std::string boundary_of(std::string_view content_type) {
    std::string_view boundary;
    return extract_boundary(content_type, boundary) ? std::string(boundary) : "none";
}

TEST(Boundary, Counting) {
    EXPECT_EQ(count_boundaries("multipart/form-data; boundary=a"), 1u);
    EXPECT_EQ(count_boundaries("multipart/form-data; boundary=a; boundary=a"), 2u);
    EXPECT_EQ(count_boundaries("Multipart/Mixed;Boundary=a;charset=x;BOUNDARY=\"b;c\""), 2u);
    EXPECT_EQ(count_boundaries("multipart/form-data; name=\"; boundary=a\"; boundary=b"), 1u);
    EXPECT_EQ(count_boundaries("multipart/form-data"), 0u);
    EXPECT_EQ(count_boundaries("text/plain; boundary=a; boundary=b"), 0u);
}

TEST(Boundary, Extraction) {
    EXPECT_EQ(boundary_of("multipart/form-data; boundary=abc"), "abc");
    EXPECT_EQ(boundary_of("Multipart/Form-Data;charset=utf-8; BOUNDARY=\"a b:c\""), "a b:c");
    EXPECT_EQ(boundary_of("multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW"),
              "----WebKitFormBoundary7MA4YWxkTrZu0gW");
    EXPECT_EQ(boundary_of("multipart/form-data; boundary=" + std::string(70, 'a')),
              std::string(70, 'a'));
    for (const std::string& bad :
         {std::string("multipart/form-data"), std::string("multipart/form-data; boundary="),
          std::string("multipart/form-data; boundary=\"\""),
          std::string("multipart/mixed; boundary=a"), std::string("text/plain"), std::string(""),
          "multipart/form-data; boundary=" + std::string(71, 'a'),
          "multipart/form-data; boundary=" + std::string(4096, 'a'),
          std::string("multipart/form-data; boundary=a; boundary=b"),
          std::string("multipart/form-data; boundary=\"a"),
          std::string("multipart/form-data; boundary=\"a \""),
          std::string("multipart/form-data; boundary=a\x01"),
          std::string("multipart/form-data; boundary=a@b"),
          std::string("multipart/form-datax; boundary=a")}) {
        EXPECT_EQ(boundary_of(bad), "none") << bad;
    }
    EXPECT_TRUE(is_media_type(" Application/X-WWW-Form-Urlencoded ; charset=x",
                              "application/x-www-form-urlencoded"));
}

}  // namespace
}  // namespace stampede::proto::http
