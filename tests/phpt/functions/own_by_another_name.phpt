--TEST--
swoole_checkdnsrr(), swoole_getmxrr() and the others do what PHP's own do
--INI--
sendmail_path=cat >{PWD}/own_by_another_name.out
--FILE--
<?php
const TOO_LONG = 'label-of-a-name-that-has-more-than-the-sixty-three-bytes-that-are-allowed.test';

/** What a function gives for the arguments, what it leaves in them, its warnings and what it throws. */
function outcome(string $function, array $arguments): array
{
    $said = [];
    set_error_handler(function (int $kind, string $message) use (&$said) {
        $said[] = $message;
        return true;
    });
    $passed = [];
    foreach ($arguments as $name => &$value) {
        $passed[$name] = &$value;
    }
    try {
        $result = $function(...$passed);
    } catch (Error $error) {
        $result = $error::class . ': ' . $error->getMessage();
    }
    restore_error_handler();
    return [$result, $arguments, $said];
}

function compare(): void
{
    foreach ([
        'checkdnsrr' => [[TOO_LONG], [TOO_LONG, 'A'], [''], ['x', 'no such']],
        'dns_check_record' => [[TOO_LONG], ['', 'A']],
        'getmxrr' => [[TOO_LONG, ['before']], [TOO_LONG, null, ['before']]],
        'dns_get_mx' => [[TOO_LONG, null, null]],
        'dns_get_record' => [[TOO_LONG, DNS_A], [TOO_LONG, DNS_A, ['before'], ['before']], [TOO_LONG, DNS_ALL + 1], ['hostname' => TOO_LONG, 'type' => 70000, 'raw' => true]],
        'gethostbyaddr' => [['127.0.0.1'], ['not an address']],
        'gethostbynamel' => [['127.0.0.1'], ['localhost'], [str_repeat('x', 300)]],
    ] as $function => $calls) {
        foreach ($calls as $arguments) {
            $mine = outcome("swoole_$function", $arguments);
            if ($mine !== ($own = outcome($function, $arguments))) {
                echo "$function: ";
                var_dump($mine, $own);
            }
        }
    }
}

compare();
Co\run(compare(...));
var_dump(swoole_gethostbynamel('127.0.0.1'), swoole_getmxrr(TOO_LONG, $hosts, $weights), $hosts, $weights);

Co\run(function () {
    var_dump(swoole_mail('you@example.test', 'Subject of it', "The text.\n", ['From' => 'me@example.test']));
});
echo file_get_contents(__DIR__ . '/own_by_another_name.out');
try {
    swoole_mail("a\0b", '', '');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/own_by_another_name.out');
?>
--EXPECT--
array(1) {
  [0]=>
  string(9) "127.0.0.1"
}
bool(false)
array(0) {
}
array(0) {
}
bool(true)
To: you@example.test
Subject: Subject of it
From: me@example.test

The text.

mail(): Argument #1 ($to) must not contain any null bytes
