<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** The servers of a comparison as Debian's packages bring them, each in a private folder on a free port. Their configuration files are those of bench/conf. */
final class Opponents
{
    /**
     * Settings of bench/conf/php.ini on top of Debian's, for every kind of PHP, and those of the folders that PHP_INI_SCAN_DIR names.
     *
     * @param array<string, string> $more
     * @return array<string, string>
     */
    public static function php_environment(array $more = []): array
    {
        $further = getenv('PHP_INI_SCAN_DIR');
        return $more + ['PHP_INI_SCAN_DIR' => ':' . dirname(__DIR__) . '/conf' . ($further === false ? '' : ":$further")] + getenv();
    }

    /**
     * Apache with prefork and mod_php, with a process for each of so many connections.
     *
     * @param array<string, string> $environment
     */
    public static function apache(Folder $folder, int $port, string $root, int $connections, array $environment = []): Program
    {
        $php = glob('/usr/lib/apache2/modules/libphp*.so') ?: throw new \RuntimeException('Apache has no mod_php: install the package libapache2-mod-php.');
        $file = $folder->configuration('apache.conf', [
            'port' => $port,
            'root' => $root,
            'connections' => $connections,
            'modules' => '/usr/lib/apache2/modules',
            'php' => end($php),
            'user' => self::is_root() ? "User www-data\nGroup www-data" : '',
        ]);
        // It ends its whole process group, which must not be ours.
        return new Program('apache', ['setsid', self::command('apache2'), '-DFOREGROUND', '-f', $file], $port, "$folder->path/apache.log", self::php_environment($environment));
    }

    /**
     * nginx in front of php-fpm with so many processes.
     *
     * @param string $servers in bench/conf: all of index.php, or scripts by their own paths (nginx_php.conf)
     * @return array{Program, Program} nginx and php-fpm
     */
    public static function nginx_fpm(Folder $folder, int $port, string $root, int $children, string $servers = 'nginx_fpm.conf'): array
    {
        $fpm = self::fpm($folder, $children);
        $servers = Folder::filled($servers, ['port' => $port, 'root' => $root, 'socket' => "$folder->path/fpm.sock"]);
        return [self::nginx($folder, $port, $servers), $fpm];
    }

    public static function fpm(Folder $folder, int $children): Program
    {
        $found = glob('/usr/sbin/php-fpm*') ?: throw new \RuntimeException('There is no php-fpm: install the package php-fpm.');
        $file = $folder->configuration('fpm.conf', ['children' => $children, 'user' => self::is_root() ? "user = www-data\ngroup = www-data\nlisten.owner = www-data" : '']);
        return new Program('php-fpm', [end($found), '-F', '-y', $file], "unix://$folder->path/fpm.sock", "$folder->path/fpm.log", self::php_environment());
    }

    /** nginx with the blocks given, the first of which listens on the port. */
    public static function nginx(Folder $folder, int $port, string $servers, int|string $workers = 'auto'): Program
    {
        $file = $folder->configuration('nginx.conf', ['servers' => $servers, 'workers' => $workers, 'user' => self::is_root() ? 'user www-data;' : '']);
        return new Program('nginx', [self::command('nginx'), '-p', $folder->path, '-c', $file, '-e', "$folder->path/nginx.error"], $port, "$folder->path/nginx.log");
    }

    /**
     * PHP's built-in server, which its documentation calls one for development.
     *
     * @param list<string> $php further options of PHP
     */
    public static function built_in(Folder $folder, int $port, string $root, array $php = []): Program
    {
        $command = [PHP_BINARY, '-q', ...array_values($php), '-S', "127.0.0.1:$port", '-t', $root, "$root/index.php"];
        return new Program('built-in', $command, $port, "$folder->path/built_in-$port.log", self::php_environment());
    }

    /**
     * A script that starts a server of the extension, with the same settings of PHP.
     *
     * @param list<string> $arguments
     * @param array<string, string> $environment
     * @param list<string> $php further options of PHP
     */
    public static function stampede(string $script, int $port, array $arguments, array $environment = [], array $php = []): Program
    {
        return new Program('stampede', [...self::php_with_module(), ...array_values($php), $script, (string) $port, ...array_values($arguments)], $port, null, self::php_environment($environment));
    }

    /**
     * The command `stampede serve` for an application.
     *
     * @param list<string> $options
     * @param string $name of its log in the folder
     * @param list<string> $php further options of PHP
     * @param list<string> $under a command that starts it
     */
    public static function launcher(Folder $folder, int $port, string $application, array $options, string $name = 'stampede', array $php = [], array $under = []): Program
    {
        $root = dirname(__DIR__, 2);
        if (!is_file("$root/php/vendor/autoload.php")) {
            Folder::shell('COMPOSER_ALLOW_SUPERUSER=1 composer --working-dir=' . escapeshellarg("$root/php") . ' update --no-dev --quiet --no-interaction');
        }
        $command = [...array_values($under), ...self::php_with_module(), ...array_values($php), "$root/php/bin/stampede", 'serve', $application, "--listen=127.0.0.1:$port", '--log-format=off', ...array_values($options)];
        return new Program('stampede', $command, $port, "$folder->path/$name.log", self::php_environment());
    }

    /**
     * A loop in C that sends this response to each request and does nothing else: no server is faster.
     *
     * @param string $connections "one" after another, or "many"
     */
    public static function least(Folder $folder, int $port, string $response, string $connections): Program
    {
        $path = "$folder->path/least-$port";
        compile(__DIR__ . '/least.c', $path);
        file_put_contents("$path.response", $response);
        return new Program('least', [$path, (string) $port, "$path.response", $connections], $port);
    }

    /** @return list<string> */
    public static function php_with_module(): array
    {
        return [PHP_BINARY, '-d', 'extension=' . realpath(getenv('MODULE') ?: dirname(__DIR__, 2) . '/modules/stampede.so')];
    }

    /** The path of a program that may be where only root looks; what the package is called that brings it is in tools/ensure-packages. */
    public static function command(string $name): string
    {
        return self::find($name) ?? throw new \RuntimeException("There is no $name: tools/ensure-packages bench installs it.");
    }

    public static function has(string $name): bool
    {
        return self::find($name) !== null;
    }

    private static function find(string $name): ?string
    {
        foreach ([...explode(':', (string) getenv('PATH')), '/usr/sbin', '/usr/local/sbin'] as $folder) {
            if (is_executable("$folder/$name")) {
                return "$folder/$name";
            }
        }
        return null;
    }

    /**
     * The ends of what servers printed, for messages about what went wrong.
     *
     * @param list<Program> $programs
     */
    public static function complaints(array $programs): string
    {
        return implode("\n", array_map(static fn (Program $program): string => substr($program->output(), -1000), $programs));
    }

    public static function is_root(): bool
    {
        return posix_getuid() === 0;
    }
}
