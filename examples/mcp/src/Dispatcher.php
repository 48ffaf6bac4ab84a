<?php

declare(strict_types=1);

namespace Mcp;

use Closure;
use stdClass;

/** The methods of the protocol, without HTTP. */
final readonly class Dispatcher
{
    public const VERSIONS = ['2025-06-18', '2025-03-26']; // the newest first

    private const TOOLS = [
        ['name' => 'list_pages', 'description' => 'Names of all pages', 'inputSchema' => ['type' => 'object']],
        ['name' => 'read_page', 'description' => 'A page as Markdown', 'inputSchema' => [
            'type' => 'object', 'properties' => ['page' => ['type' => 'string', 'description' => 'a name that list_pages gives']], 'required' => ['page'],
        ]],
        ['name' => 'search_pages', 'description' => 'Lines that hold some words, with their pages', 'inputSchema' => [
            'type' => 'object', 'properties' => ['words' => ['type' => 'string']], 'required' => ['words'],
        ]],
    ];

    public function __construct(private Pages $pages) {}

    /**
     * @param array<mixed> $params
     * @param Closure(int, int): void $progress
     * @return array<string, mixed>|stdClass the result
     * @throws RpcError
     */
    public function call(string $method, array $params, Closure $progress): array|stdClass
    {
        return match ($method) {
            'initialize' => $this->initialize($params),
            'ping' => new stdClass(),
            'tools/list' => ['tools' => self::TOOLS],
            'tools/call' => $this->callTool(self::text($params, 'name'), is_array($params['arguments'] ?? null) ? $params['arguments'] : [], $progress),
            'resources/list' => ['resources' => array_map(static fn (string $name): array => ['uri' => "page:///{$name}", 'name' => $name, 'mimeType' => 'text/markdown'], $this->pages->names())],
            'resources/read' => ['contents' => [['uri' => $uri = self::text($params, 'uri'), 'mimeType' => 'text/markdown', 'text' => $this->page((string) preg_replace('~^page:///~', '', $uri))]]],
            default => throw new RpcError(RpcError::METHOD_NOT_FOUND, "There is no method {$method}."),
        };
    }

    /**
     * @param array<mixed> $params
     * @return array<string, mixed>
     */
    private function initialize(array $params): array
    {
        $asked = self::text($params, 'protocolVersion');
        return [
            'protocolVersion' => in_array($asked, self::VERSIONS, true) ? $asked : self::VERSIONS[0],
            'capabilities' => ['tools' => new stdClass(), 'resources' => ['listChanged' => true]],
            'serverInfo' => ['name' => 'pages', 'version' => '1.0.0'],
            'instructions' => 'Search the pages first, then read the ones that fit.',
        ];
    }

    /**
     * @param array<mixed> $arguments
     * @param Closure(int, int): void $progress
     * @return array<string, mixed>
     */
    private function callTool(string $name, array $arguments, Closure $progress): array
    {
        $text = match ($name) {
            'list_pages' => implode("\n", $this->pages->names()),
            'read_page' => $this->page(self::text($arguments, 'page')),
            'search_pages' => implode("\n", array_map(
                static fn (array $found): string => "{$found['page']}:{$found['line']}: {$found['text']}",
                $this->pages->search(self::text($arguments, 'words'), $progress),
            )) ?: 'Nothing was found.',
            default => throw new RpcError(RpcError::INVALID_PARAMS, "There is no tool {$name}."),
        };
        return ['content' => [['type' => 'text', 'text' => $text]]];
    }

    private function page(string $name): string
    {
        return $this->pages->read($name) ?? throw new RpcError(RpcError::INVALID_PARAMS, "There is no page {$name}.");
    }

    /** @param array<mixed> $given */
    private static function text(array $given, string $name): string
    {
        $value = $given[$name] ?? null;
        return is_string($value) && $value !== '' ? $value : throw new RpcError(RpcError::INVALID_PARAMS, "\"{$name}\" must be a text.");
    }
}
