import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Signature } from '@cairn/core/forms/definition/form-definition.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import type { openPad } from './signature-canvas.ts';
import './signature-pad.css';

type Props = {
  value: Signature | null;
  onChange: (signature: Signature | null) => void;
  /** Shown under the pad, e.g. that it is missing. */
  error?: string | undefined;
};

/** A field to sign in with finger, pen or mouse, asked for once it takes strokes. What is kept are the strokes, not a picture of them. */
export function SignatureField({ value, onChange, error }: Props) {
  const { t } = useTranslation('field');
  const canvas = useRef<HTMLCanvasElement>(null);
  const { pad, ready, failed, again } = usePad(canvas, value, onChange);
  return (
    <div className="signature">
      <div className={`sign-pad${error ? ' is-bad' : ''}`}>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas that is drawn on cannot be an <img> */}
        <canvas ref={canvas} role="img" aria-label={t('sign.pad')} aria-busy={!ready} aria-describedby="sign-how" />
        {!value && ready && (
          <span className="sign-line" aria-hidden="true">
            {t('sign.here')}
          </span>
        )}
      </div>
      {failed && <NotLoaded onAgain={again} />}
      <div className="row between">
        <p className="hint" id="sign-how">
          {value ? t('sign.done') : t('sign.how')}
        </p>
        {value && (
          <Button
            variant="plain"
            size="sm"
            onClick={() => {
              pad.current?.clear();
              onChange(null);
            }}
          >
            {t('sign.clear')}
          </Button>
        )}
      </div>
      {error && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** Without the part that draws nobody can sign: it is said, and can be asked for again. */
function NotLoaded({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation('field');
  return (
    <>
      <Banner tone="warn" title={t('sign.failed')} />
      <Button onClick={onAgain}>{t('sign.again')}</Button>
    </>
  );
}

type Pad = { clear: () => void };

/** Puts the drawing library on the canvas once it is loaded, at the screen's own resolution. */
function usePad(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  value: Signature | null,
  onChange: (signature: Signature | null) => void,
) {
  const pad = useRef<Pad | null>(null);
  const [ready, setReady] = useState(false);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const tell = useEffectEvent((signature: Signature) => onChange(signature));
  const draw = useEffectEvent((open: typeof openPad, element: HTMLCanvasElement) =>
    open(element, value, signature => tell(signature)),
  );

  useEffect(() => {
    const element = canvas.current;
    let stop = () => {};
    let left = false;
    import('./signature-canvas.ts').then(
      ({ openPad: open }) => {
        if (left || !element) return;
        const opened = draw(open, element);
        pad.current = opened;
        stop = opened.stop;
        setReady(true);
      },
      () => left || setFailed(true),
    );
    return () => {
      left = true;
      stop();
      pad.current = null;
    };
  }, [canvas, tries]);
  const again = () => {
    setFailed(false);
    setTries(tries + 1);
  };
  return { pad, ready, failed, again };
}
