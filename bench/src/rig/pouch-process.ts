import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

/**
 * express-pouchdb over LevelDB in a process of its own, without its rights: the databases named in a message are refused
 * from then on, as a server in front of it would refuse them. Told where to keep them by its parent, gone with it.
 */
type Order = { folder: string } | { refuse: string };
type NextFunction = () => void;
type Request = { path: string; method: string; headers: Record<string, string | undefined> };
type Answer = {
  setHeader(name: string, value: string): void;
  status(code: number): Answer;
  json(body: unknown): void;
  end(): void;
};
type Handler = (request: Request, response: Answer, next: NextFunction) => void;
type Express = { (): { use(path: string, handler: Handler): void }; application: unknown };

const require = createRequire(import.meta.url);
const refused = new Set<string>();

/** Pages come from the app's server, so that this one is another origin for them; sizes are for them to count. */
const openToPages: Handler = (request, response, next) => {
  // PouchDB asks with credentials, for which no wildcard counts.
  response.setHeader('Access-Control-Allow-Origin', request.headers['origin'] ?? '*');
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type, Accept, Authorization');
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE');
  response.setHeader('Access-Control-Max-Age', '7200');
  response.setHeader('Timing-Allow-Origin', '*');
  if (request.method === 'OPTIONS') response.status(204).end();
  else next();
};

const guard: Handler = (request, response, next) => {
  if (refused.has(request.path.split('/')[1] ?? '')) response.status(403).json({ error: 'forbidden' });
  else next();
};

function begin(folder: string): void {
  const PouchDB = require('pouchdb-node') as { defaults(options: object): unknown };
  const express = require('express') as Express;
  const middleware = require('express-pouchdb') as (pouch: unknown, options: object) => Handler;
  const app = express();
  app.use('/pouch', openToPages);
  app.use('/pouch', guard);
  app.use('/pouch', middleware(PouchDB.defaults({ prefix: `${folder}/` }), { mode: 'minimumForPouchDB' }));
  const server = createServer(app as unknown as Parameters<typeof createServer>[1]);
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
}

process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.on('message', order => {
  const given = order as Order;
  if ('folder' in given) begin(given.folder);
  else refused.add(given.refuse);
});
