<?php

declare(strict_types=1);

/* The checks of libraries_test.php: packages that know nothing of coroutines, in many at once. A check is a line of JSON. */

use Doctrine\DBAL\Configuration;
use Doctrine\DBAL\Connection;
use Doctrine\DBAL\DriverManager;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\Mapping as ORM;
use Doctrine\ORM\ORMSetup;
use Doctrine\ORM\Tools\SchemaTool;
use PhpAmqpLib\Connection\AMQPStreamConnection;
use PhpAmqpLib\Message\AMQPMessage;
use Swoole\Coroutine;
use Swoole\Coroutine\WaitGroup;
use Symfony\Component\Cache\Adapter\ArrayAdapter;
use Symfony\Component\HttpClient\CurlHttpClient;
use Symfony\Component\HttpClient\NativeHttpClient;
use Symfony\Component\Mailer\Mailer;
use Symfony\Component\Mailer\Transport;
use Symfony\Component\Mime\Email;

/** @var array{autoload: string, mysql: int, pg: int, redis: int, amqp: int, smtp: int, mails: string, http: int} $at */
$at = json_decode($argv[1], true, 16, JSON_THROW_ON_ERROR);
require $at['autoload'];
const MANY = 30;

function check(string $name, mixed $expected, mixed $actual): void
{
    echo json_encode(['name' => $name, 'expected' => $expected, 'actual' => $actual], JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION), "\n";
}

#[ORM\Entity]
#[ORM\Table(name: 'notes')]
class Note
{
    #[ORM\Id]
    #[ORM\GeneratedValue]
    #[ORM\Column]
    public ?int $id = null;

    /** @var array<int, Note> */
    public array $others = [];

    public function __construct(
        #[ORM\Column]
        public int $number,
        #[ORM\Column(length: 100)]
        public string $text,
    ) {
    }
}

/** Each call takes a fifth of a second of waiting, at least, and gives its number. */
function many(string $name, callable $work): void
{
    $results = [];
    $group = new WaitGroup();
    $start = microtime(true);
    for ($i = 0; $i < MANY; $i++) {
        $group->add();
        Coroutine::create(static function () use ($work, $i, $group, &$results): void {
            try {
                $results[] = $work($i);
            } catch (Throwable $error) {
                $results[] = $error::class . ': ' . $error->getMessage();
            }
            $group->done();
        });
    }
    $group->wait();
    $took = microtime(true) - $start;
    sort($results);
    check("$name, " . MANY . ' at once', range(0, MANY - 1), $results);
    check("$name, they overlap", true, $took < MANY * 0.2 * 0.75 ?: $took);
}

/** @var array<string, array<string, mixed>> $databases */
$databases = [
    'MySQL' => ['driver' => 'pdo_mysql', 'host' => '127.0.0.1', 'port' => $at['mysql'], 'user' => 'root', 'password' => '', 'dbname' => 'test'],
    'mysqli' => ['driver' => 'mysqli', 'host' => '127.0.0.1', 'port' => $at['mysql'], 'user' => 'root', 'password' => '', 'dbname' => 'test'],
    'PostgreSQL' => ['driver' => 'pdo_pgsql', 'host' => '127.0.0.1', 'port' => $at['pg'], 'user' => 'postgres', 'dbname' => 'postgres'],
];
$connect = static fn (array $parameters): Connection => DriverManager::getConnection($parameters, new Configuration());

