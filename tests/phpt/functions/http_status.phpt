--TEST--
Swoole\Http\Status: names, phrases, and a subclass with phrases of its own
--FILE--
<?php
use Swoole\Http\Status;

class Own extends Status
{
    protected static $reasonPhrases = [404 => 'Nothing here'];
}
class Plain extends Status
{
    public static function add(int $code, string $text): void
    {
        static::$reasonPhrases[$code] = $text;
    }
}
var_dump(Status::NOT_FOUND, Status::getReasonPhrase(Status::NOT_FOUND), Status::getReasonPhrase(299));
var_dump(count(Status::getReasonPhrases()), Status::getReasonPhrases()[416]);
var_dump(Own::getReasonPhrase(404), Own::getReasonPhrase(200), count(Own::getReasonPhrases()));
Plain::add(299, 'Mine');
var_dump(Plain::getReasonPhrase(299), count(Plain::getReasonPhrases()));
foreach ((new ReflectionClass(Status::class))->getConstants() as $name => $code) {
    if (Status::getReasonPhrase($code) === 'Unknown') {
        echo "$name has no phrase\n";
    }
}
?>
--EXPECT--
int(404)
string(9) "Not Found"
string(7) "Unknown"
int(61)
string(31) "Requested range not satisfiable"
string(12) "Nothing here"
string(7) "Unknown"
int(1)
string(4) "Mine"
int(62)
