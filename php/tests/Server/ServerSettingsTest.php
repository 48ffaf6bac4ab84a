<?php

declare(strict_types=1);

namespace Stampede\Tests\Server;

use Stampede\Application\Project;
use Stampede\Config\ConfigurationLoader;
use Stampede\Server\Phase;
use Stampede\Server\ServedApplication;
use Stampede\Server\ServerSettings;
use Stampede\Server\SharedPhase;
use Stampede\Tests\Application\TemporaryFolder;

/** What the server of an application is set to, by the options. */
final class ServerSettingsTest extends TemporaryFolder
{
    public function testAScriptsBodyIsReadByPhp(): void
    {
        $settings = $this->settings(['env' => 'prod', 'workers' => '2']);
        self::assertSame([2, false, false, false], [$settings['worker_num'], $settings['http_parse_post'], $settings['http_parse_files'], $settings['http_parse_cookie']]);
        self::assertSame(16, $settings['worker_max_concurrency'], 'as many requests at once as a worker has processes');
        self::assertSame(5.0, $settings['drain_time']);
    }

    public function testTimesFollowTheLongestRequest(): void
    {
        $settings = $this->settings(['request-timeout' => '10', 'routes' => '{"/slow": {"request-timeout": 100}}']);
        self::assertSame([102.0, 105, 105], [$settings['watchdog_timeout'], $settings['max_replace_time'], $settings['max_stop_time']]);
        $settings = $this->settings(['request-timeout' => '0', 'stop-timeout' => '7']);
        self::assertSame([0, 60, 7], [$settings['watchdog_timeout'], $settings['max_replace_time'], $settings['max_stop_time']]);
    }

    public function testAWorkerCountsItsRequestsItselfBesideEndpointsAndOpenPages(): void
    {
        $options = ['isolation' => 'sequential'];
        self::assertSame(1, $this->settings($options)['worker_max_concurrency'] ?? null);
        self::assertArrayNotHasKey('worker_max_concurrency', $this->settings($options + ['endpoints' => 'endpoints.php']));
        self::assertArrayNotHasKey('worker_max_concurrency', $this->settings($options + ['watch' => true]));
        self::assertArrayNotHasKey('worker_max_concurrency', $this->settings($options + ['routes' => '{"/a": {"isolation": "process"}}']));
    }

    public function testTheOptionServerComesFirst(): void
    {
        self::assertSame(3, $this->settings(['server' => '{"websocket_idle_time": 3}'])['websocket_idle_time']);
    }

    public function testOneCallerBringsTheServerFromStartingToServing(): void
    {
        $phase = new SharedPhase();
        self::assertSame([Phase::Starting, true, false, Phase::Serving], [$phase->get(), $phase->become(Phase::Serving), $phase->become(Phase::Failed), $phase->get()]);
        $phase->fail();
        self::assertSame(Phase::Failed, $phase->get());
    }

    /**
     * @param array<string, mixed> $given
     * @return array<string, mixed>
     */
    private function settings(array $given): array
    {
        $this->write(['index.php' => '<?php echo 1;']);
        $options = ConfigurationLoader::load($given + ['pid-file' => "{$this->folder}/pid"], [], $this->folder);
        return (new ServerSettings(new ServedApplication(Project::find($this->folder, $options), $options)))->all();
    }
}
