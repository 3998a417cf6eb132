import { newId } from '@cairn/base/id.ts';
import type { UnfinishedWork } from '@cairn/sync/files/unfinished-work.ts';
import type { Sound } from './sound-chunks.ts';
import { SoundRecording } from './sound-recording.ts';

/** `failed`: recorded, but not kept as an answer; it can be tried again. `full`, `broken`: ended early, kept. */
export type RecorderState =
  | 'idle'
  | 'asking'
  | 'recording'
  | 'paused'
  | 'saving'
  | 'failed'
  | 'refused'
  | 'none'
  | 'busy'
  | 'full'
  | 'broken';

export type RecorderParts = {
  unfinished: UnfinishedWork;
  inspectionId: string;
  question: string;
  as: 'answer' | 'note';
  onSound: (sound: Sound) => Promise<void>;
};

/** @throws what is no answer of a browser about its microphone */
function stateAfter(error: unknown): RecorderState {
  if (!(error instanceof DOMException)) throw error;
  if (error.name === 'NotAllowedError' || error.name === 'SecurityError') return 'refused';
  return error.name === 'NotReadableError' || error.name === 'AbortError' ? 'busy' : 'none';
}

/** Records at one question, from the first press to the answer. */
export class RecorderController {
  private state: RecorderState = 'idle';
  private recording: SoundRecording | null = null;
  private isLeft = false;
  private readonly parts: RecorderParts;
  private readonly listeners = new Set<() => void>();

  constructor(parts: RecorderParts) {
    this.parts = parts;
  }

  readonly snapshot = (): RecorderState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.isLeft = false;
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      // Whoever turns the page ends the recording, and it is kept.
      this.isLeft = true;
      this.recording?.stop();
    };
  };

  /** ms recorded until now. */
  get ms(): number {
    return this.recording?.ms ?? 0;
  }

  /** @throws what is no answer of a browser about its microphone */
  async start(): Promise<void> {
    this.become('asking');
    const { onSound: _onSound, ...parts } = this.parts;
    try {
      this.recording = await SoundRecording.begin({ ...parts, mediaId: newId() });
    } catch (error) {
      this.become(stateAfter(error));
      return;
    }
    this.become('recording');
    // The page was turned while the browser asked.
    if (this.isLeft) this.recording.stop();
    await this.recording.ended;
    await this.saveRecording();
  }

  pause(): void {
    this.recording?.pause();
    this.become('paused');
  }

  goOn(): void {
    this.recording?.goOn();
    this.become('recording');
  }

  async stop(): Promise<void> {
    if (this.state === 'failed') await this.saveRecording();
    else this.recording?.stop();
  }

  /** What lies on the device becomes the answer; where that fails it goes on lying there. */
  private async saveRecording(): Promise<void> {
    const { recording } = this;
    if (!recording) return;
    this.become('saving');
    const how = await recording.ended;
    try {
      const sound = await recording.whole();
      if (sound) await this.parts.onSound(sound);
      await recording.forget();
    } catch {
      // Whatever the device said: the recording is still there, and the screen offers to try again.
      this.become('failed');
      return;
    }
    this.recording = null;
    this.become(how === 'stopped' ? 'idle' : how);
  }

  private become(state: RecorderState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
