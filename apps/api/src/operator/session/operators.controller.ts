import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { PortageError } from '@portage/domain';
import {
  Operators,
  type OperatorView,
  type OperatorWithPassword,
  type SignedInOperator,
} from '@portage/importing';
import { requireBody } from '../../http/json-body';
import { CurrentOperator } from '../current-operator';
import { RequiresRole } from '../operator-session.guard';
import { readTexts } from '../text-fields';
import {
  DescribeChangeOperator,
  DescribeCreateOperator,
  DescribeListOperators,
  DescribeResetPassword,
} from './operators.openapi';

type JsonBody = Record<string, unknown> | undefined;

/** The operators, for admins. */
@Controller('operator/v1/operators')
@RequiresRole('admin')
export class OperatorsController {
  constructor(private readonly operators: Operators) {}

  @Get()
  @DescribeListOperators()
  async list(): Promise<{ items: OperatorView[]; next_cursor: null }> {
    return { items: await this.operators.list(), next_cursor: null };
  }

  @Post()
  @HttpCode(201)
  @DescribeCreateOperator()
  async create(
    @CurrentOperator() { actor }: SignedInOperator,
    @Body() body: JsonBody,
  ): Promise<OperatorWithPassword> {
    const { name, role } = readTexts(body, ['name', 'role']);
    return this.operators.create(name, role, actor);
  }

  @Patch(':name')
  @DescribeChangeOperator()
  async change(
    @CurrentOperator() { actor }: SignedInOperator,
    @Param('name') name: string,
    @Body() body: JsonBody,
  ): Promise<OperatorView> {
    const { is_disabled: isDisabled, ...texts } = requireBody(body);
    const { role } = readTexts(texts, [], ['role']);
    if (isDisabled !== undefined && typeof isDisabled !== 'boolean')
      throw new PortageError('validation_error', 'The request is not valid.', {
        errors: [{ attr: 'is_disabled', code: 'invalid', detail: 'Enter true or false.' }],
      });
    await this.require(name);
    if (role !== undefined) await this.operators.setRole(name, role, actor);
    if (isDisabled === true) await this.operators.disable(name, actor);
    if (isDisabled === false) await this.operators.enable(name, actor);
    return this.require(name);
  }

  @Post(':name/reset-password')
  @HttpCode(200)
  @DescribeResetPassword()
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
