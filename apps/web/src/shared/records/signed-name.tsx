import { signedAs } from '@cairn/base/signed-as.ts';

type Props = {
  /** The name somebody typed. */
  typed: string | null;
  /** What the account was called that signed, as the server has it; null where that was not kept. */
  account: string | null | undefined;
  /** Names the account's line, e.g. "Account: Sam Reed". */
  accountLine: (name: string) => string;
};

/** Whose signature it says it is, and whose account signed: two lines, so that no name can pass for both. */
export function SignedName({ typed, account, accountLine }: Props) {
  const signed = signedAs(typed, account);
  return (
    <>
      <bdi>{signed.typed}</bdi>
      {signed.account !== null && (
        <>
          <br />
          <span className="sm muted">{accountLine(signed.account)}</span>
        </>
      )}
    </>
  );
}
