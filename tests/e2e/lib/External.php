<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A program beside the tests (nginx, php-fpm, a peer of our own) with a folder of its own, ended and removed with the object. */
final class External implements Stoppable
{
    private const START_TIME = 15.0;
    private const STOP_TIME = 10.0;

    /** @var resource|null */
    private $process;

    /** @param list<string> $command */
    public function __construct(array $command, public readonly string $folder, private readonly string $address)
    {
        $log = ['file', "$folder/output", 'a'];
        $process = proc_open($command, [['file', '/dev/null', 'r'], $log, $log], $pipes);
        if ($process === false) {
            throw new \RuntimeException("$command[0] cannot be started.");
        }
        $this->process = $process;
        Started::add($this);
        $connects = function (): bool {
            $socket = @stream_socket_client($this->address, $code, $message, 1.0);
            return !$this->alive() || ($socket !== false && fclose($socket));
        };
        if (!Server::until(self::START_TIME, $connects) || !$this->alive()) {
            throw new \RuntimeException("$command[0] did not start:\n" . $this->output());
        }
    }

    public function __destruct()
    {
        $this->end();
    }

    public function end(): void
    {
        if ($this->process === null) {
            return;
        }
        if ($this->alive()) {
            proc_terminate($this->process);
            if (!Server::until(self::STOP_TIME, fn (): bool => !$this->alive())) {
                proc_terminate($this->process, SIGKILL);
            }
        }
        proc_close($this->process);
        $this->process = null;
        self::remove($this->folder);
    }

    public function output(): string
    {
        return (string) file_get_contents("$this->folder/output");
    }

    public function pid(): int
    {
        return proc_get_status($this->process)['pid'];
    }

    public static function folder(): string
    {
        $folder = sys_get_temp_dir() . '/stampede-' . bin2hex(random_bytes(6));
        mkdir($folder);
        chmod($folder, 0755);
        return $folder;
    }

    /** Plain PHP, without the extension. @param list<string> $arguments */
    public static function php(string $program, int $port, array $arguments = []): self
    {
        $command = [PHP_BINARY, '-d', 'memory_limit=512M', $program, (string) $port, ...$arguments];
        return new self($command, self::folder(), "tcp://127.0.0.1:$port");
    }

    /** nginx with the server blocks given, the first of which listens on $port. */
    public static function nginx(int $port, string $servers): self
    {
        $folder = self::folder();
        mkdir("$folder/html");
        chmod("$folder/html", 0755);
        $temporary = '';
        foreach (['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'] as $kind) {
            $temporary .= "{$kind}_temp_path $folder/$kind;\n";
        }
        file_put_contents("$folder/nginx.conf", <<<CONF
            daemon off; worker_processes 1; pid $folder/pid; error_log $folder/error.log;
            events { worker_connections 1024; }
            http { access_log off; root $folder/html; default_type text/plain; $temporary $servers }
            CONF);
        return new self(['nginx', '-p', $folder, '-c', "$folder/nginx.conf"], $folder, "tcp://127.0.0.1:$port");
    }

    /**
     * haproxy on $port, in front of servers whose health it asks for.
     *
     * @param list<int> $servers their ports
     */
    public static function haproxy(int $port, array $servers): self
    {
        $folder = self::folder();
        $lines = implode("\n", array_map(static fn (int $server): string => "    server s{$server} 127.0.0.1:{$server} check inter 200 fall 1 rise 1", $servers));
        file_put_contents("$folder/haproxy.cfg", <<<CONF
            defaults
                mode http
                timeout connect 5s
                timeout client 30s
                timeout server 30s
                option redispatch
                retries 3
            listen servers
                bind 127.0.0.1:{$port}
                option httpchk GET /
            {$lines}

            CONF);
        return new self(['haproxy', '-db', '-f', "$folder/haproxy.cfg"], $folder, "tcp://127.0.0.1:$port");
    }

