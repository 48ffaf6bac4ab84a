--TEST--
Stampede\WebRequest: what functions set for the rest of a script is gone with the request, and not seen by others meanwhile
--EXTENSIONS--
dom
mbstring
--FILE--
<?php
use Stampede\WebRequest;
use Swoole\Coroutine;

function request(callable $work): mixed
{
    WebRequest::begin([], [], [], [], [], '');
    $result = $work();
    WebRequest::end();
    return $result;
}

class Letters
{
    public mixed $context;
    private string $text = 'letters';

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_read(): string
    {
        [$text, $this->text] = [$this->text, ''];
        return $text;
    }

    public function stream_eof(): bool
    {
        return $this->text === '';
    }

    public function stream_stat(): array
    {
        return [];
    }
}

class Upper extends php_user_filter {}

function tick(): void
{
    $GLOBALS['ticks'] = ($GLOBALS['ticks'] ?? 0) + 1;
}

function state(): array
{
    $state = [
        'variable' => getenv('STAMPEDE_A'),
        'zone' => getenv('TZ'),
        'context' => stream_context_get_options(stream_context_get_default()),
        'wrappers' => array_values(array_intersect(['data', 'letters', 'boot'], stream_get_wrappers())),
        'filters' => in_array('upper', stream_get_filters(), true),
        'token' => @strtok(' '),
        'json' => json_last_error(),
        'pcre' => preg_last_error(),
        'xml' => [libxml_use_internal_errors(), count(libxml_get_errors())],
        'loader' => libxml_get_external_entity_loader() !== null,
        'mb' => [mb_substitute_character(), mb_detect_order(), mb_http_output(), mb_internal_encoding()],
        'extensions' => spl_autoload_extensions(),
    ];
    declare(ticks=1) {
        $state['ticks'] = 0;
    }
    $state['ticks'] = $GLOBALS['ticks'] ?? 0;
    return $state;
}

function change(): void
{
    putenv('STAMPEDE_A=changed');
    putenv('TZ=Asia/Tokyo');
    stream_context_set_default(['http' => ['method' => 'PUT']]);
    stream_wrapper_register('letters', 'Letters');
    stream_wrapper_unregister('data');
    stream_filter_register('upper', 'Upper');
    strtok('a b c', ' ');
    json_decode('{');
    preg_match('/./u', "\xff");
    libxml_use_internal_errors(true);
    (new DOMDocument())->loadXML('<a><b></a>');
    libxml_set_streams_context(stream_context_create());
    libxml_set_external_entity_loader(fn () => null);
    mb_substitute_character(0x3013);
    mb_detect_order(['ASCII']);
    mb_http_output('SJIS');
    mb_internal_encoding('ISO-8859-1');
    spl_autoload_extensions('.own');
    register_tick_function('tick');
}

putenv('STAMPEDE_A=boot');
putenv('TZ=UTC');
stream_context_set_default(['http' => ['method' => 'HEAD']]);
stream_wrapper_register('boot', 'Letters');
libxml_use_internal_errors(true);
@(new DOMDocument())->loadXML('<x>');
$boot = state();
echo json_encode($boot), "\n";

$first = request(state(...));
echo 'a request begins as the process is: ', json_encode(array_diff_assoc(array_map(json_encode(...), $first), array_map(json_encode(...), $boot))), "\n";
request(function (): void {
    change();
    echo json_encode(state()), "\n";
    $GLOBALS['opened'] = fopen('letters://x', 'r');
    Kept::$stream = $GLOBALS['opened'];
});
class Kept
{
    public static mixed $stream;
}
echo 'the next request: ', json_encode(request(state(...)) == $first), "\n";
echo 'the process: ', json_encode(state() == $boot), "\n";
echo 'a stream outlives the name of its wrapper: ', stream_get_contents(Kept::$stream), "\n";
Kept::$stream = null;
for ($i = 0; $i < 3; $i++) {
    echo request(fn (): string => stream_wrapper_register('letters', 'Letters') . file_get_contents('letters://x')), "\n";
}

echo "side by side\n";
Coroutine\run(function () use ($first): void {
    $others = 0;
    for ($i = 0; $i < 20; $i++) {
        Coroutine::create(function () use ($i, $first, &$others): void {
            request(function () use ($i, $first, &$others): void {
                if ($i % 2 === 0) {
                    Coroutine::sleep(0.001);
                    $others += (int) (state() == $first);
                    return;
                }
                $name = 'variable ' . str_repeat((string) $i, 100);
                putenv("STAMPEDE_A={$name}");
                $token = strtok("one two{$i}", ' ');
                json_decode($i % 4 === 1 ? '{' : '{}');
                libxml_use_internal_errors(true);
                (new DOMDocument())->loadXML(str_repeat("<a{$i}", $i % 4 === 1 ? 1 : 0) . '<b');
                $errors = count(libxml_get_errors());
                mb_substitute_character(0x3000 + $i);
                stream_context_set_default(['http' => ['method' => "M{$i}"]]);
                for ($round = 0; $round < 3; $round++) {
                    Coroutine::sleep(0.001);
                    $seen = [getenv('STAMPEDE_A') === $name, json_last_error() === ($i % 4 === 1 ? JSON_ERROR_SYNTAX : 0), count(libxml_get_errors()) === $errors,
                        mb_substitute_character() === 0x3000 + $i, stream_context_get_options(stream_context_get_default())['http']['method'] === "M{$i}"];
                    if (in_array(false, $seen, true)) {
                        echo "request {$i}: ", json_encode($seen), "\n";
                    }
                    putenv('STAMPEDE_A=' . ($name .= '+'));
                }
                if ([$token, strtok(' ')] !== ['one', "two{$i}"]) {
                    echo "request {$i}: token\n";
                }
            });
        });
    }
    while (Coroutine::stats()['coroutine_num'] > 1) {
        Coroutine::sleep(0.001);
    }
    echo 'requests that change nothing see nothing: ', $others, "\n";
});
echo 'the process: ', json_encode(state() == $boot), "\n";

mt_srand(3);
$expected = [mt_rand(), mt_rand()];
request(fn () => mt_srand(3));
echo 'numbers after a request that chose them: ', [mt_rand(), mt_rand()] === $expected ? 'known' : 'unknown', "\n";
?>
--EXPECT--
{"variable":"boot","zone":"UTC","context":{"http":{"method":"HEAD"}},"wrappers":["data","boot"],"filters":false,"token":false,"json":0,"pcre":0,"xml":[true,1],"loader":false,"mb":[63,["ASCII","UTF-8"],"UTF-8","UTF-8"],"extensions":".inc,.php","ticks":0}
a request begins as the process is: []
{"variable":"changed","zone":"Asia\/Tokyo","context":{"http":{"method":"PUT"}},"wrappers":["letters","boot"],"filters":true,"token":"b","json":4,"pcre":4,"xml":[true,2],"loader":true,"mb":[12307,["ASCII"],"SJIS","ISO-8859-1"],"extensions":".own","ticks":1}
the next request: true
the process: true
a stream outlives the name of its wrapper: letters
1letters
1letters
1letters
side by side
requests that change nothing see nothing: 10
the process: true
numbers after a request that chose them: unknown
