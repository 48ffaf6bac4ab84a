<?php

declare(strict_types=1);

/* `stampede profile`: what computes and what waits in the workers, in each of its formats. */

namespace Stampede\Tests\E2e;

final class launcher_profile_test extends EndToEndTest
{
    private static Application $app;
    private static int $line; // that computes

    public static function setUpBeforeClass(): void
    {
        self::$app = new Application('slim');
        $code = (string) file_get_contents(self::$app->folder . '/app.php');
        $routes = <<<'PHP'
            final class Work
            {
                public static function hog(): int
                {
                    $sum = 0;
                    for ($until = microtime(true) + 0.05; microtime(true) < $until;) {
                        for ($i = 0; $i < 20000; $i++) {
                            $sum = ($sum + $i * 7) % 1000003; // here
                        }
                    }
                    return $sum;
                }
                public static function rest(): void
                {
                    usleep(400_000);
                }
            }
            $app->get('/hog', function ($request, $response) { $response->getBody()->write((string) Work::hog()); return $response; });
            $app->get('/rest', function ($request, $response) { Work::rest(); return $response; });
            $app->addErrorMiddleware
            PHP;
        file_put_contents(self::$app->folder . '/app.php', str_replace('$app->addErrorMiddleware', $routes, $code));
        self::$line = 1 + (int) array_key_first(preg_grep('/; \/\/ here/', explode("\n", (string) file_get_contents(self::$app->folder . '/app.php'))));
        if (!self::$app->serve(['--workers=2', '--env=prod', '--log-format=off', '--request-timeout=120'])) {
            throw new \RuntimeException(self::$app->output());
        }
    }

    public function testACPUHogIsOnTop(): void
    {
        $text = $this->profile('/hog', ['--mode=cpu', '--format=collapsed']);
        $lines = array_filter(explode("\n", $text));
        $all = array_sum(array_map(static fn (string $line): int => (int) substr((string) strrchr($line, ' '), 1), $lines));
        $hog = array_sum(array_map(static fn (string $line): int => (int) substr((string) strrchr($line, ' '), 1), preg_grep('/;Work::hog \([^;]*app\.php:\d+\)( |;)/', $lines)));
        $this->check('nearly all that computes is the function that does', $hog > 0.7 * $all, $text);
        $this->check('and its hottest line is first', str_contains($lines[0], 'Work::hog (') && abs((int) (preg_match('/Work::hog \([^;]*:(\d+)\)/', $lines[0], $found) ? $found[1] : 0) - self::$line) <= 1, $lines[0]);
        $this->check('below the code that has called it', preg_match('/\{closure[^;]*;Work::hog/', $lines[0]) === 1, $lines[0]);
        $this->check('no wait is in a profile of what computes', !str_contains($text, '[waits'), $text);
    }

    public function testWhatWaitsIsThere(): void
    {
        $json = json_decode($this->profile('/rest', ['--format=speedscope']), true);
        $frames = $json['shared']['frames'];
        $profile = $json['profiles'][0];
        $waited = 0;
        foreach ($profile['samples'] as $i => $sample) {
            $names = array_map(static fn (int $frame): string => $frames[$frame]['name'], $sample);
            $waited += in_array('Work::rest', $names, true) && end($names) === '[waits: sleep]' ? $profile['weights'][$i] : 0;
        }
        $this->check('a coroutine that sleeps is seen with what it waits for', $waited > 0.5e9, json_encode($json));
        $this->same('the weights are all there is', $profile['endValue'], array_sum($profile['weights']));
    }

    public function testOnOneScreen(): void
    {
        $text = $this->profile('/rest', []);
        $this->check('the wait is at the top, and named', preg_match('/^ *[\d.]+ m?s +[\d.]+ m?s  \[waits: sleep\]/m', $text) === 1 && preg_match('/^waits: sleep/m', $text) === 1, $text);
    }

