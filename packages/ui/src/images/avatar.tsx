import { useState } from 'react';
import './avatar.css';

const TONES = ['', 'a', 'b', 'c'] as const;

export type Presence = {
  state: 'here' | 'away' | 'gone';
  /** In words: "Online now". */
  label: string;
};

type Props = {
  name: string;
  /** 28, 44 or 88 px. */
  size?: 'm' | 'l' | 'xl';
  /** A picture; the letters stand in while it loads and where there is none. */
  src?: string | undefined;
  presence?: Presence | undefined;
};

/** Picture, or up to two letters of a name; the same name always has the same colour. The name stands beside it. */
export function Avatar({ name, size = 'm', src, presence }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  const sum = Array.from(name).reduce((total, char) => total + (char.codePointAt(0) ?? 0), 0);
  const face = (
    <span className={`avatar ${TONES[sum % TONES.length]} ${size}`} aria-hidden="true">
      {initialsOf(name)}
      {src !== undefined && src !== broken && <img src={src} alt="" onError={() => setBroken(src)} />}
    </span>
  );
  if (!presence) return face;
  return (
    <span className="avatar-spot">
      {face}
      <span className={`presence ${presence.state}`} />
      <span className="sr">{presence.label}</span>
    </span>
  );
}

function initialsOf(name: string): string {
  return name
    .split(/[\s.@_-]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => Array.from(word)[0]?.toLocaleUpperCase())
    .join('');
}

type GroupProps = {
  people: readonly { name: string; src?: string | undefined }[];
  /** Who they are, for screen readers: "Sam, Mona and 4 more". */
  label: string;
  /** How many faces before "+4". */
  most?: number;
};

/** Several people in little room. */
export function AvatarGroup({ people, label, most = 3 }: GroupProps) {
  const rest = people.length - most;
  return (
    <span className="avatar-group">
      <span className="sr">{label}</span>
      {people.slice(0, most).map((person, index) => (
        <Avatar key={`${person.name}-${index}`} name={person.name} src={person.src} />
      ))}
      {rest > 0 && (
        <span className="avatar m" aria-hidden="true">
          +{rest}
        </span>
      )}
    </span>
  );
}
