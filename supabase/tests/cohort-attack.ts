import loadSolver, { type Highs } from 'highs';
import { COUNTED_PART, normal } from '@cairn/testing/cohort-formula.ts';
import type { Person, Truth, AttackerView } from './cohort-lab.ts';
import type { Figure } from './cohort-world.ts';

const COUNT_DEVIATION = 5;
const SUM_DEVIATION = 14;
const MIN_MEMBERS = 60;
/** What a person adds to a sum of moods, of energies and of stress. */
const ADDS: Record<Truth, number> = { out: 0, low: -1, high: 1 };

/** A place the person is in, in four weeks: the others who were counted there, what they add up to, and what was published. */
type PlaceEvidence = { others: number; sum: number; people: number | null; percents: readonly number[] };
/** All that an attacker has of one person: four weeks after four weeks, each the places that hold the person. */
export type Evidence = PlaceEvidence[][];

const percentsOf = (shown: readonly Figure[]) =>
  shown.toSorted((a, b) => a.measure.localeCompare(b.measure)).map(figure => figure.percent);

/**
 * What is known of everybody but one. A site or team is in it only where the organisation was released: else none was looked at.
 *
 * @param minimum places with fewer members are never released, whoever is counted
 */
export function evidenceOn(
  target: Person,
  everybody: readonly Person[],
  watched: readonly AttackerView[],
  minimum = MIN_MEMBERS,
): Evidence {
  const scopes = (['site', 'team'] as const).filter(
    kind => everybody.filter(person => person[kind] === target[kind]).length >= minimum,
  );
  return watched.map(({ counted, figures }) => {
    const others = everybody.filter(person => person.id !== target.id && counted.has(person.id));
    const seen = (there: readonly Person[], shown: readonly Figure[]): PlaceEvidence => ({
      others: there.length,
      sum: there.reduce((sum, person) => sum + ADDS[person.truth], 0),
      people: shown[0]?.people ?? null,
      percents: percentsOf(shown),
    });
    const whole = seen(
      others,
      figures.filter(figure => figure.kind === 'organization'),
    );
    if (whole.people === null) return [whole];
    const parts = scopes.map(kind =>
      seen(
        others.filter(person => person[kind] === target[kind]),
        figures.filter(figure => figure.place === target[kind]),
      ),
    );
    return [whole, ...parts];
  });
}

/** The probability that a normal number around 0 is rounded to a whole one from `from` to `to`. */
const within = (from: number, to: number, deviation: number): number =>
  normal((to + 0.5) / deviation) - normal((from - 0.5) / deviation);

/** The probability that a published percentage comes of a sum around `sum`, where `people` is the count with noise. */
function ofPercent(percent: number, people: number, sum: number): number {
  const least = percent === 0 ? Number.NEGATIVE_INFINITY : Math.ceil(((percent - 50.5) * people) / 50 - 1e-9);
  const most = percent === 100 ? Number.POSITIVE_INFINITY : Math.ceil(((percent - 49.5) * people) / 50 - 1e-9) - 1;
  return Math.max(0, within(least - sum, most - sum, SUM_DEVIATION));
}

/** The probability of what was published of a place, where the person adds this to it. */
function likelihood({ others, sum, people, percents }: PlaceEvidence, truth: Truth): number {
  const count = others + (truth === 'out' ? 0 : 1);
  if (people === null) return within(Number.NEGATIVE_INFINITY, MIN_MEMBERS - 1 - count, COUNT_DEVIATION);
  let total = 0;
  // Published in fives; each count behind it makes another denominator.
  for (let exact = Math.max(people, MIN_MEMBERS); exact < people + 5; exact++) {
    const ofCount = within(exact - count, exact - count, COUNT_DEVIATION);
    total += percents.reduce((product, percent) => product * ofPercent(percent, exact, sum + ADDS[truth]), ofCount);
  }
  return total;
}

const ofPlaces = (places: readonly PlaceEvidence[], truth: Truth): number =>
  places.reduce((product, place) => product * likelihood(place, truth), 1);

/** The logarithm of how likely all that was published is; of the person nobody knows whether the secret draw left them out. */
const logLikelihood = (evidence: Evidence, truth: Truth): number =>
  evidence.reduce(
    (sum, places) =>
      sum + Math.log(COUNTED_PART * ofPlaces(places, truth) + (1 - COUNTED_PART) * ofPlaces(places, 'out') + 1e-300),
    0,
  );

/** The guess between two truths that is right most often, for whoever knows the mechanism (Neyman and Pearson 1933). */
export function guessByLikelihood(evidence: Evidence, one: Truth, other: Truth): Truth {
  return logLikelihood(evidence, one) >= logLikelihood(evidence, other) ? one : other;
}

let solver: Promise<Highs> | undefined;
const load = (): Promise<Highs> => (solver ??= loadSolver());

/** The value from `from` to 1 that lies nearest to all of them, the distances added up: a linear programme. */
async function nearest(values: readonly number[], from: number): Promise<number> {
  if (values.length === 0) return (from + 1) / 2;
  const lines = values.flatMap((value, n) => [`u${n}: d${n} - x >= ${-value}`, `l${n}: d${n} + x >= ${value}`]);
  const distance = values.map((_, n) => `d${n}`).join(' + ');
  const bounds = ['Bounds', ` ${from} <= x <= 1`, 'End'];
  const solved = (await load()).solve(['Minimize', ` obj: ${distance}`, 'Subject To', ...lines, ...bounds].join('\n'));
  if (solved.Status !== 'Optimal') throw new Error(`no solution: ${solved.Status}`);
  return solved.Columns['x']?.Primal ?? 0;
}

/** Reconstruction by a linear programme (Dinur and Nissim 2003) over all figures at once, everybody else's answers taken off each. */
export async function guessByProgramme(evidence: Evidence, one: Truth, other: Truth): Promise<Truth> {
  const released = evidence
    .flat()
    .flatMap(({ people, ...seen }) => (people === null ? [] : [{ ...seen, people: people + 2 }]));
  if (one === 'out' || other === 'out') {
    const value = await nearest(
      released.map(seen => seen.people - seen.others),
      0,
    );
    const agreed = one === 'out' ? other : one;
    return value > 0.5 ? agreed : 'out';
  }
  const value = await nearest(
    released.flatMap(seen => seen.percents.map(percent => ((percent - 50) * seen.people) / 50 - seen.sum)),
    -1,
  );
  return value > 0 ? 'high' : 'low';
}
