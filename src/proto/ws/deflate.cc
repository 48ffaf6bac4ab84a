#include "proto/ws/deflate.h"

#include <algorithm>
#include <utility>

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
    self->level_ = level;
    self->out_bits_ = server ? terms.server_bits : terms.client_bits;
    self->in_bits_ = server ? terms.client_bits : terms.server_bits;
    self->forget_out_ = server ? terms.server_no_context : terms.client_no_context;
    self->forget_in_ = server ? terms.client_no_context : terms.server_no_context;
    return self;
}

Deflate::~Deflate() {
    if (out_ != nullptr) {
        deflate_memory().take_back(std::move(out_));
    }
    if (in_ != nullptr) {
        deflate_memory().take_back(std::move(in_));
    }
    use_.unlink();
}

bool Deflate::wake_compressor() {
    if (out_ == nullptr) {
        out_ = deflate_memory().lend_compressor(use_, out_bits_, level_);
    }
    deflate_memory().note(use_);
    return out_ != nullptr;
}

bool Deflate::wake_decompressor() {
    deflate_memory().note(use_);
    if (in_ != nullptr) {
        return true;
    }
    in_ = deflate_memory().lend_decompressor(use_, in_bits_);
    if (in_ == nullptr || window_.empty()) {
        return in_ != nullptr;
    }
    bool restored =
        inflateSetDictionary(&in_->stream, reinterpret_cast<const Bytef*>(window_.data()),
                             static_cast<uInt>(window_.size())) == Z_OK;
    std::string().swap(window_);
    return restored;
}

void Deflate::rest() {
    if (out_ != nullptr) {
        deflate_memory().take_back(std::move(out_));
    }
    if (in_ != nullptr && is_between_messages()) {
        rest_decompressor();
    }
    if (in_ == nullptr) {
        use_.unlink();
    }
}

// Messages end with the end of a block, at the end of a byte. A peer that has broken one off
// elsewhere may go on there with the next.
bool Deflate::is_between_messages() const {
    constexpr int kBitsLeft = 63 | 64;  // or the last block of a stream
    constexpr int kAtBlock = 128;
    return !in_message_ &&
           (between_streams_ || (in_->stream.data_type & (kBitsLeft | kAtBlock)) == kAtBlock);
}

void Deflate::rest_decompressor() {
    if (!forget_in_) {
        uInt size = 0;
        if (inflateGetDictionary(&in_->stream, nullptr, &size) != Z_OK) {
            return;
        }
        window_.resize(size);
        (void)inflateGetDictionary(&in_->stream, reinterpret_cast<Bytef*>(window_.data()), &size);
    }
    between_streams_ = false;
    deflate_memory().take_back(std::move(in_));
}

bool Deflate::compress(std::string_view message, Buffer& out) {
    if (!wake_compressor()) {
        return false;
    }
    z_stream& stream = out_->stream;
    size_t before = out.size();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(message.data()));
    stream.avail_in = static_cast<uInt>(message.size());
    size_t room = kPiece;
    do {
        stream.next_out = reinterpret_cast<Bytef*>(out.reserve(room));
        stream.avail_out = static_cast<uInt>(room);
        if (deflate(&stream, Z_SYNC_FLUSH) == Z_STREAM_ERROR) {
            return false;
        }
        out.commit(room - stream.avail_out);
    } while (stream.avail_out == 0);
    // The four bytes that end a flush are left out; an empty message is one empty block.
    if (out.view().substr(before).ends_with(kTail)) {
        out.unwrite(kTail.size());
    }
    if (out.size() == before) {
        out.append('\0');
    }
    if (forget_out_) {
        deflate_memory().take_back(std::move(out_));
    }
    return true;
}

InflateStatus Deflate::expand_piece(std::string_view piece, uint64_t limit, Buffer& out) {
    z_stream& stream = in_->stream;
    between_streams_ = between_streams_ && piece.empty();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    for (;;) {
        // One byte more than is allowed, to see that there is more.
        auto room = static_cast<size_t>(std::min<uint64_t>(kPiece, limit + 1 - out.size()));
        stream.next_out = reinterpret_cast<Bytef*>(out.reserve(room));
        stream.avail_out = static_cast<uInt>(room);
        int result = inflate(&stream, Z_SYNC_FLUSH);
        out.commit(room - stream.avail_out);
        if (out.size() > limit) {
            return InflateStatus::kTooLarge;
        }
        if (result == Z_STREAM_END) {
            // A final block: a new stream follows it, which may refer to what came before.
            if (inflateResetKeep(&stream) != Z_OK) {
                return InflateStatus::kBad;
            }
            between_streams_ = stream.avail_in == 0;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            return InflateStatus::kBad;
        }
        if (stream.avail_out > 0 && (stream.avail_in == 0 || result == Z_BUF_ERROR)) {
            return InflateStatus::kFine;
        }
    }
}

InflateStatus Deflate::expand(std::string_view payload, Part part, uint64_t limit, Buffer& out) {
    if (!wake_decompressor()) {
        return InflateStatus::kBad;
    }
    in_message_ = true;
    InflateStatus status = expand_piece(payload, limit, out);
    if (status != InflateStatus::kFine || part == Part::kMore) {
        return status;
    }
    if (!between_streams_) {  // else the tail would be taken for the start of the next message
        status = expand_piece(kTail, limit, out);
    }
    in_message_ = status != InflateStatus::kFine;
    if (!in_message_ && forget_in_) {
        between_streams_ = false;
        deflate_memory().take_back(std::move(in_));
    }
    return status;
}

}  // namespace stampede::proto::ws
