// What the end of an object asks of a connection. A statement may outlive the time in which its
// coroutine had the connection: it goes back to the pool, another coroutine runs a query on it, and
// then the statement is freed. What its end sends (COM_STMT_CLOSE, DEALLOCATE) is no second use of
// the connection and must not disturb the first: it is deferred until the connection is free. PHP
// thread; never parks.
#pragma once

namespace stampede::hooks {

// Whether a driver is called by the engine, which frees an object, and not by a function or method
// of its own. A collection of cycles may begin in one of those. Not meant for destructors of the
// script: what those call is a use like any other.
bool in_end_of_object();

}  // namespace stampede::hooks
