--TEST--
ArrayObject, StringObject and MultibyteStringObject: values with methods, and the functions that make them
--EXTENSIONS--
mbstring
--FILE--
<?php
use Swoole\ArrayObject;
use Swoole\StringObject;

// What comes out is an object again, but for numbers and the like.
$array = swoole_array(['name' => 'hello', 'list' => [3, 1, 2], 7]);
var_dump($array->get('name') instanceof StringObject, $array->get('list') instanceof ArrayObject, $array->get(0));
var_dump((string) $array->first(), $array->last(), $array->firstKey(), $array->lastKey());
var_dump($array->getOr('nothing', 'else'), $array->getOr('nothing'));
var_dump(count($array), isset($array['name']), isset($array['nothing']), $array['list'] === [3, 1, 2], $array->exists('list'));
foreach (['get', 'offsetGet'] as $method) {
    try {
        $array->{$method}('nothing');
    } catch (Swoole\Exception\ArrayKeyNotExists $exception) {
        echo get_class($exception), ' ', $exception instanceof RuntimeException ? 'yes' : 'no', "\n";
    }
}
foreach ($array as $key => $value) {
    echo $key, ' ', gettype($value), "\n";
}

// What changes gives the same object, what makes a part a new one.
$list = swoole_array_list(5, '5', 6, 5);
var_dump($list->set(9, 5) === $list, $list->indexOf('5'), $list->indexOf('5', false), $list->lastIndexOf(5), $list->search(8));
var_dump($list->remove(5)->toArray(), $list->remove(5, true, true)->toArray());
$list->clear()->append(1, 2)->insert(1, [8]);
var_dump($list->toArray() === [1, [8], 2], $list->push(3), $list->pushFront(0), $list->pop(), $list->popFront(), $list->popBack());
$list[] = 4;
$list['key'] = null;
var_dump($list->exists('key'), isset($list['key']), $list->contains(4), $list->contains('4'), $list->contains('4', false));
unset($list['key']);
$numbers = ArrayObject::from([3, 1, 2]);
var_dump($numbers->sum(), $numbers->product(), $numbers->reduce(fn ($sum, $number) => $sum + $number, 10));
var_dump($numbers->sort()->toArray(), $numbers->reverse() !== $numbers, $numbers->slice(1)->toArray(), $numbers->chunk(2)->get(0)->toArray());
var_dump($numbers->map(fn ($number) => $number * 2)->filter(fn ($number) => $number > 2)->values()->toArray());
var_dump($numbers->each(function (&$number) { $number++; })->toArray(), $numbers->flip()->keys()->toArray());
var_dump(ArrayObject::from([['id' => 1, 'n' => 'a'], ['id' => 2, 'n' => 'b']])->column('n', 'id')->toArray());
var_dump(ArrayObject::from(['b' => 1, 'a' => 2])->ksort()->toArray(), ArrayObject::from([1, 1, 2])->unique()->toArray());
var_dump(in_array($numbers->randomGet(), [2, 3, 4], true), (new ArrayObject())->isEmpty(), (new ArrayObject())->first(), (new ArrayObject())->randomGet());
var_dump((string) $numbers->join('-'), unserialize(serialize($array)) == $array, (new ArrayObject())->unserialize($array->serialize()) == $array);
try {
    $numbers->unserialize('i:1;');
} catch (RuntimeException $exception) {
    echo $exception->getMessage(), "\n";
}

