import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import { PortageError } from '@portage/domain';
import {
  type EnrolledTotp,
  LogIn,
  OperatorAccount,
  OperatorSessions,
  type SessionView,
  type SignedInOperator,
} from '@portage/importing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentOperator } from '../current-operator';
import { RequiresRole } from '../operator-session.guard';
import { clearCookie, readCookie, setCookie } from '../session-cookie';
import { readTexts } from '../text-fields';
import {
  DescribeChangePassword,
  DescribeConfirmTotp,
  DescribeEnrolTotp,
  DescribeLogIn,
  DescribeLogOut,
  DescribeRemoveTotp,
  DescribeSession,
} from './session.openapi';

type JsonBody = Record<string, unknown> | undefined;

/** The session of an operator: login with a password, second factor, own password, logout. */
@Controller('operator/v1/session')
export class SessionController {
  constructor(
    private readonly logIn: LogIn,
    private readonly sessions: OperatorSessions,
    private readonly account: OperatorAccount,
  ) {}

  @Post()
  @HttpCode(201)
  @DescribeLogIn()
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: JsonBody,
  ): Promise<SessionView> {
    const { name, password, totp } = readTexts(body, ['name', 'password'], ['totp']);
    const previousToken = readCookie(request, 'session');
    const login = { name, password, totp, address: request.ip, previousToken };
    const outcome = await this.logIn.withPassword(login);
    if (outcome.outcome === 'totp-required')
      throw new PortageError('totp_required', 'Send the code of your authenticator as totp.');
    if (outcome.outcome === 'failed')
      throw new PortageError('operator_login_failed', 'Name, password or code is wrong.');
    setCookie(request, reply, 'session', outcome.token);
    return this.show(outcome.token);
  }

  @Get()
  @RequiresRole('viewer')
  @DescribeSession()
  async read(@Req() request: FastifyRequest): Promise<SessionView> {
    return this.show(readCookie(request, 'session'));
  }

  @Delete()
  @HttpCode(204)
  @RequiresRole('viewer')
  @DescribeLogOut()
  async end(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.logOut(operator);
    clearCookie(request, reply, 'session');
  }

  @Post('password')
  @HttpCode(204)
  @RequiresRole('viewer')
  @DescribeChangePassword()
  async changePassword(
    @CurrentOperator() operator: SignedInOperator,
    @Req() { ip }: FastifyRequest,
    @Body() body: JsonBody,
  ): Promise<void> {
    const { current_password: current, new_password: next } = readTexts(body, [
      'current_password',
      'new_password',
    ]);
    await this.account.changePassword(operator, ip, current, next);
  }

  @Post('totp')
  @HttpCode(200)
  @RequiresRole('viewer')
  @DescribeEnrolTotp()
  async enrolTotp(@CurrentOperator() operator: SignedInOperator): Promise<EnrolledTotp> {
    return this.account.enrolTotp(operator);
  }

  @Put('totp')
  @HttpCode(204)
  @RequiresRole('viewer')
  @DescribeConfirmTotp()
  async confirmTotp(@CurrentOperator() operator: SignedInOperator, @Body() body: JsonBody): Promise<void> {
    await this.account.confirmTotp(operator, readTexts(body, ['code']).code);
  }

  @Delete('totp')
  @HttpCode(204)
  @RequiresRole('viewer')
  @DescribeRemoveTotp()
  async removeTotp(
    @CurrentOperator() operator: SignedInOperator,
    @Req() { ip }: FastifyRequest,
    @Body() body: JsonBody,
  ): Promise<void> {
    await this.account.removeTotp(operator, ip, readTexts(body, ['password']).password);
  }

  private async show(token: string | undefined): Promise<SessionView> {
    const session = token === undefined ? undefined : await this.sessions.show(token);
    if (!session) throw new PortageError('operator_session_required', 'The session has ended.');
    return session;
  }
}
