import { useState } from 'react';
import { Check, Copy } from 'lucide-react';
import { Button } from '../controls/button.tsx';
import './code-block.css';

type Props = {
  /** What it is, for screen readers: "Recovery code". */
  label: string;
  code: string;
  copyLabel: string;
  copiedLabel: string;
  /** When the browser does not let the app copy. */
  failedLabel: string;
};

/** Text to be taken over letter by letter. */
export function CodeBlock({ label, code, copyLabel, copiedLabel, failedLabel }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = () =>
    navigator.clipboard.writeText(code).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  const words = { idle: copyLabel, copied: copiedLabel, failed: failedLabel }[state];
  return (
    <div className="code">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <pre tabIndex={0} aria-label={label}>
        <code>{code}</code>
      </pre>
      <Button size="sm" icon={state === 'copied' ? Check : Copy} onClick={() => void copy()}>
        <span aria-live="polite">{words}</span>
      </Button>
    </div>
  );
}
