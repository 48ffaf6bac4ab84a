<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Application\ApplicationDescriptor;
use Stampede\Application\DeniedFolders;
use Stampede\Application\LinkPolicy;
use Stampede\Application\RootScope;
use Stampede\Config\ListenAddress;
use Stampede\Exception\ConfigurationException;

/** A configuration of nginx in front of the server. What nginx sends itself is what the server would send: both come from PublicFiles. */
final readonly class NginxConfiguration
{
    private const TO_SERVER = 'try_files /dev/null @stampede;';

    /**
     * @param list<ListenAddress> $addresses of the server
     * @param bool $isSpread whether each is the address of one worker alone
     */
    public function __construct(private ApplicationDescriptor $application, private array $addresses, private bool $isSpread) {}

    public function text(string $listen, int $maxBody): string
    {
        $servers = $this->servers();
        $serverName = $this->application->serverName === '' ? '_' : $this->application->serverName;
        $body = (int) ceil($maxBody / (1 << 20));
        return <<<NGINX
            # For the context http. The application has the client's address and https from nginx when it is served with
            # --trusted-proxies=127.0.0.1, or the address that nginx has on another machine.
            upstream stampede {
            {$servers}    keepalive 64;
            }

            map \$http_upgrade \$stampede_connection {
                default upgrade;
                ''      '';
            }

            server {
                listen {$listen};
                server_name {$serverName};
                root {$this->application->documentRoot};
                client_max_body_size {$body}m;

            {$this->files()}
                location @stampede {
                    proxy_pass http://stampede;
                    proxy_http_version 1.1;
                    proxy_set_header Host \$http_host;
                    proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
                    proxy_set_header X-Forwarded-Proto \$scheme;
                    proxy_set_header X-Forwarded-Host \$host;
                    proxy_set_header X-Forwarded-Port \$server_port;
                    proxy_set_header X-Forwarded-Prefix "";
                    proxy_set_header X-Real-IP \$remote_addr;
                    proxy_set_header Forwarded "";
                    proxy_set_header Upgrade \$http_upgrade;
                    proxy_set_header Connection \$stampede_connection;
                    # Slow clients hold nginx, not the application; event streams turn it off themselves (X-Accel-Buffering).
                    proxy_buffering on;
                    proxy_read_timeout 75s;
                }
            }

            NGINX;
    }

    /** @return string the lines of the group of servers */
    private function servers(): string
    {
        $servers = $this->isSpread ? "    least_conn;\n" : ''; // nginx chooses the worker that has the fewest requests
        $plain = array_filter($this->addresses, static fn (ListenAddress $address): bool => !$address->isSecure);
        if ($plain === []) {
            throw new ConfigurationException('nginx speaks to the server without TLS: give an address of --listen without https://.');
        }
        foreach ($plain as $address) {
            $servers .= "    server {$this->name($address)} max_fails=0;\n";
        }
        return $servers;
    }

    private function name(ListenAddress $address): string
    {
        if ($address->port === 0 && $address->type !== SWOOLE_SOCK_UNIX_STREAM) {
            throw new ConfigurationException('nginx cannot be told a port that is picked at the start: give --' . ($this->isSpread ? 'worker-listen' : 'listen') . ' a number.');
        }
        return match ($address->type) {
            SWOOLE_SOCK_UNIX_STREAM => "unix:{$address->host}",
            SWOOLE_SOCK_TCP6 => "[{$address->host}]:{$address->port}",
            default => ($address->host === '0.0.0.0' ? '127.0.0.1' : $address->host) . ":{$address->port}",
        };
    }

    /** Which paths nginx answers with a file. */
    private function files(): string
    {
        $toServer = self::TO_SERVER;
        if ($this->application->scope === RootScope::ApplicationFolder) {
            return <<<NGINX
                    # The document root is the application's own folder: the server knows what of it is for everybody.
                    location / { {$toServer} }

                NGINX;
        }
        $never = $this->application->files()->neverAsExpression();
        $denied = '';
        foreach (DeniedFolders::below($this->application->documentRoot) as $folder) {
            $denied .= "    location ^~ {$folder} { {$toServer} } # its .htaccess denies it\n";
        }
        $links = $this->application->links === LinkPolicy::Anywhere ? 'a link is the server\'s' : 'links that stay in the folder are the server\'s';
        return <<<NGINX
            {$denied}    # Hidden files, scripts, sources, databases, backups and the like are the server's, which sends none of them;
                # {$links}: it looks at what it leads to.
                location ~ /\\. { {$toServer} }
                location ~ \.php(/|$) { {$toServer} }
                location ~* "^(.*/)?({$never})[. ]*$" { {$toServer} }
                location / { disable_symlinks on from=\$document_root; try_files \$uri @stampede; }

            NGINX;
    }
}
