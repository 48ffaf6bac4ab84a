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
        $socket = stream_socket_server('udp://127.0.0.1:0', $code, $message, \STREAM_SERVER_BIND);
        $this->port = (int) substr((string) strrchr((string) stream_socket_get_name($socket, false), ':'), 1);
        fclose($socket);
        $command = [is_file('/usr/sbin/dnsmasq') ? '/usr/sbin/dnsmasq' : 'dnsmasq', '--keep-in-foreground', '--no-resolv', '--no-hosts', '--conf-file=/dev/null',
            '--user=', '--pid-file=', "--port=$this->port", '--listen-address=127.0.0.1', '--bind-interfaces'];
        foreach ($addresses as $name => $address) {
            $command[] = "--address=/$name/$address";
        }
        $null = ['file', '/dev/null', 'w'];
        $this->process = proc_open($command, [['file', '/dev/null', 'r'], $null, $null], $pipes);
        for ($i = 0; $i < 2000 && !str_contains((string) file_get_contents('/proc/net/udp'), sprintf(':%04X ', $this->port)); $i++) {
            usleep(5000);
        }
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
