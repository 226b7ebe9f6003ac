import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { Operators, OperatorView, OperatorWithPassword } from '@portage/operators';
import { PortageError } from '@portage/platform';
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
  async create(@Body() { name, role }: CreateOperatorRequest): Promise<OperatorWithPassword> {
    return this.operators.create(name, role);
  }

  /**
   * A role holds at the next request of the operator. Disabling ends the sessions at once. The last admin keeps the
   * role and stays enabled.
   */
  @Patch(':name')
  @OperatorEndpoint('admin')
  async change(
    @Param('name') name: string,
    @Body() { role, is_disabled: isDisabled }: ChangeOperatorRequest,
  ): Promise<OperatorView> {
    await this.require(name);
    if (role !== undefined) await this.operators.setRole(name, role);
    if (isDisabled === true) await this.operators.disable(name);
    if (isDisabled === false) await this.operators.enable(name);
    return this.require(name);
  }

  /** Gives the operator a one-time password, removes the second factor and ends the sessions of the operator. */
  @Post(':name/reset-password')
  @OperatorEndpoint('admin')
  async resetPassword(@Param('name') name: string): Promise<OperatorWithPassword> {
    await this.require(name);
    return this.operators.resetPassword(name);
  }

  private async require(name: string): Promise<OperatorView> {
    const operator = await this.operators.find(name);
    if (!operator) throw new PortageError('not_found', 'There is no operator of this name.');
    return operator;
  }
}
