import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { newId } from '@cairn/base/id.ts';
import { useSignedIn } from '../../shared/session.ts';
import type { Sound } from './sound-pieces.ts';
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

/** ms between two looks at the clock. */
const TICK_MS = 250;

function stateAfter(error: unknown): RecorderState {
  if (!(error instanceof DOMException)) throw error;
  if (error.name === 'NotAllowedError' || error.name === 'SecurityError') return 'refused';
  return error.name === 'NotReadableError' || error.name === 'AbortError' ? 'busy' : 'none';
}

type Of = { inspectionId: string; question: string; as: 'answer' | 'note'; onSound: (sound: Sound) => Promise<void> };

/** Records at one question. Whoever turns the page ends the recording, and it is kept. */
export function useSoundRecorder({ inspectionId, question, as, onSound }: Of) {
  const { unfinished } = useSignedIn().engine;
  const [state, setState] = useState<RecorderState>('idle');
  const [ms, setMs] = useState(0);
  const [bug, setBug] = useState<{ error: unknown } | null>(null);
  if (bug) throw bug.error;
  const current = useRef<SoundRecording | null>(null);
  const left = useRef(false);

  const settle = async (recording: SoundRecording): Promise<void> => {
    setState('saving');
    const how = await recording.ended;
    const sound = await recording.whole();
    if (sound) await onSound(sound);
    await recording.forget();
    current.current = null;
    setState(how === 'stopped' ? 'idle' : how);
  };
  const begin = async (): Promise<void> => {
    const recording = await SoundRecording.begin({ unfinished, inspectionId, question, as, mediaId: newId() });
    current.current = recording;
    // The page was turned while the browser asked.
    if (left.current) recording.stop();
    setMs(0);
    setState('recording');
    await recording.ended;
    await settle(recording).catch(() => setState('failed'));
  };

  useTicking(state, () => setMs(current.current?.ms ?? 0));
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
      current.current?.stop();
    };
  }, []);

  return {
    state,
    ms,
    start() {
      setState('asking');
      begin().catch((error: unknown) => {
        try {
          setState(stateAfter(error));
        } catch (unexpected) {
          setBug({ error: unexpected });
        }
      });
    },
    pause() {
      current.current?.pause();
      setState('paused');
    },
    goOn() {
      current.current?.goOn();
      setState('recording');
    },
    stop() {
      const recording = current.current;
      if (state === 'failed' && recording) settle(recording).catch(() => setState('failed'));
      else recording?.stop();
    },
  };
}

function useTicking(state: RecorderState, tick: () => void): void {
  const look = useEffectEvent(tick);
  useEffect(() => {
    if (state !== 'recording') return undefined;
    const timer = setInterval(() => look(), TICK_MS);
    return () => clearInterval(timer);
  }, [state]);
}
