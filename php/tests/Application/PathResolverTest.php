<?php

declare(strict_types=1);

namespace Stampede\Tests\Application;

use Stampede\Application\ApplicationDescriptor;
use Stampede\Application\ApplicationType;
use Stampede\Application\LinkPolicy;
use Stampede\Application\PathResolver;
use Stampede\Application\ResourceKind;
use Stampede\Application\RootScope;

final class PathResolverTest extends TemporaryFolder
{
    public function testLinksOutOfTheDocumentRoot(): void
    {
        $this->write(['app/index.php', 'elsewhere/tool.php', 'elsewhere/style.css', 'elsewhere/.secret/x.css', 'elsewhere/.secret/x.php', 'elsewhere/dump.sql']);
        foreach (['tool.php', 'style.css'] as $name) {
            symlink("{$this->folder}/elsewhere/{$name}", "{$this->folder}/app/{$name}");
        }
        symlink("{$this->folder}/elsewhere", "{$this->folder}/app/lib");
        symlink("{$this->folder}/elsewhere/.secret", "{$this->folder}/app/shown");
        symlink("{$this->folder}/elsewhere/dump.sql", "{$this->folder}/app/dump.css");
        $all = ['/tool.php' => ResourceKind::Script, '/style.css' => ResourceKind::File, '/lib/tool.php' => ResourceKind::Script, '/lib/style.css' => ResourceKind::File];
        foreach ($all as $path => $kind) {
            self::assertSame($kind, $this->resolver()->resolve($path)->kind, $path);
            self::assertSame(ResourceKind::FrontController, $this->resolver(LinkPolicy::Inside)->resolve($path)->kind, "{$path} inside");
        }
        self::assertSame("{$this->folder}/app/lib/tool.php", $this->resolver()->resolve('/lib/tool.php')->file);
        self::assertSame(ResourceKind::FrontController, $this->resolver()->resolve('/shown/x.css')->kind);
        self::assertSame(ResourceKind::FrontController, $this->resolver()->resolve('/dump.css')->kind);
        self::assertSame(404, $this->resolver()->resolve('/shown/x.php')->status);
    }

    public function testAnHtaccessThatLetsSomeFilesThrough(): void
    {
        $this->write(['app/index.php', 'app/in/a.js', 'app/in/b.js', 'app/in/c.css', 'app/in/deep/d.css', 'app/in/run.php', 'app/in/deep/.htaccess' => 'Require all granted']);
        $this->write(['app/in/.htaccess' => "<IfModule !mod_authz_core.c>\nDeny from all\n</IfModule>\n<FilesMatch \"^(a\\.js|x\\.js)$\">\n  <IfModule !mod_authz_core.c>\n Allow from all\n</IfModule>\n Require all granted\n</FilesMatch>\n<Files \"c.*\">\nAllow from all\n</Files>"]);
        $kinds = array_map(fn (string $path): ResourceKind => $this->resolver()->resolve($path)->kind, ['/in/a.js', '/in/b.js', '/in/c.css', '/in/deep/d.css']);
        self::assertSame([ResourceKind::File, ResourceKind::FrontController, ResourceKind::File, ResourceKind::File], $kinds);
        self::assertSame(403, $this->resolver()->resolve('/in/run.php')->status);
    }

    public function testScriptsFoldersAndTheFrontController(): void
    {
        $this->write(['app/index.php', 'app/tool.php', 'app/dir.php/inner.php', 'app/sub/index.php', 'app/empty/x', 'app/style.css']);
        $resolver = $this->resolver();
        $seen = [];
        foreach (['/', '/nothing', '/index.php', '/index.php/a', '/tool.php', '/tool.php/a/b', '/dir.php/inner.php/x', '/sub', '/sub/', '/empty', '/empty/', '/no.php', '/style.css/x.php', '/tool.phpx', '/sub/nothing'] as $path) {
            $found = $resolver->resolve($path);
            $seen[$path] = "{$found->kind->name} {$found->scriptName} {$found->pathInfo}";
        }
        self::assertSame([
            '/' => 'FrontController /index.php ', '/nothing' => 'FrontController /index.php ', '/index.php' => 'FrontController /index.php ', '/index.php/a' => 'FrontController /index.php /a',
            '/tool.php' => 'Script /tool.php ', '/tool.php/a/b' => 'Script /tool.php /a/b', '/dir.php/inner.php/x' => 'Script /dir.php/inner.php /x', '/sub' => 'Folder  ', '/sub/' => 'Script /sub/index.php ',
            '/empty' => 'Folder  ', '/empty/' => 'Refused  ', '/no.php' => 'Refused  ', '/style.css/x.php' => 'Refused  ',
            '/tool.phpx' => 'FrontController /index.php ', '/sub/nothing' => 'FrontController /index.php ',
        ], $seen);
        self::assertSame(400, $resolver->resolve(null)->status);
        self::assertSame(403, $resolver->resolve('/empty/')->status);
        self::assertSame(405, $resolver->resolve('/style.css', 'POST')->status);
    }

