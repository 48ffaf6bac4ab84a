--TEST--
Framing options that make no sense are refused, at set() or at start(), each in one sentence, and none is taken for another
--FILE--
<?php
use Swoole\Server;

/** What the option says: empty when it is taken. */
function refusal(array $options): string
{
    $text = '';
    set_error_handler(static function (int $level, string $message) use (&$text): bool {
        $text = $message;
        return true;
    });
    try {
        $server = new Server('127.0.0.1', 0, SWOOLE_BASE);
        $server->on('receive', static fn () => null);
        $server->on('start', static fn (Server $server) => $server->shutdown());
        $taken = $server->set(['worker_num' => 1, 'log_file' => '/dev/null', 'open_length_check' => true, ...$options]) !== false && $text === '' && $server->start();
    } catch (Swoole\Exception $error) {
        $text = $error->getMessage();
        $taken = false;
    }
    restore_error_handler();
    return $taken ? '' : ($text ?: 'refused without a word');
}

for ($byte = 0; $byte < 256; $byte++) {
    $letter = chr($byte);
    if (!str_contains('cCsSnvlLiINVqQJP', $letter) && !str_contains(refusal(['package_length_type' => $letter]), 'package_length_type')) {
        echo "letter $byte: ", refusal(['package_length_type' => $letter]), "\n";
    }
}
foreach (['', 'NN', 'N4', ' N', "N\0", 4, true, [], 1.5] as $type) {
    $said = refusal(['package_length_type' => $type]);
    if (!str_contains($said, 'package_length_type')) {
        echo json_encode($type), ": $said\n";
    }
}
foreach (['package_length_offset', 'package_body_offset', 'package_body_start', 'package_max_length'] as $name) {
    foreach (['x', [], '1e3', ...($name === 'package_max_length' ? [] : [PHP_INT_MIN, PHP_INT_MAX, -1, 1.5, '4'])] as $value) {
        $said = refusal(['package_length_type' => 'N', $name => $value]);
        echo $name, ' ', json_encode($value), ': ', $said, "\n";
    }
}
foreach ([['open_eof_check' => true, 'package_eof' => ''], ['open_eof_split' => true, 'package_eof' => []], ['package_length_func' => 'no_such_function'], ['package_length_func' => 5], ['open_eof_split' => true]] as $options) {
    echo json_encode($options), ': ', refusal(['open_length_check' => isset($options['package_length_func'])] + $options + ['open_length_check' => false]), "\n";
}
?>
--EXPECT--
package_length_offset "x": The setting package_length_offset must be a whole number from 0 to 65535.
package_length_offset []: The setting package_length_offset must be a whole number from 0 to 65535.
package_length_offset "1e3": The setting package_length_offset must be a whole number from 0 to 65535.
package_length_offset -9223372036854775808: The setting package_length_offset must be a whole number from 0 to 65535.
package_length_offset 9223372036854775807: The setting package_length_offset must be a whole number from 0 to 65535.
package_length_offset -1: The setting package_length_offset must be a whole number from 0 to 65535.
package_length_offset 1.5: The setting package_length_offset must be a whole number from 0 to 65535.
package_length_offset "4": 
package_body_offset "x": The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_offset []: The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_offset "1e3": The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_offset -9223372036854775808: The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_offset 9223372036854775807: The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_offset -1: 
package_body_offset 1.5: The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_offset "4": 
package_body_start "x": The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_start []: The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_start "1e3": The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_start -9223372036854775808: The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_start 9223372036854775807: The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_start -1: 
package_body_start 1.5: The settings package_body_offset and package_body_start must be whole numbers of 32 bits.
package_body_start "4": 
package_max_length "x": Swoole\Server::set(): the option [package_max_length] must be a size such as 2097152, "64K" or "8M": it keeps its value
package_max_length []: Swoole\Server::set(): the option [package_max_length] must be a size such as 2097152, "64K" or "8M": it keeps its value
package_max_length "1e3": Swoole\Server::set(): the option [package_max_length] must be a size such as 2097152, "64K" or "8M": it keeps its value
{"open_eof_check":true,"package_eof":""}: The setting package_eof must not be empty.
{"open_eof_split":true,"package_eof":[]}: The setting package_eof must be a text.
{"package_length_func":"no_such_function"}: package_length_func must be a function that takes the bytes so far and returns the size of the packet
{"package_length_func":5}: package_length_func must be a function that takes the bytes so far and returns the size of the packet
{"open_eof_split":true}: