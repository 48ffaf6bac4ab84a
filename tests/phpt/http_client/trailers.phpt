--TEST--
Coroutine\Http\Client: fields behind a chunked body
--FILE--
<?php
use Swoole\Coroutine\Http\{Client, Server};
use Swoole\Coroutine\Socket;

Swoole\Coroutine\run(function () {
    $listener = new Socket(AF_INET, SOCK_STREAM);
    $listener->bind('127.0.0.1');
    $listener->listen();
    $answers = [
        "HTTP/1.1 200 OK\r\nX-Twice: head\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 9001 \r\nX-Twice:end\r\n42: number\r\nX-Empty:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX Sum: 1\r\n\r\n",
    ];
    go(function () use ($listener, $answers) {
        foreach ([100000, 1] as $pieces) {
            $connection = $listener->accept();
            $connection->setOption(SOL_TCP, TCP_NODELAY, 1);
            foreach ($answers as $answer) {
                $connection->recv();
                foreach (str_split($answer, $pieces) as $piece) {
                    $connection->send($piece);
                    Co::sleep(0.001);
                }
            }
        }
    });
    foreach ([true, false] as $lower) {
        $client = new Client('127.0.0.1', $listener->getsockname()['port']);
        $client->set(['lowercase_header' => $lower]);
        foreach ($answers as $answer) {
            var_dump($client->get('/'));
            echo json_encode($client->headers), " $client->body $client->errMsg\n";
        }
    }
    $server = new Server('127.0.0.1', 0);
    $server->handle('/', function ($request, $response) {
        $response->header('trailer', 'X-Sum');
        $response->write('some');
        $response->trailer('X-Sum', '17');
        $response->end();
    });
    go(fn () => $server->start());
    $client = new Client('127.0.0.1', $server->port);
    for ($i = 0; $i < 2; $i++) {
        var_dump($client->get('/'), $client->body, $client->headers['x-sum']);
    }
    $server->shutdown();
});
?>
--EXPECT--
bool(true)
{"x-twice":["head","end"],"transfer-encoding":"chunked","x-sum":"9001","42":"number","x-empty":""} abc 
bool(true)
{"transfer-encoding":"chunked"}  
bool(false)
{"transfer-encoding":"chunked"}  the chunks of the response's body are not valid
bool(true)
{"X-Twice":["head","end"],"Transfer-Encoding":"chunked","X-Sum":"9001","42":"number","X-Empty":""} abc 
bool(true)
{"Transfer-Encoding":"chunked"}  
bool(false)
{"Transfer-Encoding":"chunked"}  the chunks of the response's body are not valid
bool(true)
string(4) "some"
string(2) "17"
bool(true)
string(4) "some"
string(2) "17"
