--TEST--
Uploads: five keys each, nested names, limits of php.ini, temporary files that go with the request
--INI--
max_file_uploads=3
upload_max_filesize=1K
max_input_vars=4
file_uploads=1
--FILE--
<?php
use Swoole\Http\Request;

function part(string $disposition, string $content, string $type = ''): string
{
    return "--b\r\nContent-Disposition: form-data; $disposition\r\n" . ($type === '' ? '' : "Content-Type: $type\r\n") . "\r\n$content\r\n";
}
function request(string $body, array $options = []): Request
{
    $request = Request::create($options);
    $request->parse("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: " . strlen($body) . "\r\n\r\n");
    $request->parse($body);
    return $request;
}

$request = request(part('name="field"', 'value') . part('name="f"; filename="../../etc/name.txt"', "data\r\n--bogus\0", 'text/plain')
    . part('name="list[]"; filename="one"', '1') . part('name="list[x]"; filename="big"', str_repeat('x', 2000)) . part('name="late"; filename="l"', 'over') . "--b--\r\n");
print_r($request->post);
foreach (['f' => $request->files['f'], 'list 0' => $request->files['list'][0], 'list x' => $request->files['list']['x']] as $name => $file) {
    echo $name, ': ', json_encode(array_merge($file, ['tmp_name' => $file['tmp_name'] === '' ? '' : basename(dirname($file['tmp_name']))])), "\n";
}
var_dump(isset($request->files['late']), count($request->tmpfiles));
$kept = $request->files['f']['tmp_name'];
var_dump(file_get_contents($kept) === "data\r\n--bogus\0", is_uploaded_file($kept), decoct(fileperms($kept) & 0777));
$moved = tempnam(sys_get_temp_dir(), 'moved');
var_dump(move_uploaded_file($request->files['list'][0]['tmp_name'], $moved));
unset($request);
clearstatcache();
var_dump(file_exists($kept), file_get_contents($moved));
unlink($moved);

$many = request(implode('', array_map(fn (int $i): string => part("name=\"n$i\"", (string) $i), range(1, 9))) . "--b--\r\n");
var_dump(count($many->post));
$empty = request(part('name="nothing"; filename=""', '') . "--b--\r\n");
var_dump($empty->files['nothing']['error'], $empty->tmpfiles);
$cut = request(part('name="a"', 'whole') . "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"cut\"\r\n\r\nhalf");
var_dump($cut->post, $cut->files['f']['error'] === UPLOAD_ERR_PARTIAL, $cut->tmpfiles);
$nowhere = request(part('name="f"; filename="f"', 'x') . "--b--\r\n", ['upload_tmp_dir' => '/nowhere']);
var_dump($nowhere->files['f']['error']);
$off = request(part('name="f"; filename="f"', 'x') . "--b--\r\n", ['parse_body' => false]);
var_dump($off->files, $off->post, strlen($off->getContent()) > 20);
var_dump(glob(sys_get_temp_dir() . '/swoole.upfile.*' . getmypid()));
?>
--EXPECTF--
Array
(
    [field] => value
)
f: {"name":"name.txt","type":"text\/plain","tmp_name":"%s","error":0,"size":14}
list 0: {"name":"one","type":"","tmp_name":"%s","error":0,"size":1}
list x: {"name":"big","type":"","tmp_name":"","error":1,"size":0}
bool(false)
int(2)
bool(true)
bool(true)
string(3) "600"
bool(true)
bool(false)
string(1) "1"
int(4)
int(4)
NULL
array(1) {
  ["a"]=>
  string(5) "whole"
}
bool(true)
NULL

Warning: Swoole\Http\Request::parse(): cannot make a file for an upload in "/nowhere": correct the setting upload_tmp_dir in %s on line %d
int(6)
NULL
NULL
bool(true)
array(0) {
}
