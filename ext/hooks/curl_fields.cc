#include "hooks/curl_fields.h"

#include <strings.h>

#include <cstring>
#include <memory>
#include <unordered_map>
#include <utility>

#include "hooks/hooks.h"
#include "os/thread.h"

namespace stampede::hooks {

namespace {

using Code = int;
constexpr int kHttpHeader = 10023;  // CURLOPT_HTTPHEADER
constexpr int64_t kCurlFlags = 2048 | 4096;

// struct curl_slist, which is part of libcurl's interface.
struct Line {
    char* text;
    Line* next;
};

// The last argument of curl_easy_setopt() is a pointer or a number of the same size, in the same
// register.
struct Library {
    void* (*init)();
    void* (*duplicate)(void*);
    Code (*set)(void*, int, void*);
    void (*reset)(void*);
    void (*cleanup)(void*);
};
Library curl;

struct Added {
    std::vector<std::string> texts;
    std::vector<Line> lines;
};

struct Handle {
    Line* given = nullptr;  // by the application
    std::unique_ptr<Added> added;
};

STAMPEDE_THREAD_LOCAL bool follows;  // the PHP thread, once it is asked to
std::unordered_map<void*, Handle> handles;
std::vector<std::string> outgoing;

Handle* find(void* handle) {
    auto found = follows ? handles.find(handle) : handles.end();
    return found != handles.end() ? &found->second : nullptr;
}

bool sends(const Line* given, const std::string& line) {
    size_t length = line.find(':') + 1;
    for (; given != nullptr; given = given->next) {
        if (given->text != nullptr && strncasecmp(given->text, line.c_str(), length) == 0) {
            return true;
        }
    }
    return false;
}

void* hooked_init() {
    void* handle = curl.init();
    if (handle != nullptr && follows) {
        handles[handle] = {};
    }
    return handle;
}

void* hooked_duplicate(void* original) {
    void* handle = curl.duplicate(original);
    const Handle* known = follows ? find(original) : nullptr;
    if (handle != nullptr && known != nullptr) {
        Line* given = known->given;
        handles[handle].given = given;
        curl.set(handle, kHttpHeader, given);
    }
    return handle;
}

Code hooked_set(void* handle, int option, void* value) {
    if (option == kHttpHeader && follows) {
        if (Handle* known = find(handle)) {
            known->given = static_cast<Line*>(value);
        }
    }
    return curl.set(handle, option, value);
}

void hooked_reset(void* handle) {
    curl.reset(handle);
    if (Handle* known = follows ? find(handle) : nullptr) {
        *known = {};
    }
}

void hooked_cleanup(void* handle) {
    curl.cleanup(handle);
    if (follows) {
        handles.erase(handle);
    }
}

}  // namespace

// Where no flag selects curl its imports lead to us all the same, and its calls do not wait.
void follow_curl_handles() {
    follows = true;
    redirect_for_children(kCurlFlags);
}
bool follows_curl_handles() { return follows; }

void set_outgoing_fields(std::vector<std::string> lines) { outgoing = std::move(lines); }
void forget_outgoing_fields() { outgoing.clear(); }

void add_fields(void* handle) {
    if (outgoing.empty()) {
        return;
    }
    std::vector<std::string> lines = std::exchange(outgoing, {});
    Handle* known = find(handle);
    if (known == nullptr || known->added != nullptr) {
        return;
    }
    std::erase_if(lines, [&](const std::string& line) { return sends(known->given, line); });
    if (lines.empty()) {
        return;
    }
    auto added = std::make_unique<Added>();
    added->texts = std::move(lines);
    added->lines.resize(added->texts.size());
    for (size_t i = 0; i < added->lines.size(); i++) {
        bool is_last = i + 1 == added->lines.size();
        added->lines[i] = {added->texts[i].data(), is_last ? known->given : &added->lines[i + 1]};
    }
    if (curl.set(handle, kHttpHeader, added->lines.data()) == 0) {
        known->added = std::move(added);
    }
}

void take_fields_back(void* handle) {
    Handle* known = find(handle);
    if (known != nullptr && known->added != nullptr) {
        curl.set(handle, kHttpHeader, known->given);
        known->added.reset();
    }
}

const Redirect kCurlFieldRedirects[] = {
    redirect_entry<hooked_init>("curl_easy_init", curl.init),
    redirect_entry<hooked_duplicate>("curl_easy_duphandle", curl.duplicate),
    redirect_entry<hooked_set>("curl_easy_setopt", curl.set),
    redirect_entry<hooked_reset>("curl_easy_reset", curl.reset),
    redirect_entry<hooked_cleanup>("curl_easy_cleanup", curl.cleanup),
};
const size_t kCurlFieldRedirectCount = sizeof(kCurlFieldRedirects) / sizeof(kCurlFieldRedirects[0]);

}  // namespace stampede::hooks
