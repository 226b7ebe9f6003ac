import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Choice, Integer, ListOf, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A component of a planned payment.')
export class PaymentPlanComponent {
  @Text('Type of the component, as defined by the strategy.', { required: true, example: 'DEBT' })
  component_type: string;

  @Integer('Amount of the component.', {
    amount: AMOUNTS.minorPayment,
    required: true,
    min: 0,
    example: 2500,
  })
  amount: number;
}

@About('A payment of a plan.')
export class PaymentPlanPayment {
  @CalendarDate('Day on which the payment is due.', { required: true }) payment_date: string;

  @Integer('Total of the payment.', { amount: AMOUNTS.minorPayment, required: true, min: 0, example: 2500 })
  total_amount: number;

  @ListOf('Components of the payment, if any.', PaymentPlanComponent, { required: true })
  amount_components: PaymentPlanComponent[];
}

@About('A plan of individually agreed payments.')
export class PaymentPlan {
  @Text("Strategy of the plan, from the operator's list.", {
    required: true,
    example: 'FIXED_TERM',
    list: 'payment_plan_strategies',
  })
  strategy_name: string;

  @Choice('How the payments are made.', ['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP'], { required: true })
  schedule_means: string;

  @Moment('When the plan was agreed.', { required: true }) accepted_at: string;

  @ListOf('Payments of the plan; each component type at most once a day.', PaymentPlanPayment, {
    required: true,
  })
  payments: PaymentPlanPayment[];
}
