// Books of any size, made of the accounts in `examples`: for tests, benchmarks and `npm run generate-book`.
export { mpan, mprn } from './sample-book/check-digits';
export {
  EXAMPLE,
  FIRST_FAULTY_SERIAL,
  MAX_FAULTY,
  MAX_SEED,
  MAX_VALID,
  SampleText,
  serialOf,
} from './sample-book/renumber';
export { SampleAdditions } from './sample-book/sample-additions';
export { expectedResult, SampleBook, type SampleBookOptions } from './sample-book/sample-book';
