import { instantOf, wallClock } from '@cairn/base/wall-clock.ts';
import { zoneName } from '../../shared/format/format.ts';

/** YYYY-MM-DDTHH:MM on the person's clocks, as the field for a moment has it. @param at ISO 8601 */
export const momentOf = (at: string): string =>
  new Date(wallClock(Date.parse(at), zoneName())).toISOString().slice(0, 16);

/** The instant of such a moment, ISO 8601. */
export const instantOfMoment = (moment: string): string =>
  new Date(instantOf(Date.parse(`${moment}:00Z`), zoneName())).toISOString();