$text = swoole_string('Hello World');
var_dump($text->length(), $text->indexOf('o'), $text->lastIndexOf('o'), $text->pos('x'), $text->rpos('l'), $text->ipos('WORLD'));
var_dump((string) $text->lower()->upper()->reverse(), (string) $text->substr(-5, 2), (string) $text->replace('o', '0', $count), $count);
var_dump((string) _string("  x \n")->trim(), (string) _string('--x-')->trim('-'), (string) _string(' x ')->ltrim()->append(5), (string) _string(' x ')->rtrim());
var_dump($text->startsWith('Hello'), $text->endsWith('x'), $text->contains('lo W'), $text->char(4), $text->char(40));
var_dump($text->equals('Hello World'), _string('5')->equals(5), _string('5')->equals(5, true), $text->equals(swoole_string('Hello World'), true));
var_dump($text->split(' ')->toArray(), StringObject::from('abcd')->chunk(3)->toArray(), (string) StringObject::from('abcd')->chunkSplit(2, '|'), (string) StringObject::from('ab')->repeat(2));

$text = swoole_mbstring('aäöüä');
var_dump($text->length(), (string) $text->substr(1, 2), $text->indexOf('ä'), $text->lastIndexOf('ä'), $text->ipos('Ü'), $text->rpos('ö'), $text->chunk(2)->toArray());
var_dump(get_class($text->lower()), _mbstring('ä')->length(), get_class(_array([1])));
?>
--EXPECT--
bool(true)
bool(true)
int(7)
string(5) "hello"
int(7)
string(4) "name"
int(0)
string(4) "else"
NULL
int(3)
bool(true)
bool(false)
bool(true)
bool(true)
Swoole\Exception\ArrayKeyNotExists yes
Swoole\Exception\ArrayKeyNotExists yes
name string
list array
0 integer
bool(true)
int(1)
int(0)
int(9)
bool(false)
array(4) {
  [1]=>
  string(1) "5"
  [2]=>
  int(6)
  [3]=>
  int(5)
  [9]=>
  int(5)
}
array(2) {
  [1]=>
  string(1) "5"
  [2]=>
  int(6)
}
bool(true)
int(4)
int(5)
int(3)
int(0)
int(2)
bool(true)
bool(false)
bool(true)
bool(false)
bool(true)
int(6)
int(6)
int(16)
array(3) {
  [0]=>
  int(1)
  [1]=>
  int(2)
  [2]=>
  int(3)
}
bool(true)
array(2) {
  [0]=>
  int(2)
  [1]=>
  int(3)
}
array(2) {
  [0]=>
  int(1)
  [1]=>
  int(2)
}
array(2) {
  [0]=>
  int(4)
  [1]=>
  int(6)
}
array(3) {
  [0]=>
  int(2)
  [1]=>
  int(3)
  [2]=>
  int(4)
}
array(3) {
  [0]=>
  int(2)
  [1]=>
  int(3)
  [2]=>
  int(4)
}
array(2) {
  [1]=>
  string(1) "a"
  [2]=>
  string(1) "b"
}
array(2) {
  ["a"]=>
  int(2)
  ["b"]=>
  int(1)
}
array(2) {
  [0]=>
  int(1)
  [2]=>
  int(2)
}
bool(true)
bool(true)
NULL
NULL
string(5) "2-3-4"
bool(true)
bool(true)
the text holds no serialized array
int(11)
int(4)
int(7)
bool(false)
int(9)
int(6)
string(11) "DLROW OLLEH"
string(2) "Wo"
string(11) "Hell0 W0rld"
int(2)
string(1) "x"
string(1) "x"
string(3) "x 5"
string(2) " x"
bool(true)
bool(false)
bool(true)
string(1) "o"
string(0) ""
bool(true)
bool(true)
bool(false)
bool(true)
array(2) {
  [0]=>
  string(5) "Hello"
  [1]=>
  string(5) "World"
}
array(2) {
  [0]=>
  string(3) "abc"
  [1]=>
  string(1) "d"
}
string(6) "ab|cd|"
string(4) "abab"
int(5)
string(4) "äö"
int(1)
int(4)
int(3)
int(2)
array(3) {
  [0]=>
  string(3) "aä"
  [1]=>
  string(4) "öü"
  [2]=>
  string(2) "ä"
}
string(28) "Swoole\MultibyteStringObject"
int(1)
string(18) "Swoole\ArrayObject"
