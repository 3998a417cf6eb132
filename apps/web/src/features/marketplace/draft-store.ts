import type { UnfinishedWork } from '@cairn/sync/files/unfinished-work.ts';
import { faultOf, type PackDraft, type ServerDraft } from './pack-draft.ts';
import { subjectOf, readLocalDraft, LocalDraftWriter, type PackPlace, type LocalDraft } from './local-draft.ts';
import { marketProblem, type MarketProblem } from './use-market.ts';

export type DraftState = {
  draft: PackDraft;
  /** What the server has of it: the same object where nothing is unsent. */
  saved: PackDraft | null;
  busy: boolean;
  problem: MarketProblem | null;
  /** It begins with words that an earlier visit left unsent. */
  isRestored: boolean;
  /** False where this device could not keep what is unsent. */
  isOnDevice: boolean;
};

/** The way to the server. */
export type Wires = {
  /** Writes a draft over the one of that hash, and answers the hash of what stands there now. */
  send: (draft: PackDraft, seen: string) => Promise<string>;
  /** After each try: what was seen of the marketplace is no longer what is there. */
  onSent: (isDone: boolean) => void;
};

/** ms after the last letter before a draft is sent. */
const REST = 1000;

/**
 * Where one draft is written: each letter is kept on the device until it is on the server, where it goes after a rest, one
 * after the other, and never over what somebody else wrote since. It goes on with that when its page is left.
 */
export class DraftStore {
  readonly versionId: string;
  private hash: string;
  private state: DraftState;
  private wires: Wires | null = null;
  private failed: PackDraft | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly copy: LocalDraftWriter;
  private readonly listeners = new Set<() => void>();

  constructor(unfinished: UnfinishedWork, place: PackPlace, { words, there }: DraftStart) {
    this.versionId = words.versionId;
    this.hash = words.hash;
    const saved = there?.draft ?? null;
    const isRestored = words.draft !== saved;
    this.state = { draft: words.draft, saved, busy: false, problem: null, isRestored, isOnDevice: true };
    this.copy = new LocalDraftWriter(unfinished, place, isOnDevice => {
      if (isOnDevice !== this.state.isOnDevice) this.set({ isOnDevice });
    });
  }

  readonly snapshot = (): DraftState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    this.arm();
    return () => {
      this.listeners.delete(listener);
      // Whoever leaves has sent what they typed.
      this.arm();
    };
  };

  get isDirty(): boolean {
    return this.state.draft !== this.state.saved;
  }

  /** What is here that no version has. */
  words(): LocalDraft {
    return { versionId: this.versionId, hash: this.hash, draft: this.state.draft };
  }

  /** Whether that is what was last seen from here of what the server has. */
  hasSeen(hash: string): boolean {
    return hash === this.hash;
  }

  /** @param wires null where the server takes nothing at present; what is typed then stays on the device */
  wire(wires: Wires | null): void {
    const isTurned = (wires === null) !== (this.wires === null);
    this.wires = wires;
    if (isTurned) this.arm();
  }

  change(make: (before: PackDraft) => PackDraft): void {
    this.set({ draft: make(this.state.draft) });
    this.hold();
    this.arm();
  }

  /** Lets go of what is unsent. */
  discard(): void {
    clearTimeout(this.timer);
    this.set({ saved: this.state.draft });
    this.hold();
  }

  /** Sends what stands here, over what was seen. */
  async send(seen = this.hash): Promise<void> {
    const { wires } = this;
    const { draft } = this.state;
    if (!wires) return;
    clearTimeout(this.timer);
    this.set({ busy: true, problem: null });
    let isDone = false;
    try {
      this.hash = await wires.send(draft, seen);
      isDone = true;
      this.set({ saved: draft });
    } catch (error) {
      this.failed = draft;
      this.set({ problem: marketProblem(error) });
    } finally {
      this.set({ busy: false });
      this.hold();
      this.arm();
      wires.onSent(isDone);
    }
  }

  private hold(): void {
    this.copy.hold(this.isDirty ? this.words() : null);
  }

  private arm(): void {
    clearTimeout(this.timer);
    const { draft, busy } = this.state;
    const isDue = this.wires && this.isDirty && !busy && draft !== this.failed && faultOf(draft) === null;
    if (!isDue) return;
    if (this.listeners.size === 0) void this.send();
    else this.timer = setTimeout(() => void this.send(), REST);
  }

  private set(part: Partial<DraftState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

type DraftStart = { words: LocalDraft; there: ServerDraft | null };

/** One for each pack: whoever comes back while something is on its way finds it as they left it. */
const stores = new WeakMap<UnfinishedWork, Map<string, DraftStore>>();

function storesOf(unfinished: UnfinishedWork): Map<string, DraftStore> {
  const known = stores.get(unfinished) ?? new Map<string, DraftStore>();
  stores.set(unfinished, known);
  return known;
}

/**
 * Where a pack's draft is written, with what is unsent of it.
 *
 * @param there the draft on the server; null: none is open
 * @returns null where there is nothing to be shown: no draft that can be read, and no words of one
 */
export async function openDraftStore(
  unfinished: UnfinishedWork,
  place: PackPlace,
  there: ServerDraft | null,
): Promise<DraftStore | null> {
  const known = storesOf(unfinished);
  const running = known.get(subjectOf(place));
  const here = running?.isDirty ? running : null;
  if (here && (there === null || there.versionId === here.versionId)) return here;
  // Who wrote here knows what is unsent; the copy on the device may be a letter behind.
  const local = running ? (here?.words() ?? null) : await readLocalDraft(unfinished, place);
  const words = begun(local, there);
  if (!words) return null;
  const store = new DraftStore(unfinished, place, { words, there });
  known.set(subjectOf(place), store);
  return store;
}

/** Words of another draft than the open one stand over it with the hash of theirs: nothing is written over unasked. */
function begun(local: LocalDraft | null, there: ServerDraft | null): LocalDraft | null {
  if (there === null) return local;
  const { versionId, hash, number, draft } = there;
  if (!local) return draft && { versionId, hash, draft };
  return local.versionId === versionId ? local : { ...local, versionId, draft: { ...local.draft, number } };
}

/** Lets go of what is unsent of a pack. */
export async function forgetLocalDraft(unfinished: UnfinishedWork, place: PackPlace): Promise<void> {
  (await openDraftStore(unfinished, place, null))?.discard();
}
