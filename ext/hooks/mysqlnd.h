// mysqlnd holds the state of a connection for one user at a time. Its methods that send are
// preceded by ours: a command on a connection that another coroutine waits for is refused before
// mysqlnd touches the connection, and the end of a statement waits until the connection is free.
// PHP thread.
#pragma once

struct st_mysqlnd_connection_data;

namespace stampede::hooks {

// The socket of a connection; -1: it has none. Not there without mysqlnd's headers.
int descriptor_of(const st_mysqlnd_connection_data& connection);

// A command on a connection that another coroutine waits for throws an error that names both, as
// with every other driver; mysqlnd's own follows. When the module starts, before there is any
// connection: those made earlier keep mysqlnd's own methods. Does nothing without mysqlnd.
void stand_before_mysqlnd();
void leave_mysqlnd();  // before the module goes

}  // namespace stampede::hooks
