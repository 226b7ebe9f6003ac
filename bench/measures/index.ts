import { create } from './create';
import { drain } from './drain';
import { endToEnd } from './end-to-end';
import { growth } from './growth';
import { events } from './events';
import { lists } from './lists';
import type { Measure } from './measure';
import { operatorPages } from './operator-pages';
import { retention } from './retention';
import { roundTrips } from './round-trips';
import { status } from './status';
import { submission } from './submission';
import { transactions } from './transactions';
import { validate } from './validate';
import { validation } from './validation';
import { workers } from './workers';

/** All measures in the order of their execution and of their sections in the results. */
export const measures: readonly Measure[] = [
  endToEnd,
  create,
  drain,
  submission,
  roundTrips,
  workers,
  retention,
  validation,
  validate,
  transactions,
  status,
  lists,
  events,
  operatorPages,
  growth,
];
