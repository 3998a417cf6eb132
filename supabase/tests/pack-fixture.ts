import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@cairn/testing/database.ts';
import { REMOTE } from './world-packs.ts';
import type { World } from './world.ts';

type Row = Record<string, unknown>;
export const FACTS = {
  name: 'Remote work',
  licence: 'CC-BY-4.0',
  summary: 'For people at home',
  frameworks: ['SOC 2'],
};

/** What people do with packs, through the calls of the app. The maker is the administrator of the other company. */
export class PackFixture {
  private readonly db: TestDatabase;
  private readonly world: World;
  readonly maker: string;
  readonly company: string;
  /** Looks after listings, and is in no company. */
  readonly reviewer: string;

  private constructor(db: TestDatabase, world: World, who: { company: string; reviewer: string }) {
    this.db = db;
    this.world = world;
    this.maker = world.stranger;
    this.company = who.company;
    this.reviewer = who.reviewer;
  }

  static async open(db: TestDatabase, world: World): Promise<PackFixture> {
    const reviewer = await db.person('reviewer@platform.test');
    await db.asAdmin(`insert into user_roles (user_id, role) values ($1, 'moderator'), ($2, 'admin')`, [
      reviewer,
      world.stranger,
    ]);
    const [row] = await db.asAdmin(
      `select organization_id from organization_members m join organizations o on o.id = m.organization_id where m.user_id = $1 and o.kind = 'company'`,
      [world.stranger],
    );
    return new PackFixture(db, world, { company: String(row?.['organization_id']), reviewer });
  }

  async draft(contents: unknown = REMOTE, facts: Row = FACTS): Promise<{ pack: string; version: string }> {
    const pack = randomUUID();
    await this.db.rpc(this.maker, 'save_pack', {
      p_id: pack,
      p_organization: this.company,
      p_facts: JSON.stringify(facts),
    });
    return { pack, version: await this.next(pack, '1.0.0', contents) };
  }

  async next(pack: string, number: string, contents: unknown, changelog = ''): Promise<string> {
    const version = randomUUID();
    const args = { p_number: number, p_changelog: changelog, p_contents: JSON.stringify(contents) };
    await this.db.rpc(this.maker, 'save_pack_version', { p_id: version, p_pack: pack, ...args });
    return version;
  }

  move(person: string, version: string, to: string, note: string | null = null): Promise<string> {
    return this.db.rpc(person, 'move_pack_version', { p_version: version, p_to: to, p_note: note });
  }

  /** Through submission and review. */
  async list(version: string): Promise<void> {
    await this.move(this.maker, version, 'submitted');
    await this.move(this.reviewer, version, 'in_review');
    await this.move(this.reviewer, version, 'listed');
  }

  async listed(contents: unknown = REMOTE): Promise<{ pack: string; version: string }> {
    const made = await this.draft(contents);
    await this.list(made.version);
    return made;
  }

  install(
    person: string,
    version: string,
    variables: Row,
    playbook: string | null = null,
  ): Promise<{ installed: boolean; documents: number }> {
    return this.db.rpc(person, 'install_pack', {
      p_organization: this.world.organization,
      p_version: version,
      p_playbook: playbook,
      p_variables: JSON.stringify(variables),
    });
  }

  /** Decides on one document of an update; `more` overrides. */
  take(version: string, key: string, how: string, more: Row = {}): Promise<boolean> {
    return this.db.rpc(this.world.admin, 'take_pack_item', {
      p_organization: this.world.organization,
      p_version: version,
      p_kind: 'policy',
      p_key: key,
      p_how: how,
      ...more,
    });
  }

  items(pack: string): Promise<Row[]> {
    return this.db.asAdmin(
      'select * from pack_items where pack_id = $1 and organization_id = $2 order by kind, item_key',
      [pack, this.world.organization],
    );
  }

  /** The policy a pack became, with the version that is written or in force. */
  async policyOf(pack: string): Promise<Row> {
    const [row] = await this.db.asAdmin(
      `select p.state, v.* from pack_items i join policies p on p.id = i.target_id join policy_versions v on v.policy_id = p.id
       where i.pack_id = $1 and i.organization_id = $2 order by v.major nulls first limit 1`,
      [pack, this.world.organization],
    );
    return row ?? {};
  }
}
