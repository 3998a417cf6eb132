import { withoutPictures } from '../policies/policy-pictures.ts';
import type { Tx } from '@cairn/sync/store.ts';
import { present } from './present.ts';
import type { SearchRecord } from './search-record.ts';

export const GOVERNED_TABLES = [
  'policies',
  'policy_versions',
  'evidence',
  'findings',
  'frameworks',
  'controls',
  'workflow_rules',
] as const;

/** What a company proves and rules by, of all organisations of the person. */
export async function governedRecords(tx: Tx): Promise<SearchRecord[]> {
  return [
    ...(await policyRecords(tx)),
    ...(await evidenceRecords(tx)),
    ...(await findingRecords(tx)),
    ...(await controlRecords(tx)),
    ...(await ruleRecords(tx)),
  ];
}

/** Policies by the words of the version in force; of one that never was, by what is being written. */
async function policyRecords(tx: Tx): Promise<SearchRecord[]> {
  const versions = present(await tx.all('policy_versions'));
  const inForce = new Map(versions.map(version => [version.id, version]));
  const next = new Map(versions.filter(({ major }) => major === null).map(version => [version.policy_id, version]));
  return present(await tx.all('policies')).map(policy => ({
    id: `policy/${policy.id}`,
    kind: 'policy',
    recordId: policy.id,
    organizationId: policy.organization_id,
    playbookId: null,
    title: policy.title,
    detail: policy.code ?? '',
    body: withoutPictures(
      [policy.code, policy.summary, (inForce.get(policy.current_version_id ?? '') ?? next.get(policy.id))?.body]
        .filter(Boolean)
        .join('\n'),
    ),
  }));
}

async function evidenceRecords(tx: Tx): Promise<SearchRecord[]> {
  return present(await tx.all('evidence')).map(row => ({
    id: `evidence/${row.id}`,
    kind: 'evidence',
    recordId: row.id,
    organizationId: row.organization_id,
    playbookId: null,
    title: row.title,
    detail: row.expires_on ?? '',
    body: row.description ?? '',
  }));
}

/** Findings by what was raised, answered and decided. */
async function findingRecords(tx: Tx): Promise<SearchRecord[]> {
  return present(await tx.all('findings')).map(row => ({
    id: `finding/${row.id}`,
    kind: 'finding',
    recordId: row.id,
    organizationId: row.organization_id,
    playbookId: null,
    title: row.title,
    detail: row.requirement ?? '',
    body: [row.body, row.answer, row.verdict].filter(Boolean).join('\n'),
  }));
}

/** Frameworks, and their controls by label, title and statement. */
async function controlRecords(tx: Tx): Promise<SearchRecord[]> {
  const frameworks = present(await tx.all('frameworks'));
  const titles = new Map(frameworks.map(({ id, title }) => [id, title]));
  const controls = present(await tx.all('controls')).map((row): SearchRecord => ({
    id: `control/${row.id}`,
    kind: 'control',
    recordId: row.id,
    organizationId: row.organization_id,
    playbookId: null,
    title: `${row.label} ${row.title}`,
    detail: titles.get(row.framework_id) ?? '',
    body: `${row.code} ${row.family} ${row.statement}`,
  }));
  return [
    ...frameworks.map((row): SearchRecord => ({
      id: `framework/${row.id}`,
      kind: 'framework',
      recordId: row.id,
      organizationId: row.organization_id,
      playbookId: null,
      title: row.title,
      detail: row.edition ?? '',
      body: '',
    })),
    ...controls,
  ];
}

async function ruleRecords(tx: Tx): Promise<SearchRecord[]> {
  return present(await tx.all('workflow_rules')).map(row => ({
    id: `rule/${row.id}`,
    kind: 'rule',
    recordId: row.id,
    organizationId: row.organization_id,
    playbookId: null,
    title: row.title,
    detail: '',
    body: '',
  }));
}
