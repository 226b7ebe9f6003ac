import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { Operators, OperatorView, OperatorWithPassword, type SignedInOperator } from '@portage/operators';
import { PortageError } from '@portage/platform';
import { CurrentOperator } from '../current-operator';
import { OperatorEndpoint } from '../operator-endpoint';
import { ChangeOperatorRequest, CreateOperatorRequest, OperatorList } from './operators.dto';

/** The operators, for admins. */
@Controller('operator/v1/operators')
export class OperatorsController {
  constructor(private readonly operators: Operators) {}

  /** All of them, in the order of creation. */
  @Get()
  @OperatorEndpoint('admin')
  async list(): Promise<OperatorList> {
    return { items: await this.operators.list(), next_cursor: null };
  }

  /** With a one-time password, which the operator changes at the first login. */
  @Post()
  @OperatorEndpoint('admin', 201)
  async create(
    @CurrentOperator() { actor }: SignedInOperator,
    @Body() { name, role }: CreateOperatorRequest,
  ): Promise<OperatorWithPassword> {
    return this.operators.create(name, role, actor);
  }

  /**
   * A role holds at the next request of the operator. Disabling ends the sessions at once. The last admin keeps the
   * role and stays enabled.
   */
  @Patch(':name')
  @OperatorEndpoint('admin')
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

  /** Gives the operator a one-time password, removes the second factor and ends the sessions of the operator. */
  @Post(':name/reset-password')
  @OperatorEndpoint('admin')
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
