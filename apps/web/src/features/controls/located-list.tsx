type Props<Code extends string> = {
  found: readonly { at: string; code: Code }[];
  words: (code: Code) => string;
};

/** Lines of one banner; more would bury what is below. */
const MAX_LINES = 50;

/** What was found in a file, each with its place in it. */
export function LocatedList<Code extends string>({ found, words }: Props<Code>) {
  return (
    <ul className="controls-located">
      {found.slice(0, MAX_LINES).map(({ at, code }) => (
        <li key={`${at} ${code}`}>
          {at !== '' && <code>{at}</code>} {words(code)}
        </li>
      ))}
      {found.length > MAX_LINES && <li>{`+ ${found.length - MAX_LINES}`}</li>}
    </ul>
  );
}
