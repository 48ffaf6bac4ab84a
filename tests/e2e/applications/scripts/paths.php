<?php

/* What PHP's functions say of paths: of those that are asked for, between changes that the script makes itself, and with a stream wrapper or a limit in the way. */

final class Everything
{
    /** @var resource|null */
    public $context;

    /** @return array<string, int> */
    public function url_stat(string $path, int $flags): array
    {
        return ['mode' => 0100644, 'size' => 1, 'mtime' => 1];
    }
}

/** @return list<mixed> */
function said(string $path): array
{
    clearstatcache(true);
    return [file_exists($path), is_file($path), is_dir($path), is_readable($path), realpath($path)];
}

$folder = $_GET['folder'] ?? '';
if (isset($_GET['own'])) {
    $path = "$folder/own-" . getmypid();
    $said = [said($path)];
    $changes = [
        static fn () => touch($path),
        static fn () => unlink($path),
        static fn () => mkdir($path),
        static fn () => rename($path, "$path-2"),
        static fn () => symlink("$path-2", $path),
        static fn () => rmdir("$path-2"),
        static fn () => shell_exec('echo x > ' . escapeshellarg("$path-2")),
        static fn () => unlink("$path-2"),
        static fn () => unlink($path),
    ];
    foreach ($changes as $change) {
        $change();
        $said[] = said($path);
    }
    echo str_replace('own-' . getmypid(), 'own', json_encode($said, JSON_UNESCAPED_SLASHES));
} elseif (isset($_GET['wrapper'])) {
    $before = said("$folder/none");
    stream_wrapper_unregister('file');
    stream_wrapper_register('file', Everything::class);
    $within = [file_exists("$folder/none"), is_file("$folder/none")];
    stream_wrapper_restore('file');
    echo json_encode([$before, $within, said("$folder/none")]);
} elseif (isset($_GET['limit'])) {
    $before = file_exists("$folder/known");
    ini_set('open_basedir', __DIR__);
    echo json_encode([$before, @file_exists("$folder/known"), file_exists(__FILE__)]);
} elseif (isset($_GET['watches'])) {
    $lines = implode('', array_map(static fn (string $file): string => (string) @file_get_contents($file), glob('/proc/self/fdinfo/*')));
    echo substr_count($lines, 'inotify wd:');
} else {
    echo json_encode(array_map('said', explode(',', $_GET['of'])), JSON_UNESCAPED_SLASHES);
}
