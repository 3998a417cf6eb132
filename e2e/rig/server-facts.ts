import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';

type Row = Record<string, unknown> & { id: string };

/** What the server's database and file store really hold, past every policy: the oracle of the journeys. */
export class ServerFacts {
  private readonly server: ServerProcess;
  private readonly key: string;

  constructor(server: ServerProcess) {
    this.server = server;
    const secrets = JSON.parse(readFileSync(join(server.data, 'secrets.json'), 'utf8')) as { secretKey: string };
    this.key = secrets.secretKey;
  }

  /** Rows of a table by a PostgREST filter, e.g. `inspections`, `status=eq.finalised`. */
  async rows(table: string, filter: string): Promise<Row[]> {
    const answer = await fetch(`${this.server.url}/rest/v1/${table}?${filter}`, { headers: { apikey: this.key } });
    if (!answer.ok) throw new Error(`${table}?${filter}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Row[];
  }

  /** SHA-256 (hex) of a stored file's bytes. */
  async storedHash(organizationId: string, mediaId: string): Promise<string> {
    const path = `${this.server.url}/storage/v1/object/media/${organizationId}/${mediaId}`;
    const answer = await fetch(path, { headers: { apikey: this.key } });
    if (!answer.ok) throw new Error(`${mediaId}: ${answer.status}`);
    return createHash('sha256').update(new Uint8Array(await answer.arrayBuffer())).digest('hex');
  }
}
