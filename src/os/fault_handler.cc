#include "os/fault_handler.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <iterator>

#include "os/registers.h"

namespace stampede::os {
namespace {

constexpr size_t kAlternateStackBytes = 64 * 1024;

alignas(16) char alternate_stack[kAlternateStackBytes];
JudgeFault judges[2];  // one of coroutines, one of scripts
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
struct sigaction previous_actions[std::size(kFaults)];

int objects_fd = -1;  // where objects of JSON go; -1: lines, to the standard error

void put(int fd, const char* text, size_t length) {
    ssize_t ignored = write(fd, text, length);
    static_cast<void>(ignored);
}

// An object of JSON, as os::log_object() makes it, with nothing that a signal handler may not do:
// the time is that of Greenwich, since local times take locks.
class Object {
public:
    void begin();
    void add(char letter);
    void add_number(long number, int digits);
    void end();

private:
    void append(const char* text) {
        while (*text != '\0' && size_ < sizeof(bytes_)) {
            bytes_[size_++] = *text++;
        }
    }
    void append_date(long days);

    static constexpr size_t kTail = 8;  // of the longest escape and the end
    char bytes_[16 * 1024];
    size_t size_ = 0;
};

// The last digits.
void Object::add_number(long number, int digits) {
    char text[12] = {};
    for (int i = digits - 1; i >= 0; i--, number /= 10) {
        text[i] = static_cast<char>('0' + number % 10);
    }
    append(text);
}

// Days since 1970 as a date: years that begin in March have the day of leap years at their end.
void Object::append_date(long days) {
    constexpr long kFourCenturies = 146097;
    days += 719468;
    long era = days / kFourCenturies;
    long of_era = days % kFourCenturies;
    long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long of_year = of_era - (365 * year + year / 4 - year / 100);
    long month = (5 * of_year + 2) / 153;
    add_number(era * 400 + year + (month >= 10 ? 1 : 0), 4);
    append("-");
    add_number(month + (month < 10 ? 3 : -9), 2);
    append("-");
    add_number(of_year - (153 * month + 2) / 5 + 1, 2);
}

void Object::begin() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    constexpr long kDay = 86400;
    size_ = 0;
    append("{\"time\":\"");
    append_date(now.tv_sec / kDay);
    const char* before[] = {"T", ":", ":"};
    long parts[] = {now.tv_sec % kDay / 3600, now.tv_sec / 60 % 60, now.tv_sec % 60};
    for (int i = 0; i < 3; i++) {
        append(before[i]);
        add_number(parts[i], 2);
    }
    append(".");
    add_number(now.tv_nsec / 1'000'000, 3);
    append("Z\",\"level\":\"error\",\"message\":\"");
}

void Object::add(char letter) {
    if (size_ + kTail >= sizeof(bytes_)) {
        return;
    }
    if (letter == '\n') {
        append("\\n");
    } else if (letter == '"' || letter == '\\') {
        bytes_[size_++] = '\\';
        bytes_[size_++] = letter;
    } else {
        bytes_[size_++] = letter >= ' ' && letter < 0x7f ? letter : '?';
    }
}

void Object::end() {
    append("\"}\n");
    put(objects_fd, bytes_, size_);
}

Object object;  // the stack of signals is small

void say(const char* text, size_t length) {
    if (objects_fd < 0) {
        put(STDERR_FILENO, text, length);
        return;
    }
    object.begin();
    for (size_t i = 0; i < length && (text[i] != '\n' || i + 1 < length); i++) {
        object.add(text[i]);
    }
    object.end();
}

// libc writes them to a descriptor only.
void add_symbols(void** frames, int count) {
    int fd = memfd_create("native stack", MFD_CLOEXEC);
    backtrace_symbols_fd(frames, count, fd);
    lseek(fd, 0, SEEK_SET);
    char piece[256];
    for (ssize_t read_now; (read_now = read(fd, piece, sizeof(piece))) > 0;) {
        for (ssize_t i = 0; i < read_now; i++) {
            object.add(piece[i]);
        }
    }
    close(fd);
}

struct sigaction& previous_of(int signal_number) {
    size_t i = 0;
    while (kFaults[i] != signal_number) {
        i++;
    }
    return previous_actions[i];
}

// Where the process was, for the log: nobody else will know.
void say_backtrace(int signal_number) {
    char text[] = "Stampede: this process ends by signal 00; its native stack:\n";
    char* digits = text + sizeof("Stampede: this process ends by signal ") - 1;
    digits[0] = static_cast<char>('0' + signal_number / 10);
    digits[1] = static_cast<char>('0' + signal_number % 10);
    void* frames[48];
    int count = backtrace(frames, std::size(frames));
    if (objects_fd < 0) {
        say(text, sizeof(text) - 1);
        backtrace_symbols_fd(frames, count, STDERR_FILENO);
        return;
    }
    object.begin();
    std::for_each(text, text + sizeof(text) - 1, [](char letter) { object.add(letter); });
    add_symbols(frames, count);
    object.end();
}

void on_fault(int signal_number, siginfo_t* info, void* context) {
    FaultAnswer answer;
    if (signal_number == SIGSEGV && info->si_code > 0) {
        Registers registers(context);
        for (JudgeFault judge : judges) {
            if (judge != nullptr && answer.kind == FaultAnswer::Kind::kUnknown) {
                judge(info->si_addr, registers.stack(), answer);
            }
        }
        if (answer.kind == FaultAnswer::Kind::kRetry) {
            return;
        }
        if (answer.kind == FaultAnswer::Kind::kDivert) {
            registers.call(answer.divert);
            return;
        }
    }
    struct sigaction& previous = previous_of(signal_number);
    if (answer.kind == FaultAnswer::Kind::kFatal) {
        say(answer.line, answer.length);
        signal(signal_number, SIG_DFL);
    } else {
        if (previous.sa_handler == SIG_DFL) {
            say_backtrace(signal_number);
        }
        sigaction(signal_number, &previous, nullptr);
    }
    if (info->si_code <= 0) {  // sent by kill() or abort(): nothing repeats it
        raise(signal_number);
    }
    // Otherwise returning repeats the faulting instruction: the process dies of it, with a core
    // where one is wanted.
}

}  // namespace

void write_faults_as_objects(int fd) { objects_fd = fd; }

void install_fault_handler(JudgeFault judge) {
    JudgeFault* place = std::find_if(std::begin(judges), std::end(judges), [&](JudgeFault each) {
        return each == nullptr || each == judge;
    });
    bool is_installed = judges[0] != nullptr;
    if (place != std::end(judges)) {
        *place = judge;
    }
    if (is_installed) {
        return;
    }
    stack_t current = {};
    if (sigaltstack(nullptr, &current) == 0 && (current.ss_flags & SS_DISABLE) != 0) {
        stack_t stack = {};
        stack.ss_sp = alternate_stack;
        stack.ss_size = sizeof(alternate_stack);
        sigaltstack(&stack, nullptr);
    }
    struct sigaction action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < std::size(kFaults); i++) {
        sigaction(kFaults[i], &action, &previous_actions[i]);
    }
    void* warm_up[1];
    backtrace(warm_up, 1);  // loads what it needs now: a signal handler must not
}

}  // namespace stampede::os
