import { type ReferenceList, REFERENCE_LISTS } from './reference-data';
import type { KeyedList, References } from './references';
import type { Codes } from '../terms/nearest-codes';

/** The codes of one list that an account may have. */
export interface ValidCodes {
  readonly list: string;
  /** The supply type for which they are valid; null: for any. */
  readonly supplyType: 'ELECTRICITY' | 'GAS' | null;
  readonly codes: Codes;
}

/** The codes of all configured lists, except addresses of the operator's staff, which are not valid but refused. */
export function validCodesOf(references: References): ValidCodes[] {
  return REFERENCE_LISTS.filter(
    (list) => references.isConfigured(list) && list !== 'internal_email_addresses',
  ).flatMap((list) => codesOf(list, references));
}

const SUPPLY_TYPES = ['ELECTRICITY', 'GAS'] as const;

function codesOf(list: ReferenceList, references: References): ValidCodes[] {
  switch (list) {
    case 'products':
      return [
        { list, supplyType: null, codes: references.members(list) },
        ...SUPPLY_TYPES.map((supplyType) => ({
          list: 'tariffs',
          supplyType,
          codes: references.tariffCodes(supplyType),
        })),
      ];
    case 'market_participants':
      return SUPPLY_TYPES.map((supplyType) => ({
        list,
        supplyType,
        codes: references.marketParticipants(supplyType),
      }));
    case 'priority_services_categories':
      return SUPPLY_TYPES.map((supplyType) => ({
        list,
        supplyType,
        codes: references.needCodes(supplyType),
      }));
    case 'campaigns':
      return [{ list, supplyType: null, codes: references.members('campaign_slugs') }];
    case 'agent_contracts':
      return [{ list, supplyType: null, codes: references.contractReferences }];
    default:
      return [{ list, supplyType: null, codes: references.members(list satisfies KeyedList) }];
  }
}
