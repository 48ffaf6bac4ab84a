<?php

declare(strict_types=1);

namespace Stampede\Application;

/** The table of all types of applications. */
final class Profiles
{
    /** Folders that web servers are told to publish, each with the front controller in it; the last is the application's own folder. */
    public const FRONT_CONTROLLERS = ['public/index.php', 'web/index.php', 'webroot/index.php', 'public_html/index.php', 'htdocs/index.php', 'www/index.php', 'pub/index.php', 'index.php'];

    private const STORAGE = ['bootstrap', 'config', 'storage/cms', 'storage/framework', 'storage/logs', 'storage/temp/protected', 'storage/app/uploads/protected'];

    public static function of(ApplicationType $type): Profile
    {
        return self::framework($type) ?? self::contentManagement($type) ?? self::tool($type);
    }

    private static function framework(ApplicationType $type): ?Profile
    {
        return match ($type) {
            ApplicationType::Laravel => new Profile('a Laravel application', ApplicationKind::Laravel, [['laravel/framework']], [], ['bootstrap/app.php']),
            ApplicationType::Symfony => new Profile(
                'a Symfony application',
                ApplicationKind::Symfony,
                [['symfony/framework-bundle', 'symfony/runtime'], ['symfony/symfony', 'symfony/runtime']],
                [],
                ['public/index.php', 'web/index.php'],
            ),
            ApplicationType::CakePhp => self::front('a CakePHP application', ['cakephp/cakephp'], [], ['webroot/index.php', 'public/index.php']),
            ApplicationType::CodeIgniter => self::front('a CodeIgniter application', ['codeigniter4/framework'], ['spark', 'app/Config/Paths.php'], ['public/index.php']),
            ApplicationType::Yii => self::front('a Yii application', ['yiisoft/yii2'], ['yii', 'web/index.php:yii'], ['web/index.php', 'frontend/web/index.php', 'public/index.php']),
            ApplicationType::Mezzio => self::front('a Mezzio application', ['mezzio/mezzio'], [], ['public/index.php']),
            ApplicationType::Laminas => self::front('a Laminas application', ['laminas/laminas-mvc'], [], ['public/index.php']),
            ApplicationType::Slim => self::front('a Slim application', ['slim/slim'], [], ['public/index.php', 'index.php'], ['app', 'logs', 'src', 'templates', 'var']),
            ApplicationType::Psr15 => new Profile('a PSR-15 request handler', ApplicationKind::Psr15, [], [], ['app.php', 'src/app.php', 'config/app.php']),
            ApplicationType::Plain => new Profile('a plain front controller', ApplicationKind::Plain, [], [], self::FRONT_CONTROLLERS),
            ApplicationType::Scripts => new Profile('a folder of scripts', ApplicationKind::Plain, [], [], []),
            default => null,
        };
    }

