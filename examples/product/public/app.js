// What the page does beyond its forms, which work without it: saves without leaving the page, and shows what happens elsewhere.
'use strict'

const byId = id => document.getElementById(id)
const list = byId('notes')
const compose = byId('compose')

function localTimes(within) {
    for (const time of within.querySelectorAll('time')) {
        time.textContent = new Date(time.dateTime).toLocaleString(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
    }
}

// ---- what was saved, here or elsewhere

function place(note) {
    byId(`note-${note.id}`)?.remove()
    if (!note.deleted) {
        const template = document.createElement('template')
        template.innerHTML = note.html // made by the server, by the same template as the page
        const article = template.content.querySelector('article')
        article.classList.add('fresh')
        localTimes(article)
        list.prepend(article)
    }
    byId('nothing').hidden = list.children.length > 0
}

function showState(state, text) {
    const live = byId('live')
    live.dataset.state = state
    live.textContent = text
}

function listen() {
    const source = new EventSource(`/changes?since=${list.dataset.version}`)
    source.addEventListener('note', event => place(JSON.parse(event.data)))
    source.addEventListener('open', () => showState('on', 'Live'))
    source.addEventListener('error', () => showState('off', 'Connecting again'))
    source.addEventListener('signed-out', () => { source.close(); location.assign('/login') })
    source.addEventListener('too-many', () => { source.close(); showState('off', 'Too many windows: this one is not live') })
}

// ---- what is being typed

const draftDelay = 150
const socketPause = { first: 1000, most: 30000 }

function shareDrafts() {
    const text = byId('text')
    let socket, timer, pause = socketPause.first
    const send = () => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ text: text.value })) }
    const connect = () => {
        socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/drafts`)
        socket.onopen = () => { pause = socketPause.first; if (text.value !== '') send() }
        socket.onmessage = event => {
            const draft = byId('draft')
            const written = JSON.parse(event.data).text
            draft.querySelector('.text').textContent = written
            draft.hidden = written === ''
        }
        socket.onclose = event => {
            byId('draft').hidden = true
            if (event.code < 4400) {
                setTimeout(connect, pause)
                pause = Math.min(2 * pause, socketPause.most)
            }
        }
    }
    text.addEventListener('input', () => {
        clearTimeout(timer)
        timer = setTimeout(send, draftDelay)
    })
    compose.addEventListener('saved', () => { clearTimeout(timer); send() })
    connect()
}

// ---- forms that are sent without leaving the page

function report(sentence) {
    const problem = byId('problem')
    if (!problem) {
        alert(sentence)
        return
    }
    problem.textContent = sentence
    problem.hidden = sentence === ''
}

/** What stands in a form, to tell whether somebody has gone on writing. */
function contents(form) {
    return JSON.stringify([...form.elements].map(field => field.type === 'file' ? [...field.files].map(file => [file.name, file.size, file.lastModified]) : field.value))
}

document.addEventListener('submit', async event => {
    const form = event.target
    if (!('live' in form.dataset) || byId('live')?.dataset.state !== 'on') {
        return // the browser does it
    }
    event.preventDefault()
    const button = form.querySelector('button')
    button.disabled = true
    const sent = contents(form)
    try {
        const response = await fetch(form.action, { method: 'POST', body: new FormData(form), headers: { Accept: 'application/json' } })
        if (response.ok) {
            if (contents(form) === sent) {
                form.reset()
            }
            form.dispatchEvent(new Event('saved'))
            report('')
        } else {
            report((await response.json().catch(() => ({}))).error ?? `The server could not do it (${response.status}).`)
        }
    } catch {
        report('The server cannot be reached: please try again.')
    } finally {
        button.disabled = false
    }
})

function nameChosenFiles(form) {
    const input = form.querySelector('input[type=file]')
    const label = input.nextElementSibling
    const none = label.textContent
    const show = () => { label.textContent = input.files.length === 0 ? none : [...input.files].map(file => file.name).join(', ') }
    input.addEventListener('change', show)
    form.addEventListener('reset', () => setTimeout(show))
}

localTimes(document)
document.querySelectorAll('form:has(input[type=file])').forEach(nameChosenFiles)
if (list?.dataset.version) {
    listen()
    shareDrafts()
}
