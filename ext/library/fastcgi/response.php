<?php

declare(strict_types=1);

namespace Swoole\FastCGI;

use InvalidArgumentException;

/** A response, put together from its records. */
class Response extends Message
{
    /**
     * @param list<Record> $records
     * @throws InvalidArgumentException when they do not end with the end of the request
     */
    public function __construct(array $records)
    {
        if (!static::verify($records)) {
            throw new InvalidArgumentException('The records do not end with an EndRequest: the response is not complete.');
        }
        $body = $error = '';
        foreach ($records as $record) {
            if ($record instanceof Record\Stdout) {
                $body .= $record->getContentData();
            } elseif ($record instanceof Record\Stderr) {
                $error .= $record->getContentData();
            }
        }
        $this->body = $body;
        $this->error = $error;
    }

    /** @param list<Record> $records */
    protected static function verify(array $records): bool
    {
        return end($records) instanceof Record\EndRequest;
    }
}
