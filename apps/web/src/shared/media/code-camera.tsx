import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Camera, ImageUp } from 'lucide-react';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button, buttonClass } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { useCamera, type CameraState } from './use-camera.ts';
import './captured.css';

type CameraProps = { onRead: (text: string) => void; onStart?: () => void };

/** Looks for a code with the camera, once it is switched on. */
export function CodeCamera({ onRead, onStart }: CameraProps) {
  const { state, attach, start } = useCamera(onRead);
  const begin = () => {
    onStart?.();
    start();
  };
  return <View state={state} onStart={begin} video={<video ref={attach} muted playsInline />} />;
}

function View({ state, onStart, video }: { state: CameraState; onStart: () => void; video: ReactNode }) {
  const { t } = useTranslation('capture');
  if (state === 'asking' || state === 'live') {
    return (
      <div className="stack">
        <div className="scan-view">
          {video}
          <span className="scan-frame" aria-hidden="true" />
        </div>
        <output className="sm muted">{t(state === 'live' ? 'code.live' : 'code.asking')}</output>
      </div>
    );
  }
  return (
    <div className="stack">
      {state === 'idle' ? (
        <p className="sm muted">{t('code.idle')}</p>
      ) : (
        <Banner tone="warn" title={t(`code.${state}`)}>
          {t(`code.${state}Text`)}
        </Banner>
      )}
      <Button variant="primary" size="lg" block icon={Camera} onClick={onStart}>
        {t(state === 'idle' ? 'code.start' : 'code.again')}
      </Button>
    </div>
  );
}

type PhotoProps = { onRead: (text: string) => void; onUnread: () => void };

/** A photo of the code: for a camera the browser may not use, and for a picture somebody sent. */
export function PhotoOfCode({ onRead, onUnread }: PhotoProps) {
  const { t } = useTranslation('capture');
  const id = useId();
  const [isReading, setReading] = useState(false);
  const [bug, setBug] = useState<{ error: unknown } | null>(null);
  if (bug) throw bug.error;
  const read = (file: File | undefined) => {
    if (!file) return;
    setReading(true);
    codeOf(file).then(
      text => {
        setReading(false);
        if (text === null) onUnread();
        else onRead(text);
      },
      (error: unknown) => setBug({ error }),
    );
  };
  return (
    <label className={`${buttonClass({ block: true })} scan-photo`} htmlFor={id}>
      <input
        id={id}
        className="sr"
        type="file"
        accept="image/*"
        onChange={event => {
          read(event.target.files?.[0]);
          // The same picture may be tried again.
          event.target.value = '';
        }}
      />
      <Icon of={ImageUp} />
      <span>{t(isReading ? 'code.reading' : 'code.photo')}</span>
    </label>
  );
}

async function codeOf(file: File): Promise<string | null> {
  // What is no picture holds no code; the screen says so.
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  try {
    const { readCode } = await import('./read-code.ts');
    return await readCode(picture);
  } finally {
    picture.close();
  }
}
