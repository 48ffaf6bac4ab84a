<?php

declare(strict_types=1);

namespace Stampede\Log;

use Stampede\Config\Configuration;
use Stampede\Config\LogFormat;
use Stampede\Config\Suggestion;
use Stampede\Exception\ConfigurationException;

/** Lines for requests, which the engine writes: coloured in a terminal, JSON for programs. */
final class AccessLog
{
    private const JSON = ['time', 'level', 'worker', 'method', 'path', 'status', 'ms', 'bytes', 'client', 'request_id', 'trace_id'];
    private const MORE = ['target', 'query', 'protocol', 'https', 'host', 'referer', 'user_agent', 'remote_addr', 'duration_us'];
    private const OF_TEXT = ['bytes', 'client', 'request_id', 'trace_id', 'worker']; // which lines of JSON have anyhow
    private const ALIASES = ['ua' => 'user_agent', 'referrer' => 'referer'];
    private const FILTER = '/^(all|errors|slow:\d{1,9}|off)$/D';

    /**
     * @return array<string, mixed> of the server
     * @throws ConfigurationException
     */
    public static function settings(Configuration $options): array
    {
        $filter = $options->text('access-log');
        if (preg_match(self::FILTER, $filter) !== 1) {
            throw new ConfigurationException("The option \"access-log\" must be all, errors, slow:MILLISECONDS or off, not \"{$filter}\".");
        }
        $format = LogFormat::of($options);
        $fields = self::fields($options, $format);
        $file = $options->is('daemon') ? $options->text('log-file') : 'stderr'; // a daemon has no standard error
        if ($format === LogFormat::Off || $filter === 'off' || $file === '') {
            return ['access_log_format' => 'off'];
        }
        return [
            'access_log' => $file,
            'access_log_format' => $format === LogFormat::Text && self::isTerminal($options) && getenv('NO_COLOR') === false ? 'coloured' : $format->value,
            'access_log_filter' => $filter,
            'access_log_sample' => self::sample($options),
            'access_log_fields' => $fields,
        ];
    }

    /** @return list<string> */
    private static function fields(Configuration $options, LogFormat $format): array
    {
        $given = array_map(static fn (string $name): string => self::ALIASES[$name] ?? $name, $options->list('log-fields'));
        $usual = $format === LogFormat::Json ? self::JSON : [];
        $known = [...self::MORE, ...self::OF_TEXT];
        foreach ($given as $name) {
            if (!in_array($name, [...self::JSON, ...$known], true)) {
                $names = [...$known, ...array_keys(self::ALIASES)];
                throw new ConfigurationException("The option \"log-fields\" has the field \"{$name}\", which does not exist" . Suggestion::for($name, $names) . '. There are ' . implode(', ', self::MORE) . '.');
            }
        }
        return array_values(array_unique([...$usual, ...$given]));
    }

    private static function sample(Configuration $options): float
    {
        $share = (float) $options->get('log-sample');
        if ($share > 1.0) {
            throw new ConfigurationException("The option \"log-sample\" must be from 0 to 1, the share of requests that have a line, not {$share}.");
        }
        return $share;
    }

    private static function isTerminal(Configuration $options): bool
    {
        return stream_isatty(STDERR) && !$options->is('daemon'); // which leaves the terminal later
    }
}
