<?php

declare(strict_types=1);

/* What is sent to streams while they move to another worker comes without a hole, or the stream is closed. */

namespace Stampede\Tests\E2e;

final class moved_streams_test extends EndToEndTest
{
    private const PIECE = 30000;

    /**
     * @param array<int, resource> $streams
     * @return array<int, list<int>> the numbers of the pieces that came by each until its end, or until all pieces have come
     */
    private static function numbers(array $streams, int $last): array
    {
        $bytes = array_fill_keys(array_keys($streams), '');
        $numbers = array_fill_keys(array_keys($streams), []);
        for ($end = microtime(true) + 30; $streams !== [] && microtime(true) < $end;) {
            $readable = $streams;
            $none = null;
            stream_select($readable, $none, $none, 1);
            foreach ($readable as $i => $stream) {
                $piece = @fread($stream, 1 << 20);
                $bytes[$i] .= (string) $piece;
                for (; strlen($bytes[$i]) >= self::PIECE; $bytes[$i] = substr($bytes[$i], self::PIECE)) {
                    $numbers[$i][] = (int) $bytes[$i];
                }
                if ($piece === '' || $piece === false || in_array($last, $numbers[$i], true)) {
                    unset($streams[$i]);
                }
            }
        }
        return $numbers;
    }

    public function testAStreamThatLosesSomethingOnItsWayIsClosed(): void
    {
        $folder = sys_get_temp_dir() . '/moved-' . bin2hex(random_bytes(4));
        mkdir($folder);
        $server = new Server('moved_streams', ['_folder' => $folder]);
        $streams = $ids = [];
        for ($i = 0; $i < 4; $i++) {
            $streams[$i] = stream_socket_client($server->address());
            fwrite($streams[$i], 'x');
            $ids[$i] = unpack('N', (string) fread($streams[$i], 4))[1];
            stream_set_blocking($streams[$i], false);
        }
        file_put_contents("$folder/streams.new", (string) json_encode($ids));
        rename("$folder/streams.new", "$folder/streams");
        foreach ($streams as $stream) {
            $readable = [$stream];
            $none = null;
            $this->same('pieces come', 1, stream_select($readable, $none, $none, 10));
        }
        posix_kill($server->pid(), SIGUSR1);
        foreach (self::numbers($streams, 1000) as $i => $numbers) {
            $this->same("stream $i has no hole", range(0, count($numbers) - 1), $numbers);
            $lines = substr_count($server->output(), "connection#{$ids[$i]} is closed");
            $this->same("stream $i got everything, or was closed with one line in the log", in_array(1000, $numbers, true) ? 0 : 1, $lines);
        }
        unset($server);
        array_map(unlink(...), (array) glob("$folder/*"));
        rmdir($folder);
    }
}
