<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Realtime</title>
<h1>Served at <?= date('H:i:s') ?></h1>
<p>The server's clock: <output id="clock">...</output></p>
<form id="chat"><input id="text" placeholder="Say something" autofocus> <button>Send</button></form>
<ul id="said"></ul>
<script>
new EventSource('/clock').onmessage = event => { clock.textContent = event.data }
const socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/\/$/, '') + '/chat')
socket.onmessage = event => { said.appendChild(document.createElement('li')).textContent = event.data }
chat.onsubmit = event => { event.preventDefault(); socket.send(text.value); text.value = '' }
</script>
