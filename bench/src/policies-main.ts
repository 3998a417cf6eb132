import { parseArgs } from 'node:util';
import { findChromium } from '../../tools/chromium.ts';
import { Findings } from './findings.ts';
import type { Member } from './page/peer.ts';
import { deviceWithPolicies, pressPolicies } from './policies-device.ts';
import { addCompany, approvedNext, LONG, PEOPLE, POLICIES } from './policies-seed.ts';
import { startShellRig, type ShellRig } from './shell-rig.ts';
import { quantile } from './statistics.ts';

/** A mid-range phone beside this computer. */
const PHONE = 4;
const LIMITS = { report: 300, publish: 1000, key: 50 };

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '9' },
    /** The folder of another build of the app. */
    dist: { type: 'string' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const TIMES = Number(values.times);

const NOTES = `
- The built app on its own server and database; a company of ${PEOPLE.toLocaleString('en')} people at twenty sites and in twenty teams, ${POLICIES} policies of
  ${LONG.toLocaleString('en')} characters, each asked of everybody: a million duties, seven of ten done.
- Reports and publishing: from the call over HTTP by the administrator to the last byte of the answer, medians, the first call left out. "Of all" is
  how the company stood on each of the last 365 days, all policies together; counted by the clock, one day of it takes what stands in its own line.
- The list and the search on a device that has all ${POLICIES}: from the press, as the browser received it, to the end of the first frame with the wanted
  rows. The letter typed is the last of a word: every policy has the word's beginning in its text, one in ten, or one alone, the whole word.
- The aims name no slow-down and are judged at 1 ×; "4 ×" is Chromium's processor slow-down and stands beside them.
`;

const findings = new Findings();

function note(what: string, times: number[], limit: number): void {
  const median = quantile(times, 0.5);
  const each = times.map(ms => ms.toFixed(0)).join(' ');
  findings.note(what, `${median.toFixed(0)} ms (${each})`, `≤ ${limit} ms`, median <= limit);
}

type Call = (name: string, args: Record<string, unknown>) => Promise<{ ms: number; text: string }>;

/** The functions of the database as the member, over HTTP. */
async function callsOf({ url }: ShellRig, member: Member): Promise<Call> {
  const config = (await (await fetch(`${url}/config.json`)).json()) as { publishableKey: string };
  const headers = { apikey: config.publishableKey, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: member.email, password: member.password });
  const signIn = await fetch(`${url}/auth/v1/token?grant_type=password`, { method: 'POST', headers, body });
  const { access_token: token } = (await signIn.json()) as { access_token: string };
  return async (name, args) => {
    const began = performance.now();
    const answer = await fetch(`${url}/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: JSON.stringify(args),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text}`);
    return { ms: performance.now() - began, text };
  };
}

async function timed(times: number, act: (n: number) => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n <= times; n += 1) {
    const ms = await act(n);
    if (n > 0) found.push(ms);
  }
  return found;
}

async function measureServer({ sql }: ShellRig, member: Member, call: Call): Promise<void> {
  const of = { p_organization: member.organizationId };
  const [policy] = await sql<{ id: string }[]>`select id from policies where code = 'P-7'`;
  const report = await timed(TIMES, async () => {
    const { ms, text } = await call('policy_acknowledgement_report', { p_policy: policy?.id });
    const { people } = JSON.parse(text) as { people: unknown[] };
    if (people.length !== PEOPLE) throw new Error(`the report has ${people.length} people`);
    return ms;
  });
  note('Report of one policy, 5,000 people', report, LIMITS.report);
  const [first] = await sql<{ ms: number; n: number }[]>`
    with began as materialized (select clock_timestamp() as at), ran as materialized (select rates.sweep(now(), interval '0') as n, began.at from began)
    select ran.n, extract(epoch from clock_timestamp() - ran.at)::float * 1000 as ms from ran`;
  findings.note('One day counted by the clock', `${first?.ms.toFixed(0)} ms`, '', first?.n === 1);
  // First, for the server's own clock counts the days that follow.
  await sql`update rates.counting_start set day = current_date, ends_at = now() + interval '1 day'`;
  // The other days stand as this one: what is read is as much as a year of days.
  await sql`
    insert into rates.acknowledgement_day (organization_id, place_id, day, policy_id, asked, done, overdue)
    select d.organization_id, d.place_id, current_date - n, d.policy_id, d.asked, d.done, d.overdue
    from rates.acknowledgement_day d, generate_series(1, 365) n on conflict do nothing`;
  await sql`vacuum analyze rates.acknowledgement_day`;
  const rates = await timed(TIMES, async () => {
    const { ms, text } = await call('acknowledgement_rates', { ...of, p_days: 365 });
    const { days } = JSON.parse(text) as { days: unknown[] };
    if (days.length !== 365) throw new Error(`there are ${days.length} days`);
    return ms;
  });
  note('Report of all policies over a year', rates, LIMITS.report);
  const publishing = await timed(TIMES, async n => {
    const version = await approvedNext(sql, member.organizationId, 100 + n);
    return (await call('publish_policy_version', { p_version: version })).ms;
  });
  note('Publishing to 5,000 people', publishing, LIMITS.publish);
}

async function measureDevice(rig: ShellRig, member: Member): Promise<void> {
  const chromium = await findChromium();
  const profile = await deviceWithPolicies(rig, member, chromium);
  for (const rate of [1, PHONE]) {
    const presses = await pressPolicies(rig, { profile, chromium, rate, times: TIMES });
    note(`List of ${POLICIES} policies opened, ${rate} ×`, presses.opened, LIMITS.key);
    note(`Search, a letter typed, one in ten fits, ${rate} ×`, presses.typedCommon, LIMITS.key);
    note(`Search, a letter typed, one fits, ${rate} ×`, presses.typedRare, LIMITS.key);
  }
}

const rig = await startShellRig(values.dist);
try {
  const member = await addCompany(rig.sql);
  if (values.only !== 'device') await measureServer(rig, member, await callsOf(rig, member));
  if (values.only !== 'server') await measureDevice(rig, member);
} finally {
  await rig.stop();
}
findings.end({ title: 'Policies of five thousand people', notes: NOTES, verb: 'bench:policies', write: values.write });
