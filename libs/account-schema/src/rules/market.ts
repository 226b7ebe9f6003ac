import type { AgentContract } from '../contract/settlement';
import type { ElectricityMeterPoint } from '../contract/meter-points';
import { listRule } from './engine/list-rule';
import { customRule, rule, type Rule, valueRule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';

/** Rules about market participants, the agents that they appoint, and brokers. */
export const MARKET_RULES: readonly Rule[] = [
  valueRule({
    code: 'market_participant_not_found',
    at: {
      electricityMeterPoint: [
        'mpid',
        'dc_to_appoint',
        'mop_to_appoint',
        'agents.da_contract.agent_mpid',
        'agents.dc_contract.agent_mpid',
        'agents.mop_contract.agent_mpid',
      ],
      gasMeterPoint: ['mpid', 'shipper_mpid', 'mam_to_appoint'],
    },
    needs: ['reference data: market_participants'],
    reason: 'Market messages need a participant that exists.',
    breach: (id, { references, nearest }, { supply_type: type }) =>
      references.hasMarketParticipant(type, id) === false &&
      `${quote(id)} is not a participant in the ${type.toLowerCase()} market.${nearest.describe(id, references.marketParticipants(type))}`,
  }),
  valueRule({
    code: 'agents_supplied_for_non_on_market_switch',
    at: {
      electricityMeterPoint: ['dc_to_appoint', 'mop_to_appoint'],
      gasMeterPoint: ['mam_to_appoint'],
    },
    first: true,
    needs: ['supplier: send_registration_flows'],
    reason: 'Agents are appointed by messages of the market switch, which this supplier does not use.',
    breach: (_agent, { supplier }) =>
      !supplier.send_registration_flows &&
      'This supplier does not switch supply points through the market: leave the agent out.',
  }),
  rule({
    code: 'agents_and_mpids_to_appoint_provided',
    on: 'electricityMeterPoint',
    field: 'agents',
    reason: 'Agent contracts replace the older identifiers, and the two could contradict each other.',
    breach: (point) =>
      point.agents &&
      APPOINTED_AGENT_FIELDS.some((field) => isGiven(point[field])) &&
      'Send agents or dc_to_appoint and mop_to_appoint, not both.',
  }),
  customRule({
    code: 'agent_contract_reference_does_not_exist',
    at: { electricityMeterPoint: ['agents'] },
    needs: ['reference data: agent_contracts'],
    reason: 'An agent needs a contract that the operator has configured.',
    checks: {
      electricityMeterPoint(point, { references }, report) {
        for (const [agent, contract] of agentsOf(point)) {
          if (references.agentContracts(contract)?.some((one) => isAgentOf(contract, one)) === false)
            report('agents', `No configured agent contract has the references of ${agent}.`);
        }
      },
    },
  }),
  customRule({
    code: 'multiple_active_agent_contract_references',
    at: { electricityMeterPoint: ['agents'] },
    needs: ['reference data: agent_contracts'],
    reason: 'The references must identify exactly one active contract.',
    checks: {
      electricityMeterPoint(point, { references }, report) {
        for (const [agent, contract] of agentsOf(point)) {
          const named = references.agentContracts(contract)?.filter((one) => isAgentOf(contract, one)) ?? [];
          if (named.filter((one) => one.active).length > 1)
            report('agents', `More than one active agent contract has the references of ${agent}.`);
        }
      },
    },
  }),
  listRule({
    code: 'affiliate_organisation_does_not_exist',
    lists: { affiliate_organisations: (name) => `There is no affiliate organisation called ${name}.` },
    reason: 'Commission is paid to configured organisations only.',
  }),
  rule({
    code: 'commission_type_requires_value',
    on: 'commissionContract',
    field: 'unit_rate_uplift',
    reason: 'A commission contract must say how much is paid.',
    breach: (contract) =>
      !UPLIFT_FIELDS.some((field) => isGiven(contract[field])) &&
      !isGiven(contract.value) &&
      'Send an uplift of the unit rate or of the standing charge.',
  }),
  rule({
    code: 'uplift_and_value_conflict',
    on: 'commissionContract',
    field: 'value',
    reason: 'The uplifts replace `value`; with both, a commission could be paid twice.',
    breach: (contract) =>
      isGiven(contract.value) &&
      UPLIFT_FIELDS.some((field) => isGiven(contract[field])) &&
      'Send the uplifts or the value, not both.',
  }),
];

const APPOINTED_AGENT_FIELDS = ['dc_to_appoint', 'mop_to_appoint'] as const;
const UPLIFT_FIELDS = ['unit_rate_uplift', 'standing_charge_uplift'] as const;
const AGENT_CONTRACT_FIELDS = ['da_contract', 'dc_contract', 'mop_contract'] as const;

function agentsOf({ agents }: ElectricityMeterPoint): (readonly [string, AgentContract])[] {
  return AGENT_CONTRACT_FIELDS.flatMap((name) => {
    const contract = agents?.[name];
    return contract ? [[name, contract] as const] : [];
  });
}

/** True if an appointment names the agent of the contract, or none. */
function isAgentOf(named: AgentContract, known: Pick<AgentContract, 'agent_mpid'>): boolean {
  return !isGiven(named.agent_mpid) || named.agent_mpid === known.agent_mpid;
}
