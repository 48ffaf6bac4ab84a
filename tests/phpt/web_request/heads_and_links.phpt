--TEST--
Stampede\WebRequest: the status line, the last error and what is added to links belong to one request
--INI--
url_rewriter.tags="a=href,form="
--FILE--
<?php
use Stampede\WebRequest;

function begin(?callable $output = null): void
{
    WebRequest::begin(['REQUEST_METHOD' => 'GET'], [], [], [], [], '', $output ?? static fn () => true);
}

Co\run(function () {
    $told = [];
    $tell = static function (string $data) use (&$told) {
        $told[] = [http_response_code(), WebRequest::statusLine(), $data];
    };
    begin($tell);
    header('HTTP/1.1 404 Nothing Here');
    $told[] = WebRequest::statusLine();
    echo 'a';
    WebRequest::end();
    begin($tell);
    WebRequest::end();
    begin();
    WebRequest::noteFatalError('Uncaught it', '/some/file.php', 7);
    $told[] = error_get_last();
    WebRequest::end();
    begin();
    $told[] = error_get_last();
    WebRequest::end();
    foreach ($told as $each) {
        echo json_encode($each), "\n";
    }

    $page = static function (string $value, ?callable $wait = null): string {
        $text = '';
        begin(static function (string $data) use (&$text) { $text .= $data; });
        output_add_rewrite_var('who', $value);
        echo '<a href="page">', $value, '</a>';
        $wait && $wait();
        echo '<form action="x"></form>';
        WebRequest::end();
        return "$text\n";
    };
    echo $page('first'), $page('second');
    $texts = [];
    foreach (['left', 'right'] as $i => $name) {
        go(function () use (&$texts, $page, $name, $i) { $texts[$i] = $page($name, static fn () => Co::sleep(0.01 + $i / 100)); });
    }
    while (count($texts) < 2) {
        Co::sleep(0.001);
    }
    ksort($texts);
    echo implode($texts);
    $text = '';
    begin(static function (string $data) use (&$text) { $text .= $data; });
    echo '<a href="page">none</a>';
    WebRequest::end();
    echo "$text\n";
});
try {
    WebRequest::statusLine();
} catch (Swoole\Exception $exception) {
    echo $exception->getMessage(), "\n";
}
?>
--EXPECT--
"HTTP\/1.1 404 Nothing Here"
[404,"HTTP\/1.1 404 Nothing Here","a"]
[200,"",""]
{"type":1,"message":"Uncaught it","file":"\/some\/file.php","line":7}
null
<a href="page?who=first">first</a><form action="x"><input type="hidden" name="who" value="first" /></form>
<a href="page?who=second">second</a><form action="x"><input type="hidden" name="who" value="second" /></form>
<a href="page?who=left">left</a><form action="x"><input type="hidden" name="who" value="left" /></form>
<a href="page?who=right">right</a><form action="x"><input type="hidden" name="who" value="right" /></form>
<a href="page">none</a>
no request is under way: call Stampede\WebRequest::begin() first
