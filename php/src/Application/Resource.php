<?php

declare(strict_types=1);

namespace Stampede\Application;

/** What a path means. */
final readonly class Resource
{
    /**
     * @param string $file of a File, a Script or the FrontController: the whole path
     * @param string $scriptName what $_SERVER['SCRIPT_NAME'] is
     * @param string $pathInfo what follows the name of the script in the path
     * @param int $status of what is refused
     */
    private function __construct(
        public ResourceKind $kind,
        public string $file = '',
        public string $scriptName = '',
        public string $pathInfo = '',
        public int $status = 200,
    ) {}

    public static function file(string $file): self
    {
        return new self(ResourceKind::File, $file);
    }

    public static function script(string $file, string $name, string $pathInfo): self
    {
        return new self(ResourceKind::Script, $file, $name, $pathInfo);
    }

    public static function frontController(string $file, string $name, string $pathInfo): self
    {
        return new self(ResourceKind::FrontController, $file, $name, $pathInfo);
    }

    public static function folder(): self
    {
        return new self(ResourceKind::Folder, status: 301);
    }

    public static function refused(int $status): self
    {
        return new self(ResourceKind::Refused, status: $status);
    }
}
