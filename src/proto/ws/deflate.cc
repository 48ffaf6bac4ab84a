#include "proto/ws/deflate.h"

#include <algorithm>

#include "proto/http/message.h"

namespace stampede::proto::ws {

namespace {

constexpr std::string_view kName = "permessage-deflate";
constexpr size_t kPiece = 16 * 1024;
constexpr std::string_view kTail("\x00\x00\xff\xff", 4);

std::string_view take_until(std::string_view& text, char end) {
    size_t at = text.find(end);
    std::string_view part = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return http::trimmed(part);
}

// 8 to 15 without leading zeros, bare or quoted; 0 for anything else.
uint8_t read_bits(std::string_view text) {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
        text = text.substr(1, text.size() - 2);
    }
    if (text.size() == 1 && text[0] >= '8' && text[0] <= '9') {
        return static_cast<uint8_t>(text[0] - '0');
    }
    if (text.size() == 2 && text[0] == '1' && text[1] >= '0' && text[1] <= '5') {
        return static_cast<uint8_t>(10 + text[1] - '0');
    }
    return 0;
}

// The parameters of one element, each at most once.
struct Parameters {
    bool server_no_context = false;
    bool client_no_context = false;
    bool has_server_bits = false;
    bool has_client_bits = false;
    uint8_t server_bits = 15;
    uint8_t client_bits = 15;
    bool client_bits_open = false;  // named without a value: an offer may

    bool read(std::string_view text) {
        while (!text.empty()) {
            std::string_view item = take_until(text, ';');
            bool has_value = item.find('=') != std::string_view::npos;
            std::string_view name = take_until(item, '=');
            if (!take(name, item, has_value)) {
                return false;
            }
        }
        return true;
    }

private:
    static bool flag(bool& seen, bool has_value) {
        bool fine = !seen && !has_value;
        seen = true;
        return fine;
    }

    bool take(std::string_view name, std::string_view value, bool has_value) {
        if (name == "server_no_context_takeover") {
            return flag(server_no_context, has_value);
        }
        if (name == "client_no_context_takeover") {
            return flag(client_no_context, has_value);
        }
        if (name == "server_max_window_bits") {
            server_bits = read_bits(http::trimmed(value));
            return flag(has_server_bits, false) && has_value && server_bits != 0;
        }
        if (name == "client_max_window_bits") {
            client_bits_open = !has_value;
            client_bits = has_value ? read_bits(http::trimmed(value)) : 15;
            return flag(has_client_bits, false) && client_bits != 0;
        }
        return false;
    }
};

// zlib cannot compress with a window of 256 bytes.
constexpr uint8_t kLeastBits = 9;

bool accept_offer(std::string_view offer, DeflateTerms& terms, std::string& response) {
    Parameters asked;
    if (!asked.read(offer) || (asked.has_server_bits && asked.server_bits < kLeastBits)) {
        return false;
    }
    terms = {asked.server_no_context, asked.client_no_context, asked.server_bits,
             asked.client_bits};
    response = kName;
    response += asked.server_no_context ? "; server_no_context_takeover" : "";
    response += asked.client_no_context ? "; client_no_context_takeover" : "";
    if (asked.has_server_bits) {
        response += "; server_max_window_bits=" + std::to_string(asked.server_bits);
    }
    if (asked.has_client_bits && !asked.client_bits_open) {
        response += "; client_max_window_bits=" + std::to_string(asked.client_bits);
    }
    return true;
}

}  // namespace

bool accept_deflate_offer(std::string_view offers, DeflateTerms& terms, std::string& response) {
    constexpr int kMaxOffers = 16;
    for (int i = 0; i < kMaxOffers && !offers.empty(); i++) {
        std::string_view offer = take_until(offers, ',');
        if (take_until(offer, ';') == kName && accept_offer(offer, terms, response)) {
            return true;
        }
    }
    return false;
}

