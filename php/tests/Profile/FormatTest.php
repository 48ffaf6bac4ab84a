<?php

declare(strict_types=1);

namespace Stampede\Tests\Profile;

use PHPUnit\Framework\TestCase;
use Stampede\Profile\Format;
use Stampede\Profile\Mode;
use Stampede\Profile\Profile;

final class FormatTest extends TestCase
{
    private static function profile(Mode $mode): Profile
    {
        $profile = new Profile($mode, 1_700_000_000.0);
        $frames = [['{main}', '/app/index.php', 3], ['App\Work::run;', '/app/Work.php', 12], ['[waits: mysql]', '', 0]];
        $profile->add('0', ['cpu' => 5_000_000, 'outside' => [0, 0], 'frames' => $frames, 'stacks' => [[2_000_000, 2_000_000, [0, 1]], [0, 9_000_000, [0, 1, 2]]]]);
        // Another worker numbers its frames anew.
        $profile->add('1', ['cpu' => 5_000_000, 'outside' => [1_000_000, 1_000_000], 'frames' => array_reverse($frames), 'stacks' => [[1_000_000, 1_000_000, [2, 1]]]]);
        $profile->seconds = 2.0;
        return $profile;
    }

    public function testStacksOfAllWorkersAreAdded(): void
    {
        self::assertSame("{main} (/app/index.php:3);App\\Work::run, (/app/Work.php:12) 3000\n[the server itself] 1000\n", Format::Collapsed->write(self::profile(Mode::Cpu)));
        $json = json_decode(Format::Speedscope->write(self::profile(Mode::Wall)), true);
        self::assertSame([[0, 1, 2], [0, 1], [3]], $json['profiles'][0]['samples']);
        self::assertSame([9_000_000, 3_000_000, 1_000_000], $json['profiles'][0]['weights']);
    }

    public function testTheSummaryNamesWaits(): void
    {
        $text = Format::Text->write(self::profile(Mode::Wall));
        self::assertMatchesRegularExpression('/^2\.0 s of 2 workers\. PHP code computed for 4 ms; the workers have used 10 ms/', $text);
        self::assertMatchesRegularExpression('/^ +9 ms +9 ms  \[waits: mysql\]$/m', $text);
        self::assertMatchesRegularExpression('/^ +3 ms +12 ms  App.Work::run;  \/app\/Work\.php:12$/m', $text);
        self::assertStringEndsWith("\nwaits: mysql 9 ms\n", $text);
        self::assertSame("Nothing of the application ran or waited meanwhile.\n", Format::Text->write(new Profile(Mode::Cpu, 0.0)));
    }

    /** What stands in the bytes, by hand: a number of seven bits a byte, a field's number above the three bits of its kind. */
    public function testPprofHasTheFieldsOfItsSchema(): void
    {
        $profile = new Profile(Mode::Cpu, 0.0);
        $profile->add('0', ['cpu' => 0, 'outside' => [0, 0], 'frames' => [['f', '/f', 300]], 'stacks' => [[200, 200, [0]]]]);
        $bytes = gzdecode(Format::Pprof->write($profile));
        self::assertStringStartsWith("\x0a\x04\x08\x01\x10\x02" . "\x12\x07\x0a\x01\x01\x12\x02\xc8\x01", $bytes); // sample_type, sample
        self::assertStringContainsString("\x22\x09\x08\x01\x22\x05\x08\x01\x10\xac\x02", $bytes); // location with its line
        self::assertStringContainsString("\x32\x00\x32\x03cpu\x32\x0bnanoseconds", $bytes); // the first string is empty
    }
}
