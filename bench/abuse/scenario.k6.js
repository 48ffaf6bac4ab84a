// The scenario of bench/abuse/run for k6: 500 clients read and write notes for five minutes, some with a wrong token, one user beyond its limit.
// usage: k6 run -e URL=http://127.0.0.1:PORT bench/abuse/scenario.k6.js     against a server of bench/abuse/app with the users of bench/abuse/run
import http from 'k6/http';
import { check } from 'k6';

export const options = { vus: 500, duration: '5m' };

const address = __ENV.URL;
const as = (token) => ({ headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' } });

export default function () {
    const user = (__VU - 1) % 500;
    const token = `token-${user}`;
    check(http.get(`${address}/notes`, as(token)), { 'a list': (r) => r.status === 200 && r.json('owner') === `user-${user}` });
    check(http.post(`${address}/notes`, JSON.stringify({ text: `written by ${user}` }), as(token)), { 'a new note': (r) => r.status === 201 && r.json('text') === `written by ${user}` });
    check(http.get(`${address}/notes/${user + 1}`, as(token)), { 'a note': (r) => r.status === 200 && r.json('id') === user + 1 });
    check(http.get(`${address}/notes`, as('stolen')), { 'a wrong token': (r) => r.status === 401 });
    check(http.get(`${address}/notes`, as('token-abuser')), { 'beyond the limit': (r) => r.status === 200 || r.status === 429 });
}
