#include "ext/metrics/request_record.h"

#include <cstdio>
#include <string_view>

namespace stampede::metrics {

namespace {

Nanos mark;

// Names are tokens of ours.
void append_metric(std::string& text, std::string_view name, Nanos time, uint32_t count) {
    char number[64];
    text += text.empty() ? "" : ", ";
    text += name;
    if (count > 0) {
        snprintf(number, sizeof(number), ";desc=\"%u\"", count);
        text += number;
    }
    snprintf(number, sizeof(number), ";dur=%.3f",
             static_cast<double>(time) / static_cast<double>(kMillisecond));
    text += number;
}

}  // namespace

uint32_t live_records;

RequestRecord::RequestRecord(Nanos queued)
    : queued_(queued), began_at_(monotonic_now()), thread_began_at_(thread_cpu_now()) {}

RequestRecord* RequestRecord::begin(Nanos queued) {
    auto* record = new RequestRecord(queued);
    live_records++;
    mark = record->thread_began_at_;
    return record;
}

void RequestRecord::release() {
    if (--references_ == 0) {
        live_records--;
        delete this;
    }
}

void charge(RequestRecord* record) {
    Nanos now = thread_cpu_now();
    if (record != nullptr) {
        record->cpu_ += now - mark;
    }
    mark = now;
}

std::string server_timing(const RequestRecord& record) {
    std::string text;
    append_metric(text, "total", record.duration(), 0);
    append_metric(text, "queue", record.queued(), 0);
    append_metric(text, "cpu", record.cpu(), 0);
    append_metric(text, "others", record.others_cpu(), 0);
    for (size_t i = 0; i < static_cast<size_t>(WaitKind::kCount); i++) {
        auto kind = static_cast<WaitKind>(i);
        const RequestRecord::Waits& waits = record.waits(kind);
        if (waits.count > 0) {
            append_metric(text, name_of(kind), waits.time, waits.count);
        }
    }
    return text;
}

}  // namespace stampede::metrics
