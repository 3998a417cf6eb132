import type { UnfinishedWork } from '@cairn/sync/files/unfinished-work.ts';
import { SoundChunks, withSoundLock, type Sound, type SoundHead } from './sound-chunks.ts';

/** ms; what a dead battery may cost at most. */
const PIECE_MS = 2000;

/** Bits a second: speech is clear, a minute weighs a quarter of a megabyte. */
const BITS = 32_000;

/** What browsers can record, the smaller first; where none is known the browser's own choice is taken. */
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];

/** `broken`: the microphone went away; `full`: the device took no more. */
export type SoundEnd = 'stopped' | 'broken' | 'full';

export const canRecord = (): boolean => 'MediaRecorder' in globalThis && 'mediaDevices' in navigator;

const bare = (mime: string): string => (mime.split(';')[0] ?? '').trim() || 'audio/webm';

type Parts = { unfinished: UnfinishedWork; inspectionId: string } & Omit<SoundHead, 'mime'>;

/** A recording under way. Every two seconds are written to the device's database as they come. */
export class SoundRecording {
  private readonly recorder: MediaRecorder;
  private readonly pieces: SoundChunks;
  private recordedMs = 0;
  private runningSince: number | null = null;
  private how: SoundEnd = 'broken';
  /** Resolves once the recorder has ended, in whichever way. */
  readonly ended: Promise<SoundEnd>;

  /** @throws {DOMException} `NotAllowedError`, `NotFoundError`, `NotReadableError`, as browsers name them */
  static async begin(parts: Parts): Promise<SoundRecording> {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    return new SoundRecording(stream, parts);
  }

  private constructor(stream: MediaStream, { unfinished, inspectionId, ...head }: Parts) {
    const mimeType = TYPES.find(type => MediaRecorder.isTypeSupported(type));
    this.recorder = new MediaRecorder(stream, { audioBitsPerSecond: BITS, ...(mimeType && { mimeType }) });
    const mime = bare(this.recorder.mimeType || mimeType || '');
    this.pieces = new SoundChunks(unfinished, inspectionId, { ...head, mime });
    this.recorder.addEventListener('dataavailable', ({ data }) => this.take(data));
    this.ended = new Promise(resolve => {
      this.recorder.addEventListener('stop', () => {
        for (const track of stream.getTracks()) track.stop();
        resolve(this.how);
      });
    });
    // No other tab takes it for one that was broken off.
    void withSoundLock(this.pieces.subject, () => this.ended.then(() => undefined));
    this.recorder.start(PIECE_MS);
    this.runningSince = performance.now();
  }

  /** ms recorded until now, pauses left out. */
  get ms(): number {
    return this.recordedMs + (this.runningSince === null ? 0 : performance.now() - this.runningSince);
  }

  get isPaused(): boolean {
    return this.runningSince === null;
  }

  pause(): void {
    if (this.recorder.state !== 'recording') return;
    this.recordedMs = this.ms;
    this.runningSince = null;
    this.recorder.pause();
    // What was said until now is written at once: a pause may last long.
    this.recorder.requestData();
  }

  goOn(): void {
    if (this.recorder.state !== 'paused') return;
    this.runningSince = performance.now();
    this.recorder.resume();
  }

  stop(how: SoundEnd = 'stopped'): void {
    if (this.recorder.state === 'inactive') return;
    this.recordedMs = this.ms;
    this.runningSince = null;
    this.how = how;
    this.recorder.stop();
  }

  /** The recording as it lies on the device; null where nothing was recorded. Call it after `ended`. */
  whole(): Promise<Sound | null> {
    return this.pieces.whole();
  }

  /** It is an answer's file now. */
  forget(): Promise<void> {
    return this.pieces.forget();
  }

  private take(data: Blob): void {
    if (data.size === 0) return;
    // A device that takes no more ends the recording; what lies there is kept.
    this.pieces.add(data, this.ms).catch(() => this.stop('full'));
  }
}
