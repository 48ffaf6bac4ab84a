<?php

declare(strict_types=1);

namespace Stampede\Tests\Loop;

use PHPUnit\Framework\TestCase;

/** AMPHP's packages in the request handlers of a server. */
final class InServerTest extends TestCase
{
    public function testSocketDnsAndParallelInsideRequestHandlers(): void
    {
        $names = new NameServer(['name.test' => '10.9.8.7']);
        $listener = stream_socket_server('tcp://127.0.0.1:0');
        self::assertNotFalse($listener);
        $port = (int) substr((string) strrchr((string) stream_socket_get_name($listener, false), ':'), 1);
        fclose($listener);
        $extensions = array_filter(['mbstring', 'posix', 'pcntl'], static fn (string $name): bool => is_file(ini_get('extension_dir') . "/$name.so"));
        $command = [\PHP_BINARY, '-n', '-d', 'extension=' . getenv('MODULE'),
            ...array_merge(...array_map(static fn (string $name): array => ['-d', "extension=$name"], array_values($extensions))),
            \dirname(__DIR__) . '/apps/amp_server.php', (new \ReflectionClass(\Composer\Autoload\ClassLoader::class))->getFileName()];
        $command[\count($command) - 1] = \dirname($command[\count($command) - 1], 2) . '/autoload.php';
        $log = (string) tempnam(sys_get_temp_dir(), 'stampede-library-');
        $output = ['file', $log, 'a'];
        $process = proc_open([...$command, (string) $port, $names->address()], [['file', '/dev/null', 'r'], $output, $output], $pipes);
        self::assertNotFalse($process);
        try {
            $answers = [];
            $sockets = [];
            for ($i = 1; $i <= 10; $i++) {
                $sockets[$i] = self::connect($port);
                fwrite($sockets[$i], "GET /?n=$i HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            }
            foreach ($sockets as $i => $socket) {
                stream_set_timeout($socket, 20);
                $answer = (string) stream_get_contents($socket);
                $answers[$i] = json_decode(substr($answer, (int) strpos($answer, "\r\n\r\n") + 4), true);
            }
            foreach ($answers as $i => $answer) {
                self::assertSame(['10.9.8.7', $i * $i, 'greeting', true], $answer, (string) file_get_contents($log));
            }
        } finally {
            proc_terminate($process);
            proc_close($process);
            unlink($log);
        }
    }

    /** @return resource */
    private static function connect(int $port)
    {
        $deadline = microtime(true) + 15;
        do {
            $socket = @stream_socket_client("tcp://127.0.0.1:$port", $code, $message, 1.0);
            if ($socket === false) {
                usleep(10000);
            }
        } while ($socket === false && microtime(true) < $deadline);
        self::assertNotFalse($socket, "the server did not start: $message");
        return $socket;
    }
}
