import { weeklyPace } from './progress.ts';

/** The five questions a good goal answers, in order. */
export const SMART = ['specific', 'measurable', 'achievable', 'relevant', 'timeBound'] as const;
export type SmartPart = (typeof SMART)[number];

/** What is known of a goal while it is written; text may be empty, numbers and days null. */
export type GoalText = {
  title: string;
  why: string;
  metric: string;
  unit: string;
  baseline: number | null;
  target: number | null;
  dueOn: string | null;
  difficulty: 'easy' | 'steady' | 'hard' | null;
  /** How many milestones are planned. */
  milestones: number;
};

/** What asks for a number or a place: English and German words that say a direction only. */
const VAGUE =
  /(?<![\p{L}])(better|more|less|fitter|healthier|happier|improve|try|somehow|besser|mehr|weniger|gesünder|glücklicher|verbessern|versuchen|irgendwie)(?![\p{L}])/iu;
const MIN_WORDS = 3;

/** Whether a goal can be counted: a metric with two different ends. */
export const isMeasured = ({ metric, baseline, target }: Pick<GoalText, 'metric' | 'baseline' | 'target'>): boolean =>
  metric.trim() !== '' && baseline !== null && target !== null && baseline !== target;

export type SmartCheck = {
  /** What is answered. */
  met: Readonly<Record<SmartPart, boolean>>;
  /** The first that is not; null when all are. */
  next: SmartPart | null;
  /** A word of the title that says a direction and no place: "better". */
  vague: string | null;
  /** Units a week that the target asks for. */
  pace: number | null;
};

/**
 * Which of the five questions a goal answers, and what to ask next. Nothing is judged by more than its words and numbers:
 * `achievable` is answered by the person, who sees the pace.
 *
 * @param today YYYY-MM-DD
 */
export function smart(words: GoalText, today: string): SmartCheck {
  const measured = isMeasured(words);
  const vague = measured ? null : (VAGUE.exec(words.title)?.[0] ?? null);
  const isLong = words.title.trim().split(/\s+/).filter(Boolean).length >= MIN_WORDS;
  const met: Record<SmartPart, boolean> = {
    specific: isLong && vague === null,
    measurable: measured || words.milestones > 0,
    achievable: words.difficulty !== null,
    relevant: words.why.trim() !== '',
    timeBound: words.dueOn !== null && words.dueOn > today,
  };
  const measure = { metric: measured ? words.metric : null, unit: words.unit, baseline: words.baseline };
  const pace = weeklyPace({ ...measure, target: words.target, due_on: words.dueOn }, words.baseline ?? 0, today);
  return { met, next: SMART.find(part => !met[part]) ?? null, vague, pace };
}
