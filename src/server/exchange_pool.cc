#include "server/exchange_pool.h"

namespace stampede::server {

Exchange& ExchangePool::take() {
    Exchange* exchange = spares_.take();
    if (exchange == nullptr) {
        exchange = new Exchange(service_);
    }
    exchange->hold();
    in_use_++;
    return *exchange;
}

void ExchangePool::give_back(Exchange& exchange) {
    in_use_--;
    if (spares_.full()) {
        delete &exchange;
        return;
    }
    exchange.reset();
    spares_.keep(exchange);
}

}  // namespace stampede::server
