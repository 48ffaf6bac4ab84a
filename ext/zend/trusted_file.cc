#include "zend/trusted_file.h"

#include <string>
#include <string_view>

#include "zend/kept_setting.h"

namespace stampede::zend {

namespace {

struct Look {
    std::string file;
    Nanos at = 0;
};

Look last_look;

std::string_view view(const zend_string* text) { return {ZSTR_VAL(text), ZSTR_LEN(text)}; }

// The setting itself is not changed: that would cost as much as what is spared here.
zend_long* revalidate_frequency() {
    static zend_long* const kept = kept_setting("opcache.revalidate_freq");
    return kept;
}

}  // namespace

// With a frequency opcache takes a file as unchanged when it was looked at since this process's
// request began, which is when the server was started. A file that it does not have any more is
// compiled as ever, with its time: to turn opcache.validate_timestamps off instead would make it
// keep the file without a time, and never look at it again.
TrustedFile::TrustedFile(const zend_string* file, Nanos time) : file_(file), time_(time) {
    if (time <= 0) {
        return;
    }
    now_ = monotonic_now();
    if (now_ - last_look.at < time && last_look.file == view(file)) {
        frequency_ = revalidate_frequency();
    }
    if (frequency_ != nullptr) {
        usual_ = *frequency_;
        *frequency_ = 1;
    }
}

TrustedFile::~TrustedFile() {
    if (frequency_ != nullptr) {
        *frequency_ = usual_;
    }
}

void TrustedFile::confirm() const {
    if (time_ > 0 && frequency_ == nullptr) {
        last_look.file = view(file_);
        last_look.at = now_;
    }
}

}  // namespace stampede::zend
