// What the fields that decide about framing and persistence mean: lengths, codings, Connection,
// Expect, Host. Part of the head parser; lives on its stack for one call. Never parks, never
// allocates.
#pragma once

#include <cstdint>
#include <string_view>

#include "proto/http1/request_parser.h"

namespace stampede::proto::http1 {

constexpr uint64_t field_bit(KnownField id) { return uint64_t{1} << static_cast<unsigned>(id); }

inline constexpr uint64_t kFramingFields =
    field_bit(KnownField::kHost) | field_bit(KnownField::kContentLength) |
    field_bit(KnownField::kTransferEncoding) | field_bit(KnownField::kConnection) |
    field_bit(KnownField::kUpgrade) | field_bit(KnownField::kExpect);

// Whether a field with this id must be given to Framing::take().
constexpr bool concerns_framing(KnownField id) { return (kFramingFields & field_bit(id)) != 0; }

// Each take_ function judges one field line and returns 0 or the status of the response.
class Framing {
public:
    uint16_t take(const Field& field, const char* base, RequestHead& head);
    // After the last field: what only the whole head can tell.
    uint16_t finish(const char* base, RequestHead& head);

private:
    uint16_t take_host(const Field& field, const char* base, RequestHead& head);
    uint16_t take_content_length(std::string_view value, RequestHead& head);
    uint16_t take_transfer_encoding(std::string_view value);
    void take_connection(std::string_view value);
    void take_connection_option(std::string_view option);
    void take_expect(std::string_view value);
    uint16_t finish_transfer_encoding(RequestHead& head) const;
    static void replace_host(RequestHead& head);
    void finish_persistence(RequestHead& head) const;

    bool coded_ = false;    // there is a Transfer-Encoding
    bool chunked_ = false;  // and its last coding so far is chunked
    bool unknown_coding_ = false;
    bool connection_close_ = false;
    bool connection_keep_alive_ = false;
    bool connection_upgrade_ = false;
    bool upgrade_field_ = false;
    bool expect_continue_ = false;
    bool expect_other_ = false;
};

}  // namespace stampede::proto::http1
