#include "proto/coding/accept.h"

#include "proto/http/message.h"

namespace stampede::proto::coding {
namespace {

constexpr int kFull = 1000;
constexpr int kUnnamed = -1;
constexpr size_t kOfferCount = sizeof(kOffered) / sizeof(kOffered[0]);

// "0.5" as 500. An invalid q-value counts as q=0 (not acceptable).
int read_weight(std::string_view text) {
    if (text.empty() || (text[0] != '0' && text[0] != '1') || text.size() > 5 ||
        (text.size() > 1 && text[1] != '.')) {
        return 0;
    }
    int weight = (text[0] - '0') * kFull;
    int unit = kFull / 10;
    for (size_t i = 2; i < text.size(); i++, unit /= 10) {
        if (text[i] < '0' || text[i] > '9') {
            return 0;
        }
        weight += (text[i] - '0') * unit;
    }
    return weight > kFull ? 0 : weight;
}

int weight_of(std::string_view parameters) {
    while (!parameters.empty()) {
        size_t end = parameters.find(';');
        std::string_view one = http::trimmed(parameters.substr(0, end));
        parameters =
            end == std::string_view::npos ? std::string_view() : parameters.substr(end + 1);
        if (one.size() >= 2 && (one[0] == 'q' || one[0] == 'Q') && one[1] == '=') {
            return read_weight(one.substr(2));
        }
    }
    return kFull;
}

size_t place_of(std::string_view name) {
    Coding coding = coding_by_name(name);
    for (size_t i = 0; i < kOfferCount; i++) {
        if (kOffered[i] == coding) {
            return i;
        }
    }
    return kOfferCount;
}

}  // namespace

Choice choose_codings(std::string_view accept_encoding) {
    int weights[kOfferCount] = {kUnnamed, kUnnamed, kUnnamed, kUnnamed};
    int others = 0;
    while (!accept_encoding.empty()) {
        size_t comma = accept_encoding.find(',');
        std::string_view item = accept_encoding.substr(0, comma);
        accept_encoding = comma == std::string_view::npos ? std::string_view()
                                                          : accept_encoding.substr(comma + 1);
        size_t semicolon = item.find(';');
        std::string_view name = http::trimmed(item.substr(0, semicolon));
        int weight =
            semicolon == std::string_view::npos ? kFull : weight_of(item.substr(semicolon + 1));
        if (name == "*") {
            others = weight;
        } else if (size_t place = place_of(name); place < kOfferCount) {
            weights[place] = weight;
        }
    }
    Choice choice;
    for (int least = kFull; least > 0;) {
        int next = 0;
        for (size_t i = 0; i < kOfferCount; i++) {
            int weight = weights[i] == kUnnamed ? others : weights[i];
            if (weight == least) {
                choice.codings[choice.count++] = kOffered[i];
            } else if (weight < least && weight > next) {
                next = weight;
            }
        }
        least = next;
    }
    return choice;
}

}  // namespace stampede::proto::coding
