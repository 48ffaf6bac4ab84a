#include "net/hosts_file.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "os/fd.h"
#include "os/file.h"
#include "os/file_io.h"

namespace stampede::net {

namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

std::string in_small_letters(std::string_view name) {
    std::string small(name);
    for (char& letter : small) {
        letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    }
    return small;
}

// Empty where there is none, and for one that is too large to be kept: its names are asked for on
// threads as those of name servers are.
std::string text_of(const std::string& path) {
    constexpr size_t kMost = size_t{256} * 1024;
    os::FileInfo file = os::open_regular(path.c_str());
    os::Fd fd(file.fd);
    std::string text;
    if (file.fd >= 0 && static_cast<size_t>(file.size) <= kMost) {
        text.resize(static_cast<size_t>(file.size));
        long count = os::read_at(file.fd, text.data(), text.size(), 0);
        text.resize(count > 0 ? static_cast<size_t>(count) : 0);
    }
    return text;
}

// Empty at the end of the text.
std::string_view next_word(std::string_view& text) {
    size_t start = text.find_first_not_of(kBlanks);
    if (start == text.npos) {
        return {};
    }
    text.remove_prefix(start);
    std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    return word;
}

std::string_view next_line(std::string_view& text) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
    return line.substr(0, line.find('#'));
}

// Without a word about hosts the order is the library's own, which asks name servers first.
bool asks_files_first(std::string_view order) {
    while (!order.empty()) {
        std::string_view line = next_line(order);
        if (next_word(line) == "hosts:") {
            return next_word(line) == "files";
        }
    }
    return false;
}

}  // namespace

bool HostsFile::answers(std::string_view name, int family) {
    look_again();
    if (names_[0].empty() && names_[1].empty()) {
        return false;
    }
    std::string small = in_small_letters(name);
    return (family != AF_INET6 && names_[0].contains(small)) ||
           (family != AF_INET && names_[1].contains(small));
}

void HostsFile::look_again() {
    uint64_t marks[2] = {os::file_mark(hosts_.c_str()), os::file_mark(order_.c_str())};
    if (marks[0] != marks_[0] || marks[1] != marks_[1]) {
        marks_[0] = marks[0];
        marks_[1] = marks[1];
        version_++;
        read();
    }
}

void HostsFile::read() {
    names_[0].clear();
    names_[1].clear();
    if (!asks_files_first(text_of(order_))) {
        return;
    }
    std::string hosts = text_of(hosts_);
    std::string_view rest = hosts;
    while (!rest.empty()) {
        add_line(next_line(rest));
    }
}

void HostsFile::add_line(std::string_view line) {
    std::string address(next_word(line));
    unsigned char bytes[sizeof(in6_addr)];
    int which = ::inet_pton(AF_INET, address.c_str(), bytes) == 1    ? 0
                : ::inet_pton(AF_INET6, address.c_str(), bytes) == 1 ? 1
                                                                     : -1;
    for (std::string_view name = next_word(line); which >= 0 && !name.empty();
         name = next_word(line)) {
        names_[which].insert(in_small_letters(name));
    }
}

}  // namespace stampede::net
