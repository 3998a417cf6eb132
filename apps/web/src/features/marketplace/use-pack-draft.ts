import { useCallback, useEffect, useRef, useState } from 'react';
import { readContents, type PackContents, type PackFault } from '@cairn/core/marketplace/pack-contents.ts';
import { joined, NO_CONTENTS, withAskedWords } from '@cairn/core/marketplace/pack-writing.ts';
import type { Pack, PackVersion } from '@cairn/core/marketplace/pack.ts';
import type { ServerCalls } from '../../shared/server-calls.ts';
import { factsOf, sentFacts, type Facts } from './fact-fields.tsx';
import { saveVersion } from './save-version.ts';
import { useMarketAct } from './use-market.ts';

/** What is typed of a pack and of the version that is being made. */
export type PackDraft = { facts: Facts; number: string; changelog: string; contents: PackContents };

/** What the server has of a draft, and the hash of it there. */
type Kept = { draft: PackDraft; hash: string };

function keptOf(pack: Pack, version: PackVersion): Kept {
  const read = readContents(version.contents);
  const { number, changelog, draft_hash: hash } = version;
  return { draft: { facts: factsOf(pack), number, changelog, contents: read.ok ? read.contents : NO_CONTENTS }, hash };
}

/** Why a draft cannot be kept as it is typed. */
type DraftFault = PackFault | 'number' | 'name';

function faultOf({ facts, number, contents }: PackDraft): DraftFault | null {
  if (facts.name.trim() === '') return 'name';
  if (!/^\d{1,5}(\.\d{1,5}){2}$/.test(number)) return 'number';
  const read = readContents(withAskedWords(contents));
  return read.ok ? null : read.fault;
}

/** Writes a draft to the server as it is typed, one after the other, and never over what somebody else wrote since. */
export function usePackDraft(pack: Pack, version: PackVersion, mayChangeFacts: boolean) {
  const [kept, setKept] = useState(() => keptOf(pack, version));
  const [draft, setDraft] = useState(kept.draft);
  const [failed, setFailed] = useState<PackDraft | null>(null);
  const { run, busy, problem } = useWriting(pack.id, version.id, mayChangeFacts);
  const fault = faultOf(draft);
  const isKept = draft === kept.draft;
  const keep = async (seen: Kept) => {
    // Known before the marketplace is read anew: on a slow line the next letters are sent meanwhile, over what is there now.
    const isDone = await run(draft, seen, hash => setKept({ draft, hash }));
    if (!isDone) setFailed(draft);
  };
  const isDue = !isKept && fault === null && draft !== failed && !busy;
  useAfterRest(isDue, draft, () => void keep(kept));
  useLeaveWarning(!isKept);
  return {
    draft,
    change: (part: Partial<PackDraft>) => setDraft(before => ({ ...before, ...part })),
    /** Adds to the contents as they stand by then: the documents come from the server while one types on. */
    add: (added: PackContents) => setDraft(before => ({ ...before, contents: joined(before.contents, added) })),
    isKept,
    busy,
    fault,
    problem,
    /** Somebody else wrote the draft since: one of the two has to go. */
    isOutrun: problem !== null && version.draft_hash !== kept.hash,
    /** Keeps what stands here, whatever stands there. */
    keepNow: () => void keep({ ...kept, hash: version.draft_hash }),
    takeTheirs: () => {
      const theirs = keptOf(pack, version);
      setDraft(theirs.draft);
      setKept(theirs);
    },
  };
}

function useWriting(packId: string, id: string, mayChangeFacts: boolean) {
  const send = useCallback(
    async (calls: ServerCalls, next: PackDraft, seen: Kept, onHash: (hash: string) => void) => {
      const { number, changelog, contents } = next;
      const facts = mayChangeFacts ? sentFacts(next.facts) : null;
      const version = { id, packId, number, changelog };
      onHash(await saveVersion(calls, version, withAskedWords(contents), { seen: seen.hash, facts }));
    },
    [id, packId, mayChangeFacts],
  );
  return useMarketAct(send);
}

/** ms after the last letter before a draft is sent. */
const REST = 1000;

/** Acts once `what` has not changed for a while; whoever leaves within it has acted all the same. */
function useAfterRest(isDue: boolean, what: unknown, act: () => void): void {
  const due = useRef<(() => void) | null>(null);
  useEffect(() => {
    due.current = isDue ? act : null;
  });
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = setTimeout(() => due.current?.(), REST);
    return () => clearTimeout(timer);
  }, [isDue, what]);
  useEffect(() => () => due.current?.(), []);
}

/** The browser asks before it closes a page with words that are nowhere else. */
function useLeaveWarning(isUnkept: boolean): void {
  useEffect(() => {
    if (!isUnkept) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUnkept]);
}
