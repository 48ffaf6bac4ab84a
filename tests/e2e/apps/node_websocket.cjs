/* The client of the package ws: prints what it saw as JSON. usage: node node_websocket.cjs FOLDER_OF_PACKAGES PORT */
'use strict';

const [, , folder, port] = process.argv;
const WebSocket = require(require.resolve('ws', { paths: [folder] }));

const once = (socket, event) => new Promise((done, failed) => {
    socket.once(event, (...values) => done(values));
    if (event !== 'error') {
        socket.once('error', failed);
    }
});

async function talk(options, path = '/') {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, [], options);
    const queue = [];
    let wake = null;
    socket.on('message', (data, binary) => { queue.push([data, binary]); wake?.(); });
    const next = async () => {
        while (queue.length === 0) {
            await new Promise((done) => { wake = done; });
        }
        return queue.shift();
    };
    await once(socket, 'open');
    const seen = { extensions: socket.extensions, open: String((await next())[0]) };
    socket.send('hello');
    seen.hello = String((await next())[0]);
    const large = 'x'.repeat(150000);
    socket.send(large, { compress: true });
    seen.large = String((await next())[0]);
    socket.send('in ', { fin: false });
    socket.send('pie', { fin: false });
    socket.send('ces', { fin: true });
    seen.pieces = String((await next())[0]);
    socket.send('binary abc');
    const [bytes, binary] = await next();
    seen.binary = [bytes.toString(), binary];
    socket.ping('are you there');
    seen.pong = String((await once(socket, 'pong'))[0]);
    socket.send('squeezed news');
    seen.squeezed = [String((await next())[0]).length, String((await next())[0])];
    socket.close(3500, 'enough');
    seen.close = (await once(socket, 'close'))[0];
    return seen;
}

async function refused() {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, [], { protocolVersion: 8 });
    const [response] = await Promise.race([once(socket, 'unexpected-response').then(([, answer]) => [answer.statusCode]), once(socket, 'open').then(() => ['open'])]);
    socket.on('error', () => {});
    socket.terminate();
    return response;
}

async function many(count) {
    const sockets = await Promise.all(Array.from({ length: count }, async () => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
        const first = once(socket, 'message');
        await once(socket, 'open');
        await first;
        return socket;
    }));
    let got = 0;
    const all = Promise.all(sockets.slice(1).map((socket) => once(socket, 'message').then(([data]) => { got += String(data) === 'to all' ? 1 : 0; })));
    const told = once(sockets[0], 'message');
    sockets[0].send('others to all');
    await all;
    const answer = String((await told)[0]);
    sockets.forEach((socket) => socket.terminate());
    return [answer, got];
}

(async () => {
    const seen = {
        plain: await talk({ perMessageDeflate: false }),
        deflate: await talk({ perMessageDeflate: { threshold: 0 } }),
        forgetful: await talk({ perMessageDeflate: { threshold: 0, serverNoContextTakeover: true, clientNoContextTakeover: true, serverMaxWindowBits: 10 } }),
        many: await many(50),
        refused: await refused(),
    };
    console.log(JSON.stringify(seen));
    process.exit(0);
})().catch((error) => { console.log(JSON.stringify({ error: String(error?.stack ?? error) })); process.exit(1); });
