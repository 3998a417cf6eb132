import type { Clock } from '@cairn/base/clock.ts';
import { Failure } from '@cairn/base/failure.ts';
import { canonicalJson } from '@cairn/core/forms/answers/content-hash.ts';
import type { FormDefinition } from '@cairn/core/forms/definition/form-definition.ts';
import { formOf, outlineOf, type Outline } from '@cairn/core/forms/draft/form-outline.ts';
import type { Json } from '@cairn/schema';
import { TypingRest } from '../../../shared/input/typing-rest.ts';

/** `elsewhere`: somebody else, or another tab, edited the form meanwhile; nothing is written until the person has chosen. */
export type EditsState = 'idle' | 'saving' | 'saved' | 'failed' | 'elsewhere';

export type EditsView = { outline: Outline; state: EditsState };

/** ms without an edit after which the form is written; leaving the screen writes at once. */
export const REST_MS = 400;

type DraftWriter = (definition: FormDefinition, seen: FormDefinition) => Promise<void>;

const textOf = (form: FormDefinition): string => canonicalJson(JSON.parse(JSON.stringify(form)) as Json);

/**
 * A form being edited: what is on the screen, and its way to the device's database. Edits show at once; while the device refuses
 * them they stay here.
 */
export class FormEdits {
  private readonly listeners = new Set<() => void>();
  private readonly write: DraftWriter;
  private readonly rest: TypingRest;
  private view: EditsView;
  /** What the device's database held when it was last looked at. */
  private seen: FormDefinition;
  /** Everything that was read or written here: an answer that arrives late is no edit of somebody else. */
  private readonly own = new Set<string>();
  private dirty = false;
  private writing: Promise<void> | null = null;

  /** @param write resolves once the form is committed on the device */
  constructor(definition: FormDefinition, write: DraftWriter, clock: Clock) {
    this.write = write;
    this.rest = new TypingRest(REST_MS, clock);
    this.seen = definition;
    this.own.add(textOf(definition));
    this.view = { outline: outlineOf(definition), state: 'idle' };
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): EditsView => this.view;

  edit(change: (outline: Outline) => Outline): void {
    const outline = change(this.view.outline);
    if (outline === this.view.outline) return;
    this.dirty = true;
    this.tell({ outline, state: this.view.state === 'elsewhere' ? 'elsewhere' : 'saving' });
    this.rest.typed(() => void this.flush());
  }

  /** Writes what waits; resolves when it is on the device or was refused. */
  flush(): Promise<void> {
    this.rest.stop();
    if (!this.dirty || this.view.state === 'elsewhere') return this.writing ?? Promise.resolve();
    this.writing ??= this.drain().finally(() => {
      this.writing = null;
    });
    return this.writing;
  }

  /** What the device holds now: shown where it is somebody else's edit and nothing of ours waits. */
  arrived(definition: FormDefinition): void {
    const text = textOf(definition);
    if (this.own.has(text)) return;
    if (this.dirty || this.writing) return this.tell({ ...this.view, state: 'elsewhere' });
    this.take(definition);
  }

  /** What is on the screen gives way to this. */
  take(definition: FormDefinition): void {
    this.dirty = false;
    this.seen = definition;
    this.own.add(textOf(definition));
    this.tell({ outline: outlineOf(definition, this.view.outline.next), state: 'idle' });
  }

  /** What is on the screen is written over what the device holds now. */
  keepMine(theirs: FormDefinition): Promise<void> {
    this.seen = theirs;
    this.own.add(textOf(theirs));
    this.dirty = true;
    this.tell({ ...this.view, state: 'saving' });
    return this.flush();
  }

  private async drain(): Promise<void> {
    this.tell({ ...this.view, state: 'saving' });
    while (this.dirty && this.view.state !== 'elsewhere') {
      this.dirty = false;
      const definition = formOf(this.view.outline);
      this.own.add(textOf(definition));
      try {
        await this.write(definition, this.seen);
        this.seen = definition;
      } catch (error) {
        this.dirty = true;
        const isElsewhere = error instanceof Failure && error.code === 'stale_version';
        return this.tell({ ...this.view, state: isElsewhere ? 'elsewhere' : 'failed' });
      }
    }
    this.tell({ ...this.view, state: this.view.state === 'saving' ? 'saved' : this.view.state });
  }

  private tell(view: EditsView): void {
    this.view = view;
    for (const listener of this.listeners) listener();
  }
}
