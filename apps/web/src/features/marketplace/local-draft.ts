import type { UnfinishedWork } from '@cairn/sync/files/unfinished-work.ts';
import type { PackDraft } from './pack-draft.ts';

/** What is typed of a pack and is in no version yet, with the hash of what it was typed over. */
export type LocalDraft = { versionId: string; hash: string; draft: PackDraft };

/** Of the shape they are kept in; those of another are left alone. */
const SHAPE = 1;

/** A pack as one company has it: what is typed for one is not shown to another. */
export type PackPlace = { organizationId: string; packId: string };

const ofCompany = (organizationId: string): string => `pack/${organizationId}/`;
export const subjectOf = ({ organizationId, packId }: PackPlace): string => `${ofCompany(organizationId)}${packId}`;

const isKept = (kept: unknown): kept is LocalDraft =>
  typeof kept === 'object' && kept !== null && 'shape' in kept && kept.shape === SHAPE;

export async function readLocalDraft(unfinished: UnfinishedWork, place: PackPlace): Promise<LocalDraft | null> {
  const [found] = await unfinished.list(`${subjectOf(place)}/`);
  const kept = found?.parts[0];
  return isKept(kept) ? kept : null;
}

export type LocalPackDraft = LocalDraft & { packId: string };

/** What is unsent of any pack of a company. */
export async function allLocalDrafts(unfinished: UnfinishedWork, organizationId: string): Promise<LocalPackDraft[]> {
  const beginning = ofCompany(organizationId);
  const found = await unfinished.list(beginning);
  return found.flatMap(({ subject, parts: [kept] }) =>
    isKept(kept) ? [{ ...kept, packId: subject.slice(beginning.length) }] : [],
  );
}

/** The copy of a pack's unsent words on this device. One is written at a time, and what was outrun meanwhile is not. */
export class LocalDraftWriter {
  private readonly unfinished: UnfinishedWork;
  private readonly subject: string;
  private readonly onHeld: (isHeld: boolean) => void;
  private next: { words: LocalDraft | null } | null = null;
  private isWriting = false;

  constructor(unfinished: UnfinishedWork, place: PackPlace, onHeld: (isHeld: boolean) => void) {
    this.unfinished = unfinished;
    this.subject = subjectOf(place);
    this.onHeld = onHeld;
  }

  /** @param words null: there are none any more */
  hold(words: LocalDraft | null): void {
    this.next = { words };
    if (!this.isWriting) void this.write();
  }

  private async write(): Promise<void> {
    this.isWriting = true;
    while (this.next) {
      const { words } = this.next;
      this.next = null;
      const written = words
        ? this.unfinished.keep(this.subject, 0, { shape: SHAPE, ...words })
        : this.unfinished.forget(this.subject);
      // Why the device did not take it is one to whoever writes: it is on the screen alone.
      this.onHeld(
        await written.then(
          () => true,
          () => false,
        ),
      );
    }
    this.isWriting = false;
  }
}
