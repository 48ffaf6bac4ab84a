#include "server/static/files.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>

#include "os/fd.h"
#include "proto/coding/accept.h"
#include "proto/http/conditional.h"
#include "proto/http/uri.h"
#include "server/compression.h"
#include "server/mime_registry.h"
#include "server/static/file_response.h"

namespace stampede::server {

using os::EntryKind;
using proto::coding::Coding;
using proto::http::Method;

namespace {

constexpr uint64_t kKeepBelow = 16 * 1024;  // what is sent as a copy anyway
constexpr size_t kMostListed = 10'000;
constexpr uint64_t kLongestHtaccess = 64 * 1024;
constexpr size_t kMostFolders = 1000;
constexpr Nanos kKnownFor = kSecond;

std::string_view suffix_of(Coding coding) {
    switch (coding) {
        case Coding::kBrotli:
            return ".br";
        case Coding::kZstd:
            return ".zst";
        case Coding::kGzip:
            return ".gz";
        default:
            return {};
    }
}

}  // namespace

StaticFiles::StaticFiles(StaticSettings settings)
    : settings_(std::move(settings)), rules_(settings_.rules) {}

Result<std::unique_ptr<StaticFiles>> StaticFiles::create(StaticSettings settings) {
    std::unique_ptr<StaticFiles> files(new StaticFiles(std::move(settings)));
    files->root_ = os::open_folder(files->settings_.root.c_str());
    if (files->root_ < 0) {
        return Error::last_errno();
    }
    return files;
}

StaticFiles::~StaticFiles() { os::close_fd(root_); }

bool StaticFiles::in_location(std::string_view path) const {
    for (const std::string& location : settings_.locations) {
        if (path.starts_with(location)) {
            return true;
        }
    }
    return false;
}

bool StaticFiles::is_denied(const std::string& path) {
    std::string folder = path.substr(0, path.rfind('/') + 1);
    Nanos now = monotonic_now();
    auto known = folders_.find(folder);
    if (known != folders_.end() && now < known->second.until) {
        return known->second.access == FolderAccess::kDenied;
    }
    if (folders_.size() >= kMostFolders) {
        folders_.clear();
    }
    FolderAccess access = read_access(folder);
    folders_[std::move(folder)] = {access, now + kKnownFor};
    return access == FolderAccess::kDenied;
}

// The deepest folder on the way whose .htaccess says something decides. One that cannot be read as
// a whole denies: nobody knows what it says.
FolderAccess StaticFiles::read_access(std::string_view folder) const {
    auto access = FolderAccess::kUnsaid;
    for (size_t slash = 0; slash != std::string_view::npos; slash = folder.find('/', slash + 1)) {
        std::string name(folder.substr(1, slash));
        name += ".htaccess";
        os::Opened opened = os::open_beneath(root_, name.c_str(), os::Links::kAnywhere);
        if (opened.kind == EntryKind::kForbidden) {
            access = FolderAccess::kDenied;
        }
        if (opened.kind != EntryKind::kFile) {
            continue;
        }
        std::string text(std::min(opened.mark.size, kLongestHtaccess), '\0');
        bool whole = opened.mark.size <= kLongestHtaccess &&
                     os::read_whole(opened.fd, text.data(), text.size());
        os::close_fd(opened.fd);
        FolderAccess said = whole ? folder_access(text) : FolderAccess::kDenied;
        access = said == FolderAccess::kUnsaid ? access : said;
    }
    return access;
}

// A link is judged by what it leads to. Outside of the root that is the part of the path that
// leaves the way to the root, so that where the application lies does not count.
bool StaticFiles::leads_to_private(int file, const std::string& path) const {
    std::string real = os::path_of(file);
    std::string root = os::path_of(root_);
    if (real.empty() || root.empty()) {  // no /proc here: only what has no link on its way
        return !os::is_without_links(root_, path.c_str() + 1);
    }
    if (real.starts_with(root) && real.size() > root.size() && real[root.size()] == '/') {
        return real.compare(root.size(), std::string::npos, path) != 0 &&
               rules_.is_private(std::string_view(real).substr(root.size()));
    }
    size_t common = 0;
    for (size_t i = 0; i < real.size() && i < root.size() && real[i] == root[i]; i++) {
        common = real[i] == '/' ? i : common;
    }
    return rules_.is_private_elsewhere(std::string_view(real).substr(common));
}

// Below a location everything is ours; elsewhere what is no file is the application's.
bool StaticFiles::respond_missing(Exchange& exchange, bool owned, int status) {
    if (owned) {
        response_status(exchange, status);
    }
    return owned;
}

bool StaticFiles::serve_as(Exchange& exchange, std::string_view sent) {
    Method method = exchange.head.method;
    bool rewritten = sent.data() != exchange.text(exchange.head.path).data();
    if ((method != Method::kGet && method != Method::kHead) || sent.empty() ||
        sent.size() >= PATH_MAX) {
        return false;
    }
    std::string path(sent);
    size_t length = proto::http::percent_decode(sent, path.data(), proto::http::Plus::kLiteral);
    if (!proto::http::normalise_path({path.data(), length}, path.data(), length)) {
        return false;  // leads out of the root
    }
    path.resize(length);
    bool owned = in_location(path);
    if (!owned && !settings_.locations.empty()) {
        return false;
    }
    // What is kept in memory was found to be for everybody.
    if (!by_path_.contains(path) && rules_.is_private(path)) {
        return respond_missing(exchange, owned, 404);
    }
    if (path.back() == '/') {
        return serve_folder(exchange, path, owned);
    }
    Found found = find(path);
    switch (found.file.kind) {
        case EntryKind::kFile:
            return serve_file(exchange, path, found);
        case EntryKind::kFolder:
            if (settings_.index_files.empty() && !settings_.autoindex) {
                return respond_missing(exchange, owned, 404);
            }
            if (rewritten) {  // the client knows another path, and where that one ends
                path += '/';
                return serve_folder(exchange, path, owned);
            }
            send_redirect(exchange, escape_path(path) + "/");
            return true;
        case EntryKind::kForbidden:
            return respond_missing(exchange, owned, 403);
        default:
            return respond_missing(exchange, owned, 404);
    }
}

bool StaticFiles::serve_folder(Exchange& exchange, std::string& path, bool owned) {
    for (const std::string& name : settings_.index_files) {
        std::string index = path + name;
        if (rules_.is_private(index)) {
            continue;
        }
        Found found = find(index);
        if (found.file.kind == EntryKind::kFile) {
            return serve_file(exchange, index, found);
        }
    }
    if (!owned && !settings_.autoindex) {
        return false;  // whether the folder is there or not: it is not looked for
    }
    std::string folder = path.substr(1, path.size() > 1 ? path.size() - 2 : 0);
    os::Opened opened = os::open_beneath(root_, folder.c_str(), settings_.links);
    if (opened.kind != EntryKind::kFolder) {
        os::close_fd(opened.fd);
        return respond_missing(exchange, owned, 404);
    }
    if (!settings_.autoindex) {
        return respond_missing(exchange, owned, 403);
    }
    respond_with_text(
        exchange, "text/html; charset=utf-8",
        folder_page(path, os::list_beneath(root_, folder.c_str(), settings_.links, kMostListed)));
    return true;
}

StaticFiles::Found StaticFiles::find(const std::string& path) {
    Found found;
    if (const Kept* kept = recall(path)) {
        if (settings_.htaccess && is_denied(path)) {
            return found;
        }
        found.file.kind = EntryKind::kFile;
        found.file.mark = kept->mark;
        found.content = kept->content;
        return found;
    }
    found.file = os::open_beneath(root_, path.c_str() + 1, settings_.links);
    if (found.file.kind != EntryKind::kFile) {
        return found;
    }
    // After it was opened: a client must not have folders looked into that are not there.
    if (leads_to_private(found.file.fd, path) || (settings_.htaccess && is_denied(path))) {
        os::close_fd(found.file.fd);
        found.file = {};
    } else if (const Kept* kept = keep(path, found.file)) {
        os::close_fd(found.file.fd);
        found.file.fd = -1;
        found.content = kept->content;
    }
    return found;
}

// A sibling that is older than the file is a leftover.
bool StaticFiles::find_sibling(const Exchange& exchange, const std::string& path, Found& found) {
    std::string room;
    auto choice = proto::coding::choose_codings(
        exchange.head.list("accept-encoding", exchange.head_text.bytes(), room));
    for (size_t i = 0; i < choice.count; i++) {
        std::string_view suffix = suffix_of(choice.codings[i]);
        if (suffix.empty()) {
            continue;
        }
        std::string name = path + std::string(suffix);
        os::FileMark mark;
        if (!os::mark_beneath(root_, name.c_str() + 1, mark) ||
            mark.modified() < found.file.mark.modified()) {
            continue;
        }
        // Looking it up may push the file itself out of memory: once found it is what is sent.
        Found sibling = find(name);
        if (sibling.file.kind == EntryKind::kFile) {
            os::close_fd(found.file.fd);
            found = sibling;
            found.coding = choice.codings[i];
            return true;
        }
    }
    return false;
}

bool StaticFiles::serve_file(Exchange& exchange, const std::string& path, Found& found) {
    FileResponse response;
    response.type = MimeRegistry::get().find_for_path(path);
    if (response.type.empty()) {
        response.type = "application/octet-stream";
    }
    if (settings_.precompressed && is_compressible(response.type)) {
        response.varies = true;
        find_sibling(exchange, path, found);
    }
    response.coding = proto::coding::coding_name(found.coding);
    response.cache_control = rules_.cache_control(path);
    response.mark = found.file.mark;
    response.fd = found.file.fd;
    response.content = found.content;
    respond_with_file(exchange, response);
    return true;
}

// ---- small files in memory

const StaticFiles::Kept* StaticFiles::recall(const std::string& path) {
    auto found = by_path_.find(path);
    if (found == by_path_.end()) {
        return nullptr;
    }
    std::list<Kept>::iterator kept = found->second;
    os::FileMark now;
    if (!os::mark_beneath(root_, path.c_str() + 1, now) || !(now == kept->mark)) {
        drop(kept);
        return nullptr;
    }
    kept_.splice(kept_.begin(), kept_, kept);
    return &*kept;
}

const StaticFiles::Kept* StaticFiles::keep(const std::string& path, const os::Opened& file) {
    if (file.mark.size >= kKeepBelow || file.mark.size > settings_.cache_bytes) {
        return nullptr;
    }
    std::string content(file.mark.size, '\0');
    if (!os::read_whole(file.fd, content.data(), content.size())) {
        return nullptr;
    }
    while (kept_bytes_ + content.size() > settings_.cache_bytes && !kept_.empty()) {
        drop(std::prev(kept_.end()));
    }
    kept_bytes_ += content.size();
    kept_.push_front({path, file.mark, std::move(content)});
    by_path_[kept_.front().path] = kept_.begin();
    return &kept_.front();
}

void StaticFiles::drop(std::list<Kept>::iterator kept) {
    kept_bytes_ -= kept->content.size();
    by_path_.erase(kept->path);
    kept_.erase(kept);
}

}  // namespace stampede::server
