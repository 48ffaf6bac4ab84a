--TEST--
Uploads in the layout of $_FILES: six keys each, types without parameters, MAX_FILE_SIZE for the files after it
--INI--
upload_max_filesize=1K
file_uploads=1
--FILE--
<?php
use Swoole\Http\Request;

function part(string $disposition, string $content, string $type = ''): string
{
    return "--b\r\nContent-Disposition: form-data; $disposition\r\n" . ($type === '' ? '' : "Content-Type: $type\r\n") . "\r\n$content\r\n";
}
function show(string $name, string $parts, bool $as_in_php = true): void
{
    $body = "{$parts}--b--\r\n";
    $request = Request::create(['parse_files' => $as_in_php]);
    $request->parse("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body");
    $files = $request->files;
    array_walk_recursive($files, static function (mixed &$value, string $key) use ($request): void {
        $value = in_array($value, $request->tmpfiles ?? [], true) ? 'content ' . file_get_contents($value) : $value;
    });
    echo "$name: ", json_encode($files, JSON_UNESCAPED_SLASHES), "\n";
}

show('path', part('name="f"; filename="sub/dir/a.txt"', 'abc', 'text/plain; charset=utf-8'));
show('nested', part('name="f[a][]"; filename="x/1"', 'one', 'a/b') . part('name="f[a][]"; filename="2"', '22'));
show('none', part('name="f"; filename=""', '', 'application/octet-stream'));
show('too large', part('name="f"; filename="a"', str_repeat('x', 1025), 'text/plain'));
show('limit of the form', part('name="before"; filename="a"', '12345') . part('name="max_file_size"', '4') . part('name="f"; filename="b"', '12345', 'text/plain') . part('name="g"; filename="c"', '1234'));
show('no limit', part('name="MAX_FILE_SIZE"', '0') . part('name="f"; filename="a"', '12'));
show('no number', part('name="MAX_FILE_SIZE"', '-1') . part('name="f"; filename="a"', '12'));
show('as in Swoole', part('name="MAX_FILE_SIZE"', '1') . part('name="f"; filename="b/a"', '12', 'text/plain; charset=utf-8'), false);
?>
--EXPECT--
path: {"f":{"name":"a.txt","full_path":"sub/dir/a.txt","type":"text/plain","tmp_name":"content abc","error":0,"size":3}}
nested: {"f":{"name":{"a":["1","2"]},"full_path":{"a":["x/1","2"]},"type":{"a":["a/b",""]},"tmp_name":{"a":["content one","content 22"]},"error":{"a":[0,0]},"size":{"a":[3,2]}}}
none: {"f":{"name":"","full_path":"","type":"","tmp_name":"","error":4,"size":0}}
too large: {"f":{"name":"a","full_path":"a","type":"","tmp_name":"","error":1,"size":0}}
limit of the form: {"before":{"name":"a","full_path":"a","type":"","tmp_name":"content 12345","error":0,"size":5},"f":{"name":"b","full_path":"b","type":"","tmp_name":"","error":2,"size":0},"g":{"name":"c","full_path":"c","type":"","tmp_name":"content 1234","error":0,"size":4}}
no limit: {"f":{"name":"a","full_path":"a","type":"","tmp_name":"content 12","error":0,"size":2}}
no number: {"f":{"name":"a","full_path":"a","type":"","tmp_name":"content 12","error":0,"size":2}}
as in Swoole: {"f":{"name":"a","type":"text/plain; charset=utf-8","tmp_name":"content 12","error":0,"size":2}}
