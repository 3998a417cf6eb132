import { useNavigate } from '@tanstack/react-router';
import { FileCheck, Megaphone, ScanLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSpace } from '../../shared/session/space.ts';
import type { Command } from './command.ts';

/** What is done on the spot: report an issue, open an asset by its code. */
export function useFieldCommands(): Command[] {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const { may, world } = useSpace();
  const isCompany = world === 'company';
  const report: Command = {
    id: 'report',
    kind: 'actions',
    title: t('commands.report'),
    icon: Megaphone,
    run: () => void navigate({ to: '/field/reports/new' }),
  };
  const reports: Command = {
    ...report,
    id: 'reports',
    title: t('commands.reports'),
    run: () => void navigate({ to: '/field/reports' }),
  };
  const scan: Command = {
    id: 'scan',
    kind: 'actions',
    title: t('commands.scan'),
    icon: ScanLine,
    run: () => void navigate({ to: '/field/scan' }),
  };
  const evidence: Command = {
    id: 'new-evidence',
    kind: 'actions',
    title: t('commands.newEvidence'),
    icon: FileCheck,
    keys: ['n', 'e'],
    run: () => void navigate({ to: '/policies/evidence', search: { new: true } }),
  };
  return [
    ...(may('issue.report') ? [report] : []),
    reports,
    ...(may('evidence.add') && isCompany ? [evidence] : []),
    ...(isCompany ? [scan] : []),
  ];
}
