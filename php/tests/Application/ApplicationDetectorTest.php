<?php

declare(strict_types=1);

namespace Stampede\Tests\Application;

use PHPUnit\Framework\Attributes\DataProvider;
use Stampede\Application\ApplicationDetector;
use Stampede\Application\ApplicationKind;
use Stampede\Application\ApplicationType;
use Stampede\Application\Detection;
use Stampede\Application\LinkPolicy;
use Stampede\Application\RootScope;
use Stampede\Exception\LaunchException;

final class ApplicationDetectorTest extends TemporaryFolder
{
    /** @param array<int|string, string> $files */
    #[DataProvider('applications')]
    public function testAnApplicationIsKnownByItsPackagesAndFiles(ApplicationType $type, array $files, string $entry, string $documentRoot): void
    {
        $this->write($files);
        $found = $this->detect();
        self::assertSame([$type, "{$this->folder}/{$entry}", rtrim("{$this->folder}/{$documentRoot}", '/')], [$found->application->type, $found->application->entry, $found->application->documentRoot]);
        self::assertSame($documentRoot === '' || !in_array(basename($documentRoot), ['public', 'web', 'webroot', 'pub', 'p'], true) ? RootScope::ApplicationFolder : RootScope::PublicFolder, $found->application->scope);
        self::assertSame('', $found->doubt);
        self::assertNotSame('', $found->because);
    }

    /** @return array<string, array{ApplicationType, array<int|string, string>, string, string}> */
    public static function applications(): array
    {
        $settings = "<?php\n/** settings */\nreturn [\n    'debug' => true,\n];\n";
        $requires = static fn (string ...$packages): string => (string) json_encode(['require' => array_fill_keys($packages, '*')]);
        $front = '<?php echo 1;';
        return [
            'Symfony' => [ApplicationType::Symfony, ['composer.json' => $requires('symfony/framework-bundle', 'symfony/runtime'), 'public/index.php'], 'public/index.php', 'public'],
            'Symfony without its runtime' => [ApplicationType::Plain, ['composer.json' => $requires('symfony/framework-bundle'), 'public/index.php'], 'public/index.php', 'public'],
            'Laravel' => [ApplicationType::Laravel, ['composer.json' => $requires('laravel/framework'), 'bootstrap/app.php', 'public/index.php', 'config/app.php' => $settings], 'bootstrap/app.php', 'public'],
            'Statamic' => [ApplicationType::Statamic, ['composer.json' => $requires('laravel/framework', 'statamic/cms'), 'bootstrap/app.php', 'public/index.php'], 'bootstrap/app.php', 'public'],
            'October' => [ApplicationType::October, ['composer.json' => $requires('laravel/framework', 'october/all'), 'bootstrap/app.php', 'index.php'], 'index.php', ''],
            'Slim as a front controller' => [ApplicationType::Slim, ['composer.json' => $requires('slim/slim'), 'public/index.php' => $front], 'public/index.php', 'public'],
            'Slim as a handler' => [ApplicationType::Psr15, ['composer.json' => $requires('slim/slim'), 'app.php' => '<?php $app = Slim\Factory\AppFactory::create(); return $app;', 'public/style.css'], 'app.php', 'public'],
            'a function as a handler' => [ApplicationType::Psr15, ['app.php' => '<?php return static function (Psr\Http\Message\ServerRequestInterface $request) { return [1]; };'], 'app.php', ''],
            'Mezzio' => [ApplicationType::Mezzio, ['composer.json' => $requires('mezzio/mezzio'), 'public/index.php' => $front, 'config/config.php' => $settings], 'public/index.php', 'public'],
            'Laminas' => [ApplicationType::Laminas, ['composer.json' => $requires('laminas/laminas-mvc'), 'public/index.php' => $front], 'public/index.php', 'public'],
            'CakePHP' => [ApplicationType::CakePhp, ['composer.json' => $requires('cakephp/cakephp'), 'index.php' => $front, 'webroot/index.php' => $front, 'config/app.php' => $settings], 'webroot/index.php', 'webroot'],
            'CakePHP by its folders alone' => [ApplicationType::Plain, ['webroot/index.php' => $front, 'config/app.php' => $settings], 'webroot/index.php', 'webroot'],
            'CodeIgniter' => [ApplicationType::CodeIgniter, ['spark', 'app/Config/Paths.php', 'public/index.php' => $front], 'public/index.php', 'public'],
            'Yii' => [ApplicationType::Yii, ['composer.json' => $requires('yiisoft/yii2'), 'web/index.php' => $front, 'config/web.php' => $settings], 'web/index.php', 'web'],
            'Craft' => [ApplicationType::Craft, ['composer.json' => $requires('craftcms/cms'), 'web/index.php' => $front, 'config/app.php' => $settings], 'web/index.php', 'web'],
            'Drupal' => [ApplicationType::Drupal, ['web/core/lib/Drupal.php', 'web/index.php' => $front], 'web/index.php', 'web'],
            'Drupal without a folder for it' => [ApplicationType::Drupal, ['core/lib/Drupal.php', 'index.php' => $front], 'index.php', ''],
            'TYPO3' => [ApplicationType::Typo3, ['composer.json' => $requires('typo3/cms-core'), 'public/index.php' => $front], 'public/index.php', 'public'],
            'Magento' => [ApplicationType::Magento, ['bin/magento', 'app/etc/di.xml', 'index.php' => $front, 'pub/index.php' => $front], 'pub/index.php', 'pub'],
            'WordPress' => [ApplicationType::WordPress, ['wp-load.php', 'wp-includes/version.php', 'index.php' => $front], 'index.php', ''],
            'Bedrock' => [ApplicationType::Bedrock, ['composer.json' => $requires('roots/wordpress'), 'web/index.php' => $front, 'web/wp/wp-load.php'], 'web/index.php', 'web'],
            'Kirby' => [ApplicationType::Kirby, ['kirby/bootstrap.php', 'index.php' => $front], 'index.php', ''],
            'Grav' => [ApplicationType::Grav, ['system/defines.php', 'user/config/site.yaml', 'index.php' => $front], 'index.php', ''],
            'Joomla' => [ApplicationType::Joomla, ['administrator/index.php', 'libraries/src/Version.php', 'index.php' => $front], 'index.php', ''],
            'MediaWiki' => [ApplicationType::MediaWiki, ['load.php', 'includes/Setup.php', 'index.php' => $front], 'index.php', ''],
            'phpMyAdmin' => [ApplicationType::PhpMyAdmin, ['composer.json' => '{"name":"phpmyadmin/phpmyadmin"}', 'index.php' => $front], 'index.php', ''],
            'Nextcloud' => [ApplicationType::Nextcloud, ['occ', 'lib/versioncheck.php', 'index.php' => $front], 'index.php', ''],
            'DokuWiki' => [ApplicationType::DokuWiki, ['doku.php', 'inc/init.php', 'index.php' => $front], 'index.php', ''],
            'FreshRSS' => [ApplicationType::FreshRss, ['constants.php', 'lib/lib_rss.php', 'p/index.php' => $front], 'p/index.php', 'p'],
            'Adminer' => [ApplicationType::Adminer, ['adminer/index.php', 'adminer/include/bootstrap.inc.php'], 'adminer/index.php', ''],
            'a file alone' => [ApplicationType::Plain, ['index.php' => $front], 'index.php', ''],
        ];
    }

