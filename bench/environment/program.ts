/** What is measured: an API and a worker, compiled, that read the same settings and answer at the same paths. */
export interface Program {
  readonly name: string;
  readonly api: string;
  /** Undefined where the API alone is compared. */
  readonly worker?: string;
  /** Whether requests need a token. */
  readonly signsIn: boolean;
}

export const service: Program = {
  name: 'Portage',
  api: 'apps/api/src/main.js',
  worker: 'apps/worker/src/main.js',
  signsIn: true,
};
