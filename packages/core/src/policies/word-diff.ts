import { diffArrays } from 'diff';
import type { Token, Tokens } from 'marked';
import { lexMarkdown } from '../markdown/parse-markdown.ts';
import { boxOf, markedText, piecesOf } from './marked-text.ts';

export type DiffPart = { op: 'same' | 'added' | 'removed'; text: string };

/** One block of a document (a heading, a paragraph, an item of a list, a row of a table) in two versions of it. */
export type DiffBlock = {
  kind: 'heading' | 'text' | 'item' | 'row' | 'code';
  op: 'same' | 'changed' | 'added' | 'removed';
  parts: DiffPart[];
};

export type DocumentDiff = {
  blocks: DiffBlock[];
  /** Words that came and went. */
  added: number;
  removed: number;
};

type Block = { kind: DiffBlock['kind']; text: string };

/** Long documents are compared block by block; within one, not more words than this. */
const MAX_DIFF_CHARS = 20_000;
/** Blocks that came and went, at most: past it two versions have little in common, and each is told as a whole. */
const MAX_EDITED_BLOCKS = 2000;
/** The same of words, within one block. */
const MAX_EDITED_WORDS = 1000;
/** Pairs of blocks that are looked at for a resemblance, each time some went and others came. */
const MAX_PAIRS = 20_000;

/**
 * What is different between two versions of a document, in words as they are read, and in what marks change of
 * their meaning: struck out, ticked, where a link leads.
 */
export function documentDiff(before: string, after: string): DocumentDiff {
  const blocks: DiffBlock[] = [];
  const [was, is] = [blocksOf(before), blocksOf(after)];
  const changes = diffArrays(was, is, {
    comparator: (a, b) => a.kind === b.kind && a.text === b.text,
    maxEditLength: MAX_EDITED_BLOCKS,
  }) ?? [
    { value: was, removed: true, added: false },
    { value: is, removed: false, added: true },
  ];
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at];
    const next = changes[at + 1];
    if (!change) continue;
    if (change.removed && next?.added) {
      blocks.push(...paired(change.value, next.value));
      at += 1;
    } else blocks.push(...change.value.map(block => whole(block, opOf(change))));
  }
  const count = (op: 'added' | 'removed') =>
    blocks.reduce(
      (sum, { parts }) => sum + parts.reduce((n, part) => n + (part.op === op ? words(part.text) : 0), 0),
      0,
    );
  return { blocks, added: count('added'), removed: count('removed') };
}

const opOf = ({ added, removed }: { added: boolean; removed: boolean }): 'same' | 'added' | 'removed' => {
  if (added) return 'added';
  return removed ? 'removed' : 'same';
};

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;

const whole = ({ kind, text }: Block, op: 'same' | 'added' | 'removed'): DiffBlock => ({
  kind,
  op,
  parts: [{ op, text }],
});

/** Blocks that went beside those that came: the ones that resemble each other are one block that changed. */
function paired(gone: readonly Block[], come: readonly Block[]): DiffBlock[] {
  if (gone.length * come.length > MAX_PAIRS)
    return [...gone.map(block => whole(block, 'removed')), ...come.map(block => whole(block, 'added'))];
  const blocks: DiffBlock[] = [];
  const left = [...gone];
  for (const block of come) {
    const twin = left.findIndex(each => each.kind === block.kind && resemble(each.text, block.text));
    if (twin === -1) {
      blocks.push(whole(block, 'added'));
      continue;
    }
    const [before, ...others] = left.splice(0, twin + 1).toReversed();
    blocks.push(...others.toReversed().map(each => whole(each, 'removed')));
    if (before) blocks.push({ kind: block.kind, op: 'changed', parts: wordParts(before.text, block.text) });
  }
  return [...blocks, ...left.map(block => whole(block, 'removed'))];
}

