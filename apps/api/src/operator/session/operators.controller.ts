import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Operators, OperatorView, OperatorWithPassword, type SignedInOperator } from '@portage/operators';
import { PortageError } from '@portage/platform';
import { CurrentOperator } from '../current-operator';
import { RequiresRole } from '../operator-session.guard';
import { Endpoint } from '../../http/endpoint';
import { ChangeOperatorRequest, CreateOperatorRequest, OperatorList } from './operators.dto';
import { exampleOperator } from './operators.examples';

/** The operators, for admins. */
@ApiTags('Operators')
@Controller('operator/v1/operators')
@RequiresRole('admin')
export class OperatorsController {
  constructor(private readonly operators: Operators) {}

  @Get()
  @Endpoint({
    id: 'listOperators',
    summary: 'List the operators',
    description: 'All of them, in the order of creation.',
  })
  @ApiOkResponse({
    description: 'The operators.',
    type: OperatorList,
    example: { items: [exampleOperator], next_cursor: null },
  })
  async list(): Promise<OperatorList> {
    return { items: await this.operators.list(), next_cursor: null };
  }

  @Post()
  @HttpCode(201)
  @Endpoint({
    id: 'createOperator',
    summary: 'Create an operator',
    description: 'With a one-time password, which the operator changes at the first login.',
    errors: ['validation_error'],
  })
  @ApiBody({
    type: CreateOperatorRequest,
    examples: { operator: { value: { name: 'grace', role: 'operator' } } },
  })
  @ApiCreatedResponse({
    description: 'The operator, with the one-time password.',
    type: OperatorWithPassword,
    example: {
      operator: { ...exampleOperator, has_totp: false, must_change_password: true, last_login_at: null },
      one_time_password: 'w7k2m-4xq9p-aa8nd-t3vzc',
    },
  })
  async create(
    @CurrentOperator() { actor }: SignedInOperator,
    @Body() { name, role }: CreateOperatorRequest,
  ): Promise<OperatorWithPassword> {
    return this.operators.create(name, role, actor);
  }

  @Patch(':name')
  @Endpoint({
    id: 'changeOperator',
    summary: 'Change an operator',
    description:
      'A role holds at the next request of the operator. Disabling ends the sessions at once. The last admin keeps the role and stays enabled.',
    errors: ['validation_error'],
  })
  @ApiBody({
    type: ChangeOperatorRequest,
    examples: { role: { value: { role: 'viewer' } }, disabled: { value: { is_disabled: true } } },
  })
  @ApiOkResponse({ description: 'The operator.', type: OperatorView, example: exampleOperator })
  async change(
    @CurrentOperator() { actor }: SignedInOperator,
    @Param('name') name: string,
    @Body() { role, is_disabled: isDisabled }: ChangeOperatorRequest,
  ): Promise<OperatorView> {
    await this.require(name);
    if (role !== undefined) await this.operators.setRole(name, role, actor);
    if (isDisabled === true) await this.operators.disable(name, actor);
    if (isDisabled === false) await this.operators.enable(name, actor);
    return this.require(name);
  }

  @Post(':name/reset-password')
  @HttpCode(200)
  @Endpoint({
    id: 'resetPassword',
    summary: 'Reset a password',
    description:
      'Gives the operator a one-time password, removes the second factor and ends the sessions of the operator.',
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'The operator, with the one-time password.',
    type: OperatorWithPassword,
    example: {
      operator: { ...exampleOperator, has_totp: false, must_change_password: true, last_login_at: null },
      one_time_password: 'w7k2m-4xq9p-aa8nd-t3vzc',
    },
  })
  async resetPassword(
    @CurrentOperator() { actor }: SignedInOperator,
    @Param('name') name: string,
  ): Promise<OperatorWithPassword> {
    await this.require(name);
    return this.operators.resetPassword(name, actor);
  }

  private async require(name: string): Promise<OperatorView> {
    const operator = await this.operators.find(name);
    if (!operator) throw new PortageError('not_found', 'There is no operator of this name.');
    return operator;
  }
}
