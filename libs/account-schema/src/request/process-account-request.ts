import { Flag, Identifier, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A staged account to create now.')
export class ProcessAccountRequest {
  @Identifier('Code of the import supplier of the account.', { required: true, example: 'LEGACY_A' })
  import_supplier_code: string;

  @Identifier("Number of the account in the supplier's system.", { required: true, example: 'A-100231' })
  external_account_number: string;

  @Text('Team that looks after the account. It replaces the team in the account.')
  operations_team_name?: string;

  @Flag('Whether to do a dry run, which creates the account and rolls it back.', { default: false })
  dry_run?: boolean;
}