    public function testWhatCouldBeMeantAsWellIsSaid(): void
    {
        $this->write(['public/index.php', 'web/index.php']);
        $doubt = $this->detect()->doubt;
        self::assertStringContainsString('web/index.php', $doubt);
        self::assertStringContainsString('--entry', $doubt);
        self::assertStringContainsString('--bridge', $doubt);
        self::assertSame('', $this->detect(entry: 'public/index.php')->doubt);
    }

    public function testNoApplication(): void
    {
        $this->write(['config/app.php' => '<?php return ["a" => 1];', 'app.php' => '<?php return array_merge([], []);']);
        $this->expectException(LaunchException::class);
        $this->expectExceptionMessageMatches('/--entry.*--bridge/');
        $this->detect();
    }

    public function testWhatTheUserSaysCounts(): void
    {
        $this->write(['wp-load.php', 'wp-includes/version.php', 'index.php', 'other/front.php' => '<?php echo 1;', 'config/app.php' => '<?php return new Handler();']);
        self::assertSame(ApplicationType::WordPress, $this->detect(kind: ApplicationKind::Plain)->application->type);
        self::assertSame(ApplicationType::WordPress, $this->detect(entry: 'index.php')->application->type);
        $other = $this->detect(entry: 'other/front.php')->application;
        self::assertSame([ApplicationType::Plain, "{$this->folder}/other", RootScope::ApplicationFolder], [$other->type, $other->documentRoot, $other->scope]);
        self::assertSame(ApplicationType::Psr15, $this->detect(entry: 'config/app.php')->application->type);
        self::assertSame(RootScope::PublicFolder, $this->detect(documentRoot: '.')->application->scope);
    }

    private function detect(?ApplicationKind $kind = null, string $entry = '', string $documentRoot = ''): Detection
    {
        return (new ApplicationDetector($this->folder))->detect($kind, $entry, $documentRoot, LinkPolicy::Anywhere);
    }
}
