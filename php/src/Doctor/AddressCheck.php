<?php

declare(strict_types=1);

namespace Stampede\Doctor;

use Stampede\Config\ListenAddress;

/** Whether a server could listen where it is told to. */
final readonly class AddressCheck implements Check
{
    private const PRIVILEGED = 1024;
    private const NO_RIGHT = 13; // EACCES and so on, for which PHP has names with the extension sockets alone
    private const IN_USE = 98;
    private const NOT_HERE = 99;

    /** @param list<ListenAddress> $addresses @param bool $isServed by this application's own server */
    public function __construct(private array $addresses, private bool $isServed) {}

    public function subject(): string
    {
        return 'addresses';
    }

    public function findings(): array
    {
        return array_values(array_filter(array_map($this->look(...), $this->addresses)));
    }

    private function look(ListenAddress $address): ?Finding
    {
        $name = $address->name();
        if ($address->type === SWOOLE_SOCK_UNIX_STREAM) {
            $folder = dirname($address->host);
            return is_dir($folder) && is_writable($folder) ? Finding::good("{$name} can be made") : Finding::problem("{$name} cannot be made", "Make the folder {$folder}, and let this user write to it.");
        }
        if (str_starts_with($address->host, 'systemd') || $this->isServed) {
            return $this->isServed ? Finding::good("{$name} is served by this application") : null;
        }
        $host = $address->type === SWOOLE_SOCK_TCP6 ? "[{$address->host}]" : $address->host;
        $socket = @stream_socket_server("tcp://{$host}:{$address->port}", error_message: $why);
        if ($socket !== false) {
            fclose($socket);
            return Finding::good("{$name} is free");
        }
        return match ($why) {
            posix_strerror(self::IN_USE) => Finding::problem("{$name} is in use", 'End what listens there ("ss -ltnp" names it), or choose another with --listen.'),
            posix_strerror(self::NO_RIGHT) => Finding::problem("{$name} is not allowed for this user", $address->port < self::PRIVILEGED
                ? 'Start as root with --user=NAME, with AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit of systemd, or with "sysctl net.ipv4.ip_unprivileged_port_start=80".'
                : 'Ask who runs the machine.'),
            posix_strerror(self::NOT_HERE) => Finding::problem("{$name} is no address of this machine", 'Choose another with --listen, such as 0.0.0.0 for all of them.'),
            default => Finding::problem("{$name} cannot be listened on: {$why}", 'Choose another with --listen.'),
        };
    }
}
