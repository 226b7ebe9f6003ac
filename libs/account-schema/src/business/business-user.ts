import { Person } from '../customer/person';
import { ListOfTexts } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A person who acts for the business.')
export class BusinessUser extends Person {
  @ListOfTexts("Roles on every account of the business, from the operator's list.", {
    required: true,
    list: 'roles',
    example: ['ADMIN'],
  })
  business_roles: string[];
}
