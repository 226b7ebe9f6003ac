import { Flag, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('The contract with an agent in the market.')
export class AgentContract {
  @Text("The agent's identifier in the market.", {
    nullable: true,
    min: 4,
    max: 4,
    tier: 'gbr',
    example: 'XAGT',
  })
  agent_mpid?: string | null;

  @Text('Reference of the contract.', { max: 10, tier: 'gbr' })
  contract_reference?: string;

  @Text('Reference of the service.', { max: 4, tier: 'gbr' })
  service_reference?: string;

  @Text('Reference of the level of service.', { max: 4, tier: 'gbr' })
  service_level_reference?: string;

  @Flag('Whether it is for meters that are read automatically.', { tier: 'gbr' })
  is_amr?: boolean;

  @Flag('Whether the customer chose the agent.', { tier: 'gbr' })
  is_customer_appointed?: boolean;
}

@About('The agents of an electricity meter point.')
export class MeterPointAgents {
  @Nested('Aggregates its data.', AgentContract, { nullable: true, tier: 'gbr' })
  da_contract?: AgentContract | null;

  @Nested('Collects its data.', AgentContract, { nullable: true, tier: 'gbr' })
  dc_contract?: AgentContract | null;

  @Nested('Operates its meters.', AgentContract, { nullable: true, tier: 'gbr' })
  mop_contract?: AgentContract | null;
}