    /** nginx with PHP-FPM, as Debian configures both. @return array{int, self, self} the port of nginx */
    public static function fpm(string $root, string $serverName = '_'): array
    {
        $programs = glob('/usr/sbin/php-fpm*') ?: throw new \RuntimeException('There is no php-fpm: tools/ensure-packages test installs it.');
        $folder = self::folder();
        [$fpm, $port] = [Server::freePort(), Server::freePort()];
        $user = posix_getuid() === 0 ? "user = root\ngroup = root\n" : '';
        $extension = 'php_admin_value[error_log] = /dev/null';
        file_put_contents("{$folder}/fpm.conf", "[global]\nerror_log = {$folder}/fpm.log\ndaemonize = no\n[www]\nlisten = 127.0.0.1:{$fpm}\n{$user}pm = static\npm.max_children = 1\n{$extension}\n");
        $server = new self([end($programs), '-F', '-y', "{$folder}/fpm.conf", ...(posix_getuid() === 0 ? ['-R'] : [])], $folder, "tcp://127.0.0.1:{$fpm}");
        $nginx = self::nginx($port, <<<NGINX
            types { text/css css; }
            server {
                listen 127.0.0.1:{$port}; root {$root}; index index.php; server_name {$serverName};
                location / { try_files \$uri \$uri/ /index.php?\$query_string; }
                location ~ \.php(/|\$) {
                    fastcgi_split_path_info ^(.+?\.php)(/.*)\$; try_files \$fastcgi_script_name =404; set \$path_info \$fastcgi_path_info;
                    include /etc/nginx/fastcgi.conf; fastcgi_param PATH_INFO \$path_info; fastcgi_param HTTP_PROXY ""; fastcgi_pass 127.0.0.1:{$fpm};
                }
            }
            NGINX);
        return [$port, $server, $nginx];
    }

    /** A self-signed certificate for localhost: "cert.pem" and "key.pem" in the folder. */
    public static function certificate(string $folder): void
    {
        $key = openssl_pkey_new(['private_key_bits' => 2048]);
        if ($key === false) {
            throw new \RuntimeException('OpenSSL makes no key.');
        }
        $request = openssl_csr_new(['commonName' => 'localhost'], $key);
        $certificate = $request instanceof \OpenSSLCertificateSigningRequest ? openssl_csr_sign($request, null, $key, 2) : false;
        if ($certificate === false) {
            throw new \RuntimeException('OpenSSL makes no certificate.');
        }
        openssl_x509_export_to_file($certificate, "$folder/cert.pem");
        openssl_pkey_export_to_file($key, "$folder/key.pem");
    }

    /**
     * Runs a program of tests/e2e/apps with the extension, which prints its checks and ends with their sum, and reports them as they come.
     *
     * @param array<string, mixed> $arguments
     */
    public static function checks(EndToEndTest $test, string $app, array $arguments): void
    {
        $module = getenv('MODULE') ?: dirname(__DIR__, 3) . '/modules/stampede.so';
        $php = phpWithModule($module);
        $command = [...$php, '-n', '-d', 'memory_limit=512M', dirname(__DIR__) . "/apps/$app.php", json_encode($arguments, JSON_THROW_ON_ERROR)];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes);
        if ($process === false) {
            throw new \RuntimeException("$command[0] cannot be started.");
        }
        $passed = $failed = 0;
        $failure = null;  // its name, and what was seen, which comes in the lines after it
        $last = $rest = '';
        while (($line = fgets($pipes[1])) !== false) {
            $last = rtrim($line, "\n");
            if ($failure !== null && str_starts_with($last, '#   ')) {
                $failure[1] .= ($failure[1] === '' ? '' : "\n") . substr($last, 4);
                continue;
            }
            if ($failure !== null) {
                $test->check($failure[0], false, $failure[1]);
                $failure = null;
            }
            if (str_starts_with($last, 'ok ')) {
                $passed++;
                $test->check(substr($last, 3), true);
            } elseif (str_starts_with($last, 'not ok ')) {
                $failed++;
                $failure = [substr($last, 7), ''];
            } else {
                $rest .= $line;  // names of checks may have several lines
            }
        }
        $status = proc_close($process);
        if ($failure !== null) {
            $test->check($failure[0], false, $failure[1]);
        }
        if ($last !== "$passed passed, $failed failed" || $status !== ($failed === 0 ? 0 : 1)) {
            throw new \RuntimeException("apps/$app.php did not come to its end (status $status):\n$rest");
        }
    }

    private function alive(): bool
    {
        return $this->process !== null && proc_get_status($this->process)['running'];
    }

    private static function remove(string $folder): void
    {
        foreach (array_diff(scandir($folder) ?: [], ['.', '..']) as $name) {
            $path = "$folder/$name";
            is_dir($path) && !is_link($path) ? self::remove($path) : unlink($path);
        }
        rmdir($folder);
    }
}
