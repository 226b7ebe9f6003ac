import { CalendarDate, Choice, Integer, ListOf, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A part of a planned payment.')
export class PaymentPlanComponent {
  @Text('What the part is for, in the terms of the strategy.', { required: true, example: 'DEBT' })
  component_type: string;

  @Integer('The part, in minor currency units.', { required: true, min: 0, example: 2500 })
  amount: number;
}

@About('One payment of a plan.')
export class PaymentPlanPayment {
  @CalendarDate('When it is due.', { required: true })
  payment_date: string;

  @Integer('All of it, in minor currency units.', { required: true, min: 0, example: 2500 })
  total_amount: number;

  @ListOf('Its parts, if it has any.', PaymentPlanComponent, { required: true })
  amount_components: PaymentPlanComponent[];
}

@About('Payments that were agreed upon, one by one.')
export class PaymentPlan {
  @Text('Strategy that the plan follows, as the operator lists it.', {
    required: true,
    example: 'FIXED_TERM',
  })
  strategy_name: string;

  @Choice('How the payments come in.', ['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP'], { required: true })
  schedule_means: string;

  @Moment('When it was agreed.', { required: true })
  accepted_at: string;

  @ListOf('The payments; no two parts of one kind on one day.', PaymentPlanPayment, { required: true })
  payments: PaymentPlanPayment[];
}
