--TEST--
WebSocket\Frame: packing and unpacking
--FILE--
<?php
use Swoole\WebSocket\{CloseFrame, Frame};
echo bin2hex(Frame::pack('hi')), "\n";
echo bin2hex(Frame::pack('hi', WEBSOCKET_OPCODE_BINARY, 0)), "\n";
$frame = new Frame();
$frame->data = str_repeat('x', 126);
$frame->opcode = WEBSOCKET_OPCODE_BINARY;
$bytes = (string) $frame;
echo strlen($bytes), ' ', bin2hex(substr($bytes, 0, 4)), "\n";
$masked = Frame::pack('masked', WEBSOCKET_OPCODE_TEXT, SWOOLE_WEBSOCKET_FLAG_FIN | SWOOLE_WEBSOCKET_FLAG_MASK);
$back = Frame::unpack($masked);
var_dump($back->data, $back->opcode, $back->finish, ($back->flags & SWOOLE_WEBSOCKET_FLAG_MASK) !== 0);
$close = new CloseFrame();
$close->code = 1001;
$close->reason = 'going';
echo bin2hex(Frame::pack($close)), "\n";
$close = Frame::unpack(Frame::pack($close));
var_dump($close instanceof CloseFrame, $close->code, $close->reason);
var_dump(@Frame::unpack("\x81\x05abc"), @Frame::pack('x', 5));
var_dump(get_object_vars(new Frame()), get_object_vars(new CloseFrame()));
?>
--EXPECT--
81026869
02026869
130 827e007e
string(6) "masked"
int(1)
bool(true)
bool(true)
880703e9676f696e67
bool(true)
int(1001)
string(5) "going"
bool(false)
string(0) ""
array(5) {
  ["fd"]=>
  int(0)
  ["data"]=>
  string(0) ""
  ["opcode"]=>
  int(1)
  ["flags"]=>
  int(1)
  ["finish"]=>
  NULL
}
array(7) {
  ["fd"]=>
  int(0)
  ["data"]=>
  string(0) ""
  ["opcode"]=>
  int(8)
  ["flags"]=>
  int(1)
  ["finish"]=>
  NULL
  ["code"]=>
  int(1000)
  ["reason"]=>
  string(0) ""
}
