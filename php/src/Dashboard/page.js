
'use strict';
// Everything that comes from requests goes into the page as text, never as markup.
const PERIOD = 2000; // milliseconds between two looks
const KEPT = 150; // looks that the curves show, when there have been so many
const LEAST = 30;
const PATIENCE = 10000; // milliseconds
const SVG = 'http://www.w3.org/2000/svg';
const part = (id) => document.getElementById(id);
const history = { rate: [], latency: [], work: [], errors: [] };
let before = null;

const say = (id, text) => { part(id).textContent = text; };

function element(name, text, kind) {
    const made = document.createElement(name);
    made.textContent = text;
    if (kind) {
        made.className = kind;
    }
    return made;
}

function number(value) {
    if (value >= 1e6) {
        return `${(value / 1e6).toFixed(1)}M`;
    }
    if (value >= 1e4) {
        return `${(value / 1e3).toFixed(1)}k`;
    }
    return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

function duration(milliseconds) {
    if (milliseconds === null || !Number.isFinite(milliseconds)) {
        return '–';
    }
    if (milliseconds < 1000) {
        return `${milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0)} ms`;
    }
    const seconds = milliseconds / 1000;
    if (seconds < 60) {
        return `${seconds.toFixed(1)} s`;
    }
    if (seconds < 3600) {
        return `${Math.floor(seconds / 60)} min`;
    }
    return seconds < 172800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86400)} d`;
}

function bytes(value) {
    let unit = 0;
    for (; value >= 1024 && unit < 3; unit++) {
        value /= 1024;
    }
    return `${value.toFixed(unit > 1 && value < 100 ? 1 : 0)} ${['B', 'KiB', 'MiB', 'GiB'][unit]}`;
}

// Evenly spread within a bucket, as Prometheus has it.
function quantile(share, bounds, counts) {
    const wanted = share * counts.reduce((sum, count) => sum + count, 0);
    let below = 0;
    for (let i = 0; wanted > 0 && i < bounds.length; i++) {
        if (counts[i] > 0 && below + counts[i] >= wanted) {
            const from = i > 0 ? bounds[i - 1] : 0;
            return 1000 * (from + (bounds[i] - from) * (wanted - below) / counts[i]);
        }
        below += counts[i];
    }
    return wanted > 0 ? 1000 * bounds[bounds.length - 1] : null;
}

function shape(name, kind, attributes) {
    const made = document.createElementNS(SVG, name);
    made.setAttribute('class', kind);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
}

function draw(id, values) {
    const svg = part(`${id}-chart`);
    svg.setAttribute('viewBox', '0 0 100 40');
    const most = Math.max(...values, 0) || 1;
    const width = Math.max(LEAST, values.length);
    const from = width - values.length;
    const points = values.map((value, i) => `${(100 * (from + i) / (width - 1)).toFixed(2)},${(38 - 34 * value / most).toFixed(2)}`);
    const shapes = [shape('line', 'base', { x1: 0, y1: 38, x2: 100, y2: 38 })];
    if (points.length > 1) {
        const begin = points[0].split(',')[0];
        shapes.push(shape('polygon', 'area', { points: `${begin},38 ${points.join(' ')} 100,38` }), shape('polyline', 'curve', { points: points.join(' ') }));
    }
    svg.replaceChildren(...shapes);
}

function remember(name, value) {
    history[name].push(value);
    if (history[name].length > KEPT) {
        history[name].shift();
    }
    draw(name, history[name]);
}

function fill(id, rows, nothing) {
    const empty = document.createElement('tr');
    const cell = element('td', nothing);
    empty.className = 'empty';
    cell.colSpan = 9;
    empty.append(cell);
    part(id).replaceChildren(...(rows.length > 0 ? rows : [empty]));
}

function row(...cells) {
    const made = document.createElement('tr');
    made.append(...cells);
    return made;
}

function tagged(text, kind) {
    const cell = document.createElement('td');
    cell.append(element('span', text, kind ? `tag ${kind}` : 'tag'));
    return cell;
}

function requestRow(request) {
    const name = element('td', '', 'long');
    const isNamed = request.route !== '' && request.route !== '-';
    name.append(element('span', request.method, 'method'), document.createTextNode(isNamed ? request.route : request.target));
    name.title = `${request.method} ${request.target}`;
    const state = request.waits_for !== '' ? `waits: ${request.waits_for}` : request.state;
    return row(element('td', duration(request.age_ms), 'number'), name, tagged(state, request.state === 'computing' ? 'warn' : ''),
        element('td', request.client, 'quiet wide'), element('td', String(request.worker), 'number wide'));
}

function workerRow(worker) {
    const kinds = { serving: 'good', down: 'bad', off: '' };
    const made = row(element('td', worker.kind === 'worker' ? String(worker.id) : `${worker.id} ${worker.kind.replace('_', ' ')}`),
        tagged(worker.state, kinds[worker.state] ?? 'warn'), element('td', worker.concurrency === undefined ? '' : String(worker.concurrency), 'number'),
        element('td', worker.rss ? bytes(worker.rss) : '', 'number'), element('td', worker.requests === undefined ? '' : number(worker.requests), 'number wide'),
        element('td', worker.age === undefined ? '' : duration(1000 * worker.age), 'number wide'));
    made.className = worker.state === 'off' ? 'quiet' : '';
    return made;
}

function routeRows(now, seconds) {
    return Object.entries(now.routes).slice(0, 30).map(([name, route]) => {
        const former = before?.routes[name] ?? { count: 0, seconds: 0 };
        const count = Math.max(0, route.count - former.count);
        const cell = element('td', name === '' || name === '-' ? '(no route)' : name, 'long');
        cell.title = name;
        const mean = count > 0 ? (route.seconds - former.seconds) / count : route.count > 0 ? route.seconds / route.count : null;
        return row(cell, element('td', before ? number(count / seconds) : '–', 'number'), element('td', mean === null ? '–' : duration(1000 * mean), 'number'),
            element('td', number(route.count), 'number wide'));
    });
}

const sum = (values) => values.reduce((all, value) => all + value, 0);
const grown = (now, name) => Math.max(0, (now.counters[name] ?? 0) - (before.counters[name] ?? 0));

function showRates(now, seconds) {
    const rate = grown(now, 'request_count') / seconds;
    say('rate', number(rate));
    say('rate-note', `in ${bytes(grown(now, 'total_recv_bytes') / seconds)}/s, out ${bytes(grown(now, 'total_send_bytes') / seconds)}/s`);
    remember('rate', rate);
    const ended = now.durations.map((count, i) => Math.max(0, count - (before.durations[i] ?? 0)));
    const [half, most, all] = [0.5, 0.95, 0.99].map((share) => quantile(share, now.bounds, ended));
    say('latency', duration(most));
    say('latency-note', most === null ? 'no request ended' : `median ${duration(half)}, p99 ${duration(all)}`);
    remember('latency', most ?? 0);
    const of = (status) => Math.max(0, (now.statuses[status] ?? 0) - (before.statuses[status] ?? 0)) / seconds;
    const errors = of('5xx') + of('cut');
    say('errors', number(errors));
    part('errors').className = errors > 0 ? 'bad' : '';
    say('errors-note', `4xx ${number(of('4xx'))}/s, left ${number(of('gone'))}/s`);
    remember('errors', errors);
    part('errors').closest('.card').classList.toggle('bad', history.errors.some((value) => value > 0));
}

function show(now) {
    const seconds = before ? Math.max(0.001, now.at - before.at) : 1;
    const serving = now.workers.filter((worker) => worker.kind === 'worker' && worker.state === 'serving').length;
    const isBad = now.findings.some((finding) => finding.level === 'bad') || serving === 0;
    document.title = `${now.server.directory.split('/').pop()} – Stampede`;
    say('title', now.server.directory.split('/').pop());
    say('state', now.state === 'serving' && serving === 0 ? 'no worker serves' : now.state);
    part('dot').className = `dot ${isBad ? 'bad' : now.state !== 'serving' || now.findings.length > 0 ? 'warn' : 'good'}`;
    say('about', `${now.server.directory}, ${now.server.kind}, isolation ${now.server.isolation}, up ${duration(1000 * (now.at - now.server.started_at))}. ${now.server.urls.join(' ')}`);
    part('findings').replaceChildren(...now.findings.map((finding) => element('p', finding.text, `finding ${finding.level}`)));
    if (before) {
        showRates(now, seconds);
    }
    say('work', number(now.in_work));
    say('work-note', `${number(now.counters.connection_num ?? 0)} connections${now.requests.length > 0 ? `, oldest ${duration(now.requests[0].age_ms)}` : ''}`);
    remember('work', now.in_work);
    say('requests-count', now.in_work > now.requests.length ? `${now.in_work}, the oldest ${now.requests.length}` : String(now.in_work));
    fill('requests', now.requests.map(requestRow), 'No request is in work.');
    fill('routes', routeRows(now, seconds), 'No request has ended yet.');
    say('workers-count', `${serving} serve, ${bytes(sum(now.workers.map((worker) => worker.rss ?? 0)))}`);
    fill('workers', now.workers.map(workerRow), 'There is none.');
    before = now;
}

async function look() {
    try {
        const response = await fetch('dashboard/numbers', { signal: AbortSignal.timeout(PATIENCE) });
        const now = await response.json();
        if (now.error) {
            throw new Error(now.error);
        }
        show(now);
    } catch (problem) {
        part('dot').className = 'dot bad';
        say('state', 'no answer');
    }
    setTimeout(look, PERIOD);
}

look();
