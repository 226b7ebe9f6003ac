/** Cases that `npm test` leaves to `npm run test:faults`. */
export const itInFull = process.env['FAULTS_IN_FULL'] ? it : it.skip;
