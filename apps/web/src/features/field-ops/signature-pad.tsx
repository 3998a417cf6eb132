import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Signature } from '@cairn/core/field-ops/form-definition.ts';
import { Button } from '@cairn/ui/button.tsx';
import './signature-pad.css';

type Props = {
  /** What is signed, for screen readers. */
  label?: string;
  value: Signature | null;
  onChange: (signature: Signature | null) => void;
  /** Shown under the pad, e.g. that it is missing. */
  error?: string | undefined;
};

/** A field to sign in with finger, pen or mouse. What is kept are the strokes, not a picture of them. */
export function SignatureField({ label, value, onChange, error }: Props) {
  const { t } = useTranslation('field');
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = usePad(canvas, value, onChange);
  return (
    <div className="signature">
      <div className={`sign-pad${error ? ' is-bad' : ''}`}>
        <canvas ref={canvas} role="img" aria-label={label ?? t('sign.pad')} aria-describedby="sign-how" />
        {!value && (
          <span className="sign-line" aria-hidden="true">
            {t('sign.here')}
          </span>
        )}
      </div>
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

type Pad = { clear(): void };

/** Puts the drawing library on the canvas once it is loaded, at the screen's own resolution. */
function usePad(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  value: Signature | null,
  onChange: (signature: Signature | null) => void,
) {
  const pad = useRef<Pad | null>(null);
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let stop = () => {};
    let left = false;
    void import('./signature-canvas.ts').then(({ openPad }) => {
      if (left) return;
      const opened = openPad(element, latest.current.value, signature => latest.current.onChange(signature));
      pad.current = opened;
      stop = opened.stop;
    });
    return () => {
      left = true;
      stop();
      pad.current = null;
    };
  }, [canvas]);
  return pad;
}
