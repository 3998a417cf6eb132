import type { Clock } from '@cairn/base/clock.ts';
import type { GivenAnswer } from '@cairn/core/forms/answers/answers.ts';
import { asDrawn } from '@cairn/core/forms/answers/signed-over.ts';
import type { Json } from '@cairn/schema';
import { TypingRest } from '../../../shared/input/typing-rest.ts';

/** What a person said to one question, as far as it changed. */
export type AnswerPatch = { value?: Json; note?: string | null };

/**
 * `idle`: nothing was answered yet on this screen. `saved` only once the device's database has committed. `preview`: a form is
 * tried out and nothing is kept.
 */
export type SaveState = 'idle' | 'saving' | 'saved' | 'failed' | 'preview';

/** What says whether everything is kept. Whoever shows it listens: nothing else on the screen is drawn for it. */
export type SaveWatch = { subscribe: (listener: () => void) => () => void; state: () => SaveState };

export type DraftsView = { patches: ReadonlyMap<string, AnswerPatch>; state: SaveState };

/** ms without a key after which a text is written; leaving the question writes at once. */
export const TYPING_MS = 250;

/**
 * `soon` waits for the end of typing. `pressed`: the button shows the answer by itself; the rest of the screen follows with
 * the device's own row, or a little later.
 */
export type CommitTime = 'now' | 'soon' | 'pressed';

/**
 * ms until the screen follows a press that is not on the device by then, or whose row was not read back so long after its commit.
 * Drawing it keeps the device's word waiting, so it has the time a commit takes on a phone; longer would be felt.
 */
const FOLLOW_MS = 100;

type Draft = { patch: AnswerPatch; due: 'now' | 'soon' | 'writing' | 'written' };

/**
 * Answers on their way to the device's database: shown at once, written one after the other, and kept here for as long
 * as the device refuses them, so that nothing a person said is lost to a full disk.
 */
export class AnswerDrafts {
  private readonly drafts = new Map<string, Draft>();
  private readonly listeners = new Set<() => void>();
  private readonly write: (path: string, patch: AnswerPatch) => Promise<void>;
  private readonly clock: Clock;
  private view: DraftsView = { patches: new Map(), state: 'idle' };
  private readonly rest: TypingRest;
  private cancelFollow: (() => void) | null = null;
  private writing: Promise<void> | null = null;
  private failed = false;
  private others = 0;
  private kept = false;

  /** @param write resolves once the answer is committed on the device */
  constructor(write: (path: string, patch: AnswerPatch) => Promise<void>, clock: Clock) {
    this.write = write;
    this.clock = clock;
    this.rest = new TypingRest(TYPING_MS, clock);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): DraftsView => this.view;

  patchesNow = (): DraftsView['patches'] => this.view.patches;

  readonly save: SaveWatch = { subscribe: this.subscribe, state: () => this.view.state };

  /** Takes an answer. */
  edit(path: string, patch: AnswerPatch, when: CommitTime): void {
    const before = this.drafts.get(path);
    this.drafts.set(path, { patch: { ...before?.patch, ...patch }, due: when === 'soon' ? 'soon' : 'now' });
    this.failed = false;
    // The device's database begins before the screen is drawn again: drawing may take longer than writing.
    if (when !== 'soon') void this.begin();
    else this.rest.typed(() => void this.flush());
    if (when !== 'pressed') return this.tell();
    // The saved line says at once that this one is not: an earlier answer's "saved" must not stand for it.
    this.show(this.view.patches, this.state());
    this.cancelFollow ??= this.clock.after(FOLLOW_MS, () => this.tell());
  }

  /**
   * The saved line hears of the end at once. A press the screen has not followed yet is in the row that is read back next: the form is
   * drawn for that one, and not for the draft before it and for the end of the draft after it.
   */
  private written(): void {
    if (!this.cancelFollow || this.failed) return this.tell();
    this.cancelFollow();
    this.cancelFollow = this.clock.after(FOLLOW_MS, () => this.tell());
    this.show(this.view.patches, this.state());
  }

  /** Writes what waits, and shows what was pressed; resolves when all of it is on the device or was refused. */
  flush(): Promise<void> {
    const writing = this.begin();
    this.tell();
    return writing;
  }

  private begin(): Promise<void> {
    this.rest.stop();
    this.writing ??= this.drain().finally(() => {
      this.writing = null;
      this.written();
    });
    return this.writing;
  }

  /** A write of something that is no text, such as a photo: it counts for the saved line too. */
  async during(write: () => Promise<void>): Promise<void> {
    this.others += 1;
    this.tell();
    try {
      await write();
      this.kept = true;
    } finally {
      this.others -= 1;
      this.tell();
    }
  }

  /** Forgets drafts that the device's own answers now show. */
  dropStored(isStored: (path: string, patch: AnswerPatch) => boolean): void {
    const stored = [...this.drafts].filter(([path, draft]) => draft.due === 'written' && isStored(path, draft.patch));
    if (stored.length === 0) return;
    for (const [path] of stored) this.drafts.delete(path);
    this.tell();
  }

  private async drain(): Promise<void> {
    this.failed = false;
    for (let next = this.nextDue(); next && !this.failed; next = this.nextDue()) await this.writeOne(...next);
  }

  private nextDue(): [string, Draft] | undefined {
    return [...this.drafts].find(([, draft]) => draft.due === 'now' || draft.due === 'soon');
  }

  private async writeOne(path: string, draft: Draft): Promise<void> {
    const sent: Draft = { patch: draft.patch, due: 'writing' };
    this.drafts.set(path, sent);
    try {
      await this.write(path, sent.patch);
      sent.due = 'written';
      this.kept = true;
    } catch {
      // The reason is the device's (out of space, connection lost): the line says "not saved" and offers a retry.
      sent.due = 'now';
      this.failed = true;
    }
  }

  private tell(): void {
    this.cancelFollow?.();
    this.cancelFollow = null;
    this.show(this.patches(), this.state());
  }

  private show(patches: DraftsView['patches'], state: SaveState): void {
    if (patches === this.view.patches && state === this.view.state) return;
    this.view = { patches, state };
    for (const listener of this.listeners) listener();
  }

  /** The same map for as long as nothing else is said: a large form is worked out again for a new one. */
  private patches(): DraftsView['patches'] {
    const { patches } = this.view;
    const drafts = [...this.drafts];
    const isSame = patches.size === drafts.length && drafts.every(([path, { patch }]) => patches.get(path) === patch);
    return isSame ? patches : new Map(drafts.map(([path, { patch }]) => [path, patch]));
  }

  private state(): SaveState {
    if (this.failed) return 'failed';
    const open = [...this.drafts.values()].some(draft => draft.due !== 'written');
    if (open || this.writing || this.others > 0) return 'saving';
    return this.kept ? 'saved' : 'idle';
  }
}

/**
 * Whether the device holds what was said. A signature is kept with what it was drawn over: what was said knows nothing of that, and
 * as long as it lay over the row no later answer could make it stale.
 */
export function isHeld(held: GivenAnswer | undefined, { value, note }: AnswerPatch): boolean {
  if (!held) return false;
  const isSame = value === undefined || JSON.stringify(asDrawn(held.value)) === JSON.stringify(asDrawn(value));
  return isSame && (note === undefined || held.note === note);
}
