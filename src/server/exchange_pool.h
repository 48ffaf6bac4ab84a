// Where exchanges come from and go back to. Owned by the service, whose exchanges they are; loop
// thread; never parks.
#pragma once

#include "server/exchange.h"
#include "server/spares.h"

namespace stampede::server {

class ExchangePool {
public:
    explicit ExchangePool(Service& service) : service_(service) {}

    // Held once, by the caller.
    Exchange& take();
    // Nobody holds it any more.
    void give_back(Exchange& exchange);
    size_t in_use() const { return in_use_; }

private:
    static constexpr size_t kMostSpare = 256;

    Service& service_;
    Spares<Exchange> spares_{kMostSpare};
    size_t in_use_ = 0;
};

}  // namespace stampede::server
