<?php

declare(strict_types=1);

namespace Stampede\Console;

use Stampede\Launcher\Address;
use Stampede\Launcher\LaunchException;
use Stampede\Launcher\Project;
use Stampede\Launcher\Server;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

#[AsCommand('nginx', 'prints a configuration of nginx in front of the server')]
final class NginxCommand extends Command
{
    protected function configure(): void
    {
        Arguments::add($this);
        $this->addOption('server-name', null, InputOption::VALUE_REQUIRED, 'the name of the site', '_');
        $this->addOption('port', null, InputOption::VALUE_REQUIRED, 'where nginx listens', '80');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $options = Arguments::options($input);
        $project = Project::find(Arguments::directory($input), $options);
        $servers = '';
        // With listeners of single workers nginx chooses the worker that has the fewest requests.
        $alone = Server::ofWorkers($options);
        $how = $alone === [] ? '' : "    least_conn;\n";
        foreach ($alone ?: array_map(Address::parse(...), $options->list('listen')) as $address) {
            if ($address->port === 0 && $address->type !== SWOOLE_SOCK_UNIX_STREAM) {
                throw new LaunchException('nginx cannot be told a port that is picked at the start: give --' . ($alone === [] ? 'listen' : 'worker-listen') . ' a number.');
            }
            $to = match ($address->type) {
                SWOOLE_SOCK_UNIX_STREAM => "unix:{$address->host}",
                SWOOLE_SOCK_TCP6 => "[{$address->host}]:{$address->port}",
                default => ($address->host === '0.0.0.0' ? '127.0.0.1' : $address->host) . ":{$address->port}",
            };
            $servers .= "    server {$to} max_fails=0;\n";
        }
        $body = (int) ceil($options->number('max-body') / (1 << 20));
        $output->write(<<<NGINX
            # For the context http. nginx keeps connections open; files of the document root never reach PHP. The application has the
            # client's address and https from nginx when it is served with --server='{"trusted_proxies":"private"}'.
            upstream stampede {
            {$how}{$servers}    keepalive 64;
            }

            map \$http_upgrade \$stampede_connection {
                default upgrade;
                ''      '';
            }

            server {
                listen {$input->getOption('port')};
                server_name {$input->getOption('server-name')};
                root {$project->documentRoot};
                client_max_body_size {$body}m;

                location ~ /\.(?!well-known/) { return 404; }
                location ~ \.php(/|$) { try_files /dev/null @stampede; }
                location / { try_files \$uri @stampede; }

                location @stampede {
                    proxy_pass http://stampede;
                    proxy_http_version 1.1;
                    proxy_set_header Host \$http_host;
                    proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
                    proxy_set_header X-Forwarded-Proto \$scheme;
                    proxy_set_header Upgrade \$http_upgrade;
                    proxy_set_header Connection \$stampede_connection;
                    proxy_buffering off;
                    proxy_read_timeout 75s;
                }
            }

            NGINX, false, OutputInterface::OUTPUT_RAW);
        return self::SUCCESS;
    }
}