Coroutine\run(static function () use ($at, $databases, $connect): void {
    (new PDO("mysql:host=127.0.0.1;port=$at[mysql]", 'root', ''))->exec('CREATE DATABASE IF NOT EXISTS test');
    foreach ($databases as $name => $parameters) {
        $db = $connect($parameters);
        $db->executeStatement('DROP TABLE IF EXISTS rows_of_all');
        $db->executeStatement('CREATE TABLE rows_of_all (n INT)');
        $sleep = $name === 'PostgreSQL' ? 'SELECT pg_sleep(0.2)' : 'SELECT SLEEP(0.2)';
        many("Doctrine DBAL, $name", static function (int $i) use ($connect, $parameters, $sleep): int {
            $db = $connect($parameters);
            $db->beginTransaction();
            $db->executeStatement('INSERT INTO rows_of_all (n) VALUES (?)', [$i]);
            $db->executeQuery($sleep)->free();
            $i % 2 === 0 ? $db->commit() : $db->rollBack();
            $found = (int) $db->fetchOne('SELECT COUNT(*) FROM rows_of_all WHERE n = ?', [$i]);
            return $found === 1 - $i % 2 ? $i : -1;
        });
        check("Doctrine DBAL, $name: what was committed", MANY / 2, (int) $db->fetchOne('SELECT COUNT(*) FROM rows_of_all'));
        $thrown = '';
        try {
            $db->executeQuery('SELECT * FROM no_such_table');
        } catch (Doctrine\DBAL\Exception\TableNotFoundException $error) {
            $thrown = $error::class;
        }
        check("Doctrine DBAL, $name: its exceptions", Doctrine\DBAL\Exception\TableNotFoundException::class, $thrown);
        $db->close();
    }

    $orm = static function () use ($connect, $databases): EntityManager {
        $cache = new ArrayAdapter();
        $config = ORMSetup::createAttributeMetadataConfiguration([__DIR__], true, null, $cache);
        return new EntityManager($connect($databases['MySQL']), $config);
    };
    $manager = $orm();
    $schema = new SchemaTool($manager);
    $schema->dropSchema([$manager->getClassMetadata(Note::class)]);
    $schema->createSchema([$manager->getClassMetadata(Note::class)]);
    many('Doctrine ORM', static function (int $i) use ($orm): int {
        $manager = $orm();
        $note = new Note($i, "text $i");
        $manager->persist($note);
        $manager->flush();
        $manager->getConnection()->executeQuery('SELECT SLEEP(0.2)')->free();
        $manager->clear();
        $again = $manager->find(Note::class, $note->id);
        $text = $manager->createQuery('SELECT n.text FROM Note n WHERE n.number = :number')->setParameter('number', $i)->getSingleScalarResult();
        return $again !== $note && $again?->text === $text ? $again->number : -1;
    });

    many('predis', static function (int $i) use ($at): int {
        $redis = new Predis\Client(['host' => '127.0.0.1', 'port' => $at['redis']]);
        $redis->set("predis$i", (string) $i);
        $redis->executeRaw(['BLPOP', "none$i", '0.2']);
        [$value, $deleted] = $redis->pipeline(static function ($pipe) use ($i): void {
            $pipe->get("predis$i");
            $pipe->del("predis$i");
        });
        return $deleted === 1 ? (int) $value : -1;
    });

    $amqp = static fn (): AMQPStreamConnection => new AMQPStreamConnection('127.0.0.1', $at['amqp'], 'guest', 'guest');
    $sender = $amqp();
    $out = $sender->channel();
    Coroutine::create(static function () use ($out): void {
        for ($i = 0; $i < MANY; $i++) {
            $out->queue_declare("queue$i", false, false, false, false);
        }
        Coroutine::sleep(0.5);
        for ($i = MANY - 1; $i >= 0; $i--) {
            $out->basic_publish(new AMQPMessage((string) $i), '', "queue$i");
        }
    });
    many('php-amqplib', static function (int $i) use ($amqp): int {
        $connection = $amqp();
        $channel = $connection->channel();
        $channel->queue_declare("queue$i", false, false, false, false);
        $got = -1;
        $channel->basic_consume("queue$i", '', false, true, false, false, static function (AMQPMessage $message) use (&$got): void {
            $got = (int) $message->getBody();
        });
        while ($got < 0) {
            $channel->wait(null, false, 30);
        }
        $channel->close();
        $connection->close();
        return $got;
    });
    $sender->close();

    $url = "http://127.0.0.1:$at[http]";
    $guzzle = new GuzzleHttp\Client(['base_uri' => $url]);
    many('Guzzle', static function (int $i) use ($guzzle): int {
        $answer = json_decode((string) $guzzle->post('/echo', ['query' => ['i' => $i], 'body' => "body $i"])->getBody(), true);
        return $answer[0] === 'POST' && $answer[2] === "body $i" ? (int) $answer[1]['i'] : -1;
    });
    many('Guzzle, promises', static function (int $i) use ($guzzle): int {
        $promises = ['a' => $guzzle->getAsync("/echo?i=$i"), 'b' => $guzzle->getAsync('/none', ['http_errors' => false])];
        $answers = GuzzleHttp\Promise\Utils::unwrap($promises);
        return $answers['b']->getStatusCode() === 404 ? (int) json_decode((string) $answers['a']->getBody(), true)[1]['i'] : -1;
    });
    foreach (['curl' => new CurlHttpClient(), 'native' => new NativeHttpClient()] as $kind => $client) {
        many("Symfony HttpClient, $kind", static function (int $i) use ($client, $url): int {
            $answer = $client->request('POST', "$url/echo", ['query' => ['i' => $i], 'body' => "body $i"])->toArray();
            return $answer[2] === "body $i" ? (int) $answer[1]['i'] : -1;
        });
    }

    many('Symfony Mailer', static function (int $i) use ($at): int {
        $mailer = new Mailer(Transport::fromDsn("smtp://127.0.0.1:$at[smtp]?auto_tls=false"));
        $mailer->send((new Email())->from('a@example.org')->to("b$i@example.org")->subject("subject $i")->text("mail $i"));
        return $i;
    });
    $texts = [];
    foreach (glob("$at[mails]/mail*") ?: [] as $file) {
        preg_match('/^mail (\d+)$/m', str_replace("\r", '', (string) file_get_contents($file)), $match);
        $texts[] = (int) ($match[1] ?? -1);
    }
    sort($texts);
    check('Symfony Mailer: what arrived', range(0, MANY - 1), $texts);

    $s3 = new Aws\S3\S3Client(['region' => 'us-east-1', 'version' => 'latest', 'endpoint' => $url, 'use_path_style_endpoint' => true,
        'credentials' => ['key' => 'key', 'secret' => 'secret'], 'suppress_php_deprecation_warning' => true,
        'request_checksum_calculation' => 'when_required', 'response_checksum_validation' => 'when_required', 'use_aws_shared_config_files' => false]);
    many('aws-sdk-php', static function (int $i) use ($s3): int {
        $s3->putObject(['Bucket' => 'bucket', 'Key' => "key$i", 'Body' => str_repeat("$i,", 1000)]);
        return (int) strtok((string) $s3->getObject(['Bucket' => 'bucket', 'Key' => "key$i"])['Body'], ',');
    });
    $code = '';
    try {
        $s3->getObject(['Bucket' => 'bucket', 'Key' => 'none']);
    } catch (Aws\S3\Exception\S3Exception $error) {
        $code = $error->getAwsErrorCode();
    }
    check('aws-sdk-php: its exceptions', 'NoSuchKey', $code);
});
