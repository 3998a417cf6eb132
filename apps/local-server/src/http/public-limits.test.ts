import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { limitVisitors, PUBLIC_RULES } from './public-limits.ts';

const SUBMIT = '/rest/v1/rpc/submit_public_report';

function appAt(factor = 1) {
  const clock = { now: 0 };
  const app = new Hono();
  app.use(limitVisitors(factor, () => clock.now));
  app.all('*', c => c.json({}));
  const ask = (path: string, address = '10.0.0.1') => {
    const incoming = { socket: { remoteAddress: address } };
    return app.request(path, { method: 'POST', body: '{}' }, { incoming });
  };
  const statuses = async (path: string, times: number, address?: string) => {
    const all: number[] = [];
    for (let n = 0; n < times; n += 1) all.push((await ask(path, address)).status);
    return all;
  };
  return { clock, ask, statuses };
}

test.each(Object.entries(PUBLIC_RULES))('%s is answered so often from one address, and no more', async (path, rule) => {
  const { ask, statuses } = appAt();
  expect(new Set(await statuses(path, rule.count))).toEqual(new Set([200]));
  const refused = await ask(path);
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '600']);
  expect(await refused.json()).toMatchObject({ code: 'PT429' });
  expect(await statuses(path, 1, '10.0.0.2')).toEqual([200]);
  expect(await statuses('/rest/v1/rpc/sync_pull', 3)).toEqual([200, 200, 200]);
});

test('a path that is written in another way is the same path', async () => {
  const { ask, statuses } = appAt();
  await statuses(SUBMIT, PUBLIC_RULES[SUBMIT]?.count ?? 0);
  for (const path of [`${SUBMIT}/`, SUBMIT.replace('_', '%5F'), SUBMIT.replace('s', '%73')])
    expect([path, (await ask(path)).status]).toEqual([path, 429]);
});

test('feeds are counted together, by whichever address they are asked for', async () => {
  const { statuses } = appAt();
  const [short, long] = ['/calendar/a.ics', '/functions/v1/calendar/b.ics'];
  const half = (PUBLIC_RULES['/calendar']?.count ?? 0) / 2;
  expect(new Set([...(await statuses(short, half)), ...(await statuses(long, half))])).toEqual(new Set([200]));
  expect([await statuses(short, 1), await statuses(long, 1)]).toEqual([[429], [429]]);
  expect(await statuses('/functions/v1/calendar/make', 3)).toEqual([200, 200, 200]);
});

test('the window moves on, and an office behind one address may be given more', async () => {
  const { clock, statuses } = appAt(2);
  const count = PUBLIC_RULES[SUBMIT]?.count ?? 0;
  expect(new Set(await statuses(SUBMIT, count * 2))).toEqual(new Set([200]));
  expect(await statuses(SUBMIT, 1)).toEqual([429]);
  clock.now += PUBLIC_RULES[SUBMIT]?.windowMs ?? 0;
  expect(await statuses(SUBMIT, 1)).toEqual([200]);
});
