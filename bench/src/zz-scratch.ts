import { findChromium } from '../../tools/chromium.ts';
import { Device } from './rig/device.ts';
import { startRig } from './rig/rig.ts';
import { seedRepetition, settle } from './rig/seed.ts';
const rig = await startRig();
try {
  const seeded = [];
  for (let n = 0; n < 2; n++) seeded.push(await seedRepetition(rig, n, 10000));
  await settle(rig.sql);
  const chromium = await findChromium();
  for (let k = 0; k < 4; k++) {
    const d = await Device.open({ ...rig, chromium }, k % 2 === 0 && process.env.RAW ? 'raw' : 'cairn');
    await d.signIn(seeded[k % 2]!.member);
    const begun = await d.page.evaluate(() => performance.now());
    const { ms } = await d.call('pull', []);
    const t = await d.page.evaluate(b => performance.getEntriesByType('resource').filter(e => e.name.includes('rest/v1')||e.name.includes('raw-')).map(e => { const r = e as PerformanceResourceTiming; return [r.startTime - b, r.responseStart - b, r.responseEnd - b].map(x => x.toFixed(0)).join('-'); }), begun);
    console.log('run', k, ms.toFixed(0), t.join(' '));
    const marks = await d.page.evaluate(b => performance.getEntriesByType('mark').map(e => e.name + ' ' + (e.startTime - b).toFixed(0)), begun);
    console.log(marks.join(' | '));
    await d.close();
  }
  const m = seeded[0]!.member;
  const as = async (q: string, p: unknown[] = []) => rig.sql.begin(async tx => {
    await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: m.userId, role: 'authenticated' })}, true), set_config('request.jwt.claim.sub', ${m.userId}, true), set_config('role', 'authenticated', true)`;
    const one = async () => { const b = performance.now(); const r = await tx.unsafe(q, p as never[]); return [performance.now() - b, r] as const; };
    await one(); await one(); const a = [await one(), await one(), await one()]; console.log(a.map(x => x[0].toFixed(1)).join(' '), q.slice(0, 110)); return a[0]![1];
  });
  const [first] = await as(`select sync_pull('{}', null, 1000, true)::jsonb as a`) as never as [{ a: { scopes: object } }];
  const c = JSON.stringify(first.a.scopes);
  await as(`select sync_pull($1::text::jsonb, null, 1000, true)::text as a`, [c]);
  await as(`select sync_pull($1::text::jsonb, null, 1000, false)::text as a`, [c]);
  await as(`select sync_pull($1::text::jsonb, null, 5000, true)::text as a`, [c]);
  await as(`select cardinality((sync.next_changes($1::text::jsonb, null, 1000)).o_id)`, [c]);
  const ids = await rig.sql`select array_agg(id)::text a, count(*) from (select id from action_items where organization_id = ${m.organizationId} limit 1000) x`;
  await as(`select (sync.read_packed('action_items', $1::text::uuid[], '{}', array['site:${m.siteId}'])).o_rows::text`, [ids[0]!.a]);
  await as(`select sync.read_rows('action_items', $1::text::uuid[], '{}', array['site:${m.siteId}'])::text`, [ids[0]!.a]);
  await as(`select count(*) from action_items where id = any($1::text::uuid[])`, [ids[0]!.a]);
  await as(`select my_scopes()`);
} finally { await rig.stop(); }
