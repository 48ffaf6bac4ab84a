<?php

declare(strict_types=1);

namespace Stampede\Bench;

/** One comparison: a ratio within a round of one run, its spread over the rounds, and what it is held to. */
final class Figure
{
    /**
     * @param non-empty-list<float> $ratios one for each round
     * @param float|null $limit what it must reach; null: it is shown and nothing is asked of it
     * @param bool $more whether a larger ratio is better for Stampede
     * @param float $even where Stampede and its opponent are even; on the wrong side of it Stampede loses
     * @param float|null $value what is stated instead of the median of the ratios, such as the ratio of the best rounds
     */
    public function __construct(
        public readonly string $name,
        public readonly array $ratios,
        public readonly ?float $limit = null,
        public readonly bool $more = true,
        public readonly float $even = 1.0,
        private readonly ?float $value = null,
    ) {
    }

    public function ratio(): float
    {
        return $this->value ?? median($this->ratios);
    }

    public function is_reached(): bool
    {
        return $this->limit === null || $this->is_at_least($this->limit);
    }

    public function is_lost(): bool
    {
        return !$this->is_at_least($this->even);
    }

    public function spread(): string
    {
        return self::number(min($this->ratios)) . ' .. ' . self::number(max($this->ratios));
    }

    public static function number(float $value): string
    {
        return $value >= 100 ? number_format($value, 0) : sprintf($value >= 10 ? '%.1f' : '%.2f', $value);
    }

    /** @return array{name: string, ratios: non-empty-list<float>, limit: float|null, more: bool, even: float, value: float|null} */
    public function data(): array
    {
        return ['name' => $this->name, 'ratios' => $this->ratios, 'limit' => $this->limit, 'more' => $this->more, 'even' => $this->even, 'value' => $this->value];
    }

    /** @param array{name: string, ratios: non-empty-list<float>, limit: float|null, more: bool, even: float, value: float|null} $data */
    public static function from(array $data): self
    {
        return new self($data['name'], $data['ratios'], $data['limit'], $data['more'], $data['even'], $data['value']);
    }

    private function is_at_least(float $value): bool
    {
        return $this->more ? $this->ratio() >= $value : $this->ratio() <= $value;
    }
}
