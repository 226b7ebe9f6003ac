import { Flag, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A contract with an agent in the market.')
export class AgentContract {
  @Text("The agent's identifier in the market.", {
    identifies: true,
    nullable: true,
    min: 4,
    max: 4,
    tier: 'gbr',
    example: 'XAGT',
  })
  agent_mpid?: string | null;

  @Text('Reference of the contract.', { identifies: true, max: 10, tier: 'gbr' }) contract_reference?: string;
  @Text('Reference of the service.', { identifies: true, max: 4, tier: 'gbr' }) service_reference?: string;

  @Text('Reference of the service level.', { identifies: true, max: 4, tier: 'gbr' })
  service_level_reference?: string;

  @Flag('Whether the contract is for automatically read meters.', { tier: 'gbr' }) is_amr?: boolean;
  @Flag('Whether the customer appointed the agent.', { tier: 'gbr' }) is_customer_appointed?: boolean;
}

@About('The agents of an electricity meter point.')
export class MeterPointAgents {
  @Nested('Contract with the data aggregator.', AgentContract, { nullable: true, tier: 'gbr' })
  da_contract?: AgentContract | null;

  @Nested('Contract with the data collector.', AgentContract, { nullable: true, tier: 'gbr' })
  dc_contract?: AgentContract | null;

  @Nested('Contract with the meter operator.', AgentContract, { nullable: true, tier: 'gbr' })
  mop_contract?: AgentContract | null;
}
