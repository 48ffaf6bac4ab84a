<?php

declare(strict_types=1);

namespace Stampede\Tests\E2e;

/** A folder with an authority and certificates that it signed, made by openssl. Each has NAME.pem and NAME.key. */
final class Certificates
{
    public readonly string $folder;

    public function __construct()
    {
        $this->folder = sys_get_temp_dir() . '/stampede-certificates-' . getmypid();
        mkdir($this->folder);
        $this->openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30', '-subj', '/CN=Test authority',
            '-keyout', 'ca.key', '-out', 'ca.pem');
        $this->sign('server', 'DNS:localhost,IP:127.0.0.1');
        $this->sign('client', 'email:client@example.com');
        $this->sign('expired', 'DNS:localhost', ['-not_before', '20200101000000Z', '-not_after', '20200102000000Z']);
        $this->openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30', '-subj', '/CN=localhost',
            '-addext', 'subjectAltName=DNS:localhost', '-keyout', 'alone.key', '-out', 'alone.pem');
        $this->openssl('ec', '-in', 'server.key', '-aes128', '-passout', 'pass:secret', '-out', 'locked.key');
    }

    public function __destruct()
    {
        array_map(unlink(...), glob("$this->folder/*") ?: []);
        rmdir($this->folder);
    }

    public function path(string $name): string
    {
        return "$this->folder/$name";
    }

    /** An OCSP response (DER) of the authority that the certificate is good; its path. */
    public function staple(string $name): string
    {
        $this->openssl('ocsp', '-index', 'index', '-rsigner', 'ca.pem', '-rkey', 'ca.key', '-CA', 'ca.pem', '-issuer', 'ca.pem', '-cert', "$name.pem",
            '-respout', "$name.ocsp", '-ndays', '7', '-no_nonce');
        return $this->path("$name.ocsp");
    }

    /** A certificate of an authority in between ("middle", which "ca" signed). */
    public function signBelow(string $name): void
    {
        $new = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
        $this->openssl(...$new, ...['-subj', '/CN=middle', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-keyout', 'middle.key', '-out', 'middle.pem',
            '-addext', 'basicConstraints=critical,CA:TRUE']);
        $this->openssl(...$new, ...['-subj', "/CN=$name", '-CA', 'middle.pem', '-CAkey', 'middle.key', '-keyout', "$name.key", '-out', "$name.pem",
            '-addext', 'basicConstraints=critical,CA:FALSE']);
    }

    /** @param list<string> $dates as options of openssl ca */
    public function sign(string $name, string $names, array $dates = ['-days', '30']): void
    {
        file_put_contents("$this->folder/ca.conf", "[ca]\ndefault_ca=a\n[a]\ndatabase=index\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\n"
            . "unique_subject=no\ncopy_extensions=none\n[p]\nCN=supplied\n[e]\nsubjectAltName=$names\n");
        @touch("$this->folder/index");
        @file_put_contents("$this->folder/serial", is_file("$this->folder/serial") ? (string) file_get_contents("$this->folder/serial") : "1000\n");
        $this->openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', "/CN=$name", '-keyout', "$name.key", '-out', "$name.csr");
        $this->openssl('ca', '-batch', '-notext', '-config', 'ca.conf', '-extensions', 'e', '-cert', 'ca.pem', '-keyfile', 'ca.key', '-in', "$name.csr",
            '-out', "$name.pem", ...$this->datesFor($dates));
    }

    /**
     * @param list<string> $dates
     * @return list<string>
     */
    private function datesFor(array $dates): array
    {
        return str_replace(['-not_before', '-not_after'], ['-startdate', '-enddate'], $dates);
    }

    private function openssl(string ...$arguments): void
    {
        $process = proc_open(['openssl', ...array_values($arguments)], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes, $this->folder);
        $said = stream_get_contents($pipes[1]);
        if (proc_close($process) !== 0) {
            throw new \RuntimeException("openssl said: $said");
        }
    }
}
