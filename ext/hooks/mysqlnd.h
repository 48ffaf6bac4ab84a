// mysqlnd finds out by itself that a connection is in use, before it makes a call that waits: what
// it says then does not tell by whom. It is told where to look. PHP thread.
#pragma once

struct st_mysqlnd_connection_data;

namespace stampede::hooks {

// The socket of a connection; -1: it has none. Not there without mysqlnd's headers.
int descriptor_of(const st_mysqlnd_connection_data& connection);

// A command on a connection that another coroutine waits for throws an error that names both, as
// with every other driver; mysqlnd's own follows. For connections that are made from now on; does
// nothing without mysqlnd, or when it is done already.
void name_users_of_mysqlnd();
void leave_mysqlnd();  // before the module goes

}  // namespace stampede::hooks
