import { describe, expect, test } from 'vitest';
import {
  type Activation,
  arrive,
  invitationTokenIn,
  isRecent,
  newestPartnerActivation,
  RECENT_ACTIVATION_MS,
} from './arrive.ts';

const now = '2026-11-21T09:00:00.000Z';
const hoursAgo = (hours: number) => new Date(Date.parse(now) - hours * 3_600_000).toISOString();
const activation = (organization_id: string, hours: number, activation_source = 'partner_link'): Activation => ({
  organization_id,
  activation_source,
  activated_at: hoursAgo(hours),
});

/** A backend whose calls are noted in order. */
function backend(activations: Activation[], refuses = false) {
  const calls: string[] = [];
  const note = async <T>(name: string, answer: T) => {
    calls.push(name);
    return answer;
  };
  const member = (organization_id: string) => ({ organization_id, activation_source: null, joined_at: hoursAgo(99) });
  const ports = {
    acceptInvitation: async (token: string) => {
      calls.push(`accept ${token}`);
      if (refuses) throw new Error('spent');
      return { organization_id: 'joined' };
    },
    activations: () => note('activations', activations),
    preferences: () => note('preferences', { theme: 'dark' }),
    profile: () => note('profile', { name: 'Sam' }),
    roles: () => note('roles', ['user']),
    organizations: () => note('organizations', ['stored', 'linked', 'joined'].map(member)),
  };
  return { calls, ports };
}
const plain = { address: 'https://cairn.test/auth', stored: 'stored', now };

describe('R4.15 the newest partner-link activation', () => {
  test('is the newest of both kinds of link, whatever their order; other sources do not count', () => {
    const all = [activation('old', 9), activation('new', 2, 'partner_link_v2'), activation('newest', 1, 'others')];
    expect(newestPartnerActivation(all)?.organization_id).toBe('new');
    expect(newestPartnerActivation(all.toReversed())?.organization_id).toBe('new');
    expect(newestPartnerActivation([activation('a', 1, 'others')])).toBeNull();
    expect(newestPartnerActivation([])).toBeNull();
  });
});

describe('R4.16 R9.07 an activation makes its organisation current for 24 hours', () => {
  test('up to the boundary', () => {
    expect(RECENT_ACTIVATION_MS).toBe(86_400_000);
    expect(isRecent(activation('a', 24), now)).toBe(false);
    expect(isRecent({ ...activation('a', 24), activated_at: '2026-11-20T09:00:00.001Z' }, now)).toBe(true);
  });
  test.each([
    ['23 hours old', [activation('linked', 23)], 'linked'],
    ['25 hours old', [activation('linked', 25)], 'stored'],
    ['none', [], 'stored'],
    ['of an organisation one is not in', [activation('foreign', 1)], 'stored'],
  ])('%s', async (_, activations, organization) => {
    expect((await arrive(backend(activations).ports, plain)).organizationId).toBe(organization);
  });
});

describe('arriving', () => {
  test('R4.17 preferences, profile, roles and organisations are read after the activation', async () => {
    const { calls, ports } = backend([]);
    const arrival = await arrive(ports, plain);
    expect(calls).toEqual(['activations', 'preferences', 'profile', 'roles', 'organizations']);
    expect(arrival).toEqual({
      organizationId: 'stored',
      preferences: { theme: 'dark' },
      profile: { name: 'Sam' },
      roles: ['user'],
      invitation: null,
    });
  });

  test('R4.14 an invitation in the address is accepted first, and its organisation is the current one', async () => {
    const { calls, ports } = backend([activation('linked', 1)]);
    const arrival = await arrive(ports, { ...plain, address: 'https://cairn.test/auth?invitation_token=abc' });
    expect(calls[0]).toBe('accept abc');
    expect([arrival.organizationId, arrival.invitation]).toEqual(['joined', { accepted: true }]);
  });

  test('an invitation that cannot be used keeps nobody out', async () => {
    const arrival = await arrive(backend([], true).ports, {
      ...plain,
      address: 'https://cairn.test/?invitation_token=abc',
    });
    expect(arrival).toMatchObject({ organizationId: 'stored', invitation: { accepted: false } });
  });

  test.each([
    ['https://cairn.test/auth', null],
    ['https://cairn.test/auth?invitation_token=', null],
    ['not an address', null],
    ['capacitor://localhost/?x=1&invitation_token=a%2Bb#y', 'a+b'],
  ])('the token in %j is %j', (address, token) => {
    expect(invitationTokenIn(address)).toBe(token);
  });
});
