<?php

declare(strict_types=1);

namespace Stampede\Acme;

use Stampede\Tls\CertificateRequest;

/** A certificate in the handshake of a connection that asks for it, for servers whose port 80 nobody reaches: RFC 8737. */
final class HandshakeProof implements Proof
{
    private const DAYS = 1;
    private const EXTENSION = '1.3.6.1.5.5.7.1.31'; // id-pe-acmeIdentifier
    private const OCTETS = '04:20:'; // the head of a string of 32 bytes in DER

    /** Where workers, which may be of another user, read the certificates: with them nothing can be done but this proof. */
    public readonly string $folder;

    public function __construct()
    {
        $this->folder = sys_get_temp_dir() . '/stampede-proofs-' . bin2hex(random_bytes(12));
    }

    public function type(): string
    {
        return 'tls-alpn-01';
    }

    public function show(string $name, string $token, string $text): void
    {
        $digest = implode(':', str_split(hash('sha256', $text), 2));
        $request = new CertificateRequest([$name], [self::EXTENSION => 'critical,DER:' . self::OCTETS . $digest]);
        if (!is_dir($this->folder)) {
            mkdir($this->folder, 0755);
        }
        $file = "{$this->folder}/{$name}.pem";
        if (@file_put_contents($file, $request->signedByItself(self::DAYS) . $request->key()) === false || !chmod($file, 0644)) {
            throw new AcmeException("The proof for {$name} cannot be written to {$this->folder}.");
        }
    }

    public function hide(string $name, string $token): void
    {
        @unlink("{$this->folder}/{$name}.pem");
        @rmdir($this->folder);
    }
}
