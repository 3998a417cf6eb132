import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Acknowledgement } from '@cairn/core/policies/owed.ts';
import { shortHash } from '@cairn/core/policies/policy-hash.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import type { Json } from '@cairn/schema';
import { useFormat } from '../../shared/format.ts';
import { numberOf } from './policy-words.ts';

type Props = {
  said: Acknowledgement;
  version: PolicyVersion | null;
  renderDrawing: (value: Json, label: string) => ReactNode;
};

/** What a person said of a version: what was on the screen, when by which clock. */
export function Proof({ said, version, renderDrawing }: Props) {
  const { t } = useTranslation('policies');
  const { formatInstant } = useFormat();
  const instant = (iso: string | null) => (iso === null ? null : formatInstant(new Date(iso)));
  const lines: [string, ReactNode][] = [
    [t('proof.version'), version && numberOf(version)],
    [t('proof.content'), said.content_hash && <span className="mono">{shortHash(said.content_hash)}</span>],
    [t('proof.name'), said.signed_name],
    [t('proof.reason'), said.reason],
    [t('proof.read'), said.sections > 0 ? `${said.sections_read} / ${said.sections}` : null],
    [t('proof.device'), instant(said.decided_at)],
    [t('proof.server'), instant(said.received_at) ?? t('proof.whenReceived')],
  ];
  return (
    <>
      <dl className="policy-record">
        {lines.map(
          ([name, value]) =>
            value !== null &&
            value !== '' && (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="num">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {said.method === 'drawn' && renderDrawing(said.signature, t('proof.drawing'))}
    </>
  );
}
