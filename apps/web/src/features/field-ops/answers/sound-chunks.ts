import type { UnfinishedItem, UnfinishedWork } from '@cairn/sync/files/unfinished-work.ts';

/** A recording that is to become an answer's file. */
export type Sound = {
  /** Of the file it becomes; the same however often it is kept. */
  id: string;
  file: File;
  /** ms */
  durationMs: number;
};

/** What a recording begins with on the device. */
export type SoundHead = { mediaId: string; question: string; as: 'answer' | 'note'; mime: string };

/** A few seconds of sound; `ms` is the length of all until its end. */
type SoundChunk = { bytes: ArrayBuffer; ms: number };

/** Everything recorded for an inspection and not yet its answers' lies under this. */
export const soundsOf = (inspectionId: string): string => `sound/${inspectionId}/`;

export const soundSubject = (inspectionId: string, { mediaId }: Pick<SoundHead, 'mediaId'>): string =>
  `${soundsOf(inspectionId)}${mediaId}`;

const isHead = (kept: unknown): kept is SoundHead =>
  typeof kept === 'object' &&
  kept !== null &&
  'mediaId' in kept &&
  'question' in kept &&
  'as' in kept &&
  'mime' in kept;

const isChunk = (kept: unknown): kept is SoundChunk =>
  typeof kept === 'object' && kept !== null && 'bytes' in kept && 'ms' in kept;

/**
 * The recording its pieces make, however many there are: a recording that broke off can be played up to there.
 *
 * @returns null where nothing was recorded
 */
export function soundFrom({
  parts: pieces,
}: UnfinishedItem): (Pick<SoundHead, 'question' | 'as'> & { sound: Sound }) | null {
  const [head, ...rest] = pieces;
  const recorded = rest.filter(isChunk);
  const last = recorded.at(-1);
  if (!isHead(head) || !last) return null;
  const { mediaId, question, as, mime } = head;
  const file = new File(
    recorded.map(({ bytes }) => bytes),
    'sound',
    { type: mime },
  );
  return { question, as, sound: { id: mediaId, file, durationMs: Math.round(last.ms) } };
}

/** Writes a recording down piece by piece, in order. */
export class SoundChunks {
  private readonly unfinished: UnfinishedWork;
  readonly subject: string;
  private written: Promise<void>;
  private count = 1;

  constructor(unfinished: UnfinishedWork, inspectionId: string, head: SoundHead) {
    this.unfinished = unfinished;
    this.subject = soundSubject(inspectionId, head);
    this.written = unfinished.keep(this.subject, 0, head);
    // Whoever ends the recording is told; until then nobody waits for this.
    this.written.catch(() => undefined);
  }

  /** @param ms the length of all until its end */
  add(chunk: Blob, ms: number): Promise<void> {
    const number = this.count;
    this.count += 1;
    this.written = this.written.then(async () => {
      const kept: SoundChunk = { bytes: await chunk.arrayBuffer(), ms };
      await this.unfinished.keep(this.subject, number, kept);
    });
    return this.written;
  }

  /** The whole, once every piece is written (or as much as could be). */
  async whole(): Promise<Sound | null> {
    await this.written.catch(() => undefined);
    const [found] = await this.unfinished.list(`${this.subject}/`);
    return (found && soundFrom(found))?.sound ?? null;
  }

  forget(): Promise<void> {
    return this.unfinished.forget(this.subject);
  }
}

/** Runs `work` unless another tab records or rescues this very recording now. */
export async function withSoundLock(subject: string, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work();
  await navigator.locks.request(`cairn-${subject}`, { ifAvailable: true }, async lock => {
    if (lock) await work();
  });
}
