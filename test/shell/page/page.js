// The smallest page that keeps to the wire: says hello, answers pings, reconnects by itself, reports its first frame.
let painted = false;

function connect() {
  const socket = new WebSocket(`ws://${location.host}/ws`);
  socket.onopen = () => {
    socket.send(JSON.stringify({ t: 'hello', version: 1, lastSeq: null }));
    if (painted) return;
    painted = true;
    requestAnimationFrame(() => {
      socket.send(
        JSON.stringify({
          t: 'painted',
          sinceStartMs: performance.now(),
          renderer: 'none',
          width: innerWidth,
          height: innerHeight,
        }),
      );
    });
  };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.t === 'ping') socket.send(JSON.stringify({ t: 'pong', n: message.n }));
  };
  socket.onclose = () => setTimeout(connect, 250);
}

addEventListener('keydown', (event) => event.preventDefault(), { capture: true });
addEventListener('contextmenu', (event) => event.preventDefault());
document.documentElement.style.background = '#0a5c3f';
connect();
