<?php

declare(strict_types=1);

/* Scripts of plain applications ask what is at a path: each process remembers it, and knows at once what anybody has changed. */

namespace Stampede\Tests\E2e;

final class script_paths_test extends EndToEndTest
{
    private static Application $app;
    private static string $folder;

    public static function setUpBeforeClass(): void
    {
        self::$app = new Application('scripts');
        exec('chmod -R a+rX ' . escapeshellarg(self::$app->folder));
        self::$folder = (string) realpath(sys_get_temp_dir()) . '/stampede-paths-' . bin2hex(random_bytes(4));
        mkdir(self::$folder);
        chmod(self::$folder, 0777);
    }

    public static function tearDownAfterClass(): void
    {
        exec('rm -rf ' . escapeshellarg(self::$folder));
    }

    public function testEveryProcessKnowsWhatAnotherOneHasChanged(): void
    {
        $app = self::$app;
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=2', '--processes=3']), $app->output());
        $in = self::$folder;
        exec('mkdir -p ' . escapeshellarg("$in/releases/1/a") . ' ' . escapeshellarg("$in/releases/2"));
        touch("$in/releases/1/a/file");
        $paths = array_map(static fn (string $path): string => "$in/$path", ['file', 'folder', 'folder/file', 'current', 'current/a', 'current/a/file', 'current/new', 'releases/1/a/../a/file', 'file/', 'folder/']);
        $steps = [
            'nothing yet' => static fn () => true,
            'a file' => static fn () => touch("$in/file"),
            'a folder' => static fn () => mkdir("$in/folder"),
            'a file in it' => static fn () => touch("$in/folder/file"),
            'a link' => static fn () => symlink('releases/1', "$in/current"),
            'another link in its place' => static fn () => symlink('releases/2', "$in/next") && rename("$in/next", "$in/current"),
            'a file where it leads' => static fn () => touch("$in/releases/2/new"),
            'a folder that moves away' => static fn () => rename("$in/folder", "$in/folder-2"),
            'a file in its place' => static fn () => touch("$in/folder"),
            'the folder again' => static fn () => unlink("$in/folder") && rename("$in/folder-2", "$in/folder"),
            'all removed' => static fn () => exec('rm -rf ' . escapeshellarg("$in/folder") . ' ' . escapeshellarg("$in/releases") . ' ' . escapeshellarg("$in/file")),
            'and the release once more' => static fn () => exec('mkdir -p ' . escapeshellarg("$in/releases/2/a")),
        ];
        foreach ($steps as $name => $step) {
            $step();
            $expected = array_map(static function (string $path): array {
                clearstatcache(true);
                return [file_exists($path), is_file($path), is_dir($path), is_readable($path), realpath($path)];
            }, $paths);
            $this->same($name, [json_encode($expected, JSON_UNESCAPED_SLASHES)], array_values(array_unique($this->ask('of=' . rawurlencode(implode(',', $paths))))));
        }
        $this->check('which the kernel tells', (int) $this->ask('watches=1')[0] > 2, $app->output());
    }

    public function testAScriptKnowsWhatItHasChangedItself(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=1', '--processes=3']), $app->output());
        $in = self::$folder;
        [$none, $file, $folder] = [[false, false, false, false, false], [true, true, false, true], [true, false, true, true]];
        $expected = [$none, [...$file, "$in/own"], $none, [...$folder, "$in/own"], $none, [...$folder, "$in/own-2"], $none, [...$file, "$in/own-2"], $none, $none];
        foreach ([1, 2, 3] as $time) {
            $this->same("time $time", [json_encode($expected, JSON_UNESCAPED_SLASHES)], array_values(array_unique($this->ask('own=1'))));
        }
    }

    public function testNothingIsSaidThatPhpWouldNotSay(): void
    {
        $app = self::$app;
        $app->stop();
        $this->check('the application is served', $app->serve(['--env=prod', '--workers=1', '--processes=1']), $app->output());
        touch(self::$folder . '/known');
        foreach ([1, 2] as $time) {
            $none = [false, false, false, false, false];
            $this->same("a stream wrapper in the place of PHP's own is asked, time $time", json_encode([$none, [true, true], $none]), $this->ask('wrapper=1', 1)[0]);
            $this->same("open_basedir hides what is outside, time $time", '[true,false,true]', $this->ask('limit=1', 1)[0]);
        }
    }

    /** @return list<string> what each of several scripts at once has said */
    private function ask(string $query, int $times = 8): array
    {
        $peers = array_map(static function () use ($query): Peer {
            $peer = new Peer('tcp://127.0.0.1:' . self::$app->port);
            $peer->send(["GET /paths.php?folder=" . rawurlencode(self::$folder) . "&$query HTTP/1.0\r\nHost: a\r\n\r\n"]);
            return $peer;
        }, range(1, $times));
        return array_map(static fn (Peer $peer): string => explode("\r\n\r\n", $peer->readToEnd(20.0), 2)[1] ?? '', $peers);
    }
}
