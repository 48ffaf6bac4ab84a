<?php

declare(strict_types=1);

/* Small questions to a server under test. */

namespace Stampede\Tests\E2e;

/** @return array{int, string} status and body */
function ask(Server $server, string $path, float $seconds = 10.0): array
{
    $peer = new Peer($server->address());
    $peer->send(["GET $path HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
    $received = $peer->readToEnd($seconds);
    $peer->close();
    try {
        $answers = Answer::all($received);
    } catch (\UnexpectedValueException) {
        return [0, $received];
    }
    return $answers === [] ? [0, ''] : [$answers[0]->status, $answers[0]->body];
}

/** @return list<int> */
function children(int $pid): array
{
    $text = (string) @file_get_contents("/proc/$pid/task/$pid/children");
    return array_map(intval(...), preg_split('/ /', $text, -1, PREG_SPLIT_NO_EMPTY) ?: []);
}

function events(string $file): array
{
    return file($file, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES) ?: [];
}

/** The first worker, waited for. */
function worker(Server $server): int
{
    Server::until(5, static fn (): bool => children($server->pid()) !== []);
    return children($server->pid())[0];
}

/** All workers, when there are as many as wanted. @return list<int> */
function workers(Server $server, int $count): array
{
    Server::until(5, static fn (): bool => count(children($server->pid())) === $count);
    return children($server->pid());
}

/** Requests that the whole server is handling, without the one that asks. */
function inFlight(Server $server): int
{
    return (json_decode(ask($server, '/stats')[1], true)['concurrency'] ?? 1) - 1;
}

/** What a server says that does not start; empty: it did. @param array<string, mixed> $settings @param array<string, string> $environment */
function whyNot(string $app, array $settings, array $environment = []): string
{
    try {
        $server = new Server($app, $settings, $environment);
        // Its first port may have been open for a moment.
        return Server::until(3, static fn (): bool => !$server->alive()) ? $server->output() : '';
    } catch (\RuntimeException $failure) {
        return $failure->getMessage();
    }
}

/**
 * A command that runs PHP with the extension under test. E2E_PHP=tools/debug-php names one that loads its own build of it.
 *
 * @return list<string>
 */
function phpWithModule(string $module): array
{
    $own = (string) getenv('E2E_PHP');
    return $own !== '' ? [$own] : [PHP_BINARY, '-d', "extension=$module"];
}

/** @return list<int> processes below another one, and theirs */
function descendants(int $pid): array
{
    $found = [];
    foreach (glob('/proc/[0-9]*/stat') ?: [] as $file) {
        if (preg_match('/^(\d+) \(.*\) \S (\d+)/s', (string) @file_get_contents($file), $part) === 1 && (int) $part[2] === $pid) {
            array_push($found, (int) $part[1], ...descendants((int) $part[1]));
        }
    }
    return $found;
}
