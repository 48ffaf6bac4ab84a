<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A window of a Browser. Elements are named by CSS selectors. */
final class BrowserWindow
{
    private const PATIENCE = 30.0;
    /** The middle of an element, when it is on top there. */
    private const PLACE = <<<'JS'
        (element => {
            element.scrollIntoView({ block: 'center', behavior: 'instant' })
            const box = element.getBoundingClientRect()
            const middle = [box.x + box.width / 2, box.y + box.height / 2]
            return element.contains(document.elementFromPoint(...middle)) ? middle : null
        })(document.querySelector(%s))
        JS;

    public function __construct(private readonly Browser $browser, private readonly string $session) {}

    /** Returns when the page is there, with its scripts. */
    public function open(string $url): void
    {
        $this->evaluate('window.isOld = true');
        $this->call('Page.navigate', ['url' => $url]);
        $this->until("!window.isOld && document.readyState === 'complete'");
    }

    /** The value of an expression; one that throws gives null, and so does one that a new page has cut off. */
    public function evaluate(string $expression): mixed
    {
        try {
            return $this->call('Runtime.evaluate', ['expression' => $expression, 'returnByValue' => true, 'awaitPromise' => true])['result']['value'] ?? null;
        } catch (\RuntimeException $failure) {
            return str_contains($failure->getMessage(), 'navigated or closed') ? null : throw $failure;
        }
    }

    public function until(string $expression, float $seconds = self::PATIENCE): bool
    {
        return Server::until($seconds, fn (): bool => $this->evaluate($expression) === true);
    }

    /** As a user does: the element is focused, and gets input events. */
    public function type(string $selector, string $text): void
    {
        $this->evaluate(sprintf('(element => { element.focus(); element.select() })(document.querySelector(%s))', json_encode($selector)));
        $this->call('Input.insertText', ['text' => $text]);
    }

    /** With the mouse, in the middle of the element, once it rests and nothing covers it. */
    public function click(string $selector): void
    {
        $place = null;
        $rests = function () use ($selector, &$place): bool {
            $before = $place;
            $place = $this->evaluate(sprintf(self::PLACE, json_encode($selector)));
            return is_array($place) && $place === $before;
        };
        if (!Server::until(self::PATIENCE, $rests)) {
            throw new \RuntimeException("There is no {$selector} to click at in {$this->evaluate('location.href')}: {$this->evaluate('document.body.innerText')}");
        }
        foreach (['mousePressed', 'mouseReleased'] as $type) {
            $this->call('Input.dispatchMouseEvent', ['type' => $type, 'x' => $place[0], 'y' => $place[1], 'button' => 'left', 'clickCount' => 1]);
        }
    }

    /** @param list<string> $paths files for a file input */
    public function choose(string $selector, array $paths): void
    {
        $object = $this->call('Runtime.evaluate', ['expression' => sprintf('document.querySelector(%s)', json_encode($selector))])['result']['objectId'];
        $this->call('DOM.setFileInputFiles', ['files' => $paths, 'objectId' => $object]);
    }

    public function withoutScripts(): void
    {
        $this->call('Emulation.setScriptExecutionDisabled', ['value' => true]);
    }

    public function inTheDark(bool $dark = true): void
    {
        $this->call('Emulation.setEmulatedMedia', ['features' => [['name' => 'prefers-color-scheme', 'value' => $dark ? 'dark' : 'light']]]);
    }

    /** Of the whole page, as PNG. */
    public function picture(string $path): void
    {
        file_put_contents($path, base64_decode($this->call('Page.captureScreenshot', ['captureBeyondViewport' => true])['data'], true));
    }

    /**
     * @param array<string, mixed> $parameters
     * @return array<string, mixed>
     */
    private function call(string $method, array $parameters = []): array
    {
        return $this->browser->call($method, $parameters, $this->session);
    }
}
