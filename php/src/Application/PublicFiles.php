<?php

declare(strict_types=1);

namespace Stampede\Application;

/**
 * The table of what is sent of a document root without running it. The server's static handler, PathResolver and the configuration that
 * "stampede nginx" prints are made of it.
 */
final readonly class PublicFiles
{
    /** Pages, but for what lies where applications keep their sources and templates. */
    private const PAGES = ['htm', 'html', 'pdf', 'xhtml'];
    private const SOURCES = '~/(?:app|application|bin|cache|config|data|database|inc|includes?|lib|libraries|resources|site|src|storage|system|templates?|tests?|tmp|tpl|var|vendor|views?)/~i';

    /** What pages are made of: styles, scripts, images, fonts, sound and films. */
    private const TYPES = [
        'css', 'js', 'mjs', 'wasm', 'webmanifest',
        'apng', 'avif', 'bmp', 'cur', 'gif', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'svgz', 'tif', 'tiff', 'vtt', 'webp',
        'eot', 'otf', 'ttf', 'woff', 'woff2',
        'aac', 'flac', 'm4a', 'm4v', 'mov', 'mp3', 'mp4', 'oga', 'ogg', 'ogv', 'opus', 'wav', 'weba', 'webm',
    ];

    /** Folders into which applications put what their users have sent, and what else is sent of them. */
    private const UPLOADS = '~/(?:downloads?|files|images|media|uploads?)/~i';
    private const DOCUMENTS = ['csv', 'doc', 'docx', 'epub', 'gpx', 'ics', 'json', 'kml', 'odp', 'ods', 'odt', 'ppt', 'pptx', 'rtf', 'srt', 'txt', 'vcf', 'xls', 'xlsx', 'xml', 'zip'];

    /** Names, also in public folders: sources, copies that editors leave, databases, dumps, logs, what Composer writes, keys. A star at an end stands for anything. */
    private const NEVER = [
        '*.php*', '*.phtml*', '*.pht', '*.phar*', '*.inc', '*.inc.*', '*.module', '*.install', '*.engine', '*.theme', '*.profile', '*.tpl', '*.twig', '*.latte', '*.ctp', '*.neon',
        '*~', '#*', '*.bak', '*.bak.*', '*.bkp', '*.backup', '*.copy', '*.dist', '*.old', '*.old.*', '*.orig', '*.orig.*', '*.rej', '*.sample', '*.save', '*.swo', '*.swp', '*.kate-swp', '*.tmp',
        '*.sql', '*.sql.*', '*.sqlite*', '*.db', '*.db-*', '*.db3', '*.s3db', '*.mdb', '*.accdb', '*.fdb', '*.kdbx', '*.dump', '*.dump.*', '*.mysql', '*.pgsql', '*.pgdump', '*.rdb',
        '*.log', '*.log.*', '*.log-*', 'error_log*', 'php_errorlog*', 'access_log*', 'nohup.out', 'composer.*', 'auth.json', '*.lock', '*.env', '*.env.*', '*.ini', '*.key', '*.pem', '*.p12', '*.pfx', '*.jks', '*.ppk', '*.keystore', 'id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', 'pnpm-lock.yaml', 'htpasswd*',
    ];

    /** Files of the document root itself that are written for everybody. */
    private const FOR_EVERYBODY = ['/ads.txt', '/app-ads.txt', '/browserconfig.xml', '/crossdomain.xml', '/humans.txt', '/llms.txt', '/manifest.json', '/robots.txt', '/security.txt', '/sitemap.xml'];

    /** Where the application's folder is the document root: what is written for those who install it, and what builds the scripts of pages. */
    private const TOOLS = ['readme*', 'license*', 'copying*', 'changelog*', 'changes*', 'install.*', 'upgrade.*', 'gulpfile.*', 'gruntfile.*', 'webpack.*', 'rollup.*', 'vite.config.*', '*.config.js', '*.config.mjs', '*.conf.js', 'karma.*'];

    /** Where the application's folder is the document root: packages, whose styles and scripts are sent, but whose PHP is no page. */
    private const PACKAGES = ['/vendor/', '/node_modules/'];
    private const SETTINGS = '/stampede.php';

    public function __construct(private ApplicationType $type, private RootScope $scope, private LinkPolicy $links) {}

    /** @return list<string> extensions, without their dot; empty: all */
    public function types(): array
    {
        return $this->scope === RootScope::ApplicationFolder ? self::TYPES : [];
    }

    /** @return list<string> patterns of names */
    public function never(): array
    {
        return $this->scope === RootScope::ApplicationFolder ? [...self::NEVER, ...self::TOOLS] : self::NEVER;
    }

    /** @return list<string> prefixes of paths below which nothing is sent or run */
    public function closed(): array
    {
        if ($this->scope === RootScope::PublicFolder) {
            return [];
        }
        return array_map(static fn (string $name): string => str_ends_with($name, '.php') ? "/{$name}" : "/{$name}/", $this->type->profile()->closed);
    }

    /** @return array<string, mixed> settings of the server's static handler */
    public function serverSettings(): array
    {
        return [
            'static_handler_types' => $this->types(),
            'static_handler_never' => $this->never(),
            'static_handler_closed' => $this->closed(),
            'static_handler_htaccess' => true,
            'static_handler_follow_links' => $this->links === LinkPolicy::Anywhere,
        ];
    }

    /** Whether something in a hidden folder, or hidden itself. What /.well-known/ holds is for everybody. */
    public static function isHidden(string $path): bool
    {
        return str_contains(str_starts_with($path, '/.well-known/') ? substr($path, 12) : $path, '/.');
    }

    /** Whether a script of that name is for everybody to run. */
    public function runs(string $path): bool
    {
        if ($this->scope === RootScope::PublicFolder) {
            return true;
        }
        return $path !== self::SETTINGS && !self::isBelow($path, self::PACKAGES) && !self::isBelow($path, $this->closed());
    }

    /** @param list<string> $prefixes */
    private static function isBelow(string $path, array $prefixes): bool
    {
        foreach ($prefixes as $prefix) {
            if (str_starts_with($path, $prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the name of the file lets everybody read it. @param string $path decoded and normalised, from the document root on */
    public function sends(string $path): bool
    {
        return !self::isBelow($path, $this->closed()) && $this->sendsElsewhere($path);
    }

    /** The same for what a link leads to, out of the document root. */
    public function sendsElsewhere(string $path): bool
    {
        if (self::isHidden($path)) {
            return false;
        }
        $name = strtolower(rtrim(basename($path), '. '));
        $types = $this->types();
        $extension = pathinfo($name, PATHINFO_EXTENSION);
        $isOfType = $types === [] || in_array($extension, $types, true)
            || str_starts_with($path, '/.well-known/') || in_array($path, self::FOR_EVERYBODY, true)
            || (in_array($extension, self::PAGES, true) && preg_match(self::SOURCES, $path) !== 1)
            || (in_array($extension, self::DOCUMENTS, true) && preg_match(self::UPLOADS, $path) === 1);
        return $isOfType && preg_match('~^(?:' . $this->neverAsExpression() . ')$~', $name) !== 1;
    }

    /** Whether a file would be sent if its document root was a folder for what everybody may read. */
    public function sendsInPublicFolder(string $path): bool
    {
        return (new self($this->type, RootScope::PublicFolder, $this->links))->sends($path);
    }

    /** The names of never(), in small letters. */
    public function neverAsExpression(): string
    {
        return implode('|', array_map(static fn (string $pattern): string => strtr(preg_quote($pattern, '~'), ['\*' => '[^/]*', '\#' => '\#']), $this->never()));
    }
}
