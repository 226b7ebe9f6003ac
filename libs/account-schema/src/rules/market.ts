import { type AgentContract } from '../supply/agent-contract';
import { type ElectricityMeterPoint } from '../supply/electricity-meter-point';
import { type Facts } from './engine/facts';
import { type Report, rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { quote } from './terms/quote';

/** Participants of the British market, the agents they appoint, and the brokers they pay. */
export const MARKET_RULES: readonly Rule[] = [
  rule({
    code: 'market_participant_not_found',
    path: '… .meter_points.<j>.mpid | … .dc_to_appoint | … .mop_to_appoint | … .agents.<agent>.agent_mpid | … .shipper_mpid | … .mam_to_appoint',
    tier: 'gbr',
    needs: ['reference data: market_participants'],
    why: 'Messages to a participant that does not exist reach nobody.',
    checks: {
      electricityMeterPoint(point, facts, report) {
        for (const field of ['mpid', 'dc_to_appoint', 'mop_to_appoint'] as const)
          isParticipant('ELECTRICITY', point[field], field, facts, report);
        for (const [agent, contract] of agentsOf(point))
          isParticipant('ELECTRICITY', contract.agent_mpid, `agents.${agent}.agent_mpid`, facts, report);
      },
      gasMeterPoint(point, facts, report) {
        for (const field of ['mpid', 'shipper_mpid', 'mam_to_appoint'] as const)
          isParticipant('GAS', point[field], field, facts, report);
      },
    },
  }),
  rule({
    code: 'agents_supplied_for_non_on_market_switch',
    path: '… .meter_points.<j>.dc_to_appoint | … .mop_to_appoint | … .mam_to_appoint',
    tier: 'gbr',
    needs: ['supplier: send_registration_flows'],
    why: 'Agents are appointed by the messages of a switch through the market; here there is none.',
    checks: {
      electricityMeterPoint(point, { supplier }, report) {
        if (supplier.send_registration_flows) return;
        const field = TO_APPOINT.find((one) => given(point[one]));
        if (field) report(field, NO_SWITCH);
      },
      gasMeterPoint(point, { supplier }, report) {
        if (!supplier.send_registration_flows && given(point.mam_to_appoint))
          report('mam_to_appoint', NO_SWITCH);
      },
    },
  }),
  rule({
    code: 'agents_and_mpids_to_appoint_provided',
    path: 'supply_addresses.<i>.meter_points.<j>.agents',
    tier: 'gbr',
    why: 'Contracts replace the older identifiers; with both, two agents may be meant.',
    checks: {
      electricityMeterPoint(point, _facts, report) {
        if (point.agents && TO_APPOINT.some((field) => given(point[field])))
          report('agents', 'Send agents or dc_to_appoint and mop_to_appoint, not both.');
      },
    },
  }),
  rule({
    code: 'agent_contract_reference_does_not_exist',
    path: 'supply_addresses.<i>.meter_points.<j>.agents',
    tier: 'gbr',
    needs: ['reference data: agent_contracts'],
    why: 'An agent works under a contract that the operator has with it.',
    checks: {
      electricityMeterPoint(point, { references }, report) {
        const known = references.agentContracts();
        if (!known) return;
        for (const [agent, contract] of agentsOf(point)) {
          if (!known.some((one) => isUnder(contract, one)))
            report('agents', `No contract with an agent has the references of ${agent}.`);
        }
      },
    },
  }),
  rule({
    code: 'multiple_active_agent_contract_references',
    path: 'supply_addresses.<i>.meter_points.<j>.agents',
    tier: 'gbr',
    needs: ['reference data: agent_contracts'],
    why: 'An agent is appointed under one contract.',
    checks: {
      electricityMeterPoint(point, { references }, report) {
        const active = references.agentContracts()?.filter((one) => one.active) ?? [];
        for (const [agent, contract] of agentsOf(point)) {
          if (active.filter((one) => isUnder(contract, one)).length > 1)
            report('agents', `More than one contract in force has the references of ${agent}.`);
        }
      },
    },
  }),
  rule({
    code: 'affiliate_organisation_does_not_exist',
    path: 'commission_contracts.<i>.affiliate_organisation_name',
    tier: 'gbr',
    needs: ['reference data: affiliate_organisations'],
    why: 'Commission goes to an organisation that the operator knows.',
    checks: {
      commissionContract({ affiliate_organisation_name: name }, { references }, report) {
        if (references.has('affiliate_organisations', name) === false)
          report('affiliate_organisation_name', `There is no affiliate organisation called ${quote(name)}.`);
      },
    },
  }),
  rule({
    code: 'commission_type_requires_value',
    path: 'commission_contracts.<i>.unit_rate_uplift',
    tier: 'gbr',
    why: 'A commission of nothing is none.',
    checks: {
      commissionContract(contract, _facts, report) {
        if (!UPLIFTS.some((field) => given(contract[field])) && !given(contract.value))
          report('unit_rate_uplift', 'Say how much is put on top of the unit rate or the standing charge.');
      },
    },
  }),
  rule({
    code: 'uplift_and_value_conflict',
    path: 'commission_contracts.<i>.value',
    tier: 'gbr',
    why: 'The uplifts replace the older value; with both, a commission may be paid twice.',
    checks: {
      commissionContract(contract, _facts, report) {
        if (given(contract.value) && UPLIFTS.some((field) => given(contract[field])))
          report('value', 'Send the uplifts or the value, not both.');
      },
    },
  }),
];

const TO_APPOINT = ['dc_to_appoint', 'mop_to_appoint'] as const;
const NO_SWITCH = 'This supplier does not switch supply points through the market, so no agent is appointed.';
const UPLIFTS = ['unit_rate_uplift', 'standing_charge_uplift'] as const;
const AGENTS = ['da_contract', 'dc_contract', 'mop_contract'] as const;

function agentsOf({ agents }: ElectricityMeterPoint): (readonly [string, AgentContract])[] {
  return AGENTS.flatMap((name) => {
    const contract = agents?.[name];
    return contract ? [[name, contract] as const] : [];
  });
}

function isParticipant(
  supplyType: string,
  id: string | null | undefined,
  path: string,
  { references }: Facts,
  report: Report,
): void {
  if (given(id) && references.hasMarketParticipant(supplyType, id) === false)
    report(path, `${quote(id)} is no participant in the market for ${supplyType.toLowerCase()}.`);
}

/** Whether an appointment names a contract; the agent itself need not be named. */
function isUnder(named: AgentContract, known: AgentContract): boolean {
  return (
    named.contract_reference === known.contract_reference &&
    named.service_reference === known.service_reference &&
    named.service_level_reference === known.service_level_reference &&
    (!given(named.agent_mpid) || named.agent_mpid === known.agent_mpid)
  );
}
