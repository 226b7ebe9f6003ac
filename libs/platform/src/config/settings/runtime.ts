import { str } from 'envalid';
import { oneOf, optional, personName, timeZone } from '../validators';

export const runtimeSettings = {
  NODE_ENV: oneOf(
    'development',
    'test',
    'production',
  )({
    default: 'development',
    desc: 'Mode of the process. In production no secret is generated and the embedded database is not used: a missing value is an error. In test each log line is written at once.',
  }),
  PORTAGE_DIR: str({
    default: '.portage',
    desc: 'Directory of the embedded database, the generated secrets and the local documents.',
  }),
  PORTAGE_OPERATOR: personName({
    ...optional,
    desc: 'Operator name that the audit trail records for commands of the command line. Default: the user name of the operating system.',
  }),
  PLATFORM_TIMEZONE: timeZone({
    default: 'UTC',
    desc: 'IANA time zone of the UTC offset in v2 datetimes and of the current calendar day.',
  }),
};