    /** Decoded field by field, as the published schema numbers them; by pprof itself where that is installed. */
    public function testPprofIsReadByOthers(): void
    {
        $file = self::$app->folder . '/profile.pb.gz';
        $this->profile('/hog', ['--format=pprof', "--output={$file}"]);
        $bytes = (string) gzdecode((string) file_get_contents($file));
        $decoded = ProfileMessage::decode($bytes);
        $strings = $decoded['strings'];
        $this->same('both weights are named', [['cpu', 'nanoseconds'], ['wall', 'nanoseconds']], array_map(static fn (array $type): array => [$strings[$type[1]], $strings[$type[2]]], $decoded['types']));
        $top = [];
        foreach ($decoded['samples'] as [$locations, $values]) {
            $function = $decoded['functions'][$decoded['locations'][$locations[0]]];
            $top[$strings[$function[2]]] = ($top[$strings[$function[2]]] ?? 0) + $values[0];
        }
        arsort($top);
        $this->same('the innermost function that computed most', 'Work::hog', array_key_first($top));
        if (trim((string) shell_exec('command -v go')) !== '') {
            $shown = (string) shell_exec('HOME=/nonexistent go tool pprof -top -sample_index=cpu ' . escapeshellarg($file) . ' 2>&1');
            $this->check('go tool pprof reads it', str_contains($shown, 'Work::hog'), $shown);
        }
    }

    public function testItEndsWithItsClient(): void
    {
        $folder = self::$app->folder;
        $process = proc_open(Application::command(['profile', '600', $folder]), [['file', '/dev/null', 'r'], ['file', "{$folder}/ended.txt", 'w'], ['redirect', 1]], $pipes);
        $state = json_decode(Application::run(['status', $folder, '--format=json'])[1], true);
        $control = $state['control'];
        $ask = static function () use ($control): string {
            $socket = stream_socket_client("unix://{$control}");
            fwrite($socket, json_encode(['command' => 'profile', 'number' => 77 << 2]) . "\n");
            return (string) fgets($socket);
        };
        $this->check('another client is refused meanwhile', Server::until(20.0, static fn (): bool => str_contains($ask(), 'another profile is being taken')), $ask());
        [$status, $text] = Application::run(['profile', '1', $folder]);
        $this->check('with a sentence', str_contains($text, 'another profile is being taken'), $text);
        proc_terminate($process, SIGKILL);
        proc_close($process);
        $this->check('the workers stop by themselves', Server::until(40.0, static fn (): bool => substr_count($ask(), 'no profile is being taken') === 2), $ask());
    }

    public function testAReloadInTheMiddle(): void
    {
        $folder = self::$app->folder;
        $process = proc_open(Application::command(['profile', '8', $folder, '--mode=cpu', '--format=collapsed', "--output={$folder}/reload.txt"]), [['file', '/dev/null', 'r'], ['file', "{$folder}/reload.log", 'w'], ['redirect', 1]], $pipes);
        self::$app->ask('/hog');
        $this->same('a reload', 0, Application::run(['reload', $folder])[0]);
        while (proc_get_status($process)['running']) {
            self::$app->ask('/hog');
        }
        proc_close($process);
        $this->check('the new workers were profiled', str_contains((string) file_get_contents("{$folder}/reload.txt"), 'Work::hog'), (string) file_get_contents("{$folder}/reload.log"));
    }

    public function testMistakes(): void
    {
        $folder = self::$app->folder;
        $this->same('no number', [1, "The number of seconds must be above 0 and at most 3600, not \"soon\".\n"], Application::run(['profile', 'soon', $folder]));
        $this->same('no format', [1, "The option \"format\" must be one of text, collapsed, speedscope, pprof, not \"svg\".\n"], Application::run(['profile', '1', $folder, '--format=svg']));
        $this->same('no place for the file', [1, "The file /nonexistent/x cannot be written.\n"], Application::run(['profile', '1', $folder, '--output=/nonexistent/x']));
    }

    /** @param list<string> $options */
    private function profile(string $path, array $options): string
    {
        $folder = self::$app->folder;
        $process = proc_open(Application::command(['profile', '3', $folder, ...$options]), [['file', '/dev/null', 'r'], ['file', "{$folder}/profile.txt", 'w'], ['file', "{$folder}/profile.log", 'w']], $pipes);
        while (proc_get_status($process)['running']) {
            self::$app->ask($path);
        }
        proc_close($process);
        $this->same('nothing is complained of', '', (string) file_get_contents("{$folder}/profile.log"));
        return (string) file_get_contents("{$folder}/profile.txt");
    }
}
