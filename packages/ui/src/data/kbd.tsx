import './kbd.css';

/** Keys to press, in order: `<Kbd keys={['Ctrl', 'K']} />`. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className="keys">
      {keys.map(key => (
        <kbd className="kbd" key={key}>
          {key}
        </kbd>
      ))}
    </span>
  );
}
