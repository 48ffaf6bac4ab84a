<?php

declare(strict_types=1);

namespace Stampede\Acme;

use Stampede\Config\Configuration;
use Stampede\Exception\ConfigurationException;
use Stampede\Tls\Certificate;
use Stampede\Tls\CertificateRequest;
use Stampede\Tls\PrivateFiles;

/** The names that an authority is asked for, where it is, and the files of its account and certificate. */
final readonly class Settings
{
    private const KEY = 'account.key';
    private const DAYS = 30; // of the certificate that serves until the authority has made one

    /** @param non-empty-list<string> $names */
    private function __construct(
        public array $names,
        public string $directory,
        public string $email,
        public string $externalAccount,
        private PrivateFiles $files,
    ) {}

    /**
     * @return self|null null: certificates come from nobody
     * @throws ConfigurationException
     */
    public static function of(Configuration $options): ?self
    {
        $names = array_map(strtolower(...), $options->list('acme'));
        if ($names === []) {
            foreach (['acme-email', 'acme-external-account', 'acme-folder'] as $name) {
                if ($options->text($name) !== '') {
                    throw new ConfigurationException("The option \"{$name}\" has no effect without --acme=DOMAIN.");
                }
            }
            return null;
        }
        foreach ($names as $name) {
            if (str_starts_with($name, '*.')) {
                throw new ConfigurationException("An authority proves \"{$name}\" by DNS alone, which --acme cannot do: name each host, or give a certificate with --tls-certificate.");
            }
            if (preg_match('/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/D', $name) !== 1) {
                throw new ConfigurationException("\"{$name}\" is no public host name: --acme takes names such as www.example.com.");
            }
        }
        $directory = $options->text('acme-directory');
        if (filter_var($directory, FILTER_VALIDATE_URL) === false || !str_starts_with($directory, 'https://')) {
            throw new ConfigurationException("The option \"acme-directory\" must be a URL that begins with https://, not \"{$directory}\".");
        }
        if ($options->text('acme-external-account') !== '' && preg_match('/^[^:]+:[\w-]+=*$/D', $options->text('acme-external-account')) !== 1) {
            throw new ConfigurationException('The option "acme-external-account" must be KEY-ID:SECRET, as the authority gives them.');
        }
        return new self($names, $directory, $options->text('acme-email'), $options->text('acme-external-account'), self::files($options->text('acme-folder'), $directory));
    }

    /** That of the authority, or before there is one, one that is signed by itself: the server must listen so that the authority can prove it. */
    public function certificate(): Certificate
    {
        $file = "{$this->names[0]}.pem";
        if ($this->files->read($file) === null) {
            $request = new CertificateRequest($this->names);
            $this->files->write($file, $request->signedByItself(self::DAYS) . $request->key());
        }
        return Certificate::read($this->files->path($file), $this->files->path($file));
    }

    public function account(): Account
    {
        $text = $this->files->read(self::KEY);
        if ($text === null) {
            $text = CertificateRequest::textOf(CertificateRequest::newKey());
            $this->files->write(self::KEY, $text);
        }
        $key = openssl_pkey_get_private($text);
        if ($key === false) {
            throw new ConfigurationException("The key of the account in {$this->files->path(self::KEY)} cannot be used: remove the file, and a new account is made.");
        }
        return new Account(new Http(), new Jws($key), $this->directory, $this->email, $this->externalAccount);
    }

    /** The new certificate takes the place of the one before. @throws ConfigurationException when it cannot be used, or not be written */
    public function keep(string $chainAndKey): Certificate
    {
        $file = "{$this->names[0]}.pem";
        $this->files->write("{$file}.new", $chainAndKey);
        $new = Certificate::read($this->files->path("{$file}.new"), $this->files->path("{$file}.new"));
        if (array_diff($this->names, $new->names) !== []) {
            throw new ConfigurationException('The authority has made a certificate for other names: ' . implode(', ', $new->names) . '.');
        }
        $this->files->write($file, $chainAndKey);
        @unlink($this->files->path("{$file}.new"));
        return $this->certificate();
    }

    /**
     * @return resource|null null: another server with this folder asks the authority now
     * @throws ConfigurationException when there can be no lock
     */
    public function lock()
    {
        $file = $this->files->path('lock');
        $lock = @fopen($file, 'c') ?: throw new ConfigurationException("The file {$file} cannot be opened: " . preg_replace('/^.*: /', '', error_get_last()['message'] ?? 'unknown reason') . '.');
        return flock($lock, LOCK_EX | LOCK_NB) ? $lock : null;
    }

    private static function files(string $folder, string $directory): PrivateFiles
    {
        $folder = $folder !== '' ? $folder : (posix_geteuid() === 0 ? '/var/lib/stampede/acme' : PrivateFiles::home() . '/acme');
        $authority = (string) preg_replace('/[^a-z0-9.-]+/', '_', strtolower(substr($directory, strlen('https://'))));
        PrivateFiles::in($folder, 'name another one with --acme-folder.');
        return PrivateFiles::in("{$folder}/{$authority}", 'name another one with --acme-folder.');
    }
}
