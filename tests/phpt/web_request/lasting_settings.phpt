--TEST--
Stampede\WebRequest: what a service of a container sets while it is made lasts longer than its request
--EXTENSIONS--
session
--FILE--
<?php
use Stampede\WebRequest;
use Swoole\Coroutine;

interface Container {}

final class Services implements Container
{
    public static function get(callable $make): void
    {
        $make();
    }
}

final class Wrapper
{
    public $context;

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        return true;
    }
}

function request(callable $does): void
{
    $output = '';
    WebRequest::begin([], [], [], [], [], '', static function (string $data) use (&$output): void { $output .= $data; });
    WebRequest::call($does);
    WebRequest::end();
    echo $output, "\n";
}

function settings(): array
{
    return [ini_get('precision'), session_save_path(), date_default_timezone_get(), get_include_path(), ini_get('session.save_path'), in_array('mine', stream_get_wrappers(), true), libxml_use_internal_errors(), setlocale(LC_ALL, '0')];
}

function set(int $number): void
{
    ini_set('precision', (string) $number);
    session_save_path("/tmp/sessions{$number}");
    date_default_timezone_set(timezone_identifiers_list()[$number]);
    set_include_path("/tmp/{$number}");
    in_array('mine', stream_get_wrappers(), true) || stream_wrapper_register('mine', Wrapper::class);
    libxml_use_internal_errors(true);
    setlocale(LC_ALL, 'C.UTF-8');
}

$before = settings();
Coroutine\run(static function () use ($before): void {
    WebRequest::keepSettingsOf([Container::class]);
    request(static function () use ($before): void {
        set(3); // a controller
        echo 'of the controller: ', json_encode(settings()[0]);
    });
    request(static fn () => print('put back: ' . json_encode(settings() === $before)));
    $all = [];
    request(static function () use (&$all): void {
        Services::get(static fn () => set(4));
        $all = settings();
        ini_set('precision', '9');
        echo 'of the service: ', $all[0], ' ', $all[1], ' ', json_encode($all[5]), ', then of the controller: ', ini_get('precision');
    });
    for ($i = 0; $i < 3; $i++) {
        request(static fn () => print('stays: ' . json_encode(settings() === $all)));
    }
    // The same again, and another one beside it.
    $gate = new Coroutine\Channel(1);
    $other = Coroutine::create(static function () use ($gate, $all): void {
        request(static function () use ($gate, $all): void {
            $own = ini_set('precision', '7');
            $gate->pop();
            echo 'beside it: ', $own, ' ', ini_get('precision'), ' ', session_save_path();
        });
    });
    request(static function () use ($gate): void {
        Services::get(static fn () => set(4));
        Services::get(static fn () => ini_set('precision', '5'));
        Services::get(static fn () => @ini_set('nothing.of.that.name', '5'));
        Services::get(static fn () => session_save_path('/tmp/moved'));
        echo 'again: ', ini_get('precision'), ' ', session_save_path();
        $gate->push(1);
    });
    Coroutine::join([$other]);
    for ($i = 0; $i < 3; $i++) {
        request(static fn () => print('stays: ' . json_encode(array_slice(settings(), 0, 2))));
    }
    try {
        WebRequest::keepSettingsOf(['Missing']);
    } catch (Swoole\Exception $e) {
        echo $e->getMessage(), "\n";
    }
    // Files of sessions go where the service has said.
    request(static function (): void {
        mkdir($folder = sys_get_temp_dir() . '/lasting_' . getmypid());
        Services::get(static fn () => session_save_path($folder));
        session_start();
        $_SESSION['a'] = 'b';
        session_write_close();
        echo 'first';
    });
    request(static function (): void {
        session_start();
        session_write_close();
        echo count(glob(sys_get_temp_dir() . '/lasting_' . getmypid() . '/sess_*')), ' sessions';
        array_map(unlink(...), glob(sys_get_temp_dir() . '/lasting_' . getmypid() . '/*'));
        rmdir(sys_get_temp_dir() . '/lasting_' . getmypid());
    });
});
?>
--EXPECT--
of the controller: "3"
put back: true
of the service: 4 /tmp/sessions4 true, then of the controller: 9
stays: true
stays: true
stays: true
beside it: 4 7 /tmp/sessions4
again: 5 /tmp/moved
stays: ["5","\/tmp\/moved"]
stays: ["5","\/tmp\/moved"]
stays: ["5","\/tmp\/moved"]
there is no class Missing
first
2 sessions
