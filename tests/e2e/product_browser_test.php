<?php

declare(strict_types=1);

/*
 * examples/product in Chromium: two windows of one user, one of them a phone. With PICTURES=folder it leaves pictures of the pages there.
 */

namespace Stampede\Tests\E2e;

/** A picture that a browser can show: a gradient. */
function png(int $width, int $height): string
{
    $rows = '';
    for ($y = 0; $y < $height; $y++) {
        $rows .= "\0";
        for ($x = 0; $x < $width; $x++) {
            $rows .= chr(40 + intdiv(180 * $x, $width)) . chr(90 + intdiv(120 * $y, $height)) . chr(150 - intdiv(90 * $x, $width));
        }
    }
    $part = static fn (string $type, string $data): string => pack('N', strlen($data)) . $type . $data . pack('N', crc32($type . $data));
    return "\x89PNG\r\n\x1a\n" . $part('IHDR', pack('NNCCCCC', $width, $height, 8, 2, 0, 0, 0)) . $part('IDAT', (string) gzcompress($rows)) . $part('IEND', '');
}

/** What every page owes to those who cannot see it, or have a small screen. */
function check_page(EndToEndTest $test, BrowserWindow $window, string $name): void
{
    $test->same("{$name}: as wide as the screen", true, $window->evaluate('document.documentElement.scrollWidth <= innerWidth'));
    $test->same("{$name}: a language, a title, one heading of the first order, landmarks", [true, true, 1, 1, 1], $window->evaluate("[document.documentElement.lang === 'en', document.title !== '', ...['h1', 'main', 'header'].map(name => document.querySelectorAll(name).length)]"));
    $test->same("{$name}: every control has a name, every picture a text", [], $window->evaluate(
        "[...document.querySelectorAll('input:not([type=hidden]), textarea, button, img')]
            .filter(element => !(element.labels?.length || element.textContent.trim() || element.hasAttribute('alt'))).map(element => element.outerHTML)",
    ));
    $test->same("{$name}: no two elements with one id", [], $window->evaluate("(ids => ids.filter((id, i) => ids.indexOf(id) !== i))([...document.querySelectorAll('[id]')].map(element => element.id))"));
}

