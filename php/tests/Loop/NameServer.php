<?php

declare(strict_types=1);

namespace Stampede\Tests\Loop;

/** dnsmasq on a port of its own that knows a few names. */
final class NameServer
{
    /** @var resource */
    private $process;
    private readonly int $port;

    /** @param array<string, string> $addresses */
    public function __construct(array $addresses)
    {
        for ($attempt = 0; $attempt < 5; $attempt++) {
            $port = self::freePort();
            $this->process = self::start($port, $addresses);
            if (self::waitUntilBound($this->process, $port)) {
                $this->port = $port;
                return;
            }
            proc_terminate($this->process);
            proc_close($this->process);
        }
        throw new \RuntimeException('dnsmasq did not start');
    }

    private static function freePort(): int
    {
        $socket = stream_socket_server('udp://127.0.0.1:0', $code, $message, \STREAM_SERVER_BIND);
        $port = (int) substr((string) strrchr((string) stream_socket_get_name($socket, false), ':'), 1);
        fclose($socket);
        return $port;
    }

    /**
     * @param array<string, string> $addresses
     * @return resource
     */
    private static function start(int $port, array $addresses)
    {
        $command = [is_file('/usr/sbin/dnsmasq') ? '/usr/sbin/dnsmasq' : 'dnsmasq', '--keep-in-foreground', '--no-resolv', '--no-hosts', '--conf-file=/dev/null',
            '--user=', '--pid-file=', "--port=$port", '--listen-address=127.0.0.1', '--bind-interfaces'];
        foreach ($addresses as $name => $address) {
            $command[] = "--address=/$name/$address";
        }
        $null = ['file', '/dev/null', 'w'];
        return proc_open($command, [['file', '/dev/null', 'r'], $null, $null], $pipes);
    }

    /** @param resource $process */
    private static function waitUntilBound($process, int $port): bool
    {
        $deadline = microtime(true) + 10;
        do {
            usleep(5000);
            $bound = str_contains((string) file_get_contents('/proc/net/udp'), sprintf('0100007F:%04X 00000000:0000', $port));
        } while (!$bound && proc_get_status($process)['running'] && microtime(true) < $deadline);
        usleep(5000);
        return $bound && proc_get_status($process)['running'];
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        proc_close($this->process);
    }

    public function address(): string
    {
        return "127.0.0.1:$this->port";
    }
}
