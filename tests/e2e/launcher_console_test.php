<?php

declare(strict_types=1);

/* What the command stampede says without a server: the overview, the doctor, help that fits a screen. */

namespace Stampede\Tests\E2e;

final class launcher_console_test extends EndToEndTest
{
    private const SCREEN = 45; // lines

    public function testTheOverviewSaysWhatIsHere(): void
    {
        $app = new Application('plain');
        [$status, $output] = $this->inFolder($app->folder, []);
        $this->check('what it is, what would be done, and three commands', $status === 0 && str_contains($output, "{$app->folder} is a plain front controller") && str_contains($output, 'It would be served on 127.0.0.1:8000') && substr_count($output, '  stampede ') === 3, $output);
        $this->check('in ten lines', substr_count($output, "\n") <= 10, $output);
        $this->check('it is served', $app->serve(['--workers=1']), $app->output());
        [$status, $output] = $this->inFolder($app->folder, []);
        $this->check('a server that runs is named', $status === 0 && str_contains($output, "It is served on http://127.0.0.1:{$app->port}/"), $output);
        $app->stop();
        $empty = sys_get_temp_dir() . '/stampede-empty-' . getmypid();
        mkdir($empty);
        [$status, $output] = $this->inFolder($empty, []);
        rmdir($empty);
        $this->check('an empty folder', $status === 0 && str_contains($output, 'stampede serve FOLDER'), $output);
    }

    public function testTheDoctorNamesWhatWouldFail(): void
    {
        $app = new Application('plain');
        $taken = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($taken, false);
        [$status, $output] = Application::run(['doctor', $app->folder, "--listen={$address}"]);
        $this->check('a port in use', $status === 1 && str_contains($output, "{$address} is in use") && str_contains($output, 'would keep a server from working'), $output);
        [$status, $output] = Application::run(['doctor', $app->folder, '--listen=127.0.0.1:' . Server::freePort(), '--format=json']);
        $report = json_decode($output, true);
        $this->check('as JSON', is_array($report) && $report['problems'] === ($status === 0 ? 0 : $report['problems']) && isset($report['findings']['php'][0]['verdict']), $output);
        $this->same('its addresses are free', 'good', $report['findings']['addresses'][0]['verdict'] ?? null);
        $command = 'ulimit -n 256; ' . implode(' ', array_map(escapeshellarg(...), Application::command(['doctor', $app->folder, '--listen=127.0.0.1:0'])));
        exec($command . ' 2>&1', $lines, $status);
        $this->check('too few files', $status === 1 && str_contains(implode("\n", $lines), '256 open files at most'), implode("\n", $lines));
    }

    public function testTheHelpOfEachCommandFitsAScreen(): void
    {
        foreach (['serve', 'status', 'reload', 'scale', 'stop', 'config', 'init', 'nginx', 'check', 'doctor'] as $command) {
            [$status, $output] = Application::run([$command, '--help']);
            $this->check("{$command}: it fits, and has examples", $status === 0 && substr_count($output, "\n") <= self::SCREEN && str_contains($output, "Examples:\n") && max(array_map(strlen(...), explode("\n", $output))) <= 100, $output);
        }
        [$status, $output] = Application::run(['serve', '--help', '--verbose']);
        $this->check('all options are there when they are asked for', $status === 0 && str_contains($output, '--acme-external-account'), $output);
    }

    /** @param list<string> $arguments @return array{int, string} */
    private function inFolder(string $folder, array $arguments): array
    {
        exec('cd ' . escapeshellarg($folder) . ' && ' . implode(' ', array_map(escapeshellarg(...), Application::command($arguments))) . ' 2>&1', $lines, $status);
        return [$status, implode("\n", $lines)];
    }
}
