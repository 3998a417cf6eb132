import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';

type Row = Record<string, unknown> & { id: string };

/** What the server's database and file store really hold, past every policy: the oracle of the journeys. */
export class ServerFacts {
  private readonly server: ServerProcess;
  /** Past every policy; also what a control client of the soak writes with. */
  readonly secretKey: string;

  constructor(server: ServerProcess) {
    this.server = server;
    const secrets = JSON.parse(readFileSync(join(server.data, 'secrets.json'), 'utf8')) as { secretKey: string };
    this.secretKey = secrets.secretKey;
  }

  /** Rows of a table by a PostgREST filter, e.g. `inspections`, `status=eq.finalised`. */
  async rows(table: string, filter: string): Promise<Row[]> {
    const answer = await fetch(`${this.server.url}/rest/v1/${table}?${filter}`, {
      headers: { apikey: this.secretKey },
    });
    if (!answer.ok) throw new Error(`${table}?${filter}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Row[];
  }

  /** Changes a row as somebody else's work would, e.g. `{ title: 'Another' }`. */
  async change(table: string, id: string, fields: Record<string, unknown>): Promise<void> {
    const answer = await fetch(`${this.server.url}/rest/v1/${table}?id=eq.${id}`, {
      method: 'PATCH',
      headers: { apikey: this.secretKey, 'content-type': 'application/json', prefer: 'return=representation' },
      body: JSON.stringify(fields),
    });
    if (!answer.ok) throw new Error(`change ${table}: ${answer.status} ${await answer.text()}`);
    if (((await answer.json()) as Row[]).length !== 1) throw new Error(`change ${table}: no row ${id}`);
  }

  /** Adds a row as an operator would, past every policy. */
  async add(table: string, row: Record<string, unknown>): Promise<void> {
    const answer = await fetch(`${this.server.url}/rest/v1/${table}`, {
      method: 'POST',
      headers: { apikey: this.secretKey, 'content-type': 'application/json', prefer: 'return=minimal' },
      body: JSON.stringify(row),
    });
    if (!answer.ok) throw new Error(`add ${table}: ${answer.status} ${await answer.text()}`);
  }

  /** Sets preferences of a person, whether or not they have saved any. */
  async prefer(userId: string, fields: Record<string, unknown>): Promise<void> {
    const answer = await fetch(`${this.server.url}/rest/v1/user_preferences?on_conflict=user_id`, {
      method: 'POST',
      headers: {
        apikey: this.secretKey,
        'content-type': 'application/json',
        prefer: 'resolution=merge-duplicates,return=minimal',
      },
      body: JSON.stringify({ user_id: userId, ...fields }),
    });
    if (!answer.ok) throw new Error(`prefer: ${answer.status} ${await answer.text()}`);
  }

  /** Gives the worker one more check of Forklift 3 to do today; answers its id. */
  async scheduleCheck(): Promise<string> {
    const [form] = await this.rows('forms', 'name=eq.Forklift pre-use check');
    const [asset] = await this.rows('assets', 'name=eq.Forklift 3');
    const [worker] = await this.rows('profiles', 'email=eq.worker@demo.cairn.test');
    if (!form || !asset || !worker) throw new Error('the demo data is not there');
    const answer = await fetch(`${this.server.url}/rest/v1/inspections`, {
      method: 'POST',
      headers: { apikey: this.secretKey, 'content-type': 'application/json', prefer: 'return=representation' },
      body: JSON.stringify({
        organization_id: asset['organization_id'],
        site_id: asset['site_id'],
        playbook_id: form['playbook_id'],
        form_id: form.id,
        form_version_id: form['current_version_id'],
        asset_id: asset.id,
        title: 'Forklift 3 pre-use check',
        status: 'scheduled',
        due_at: new Date(Date.now() + 3_600_000).toISOString(),
        assigned_to: worker.id,
      }),
    });
    if (!answer.ok) throw new Error(`schedule: ${answer.status} ${await answer.text()}`);
    const [made] = (await answer.json()) as Row[];
    return made?.id ?? '';
  }

  async storedBytes(organizationId: string, mediaId: string): Promise<Uint8Array> {
    const path = `${this.server.url}/storage/v1/object/media/${organizationId}/${mediaId}`;
    const answer = await fetch(path, { headers: { apikey: this.secretKey } });
    if (!answer.ok) throw new Error(`${mediaId}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  /** SHA-256 (hex) of a stored file's bytes. */
  async storedHash(organizationId: string, mediaId: string): Promise<string> {
    return createHash('sha256')
      .update(await this.storedBytes(organizationId, mediaId))
      .digest('hex');
  }

  private async ask(path: string, body: object, bearer = this.secretKey): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.server.url}${path}`, {
      method: 'POST',
      headers: { apikey: this.secretKey, authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }

  /** The link of a letter an administrator makes; what it brings stands behind `#`. */
  async generateLink(type: 'recovery' | 'magiclink', email: string): Promise<string> {
    const made = await this.ask('/auth/v1/admin/generate_link', { type, email });
    return String(made['action_link']);
  }

  /** Invites an address to the demo company, in its administrator's name; answers the token. */
  async invite(email: string): Promise<string> {
    const credentials = { email: 'admin@demo.cairn.test', password: 'cairn-demo-1' };
    const session = await this.ask('/auth/v1/token?grant_type=password', credentials);
    const [company] = await this.rows('organizations', 'kind=eq.company&order=created_at&limit=1');
    const bearer = String(session['access_token']);
    const made = await this.ask(
      '/rest/v1/rpc/invite_to_organization',
      { p_organization: company?.id, p_email: email },
      bearer,
    );
    return String(made['token']);
  }
}
