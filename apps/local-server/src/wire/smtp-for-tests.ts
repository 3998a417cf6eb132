import { createServer, type Socket } from 'node:net';

type Answer = 'take' | 'refuse' | 'die';

/** A mail server that speaks just enough SMTP to take a mail, to turn everybody away, or to die with the mail in hand. */
export async function smtpForTests({ answer = 'take' }: { answer?: Answer } = {}) {
  const taken: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    converse(socket, answer, mail => taken.push(mail));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** Each mail as it came, headers and all. */
    taken,
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>(resolve => server.close(() => resolve()));
    },
  };
}

function converse(socket: Socket, answer: Answer, onMail: (mail: string) => void): void {
  let waiting = '';
  let inMail = false;
  const say = (words: string) => socket.write(`${words}\r\n`);
  const hear = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'RCPT' && answer === 'refuse') return say('550 no such person <ann@example.test>');
    if (verb === 'DATA') inMail = true;
    if (verb === 'QUIT') return socket.end('221 bye\r\n');
    return say(verb === 'DATA' ? '354 go on' : '250 ok');
  };
  say('220 test');
  socket.on('error', () => socket.destroy());
  socket.on('data', bytes => {
    waiting += bytes.toString('utf8');
    for (;;) {
      const end = inMail ? waiting.indexOf('\r\n.\r\n') : waiting.indexOf('\r\n');
      if (end < 0) return undefined;
      const part = waiting.slice(0, end);
      waiting = waiting.slice(end + (inMail ? 5 : 2));
      if (!inMail) hear(part);
      else {
        inMail = false;
        if (answer === 'die') return socket.destroy();
        onMail(part);
        say('250 taken');
      }
    }
  });
}
