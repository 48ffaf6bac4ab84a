<?php

declare(strict_types=1);

/*
 * Xdebug as Debian builds it, beside coroutines: it breaks behind a wait, steps, reads variables, traces and covers code.
 */

namespace Stampede\Tests\E2e;

final class xdebug_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        putenv('XDEBUG_MODE');  // it would take the place of the modes below
        $root = dirname(__DIR__, 2);
        $xdebug = exec("$root/tools/fetch-xdebug", $output, $status);
        if ($status !== 0 || $xdebug === false) {
            $this->check('Xdebug can be fetched', false, implode("\n", $output));
            return;
        }
        $module = realpath(getenv('MODULE') ?: "$root/modules/stampede.so");
        $app = __DIR__ . '/apps/debugged.php';
        $php = [PHP_BINARY, '-n', '-d', "zend_extension=$xdebug", '-d', "extension=$module"];

        /** The number of the line with this comment. */
        $line = static function (string $comment) use ($app): int {
            foreach (file($app) ?: [] as $index => $text) {
                if (str_contains($text, "// $comment")) {
                    return $index + 1;
                }
            }
            throw new \LogicException("no line says $comment");
        };

        $debugger = new Debugger([...$php, '-d', 'xdebug.mode=debug', '-d', 'xdebug.start_with_request=yes', $app]);
        $file = "file://$app";
        foreach (['break here', 'inside', 'behind the sleep'] as $comment) {
            $set = $debugger->ask('breakpoint_set', "-t line -f $file -n {$line($comment)}");
            $this->check("a breakpoint at \"$comment\" is taken", isset($set['id']), (string) $set->asXML());
        }
        $this->same('it stops behind a wait, in the coroutine that was resumed', 'break ' . $line('break here'), $debugger->goOn('run'));
        $this->same('with the variables of that coroutine', ['first', 'value'], [$debugger->value('$mine'), $debugger->value('$got')]);
        $this->check('and its stack', str_starts_with($debugger->stack()[0] ?? '', '{closure:'), json_encode($debugger->stack()));
        $this->same('a step leads to the next line', 'break ' . $line('step over this'), $debugger->goOn('step_over'));
        $this->same('a step into a function', 'break ' . $line('inside'), $debugger->goOn('step_into'));
        $this->same('shows its arguments', '20', (string) $debugger->ask('property_get', '-n $left')->property[0]);
        $this->same('with the coroutine below it', 'add', $debugger->stack()[0] ?? '');
        $out = $debugger->goOn('step_out');
        if ($out === 'break ' . $line('step over this')) {  // the assignment of what it returned
            $out = $debugger->goOn('step_over');
        }
        $this->same('a step out leads back', 'break ' . $line('behind the step'), $out);
        $this->same('it stops behind the next wait, too', 'break ' . $line('behind the sleep'), $debugger->goOn('run'));
        $this->same('where the variable has grown', 'first, resumed, 42', $debugger->value('$mine'));
        $this->same('then the program ends', 'stopping', $debugger->goOn('run'));
        [$status, $output] = $debugger->end();
        $this->same('well', [0, "second\nvalue first, resumed, 42, awake\n"], [$status, $output]);

        $trace = tempnam(sys_get_temp_dir(), 'stampede-trace-');
        exec(implode(' ', array_map(escapeshellarg(...), [...$php, '-d', 'xdebug.mode=trace', $app, 'trace', $trace])) . ' 2>&1', $said, $status);
        $lines = file("$trace.xt", FILE_IGNORE_NEW_LINES) ?: [];
        $entered = [];
        foreach ($lines as $text) {
            $columns = explode("\t", $text);
            if (($columns[2] ?? '') === '0') {
                $entered[] = $columns[5];
            }
        }
        $this->same('with tracing it runs as well', [0, ['second', 'value first, resumed, 42, awake']], [$status, $said]);
        $closures = count(array_filter($entered, static fn (string $name): bool => str_starts_with($name, '{closure')));
        $this->check('the trace has all three coroutines and the function', $closures >= 3 && in_array('add', $entered, true), implode(' ', $entered));
        @unlink($trace);
        @unlink("$trace.xt");

        $code = 'function only_in_child() {} $p = new Swoole\Process(function () { xdebug_start_trace($GLOBALS["argv"][1], XDEBUG_TRACE_COMPUTERIZED); only_in_child(); });'
            . '$p->start(); echo Swoole\Process::wait()["code"];';
        exec(implode(' ', array_map(escapeshellarg(...), [...$php, '-d', 'xdebug.mode=trace', '-d', 'xdebug.start_with_request=no', '-r', $code, '--', $trace])) . ' 2>&1', $ended, $status);
        $whole = (string) @file_get_contents("$trace.xt");
        $this->same('a child process ends well', [0, ['0']], [$status, $ended]);
        $this->check('and its trace is whole', str_contains($whole, 'only_in_child') && str_contains($whole, 'TRACE END'), $whole);
        @unlink("$trace.xt");

        exec(implode(' ', array_map(escapeshellarg(...), [...$php, '-d', 'xdebug.mode=coverage', $app, 'cover'])) . ' 2>&1', $covered, $status);
        $counts = json_decode((string) end($covered), true);
        $this->same('with coverage it runs as well', [0, 'second'], [$status, $covered[0] ?? '']);
        $missing = array_filter(['break here', 'inside', 'step over this', 'behind the step', 'behind the sleep'],
            static fn (string $comment): bool => ($counts[$line($comment)] ?? 0) < 1);
        $this->same('every line that ran in a coroutine is covered', [], $missing);

        // Coroutines that the loop starts when no code of the script is under way: the first of all, and one while another one waits.
        exec(implode(' ', array_map(escapeshellarg(...), [...$php, '-d', 'xdebug.mode=develop,debug', '-d', 'xdebug.start_with_request=trigger', '-d', 'error_reporting=24575', $app, 'after_end'])) . ' 2>&1', $late, $status);
        $this->same('timers after the last line of the script start coroutines', [0, ['script ends', 'first', 'second', 'third']], [$status, $late]);
    }
}
