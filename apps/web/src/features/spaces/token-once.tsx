import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { CodeBlock } from '@cairn/ui/data/code-block.tsx';
import { Dialog } from '@cairn/ui/overlays/dialog.tsx';

/** An invitation as it was made; the token is answered this once. */
export type MadeInvitation = { token: string; email: string | null; mailed?: boolean };

type Props = {
  title: string;
  parameter: 'invitation_token' | 'partner_link_token';
  token: string;
  /** What happens with it now. */
  note: string;
  onClose: () => void;
};

/** A link that can be copied now and is never shown again: the server keeps no more than its hash. */
export function TokenOnce({ title, parameter, token, note, onClose }: Props) {
  const { t } = useTranslation('spaces');
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={title}
      description={note}
      closeLabel={t('close')}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('token.done')}
        </Button>
      }
    >
      <CodeBlock
        label={t('token.link')}
        code={`${location.origin}/?${parameter}=${token}`}
        copyLabel={t('token.copy')}
        copiedLabel={t('token.copied')}
        failedLabel={t('token.failed')}
      />
      <p className="muted sm">{t('token.once')}</p>
    </Dialog>
  );
}
