<?php

declare(strict_types=1);

/* Asks name servers from coroutines. argv: the ports of a real one, of a silent one, of one that answers garbage. Prints JSON. */

use Swoole\Coroutine;
use Swoole\Coroutine\Channel;
use Swoole\Coroutine\System;

[, $real, $silent, $garbage] = $argv;

/** @return array{mixed, int} the result and, where it is false, the error */
function asked(callable $ask): array
{
    $result = $ask();
    return [$result, $result === false ? swoole_last_error() : 0];
}

$report = [];
Coroutine\run(function () use ($real, $silent, $garbage, &$report): void {
    $count = static fn (): int => count(scandir('/proc/self/fd') ?: []);
    swoole_async_set(['dns_server' => "127.0.0.1:$real"]);
    $before = $count();
    $report['a'] = asked(fn () => System::gethostbyname('one.test'));
    $report['aaaa'] = asked(fn () => System::gethostbyname('six.test', AF_INET6));
    $report['all'] = asked(fn () => System::getaddrinfo('many.test', AF_INET, SOCK_STREAM, STREAM_IPPROTO_TCP, 'http'));
    $report['lookup'] = asked(fn () => System::dnsLookup('one.test'));
    $report['old'] = asked(fn () => swoole_async_dns_lookup_coro('one.test'));
    $report['of coroutine'] = asked(fn () => Coroutine::gethostbyname('one.test'));
    $report['numeric'] = asked(fn () => System::gethostbyname('192.0.2.7'));
    $report['hosts'] = asked(fn () => System::gethostbyname('localhost'));
    $report['none'] = asked(fn () => System::gethostbyname('none.test'));
    $report['no such family'] = asked(fn () => System::gethostbyname('one.test', AF_INET6));
    $report['long'] = asked(fn () => System::gethostbyname(str_repeat('a', 300)));
    $report['nul'] = asked(fn () => System::gethostbyname("one.test\0.evil"));
    $report['service'] = asked(fn () => System::getaddrinfo('one.test', AF_INET, SOCK_STREAM, STREAM_IPPROTO_TCP, 'no-such-service'));

    // Many who ask the same thing at once.
    $answers = new Channel(50);
    for ($i = 0; $i < 50; $i++) {
        go(fn () => $answers->push(System::gethostbyname('shared.test')));
    }
    $seen = [];
    for ($i = 0; $i < 50; $i++) {
        $seen[] = $answers->pop(20);
    }
    $report['shared'] = array_values(array_unique($seen));
    System::gethostbyname('kept.test');
    System::gethostbyname('kept.test');
    swoole_clear_dns_cache();
    System::gethostbyname('kept.test');

    Coroutine::set(['dns_server' => "127.0.0.1:$silent"]);
    $report['silent'] = asked(fn () => System::gethostbyname('one.test', AF_INET, 0.1));
    $result = new Channel(1);
    $cid = go(fn () => $result->push(asked(fn () => System::gethostbyname('other.test'))));
    Coroutine::cancel((int) $cid);
    $report['cancelled'] = $result->pop(20);
    // One who gives up does not take the answer from the other.
    $other = go(fn () => $result->push(asked(fn () => System::gethostbyname('late.test', AF_INET, 0.3))));
    $cid = go(fn () => asked(fn () => System::gethostbyname('late.test')));
    Coroutine::cancel((int) $cid);
    $report['other waits on'] = Coroutine::exists((int) $other);
    $report['other'] = $result->pop(20);

    Coroutine::set(['dns_server' => "127.0.0.1:$garbage"]);
    $report['garbage'] = asked(fn () => System::gethostbyname('one.test', AF_INET, 0.5));
    @Coroutine::set(['dns_server' => 'no address']);
    $report['left open'] = $count() - $before;
    $report['coroutines'] = Coroutine::stats()['coroutine_num'];
    $report['watched'] = Coroutine::stats()['event_num'];
});
echo json_encode($report), "\n";
