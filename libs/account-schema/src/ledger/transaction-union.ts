import { unionOf } from '../vocabulary/union';
import { ChargeTransaction } from './charge-transaction';
import { CreditTransaction } from './credit-transaction';
import { PaymentTransaction } from './payment-transaction';
import { RepaymentTransaction } from './repayment-transaction';
import { SupplyChargeTransaction } from './supply-charge-transaction';

export type Transaction =
  CreditTransaction | ChargeTransaction | PaymentTransaction | RepaymentTransaction | SupplyChargeTransaction;

export const anyTransaction = unionOf(
  'Transaction',
  'One entry of a ledger; `type` says of which kind.',
  'type',
  {
    CREDIT: CreditTransaction,
    CHARGE: ChargeTransaction,
    PAYMENT: PaymentTransaction,
    REPAYMENT: RepaymentTransaction,
    SUPPLY_CHARGE: SupplyChargeTransaction,
  },
);
