<?php

declare(strict_types=1);

namespace Stampede\Library\RemoteObject;

use Swoole\RemoteObject\Exception;

/**
 * The folder that only this user can enter: the sockets of default servers and the tokens of servers with a port.
 *
 * @internal
 */
final class Folder
{
    /** @throws Exception when it cannot be made, or others could enter it */
    public static function path(): string
    {
        $user = fstat(tmpfile() ?: throw new Exception('No temporary file can be made: check sys_temp_dir.'))['uid'] ?? -1;
        $runtime = (string) getenv('XDG_RUNTIME_DIR');
        $base = $runtime !== '' && is_dir($runtime) && is_writable($runtime) ? $runtime : sys_get_temp_dir();
        $path = "{$base}/stampede-remote-objects-{$user}";
        @mkdir($path, 0700);
        clearstatcache(true, $path);
        $found = @lstat($path);
        if ($found === false || ($found['mode'] & 0170077) !== 0040000 || $found['uid'] !== $user) {
            throw new Exception("{$path} must be a folder of this user that no other user may enter: remove it, or give it the mode 0700.");
        }
        return $path;
    }

    /** The token of the server with this port; null when there is none. */
    public static function token(int $port): ?string
    {
        $token = @file_get_contents(self::tokenFile($port));
        return $token === false || $token === '' ? null : $token;
    }

    /** Makes the token of a server that listens on the port. */
    public static function makeToken(int $port): string
    {
        $token = bin2hex(random_bytes(32));
        $file = self::tokenFile($port);
        $fresh = $file . '.' . getmypid();
        if (!@touch($fresh) || !chmod($fresh, 0600) || file_put_contents($fresh, $token) === false || !rename($fresh, $file)) {
            throw new Exception("{$file} cannot be written: clients could not learn the server's token.");
        }
        return $token;
    }

    /** The server with this port has ended. */
    public static function removeToken(int $port): void
    {
        @unlink(self::tokenFile($port));
    }

    /** Takes sockets away whose servers have been killed. */
    public static function sweep(): void
    {
        foreach (glob(self::path() . '/*.sock') ?: [] as $socket) {
            $peer = @stream_socket_client("unix://{$socket}", $number, $message, 1.0);
            if ($peer !== false) {
                fclose($peer);
            } elseif ($number === SOCKET_ECONNREFUSED) {
                @unlink($socket);
            }
        }
    }

    private static function tokenFile(int $port): string
    {
        return self::path() . "/{$port}.token";
    }
}
