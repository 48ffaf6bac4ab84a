--TEST--
swoole_mime_type_*(): the built-in table, and what the application adds, changes and removes
--FILE--
<?php
var_dump(swoole_mime_type_get('page.html'), swoole_mime_type_get('/a.b/photo.JPEG'), swoole_get_mime_type('style.css'));
var_dump(swoole_mime_type_get('no extension'), swoole_mime_type_get('/dir.css/file'), swoole_mime_type_get('x.unheard-of'));
var_dump(swoole_mime_type_exists('a.png'), swoole_mime_type_exists('a.stampede'));

var_dump(swoole_mime_type_add('stampede', 'application/x-stampede'), swoole_mime_type_add('.stampede', 'other/type'));
var_dump(swoole_mime_type_add('png', 'other/type'));
var_dump(swoole_mime_type_get('a.Stampede'), swoole_mime_type_exists('a.stampede'));
swoole_mime_type_set('png', 'image/own');
var_dump(swoole_mime_type_get('a.png'), swoole_mime_type_list()['png'], swoole_mime_type_list()['stampede']);
var_dump(swoole_mime_type_delete('gif'), swoole_mime_type_delete('gif'), swoole_mime_type_delete('stampede'));
var_dump(swoole_mime_type_exists('a.gif'), isset(swoole_mime_type_list()['gif']), isset(swoole_mime_type_list()['stampede']));
var_dump(swoole_mime_type_add('gif', 'image/gif'), swoole_mime_type_get('a.gif'));
var_dump(count(swoole_mime_type_list()) > 100);
?>
--EXPECT--
string(9) "text/html"
string(10) "image/jpeg"
string(8) "text/css"
string(24) "application/octet-stream"
string(24) "application/octet-stream"
string(24) "application/octet-stream"
bool(true)
bool(false)
bool(true)
bool(false)
bool(false)
string(22) "application/x-stampede"
bool(true)
string(9) "image/own"
string(9) "image/own"
string(22) "application/x-stampede"
bool(true)
bool(false)
bool(true)
bool(false)
bool(false)
bool(false)
bool(true)
string(9) "image/gif"
bool(true)
