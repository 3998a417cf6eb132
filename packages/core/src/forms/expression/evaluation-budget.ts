/**
 * Steps to work a form out once, after one answer: a part of an expression, a value that is read, eight characters of a text, a
 * choice of a list are one each. Five million take a phone about a second; a form of 300 questions with 2,750 answers takes 0.4.
 */
export const MAX_EVALUATION_STEPS = 5_000_000;

/** Steps of a question, or of a section, in one entry of a repeat: its state is made, kept and shown. */
export const STEPS_PER_PLACE = 50;
const CHARACTERS_PER_STEP = 8;

class BudgetSpent extends Error {
  override name = 'BudgetSpent';
}

/** What working a form out may cost. Once it is spent nothing more is worked out, and whoever shows the form says so. */
export class EvaluationBudget {
  private left: number;

  constructor(steps = MAX_EVALUATION_STEPS) {
    this.left = steps;
  }

  get isSpent(): boolean {
    return this.left < 0;
  }

  /** @throws {BudgetSpent} past the last step; `within` catches it */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new BudgetSpent();
  }

  /** The steps of looking at so many characters. */
  spendText(characters: number): void {
    this.spend(characters / CHARACTERS_PER_STEP);
  }

  /** What `work` gives, or `otherwise` where the steps do not suffice for it. */
  within<T>(otherwise: T, work: () => T): T {
    if (this.isSpent) return otherwise;
    try {
      return work();
    } catch (error) {
      if (error instanceof BudgetSpent) return otherwise;
      throw error;
    }
  }
}
