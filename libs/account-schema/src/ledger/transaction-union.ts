import { unionOf } from '../vocabulary/union';
import { ChargeTransaction } from './charge-transaction';
import { CreditTransaction } from './credit-transaction';
import { PaymentTransaction } from './payment-transaction';
import { RepaymentTransaction } from './repayment-transaction';
import { SupplyChargeTransaction } from './supply-charge-transaction';

/** A transaction of any type. */
export type Transaction =
  | CreditTransaction
  | ChargeTransaction
  | PaymentTransaction
  | RepaymentTransaction
  | SupplyChargeTransaction;

/** The union of all transactions, by `type`. */
export const anyTransaction = unionOf(
  'Transaction',
  'A transaction of a ledger; `type` selects its form.',
  'type',
  {
    CREDIT: CreditTransaction,
    CHARGE: ChargeTransaction,
    PAYMENT: PaymentTransaction,
    REPAYMENT: RepaymentTransaction,
    SUPPLY_CHARGE: SupplyChargeTransaction,
  },
);