/** Whether two blocks share at least a fifth of the words of the longer one. */
function resemble(a: string, b: string): boolean {
  const bag = new Map<string, number>();
  for (const word of a.toLowerCase().split(/\s+/)) bag.set(word, (bag.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of b.toLowerCase().split(/\s+/)) {
    const left = bag.get(word) ?? 0;
    if (left === 0) continue;
    shared += 1;
    bag.set(word, left - 1);
  }
  return shared * 5 >= Math.max(words(a), words(b));
}

function wordParts(before: string, after: string): DiffPart[] {
  const isLong = before.length + after.length > MAX_DIFF_CHARS;
  const changes = isLong
    ? undefined
    : diffArrays(piecesOf(before), piecesOf(after), { maxEditLength: MAX_EDITED_WORDS });
  if (!changes)
    return [
      { op: 'removed', text: before },
      { op: 'added', text: after },
    ];
  return inPhrases(changes.map(change => ({ op: opOf(change), text: change.value.join('') })));
}

/** Neighbouring words that went and came are one phrase that went and one that came: the spaces between them go with both. */
function inPhrases(parts: readonly DiffPart[]): DiffPart[] {
  const phrases: DiffPart[] = [];
  let removed = '';
  let added = '';
  const close = () => {
    if (removed !== '') phrases.push({ op: 'removed', text: removed });
    if (added !== '') phrases.push({ op: 'added', text: added });
    removed = added = '';
  };
  for (const [at, { op, text }] of parts.entries()) {
    const isOpen = removed !== '' || added !== '';
    const isBetween = op === 'same' && text.trim() === '' && isOpen && (parts[at + 1]?.op ?? 'same') !== 'same';
    if (op === 'removed' || isBetween) removed += text;
    if (op === 'added' || isBetween) added += text;
    if (op !== 'same' || isBetween) continue;
    close();
    phrases.push({ op, text });
  }
  close();
  return phrases;
}

/** A document as the blocks it is read in; one past a bound by its lines. */
function blocksOf(markdown: string): Block[] {
  const tokens = lexMarkdown(markdown);
  return tokens ? tokens.flatMap(token => blocksOfToken(token)) : markdown.split('\n').flatMap(textBlock);
}

function blocksOfToken(token: Token): Block[] {
  switch (token.type) {
    case 'def':
      return pictureBlock(token as Tokens.Def);
    case 'space':
    case 'hr':
      return [];
    case 'heading':
      return [{ kind: 'heading', text: markedText((token as Tokens.Heading).tokens) }];
    case 'list':
      return listBlocks(token as Tokens.List);
    case 'table':
      return rowsOf(token as Tokens.Table);
    case 'code':
      return [{ kind: 'code', text: (token as Tokens.Code).text }];
    case 'blockquote':
      return (token as Tokens.Blockquote).tokens.flatMap(inner => blocksOfToken(inner));
    default:
      return textBlock(markedText([token]));
  }
}

/** A picture cannot be compared by words; that it is another one is told by its size and the end of its bytes. */
function pictureBlock({ tag, href }: Tokens.Def): Block[] {
  const picture = /^data:(image\/[a-z]+);base64,([a-z0-9+/]+)/i.exec(href);
  if (!picture) return [];
  const [, kind = '', bytes = ''] = picture;
  return [{ kind: 'text', text: `${tag} (${kind}, ${Math.ceil((bytes.length * 3) / 4)} B, …${bytes.slice(-8)})` }];
}

const textBlock = (text: string): Block[] => (text.trim() === '' ? [] : [{ kind: 'text', text: text.trim() }]);

/** The number a list begins with is in no word of it; 1 says nothing. */
const listBlocks = ({ items, ordered, start }: Tokens.List): Block[] =>
  items.flatMap((item, index) => itemBlocks(item, ordered && index === 0 && start !== 1 ? `${start}. ` : ''));

/** An item's own words, then what is nested in it. */
function itemBlocks(item: Tokens.ListItem, number: string): Block[] {
  const own = item.tokens.filter(({ type }) => type !== 'list');
  const nested = item.tokens.filter(({ type }) => type === 'list');
  const words = own.map(token => markedText([token])).join(' ');
  const text = `${number}${boxOf(item)}${words.trim()}`.trim();
  return [...(text === '' ? [] : [{ kind: 'item' as const, text }]), ...nested.flatMap(token => blocksOfToken(token))];
}

function rowsOf({ header, rows }: Tokens.Table): Block[] {
  return [header, ...rows].map(cells => ({
    kind: 'row',
    text: cells.map(cell => markedText(cell.tokens)).join(' | '),
  }));
}
