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
