import { useTranslation } from 'react-i18next';
import { Input } from '@cairn/ui/controls/field.tsx';
import { PasswordInput } from '@cairn/ui/controls/password-input.tsx';

type Props = { value: string; onChange: (value: string) => void };

export function EmailField({ value, onChange }: Props) {
  const { t } = useTranslation('authSteps');
  return (
    <Input
      label={t('email')}
      type="email"
      name="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      inputMode="email"
      required
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  );
}

export function PhoneField({ value, onChange }: Props) {
  const { t } = useTranslation('authSteps');
  return (
    <Input
      label={t('phone.label')}
      type="tel"
      name="tel"
      autoComplete="tel"
      placeholder="+49 151 23456789"
      required
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  );
}

export function CodeField({ value, onChange, label, hint }: Props & { label: string; hint: string }) {
  return (
    <Input
      label={label}
      hint={hint}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      inputMode="numeric"
      required
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  );
}

export function NewPasswordField({ value, onChange, label }: Props & { label: string }) {
  const { t } = useTranslation('authSteps');
  return (
    <PasswordInput
      label={label}
      hint={t('signUp.passwordHint')}
      name="new-password"
      autoComplete="new-password"
      showLabel={t('showPassword')}
      hideLabel={t('hidePassword')}
      required
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  );
}
