import type { TextareaHTMLAttributes } from 'react';
import { Field, type FieldTexts } from './field.tsx';

type TextareaProps = FieldTexts & TextareaHTMLAttributes<HTMLTextAreaElement>;

/** A text control of several lines; it grows with its text where the browser can. */
export function Textarea({ label, hint, error, aside, labelHidden, id, className = '', ...rest }: TextareaProps) {
  const words = { label, hint, error, aside, ...(labelHidden && { labelHidden }) };
  return (
    <Field {...words} id={id}>
      {wires => (
        <span className={`control area ${error ? 'is-bad' : ''} ${className}`}>
          <textarea rows={3} {...rest} {...wires} />
        </span>
      )}
    </Field>
  );
}
