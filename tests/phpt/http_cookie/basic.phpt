--TEST--
Http\Cookie: parts, text, array, reset, and what would break the field
--FILE--
<?php
use Swoole\Http\Cookie;

$cookie = (new Cookie())->withName('id')->withValue('a b;c')->withExpires(4102444800)->withPath('/p')->withDomain('example.com')
    ->withSecure(true)->withHttpOnly(true)->withSameSite('Strict')->withPriority('High')->withPartitioned(true);
echo $cookie->toString(), "\n", json_encode($cookie->toArray()), "\n";
echo (new Cookie(false))->withName('raw')->withValue('a%20b')->toString(), "\n", (new Cookie())->withName('gone')->toString(), "\n";
$cookie->reset();
echo json_encode($cookie->toArray()), "\n";
var_dump($cookie->toString(), @(new Cookie(false))->withName('a')->withValue("x\r\ny")->toString(), @(new Cookie())->withName("a=b")->toString());
// The year of a date has four digits.
echo (new Cookie())->withName('a')->withValue('b')->withExpires(253402300799)->toString(), "\n";
var_dump((new Cookie())->withName('a')->withValue('b')->withExpires(253402300800)->toString());
?>
--EXPECTF--
id=a+b%3Bc; expires=Fri, 01-Jan-2100 00:00:00 GMT; Max-Age=%d; path=/p; domain=example.com; secure; HttpOnly; SameSite=Strict; Priority=High; Partitioned
{"name":"id","value":"a b;c","path":"\/p","domain":"example.com","sameSite":"Strict","priority":"High","encode":true,"expires":4102444800,"secure":true,"httpOnly":true,"partitioned":true}
raw=a%20b; path=/
gone=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0; path=/
{"name":"","value":"","path":"","domain":"","sameSite":"","priority":"","encode":true,"expires":0,"secure":false,"httpOnly":false,"partitioned":false}

Warning: Swoole\Http\Cookie::toString(): Cookie names can't be empty or contain any of "=,; \t\r\n\013\014\0" in %s on line %d
bool(false)
bool(false)
bool(false)
a=b; expires=Fri, 31-Dec-9999 23:59:59 GMT; Max-Age=%d; path=/

Warning: Swoole\Http\Cookie::toString(): Expiry date can't have a year greater than 9999 in %s on line %d
bool(false)
