import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import type { Cadence } from './quiet-hours.ts';

export type Channel = Row<'notification_choices'>['channel'];

export const CHANNELS = ['app', 'push', 'email'] as const satisfies readonly Channel[];

/** What may be chosen on a channel: the app itself has no digest. */
export const cadencesOf = (channel: Channel): readonly Cadence[] =>
  channel === 'app' ? ['immediate', 'off'] : ['immediate', 'daily', 'off'];

/** One line of the matrix: a type, and how it is told on each channel. */
export type ChoiceLine = {
  type: Row<'notification_types'>;
  cadence: Record<Channel, Cadence>;
  /** Safety and security: told at once on every channel, not to be chosen. */
  fixed: boolean;
};

/** How each type is told to the person, on each channel: what they chose, else the type's own default. */
export const choiceMatrix: Query<ChoiceLine[]> = {
  key: 'notifications/choiceMatrix',
  tables: ['notification_types', 'notification_choices'],
  async read(tx) {
    const choices = await tx.all('notification_choices');
    const chosen = new Map(choices.map(choice => [`${choice.type}/${choice.channel}`, choice.cadence]));
    const types = await tx.range('notification_types', 'key', '', '\uffff');
    return types.map(type => lineOf(type, channel => chosen.get(`${type.key}/${channel}`)));
  },
};

function lineOf(type: Row<'notification_types'>, chosen: (channel: Channel) => Cadence | undefined): ChoiceLine {
  const fixed = type.class !== 'normal';
  const on = (channel: Channel): Cadence => (fixed ? 'immediate' : (chosen(channel) ?? type[channel]));
  return { type, fixed, cadence: { app: on('app'), push: on('push'), email: on('email') } };
}

export type ChooseCadence = { userId: string; type: string; channel: Channel; cadence: Cadence };

/**
 * Keeps how a type is told on a channel; holds for what already waits, too.
 *
 * @throws {Failure} `not_found` for a type that is none; `not_allowed` for safety and security; `invalid` for a digest in the app
 */
export async function chooseCadence(tx: WriteTx, { userId, type, channel, cadence }: ChooseCadence): Promise<void> {
  const [known] = await tx.range('notification_types', 'key', type, type);
  if (!known) throw new Failure('not_found', `chooseCadence: no type ${type}`);
  if (known.class !== 'normal') throw new Failure('not_allowed', `chooseCadence: ${type} is always told at once`);
  if (!cadencesOf(channel).includes(cadence))
    throw new Failure('invalid', `chooseCadence: no ${cadence} on ${channel}`);
  const id = derivedId(userId, `notifications/${type}/${channel}`);
  await tx.put('notification_choices', { id, user_id: userId, type, channel, cadence });
}
