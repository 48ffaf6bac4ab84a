// Spares opcache a look at a file that it looked at a moment ago. Workers let it compare each file
// with the one on the disk at each include (forget_paths()); for the main script of every request
// that is a lookup of the path and a system call. PHP thread; lives while one file is compiled.
#pragma once

#include "base/clock.h"
#include "zend/php.h"

namespace stampede::zend {

// The last file that was looked at is trusted, no other: a front controller is one file.
class TrustedFile {
public:
    // A look at most so long ago is enough; without a time opcache looks in any case.
    TrustedFile(const zend_string* file, Nanos time);
    ~TrustedFile();
    TrustedFile(const TrustedFile&) = delete;
    TrustedFile& operator=(const TrustedFile&) = delete;

    // The file was compiled.
    void confirm() const;

private:
    const zend_string* file_;
    Nanos time_;
    Nanos now_ = 0;
    zend_long* frequency_ = nullptr;  // null: opcache looks
    zend_long usual_ = 0;
};

}  // namespace stampede::zend
