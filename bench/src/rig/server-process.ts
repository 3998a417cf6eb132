import { startServer } from '@cairn/local-server/server.ts';

/** The product's own server in a process of its own; told what to do by its parent, gone with it. */
type Order = { databaseUrl: string; data: string; migrations: string; dist: string };

function begin(order: Order): Promise<void> {
  return startServer({
    ...order,
    host: '127.0.0.1',
    port: 0,
    origins: [],
    seed: 'off',
    mail: { smtpUrl: null, from: 'Cairn <cairn@localhost>' },
  }).then(server => {
    const stop = () => void server.stop().then(() => process.exit(0));
    process.on('disconnect', stop);
    process.on('SIGTERM', stop);
    process.send?.({ url: server.url });
  });
}

process.once('message', order => {
  begin(order as Order).catch((error: unknown) => {
    process.send?.({ failure: String(error) });
    process.exit(1);
  });
});
