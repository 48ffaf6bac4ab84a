--TEST--
swoole_strerror(), swoole_errno(), swoole_last_error(), swoole_clear_error(), swoole_error_log(), swoole_ignore_error()
--FILE--
<?php
var_dump(swoole_strerror(2), swoole_strerror(SWOOLE_ERROR_SESSION_NOT_EXIST));
var_dump(swoole_strerror(SWOOLE_ERROR_QUEUE_FULL, SWOOLE_STRERROR_SWOOLE));
var_dump(swoole_strerror(-2, SWOOLE_STRERROR_GAI), swoole_strerror(1, SWOOLE_STRERROR_DNS));
var_dump(swoole_last_error());
@fopen('/nowhere/at/all', 'r');
var_dump(swoole_errno());
swoole_clear_error();
var_dump(swoole_errno(), swoole_last_error());
swoole_error_log(SWOOLE_LOG_WARNING, 'first');
swoole_error_log_ex(SWOOLE_LOG_ERROR, SWOOLE_ERROR_QUEUE_FULL, 'second');
swoole_ignore_error(SWOOLE_ERROR_QUEUE_FULL);
swoole_error_log_ex(SWOOLE_LOG_ERROR, SWOOLE_ERROR_QUEUE_FULL, 'not shown');
swoole_error_log_ex(SWOOLE_LOG_ERROR, SWOOLE_ERROR_NAME_TOO_LONG, 'third');
swoole_error_log(99, 'no such level');
?>
--EXPECTF--
string(25) "No such file or directory"
string(17) "session not exist"
string(10) "queue full"
string(25) "Name or service not known"
string(12) "Unknown host"
int(0)
int(2)
int(0)
int(0)
[%d-%d-%d %d:%d:%d *%d]	WARNING	first
[%d-%d-%d %d:%d:%d *%d]	ERROR	second
[%d-%d-%d %d:%d:%d *%d]	ERROR	third
