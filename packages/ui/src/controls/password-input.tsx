import { useState, type InputHTMLAttributes } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import { IconButton } from './button.tsx';
import { Input, type FieldTexts } from './field.tsx';

type Props = FieldTexts &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
    /** Names of the eye, e.g. "Show password" and "Hide password". */
    showLabel: string;
    hideLabel: string;
  };

/** A secret that can be looked at while it is typed. */
export function PasswordInput({ showLabel, hideLabel, ...rest }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <Input
      autoComplete="current-password"
      spellCheck={false}
      autoCapitalize="none"
      {...rest}
      type={shown ? 'text' : 'password'}
      end={
        <IconButton
          label={shown ? hideLabel : showLabel}
          icon={shown ? EyeOff : Eye}
          onClick={() => setShown(!shown)}
          disabled={rest.disabled ?? false}
        />
      }
    />
  );
}