final class product_browser_test extends EndToEndTest
{
    public function testTheWholeProgram(): void
    {
        if (trim((string) shell_exec('command -v chromium')) === '') {
            $this->check('Chromium is there (the package chromium)', false);
            return;
        }
        $app = new Application('examples/product');
        $this->check('examples/product is served', $app->serve(['--workers=2']), $app->output());
        $site = "http://127.0.0.1:{$app->port}";
        $browser = new Browser();
        $laptop = $browser->window(1180, 800);
        $phone = $browser->window(390, 844, true);
        $pictures = (string) getenv('PICTURES');
        $picture = static function (BrowserWindow $window, string $name) use ($pictures): void {
            if ($pictures !== '') {
                $window->picture("{$pictures}/{$name}.png");
            }
        };
        $noteWith = static fn (string $text): string => sprintf("[...document.querySelectorAll('article .text')].some(text => text.textContent === %s)", json_encode($text));
        $isLive = "document.querySelector('#live')?.dataset.state === 'on'";

        $phone->open("{$site}/");
        check_page($this, $phone, 'the welcome');
        $picture($phone, 'welcome-phone');
        $laptop->open("{$site}/");
        $picture($laptop, 'welcome');
        $laptop->click('a[href="/register"].large');
        $this->check('the way to an account', $laptop->until("location.pathname === '/register' && document.readyState === 'complete'"));
        $laptop->type('input[name=name]', 'Paula');
        $laptop->type('input[name=password]', 'a horse in the rain');
        $picture($laptop, 'register');
        $laptop->click('form.stack .button');
        $this->check('it is made, and the page is live', $laptop->until("document.querySelector('.who')?.textContent === 'paula' && {$isLive}"));
        $phone->open("{$site}/register");
        $this->check('the phone is the same user\'s', $phone->until($isLive));
        check_page($this, $phone, 'no notes');
        $picture($phone, 'empty-phone');
        $phone->evaluate('window.stayed = true');

        $laptop->type('#text', "Bring the boots\nand the rope");
        $this->check('what is typed shows on the phone', $phone->until("!document.querySelector('#draft').hidden && document.querySelector('#draft .text').textContent === 'Bring the boots\\nand the rope'"));
        $picture($phone, 'draft-phone');
        $laptop->click('#compose .button');
        $this->check('what is saved appears there', $phone->until($noteWith("Bring the boots\nand the rope")));
        $this->check('the draft is gone', $phone->until("document.querySelector('#draft').hidden"));
        $this->check('and here', $laptop->until($noteWith("Bring the boots\nand the rope") . " && document.querySelector('#text').value === ''"));
        $attack = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>';
        $laptop->type('#text', $attack);
        $laptop->click('#compose .button');
        $this->check('tags are text', $phone->until($noteWith($attack)) && $phone->evaluate('window.hacked === undefined') === true);

        // The form is emptied when the note before has been answered, which the phone may show earlier.
        $this->check('the note has left', $laptop->until("document.querySelector('#text').value === ''"));
        $folder = External::folder();
        file_put_contents("{$folder}/over the hills.png", png(640, 420));
        file_put_contents("{$folder}/second.png", png(300, 300));
        file_put_contents("{$folder}/a list.txt", str_repeat("hay\n", 500));
        $laptop->choose('#compose input[type=file]', ["{$folder}/over the hills.png"]);
        $this->check('chosen files are named', $laptop->until("document.querySelector('.attach span').textContent === 'over the hills.png'"));
        $laptop->type('#text', 'The view from the north gate, see https://example.org/north for the map.');
        $laptop->click('#compose .button');
        $this->check('a picture is shown on the phone', $phone->until("[...document.querySelectorAll('article img')].some(image => image.alt === 'over the hills.png' && image.naturalWidth === 640)"));
        $phone->choose('#compose input[type=file]', ["{$folder}/second.png", "{$folder}/over the hills.png", "{$folder}/a list.txt"]);
        $phone->click('#compose .button');
        $this->check('several files, from the phone, without a text', $laptop->until("document.querySelectorAll('article img').length === 3 && document.querySelector('.files a')?.textContent === 'a list.txt'"));
        $this->check('the form is empty again', $phone->until("document.querySelector('#compose input[type=file]').files.length === 0"));
        $phone->choose('#compose input[type=file]', array_fill(0, 5, "{$folder}/a list.txt"));
        $phone->click('#compose .button');
        $this->check('too many files: a sentence, the page stays', $phone->until("!document.querySelector('#problem').hidden && document.querySelector('#problem').textContent === 'A note has at most 4 files.'"));
        $this->same('the phone has loaded its page once', true, $phone->evaluate('window.stayed'));
        check_page($this, $phone, 'notes');
        $picture($phone, 'notes-phone');
        $picture($laptop, 'notes');
        $laptop->inTheDark();
        $picture($laptop, 'notes-dark');
        $laptop->inTheDark(false);

        foreach ([$laptop, $phone] as $window) {
            $window->evaluate("void new MutationObserver(() => { window.lost ||= !({$isLive}); }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true})");
        }
        Application::run(['reload', $app->folder]);
        $this->check('the windows lose their streams', $laptop->until('window.lost === true') && $phone->until('window.lost === true'));
        $this->check('and are live again', $laptop->until($isLive, 60.0) && $phone->until($isLive, 60.0));
        $laptop->type('#text', 'after the reload');
        $laptop->click('#compose .button');
        $this->check('with what is new', $phone->until($noteWith('after the reload'), 60.0) && $laptop->until($noteWith('after the reload')));
        $this->same('and the page that it had', true, $phone->evaluate('window.stayed'));

        $laptop->click('article footer a');
        $this->check('the page for changes', $laptop->until("location.pathname.startsWith('/notes/') && document.readyState === 'complete'"));
        $laptop->type('main textarea', 'changed after the reload');
        $picture($laptop, 'edit');
        $laptop->click('main .button');
        $this->check('a changed note takes the place of the old one', $phone->until($noteWith('changed after the reload') . ' && !' . $noteWith('after the reload')));
        $phone->click('article .link');
        $this->check('a deleted note goes from the other window', $laptop->until("{$isLive} && !" . $noteWith('changed after the reload')));

        foreach (['/tokens' => 'tokens', '/account' => 'the account', '/nowhere' => 'a page that is not there'] as $path => $name) {
            $phone->open("{$site}{$path}");
            check_page($this, $phone, $name);
        }
        $phone->open("{$site}/tokens");
        $phone->type('#name', 'the shell of my laptop');
        $phone->click('main .row .button');
        $this->check('a token', $phone->until("document.querySelector('#token')?.textContent.startsWith('paddock_')"));
        check_page($this, $phone, 'a new token');
        $picture($phone, 'tokens-phone');

        $phone->withoutScripts();
        $phone->open("{$site}/");
        $phone->type('#text', 'by a form alone');
        $phone->click('#compose .button');
        $this->check('without scripts a note is saved as well', $phone->until($noteWith('by a form alone')));
        $phone->click('nav .link');
        $this->check('and a logout ends all windows', $laptop->until("location.pathname === '/login'", 60.0));
        $this->check('nothing has failed on the way', !str_contains($app->output(), 'Stack trace'), substr($app->output(), -2000));
        unset($browser);
        exec('rm -rf ' . escapeshellarg($folder));
    }
}
