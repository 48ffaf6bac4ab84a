<?php

declare(strict_types=1);

namespace Stampede\Acme;

use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Table;

/** What proves to the authority that this server has a name: a text at a path, the same in all workers. RFC 8555, section 8.3. */
final readonly class PageProof implements Proof
{
    private const PATH = '/.well-known/acme-challenge/';
    private const MOST = 256; // at once
    private const LONGEST = 512; // bytes

    private Table $table;

    /** Before there are workers: they share the table. */
    public function __construct()
    {
        $this->table = new Table(self::MOST);
        $this->table->column('text', Table::TYPE_STRING, self::LONGEST);
        $this->table->create();
    }

    public function type(): string
    {
        return 'http-01';
    }

    public function show(string $name, string $token, string $text): void
    {
        if (preg_match('/^[\w-]+$/D', $token) !== 1 || strlen($text) > self::LONGEST || !$this->table->set(md5($token), ['text' => $text])) {
            throw new AcmeException('The authority asks for a proof that cannot be kept.');
        }
    }

    public function hide(string $name, string $token): void
    {
        $this->table->del(md5($token));
    }

    /** Whether the request was one of the authority, which has its response then. */
    public function handle(Request $request, Response $response): bool
    {
        $path = $request->server['path_info'] ?? '';
        if (!str_starts_with($path, self::PATH)) {
            return false;
        }
        $text = $this->table->get(md5(substr($path, strlen(self::PATH))), 'text');
        if (!is_string($text)) {
            return false;
        }
        $response->header('Content-Type', 'application/octet-stream');
        $response->end($text);
        return true;
    }
}
