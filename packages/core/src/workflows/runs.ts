/** What a rule did, or would do, about one event: `fires`, or why not. */
export type Verdict = 'fires' | 'conditions' | 'made' | 'right' | 'plan';

/** One event of a simulation, as `simulate_workflow` answers it. Instants in ISO 8601. */
export type SimulatedEvent = {
  id: number;
  at: string;
  title: string;
  path: string;
  verdict: Verdict;
  /** Of each condition, whether it held. */
  checks: boolean[];
};

/** `events`: how many there were since then; `list`: the latest 100 of them. */
export type Simulation = { since: string; events: number; fires: number; list: SimulatedEvent[] };

export type RunOutcome = 'fired' | Exclude<Verdict, 'fires'> | 'failed' | 'waiting' | 'approved' | 'refused';

/** What one step made or did, with who was meant. */
export type DoneStep = { kind: string; id?: string; path?: string; people?: (string | null)[] };

/** One line of the run log, as `read_workflow_runs` answers it. Instants in ISO 8601. */
export type WorkflowRun = {
  id: string;
  at: string;
  outcome: RunOutcome;
  checks: boolean[];
  done: DoneStep[];
  /** How many steps it has in all. */
  steps: number;
  /** Why it failed: a word of ours, or the code of the database. */
  error: string | null;
  title: string;
  path: string;
  happened_at: string;
};

/** One run with the title of its rule, as `read_workflow_run` answers it. */
export type OpenedRun = WorkflowRun & { rule: string };
