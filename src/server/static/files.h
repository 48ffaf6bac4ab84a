// Files of a folder as responses, without the application: conditional requests, ranges,
// precompressed siblings, index files, listings. What it does not know is the application's. Owned
// by the worker, loop thread, never parks; reading what the page cache does not hold blocks the
// worker.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "os/beneath.h"
#include "proto/coding/coding.h"
#include "server/exchange.h"
#include "server/static/rules.h"

namespace stampede::server {

struct StaticSettings {
    std::string root;
    std::vector<std::string> locations;  // prefixes of paths; none: all paths
    std::vector<std::string> index_files;
    bool autoindex = false;
    StaticRuleSettings rules;
    bool htaccess = false;  // folders that a .htaccess denies to everybody are the application's
    bool precompressed = true;
    os::Links links = os::Links::kInside;
    uint64_t cache_bytes = 4u << 20;  // of small files, 0: none
};

class StaticFiles {
public:
    // The error of a root that cannot be opened.
    static Result<std::unique_ptr<StaticFiles>> create(StaticSettings settings);
    ~StaticFiles();
    StaticFiles(const StaticFiles&) = delete;
    StaticFiles& operator=(const StaticFiles&) = delete;

    // Responds, or returns false: the request is the application's.
    bool serve(Exchange& exchange) { return serve_as(exchange, exchange.text(exchange.head.path)); }
    // The file of another path (with escapes, as clients send it) than the one of the request.
    bool serve_as(Exchange& exchange, std::string_view sent);

private:
    // A small file kept in memory as long as the one on the disk is the same.
    struct Kept {
        std::string path;
        os::FileMark mark;
        std::string content;
    };
    struct Found {
        os::Opened file;  // kFile with fd -1: its bytes are in content
        std::string_view content;
        proto::coding::Coding coding = proto::coding::Coding::kIdentity;
    };

    explicit StaticFiles(StaticSettings settings);

    bool in_location(std::string_view path) const;
    bool is_denied(const std::string& path);
    FolderAccess read_access(std::string_view folder) const;
    bool leads_to_private(int file, const std::string& path) const;
    bool respond_missing(Exchange& exchange, bool owned, int status);
    bool serve_folder(Exchange& exchange, std::string& path, bool owned);
    bool serve_file(Exchange& exchange, const std::string& path, Found& found);
    Found find(const std::string& path);
    bool find_sibling(const Exchange& exchange, const std::string& path, Found& found);
    const Kept* recall(const std::string& path);
    const Kept* keep(const std::string& path, const os::Opened& file);
    void drop(std::list<Kept>::iterator kept);

    StaticSettings settings_;
    StaticRules rules_;
    int root_ = -1;
    std::list<Kept> kept_;  // the last used first
    std::unordered_map<std::string_view, std::list<Kept>::iterator> by_path_;
    uint64_t kept_bytes_ = 0;
    // What .htaccess files said of folders, for a second: looking into each one on the way costs as
    // much as a small file.
    struct Said {
        FolderAccess access;
        Nanos until;
    };
    std::unordered_map<std::string, Said> folders_;
};

// A page that lists a folder; path is decoded and ends with a slash.
std::string folder_page(std::string_view path, std::vector<os::FolderEntry> entries);
// For a URL: everything but unreserved characters and slashes escaped.
std::string escape_path(std::string_view path);

}  // namespace stampede::server
