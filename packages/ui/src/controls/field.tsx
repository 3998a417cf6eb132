import { useId } from 'react';
import type { InputHTMLAttributes, ReactNode } from 'react';
import { TriangleAlert } from 'lucide-react';
import { Icon } from './icon.tsx';
import './field.css';

export type FieldTexts = {
  label: string;
  /** One line under the control that helps to fill it in. */
  hint?: string | undefined;
  /** What is wrong and what to do; replaces nothing, the entered value stays. */
  error?: string | undefined;
  /** Shown beside the label, e.g. a "Forgot it" link. */
  aside?: ReactNode;
  /** The label is for screen readers only (the question above already says it). */
  labelHidden?: boolean;
};

/** What a control must carry so that its label, hint and error are read with it. */
export type FieldWires = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

type FieldProps = FieldTexts & {
  id?: string | undefined;
  children: (wires: FieldWires) => ReactNode;
};

/** Label, control, hint and error as one; the control takes the wires it is given. */
export function Field({ label, hint, error, aside, labelHidden, id: given, children }: FieldProps) {
  const made = useId();
  const id = given ?? made;
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div className="field">
      <div className={labelHidden ? 'sr' : 'row between'}>
        <label className="label" htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="err" id={`${id}-error`} role="alert">
          <Icon of={TriangleAlert} size="s" />
          {error}
        </p>
      )}
    </div>
  );
}

type InputProps = FieldTexts &
  InputHTMLAttributes<HTMLInputElement> & {
    /** Inside the control, at its end: a unit, or a button. */
    end?: ReactNode;
  };

/** A one-line text control. */
export function Input({ label, hint, error, aside, labelHidden, id, end, className = '', ...rest }: InputProps) {
  const words = { label, hint, error, aside, ...(labelHidden && { labelHidden }) };
  return (
    <Field {...words} id={id}>
      {wires => (
        <span className={`control ${error ? 'is-bad' : ''} ${className}`}>
          <input {...rest} {...wires} />
          {end}
        </span>
      )}
    </Field>
  );
}
