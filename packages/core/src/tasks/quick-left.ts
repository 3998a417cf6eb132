import {
  BEFORE_OR_AFTER,
  BY_SO_MUCH,
  COMING,
  EACH,
  GOOD_UNTIL,
  HALF,
  HOLIDAYS,
  LAST_BUT_ONE,
  OFTEN,
  TO_A_PERSON,
  UNITS,
  VERSIONS,
  WORKING_DAY,
  ZONE,
} from './quick-left-words.ts';
import type { PartKind } from './quick-part.ts';
import { DAY, MONTH, NUMBER, ORDINAL, SHORT_DAY, SIGN } from './quick-words.ts';

/**
 * What looks like a day, a time or a rule and is none, or more than one task can keep: versions, fractions, spans with two ends,
 * times on other clocks, "after next Friday". It stays in the title word for word.
 */

/** A stretch of the line that parts of some kinds may not touch. */
export type LeftRange = {
  from: number;
  to: number;
  kinds: readonly PartKind[];
  /** Two ends of a span: where something comes again, "from … until" are when it begins and ends. */
  isSpan: boolean;
  /** It is about days: a time beside it is not today's. */
  isDay: boolean;
};

const DATE_END = '(?:st|nd|rd|th|\\.)?';
const YEAR = '(?:,?\\s+\\d{4})?';
/** A date with its month. */
const DATE = [
  '\\d{4}-\\d{2}-\\d{2}',
  '\\d{4}/\\d{1,2}/\\d{1,2}',
  `\\d{1,2}${DATE_END}\\s*(?:of\\s+)?(?:${MONTH})\\.?${YEAR}`,
  `(?:${MONTH})\\.?\\s+\\d{1,2}${DATE_END}${YEAR}`,
  '\\d{1,2}\\.\\d{1,2}\\.?(?:\\d{4}|\\d{2})?',
  '\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?',
].join('|');
const FULL = `(?:(?:${SHORT_DAY})\\.?,?\\s+(?:(?:the|den|dem)\\s+)?)?(?:${DATE})`;
const WORD = `today|tonight|tomorrow|tmrw|heute|morgen|übermorgen|${DAY}`;
const A_DAY = `(?:${FULL}|${WORD}|${SHORT_DAY})`;
const TIME =
  "(?:\\d{1,2}(?:[:.]\\d{2})?\\s*(?:uhr|o'clock|[ap]\\.?m\\.?)|\\d{1,2}:\\d{2}|noon|midnight|midday|mittags?|mitternacht)";
const HOUR = '\\d{1,2}(?:[:.]\\d{2})?';
const TO = '(?:\\s*[-–—]\\s*|\\s+(?:bis(?:\\s+zum)?|to|till|til|until|through|thru)\\s+(?:the\\s+)?)';
const AND =
  '(?:\\s*[-–—/&+]\\s*|\\s+(?:and|und|or|oder|sowie|bis(?:\\s+zum)?|to|till|until|through)\\s+(?:the\\s+|den\\s+)?)';
const AT = '(?:(?:at|um|on|am|the|den|dem|vom|from)\\s+)?';
/** Behind a number: it counts something. */
export const COUNTED = `(?=\\s*(?:[%€$£°]|(?:${UNITS})(?![${SIGN}])))`;
/** "24 Dec 7 pm" has its date before the month. */
const NO_DATE_BEFORE = '(?<!\\d(?:st|nd|rd|th|\\.)?\\s*(?:of\\s+)?)';
const TIMES_A = `(?:twice|thrice|zweimal|dreimal|viermal|mehrmals|several\\s+times|(?:${NUMBER})\\s*(?:x|times|mal))`;

const ALL: readonly PartKind[] = ['repeat', 'until', 'day', 'time'];
const DAYS: readonly PartKind[] = ['until', 'day'];
const TIMES: readonly PartKind[] = ['time'];
const RULES: readonly PartKind[] = ['repeat'];
const RULES_AND_DAYS: readonly PartKind[] = [...RULES, ...DAYS];

const bounded = (pattern: string): RegExp => new RegExp(`(?<![${SIGN}])(?:${pattern})(?![${SIGN}])`, 'g');

/** Two ends of a span, or two days. */
const SPANS: readonly (readonly [readonly PartKind[], RegExp])[] = [
  [DAYS, bounded(`${A_DAY}${TO}${AT}${A_DAY}`)],
  [DAYS, bounded(`(?:${FULL})${AND}${AT}(?:${FULL})`)],
  [ALL, bounded(`${A_DAY},?\\s+${AT}(?:${TIME})${TO}${AT}${A_DAY}(?:,?\\s+${AT}(?:${TIME}))?`)],
];

