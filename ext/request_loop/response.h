// The response of a script, sent to the worker in frames: a letter, the size of the content (4
// bytes, big endian), the content. PHP thread of a forked child; blocks while the worker does not
// read, which is the worker's decision: it ends this process when it has waited enough.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace stampede::request_loop {

// U temporary files of uploads, X why the script has failed, H head, D part of the body; those that
// end the response have the last part of the body.
enum class EndOf : char {
    kRequest = 'E',   // the child takes the next request
    kResponse = 'F',  // the script goes on; kRequest or kProcess follow
    kProcess = 'L',   // the child ends
};

class Response {
public:
    explicit Response(int connection);

    // The first frame of a process: R, and in the place of a size its number.
    void greet(int process);
    // For the next request.
    void begin();
    // Paths of temporary files, each followed by a NUL byte. The worker removes these files when it
    // has to kill this process.
    void files(std::string_view paths);
    // Status, reason and fields, one on each line. Once, before the body.
    void head(std::string lines);
    bool has_head() const { return has_head_; }
    // Says why the script has failed, before a response of which the worker has nothing yet.
    void failure(std::string_view text);
    // False when the worker reads no more: the client has left.
    bool write(std::string_view part);
    bool flush();
    void end(EndOf what);
    // What is written after the end goes nowhere.
    bool has_ended() const { return ended_; }

private:
    static constexpr size_t kFrameHead = 5;
    static constexpr size_t kCapacity = 32UL << 10;  // kept back for one system call
    static constexpr size_t kMaxPart = 256UL << 10;

    bool send_frames(char type, std::string_view part);
    void append_frame_head(char type, size_t size);

    int connection_;
    std::string head_;  // and the head of the frame that follows
    std::string body_;
    bool has_head_ = false;
    bool has_sent_ = false;
    bool ended_ = false;
    bool failed_ = false;
};

}  // namespace stampede::request_loop