    private static function contentManagement(ApplicationType $type): ?Profile
    {
        return match ($type) {
            ApplicationType::October => new Profile(
                'an October site',
                ApplicationKind::Plain,
                [['october/all'], ['october/system'], ['october/rain'], ['winter/storm']],
                [['artisan', 'modules/system/ServiceProvider.php']],
                ['public/index.php', 'index.php'],
                self::STORAGE,
            ),
            ApplicationType::Statamic => new Profile('a Statamic site', ApplicationKind::Laravel, [['statamic/cms', 'laravel/framework']], [], ['bootstrap/app.php']),
            ApplicationType::Drupal => new Profile(
                'a Drupal site',
                ApplicationKind::Plain,
                [['drupal/core'], ['drupal/core-recommended'], ['drupal/recommended-project']],
                [['core/lib/Drupal.php'], ['web/core/lib/Drupal.php']],
                ['web/index.php', 'docroot/index.php', 'index.php'],
                ['core/scripts', 'sites/default/files/config', 'sites/default/files/private', 'private'],
            ),
            ApplicationType::Typo3 => self::front('a TYPO3 site', ['typo3/cms-core'], ['typo3/sysext/core/composer.json'], ['public/index.php', 'web/index.php', 'index.php'], ['config', 'var', 'typo3temp/var', 'fileadmin/_recycler_', 'fileadmin/_temp_']),
            ApplicationType::Craft => self::front('a Craft site', ['craftcms/cms'], ['craft', 'config/general.php'], ['web/index.php', 'public/index.php', 'public_html/index.php']),
            ApplicationType::Magento => new Profile(
                'a Magento shop',
                ApplicationKind::Plain,
                [['magento/product-community-edition'], ['magento/product-enterprise-edition'], ['mage-os/product-community-edition'], ['magento/framework']],
                [['bin/magento', 'app/etc/di.xml']],
                ['pub/index.php'],
            ),
            ApplicationType::Bedrock => self::front('a Bedrock site', ['roots/wordpress'], ['web/wp-config.php', 'config/application.php'], ['web/index.php']),
            ApplicationType::WordPress => new Profile(
                'a WordPress site',
                ApplicationKind::Plain,
                [],
                [['wp-load.php', 'wp-includes/version.php'], ['public/wp-load.php', 'public/wp-includes/version.php'], ['web/wp-load.php', 'web/wp-includes/version.php']],
                ['index.php', 'public/index.php', 'web/index.php'],
                ['wp-admin/includes', 'wp-content/ai1wm-backups', 'wp-content/backup-db', 'wp-content/backups', 'wp-content/updraft', 'wp-content/upgrade', 'wp-content/wflogs'],
            ),
            ApplicationType::Kirby => self::front('a Kirby site', ['getkirby/cms'], ['kirby/bootstrap.php'], ['public/index.php', 'index.php'], ['content', 'kirby', 'site', 'storage']),
            ApplicationType::Grav => self::front('a Grav site', ['getgrav/grav'], ['system/defines.php', 'user/config'], ['index.php'], ['backup', 'bin', 'cache', 'logs', 'tests', 'tmp', 'user/accounts', 'user/config', 'user/env', 'webserver-configs']),
            ApplicationType::Joomla => self::front('a Joomla site', ['joomla/joomla-cms'], ['administrator/index.php', 'libraries/src/Version.php'], ['index.php'], ['administrator/cache', 'administrator/logs', 'cli', 'libraries', 'logs', 'tmp']),
            ApplicationType::Backdrop => self::front('a Backdrop site', ['backdrop/backdrop'], ['core/includes/bootstrap.inc', 'core/misc/backdrop.js'], ['index.php'], ['core/scripts', 'private']),
            default => null,
        };
    }

    private static function tool(ApplicationType $type): Profile
    {
        return match ($type) {
            ApplicationType::MediaWiki => self::front('a MediaWiki', ['mediawiki/core'], ['load.php', 'includes/Setup.php'], ['index.php'], ['cache', 'docs', 'images/deleted', 'images/lockdir', 'images/temp', 'includes', 'languages', 'maintenance', 'sql', 'tests']),
            ApplicationType::PhpMyAdmin => self::front('phpMyAdmin', ['phpmyadmin/phpmyadmin'], ['libraries/vendor_config.php'], ['public/index.php', 'index.php'], ['app', 'libraries', 'locale', 'resources/sql', 'resources/templates', 'sql', 'src', 'templates', 'tmp']),
            ApplicationType::Nextcloud => self::front('a Nextcloud', ['nextcloud/server'], ['occ', 'lib/versioncheck.php'], ['index.php'], ['3rdparty', 'build', 'config', 'data', 'lib', 'templates', 'tests']),
            ApplicationType::DokuWiki => self::front('a DokuWiki', ['splitbrain/dokuwiki'], ['doku.php', 'inc/init.php'], ['index.php', 'doku.php'], ['bin', 'conf', 'data', 'inc']),
            ApplicationType::FreshRss => self::front('a FreshRSS', ['freshrss/freshrss'], ['p/index.php', 'constants.php', 'lib/lib_rss.php'], ['p/index.php']),
            ApplicationType::Adminer => self::front('an Adminer', ['vrana/adminer'], ['adminer/index.php', 'adminer/include/bootstrap.inc.php'], ['adminer/index.php'], ['compile.php', 'coverage.php', 'lang.php', 'plugins', 'tests']),
            default => throw new \LogicException("{$type->value} has no profile"),
        };
    }

    /**
     * Of a front controller that is run for each request, known by any one package or by all of the files.
     *
     * @param list<string> $packages
     * @param list<string> $files
     * @param list<string> $entries
     * @param list<string> $closed
     */
    private static function front(string $title, array $packages, array $files, array $entries, array $closed = []): Profile
    {
        return new Profile($title, ApplicationKind::Plain, array_map(static fn (string $package): array => [$package], $packages), $files === [] ? [] : [$files], $entries, $closed);
    }
}
