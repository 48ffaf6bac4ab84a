/* Pages in development: reload themselves when there is new code, keep what was typed, and show why newer code is not served. */
(() => {
    'use strict';
    const key = 'stampede:' + location.pathname + location.search;
    const fields = () => [...document.querySelectorAll('input, textarea, select, [contenteditable=""], [contenteditable="true"]')]
        .filter((field) => !['password', 'hidden', 'file', 'submit', 'button', 'reset', 'image'].includes(field.type));
    const nameOf = (field, index) => field.id || (field.name ? field.name + '/' + (field.type === 'radio' ? field.value : '') : '#' + index);

    const keep = () => {
        const values = fields().map((field, index) => [nameOf(field, index),
            field.isContentEditable ? field.innerHTML
                : field.type === 'checkbox' || field.type === 'radio' ? field.checked
                    : field.multiple && field.options ? [...field.options].map((option) => option.selected) : field.value]);
        const active = document.activeElement;
        const index = fields().indexOf(active);
        let selection = null;
        try {
            selection = index < 0 ? null : [active.selectionStart, active.selectionEnd];
        } catch { /* not a field of text */ }
        sessionStorage.setItem(key, JSON.stringify({ values, index, selection, x: scrollX, y: scrollY }));
    };

    const restore = () => {
        const kept = JSON.parse(sessionStorage.getItem(key) || 'null');
        sessionStorage.removeItem(key);
        if (kept === null) {
            return;
        }
        const count = new Map();
        const take = (name) => { // fields of one name in their order
            const number = count.get(name) || 0;
            count.set(name, number + 1);
            return kept.values.filter((entry) => entry[0] === name)[number];
        };
        fields().forEach((field, index) => {
            const entry = take(nameOf(field, index));
            if (!entry) {
                return;
            }
            const value = entry[1];
            if (field.isContentEditable) {
                field.innerHTML = value;
            } else if (field.type === 'checkbox' || field.type === 'radio') {
                field.checked = value;
            } else if (Array.isArray(value)) {
                [...field.options].forEach((option, number) => { option.selected = value[number] === true; });
            } else {
                field.value = value;
            }
            field.dispatchEvent(new Event('input', { bubbles: true }));
            field.dispatchEvent(new Event('change', { bubbles: true }));
        });
        const active = fields()[kept.index];
        if (active) {
            active.focus({ preventScroll: true });
            try {
                active.setSelectionRange(...(kept.selection || []));
            } catch { /* not a field of text */ }
        }
        scrollTo(kept.x, kept.y);
    };

    let panel = null;
    const show = (fault) => {
        panel?.remove();
        panel = null;
        if (fault === '') {
            return;
        }
        panel = document.createElement('div');
        panel.id = 'stampede-fault';
        panel.setAttribute('role', 'alert');
        const root = panel.attachShadow({ mode: 'open' });
        root.innerHTML = `<style>
            :host { all: initial; color-scheme: light dark; }
            section { position: fixed; inset: auto 0 0 0; z-index: 2147483647; max-height: 60vh; overflow: auto; padding: 1rem 1.25rem;
                font: 15px/1.5 system-ui, sans-serif; background: light-dark(#fff4f2, #2b1513); color: light-dark(#3b0f0b, #ffdad5);
                border-top: 4px solid #d93025; box-shadow: 0 -4px 24px #0004; }
            h1 { font-size: 1rem; margin: 0 0 .5rem; } pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
            </style><section><h1>The newest code is not served; this page is of the code before.</h1><pre></pre></section>`;
        root.querySelector('pre').textContent = fault;
        document.body.append(panel);
    };

    // What this page was made of. A reload may bring the code before once more: from a worker that serves its last requests, or from a
    // cache. So it is tried again, but not for ever.
    const own = Number(document.currentScript.src.split('?')[1]);
    const attempts = 'stampede:reloads';
    const pauses = [0, 300, 2000]; // milliseconds before each reload for the same revision
    const events = new EventSource('/.stampede/events');
    events.addEventListener('state', (event) => {
        const state = JSON.parse(event.data);
        const [revision, done] = JSON.parse(sessionStorage.getItem(attempts) || '[0, 0]');
        const number = revision === state.revision ? done : 0;
        if (state.revision !== own && number < pauses.length) {
            sessionStorage.setItem(attempts, JSON.stringify([state.revision, number + 1]));
            events.close();
            setTimeout(() => {
                keep();
                location.reload();
            }, pauses[number]);
            return;
        }
        show(state.fault);
    });
    addEventListener('pagehide', () => events.close());
    document.readyState === 'loading' ? addEventListener('DOMContentLoaded', restore) : restore();
})();
