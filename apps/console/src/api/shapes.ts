import type { components } from './generated';

/** Every shape of the operator API. */
export type Schemas = components['schemas'];

export type Role = Schemas['Operator']['role'];
