import { Person } from '../customer/person';
import { ListOfTexts } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('Someone who acts for the business.')
export class BusinessUser extends Person {
  @ListOfTexts('Roles on every account that the business reaches.', {
    required: true,
    list: 'roles',
    example: ['ADMIN'],
  })
  business_roles: string[];
}
