// The page that lists a folder.
#include <algorithm>
#include <ctime>

#include "server/static/files.h"

namespace stampede::server {
namespace {

void append_html(std::string& out, std::string_view text) {
    for (char c : text) {
        switch (c) {
            case '&':
                out.append("&amp;");
                break;
            case '<':
                out.append("&lt;");
                break;
            case '>':
                out.append("&gt;");
                break;
            case '"':
                out.append("&quot;");
                break;
            default:
                out.push_back(c);
        }
    }
}

void append_row(std::string& out, const os::FolderEntry& entry) {
    char date[32] = "";
    tm parts{};
    time_t when = entry.modified;
    if (gmtime_r(&when, &parts) != nullptr) {
        strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &parts);
    }
    std::string name = entry.name + (entry.is_folder ? "/" : "");
    out.append("<tr><td><a href=\"./").append(escape_path(name)).append("\">");
    append_html(out, name);
    out.append("</a></td><td>").append(date).append("</td><td>");
    out.append(entry.is_folder ? "-" : std::to_string(entry.size)).append("</td></tr>\n");
}

}  // namespace

std::string escape_path(std::string_view path) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string out;
    out.reserve(path.size());
    for (char c : path) {
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '/' || c == '-' || c == '.' || c == '_' || c == '~';
        if (plain) {
            out.push_back(c);
        } else {
            auto byte = static_cast<unsigned char>(c);
            out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
        }
    }
    return out;
}

std::string folder_page(std::string_view path, std::vector<os::FolderEntry> entries) {
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return a.is_folder != b.is_folder ? a.is_folder : a.name < b.name;
    });
    std::string out = "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Index of ";
    append_html(out, path);
    out.append("</title></head>\n<body><h1>Index of ");
    append_html(out, path);
    out.append("</h1>\n<table>\n");
    if (path.size() > 1) {
        out.append("<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>\n");
    }
    for (const os::FolderEntry& entry : entries) {
        append_row(out, entry);
    }
    out.append("</table></body></html>\n");
    return out;
}

}  // namespace stampede::server
