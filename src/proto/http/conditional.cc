#include "proto/http/conditional.h"

#include "proto/http/message.h"

namespace stampede::proto::http {
namespace {

bool given(std::string_view field) { return field.data() != nullptr; }

bool is_weak(std::string_view tag) { return tag.starts_with("W/"); }

bool same_tag(std::string_view a, std::string_view b, Comparison comparison) {
    if (comparison == Comparison::kStrong) {
        return a == b && !is_weak(a);
    }
    return (is_weak(a) ? a.substr(2) : a) == (is_weak(b) ? b.substr(2) : b);
}

// Takes the next tag off the list; false at its end, or where it is no list of tags.
bool next_tag(std::string_view& list, std::string_view& tag) {
    while (!list.empty() && (list.front() == ' ' || list.front() == '\t' || list.front() == ',')) {
        list.remove_prefix(1);
    }
    size_t start = is_weak(list) ? 2 : 0;
    if (list.size() <= start || list[start] != '"') {
        return false;
    }
    size_t end = list.find('"', start + 1);
    if (end == std::string_view::npos) {
        return false;
    }
    tag = list.substr(0, end + 1);
    list.remove_prefix(end + 1);
    return true;
}

bool unchanged_since(std::string_view date, time_t modified, bool otherwise) {
    time_t then = 0;
    return parse_date(date, then) ? modified <= then : otherwise;
}

}  // namespace

bool lists_etag(std::string_view list, std::string_view etag, Comparison comparison) {
    if (list == "*") {
        return true;
    }
    std::string_view tag;
    while (next_tag(list, tag)) {
        if (same_tag(tag, etag, comparison)) {
            return true;
        }
    }
    return false;
}

Precondition check_conditions(const Conditions& conditions, const Validators& present) {
    if (given(conditions.if_match)) {
        if (!lists_etag(conditions.if_match, present.etag, Comparison::kStrong)) {
            return Precondition::kFailed;
        }
    } else if (given(conditions.if_unmodified_since) &&
               !unchanged_since(conditions.if_unmodified_since, present.modified, true)) {
        return Precondition::kFailed;
    }
    if (given(conditions.if_none_match)) {
        return lists_etag(conditions.if_none_match, present.etag, Comparison::kWeak)
                   ? Precondition::kNotModified
                   : Precondition::kProceed;
    }
    bool unmodified = given(conditions.if_modified_since) &&
                      unchanged_since(conditions.if_modified_since, present.modified, false);
    return unmodified ? Precondition::kNotModified : Precondition::kProceed;
}

bool range_applies(const Conditions& conditions, const Validators& present) {
    std::string_view condition = conditions.if_range;
    if (!given(condition)) {
        return true;
    }
    if (condition.starts_with('"') || is_weak(condition)) {
        return same_tag(condition, present.etag, Comparison::kStrong);
    }
    time_t date = 0;
    return parse_date(condition, date) && date == present.modified;
}

}  // namespace stampede::proto::http