bool read_deflate_response(std::string_view response, DeflateTerms& terms) {
    Parameters agreed;
    if (take_until(response, ';') != kName || !agreed.read(response) || agreed.client_bits_open) {
        return false;
    }
    if (agreed.client_bits < kLeastBits) {
        return false;
    }
    terms = {agreed.server_no_context, agreed.client_no_context, agreed.server_bits,
             agreed.client_bits};
    return true;
}

std::unique_ptr<Deflate> Deflate::create(Role role, const DeflateTerms& terms, int level) {
    std::unique_ptr<Deflate> self(new Deflate);
    bool server = role == Role::kServer;
    int own_bits = server ? terms.server_bits : terms.client_bits;
    int peer_bits = server ? terms.client_bits : terms.server_bits;
    self->out_bits_ = static_cast<uint8_t>(own_bits);
    self->forget_out_ = server ? terms.server_no_context : terms.client_no_context;
    self->forget_in_ = server ? terms.client_no_context : terms.server_no_context;
    if (deflateInit2(&self->out_, level, Z_DEFLATED, -own_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        return nullptr;
    }
    if (inflateInit2(&self->in_, -peer_bits) != Z_OK) {
        deflateEnd(&self->out_);
        return nullptr;
    }
    self->open_ = true;
    return self;
}

Deflate::~Deflate() {
    if (open_) {
        deflateEnd(&out_);
        inflateEnd(&in_);
    }
}

bool Deflate::compress(std::string_view message, Buffer& out) {
    size_t before = out.size();
    out_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(message.data()));
    out_.avail_in = static_cast<uInt>(message.size());
    size_t room = kPiece;
    do {
        out_.next_out = reinterpret_cast<Bytef*>(out.reserve(room));
        out_.avail_out = static_cast<uInt>(room);
        if (deflate(&out_, Z_SYNC_FLUSH) == Z_STREAM_ERROR) {
            return false;
        }
        out.commit(room - out_.avail_out);
    } while (out_.avail_out == 0);
    // The four bytes that end a flush are left out; an empty message is one empty block.
    if (out.view().substr(before).ends_with(kTail)) {
        out.unwrite(kTail.size());
    }
    if (out.size() == before) {
        out.append('\0');
    }
    return !forget_out_ || deflateReset(&out_) == Z_OK;
}

InflateStatus Deflate::expand_piece(std::string_view piece, uint64_t limit, Buffer& out) {
    between_streams_ = between_streams_ && piece.empty();
    in_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    in_.avail_in = static_cast<uInt>(piece.size());
    for (;;) {
        // One byte more than is allowed, to see that there is more.
        auto room = static_cast<size_t>(std::min<uint64_t>(kPiece, limit + 1 - out.size()));
        in_.next_out = reinterpret_cast<Bytef*>(out.reserve(room));
        in_.avail_out = static_cast<uInt>(room);
        int result = inflate(&in_, Z_SYNC_FLUSH);
        out.commit(room - in_.avail_out);
        if (out.size() > limit) {
            return InflateStatus::kTooLarge;
        }
        if (result == Z_STREAM_END) {
            // A final block: a new stream follows it, which may refer to what came before.
            if (inflateResetKeep(&in_) != Z_OK) {
                return InflateStatus::kBad;
            }
            between_streams_ = in_.avail_in == 0;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            return InflateStatus::kBad;
        }
        if (in_.avail_out > 0 && (in_.avail_in == 0 || result == Z_BUF_ERROR)) {
            return InflateStatus::kFine;
        }
    }
}

InflateStatus Deflate::expand(std::string_view payload, Part part, uint64_t limit, Buffer& out) {
    InflateStatus status = expand_piece(payload, limit, out);
    if (status != InflateStatus::kFine || part == Part::kMore) {
        return status;
    }
    if (!between_streams_) {  // else the tail would be taken for the start of the next message
        status = expand_piece(kTail, limit, out);
    }
    if (status == InflateStatus::kFine && forget_in_ && inflateReset(&in_) != Z_OK) {
        return InflateStatus::kBad;
    }
    return status;
}

}  // namespace stampede::proto::ws
