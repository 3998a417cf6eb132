/** A fault of a name, and what to write instead. */
export type TermFault = { name: string; instead: string };

/** Single words that are no noun, beside those that end like a participle. */
const NO_NOUNS = new Set(
  `
  About Again Against Ahead Apart Around Ask AskedFor AtKiosk Begun Below Beside Bound Brought BroughtBy Broken BundleMade By CallerOf
  Came Caught Chosen Decide Decode Delegate Drawn DrawnHere DrawnOn Due DueBetween Each Earlier Enough EnoughSeen Extra First FormBuilt
  Found Freeable Fresh Given GoesTogether Good GroupIn Heard Held HeldBack HeldHere How Impossible Inside Inspect Into Keep Kept Known
  LabelIn LaneOf Latest Left LinkNamed LinkOver Lite Live LockAfter Made MayGo Meant Mine Native Near Next NextUp Old OnDevice OnFail
  Open PackMade PasswordSealed Past Plain Present Ran Read RefusedBecause Rewritable RowsNeeded RowsWanted Said SaidAt SaidAtKiosk
  SaidOfGoal Say Sayable SectionsRead Seen SeenBy Sent SentTo ServerApart SetUp Shown SignedAs SignedIn SignedOver SignedUp Smart Spent
  Steady Take Taken TakeOn Talk To Together Told TypedAhead Undo Undone Unlock Unread Unsent Unsound Urgent Verify When Where Who Whose
  WithLevels Write Written Wrote Place
  `.match(/\w+/g),
);
/** `Binding` and the like are nouns; so are the last two, until they have a better name. */
const NOUNS = /^(Binding|Drawing|Feed|Finding|Keyring|Mapping|Paging|Scoring|Landing|Standing)$/;
const PARTICIPLE = /^[A-Z][a-z]+(ed|ing)$/;
const ENDS_IN_NO_NOUN =
  /[a-z](By|To|On|At|Over|For|Here|Apart|Because|Made|Done|Built|Seen|Around|Wanted|Needed|Said|Kept|Held|Told|Asked|Brought|Shown|Now)$/;
/** Named by the wire: orphaned edits that are handed over. */
const ALLOWED_TYPES = new Set(['HandOver']);

const TYPE = /^\s*(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm;
const VALUE = /\b(?:const|let|readonly|static) (\w+)\b/g;

const SUPERLATIVE =
  /^(MOST|LONGEST|FEWEST|DEEPEST|SHORTEST|LARGEST|SMALLEST|HEAVIEST|WIDEST|LEAST|BIGGEST|GREATEST|MINIMUM|MAXIMUM|HIGHEST|LOWEST)(_|$)/;
const UNIT = /^M(AX|IN)_[A-Z_]*(LETTERS|CHARACTERS)$/;
/** An order, not a limit. */
const ALLOWED_VALUES = new Set(['HIGHEST_FIRST']);

const isNoNoun = (name: string): boolean =>
  !NOUNS.test(name) && (NO_NOUNS.has(name) || PARTICIPLE.test(name) || ENDS_IN_NO_NOUN.test(name));

/** Names of one source file that are not the field's: types that are no nouns, limits that are not MAX_ or MIN_. */
export function termFaults(text: string): TermFault[] {
  const types = [...text.matchAll(TYPE)].map(([, name = '']) => name);
  const values = [...text.matchAll(VALUE)].map(([, name = '']) => name);
  return [
    ...types
      .filter(name => isNoNoun(name) && !ALLOWED_TYPES.has(name))
      .map(name => ({ name, instead: 'a noun that says what it is' })),
    ...values
      .filter(name => SUPERLATIVE.test(name) && !ALLOWED_VALUES.has(name))
      .map(name => ({ name, instead: 'MAX_ or MIN_ and what is counted' })),
    ...values.filter(name => UNIT.test(name)).map(name => ({ name, instead: '_LENGTH or _CHARS' })),
  ];
}

/** Words that are part of no name, in code, SQL, files and test titles, each with what to write (docs/glossary.md). */
const BANNED_WORDS = new Map(
  Object.entries({
    tray: 'review queue',
    unsent: 'pending (outbox) or orphaned (review queue)',
    brought: 'submitted, imported, uploaded',
    handed: 'submitted',
    landed: 'bulk-loaded',
    landing: 'bulk load',
    letter: 'email (a message), char (a sign)',
    letters: 'emails (messages), chars (signs)',
    standing: 'status',
    keeper: 'cache or store',
    adopt: 'establishSession',
    adopted: 'establishSession',
    disputed: 'conflicted',
    ballast: 'storage reserve',
    lane: 'retry loop',
    lanes: 'retry loops',
    steer: 'wireWakeups',
    bite: 'injected bug',
    bites: 'injected bugs',
    spare: 'outbox backup',
    sentinel: 'data-loss canary',
    unborn: 'neverSynced',
    beneath: 'serverBase',
    knot: 'deadlock',
  }),
);
/** Bytes of an answer that a socket has not taken; a table whose rows become another's items. */
const ALLOWED_NAMES = new Set([
  'unsent',
  'unsentBytes',
  'UnsentAnswer',
  'UnsentAnswers',
  'UNSENT_LIMITS',
  'adopt_task_items',
]);

const CODE_TEXT = /\/\*[\s\S]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm;
const SQL_TEXT = /--.*$|'(?:[^']|'')*'|"[^"]*"/gm;
const TITLE = /^\s*(?:test|it|describe)(?:\.\w+\([^\n]*?\))?\(\s*(['"`])(.*?)\1,/gm;

const wordsOf = (name: string): string[] =>
  name.split(/[^A-Za-z]+|(?<=[a-z0-9])(?=[A-Z])/).map(word => word.toLowerCase());

function bannedIn(names: Iterable<string>): TermFault[] {
  const faults = [...new Set(names)]
    .filter(name => !ALLOWED_NAMES.has(name))
    .flatMap(name => wordsOf(name).map(word => ({ name, instead: BANNED_WORDS.get(word) })));
  return faults.filter((fault): fault is TermFault => fault.instead !== undefined);
}

const identifiersOf = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? [];

/** Banned words in the identifiers of a TypeScript file, texts and comments aside. */
export const codeFaults = (text: string): TermFault[] => bannedIn(identifiersOf(text.replaceAll(CODE_TEXT, ' ')));

/** Banned words in the names and keys of an SQL file; sentences and comments aside. */
export const sqlFaults = (text: string): TermFault[] =>
  bannedIn(identifiersOf(text.replaceAll(SQL_TEXT, part => (/^--|\s/.test(part) ? ' ' : part))));

/** Banned words in the name of a file. */
export const fileFaults = (path: string): TermFault[] =>
  bannedIn([path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')]).filter(
    ({ name }) => !name.startsWith('unsent-answers'),
  );

/** What a test title says in words of our own; letters of an alphabet and bytes that a socket has not taken are meant. */
const TITLE_WORDS =
  /\b(trays?|landed|laid down|lays? down|ballast|spare cop(?:y|ies)|kept work|sentinel|ready pages?|bites?|unborn)\b/;

/** Test titles that say such a word. */
export const titleFaults = (text: string): TermFault[] =>
  [...text.matchAll(TITLE)].flatMap(([, , title = '']) => {
    const [word] = title.match(TITLE_WORDS) ?? [];
    return word ? [{ name: `"${title}"`, instead: `the field's word for "${word}"` }] : [];
  });
