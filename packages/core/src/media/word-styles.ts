import { outermost } from './word-drawing.ts';
import { DocumentError } from './word-problem.ts';
import { childrenCalled, onlyChild, switchIn, type WordElement } from './word-xml.ts';

/** What of a style changes whether words are seen, or what they mean: not shown, struck through. Null: it says nothing of it. */
type Traits = { vanish: boolean | null; strike: boolean | null };
type Style = Traits & { follows: readonly string[] };

/** What a run is shown as: `hidden` is not shown in Word, `struck` is struck through. */
type RunLook = { hidden: boolean; struck: boolean };

export type Styles = {
  /** By the styles of its table, paragraph and letters, and by what stands at the run itself. */
  lookOf(styleIds: readonly string[], own: WordElement | undefined): RunLook;
};

const valueOf = (element: WordElement | undefined): string => element?.attributes.get('w:val') ?? '';

/** Word takes ids as they are written; here letters of both sizes are one, so that nothing hides between two styles. */
const keyOf = (id: string): string => id.toLowerCase();

const either = (one: boolean | null, other: boolean | null): boolean | null =>
  one === null || other === null ? (one ?? other) : one || other;

function traitsOf(properties: WordElement | undefined): Traits {
  const strike = either(switchIn(properties, 'w:strike'), switchIn(properties, 'w:dstrike'));
  return { vanish: switchIn(properties, 'w:vanish'), strike };
}

const joined = (one: Traits, other: Traits): Traits => ({
  vanish: either(one.vanish, other.vanish),
  strike: either(one.strike, other.strike),
});

function styleOf(element: WordElement): Style {
  // A style of tables has parts, e.g. for the first row: what any of them hides may be hidden.
  const parts = childrenCalled(element, 'w:tblStylePr').map(part => traitsOf(onlyChild(part, 'w:rPr')));
  const own = parts.reduce(joined, traitsOf(onlyChild(element, 'w:rPr')));
  const follows = ['w:basedOn', 'w:link'].map(name => keyOf(valueOf(onlyChild(element, name)))).filter(Boolean);
  return { ...own, follows };
}

/** What a style says, or the first it rests on that says it. */
function hasTrait(styles: ReadonlyMap<string, Style>, id: string, trait: keyof Traits): boolean {
  const seen = new Set<string>();
  const open = [keyOf(id)];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const style = styles.get(key);
    if (!style || seen.has(key)) continue;
    seen.add(key);
    if (style[trait] === true) return true;
    if (style[trait] === null) open.push(...style.follows);
  }
  return false;
}

/** Two styles of one id: Word takes one of them, nobody says which; what either does counts. */
function stylesById(root: WordElement | null): ReadonlyMap<string, Style> {
  const styles = new Map<string, Style>();
  for (const element of childrenCalled(root ?? undefined, 'w:style')) {
    const key = keyOf(element.attributes.get('w:styleId') ?? '');
    const [style, earlier] = [styleOf(element), styles.get(key)];
    if (!earlier) styles.set(key, style);
    else styles.set(key, { ...joined(earlier, style), follows: [...earlier.follows, ...style.follows] });
  }
  return styles;
}

const isDefault = (style: WordElement): boolean => !/^(|0|false|off)$/i.test(style.attributes.get('w:default') ?? '');

/**
 * Styles of a document, as far as they hide words or strike them through: those a run names, what each is based on or linked with,
 * those that apply where none is named, and the defaults of the document.
 *
 * Source: ECMA-376 part 1, 17.7.2 and 17.7.3. That two styles may take `vanish` back from each other is left out: such a run counts as hidden.
 */
export function stylesIn(root: WordElement | null): Styles {
  if (root && outermost(root, 'mc:AlternateContent').length > 0)
    throw new DocumentError('variants', 'styles are said twice');
  const styles = stylesById(root);
  const defaults = onlyChild(onlyChild(onlyChild(root ?? undefined, 'w:docDefaults'), 'w:rPrDefault'), 'w:rPr');
  const ofAll = traitsOf(defaults);
  const unnamed = childrenCalled(root ?? undefined, 'w:style').filter(isDefault);
  const everywhere = unnamed.map(style => style.attributes.get('w:styleId') ?? '');
  const known = new Map<string, boolean>();
  const says = (id: string, trait: keyof Traits): boolean => {
    const key = `${trait} ${id}`;
    const found = known.get(key) ?? hasTrait(styles, id, trait);
    known.set(key, found);
    return found;
  };
  const lookOf = (styleIds: readonly string[], own: WordElement | undefined): RunLook => {
    const direct = traitsOf(own);
    const ids = [...everywhere, ...styleIds];
    const of = (trait: keyof Traits) => direct[trait] ?? (ofAll[trait] === true || ids.some(id => says(id, trait)));
    return { hidden: of('vanish'), struck: of('strike') };
  };
  return { lookOf };
}
