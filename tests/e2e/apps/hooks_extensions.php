<?php

declare(strict_types=1);

/* The checks of hooks_extensions_test.php: extensions that nobody wrote a line for, 50 at once through slow connections. */

use Swoole\Coroutine;

/** @var array<string, int> $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
const AT_ONCE = 50;

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";
}

function outcome(callable $work, int $i): mixed
{
    try {
        return $work($i);
    } catch (Throwable $error) {
        return $error::class . ': ' . $error->getMessage();
    }
}

/** One after another they would take 50 times as long as one does. */
function overlaps(string $name, callable $work): void
{
    $start = microtime(true);
    $expected = outcome($work, 0);
    $alone = microtime(true) - $start;
    check("$name works outside coroutines", true, is_array($expected) && $expected !== [] ?: $expected);
    $results = [];
    $start = microtime(true);
    Coroutine\run(static function () use ($work, &$results): void {
        for ($i = 0; $i < AT_ONCE; $i++) {
            Coroutine::create(static function () use ($work, $i, &$results): void {
                $results[] = outcome($work, $i);
            });
        }
    });
    $took = microtime(true) - $start;
    check("$name, " . AT_ONCE . ' at once', array_fill(0, AT_ONCE, $expected), $results);
    check("$name: they overlap", true, $took < AT_ONCE * $alone / 4 ?: sprintf('%.1f s, alone %.1f s', $took, $alone));
}

overlaps('memcached', static function (int $i) use ($at): array {
    $client = new Memcached();
    $client->setOption(Memcached::OPT_BINARY_PROTOCOL, $i % 2 === 0);
    $client->addServer('127.0.0.1', $at['memcached']);
    return [$client->set("key$i", "value$i"), $client->get("key$i") === "value$i", $client->get("none$i"), $client->getResultCode() === Memcached::RES_NOTFOUND];
});
overlaps('ldap', static function () use ($at): array {
    $link = ldap_connect("ldap://127.0.0.1:$at[ldap]");
    ldap_set_option($link, LDAP_OPT_PROTOCOL_VERSION, 3);
    ldap_set_option($link, LDAP_OPT_NETWORK_TIMEOUT, 20);
    $bound = ldap_bind($link);
    $entries = ldap_get_entries($link, ldap_read($link, '', '(objectClass=*)', ['supportedLDAPVersion']));
    return [$bound, $entries[0]['supportedldapversion'][0] ?? null, @ldap_read($link, 'cn=none,dc=nowhere', '(objectClass=*)'), ldap_error($link)];
});
overlaps('gearman', static function (int $i) use ($at): array {
    $client = new GearmanClient();
    $client->addServer('127.0.0.1', $at['gearman']);
    $job = $client->doBackground('nobody_does_it', "work $i");
    return [$client->returnCode() === GEARMAN_SUCCESS, $client->jobStatus($job), $client->ping('text')];
});
overlaps('ssh2', static function () use ($at): array {
    $session = ssh2_connect('127.0.0.1', $at['ssh']);
    return [ssh2_auth_none($session, 'nobody'), ssh2_methods_negotiated($session)['hostkey']];
});

// A lock that the library holds while it waits: a second coroutine on the same handle waits for it, or fails, and never
// stops the process.
Coroutine\run(static function () use ($at): void {
    $link = ldap_connect("ldap://127.0.0.1:$at[ldap]");
    ldap_set_option($link, LDAP_OPT_PROTOCOL_VERSION, 3);
    ldap_bind($link);
    $results = new Coroutine\Channel(2);
    for ($i = 0; $i < 2; $i++) {
        Coroutine::create(static function () use ($link, $results): void {
            $results->push(outcome(static fn (): bool => @ldap_read($link, '', '(objectClass=*)') !== false, 0));
        });
    }
    $first = $results->pop(20);
    $second = $results->pop(20);
    check('ldap: one handle for two coroutines', [true, true], [in_array(true, [$first, $second], true), $second !== false || $results->errCode === 0]);
});

// Memcached's own time limit.
Coroutine\run(static function (): void {
    $silent = stream_socket_server('tcp://127.0.0.1:0');
    $port = (int) substr((string) strrchr((string) stream_socket_get_name($silent, false), ':'), 1);
    $client = new Memcached();
    $client->setOption(Memcached::OPT_POLL_TIMEOUT, 200);
    $client->setOption(Memcached::OPT_RECV_TIMEOUT, 200_000);
    $client->addServer('127.0.0.1', $port);
    check('memcached: a silent server is given up in time', [false, true], [$client->get('key'), $client->getResultCode() !== Memcached::RES_SUCCESS]);
});

// Closed or changed by another coroutine while one waits: refused, or its wait fails first.
Coroutine\run(static function (): void {
    $silent = stream_socket_server('tcp://127.0.0.1:0');
    $port = (int) substr((string) strrchr((string) stream_socket_get_name($silent, false), ':'), 1);
    $beside = static function (callable $wait, callable ...$calls): array {
        $waiter = Coroutine::create(static function () use ($wait, &$received): void {
            $received = @$wait();
        });
        $seen = [];
        foreach ($calls as $call) {
            try {
                $seen[] = @$call();
            } catch (Swoole\Error $error) {
                $seen[] = str_contains($error->getMessage(), 'has already been bound to another coroutine');
            }
        }
        Coroutine::join([$waiter]);
        return [...$seen, $received];
    };
    $client = new Memcached();
    $client->setOption(Memcached::OPT_POLL_TIMEOUT, 300);
    $client->addServer('127.0.0.1', $port);
    $seen = $beside(
        static fn (): array => [$client->get('key'), $client->getResultCode() !== Memcached::RES_NOTFOUND],
        static fn (): bool => $client->addServers(array_fill(0, 40, ['127.0.0.1', $port])),
        static fn (): bool => $client->quit(),
        static fn (): bool => $client->resetServerList(),
        static fn (): bool => $client->setOption(Memcached::OPT_BINARY_PROTOCOL, true),
        static fn (): mixed => $client->get('other'),
        static fn (): int => count($client->getServerList()),
    );
    check('memcached: used by another coroutine while one waits', [true, true, true, true, true, 1, [false, true]], $seen);
    check('memcached: free again', true, $client->addServers([['127.0.0.1', $port]]));
    $link = ldap_connect("ldap://127.0.0.1:$port");
    ldap_set_option($link, LDAP_OPT_PROTOCOL_VERSION, 3);
    ldap_set_option($link, LDAP_OPT_TIMEOUT, 5);
    check('ldap: closed while another coroutine waits', [true, false], $beside(static fn (): bool => ldap_bind($link, 'cn=a', 'b'), static fn (): bool => ldap_unbind($link)));
    $file = tempnam(sys_get_temp_dir(), 'stampede-closing-');
    $holder = new SQLite3($file);
    $holder->exec('CREATE TABLE t (x)');
    $other = new SQLite3($file);
    $other->busyTimeout(5000);
    $statement = $other->prepare('INSERT INTO t VALUES (1)');
    $holder->exec('BEGIN EXCLUSIVE');
    $seen = $beside(
        static fn (): bool => $statement->execute() instanceof SQLite3Result,
        static fn (): bool => $other->close(),
        static fn (): bool => $holder->exec('ROLLBACK'),
    );
    check('SQLite3: closed while another coroutine waits', [true, true, true], $seen);
    check('SQLite3: the statement that waited was run', 1, $holder->querySingle('SELECT count(*) FROM t'));
    unlink($file);
});
