import type { LookupFindings, LookupKind, LookupQuestion } from '@portage/database';

/** Answers what the rules of one account ask about stored accounts. */
export interface Lookups {
  ask<Kind extends LookupKind>(question: LookupQuestion<Kind>): Promise<LookupFindings[Kind][]>;
}

/** Finds nothing, and keeps the questions for somebody who looks. */
export class PresumedLookups implements Lookups {
  readonly questions: LookupQuestion[] = [];

  async ask<Kind extends LookupKind>(question: LookupQuestion<Kind>): Promise<LookupFindings[Kind][]> {
    this.questions.push(question);
    return Promise.resolve([]);
  }
}
