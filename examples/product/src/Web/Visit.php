<?php

declare(strict_types=1);

namespace Paddock\Web;

use LogicException;
use Paddock\Accounts\Session;
use Paddock\Accounts\User;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\UploadedFileInterface;

/** A request, and who has sent it. */
final readonly class Visit
{
    /** @param array<string, string> $parameters of the path */
    public function __construct(public ServerRequestInterface $request, public Session $session, private ?User $user, private array $parameters) {}

    public function user(): User
    {
        return $this->user ?? throw new LogicException('This route is for members.');
    }

    public function isMember(): bool
    {
        return $this->user !== null;
    }

    public function parameter(string $name): string
    {
        return $this->parameters[$name];
    }

    public function query(string $name): string
    {
        $value = $this->request->getQueryParams()[$name] ?? '';
        return is_string($value) ? $value : '';
    }

    /** Of a form; empty when it is not there, or is no text. */
    public function field(string $name): string
    {
        $fields = $this->request->getParsedBody();
        $value = is_array($fields) ? $fields[$name] ?? '' : '';
        return is_string($value) ? $value : '';
    }

    /** @return list<UploadedFileInterface> without the empty one that a form sends when none was chosen */
    public function uploads(): array
    {
        $uploads = [];
        $given = $this->request->getUploadedFiles();
        array_walk_recursive($given, static function (mixed $upload) use (&$uploads): void {
            if ($upload instanceof UploadedFileInterface && $upload->getError() !== UPLOAD_ERR_NO_FILE) {
                $uploads[] = $upload;
            }
        });
        return $uploads;
    }

    /** Scripts of our pages ask so; they get sentences instead of pages. */
    public function wantsJson(): bool
    {
        return str_contains($this->request->getHeaderLine('Accept'), 'application/json');
    }

    public function address(): string
    {
        $address = $this->request->getServerParams()['REMOTE_ADDR'] ?? '';
        return is_string($address) ? $address : '';
    }

    public function isSecure(): bool
    {
        return $this->request->getUri()->getScheme() === 'https';
    }
}
