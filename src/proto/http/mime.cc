#include "proto/http/mime.h"

#include <algorithm>
#include <iterator>

namespace stampede::proto::http {
namespace {

// Sorted by extension.
constexpr MimeType kTypes[] = {
    {"7z", "application/x-7z-compressed"},
    {"aac", "audio/aac"},
    {"ai", "application/postscript"},
    {"aif", "audio/aiff"},
    {"aiff", "audio/aiff"},
    {"apk", "application/vnd.android.package-archive"},
    {"apng", "image/apng"},
    {"appcache", "text/cache-manifest"},
    {"asc", "text/plain"},
    {"asf", "video/x-ms-asf"},
    {"atom", "application/atom+xml"},
    {"avi", "video/x-msvideo"},
    {"avif", "image/avif"},
    {"bin", "application/octet-stream"},
    {"bmp", "image/bmp"},
    {"bz2", "application/x-bzip2"},
    {"c", "text/plain"},
    {"cab", "application/vnd.ms-cab-compressed"},
    {"cc", "text/plain"},
    {"cer", "application/pkix-cert"},
    {"conf", "text/plain"},
    {"cpp", "text/plain"},
    {"cr2", "image/x-canon-cr2"},
    {"crl", "application/pkix-crl"},
    {"crt", "application/x-x509-ca-cert"},
    {"crx", "application/x-chrome-extension"},
    {"css", "text/css"},
    {"csv", "text/csv"},
    {"deb", "application/vnd.debian.binary-package"},
    {"dll", "application/octet-stream"},
    {"dmg", "application/x-apple-diskimage"},
    {"doc", "application/msword"},
    {"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    {"dot", "application/msword"},
    {"dtd", "application/xml-dtd"},
    {"ear", "application/java-archive"},
    {"eml", "message/rfc822"},
    {"eot", "application/vnd.ms-fontobject"},
    {"eps", "application/postscript"},
    {"epub", "application/epub+zip"},
    {"exe", "application/octet-stream"},
    {"f4v", "video/mp4"},
    {"flac", "audio/flac"},
    {"flv", "video/x-flv"},
    {"geojson", "application/geo+json"},
    {"gif", "image/gif"},
    {"gpx", "application/gpx+xml"},
    {"gz", "application/gzip"},
    {"h", "text/plain"},
    {"heic", "image/heic"},
    {"heif", "image/heif"},
    {"htc", "text/x-component"},
    {"htm", "text/html"},
    {"html", "text/html"},
    {"ico", "image/x-icon"},
    {"ics", "text/calendar"},
    {"img", "application/octet-stream"},
    {"ini", "text/plain"},
    {"iso", "application/octet-stream"},
    {"jad", "text/vnd.sun.j2me.app-descriptor"},
    {"jar", "application/java-archive"},
    {"java", "text/plain"},
    {"jng", "image/x-jng"},
    {"jp2", "image/jp2"},
    {"jpe", "image/jpeg"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript"},
    {"json", "application/json"},
    {"jsonld", "application/ld+json"},
    {"jxl", "image/jxl"},
    {"key", "application/vnd.apple.keynote"},
    {"kml", "application/vnd.google-earth.kml+xml"},
    {"kmz", "application/vnd.google-earth.kmz"},
    {"log", "text/plain"},
    {"m3u", "audio/mpegurl"},
    {"m3u8", "application/vnd.apple.mpegurl"},
    {"m4a", "audio/mp4"},
    {"m4v", "video/mp4"},
    {"map", "application/json"},
    {"md", "text/markdown"},
    {"mhtml", "multipart/related"},
    {"mid", "audio/midi"},
    {"midi", "audio/midi"},
    {"mjs", "text/javascript"},
    {"mkv", "video/x-matroska"},
    {"mml", "text/mathml"},
    {"mng", "video/x-mng"},
    {"mov", "video/quicktime"},
    {"mp2", "audio/mpeg"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"mpeg", "video/mpeg"},
    {"mpg", "video/mpeg"},
    {"mpga", "audio/mpeg"},
    {"msi", "application/octet-stream"},
    {"odg", "application/vnd.oasis.opendocument.graphics"},
    {"odp", "application/vnd.oasis.opendocument.presentation"},
    {"ods", "application/vnd.oasis.opendocument.spreadsheet"},
    {"odt", "application/vnd.oasis.opendocument.text"},
    {"oga", "audio/ogg"},
    {"ogg", "audio/ogg"},
    {"ogv", "video/ogg"},
    {"opus", "audio/ogg"},
    {"otf", "font/otf"},
    {"pdf", "application/pdf"},
    {"pem", "application/x-x509-ca-cert"},
    {"pl", "application/x-perl"},
    {"png", "image/png"},
    {"pps", "application/vnd.ms-powerpoint"},
    {"ppt", "application/vnd.ms-powerpoint"},
    {"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    {"ps", "application/postscript"},
    {"psd", "image/vnd.adobe.photoshop"},
    {"py", "text/x-python"},
    {"qt", "video/quicktime"},
    {"ra", "audio/x-realaudio"},
    {"rar", "application/vnd.rar"},
    {"rdf", "application/rdf+xml"},
    {"rpm", "application/x-redhat-package-manager"},
    {"rss", "application/rss+xml"},
    {"rtf", "application/rtf"},
    {"run", "application/x-makeself"},
    {"sh", "application/x-sh"},
    {"shtml", "text/html"},
    {"sql", "application/sql"},
    {"svg", "image/svg+xml"},
    {"svgz", "image/svg+xml"},
    {"swf", "application/x-shockwave-flash"},
    {"tar", "application/x-tar"},
    {"tcl", "application/x-tcl"},
    {"text", "text/plain"},
    {"tgz", "application/gzip"},
    {"tif", "image/tiff"},
    {"tiff", "image/tiff"},
    {"toml", "application/toml"},
    {"torrent", "application/x-bittorrent"},
    {"ts", "video/mp2t"},
    {"tsv", "text/tab-separated-values"},
    {"ttc", "font/collection"},
    {"ttf", "font/ttf"},
    {"txt", "text/plain"},
    {"vcf", "text/vcard"},
    {"vcs", "text/x-vcalendar"},
    {"vtt", "text/vtt"},
    {"wasm", "application/wasm"},
    {"wav", "audio/wav"},
    {"weba", "audio/webm"},
    {"webm", "video/webm"},
    {"webmanifest", "application/manifest+json"},
    {"webp", "image/webp"},
    {"wma", "audio/x-ms-wma"},
    {"wml", "text/vnd.wap.wml"},
    {"wmv", "video/x-ms-wmv"},
    {"woff", "font/woff"},
    {"woff2", "font/woff2"},
    {"xhtml", "application/xhtml+xml"},
    {"xls", "application/vnd.ms-excel"},
    {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {"xml", "application/xml"},
    {"xpi", "application/x-xpinstall"},
    {"xps", "application/vnd.ms-xpsdocument"},
    {"xsd", "application/xml"},
    {"xsl", "application/xslt+xml"},
    {"xslt", "application/xslt+xml"},
    {"xz", "application/x-xz"},
    {"yaml", "application/yaml"},
    {"yml", "application/yaml"},
    {"zip", "application/zip"},
    {"zst", "application/zstd"},
};

constexpr size_t kLongestExtension = 16;

constexpr bool before(const MimeType& a, const MimeType& b) { return a.extension < b.extension; }
static_assert(std::is_sorted(std::begin(kTypes), std::end(kTypes), before));

}  // namespace

std::string_view mime_type(std::string_view extension) {
    char lower[kLongestExtension];
    if (extension.size() > kLongestExtension) {
        return {};
    }
    std::transform(extension.begin(), extension.end(), lower,
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    MimeType wanted{{lower, extension.size()}, {}};
    const MimeType* found = std::lower_bound(std::begin(kTypes), std::end(kTypes), wanted, before);
    return found != std::end(kTypes) && found->extension == wanted.extension ? found->type
                                                                             : std::string_view();
}

std::string_view mime_type_of_path(std::string_view path) {
    size_t dot = path.rfind('.');
    if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos) {
        return {};
    }
    return mime_type(path.substr(dot + 1));
}

const MimeType* mime_table(size_t& count) {
    count = std::size(kTypes);
    return kTypes;
}

}  // namespace stampede::proto::http
