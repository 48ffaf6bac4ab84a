<?php

declare(strict_types=1);

namespace Stampede\Bench;

/**
 * nginx that answers like the server under test.
 *
 * @param string $listen what stands behind the address: "http2", "ssl http2"
 * @param string $more lines of the server block
 */
function start_nginx_like(string $folder, int $port, string $listen, string $more = '', int $workers = 1): Program
{
    @mkdir($folder);
    file_put_contents("$folder/nginx-$port.conf", <<<CONF
        daemon off; worker_processes $workers; pid $folder/nginx-$port.pid; error_log stderr error;
        events { worker_connections 16384; }
        http {
            access_log off; keepalive_requests 1000000000; default_type text/plain; http2_max_concurrent_streams 128;
            client_body_temp_path $folder; proxy_temp_path $folder; fastcgi_temp_path $folder; uwsgi_temp_path $folder; scgi_temp_path $folder;
            server { listen 127.0.0.1:$port $listen backlog=4096; $more location / { return 200 "Hello World\\n"; } }
        }
        CONF);
    $nginx = trim((string) shell_exec('command -v nginx')) ?: '/usr/sbin/nginx';
    return new Program("nginx-$port", [$nginx, '-p', $folder, '-c', "$folder/nginx-$port.conf", '-e', 'stderr'], $port);
}

/** A certificate (P-256) and its key in the folder, as lines for nginx, with the same protocols as here. */
function make_certificate(string $folder): string
{
    @mkdir($folder);
    shell_exec('openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost'
        . ' -keyout ' . escapeshellarg("$folder/server.key") . ' -out ' . escapeshellarg("$folder/server.pem") . ' 2>/dev/null');
    return "ssl_protocols TLSv1.2 TLSv1.3; ssl_certificate $folder/server.pem; ssl_certificate_key $folder/server.key;";
}

/** CPU microseconds a request of the program while a command loads it, which says how many it did and how many failed. */
function cpu_under(Program $program, string $command, string $done, string $failed): float
{
    $before = $program->cpu_seconds();
    $output = (string) shell_exec("$command 2>&1");
    $cpu = ($program->cpu_seconds() - $before) * 1e6;
    if (!preg_match($done, $output, $requests) || (int) $requests[1] === 0 || (preg_match($failed, $output, $errors) && (int) $errors[1] > 0)) {
        throw new \RuntimeException("$command said: $output");
    }
    return $cpu / (int) $requests[1];
}

/**
 * Alternates the programs, and prints the median of each case beside nginx's.
 *
 * @param array<string, array{0: string, 1: string, 2: string, 3: float, 4: array<string, array{Program, int}>}> $cases name => command with PORT, pattern of
 *     the number of requests, pattern of failures, limit, programs ("nginx" first)
 */
function compare(array $cases, int $rounds, bool $smoke): bool
{
    printf("%-34s %-10s %12s %8s\n", 'case', 'server', 'us/request', 'cpu/ng');
    $good = true;
    foreach ($cases as $case => [$command, $done, $failed, $limit, $programs]) {
        $costs = [];
        for ($round = 0; $round < $rounds; $round++) {
            foreach ($programs as $name => [$program, $port]) {
                $costs[$name][] = cpu_under($program, str_replace('PORT', (string) $port, $command), $done, $failed);
            }
        }
        $medians = array_map(median(...), $costs);
        foreach ($medians as $name => $cost) {
            $ratio = $cost / max($medians['nginx'], 0.001);
            $bad = $name !== 'nginx' && !$smoke && $ratio > $limit;
            $good = $good && !$bad;
            printf("%-34s %-10s %12.2f %8.2f%s\n", $case, $name, $cost, $ratio, $bad ? "  <-- above $limit" : '');
        }
    }
    return $good;
}
