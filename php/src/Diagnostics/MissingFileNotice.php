<?php

declare(strict_types=1);

namespace Stampede\Diagnostics;

use Stampede\Application\ApplicationDescriptor;
use Stampede\Application\PathResolver;
use Stampede\Application\RequestPath;
use Stampede\Application\RootScope;
use Stampede\Log\Logger;
use Swoole\Http\Request;

/** Says once why a file that is there is not sent: the document root is the application's own folder, or the file lies beside the document root. */
final class MissingFileNotice
{
    private bool $isSaid = false;
    private readonly PathResolver $paths;

    public function __construct(private readonly ApplicationDescriptor $application, private readonly Logger $logger)
    {
        $this->paths = new PathResolver($application);
    }

    public function note(Request $request): void
    {
        $path = $this->isSaid ? null : RequestPath::of($request->server['path_info'] ?? '/');
        if ($path === null || !str_contains(basename($path), '.')) {
            return;
        }
        $why = match (true) {
            $this->paths->keepsBack($path) => "{$this->application->documentRoot} is the application's own folder, of which styles, scripts, images and fonts are sent alone",
            $this->liesBeside($path) => "the document root is {$this->application->documentRoot}",
            default => null,
        };
        if ($why !== null) {
            $this->isSaid = true;
            $this->logger->error("GET {$path} is a file, but is not sent: {$why}. Name the folder of files for everybody with --document-root=FOLDER.");
        }
    }

    private function liesBeside(string $path): bool
    {
        $files = $this->application->files();
        return $this->application->documentRoot !== $this->application->directory && $this->application->scope === RootScope::PublicFolder
            && $files->sends($path) && is_file($this->application->directory . $path);
    }
}
