<?php

/** @generate-function-entries */

namespace Stampede;

/**
 * The metrics of the server as text, in the format of Prometheus (0.0.4) or as OpenMetrics (1.0). In the server's first process. $more are samples that the
 * caller knows, of metrics in the table, by their names: a list of [values of labels, number].
 * @return string|null null: no server runs in this process, or it has no metrics (enable_metrics)
 */
function metrics_text(bool $isOpenMetrics = false, array $more = []): ?string {}

/**
 * The table of the server's own metrics.
 * @return list<array{name: string, type: string, labels: list<string>, help: string}>
 */
function metric_families(): array {}

/** A descriptor of the memory of the metrics, for a program that counts there, too: STAMPEDE_METRICS in its environment is the descriptor's number. -1: there is none. */
function metrics_file(): int {}

/** What is said of the request in the metrics: its route (empty: nothing new), and how it is handled from now on: coroutine, sequential or process (empty: as the server's setting says). */
function describe_request(\Swoole\Http\Response $response, string $route, string $isolation = ''): void {}

/** In a process that handles requests for a worker: what Metrics::route() was given since the last call. */
function take_route(): string {}