    public function testAFolderOfScriptsHasNoFrontController(): void
    {
        $this->write(['app/tool.php', 'app/sub/index.php', 'app/pages/index.html', 'app/empty/x', 'app/.hidden/x.css']);
        $root = "{$this->folder}/app";
        $resolver = new PathResolver(new ApplicationDescriptor($root, ApplicationType::Scripts, '', $root, RootScope::ApplicationFolder, LinkPolicy::Anywhere));
        $seen = [];
        foreach (['/', '/tool.php', '/tool.php/a', '/sub/', '/sub', '/pages/', '/empty/', '/nothing', '/nothing.php', '/.hidden/', '/.hidden/x.css'] as $path) {
            $found = $resolver->resolve($path);
            $seen[$path] = "{$found->kind->name} {$found->status} {$found->scriptName}{$found->pathInfo}";
        }
        self::assertSame([
            '/' => 'Refused 403 ', '/tool.php' => 'Script 200 /tool.php', '/tool.php/a' => 'Script 200 /tool.php/a', '/sub/' => 'Script 200 /sub/index.php', '/sub' => 'Folder 301 ',
            '/pages/' => 'File 200 ', '/empty/' => 'Refused 403 ', '/nothing' => 'Refused 404 ', '/nothing.php' => 'Refused 404 ', '/.hidden/' => 'Refused 404 ', '/.hidden/x.css' => 'Refused 404 ',
        ], $seen);
        $this->write(['app/index.html']);
        self::assertSame("{$root}/index.html", $resolver->resolve('/')->file);
    }

    public function testDocumentsAreSentOfFoldersForThem(): void
    {
        $this->write(['app/index.php', 'app/wp-content/uploads/2026/list.csv', 'app/wp-content/uploads/dump.sql', 'app/data/list.csv', 'app/files/a.docx', 'app/a.pdf', 'app/doc/help.html', 'app/templates/mail.html', 'app/config.json']);
        $kinds = [];
        foreach (['/wp-content/uploads/2026/list.csv', '/wp-content/uploads/dump.sql', '/data/list.csv', '/files/a.docx', '/a.pdf', '/doc/help.html', '/templates/mail.html', '/config.json'] as $path) {
            $kinds[$path] = $this->resolver()->resolve($path)->kind === ResourceKind::File;
        }
        self::assertSame(['/wp-content/uploads/2026/list.csv' => true, '/wp-content/uploads/dump.sql' => false, '/data/list.csv' => false, '/files/a.docx' => true, '/a.pdf' => true, '/doc/help.html' => true, '/templates/mail.html' => false, '/config.json' => false], $kinds);
    }

    public function testChangesOfARememberedScript(): void
    {
        $this->write(['app/index.php', 'app/tool.php', 'app/other.php']);
        $resolver = $this->resolver();
        self::assertSame([ResourceKind::Script, ResourceKind::Script], [$resolver->resolve('/tool.php')->kind, $resolver->resolve('/other.php')->kind]);
        unlink("{$this->folder}/app/tool.php");
        self::assertSame(404, $resolver->resolve('/tool.php')->status);
        $this->write(['app/.htaccess' => 'Require all denied']);
        $until = microtime(true) + 5.0;
        while (($status = $resolver->resolve('/other.php')->status) !== 403 && microtime(true) < $until) {
            usleep(10_000);
        }
        self::assertSame(403, $status);
    }

    private function resolver(LinkPolicy $links = LinkPolicy::Anywhere): PathResolver
    {
        $root = "{$this->folder}/app";
        return new PathResolver(new ApplicationDescriptor($root, ApplicationType::Plain, "{$root}/index.php", $root, RootScope::ApplicationFolder, $links));
    }
}
