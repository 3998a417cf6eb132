import { useEffect, useEffectEvent, useState } from 'react';

/** `idle` until asked; `none` has no camera, `busy` is held by another app, `refused` needs the browser's settings. */
export type CameraState = 'idle' | 'asking' | 'live' | 'refused' | 'none' | 'busy';

/** Milliseconds between two looks: often enough to feel at once, seldom enough for a warm phone. */
const LOOK_MS = 200;

const stateAfter = ({ name }: DOMException): CameraState => {
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'none';
};

type Camera = {
  state: CameraState;
  /** The `ref` of the element that shows what the camera sees. */
  attach: (view: HTMLVideoElement | null) => void;
  start: () => void;
};

/** Looks for a code with the camera on the back of the phone, once started and until one is read or the screen goes. */
export function useCamera(onRead: (text: string) => void): Camera {
  const [view, attach] = useState<HTMLVideoElement | null>(null);
  const [bug, setBug] = useState<{ error: unknown } | null>(null);
  const [state, setState] = useState<CameraState>('idle');
  const heard = useEffectEvent(onRead);
  const wanted = state === 'asking' || state === 'live';
  useEffect(() => {
    if (!wanted || !view) return undefined;
    const stopping = new AbortController();
    watch(view, stopping.signal, () => setState('live')).then(
      text => {
        if (text === null) return;
        setState('idle');
        heard(text);
      },
      (error: unknown) => (error instanceof DOMException ? setState(stateAfter(error)) : setBug({ error })),
    );
    return () => stopping.abort();
  }, [wanted, view]);
  if (bug) throw bug.error;
  return { state, attach, start: () => setState('asking') };
}

/** Resolves with what it read, or null when it was stopped. */
async function watch(video: HTMLVideoElement, stopping: AbortSignal, onLive: () => void): Promise<string | null> {
  if (!('mediaDevices' in navigator)) throw new DOMException('no camera here', 'NotFoundError');
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false });
  try {
    const { readCode } = await import('./read-code.ts');
    if (stopping.aborted) return null;
    video.srcObject = stream;
    await video.play();
    onLive();
    while (!stopping.aborted) {
      const text = await readCode(video);
      if (text !== null && !stopping.aborted) return text;
      await new Promise(resolve => setTimeout(resolve, LOOK_MS));
    }
    return null;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
