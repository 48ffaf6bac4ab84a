<?php

declare(strict_types=1);

/* The documentation site in Chromium, from disk: no page is wider than its window, the search finds, the dark is dark. With PICTURES=folder it leaves pictures of some pages there. */

namespace Stampede\Tests\E2e;

final class documentation_test extends EndToEndTest
{
    private const PICTURED = ['index', 'site/start/laravel', 'site/guide/how-it-works', 'site/guide/isolation', 'site/moving/fpm', 'site/reference/settings', 'site/reference/messages', 'site/reference/performance', 'user/launcher'];
    private const SIZES = [[375, 812, true], [1600, 1000, false]];

    private static string $site;

    public static function setUpBeforeClass(): void
    {
        parent::setUpBeforeClass();
        $root = dirname(__DIR__, 2);
        self::$site = "{$root}/build/site";
        exec("{$root}/tools/ensure-packages docs 2>&1 && {$root}/tools/make-docs 2>&1", $output, $status);
        if ($status !== 0) {
            throw new \RuntimeException("The site cannot be built:\n" . implode("\n", $output));
        }
    }

    public function testPagesFitTheirWindow(): void
    {
        $browser = new Browser();
        foreach (self::SIZES as [$width, $height, $isPhone]) {
            $window = $browser->window($width, $height, $isPhone);
            $tooWide = [];
            foreach ($isPhone ? self::pages() : self::PICTURED as $page) {
                $window->open('file://' . self::$site . "/{$page}.html");
                $beyond = $window->evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
                $beyond === 0 || $tooWide[] = "{$page}: {$beyond} px";
                self::picture($window, $page, (string) $width);
            }
            $this->same("no page is wider than {$width} pixels", [], $tooWide);
        }
    }

    public function testInTheDark(): void
    {
        $window = (new Browser())->window(1600, 1000);
        $window->inTheDark();
        foreach (self::PICTURED as $page) {
            $window->open('file://' . self::$site . "/{$page}.html");
            self::picture($window, $page, 'dark');
        }
        $colours = $window->evaluate('[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color].map(colour => colour.match(/\d+/g)[0])');
        $this->check('the button changes it', $window->evaluate("(document.querySelector('.theme-toggle-content .theme-toggle').click(), document.body.dataset.theme)") === 'light');
        $window->evaluate("localStorage.setItem('theme', 'auto')");
        $window->open('file://' . self::$site . '/index.html');
        $this->check('light letters on a dark ground', $colours[0] < 60 && $colours[1] > 180, json_encode($colours) ?: '');
    }

    public function testTheSearchFindsFromDisk(): void
    {
        $window = (new Browser())->window(1600, 1000);
        foreach (['max_replace_time' => 'site/reference/settings.html', 'FrankenPHP' => 'site/moving/frankenphp.html'] as $words => $page) {
            $window->open('file://' . self::$site . "/search.html?q={$words}");
            $this->check("the search for {$words} finds its page", $window->until("document.querySelector('#search-results a[href^=\"{$page}\"]') !== null"), (string) $window->evaluate('document.body.innerText'));
        }
    }

    private static function picture(BrowserWindow $window, string $page, string $kind): void
    {
        $folder = getenv('PICTURES');
        if (is_string($folder) && in_array($page, self::PICTURED, true)) {
            $window->picture("{$folder}/" . strtr($page, '/', '-') . "-{$kind}.png");
        }
    }

    /** @return list<string> */
    private static function pages(): array
    {
        $files = [...glob(self::$site . '/site/*/*.html') ?: [], ...glob(self::$site . '/user/*.html') ?: []];
        return ['index', 'search', ...array_map(static fn (string $file): string => substr($file, strlen(self::$site) + 1, -5), $files)];
    }
}
