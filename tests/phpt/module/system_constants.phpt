--TEST--
Names of sockets and signals are there without ext/sockets and ext/pcntl, with the system's values
--FILE--
<?php
var_dump(AF_INET, SOCK_STREAM, SOL_SOCKET, SO_REUSEADDR, MSG_DONTWAIT, TCP_NODELAY);
var_dump(SOCKET_EAGAIN, SOCKET_ETIMEDOUT, SIGTERM, SIGUSR1, SIG_DFL, SIG_IGN);
?>
--EXPECT--
int(2)
int(1)
int(1)
int(2)
int(64)
int(1)
int(11)
int(110)
int(15)
int(10)
int(0)
int(1)
