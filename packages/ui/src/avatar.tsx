import './avatar.css';

const TONES = ['', 'a', 'b', 'c'] as const;

/** Up to two letters of a name; the same name always has the same colour. */
export function Avatar({ name, size = 'm' }: { name: string; size?: 'm' | 'l' }) {
  const initials = name
    .split(/[\s.@_-]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => Array.from(word)[0]?.toLocaleUpperCase())
    .join('');
  const sum = Array.from(name).reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return (
    <span className={`avatar ${TONES[sum % TONES.length]} ${size}`} aria-hidden="true">
      {initials}
    </span>
  );
}