const LEFT: readonly (readonly [readonly PartKind[], RegExp])[] = [
  // "22-23 Feb", "3 to 5 December", "24./25.12."; "Dec 3-5", "Dec 24 and 25".
  [DAYS, bounded(`(?<!\\d[.:/])\\d{1,2}${DATE_END}${AND}\\d{1,2}${DATE_END}\\s*(?:of\\s+)?(?:${MONTH})\\.?${YEAR}`)],
  [DAYS, bounded(`(?<!\\d[.:/])\\d{1,2}\\.${AND}(?:den\\s+)?\\d{1,2}\\.\\d{1,2}\\.(?:\\d{4}|\\d{2})?`)],
  [
    DAYS,
    bounded(
      `(?:${MONTH})\\.?\\s+\\d{1,2}${DATE_END}(?:\\s*[-–—/&+]\\s*|\\s+(?:to|till|until|through|bis)\\s+)\\d{1,2}${DATE_END}(?![:.]\\d|\\s*(?:uhr|o'clock|[ap]\\.?m))`,
    ),
  ],
  [
    DAYS,
    bounded(`(?:${MONTH})\\.?\\s+\\d{1,2}${DATE_END}\\s+(?:and|or|und|oder)\\s+\\d{1,2}${DATE_END}(?=\\s*(?:$|[,;]))`),
  ],
  // "2:30 pm - 3:30 pm", "9-10 Uhr", "between 9 and 10 am".
  [TIMES, bounded(`(?:(?:${TIME})${TO}${AT}(?:${TIME}|${HOUR})|(?<![\\d./:-])${HOUR}${TO}${AT}(?:${TIME}))`)],
  [
    ALL,
    bounded(
      `${A_DAY},?\\s+${AT}(?:${TIME})(?:\\s*[,;/&+]\\s*|\\s+(?:and|und|or|oder)\\s+)${AT}${A_DAY},?\\s+${AT}(?:${TIME})`,
    ),
  ],
  [TIMES, bounded(`(?:between|zwischen)\\s+(?:${TIME}|${HOUR})\\s+(?:and|und)\\s+(?:${TIME}|${HOUR})`)],
  [DAYS, bounded(`(?:between|zwischen)\\s+(?:dem\\s+)?${A_DAY}\\s+(?:and|und)\\s+(?:dem\\s+)?${A_DAY}`)],
  [
    TIMES,
    bounded(
      `(?:${TIME}|${HOUR})\\s*(?:/|\\s(?:and|und|or|oder)\\s)\\s*${AT}(?:${TIME})|(?:at|um)\\s+(?:${TIME}|${HOUR})\\s+(?:and|und|or|oder)\\s+(?:at|um)\\s+(?:${TIME}|${HOUR})`,
    ),
  ],
  [
    TIMES,
    bounded(
      `(?:at|um)\\s+(?:${NUMBER})\\s+(?:oh|fifteen|twenty|thirty|forty|fifty|fünfzehn|zwanzig|dreißig|vierzig|fünfzig)(?:[\\s-]*(?:${NUMBER}))?`,
    ),
  ],
  // Other clocks than those of this device.
  [TIMES, bounded(`(?:${TIME}|${HOUR})\\s*\\(?(?:${ZONE})(?:\\s*[+-]\\s*\\d{1,2})?`)],
  [TIMES, bounded(`(?:${TIME})\\s+(?:[${SIGN}]+\\s+){1,2}(?:time|zeit)`)],
  [TIMES, bounded(`(?:${BEFORE_OR_AFTER}|not\\s+before|nicht\\s+vor)\\s+(?:ca\\.?\\s+)?(?:${TIME})`)],
  [TIMES, bounded(`(?<!(?:viertel|minutes?|minuten|${NUMBER})\\s)(?:before|vor)\\s+(?:ca\\.?\\s+)?(?:${TIME})`)],
  [
    TIMES,
    bounded(
      `(?:yesterday|gestern|vorgestern|last\\s+night|letzte\\s+nacht)(?:\\s+[${SIGN}]+){0,2}?\\s+(?:${TIME}|${HOUR})`,
    ),
  ],
  [
    TIMES,
    bounded(
      `(?:scale|ratio|mix(?:ed|ture)?|dilut(?:e|ed|ion)|score|result|aspect|ma(?:ß|ss)stab|verhältnis|mischung|mischen|verdünn(?:t|en|ung)|ergebnis|endstand)\\s+(?:[${SIGN}]+\\s+){0,2}?\\d{1,3}:\\d{1,3}`,
    ),
  ],
  [TIMES, bounded(`(?:${HALF})(?:\\s*[,/&+]\\s*|\\s+(?:and|und|or|oder)\\s+)(?:${HALF})`)],
  [
    TIMES,
    bounded(`(?:${NUMBER})\\s+(?:${HALF})(?:\\s*[,/&+]\\s*|\\s+(?:and|und|or|oder)\\s+)(?:${NUMBER})\\s+(?:${HALF})`),
  ],
  [TIMES, bounded(`(?:at|um|gegen)\\s+(?:${NUMBER})${COUNTED}`)],
  [TIMES, bounded(`um\\s+(?:${NUMBER})(?=\\s+(?:${BY_SO_MUCH})(?![${SIGN}]))`)],
  [TIMES, bounded(`look(?:s|ed|ing)?\\s+at\\s+(?:${NUMBER})(?=\\s+[a-zäöüß])`)],
  [
    TIMES,
    bounded(`at\\s+\\d{1,3}\\s+(?:[${SIGN}]+\\s+){1,2}(?:street|st|road|rd|avenue|ave|lane|drive|square|way|court)`),
  ],
  // How long: "in 3:30", "4:20 min/km".
  [TIMES, bounded(`(?:in|unter|under|sub|within)\\s+\\d{1,2}:\\d{2}`)],
  [TIMES, bounded(`\\d{1,2}:\\d{2}\\s*(?:mins?|minuten|minutes|std|stunden|hours|hrs)`)],
  [TIMES, bounded('(?:song|lied|track|psalm)\\s+\\d{1,3}:\\d{2}(?!\\s*(?:uhr|[ap]\\.?m))')],
  // A month and its year: "TÜV bis 03/27".
  [DAYS, bounded(`(?:${GOOD_UNTIL})\\s+(?:(?:bis|until|till|thru|through|by|date)\\s+)?\\d{1,2}/\\d{2}`)],
  // Numbers that are no date.
  [ALL, bounded(`(?:${VERSIONS})\\.?\\s+(?:nr\\.?\\s+|no\\.?\\s+)?v?\\d+(?:\\.\\d+)+\\.?`)],
  [ALL, bounded('24\\s?/\\s?7(?:/365)?')],
  [ALL, /§+\s*\d+(?:\.\d+)*\.?/g],
  [ALL, /(?<![a-zäöüß0-9])\d+(?:[./]\d+){3,}/g],
  [ALL, new RegExp(`(?:[${SIGN}]-|[#_./])\\d{4}-\\d{2}-\\d{2}|(?<![${SIGN}])\\d{4}-\\d{2}-\\d{2}[-_/]`, 'g')],
  [DAYS, bounded(`${NO_DATE_BEFORE}(?:${MONTH})\\.?\\s+\\d{1,2}(?=\\s*(?:uhr|o'clock|[ap]\\.?m)(?![${SIGN}]))`)],
  [DAYS, new RegExp(`(?<![${SIGN}])${NO_DATE_BEFORE}(?:${MONTH})\\.?\\s+\\d{1,2}${COUNTED}`, 'g')],
  [DAYS, bounded(`(?:in|im|since|seit)\\s+(?:${MONTH})\\s+\\d{1,2}`)],
  [DAYS, bounded(`(?:${TO_A_PERSON})\\s+(?:may|april|june|august|jan|mai|juni|juli)\\s+\\d{1,2}(?=\\s+[a-zäöüß])`)],
  // A year of two figures: "24 Dec 27", "Dec 24 '27".
  [
    DAYS,
    new RegExp(
      `(?<![${SIGN}])(?:\\d{1,2}${DATE_END}\\s*(?:${MONTH})|(?:${MONTH})\\.?\\s+\\d{1,2}${DATE_END}),?\\s+(?:['’]\\d{2}(?!\\d)|\\d{2}(?=\\s*(?:$|[,;])))`,
      'g',
    ),
  ],
  // Not that day, or one that is over, or which of several.
  [DAYS, bounded(`(?:${WORD})\\s+(?:nicht|not)(?=\\s*(?:$|[,;.]))`)],
  [
    DAYS,
    bounded(
      `(?:last|past|previous|letzte[nmrs]?|vergangene[nmrs]?|vorige[nmrs]?)\\s+(?:(?:week|woche),?\\s+(?:(?:on|am)\\s+)?)?(?:${SHORT_DAY})`,
    ),
  ],
  [
    DAYS,
    bounded(
      `(?:${DAY})\\s+(?:of\\s+|in\\s+der\\s+|der\\s+)?(?:last|letzte[nr]?|vergangene[nr]?|vorige[nr]?)\\s+(?:week|woche)`,
    ),
  ],
  [
    DAYS,
    bounded(
      `(?:${ORDINAL})\\s+(?:${DAY})(?:\\s+(?:of|in|im|des)\\s+(?:(?:the|dem)\\s+)?(?:next|this|coming|nächsten|kommenden)\\s+(?:month|monats?|year|jahre?s?))?`,
    ),
  ],
  [
    RULES_AND_DAYS,
    bounded(
      `(?:${LAST_BUT_ONE})\\s+(?:${DAY}|day|tag)(?:\\s+(?:of|in|im|des|jede[nrs])\\s+(?:(?:every|each|the)\\s+)?[${SIGN}]+)?`,
    ),
  ],
  [RULES_AND_DAYS, bounded(`(?:one|any|some|(?:irgend)?ein(?:em|es|er)?)\\s+(?:${DAY})`)],
  [RULES_AND_DAYS, bounded(`(?:${NUMBER})\\s+(?:${DAY})s`)],
  [DAYS, bounded(`(?:before|vor)\\s+(?!(?:${DAY})(?![${SIGN}]))(?:${SHORT_DAY})`)],
  [DAYS, bounded(`(?:mid|middle\\s+of|late|later)[\\s-]+next\\s+(?:week|month)`)],
  // Two days of the week; a time beside them is of neither alone.
  [
    DAYS,
    bounded(
      `(?!(?:${DAY})\\s+(?:or|oder)\\s+(?:(?:on|am)\\s+)?(?:${DAY}))(?:${SHORT_DAY})s?(?:(?:\\s*[,/&+]\\s*|\\s+(?:and|und|u\\.|or|oder)\\s+)(?:(?:on|am)\\s+)?(?:${SHORT_DAY})s?(?![${SIGN}]))+`,
    ),
  ],
  [DAYS, bounded(`(?:${WORD})\\s+(?:or|oder|and|und)\\s+(?:(?:the|den|am)\\s+)?(?:next|following|nächste[nrms]?)`)],
  [
    ALL,
    bounded(`(?:${WORD})\\s+(?:${HALF})\\s+(?:and|und|or|oder)\\s+(?:(?:on|am)\\s+)?(?:${WORD})(?:\\s+(?:${HALF}))?`),
  ],
  [
    DAYS,
    bounded(
      `(?:not|nicht|never|nie|kein|keinen|no|without|ohne|except|außer)\\s+(?:(?:on|am|the|den|before|vor)\\s+)?${COMING}${A_DAY}`,
    ),
  ],
  [
    DAYS,
    bounded(
      `(?<!(?:days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?)\\s)(?:${BEFORE_OR_AFTER})\\s+${COMING}${A_DAY}`,
    ),
  ],
  [
    DAYS,
    bounded(
      `(?:before|vor)\\s+(?:(?:the|den|dem|der)\\s+)?(?:next|this|coming|last|nächste|kommende|diese|letzte)[nmrs]?\\s+${A_DAY}`,
    ),
  ],
  [
    DAYS,
    bounded(
      `(?:${DAY})\\s+(?:after|before|nach|vor|following)\\s+(?:next|the|dem|der|den|${HOLIDAYS}|${MONTH}|${DAY})`,
    ),
  ],
  [
    DAYS,
    bounded(`(?:black|good|cyber|ash|palm|casual|giving|shrove|super|boxing|bloody|maundy|whit|easter)\\s+(?:${DAY})`),
  ],
  [ALL, bounded('(?:guten|schönen)\\s+(?:morgen|abend|mittag)')],
  [ALL, new RegExp(`(?<![${SIGN}])(?:${WORD}|${DATE})['’]s(?![${SIGN}])`, 'g')],
  // Compounds: "Sonntags-Brief", "Guten-Morgen-Mail", "half-yearly".
  [
    ALL,
    new RegExp(
      `(?<![${SIGN}])(?:${WORD}|(?:${DAY})s)-(?!(?:${SHORT_DAY}|heute|morgen|today|tomorrow)(?![${SIGN}]))[a-zäöüß]`,
      'g',
    ),
  ],
  [ALL, new RegExp(`[a-zäöüß](?<!(?<![${SIGN}])(?:${SHORT_DAY}))-(?:${WORD}|in|${OFTEN})(?![${SIGN}])`, 'g')],
  // More than a rule can say.
  [RULES, bounded(`(?:every|each)\\s+so\\s+(?:often|many|much)`)],
  [RULES_AND_DAYS, bounded(`(?:${EACH})\\s+(?:${MONTH})\\s+(?:am|on\\s+the)\\s+\\d{1,2}${DATE_END}`)],
  [
    RULES_AND_DAYS,
    bounded(`(?:${EACH})\\s+(?:${SHORT_DAY})(?:,?\\s+(?:the|den|dem))?\\s+\\d{1,2}(?:st|nd|rd|th|\\.(?!\\d))`),
  ],
  [RULES, bounded(`${TIMES_A}\\s+(?:a\\s+|an\\s+|am\\s+|im\\s+|pro\\s+)?(?:(?:${OFTEN})(?:\\s+[${SIGN}]+)?)`)],
  [
    RULES_AND_DAYS,
    bounded(
      `(?:[${SIGN}]+\\.?\\s+)?(?:${WORKING_DAY})\\s+(?:(?:of|im|in|des|jede[nrsm]?)\\s+)(?:(?:the|every|each|this|next|jede[nrsm]?|dieses)\\s+)?(?:month|monats?|quarter|quartals?|year|jahre?s?|week|woche)`,
    ),
  ],
  [
    RULES_AND_DAYS,
    bounded(
      `last\\s+day\\s+of\\s+(?:every|each)\\s+(?:quarter|week|year)|letzte[rnms]?\\s+tag\\s+(?:jede[nrsm]?|im|des)\\s+(?:quartals?|jahre?s?)`,
    ),
  ],
  [
    RULES_AND_DAYS,
    bounded(
      `(?:${EACH})\\s+(?!\\d{1,2}${DATE_END}\\s+of\\s)(?:[${SIGN}.]+\\s+){1,3}?(?:of|in|im)\\s+(?:the\\s+)?(?:(?:next|this|coming|last|nächste[nrms]?|diese[nrms]?|kommende[nrms]?)\\s+(?:week|month|year|quarter|woche|monat|jahr|quartal)|${MONTH})`,
    ),
  ],
  [RULES_AND_DAYS, bounded(`(?:${EACH})\\s+(?:${FULL})(?:(?:\\s*[,/&+]\\s*|\\s+(?:and|und)\\s+)(?:${FULL}))+`)],
  [DAYS, bounded(`(?:ending|ends|endet|endend)\\s+${AT}(?:${A_DAY}|in\\s+(?:${NUMBER})\\s+[${SIGN}]+)`)],
  [
    RULES_AND_DAYS,
    bounded(
      `(?:${EACH})\\s+(?:${ORDINAL})\\s+(?:${SHORT_DAY})(?:\\s*[,/&+]\\s*|\\s+(?:and|und|or|oder)\\s+)(?:(?:${ORDINAL})\\s+)?(?:${SHORT_DAY})`,
    ),
  ],
  [RULES_AND_DAYS, bounded(`(?:${EACH})\\s+(?:${SHORT_DAY})\\s+(?:or|oder)\\s+(?:(?:${EACH})\\s+)?(?:${SHORT_DAY})`)],
];

/** What of a line (`plainOf`) stays in its title whatever it looks like. */
export function leftRanges(plain: string): LeftRange[] {
  const of = (rules: readonly (readonly [readonly PartKind[], RegExp])[], isSpan: boolean): LeftRange[] =>
    rules.flatMap(([kinds, pattern]) =>
      [...plain.matchAll(pattern)].map(({ index, 0: text }) => ({
        from: index,
        to: index + text.length,
        kinds,
        // "1 Jan - 10 Jan" says not which of both begins what comes again.
        isSpan: isSpan && !/(?<!\d)\s*[-–—]/.test(text),
        isDay: isSpan || (kinds.includes('day') && !kinds.includes('time')),
      })),
    );
  return [...of(LEFT, false), ...of(SPANS, true)];
}
