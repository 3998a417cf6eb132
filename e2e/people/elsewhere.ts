import type { ServerFacts } from '../rig/server-facts.ts';
import type { ServerProcess } from '../rig/server-process.ts';

type Person = 'worker' | 'manager' | 'person';

/** What somebody does on another device of theirs, as the official client would ask for it. */
export class OtherDevice {
  private readonly server: ServerProcess;
  private readonly facts: ServerFacts;
  private readonly email: string;

  constructor(server: ServerProcess, facts: ServerFacts, who: Person) {
    this.server = server;
    this.facts = facts;
    this.email = `${who}@demo.cairn.test`;
  }

  private async ask(method: string, path: string, bearer: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.server.url}${path}`, {
      method,
      headers: { apikey: this.facts.secretKey, authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, unknown>);
  }

  private async signIn(password: string): Promise<string> {
    const credentials = { email: this.email, password };
    const session = await this.ask('POST', '/auth/v1/token?grant_type=password', this.facts.secretKey, credentials);
    return String(session['access_token']);
  }

  async changePassword(from: string, to: string): Promise<void> {
    await this.ask('PUT', '/auth/v1/user', await this.signIn(from), { password: to });
  }

  async endOtherSessions(password: string): Promise<void> {
    await this.ask('POST', '/auth/v1/logout?scope=others', await this.signIn(password));
  }

  async deleteAccount(password: string): Promise<void> {
    const body = { password, confirm: 'delete' };
    await this.ask('POST', '/functions/v1/account/delete', await this.signIn(password), body);
  }
}
