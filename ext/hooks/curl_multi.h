// Coroutines that share one multi handle of libcurl, as clients do that are services of an
// application. Each call of curl_multi_perform() moves on the transfers of all of them, so the
// event that one waits for may be consumed by another one's call. PHP thread.
#pragma once

namespace stampede::hooks {

// Whether the wait that the current coroutine is in (curl_multi_wait(), curl_multi_poll()) ends
// without an event: what it waits for has changed by another coroutine's call.
bool is_overtaken();

// Those of a script that has ended, or of the parent of a fork.
void forget_multi_handles();

}  // namespace stampede::hooks
